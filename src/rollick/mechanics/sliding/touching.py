"""A body among surfaces: each foot may touch each of them, with a law and a restitution of their own.

Contact k is foot k mod m at surface k // m, m the number of feet. Frame: z up, gravity (0, 0, -g); positions, velocities and the rows of W as for
`Sliding`, with the surface's normal n and two axes e1, e2 across it in place of z, x, y:

    normal      [n, rho x n_b]              tangential  [e1, rho x e1_b], [e2, rho x e2_b]
    pivoting    [0, arm n_b]                contour     [0, n_b x D e1_b], [0, n_b x D e2_b],   D = d rho / d n, on flat surfaces at rest

where the index b marks body axes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...kernel.compiled import compiled
from ...kernel.quaternion import quaternion_matrix
from ...kernel.scalar import atan2, real, sqrt
from ...kernel.system import describe, descriptions, signals
from ...kernel.vector import add, cross, dot, matvec, sub, vecmat
from ..contact import (
    contact_count,
    contact_rows,
    contacts_move,
    drag_work,
    gap,
    law_of,
    mass_matrix,
    position_rate,
    positions,
    restitution,
    rows_per_contact,
    smooth_forces,
    surface_velocity,
    tidy,
    velocities,
)
from ..laws.each import law_at
from ..laws.sliding import arm
from ..size import body_size, extent
from ..surfaces.distance import moves
from . import terms
from .equations import Sliding, parts
from .feet import feet_count, foot_rate
from .meeting import Surfaces, axes_across, meet, relative_velocity


class Touching(NamedTuple):
    """A body among surfaces: `on` (one, or `Surfaces`), their laws (one, or `Each`) and restitutions, the body's feet, a damping couple -sigma Omega."""

    body: Any
    gravity: tuple
    on: Any
    law: Any
    restitution: tuple
    feet: Any
    sigma: float


