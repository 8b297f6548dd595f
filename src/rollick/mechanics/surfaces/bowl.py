"""A sphere, from inside (a bowl) and from outside (a dome)."""

from __future__ import annotations

from typing import NamedTuple

from ...kernel.compiled import inlined
from ...kernel.scalar import Scalar, sqrt
from ...kernel.system import validate
from ...kernel.vector import Vector
from .distance import above_zero, distance, hollow_radius, normal, three_numbers


class Bowl(NamedTuple):
    """The inside of a sphere whose lowest point is `bottom`: distance R - |p - c|, c = bottom + (0, 0, R)."""

    radius: float
    bottom: tuple[float, float, float] = (0.0, 0.0, 0.0)


class Dome(NamedTuple):
    """The outside of a sphere whose highest point is `top`: distance |p - c| - R, c = top - (0, 0, R)."""

    radius: float
    top: tuple[float, float, float] = (0.0, 0.0, 0.0)


@inlined
def _from(p: Vector, at: Vector, rise: float) -> tuple[Vector, Scalar]:
    """p - (at + (0, 0, rise)) and its length."""
    d = (p[0] - at[0], p[1] - at[1], p[2] - at[2] - rise)
    return d, sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])


@distance.register(Bowl)
def _(bowl: Bowl, t: Scalar, p: Vector) -> Scalar:
    _, far = _from(p, bowl.bottom, bowl.radius)
    return bowl.radius - far


@normal.register(Bowl)
def _(bowl: Bowl, t: Scalar, p: Vector) -> Vector:
    d, far = _from(p, bowl.bottom, bowl.radius)
    return -d[0] / far, -d[1] / far, -d[2] / far


@distance.register(Dome)
def _(dome: Dome, t: Scalar, p: Vector) -> Scalar:
    _, far = _from(p, dome.top, -dome.radius)
    return far - dome.radius


@normal.register(Dome)
def _(dome: Dome, t: Scalar, p: Vector) -> Vector:
    d, far = _from(p, dome.top, -dome.radius)
    return d[0] / far, d[1] / far, d[2] / far


@hollow_radius.register(Bowl)
def _(bowl: Bowl) -> float:
    return bowl.radius


@validate.register(Bowl)
def _(bowl: Bowl) -> None:
    above_zero(bowl.radius, "radius of Bowl")
    three_numbers(bowl.bottom, "bottom")


@validate.register(Dome)
def _(dome: Dome) -> None:
    above_zero(dome.radius, "radius of Dome")
    three_numbers(dome.top, "top")
