"""A body of revolution that rolls like rubber: its data and its geometry functions (Koiller, sections 1.3, 2.4-2.6, 3).

The mass centre C lies on the axis at +s e3 from the shape's origin; I1 = I2 and I3 are the moments of inertia about C.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple, ParamSpec, TypeVar

from ...kernel.compiled import compiled
from ...kernel.names import InputError, called, number
from ...kernel.scalar import cos, sin
from ...mechanics.body import Body
from ...mechanics.rolling import Marble, Rubber
from ...mechanics.rolling.equations import check_rolls
from ...mechanics.shapes.convex import support
from ...mechanics.shapes.meridian import is_of_revolution, meridian


class RubberBody(NamedTuple):
    """A body of revolution on a plane, without slip and without twist."""

    shape: Any
    m: float
    I1: float
    I3: float
    s: float
    g: float
    sigma: float


def rubber_body(shape: Any, m: float, I1: float, I3: float, s: float = 0.0, g: float = 9.81, sigma: float = 0.0) -> RubberBody:
    """A checked body of revolution; 0 < I3 <= 2 I1 is all that nature asks."""
    if not meridian.knows(type(shape)) and not (support.knows(type(shape)) and is_of_revolution(shape)):
        raise InputError(meridian.complaint(type(shape)))
    check_rolls(shape)
    m, s = number(m, "m", "kg"), number(s, "s", "m")
    I1, I3 = number(I1, "I1", "kg m^2"), number(I3, "I3", "kg m^2")
    g, sigma = number(g, "g", "m/s^2"), number(sigma, "sigma", "N m s")
    for name, value in (("g", g), ("sigma", sigma)):
        if not value >= 0.0:
            raise InputError(f"{name} = {value!r} must not be negative.")
    if getattr(shape, "a", 0.0) != getattr(shape, "b", 0.0):
        raise InputError(f"a body of revolution about e3 needs a = b; this ellipsoid has a = {shape.a:g}, b = {shape.b:g}.")
    Body.from_inertia(m, (I1, I1, I3), shape, (0.0, 0.0, s))
    return RubberBody(shape, m, I1, I3, s, g, sigma)


@compiled
def heights(body, theta):
    """z_C, Lambda = z_C' and z_C''."""
    z, dz, ddz = meridian(body.shape, theta)
    c, n = body.s * cos(theta), body.s * sin(theta)
    return z + c, dz - n, ddz - c


@compiled
def nose_squared(body, theta):
    """N^2 = I1 cos^2 + I3 sin^2 + m z_C^2, the square of the Nose function (53)-(55)."""
    z, _, _ = heights(body, theta)
    c, n = cos(theta), sin(theta)
    return body.I1 * c * c + body.I3 * n * n + body.m * z * z


@compiled
def mass_B(body, theta):
    """B = I1 + m |CP|^2 and its derivative B' = 2 m Lambda r (50)."""
    z, dz, ddz = heights(body, theta)
    return body.I1 + body.m * (z * z + dz * dz), 2.0 * body.m * dz * (z + ddz)


@compiled
def potential(body, ell, theta):
    """V = l^2 / (2 sin^2) + m g z_C (57), and its first two derivatives."""
    z, dz, ddz = heights(body, theta)
    c, n = cos(theta), sin(theta)
    q = ell * ell / (n * n)
    mg = body.m * body.g
    return 0.5 * q + mg * z, mg * dz - q * c / n, mg * ddz + q * (1.0 + 2.0 * c * c) / (n * n)


P = ParamSpec("P")
R = TypeVar("R")


def reduced_only(function: Callable[P, R]) -> Callable[P, R]:
    """Decorator of the theory's functions: they are of a reduced body, and say so if they are given another."""

    @functools.wraps(function)
    def checked(*args: P.args, **more: P.kwargs) -> R:
        body = args[0] if args else more.get("body")
        if not isinstance(body, RubberBody):
            raise InputError(
                f"{function.__name__} is of a body of revolution in its reduced form, such as torus(), disk() or rubber_body(...); got {called(body)}. "
                f"full(body) is the same body in space, to simulate; give the reduced one here."
            )
        return function(*args, **more)

    return checked


def full(body: RubberBody, rubber: bool = True) -> Any:
    """The same body as a full rigid body in quaternions: rubber, or marble for contrast."""
    made = Body.from_inertia(body.m, (body.I1, body.I1, body.I3), body.shape, (0.0, 0.0, body.s))
    return (Rubber if rubber else Marble)(made, (0.0, 0.0, -body.g), body.sigma)
