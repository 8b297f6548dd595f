"""Where a body can touch the plane: its lowest point, the three points of a rim that falls flat, or feet.

foot(feet, body, gamma, k)       rho_k: contact point k from the mass centre, in body axes, when the upward normal is gamma
foot_rate(feet, body, gamma, k, dn)   its derivative when the normal at the contact turns by dn
feet_count(feet)                 how many there are: a constant of the type
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...kernel.compiled import inlined
from ...kernel.dispatch import constant, generic
from ...kernel.scalar import real
from ...kernel.vector import scale, sub
from ..shapes.convex import support, support_rate

SIDE = 1e-30  # of a normal: nothing but a sign, which says which rim of a disk with thickness is the lower one
FLAT = 1e-8  # sine of the inclination below which a rim counts as lying flat


class Lowest(NamedTuple):
    """One contact: the lowest point of the body's shape."""

    unused: float = 0.0


class Tripod(NamedTuple):
    """Three contacts of a rim about e3: its lowest point C1, and C2, C3 at +-120 degrees from it, Sailer (3.23)."""

    unused: float = 0.0


class Rims(NamedTuple):
    """Six contacts of a cylinder about e3: of the rim at z = -half its lowest point C1 and those at +-120 degrees from it; then of the rim at z = half."""

    half: float


class Feet(NamedTuple):
    """Contacts fixed to the body: each (x, y, z, radius) in the axes of the shape; radius 0 is a vertex, otherwise a small sphere."""

    places: Any


@generic
def foot(feet, body, gamma, k):
    """Contact point k from the mass centre, in body axes."""


@generic
def foot_rate(feet, body, gamma, k, dn):
    """How contact point k moves on the body when the outward normal there turns by dn."""


@constant
def feet_count(feet):
    """The number of contacts: a constant of the type."""


@foot.register(Lowest)
def _(feet, body, gamma, k):
    return sub(support(body.shape, scale(-1.0, gamma)), body.centre)


@foot_rate.register(Lowest)
def _(feet, body, gamma, k, dn):
    return support_rate(body.shape, scale(-1.0, gamma), dn)


@feet_count.register(Lowest)
def _(feet):
    return 1


@inlined
def lies_flat(gamma):
    """Whether the axis of a rim counts as upright."""
    return real(gamma[0]) ** 2 + real(gamma[1]) ** 2 < FLAT * FLAT


@inlined
def on_rim(shape, gamma, k):
    """The lowest point of a rim (k = 0), and those at +-120 degrees from it; three points fixed to the body where it lies flat."""
    n = scale(-1.0, gamma)
    if lies_flat(gamma):
        n = (n[0] - 1.0, 0.0 * n[1], SIDE * n[2])
    p = support(shape, n)
    c, s = 1.0, 0.0
    if k == 1:
        c, s = -0.5, 0.8660254037844386
    elif k == 2:
        c, s = -0.5, -0.8660254037844386
    return c * p[0] - s * p[1], s * p[0] + c * p[1], p[2]


@foot.register(Tripod)
def _(feet, body, gamma, k):
    return sub(on_rim(body.shape, gamma, k), body.centre)


@foot.register(Rims)
def _(feet, body, gamma, k):
    p = on_rim(body.shape, gamma, k % 3)
    height = feet.half if k > 2 else -feet.half
    return sub((p[0], p[1], height + 0.0 * p[2]), body.centre)


@foot_rate.register(Tripod)
@foot_rate.register(Rims)
def _(feet, body, gamma, k, dn):
    # contour friction acts at the lowest point of a rim, and not on a body that lies flat
    if k % 3 > 0 or lies_flat(gamma):
        return scale(0.0, dn)
    return support_rate(body.shape, scale(-1.0, gamma), dn)


@feet_count.register(Tripod)
def _(feet):
    return 3


@foot.register(Feet)
def _(feet, body, gamma, k):
    place = feet.places[k]
    return sub((place[0] - place[3] * gamma[0], place[1] - place[3] * gamma[1], place[2] - place[3] * gamma[2]), body.centre)


@foot_rate.register(Feet)
def _(feet, body, gamma, k, dn):
    return scale(feet.places[k][3], dn)


@feet_count.register(Rims)
def _(feet):
    return 6


@feet_count.register(Feet)
def _(feet):
    return len(feet.places)
