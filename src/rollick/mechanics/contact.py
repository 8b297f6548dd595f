"""What a body with contacts tells the integrators: M, h, W, g.

Positions q, velocities u, contacts k = 0, 1, ...; the equations of motion are

    q' = F(q) u,    M(q) u' = f(t, q, u) + sum over contacts of W_k^T lambda_k,    gap_k(q) >= 0

with rows of W_k: normal (0), two tangential (1, 2), pivoting (3), contour (4, 5), as many as `row_count(law)`; W_k u are the contact velocities,
the first of them the rate of the gap. A system registers the functions below; time stepping, the index-1 form of lasting contact and
the event-driven integrator are then its for the asking. All work on real and complex numbers and allocate nothing.
"""

from __future__ import annotations

from ..kernel.dispatch import constant, generic


@constant
def positions(system):
    """The number of position coordinates: a constant of the type."""


@constant
def velocities(system):
    """The number of velocities: a constant of the type."""


@generic
def position_rate(system, q, u, out):
    """out = F(q) u."""


@generic
def mass_matrix(system, q, out):
    """out[i, j] = M(q)."""


@generic
def smooth_forces(system, t, q, u, out):
    """out = h + gravity + whatever acts besides the contacts."""


@constant
def contact_count(system):
    """How many contacts there are, open or closed: a constant of the type."""


@generic
def gap(system, q, k):
    """The distance of contact k from the plane."""


@generic
def contact_rows(system, q, k, out):
    """out[row, j]: the rows of W_k at q."""


@generic
def law_of(system):
    """The friction law of the contacts."""


@law_of.otherwise
def _(system):
    return system.law


@generic
def restitution(system):
    """Newton's coefficient e_N."""


@restitution.otherwise
def _(system):
    return system.e_N


@generic
def tidy(system, q):
    """Pull positions back onto what must hold exactly (a unit quaternion), in place."""


@tidy.otherwise
def _(system, q):
    return None


LIFTS_OFF = (
    "The normal force has come to zero: the body lifts off, and lasting contact ends (or, with much friction, has no solution: "
    "Painleve's paradox). Time stepping goes on from there: method='moreau'."
)
