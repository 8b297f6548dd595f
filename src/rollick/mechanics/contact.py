"""What a body with contacts tells the integrators: M, h, and for each contact its gap, its rows of W, its law and its restitution.

Positions q, velocities u, contacts k = 0, 1, ...; the equations of motion are

    q' = F(q) u,    M(q) u' = f(t, q, u) + sum over contacts of W_k^T lambda_k,    gap_k(t, q) >= 0

with rows of W_k: normal (0), two tangential (1, 2), pivoting (3), contour (4, 5), as many as `rows_per_contact(system)`; W_k u - w_k are the
contact velocities, the first of them the rate of the gap, and w_k (`surface_velocity`) is what the surface itself does along the rows: zero
where it rests. A contact is a thing of its own: a pair of surfaces, a law (`law_of`) and a restitution.

A system registers the functions below; those with a default need not be. Time stepping, the index-1 form of lasting contact and the
event-driven integrator are then its for the asking. All work on real and complex numbers and allocate nothing.
"""

from __future__ import annotations

from typing import Any

from ..kernel.compiled import inlined
from ..kernel.dispatch import constant, generic
from ..kernel.names import InputError, called
from ..kernel.system import description, validate
from .laws.each import law_at
from .laws.friction import row_count


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
def gap(system, t, q, k):
    """The distance of the two surfaces of contact k."""


@generic
def contact_rows(system, t, q, k, out):
    """out[row, j]: the rows of W_k at (t, q)."""


@generic
def surface_velocity(system, t, q, k, out):
    """out[row]: w_k, the velocity of the other surface along the rows; the contact velocities are W_k u - w_k. Default: it rests."""


@surface_velocity.otherwise
def _(system, t, q, k, out):
    for i in range(rows_per_contact(system)):
        out[i] = 0.0


@generic
def law_of(system, k):
    """The friction law of contact k, of one type for all k. Default: `system.law`, and of laws put together by `each` the one for k."""


@law_of.otherwise
def _(system, k):
    return law_at(system.law, k)


@inlined
def rows_per_contact(system):
    """How many rows each contact has: a constant of the type."""
    return row_count(law_of(system, 0))


@generic
def restitution(system, k):
    """Newton's coefficient of restitution at contact k. Default: `system.e_N`."""


@restitution.otherwise
def _(system, k):
    return system.e_N


@generic
def tidy(system, q):
    """Pull positions back onto what must hold exactly (a unit quaternion), in place."""


@tidy.otherwise
def _(system, q):
    return None


@generic
def drag_work(system, forced, before, after):
    """The power that damping among the smooth forces, evaluated at the velocities `forced`, takes at the mean of two velocities. Default: there is none."""


@drag_work.otherwise
def _(system, forced, before, after):
    return 0.0


@constant
def contacts_move(system):
    """Whether gaps and rows depend on time, because surfaces move: a constant of the type. Default: no."""


@contacts_move.otherwise
def _(system):
    return False


# What steps and modes accumulate along a motion, for systems that describe integrals of these names, in this order.
ACCOUNT = ("impulse", "lost_sliding", "lost_pivoting", "lost_contour", "lost_impacts", "lost_drag")


def account_of(system: Any, wanted: bool | None) -> int:
    """How many sums of the account are accumulated: all of them if a system describes them, none otherwise. Integrals of its own are refused if they are wanted."""
    names = tuple(q.name for q in description(system).integrals)
    if names == ACCOUNT:
        return 0 if wanted is False else len(ACCOUNT)
    if wanted and names:
        raise InputError(
            f"integrals of {called(system)} cannot be accumulated through impacts and steps: {', '.join(names)}; only {', '.join(ACCOUNT)} can. Ask for signals."
        )
    return 0


def check_contacts(system: Any) -> None:
    """Refuse laws and restitutions that cannot be: friction that drives, rebounds faster than the approach."""
    if hasattr(system, "law"):
        validate(system.law)
    for k in range(int(contact_count(system))):
        e = restitution(system, k)
        if not 0.0 <= e <= 1.0:
            raise InputError(
                f"the restitution {e!r} of contact {k} of {called(system)} must lie between 0 (no rebound) and 1 (no loss)."
            )


CLOSES = "Another contact closes, and lasting contact at one point ends. Time stepping goes on from there: method='moreau'."
LIFTS_OFF = (
    "The normal force has come to zero: the body lifts off, and lasting contact ends (or, with much friction, has no solution: "
    "Painleve's paradox). Time stepping goes on from there: method='moreau'."
)
