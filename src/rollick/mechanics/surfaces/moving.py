"""Surfaces that move: any surface shaken along a direction, or turned about an axis.

Shaken(surface, course, along)              every point is displaced by value(course, t) along
Tilting(surface, course, axis, about)       the surface is turned by the angle value(course, t) about the axis through `about`
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...kernel.compiled import compiled
from ...kernel.names import InputError, called
from ...kernel.scalar import sincos
from ...kernel.system import validate
from ...kernel.vector import add, axpy, cross, dot, scale, sub
from .course import speed, value
from .distance import distance, flat, hollow_radius, material_spin, material_velocity, moves, normal, three_numbers, unit_vector


class Shaken(NamedTuple):
    """A surface that is displaced along a vector, by the value of a course (m, for a unit vector)."""

    surface: Any
    course: Any
    along: tuple = (0.0, 0.0, 1.0)


class Tilting(NamedTuple):
    """A surface that is turned about a unit vector through a point, by an angle (rad) that is the value of a course."""

    surface: Any
    course: Any
    axis: tuple = (0.0, 1.0, 0.0)
    about: tuple = (0.0, 0.0, 0.0)


@compiled
def turned_by(v, axis, angle):
    """v turned about a unit vector (Rodrigues)."""
    s, c = sincos(angle)
    return axpy((1.0 - c) * dot(axis, v), axis, axpy(s, cross(axis, v), scale(c, v)))


@compiled
def before(tilting, t, p):
    """Where the material at p was before the surface was turned."""
    return add(turned_by(sub(p, tilting.about), tilting.axis, -value(tilting.course, t)), tilting.about)


@distance.register(Shaken)
def _(shaken, t, p):
    return distance(shaken.surface, t, axpy(-value(shaken.course, t), shaken.along, p))


@normal.register(Shaken)
def _(shaken, t, p):
    return normal(shaken.surface, t, axpy(-value(shaken.course, t), shaken.along, p))


@material_velocity.register(Shaken)
def _(shaken, t, p):
    inner = material_velocity(shaken.surface, t, axpy(-value(shaken.course, t), shaken.along, p))
    return axpy(speed(shaken.course, t), shaken.along, inner)


@distance.register(Tilting)
def _(tilting, t, p):
    return distance(tilting.surface, t, before(tilting, t, p))


@normal.register(Tilting)
def _(tilting, t, p):
    return turned_by(normal(tilting.surface, t, before(tilting, t, p)), tilting.axis, value(tilting.course, t))


@material_velocity.register(Tilting)
def _(tilting, t, p):
    inner = turned_by(material_velocity(tilting.surface, t, before(tilting, t, p)), tilting.axis, value(tilting.course, t))
    return axpy(speed(tilting.course, t), cross(tilting.axis, sub(p, tilting.about)), inner)


@material_spin.register(Shaken)
def _(shaken, t):
    return material_spin(shaken.surface, t)


@material_spin.register(Tilting)
def _(tilting, t):
    inner = turned_by(material_spin(tilting.surface, t), tilting.axis, value(tilting.course, t))
    return axpy(speed(tilting.course, t), tilting.axis, inner)


@flat.register(Shaken)
@flat.register(Tilting)
def _(moving):
    return flat(moving.surface)


@moves.register(Shaken)
@moves.register(Tilting)
def _(moving):
    return True


@hollow_radius.register(Shaken)
@hollow_radius.register(Tilting)
def _(moving):
    return hollow_radius(moving.surface)


@validate.register(Shaken)
@validate.register(Tilting)
def _(moving):
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
