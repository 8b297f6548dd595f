"""The stone: its parameters (Kane & Levinson, section 2) and the checks that it can exist.

A rigid body R whose lower surface is part of an ellipsoid with semi-axes a, b, c along the body axes X1, X2, X3; mass centre R* on X3
at the distance h from the ellipsoid's centre O, towards the plane when at rest (r3 points down); inertia about R*

    A r1 r1 + B r2 r2 + C r3 r3 + D (r1 r2 + r2 r1)                                                                            (2)

where D, the matrix entry (minus the integral of x1 x2 dm), makes the stone chiral; and a couple -sigma omega (4) for the air.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ...kernel.lanes import by_lane, is_finite
from ...kernel.names import InputError, choose, number
from ...kernel.sizes import out_of_range
from ...kernel.system import validate
from ...kernel.warn import warn_user


class Rattleback(NamedTuple):
    """Kane and Levinson's rattleback: rolls without slipping on a horizontal plane; the defaults are their stone."""

    a: float = 0.20
    b: float = 0.03
    c: float = 0.02
    M: float = 1.0
    h: float = 0.01
    A: float = 2e-4
    B: float = 1.6e-3
    C: float = 1.7e-3
    D: float = -2e-5
    sigma: float = 0.0
    g: float = 9.81


PARAMETERS = {
    "a": ("m", "semi-axis of the ellipsoid along X1"),
    "b": ("m", "semi-axis of the ellipsoid along X2"),
    "c": ("m", "semi-axis of the ellipsoid along X3"),
    "M": ("kg", "mass"),
    "h": ("m", "distance of the mass centre from the ellipsoid's centre, positive downward"),
    "A": ("kg m^2", "moment of inertia about the axis through the mass centre parallel to X1"),
    "B": ("kg m^2", "moment of inertia, parallel to X2"),
    "C": ("kg m^2", "moment of inertia, parallel to X3"),
    "D": ("kg m^2", "inertia matrix entry 12 (minus the product of inertia): the chirality"),
    "sigma": ("N m s", "coefficient of the damping couple -sigma omega"),
    "g": ("m/s^2", "gravity"),
}


class UnusualBody(UserWarning):
    """A body that can exist but is not what one expects."""


def principal_moments(stone: Rattleback) -> tuple[float, float, float]:
    """The principal moments of inertia about R*: two in the plane of X1 and X2 (the smaller first), then C."""
    mean, half = 0.5 * (stone.A + stone.B), by_lane(math.hypot, 0.5 * (stone.A - stone.B), stone.D)
    return mean - half, mean + half, stone.C


def misalignment(stone: Rattleback) -> float:
    """The angle xi by which the principal axes are turned against X1, X2: tan 2 xi = 2 D / (A - B), |xi| <= 45 degrees."""
    if stone.A == stone.B:
        return math.copysign(0.25 * math.pi, stone.D) if stone.D else 0.0
    return 0.5 * math.atan(2.0 * stone.D / (stone.A - stone.B))


def statically_stable(stone: Rattleback) -> bool:
    """Whether the stone at rest returns when tilted: both radii of curvature exceed the height c - h of the mass centre."""
    k = stone.c - stone.h
    return stone.b**2 / stone.c > k and stone.a**2 / stone.c > k


def impossible(stone: Rattleback) -> str:
    """Why a stone cannot exist; "" if it can."""
    for name, value in zip(stone._fields, stone):
        if not is_finite(value):
            return f"{name} = {value!r} is not a finite number."
        if out_of_range(value, name):
            return out_of_range(value, name)
    for name in ("a", "b", "c", "M", "A", "B", "C"):
        if getattr(stone, name) <= 0.0:
            return f"{name} = {getattr(stone, name):g} must be above zero."
    for name in ("sigma", "g"):
        if getattr(stone, name) < 0.0:
            return f"{name} = {getattr(stone, name):g} must not be negative."
    if stone.A * stone.B <= stone.D**2:
        most = math.sqrt(stone.A * stone.B)
        return f"the inertia matrix is not positive definite: D = {stone.D:g} must satisfy D^2 < A B, that is, |D| < {most:g}."
    low, high, axial = principal_moments(stone)
    slack = 1e-12 * (low + high + axial)
    if low + high < axial - slack:
        return (
            f"no mass distribution has this inertia: the principal moments {low:g} and {high:g} add up to less than C = {axial:g} "
            f"(triangle inequality); lower C to {low + high:g} or less."
        )
    if low + axial < high - slack:
        return (
            f"no mass distribution has this inertia: the principal moments {low:g} and C = {axial:g} add up to less than {high:g} "
            f"(triangle inequality); raise C to {high - low:g} or more."
        )
    if stone.h >= stone.c:
        return f"the mass centre would lie below the plane: h = {stone.h:g} must be less than c = {stone.c:g}."
    return ""


def tips_over(stone: Rattleback) -> str:
    """Why a stone at rest falls over; "" if it does not."""
    if statically_stable(stone):
        return ""
    k, p, q = stone.c - stone.h, stone.a**2 / stone.c, stone.b**2 / stone.c
    axis, radius = ("b^2/c", q) if q <= p else ("a^2/c", p)
    return (
        f"the stone is statically unstable: the radius of curvature {axis} = {radius:g} is not above the height c - h = {k:g} of the mass "
        f"centre, so that it tips over at rest; raise h above {stone.c - radius:g} or choose other semi-axes"
    )


@validate.register(Rattleback)
def _(stone):
    problem = impossible(stone)
    if problem:
        raise InputError(f"this rattleback cannot exist: {problem}")
    unstable = tips_over(stone)
    if unstable:
        warn_user(f"{unstable}.", UnusualBody)
    if not stone.a > stone.b > stone.c:
        warn_user(
            f"unusual stone: Kane and Levinson take a > b > c, here a = {stone.a:g}, b = {stone.b:g}, c = {stone.c:g}.",
            UnusualBody,
        )
    if stone.h < 0.0:
        warn_user(f"unusual stone: h = {stone.h:g} puts the mass centre above the ellipsoid's centre.", UnusualBody)


def rattleback(allow_unstable: bool = False, **given: float | str) -> Rattleback:
    """A checked stone: Kane and Levinson's, with the given parameters changed ("20cm" is understood).

    Impossible stones are refused with the violated condition; so are statically unstable ones, unless `allow_unstable`.
    """
    values = {}
    for name, value in given.items():
        name = choose(name, Rattleback._fields, "parameter of the rattleback")
        values[name] = number(value, name, PARAMETERS[name][0])
    stone = Rattleback(**values)
    problem = impossible(stone)
    if problem:
        raise InputError(f"this rattleback cannot exist: {problem}")
    unstable = tips_over(stone)
    if unstable and not allow_unstable:
        raise InputError(f"{unstable}, or pass allow_unstable=True to study it all the same.")
    return stone
