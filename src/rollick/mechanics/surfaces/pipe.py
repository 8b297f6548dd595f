"""A cylinder, from inside (a pipe, a gutter) and from outside (a rail of circular profile)."""

from __future__ import annotations

from typing import NamedTuple

from ...kernel.compiled import inlined
from ...kernel.names import InputError
from ...kernel.scalar import Scalar, sqrt
from ...kernel.system import validate
from ...kernel.vector import Vector
from .distance import above_zero, distance, hollow_radius, normal, three_numbers, unit_vector


class Pipe(NamedTuple):
    """The inside of a circular cylinder about the line through `centre` along the unit vector `axis`: distance R - |p across the axis|."""

    radius: float
    axis: tuple[float, float, float] = (1.0, 0.0, 0.0)
    centre: tuple[float, float, float] = (0.0, 0.0, 0.0)


class Rail(NamedTuple):
    """The outside of a circular cylinder about the line through `centre` along the unit vector `axis`: a rail whose head is an arc of a circle."""

    radius: float
    axis: tuple[float, float, float] = (1.0, 0.0, 0.0)
    centre: tuple[float, float, float] = (0.0, 0.0, 0.0)


@inlined
def across(surface: Pipe | Rail, p: Vector) -> tuple[Vector, Scalar]:
    """The part of p - centre across the axis, and its length."""
    a, c = surface.axis, surface.centre
    x, y, z = p[0] - c[0], p[1] - c[1], p[2] - c[2]
    along = a[0] * x + a[1] * y + a[2] * z
    d = (x - along * a[0], y - along * a[1], z - along * a[2])
    return d, sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])


@distance.register(Pipe)
def _(pipe: Pipe, t: Scalar, p: Vector) -> Scalar:
    _, far = across(pipe, p)
    return pipe.radius - far


@normal.register(Pipe)
def _(pipe: Pipe, t: Scalar, p: Vector) -> Vector:
    d, far = across(pipe, p)
    return -d[0] / far, -d[1] / far, -d[2] / far


@distance.register(Rail)
def _(rail: Rail, t: Scalar, p: Vector) -> Scalar:
    _, far = across(rail, p)
    return far - rail.radius


@normal.register(Rail)
def _(rail: Rail, t: Scalar, p: Vector) -> Vector:
    d, far = across(rail, p)
    return d[0] / far, d[1] / far, d[2] / far


@hollow_radius.register(Pipe)
def _(pipe: Pipe) -> float:
    return pipe.radius


@validate.register(Pipe)
@validate.register(Rail)
def _(surface: Pipe | Rail) -> None:
    above_zero(surface.radius, "radius")
    three_numbers(surface.centre, "centre")
    unit = unit_vector(surface.axis, "axis")
    if max(abs(u - a) for u, a in zip(unit, surface.axis)) > 1e-12:
        raise InputError(f"axis = {surface.axis!r} is not of length one; take {unit}.")
