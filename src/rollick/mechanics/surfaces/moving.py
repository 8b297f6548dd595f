"""Surfaces that move: any surface shaken along a direction, or turned about an axis.

Shaken(surface, course, along)              every point is displaced by value(course, t) along
Tilting(surface, course, axis, about)       the surface is turned by the angle value(course, t) about the axis through `about`
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...kernel.compiled import compiled
from ...kernel.names import InputError, called
from ...kernel.scalar import Scalar, sincos
from ...kernel.system import validate
from ...kernel.vector import Vector, add, axpy, cross, dot, scale, sub
from .course import speed, value
from .distance import distance, flat, hollow_radius, material_spin, material_velocity, moves, normal, three_numbers, unit_vector


class Shaken(NamedTuple):
    """A surface that is displaced along a vector, by the value of a course (m, for a unit vector)."""

    surface: Any
    course: Any
    along: tuple[float, float, float] = (0.0, 0.0, 1.0)


class Tilting(NamedTuple):
    """A surface that is turned about a unit vector through a point, by an angle (rad) that is the value of a course."""

    surface: Any
    course: Any
    axis: tuple[float, float, float] = (0.0, 1.0, 0.0)
    about: tuple[float, float, float] = (0.0, 0.0, 0.0)


# To a type checker the result of a compiled or generic function is Any; so is that of a function which hands it on.
@compiled
def turned_by(v: Vector, axis: Vector, angle: Scalar) -> Any:
    """v turned about a unit vector (Rodrigues)."""
    s, c = sincos(angle)
    return axpy((1.0 - c) * dot(axis, v), axis, axpy(s, cross(axis, v), scale(c, v)))


@compiled
def before(tilting: Tilting, t: Scalar, p: Vector) -> Any:
    """Where the material at p was before the surface was turned."""
    return add(turned_by(sub(p, tilting.about), tilting.axis, -value(tilting.course, t)), tilting.about)


@distance.register(Shaken)
def _(shaken: Shaken, t: Scalar, p: Vector) -> Scalar:
    return distance(shaken.surface, t, axpy(-value(shaken.course, t), shaken.along, p))


@normal.register(Shaken)
def _(shaken: Shaken, t: Scalar, p: Vector) -> Any:
    return normal(shaken.surface, t, axpy(-value(shaken.course, t), shaken.along, p))


@material_velocity.register(Shaken)
def _(shaken: Shaken, t: Scalar, p: Vector) -> Any:
    inner = material_velocity(shaken.surface, t, axpy(-value(shaken.course, t), shaken.along, p))
    return axpy(speed(shaken.course, t), shaken.along, inner)


@distance.register(Tilting)
def _(tilting: Tilting, t: Scalar, p: Vector) -> Scalar:
    return distance(tilting.surface, t, before(tilting, t, p))


@normal.register(Tilting)
def _(tilting: Tilting, t: Scalar, p: Vector) -> Any:
    return turned_by(normal(tilting.surface, t, before(tilting, t, p)), tilting.axis, value(tilting.course, t))


@material_velocity.register(Tilting)
def _(tilting: Tilting, t: Scalar, p: Vector) -> Any:
    inner = turned_by(material_velocity(tilting.surface, t, before(tilting, t, p)), tilting.axis, value(tilting.course, t))
    return axpy(speed(tilting.course, t), cross(tilting.axis, sub(p, tilting.about)), inner)


@material_spin.register(Shaken)
def _(shaken: Shaken, t: Scalar) -> Any:
    return material_spin(shaken.surface, t)


@material_spin.register(Tilting)
def _(tilting: Tilting, t: Scalar) -> Any:
    inner = turned_by(material_spin(tilting.surface, t), tilting.axis, value(tilting.course, t))
    return axpy(speed(tilting.course, t), tilting.axis, inner)


@flat.register(Shaken)
@flat.register(Tilting)
def _(moving: Shaken | Tilting) -> Any:
    return flat(moving.surface)


@moves.register(Shaken)
@moves.register(Tilting)
def _(moving: Shaken | Tilting) -> bool:
    return True


@hollow_radius.register(Shaken)
@hollow_radius.register(Tilting)
def _(moving: Shaken | Tilting) -> Any:
    return hollow_radius(moving.surface)


@validate.register(Shaken)
@validate.register(Tilting)
def _(moving: Shaken | Tilting) -> None:
    validate(moving.surface)
    if not distance.knows(type(moving.surface)):
        raise InputError(distance.complaint(type(moving.surface)))
    if not value.knows(type(moving.course)):
        raise InputError(f"the course of {called(moving)}: {value.complaint(type(moving.course))}")
    if isinstance(moving, Shaken):
        three_numbers(moving.along, "along", "")
        return
    three_numbers(moving.about, "about")
    unit = unit_vector(moving.axis, "axis")
    if max(abs(u - a) for u, a in zip(unit, moving.axis)) > 1e-12:
        raise InputError(f"axis = {moving.axis!r} of Tilting is not of length one; take {unit}.")