@compiled
def met_at(s, t, q, k):
    """Attitude and `Meeting` of contact k."""
    r = quaternion_matrix((q[3], q[4], q[5], q[6]))
    m = feet_count(s.feet)
    return r, meet(s.on, k // m, s.feet, s.body, t, (q[0], q[1], q[2]), r, k % m)


@positions.register(Touching)
def _(s):
    return 7


@velocities.register(Touching)
def _(s):
    return 6


@contact_count.register(Touching)
def _(s):
    return feet_count(s.feet) * len(s.restitution)


@contacts_move.register(Touching)
def _(s):
    return moves(s.on)


@law_of.register(Touching)
def _(s, k):
    return law_at(s.law, k // feet_count(s.feet))


@restitution.register(Touching)
def _(s, k):
    return s.restitution[k // feet_count(s.feet)]


for _shared in (position_rate, mass_matrix, smooth_forces, drag_work, tidy, body_size, extent):  # as of a body on a plane
    _shared.register(Touching)(_shared.table[Sliding,])


@gap.register(Touching)
def _(s, t, q, k):
    _, met = met_at(s, t, q, k)
    return met.gap


@compiled
def write_row(axis, lever, row, out):
    """One row of W: along `axis` in space, `lever` in body axes."""
    for i in range(3):
        out[row, i] = axis[i]
        out[row, 3 + i] = lever[i]


@contact_rows.register(Touching)
def _(s, t, q, k, out):
    r, met = met_at(s, t, q, k)
    e1, e2 = axes_across(met.normal)
    n_b, a, b = vecmat(met.normal, r), vecmat(e1, r), vecmat(e2, r)
    write_row(met.normal, cross(met.rho, n_b), 0, out)
    write_row(e1, cross(met.rho, a), 1, out)
    write_row(e2, cross(met.rho, b), 2, out)
    if rows_per_contact(s) > 3:
        length = arm(law_of(s, k))
        for i in range(3):
            out[3, i] = 0.0
            out[3, 3 + i] = length * n_b[i]
    if rows_per_contact(s) > 4:
        c1 = cross(n_b, foot_rate(s.feet, s.body, n_b, k % feet_count(s.feet), a))
        c2 = cross(n_b, foot_rate(s.feet, s.body, n_b, k % feet_count(s.feet), b))
        for i in range(3):
            out[4, i] = 0.0
            out[5, i] = 0.0
            out[4, 3 + i] = c1[i]
            out[5, 3 + i] = c2[i]


@surface_velocity.register(Touching)
def _(s, t, q, k, out):
    _, met = met_at(s, t, q, k)
    e1, e2 = axes_across(met.normal)
    out[0] = dot(met.normal, met.velocity)
    out[1] = dot(e1, met.velocity)
    out[2] = dot(e2, met.velocity)
    if rows_per_contact(s) > 3:
        out[3] = arm(law_of(s, k)) * dot(met.normal, met.spin)
    if rows_per_contact(s) > 4:  # contour friction: on surfaces at rest
        out[4] = 0.0
        out[5] = 0.0


@compiled
def nearest_contact(s, t, q):
    """The contact with the smallest gap."""
    best = 0
    least = real(gap(s, t, q, 0))
    for k in range(1, contact_count(s)):
        here = real(gap(s, t, q, k))
        if here < least:
            best, least = k, here
    return best


@signals.register(Touching)
def _(s, t, y, out):
    place, _, v, omega = parts(y)
    k = nearest_contact(s, t, y)
    r, met = met_at(s, t, y, k)
    axis = r[2]
    m = s.body.mass
    out[0] = atan2(sqrt(axis[0] * axis[0] + axis[1] * axis[1]), axis[2])
    out[1] = atan2(r[0][2], -r[1][2])
    out[2] = atan2(axis[0], axis[1])
    out[3] = 0.5 * m * dot(v, v) + 0.5 * dot(omega, matvec(s.body.inertia, omega)) - m * dot(s.gravity, place)
    out[4] = met.gap
    slip = relative_velocity(met, r, v, omega)
    e1, e2 = axes_across(met.normal)
    v1, v2 = dot(e1, slip), dot(e2, slip)
    out[5] = sqrt(v1 * v1 + v2 * v2)
    out[6] = dot(met.normal, slip)
    out[7] = dot(met.normal, sub(matvec(r, omega), met.spin))
    at = add(place, matvec(r, met.rho))
    out[8] = at[0]
    out[9] = at[1]
    out[10] = at[2]
    out[11] = 0.0 * met.gap + k


_plain = descriptions[Sliding]
describe(
    Touching,
    {q.name: (q.unit, q.about) for q in _plain.states},
    {
        "theta": ("rad", "nutation: the angle of the body's axis e3 against the vertical"),
        "phi": ("rad", "yaw of the nodal line, in (-pi, pi]"),
        "psi": ("rad", "rotation about the body's axis, in (-pi, pi]"),
        "energy": ("J", "kinetic and potential energy"),
        "gap": ("m", "the smallest of all gaps; what follows is of that contact"),
        "slip": ("m/s", "velocity along the surface of the body's material point against the surface's"),
        "approach": ("m/s", "the rate of the gap"),
        "twist": ("rad/s", "angular velocity about the normal, against the surface"),
        "contact_x": ("m", "contact point"),
        "contact_y": ("m", "contact point"),
        "contact_z": ("m", "contact point"),
        "contact": ("", "number of the contact: foot k mod m at surface k // m, m the number of feet"),
    },
    {q.name: (q.unit, q.about) for q in _plain.integrals},
    {
        "gravity": ("m/s^2", "gravity, z up"),
        "restitution": ("", "Newton's coefficient, by surface"),
        "sigma": ("N m s", "damping couple"),
    },
    plot=("x", "z", "energy", "slip", "gap"),
)

__all__ = ["Surfaces", "Touching", "met_at", "nearest_contact", "terms"]
