"""Where a body meets a surface: the normal there, the contact point on the body, the gap.

With the outward normal -n of the body, seen from its axes, the contact point is foot(feet, body, n, i), and n is the normal of the surface at
that point. On a flat surface n is known beforehand; for a foot that is a point or a small sphere it is the surface's normal as seen
from its middle; for a convex body in a vessel or on a dome,

    n = N(x + R (p(-R^T n) - c)),     N the normal of the surface,

is solved by Newton's method on real numbers, with a last step that carries complex increments.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...kernel.compiled import compiled
from ...kernel.derivative import EPS
from ...kernel.dispatch import generic
from ...kernel.scalar import real
from ...kernel.vector import add, cross, dot, matvec, scale, solve, sub, unit, vecmat
from ..shapes.convex import support
from ..surfaces.distance import distance, flat, material_spin, material_velocity, moves, normal
from .feet import Feet, Lowest, Rims, Tripod, foot

NEWTON = 40


class Surfaces(NamedTuple):
    """Several surfaces: the first, and the rest (again `Surfaces`, or the last one)."""

    first: Any
    rest: Any


class Meeting(NamedTuple):
    """Contact of a body with a surface: normal of the surface, contact point from the mass centre (body axes), gap, the surface's motion there."""

    normal: Any
    rho: Any
    gap: Any
    velocity: Any
    spin: Any


def linked(surfaces: list[Any]) -> Any:
    """Surfaces as one thing."""
    chain = surfaces[-1]
    for surface in reversed(surfaces[:-1]):
        chain = Surfaces(surface, chain)
    return chain


def surfaces_in(on: Any) -> list[Any]:
    """Surfaces one by one."""
    found = []
    while isinstance(on, Surfaces):
        found.append(on.first)
        on = on.rest
    return [*found, on]


@moves.register(Surfaces)
def _(on):
    return moves(on.first) or moves(on.rest)


@compiled
def axes_across(n):
    """Two unit vectors across the unit vector n and each other; along x and y if n is along z."""
    side = 1.0 if real(n[2]) >= 0.0 else -1.0
    a = -1.0 / (side + n[2])
    b = n[0] * n[1] * a
    return (1.0 + side * n[0] * n[0] * a, side * b, -side * n[0]), (b, side + n[1] * n[1] * a, -n[1])


@generic
def contact_normal(feet, body, surface, t, x, r, i):
    """The normal of a surface where foot i of a body at x with attitude r meets it."""


@contact_normal.register(Feet)
def _(feet, body, surface, t, x, r, i):
    place = feet.places[i]
    return normal(surface, t, add(x, matvec(r, sub((place[0], place[1], place[2]), body.centre))))


@contact_normal.register(Tripod)
@contact_normal.register(Rims)
def _(feet, body, surface, t, x, r, i):
    return normal(surface, t, x)


@contact_normal.register(Lowest)
def _(feet, body, surface, t, x, r, i):
    if flat(surface):
        return normal(surface, t, x)
    return met_normal(body, surface, t, x, r)


@compiled
def seen_from(body, surface, t, x, r, n):
    """The surface's normal at the point of the body whose outward normal is -n."""
    rho = sub(support(body.shape, scale(-1.0, vecmat(n, r))), body.centre)
    return normal(surface, t, add(x, matvec(r, rho)))


@compiled
def slope_of(body, surface, t, x, r, n):
    """d (n - N(n))/dn by complex step, as rows."""
    a = seen_from(body, surface, t, x, r, (complex(n[0], EPS), complex(n[1], 0.0), complex(n[2], 0.0)))
    b = seen_from(body, surface, t, x, r, (complex(n[0], 0.0), complex(n[1], EPS), complex(n[2], 0.0)))
    c = seen_from(body, surface, t, x, r, (complex(n[0], 0.0), complex(n[1], 0.0), complex(n[2], EPS)))
    return (
        (1.0 - a[0].imag / EPS, -b[0].imag / EPS, -c[0].imag / EPS),
        (-a[1].imag / EPS, 1.0 - b[1].imag / EPS, -c[1].imag / EPS),
        (-a[2].imag / EPS, -b[2].imag / EPS, 1.0 - c[2].imag / EPS),
    )


@compiled
def real_parts(v):
    """The real parts of a vector."""
    return real(v[0]), real(v[1]), real(v[2])


@compiled
def met_normal(body, surface, t, x, r):
    """The normal where a convex body meets a curved surface."""
    t0, x0, r0 = real(t), real_parts(x), (real_parts(r[0]), real_parts(r[1]), real_parts(r[2]))
    n = normal(surface, t0, x0)
    slope = slope_of(body, surface, t0, x0, r0, n)
    for _ in range(NEWTON):
        step = solve(slope, sub(n, seen_from(body, surface, t0, x0, r0, n)))
        n = unit(sub(n, step))
        slope = slope_of(body, surface, t0, x0, r0, n)
        if dot(step, step) < 1e-26:
            break
    return sub(n, solve(slope, sub(n, seen_from(body, surface, t, x, r, n))))


@generic
def meet(on, j, feet, body, t, x, r, i):
    """Foot i of a body and surface j."""


@meet.otherwise
def _(on, j, feet, body, t, x, r, i):
    n = contact_normal(feet, body, on, t, x, r, i)
    rho = foot(feet, body, vecmat(n, r), i)
    p = add(x, matvec(r, rho))
    zero = scale(0.0, p)
    return Meeting(n, rho, distance(on, t, p), material_velocity(on, t, p), add(material_spin(on, t), zero))


@meet.register(Surfaces)
def _(on, j, feet, body, t, x, r, i):
    if j == 0:
        return meet(on.first, 0, feet, body, t, x, r, i)
    return meet(on.rest, j - 1, feet, body, t, x, r, i)


@compiled
def relative_velocity(met, r, v, omega):
    """The velocity of the body's material point at the contact against the surface's, in space axes."""
    return sub(add(v, matvec(r, cross(omega, met.rho))), met.velocity)
