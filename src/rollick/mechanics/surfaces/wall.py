"""A wall: a plane through any point, with any normal. Bodies are on the side to which it points."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...kernel.names import InputError
from ...kernel.scalar import Scalar
from ...kernel.system import validate
from ...kernel.vector import Vector
from .distance import distance, flat, normal, three_numbers, unit_vector


class Wall(NamedTuple):
    """A plane through `point` with the unit normal `facing`; see `wall`, which makes it a unit vector. (0, 0, -1) is a ceiling."""

    facing: tuple[float, float, float] = (1.0, 0.0, 0.0)
    point: tuple[float, float, float] = (0.0, 0.0, 0.0)


def wall(facing: Any = (1.0, 0.0, 0.0), point: Any = (0.0, 0.0, 0.0)) -> Wall:
    """A wall from a normal of any length and a point on it (m)."""
    return Wall(unit_vector(facing, "facing"), three_numbers(point, "point"))


@normal.register(Wall)
def _(wall: Wall, t: Scalar, p: Vector) -> Vector:
    zero = 0.0 * (p[0] + p[1] + p[2])
    return wall.facing[0] + zero, wall.facing[1] + zero, wall.facing[2] + zero


@distance.register(Wall)
def _(wall: Wall, t: Scalar, p: Vector) -> Scalar:
    n, a = wall.facing, wall.point
    return n[0] * (p[0] - a[0]) + n[1] * (p[1] - a[1]) + n[2] * (p[2] - a[2])


@flat.register(Wall)
def _(wall: Wall) -> bool:
    return True


@validate.register(Wall)
def _(wall: Wall) -> None:
    three_numbers(wall.point, "point")
    x, y, z = unit_vector(wall.facing, "facing")
    if max(abs(x - wall.facing[0]), abs(y - wall.facing[1]), abs(z - wall.facing[2])) > 1e-12:
        raise InputError(f"facing = {wall.facing!r} of Wall is not of length one; make it with wall(facing, point).")
