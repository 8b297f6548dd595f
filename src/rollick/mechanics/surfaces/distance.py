"""What a surface is: the signed distance of a point from it.

    distance(surface, t, p)             of the point p (x, y, z) at time t: positive on the side where bodies are, zero on the surface
    normal(surface, t, p)               the unit vector along which the distance grows: its gradient            (default: by complex step)
    material_velocity(surface, t, p)    the velocity of the surface's own material at p                         (default: it rests)
    material_spin(surface, t)           its angular velocity                                                    (default: it does not turn)

and, of a type of surface,

    flat(surface)                       whether its normal is the same everywhere at one instant                (default: no)
    moves(surface)                      whether it moves                                                        (default: no)
    hollow_radius(surface)              the least radius of curvature of a vessel, which bodies must undercut   (default: infinite; Python)

Frame: z is up, gravity is (0, 0, -g). A surface of one's own is a NamedTuple and one function, `distance`, written with the scalars of
`rollick.kernel`, and with a gradient of length one near the surface.
"""

from __future__ import annotations

import math
from typing import Any

from numba import types
from numba.extending import overload

from ...kernel.derivative import EPS
from ...kernel.dispatch import constant, generic
from ...kernel.names import InputError, number
from ...kernel.scalar import sqrt

STEP = 1e-4  # of the differences by which the normal of a surface that only tells its distance is differentiated


@generic
def distance(surface, t, p):
    """The signed distance of a point from a surface."""


@generic
def normal(surface, t, p):
    """The unit normal of a surface, seen from a point: the gradient of its distance."""


@generic
def material_velocity(surface, t, p):
    """The velocity of the material of a surface at a point."""


@generic
def material_spin(surface, t):
    """The angular velocity of the material of a surface."""


@constant
def flat(surface):
    """Whether the normal of a surface is the same everywhere at one instant. A constant of its type."""


@constant
def moves(surface):
    """Whether a surface moves. A constant of its type."""


@generic
def hollow_radius(surface):
    """The least radius of curvature of a vessel; infinite if it is not hollow. Runs in Python."""


@material_velocity.otherwise
def _(surface, t, p):
    zero = 0.0 * (p[0] + p[1] + p[2])
    return zero, zero, zero


@material_spin.otherwise
def _(surface, t):
    zero = 0.0 * t
    return zero, zero, zero


@flat.otherwise
def _(surface):
    return False


@moves.otherwise
def _(surface):
    return False


@hollow_radius.otherwise
def _(surface):
    return math.inf


@normal.otherwise
def _(surface, t, p):
    return differentiated_distance(surface, t, p)


def differentiated_distance(surface, t, p):
    """The gradient of the distance by complex step; inside a complex step its own derivative is by differences."""
    complex_in = isinstance(p[0] + p[1] + p[2] + t, complex)
    return _gradient_along(surface, t, p) if complex_in else _gradient(surface, t, p)


@overload(differentiated_distance, strict=False)
def _choose(surface, t, p):
    complex_in = any(isinstance(kind, types.Complex) for kind in (t, *p.types))
    return _gradient_along if complex_in else _gradient


def _gradient(surface, t, p):
    x = distance(surface, t, (complex(p[0], EPS), complex(p[1], 0.0), complex(p[2], 0.0))).imag / EPS
    y = distance(surface, t, (complex(p[0], 0.0), complex(p[1], EPS), complex(p[2], 0.0))).imag / EPS
    z = distance(surface, t, (complex(p[0], 0.0), complex(p[1], 0.0), complex(p[2], EPS))).imag / EPS
    length = sqrt(x * x + y * y + z * z)
    return x / length, y / length, z / length


def _gradient_along(surface, t, p):
    # The gradient at p + i eps dp: real part at p, imaginary part by central differences along dp (and along dt).
    u, v, w, s = p[0] + 0j, p[1] + 0j, p[2] + 0j, t + 0j
    size = max(max(abs(u.imag), abs(v.imag)), max(abs(w.imag), abs(s.imag)))
    here = (u.real, v.real, w.real)
    n = differentiated_distance(surface, s.real, here)
    if size == 0.0:
        return n[0] + 0j, n[1] + 0j, n[2] + 0j
    h = STEP / size
    ahead = differentiated_distance(surface, s.real + h * s.imag, (here[0] + h * u.imag, here[1] + h * v.imag, here[2] + h * w.imag))
    behind = differentiated_distance(surface, s.real - h * s.imag, (here[0] - h * u.imag, here[1] - h * v.imag, here[2] - h * w.imag))
    return (
        complex(n[0], (ahead[0] - behind[0]) / (2.0 * h)),
        complex(n[1], (ahead[1] - behind[1]) / (2.0 * h)),
        complex(n[2], (ahead[2] - behind[2]) / (2.0 * h)),
    )


def unit_vector(given: Any, what: str) -> tuple[float, float, float]:
    """Three numbers at unit length."""
    x, y, z = three_numbers(given, what, "")
    length = math.sqrt(x * x + y * y + z * z)
    if not length > 0.0:
        raise InputError(f"{what} = {given!r} has no direction; give three numbers that are not all zero, e.g. (0, 0, 1).")
    return x / length, y / length, z / length


def three_numbers(given: Any, what: str, unit: str = "m") -> tuple[float, float, float]:
    """Three finite numbers."""
    try:
        x, y, z = given
    except (TypeError, ValueError):
        raise InputError(f"{what} = {given!r} must be three numbers (x, y, z).") from None
    return number(x, what, unit), number(y, what, unit), number(z, what, unit)


def above_zero(given: Any, what: str, unit: str = "m") -> float:
    """A finite number above zero."""
    value = number(given, what, unit)
    if value <= 0.0:
        raise InputError(f"{what} = {given!r} must be above zero.")
    return value


__all__ = ["distance", "flat", "hollow_radius", "material_spin", "material_velocity", "moves", "normal"]
