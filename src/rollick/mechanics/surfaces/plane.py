"""A plane: level, or tilted by a constant angle. One that moves is `Shaken` or `Tilting`, see `moving`."""

from __future__ import annotations

import math
from typing import NamedTuple

from ...kernel.names import InputError, number
from ...kernel.scalar import Scalar, sincos
from ...kernel.system import validate
from ...kernel.vector import Vector
from .distance import distance, flat, normal


class Plane(NamedTuple):
    """A plane through the origin, tilted by `tilt` so that it falls along the direction `heading` (from x towards y).

    A body that has it alone (`rolling`, `sliding(body, on=Plane(...))`) is told in the plane's own frame, z along its normal; together with
    other surfaces, in the upright one.
    """

    tilt: float = 0.0
    heading: float = 0.0


def gravity_on(plane: Plane, g: float) -> tuple[float, float, float]:
    """Gravity in the frame of a plane: g (sin tilt cos heading, sin tilt sin heading, -cos tilt)."""
    if not isinstance(plane, Plane):
        raise InputError(f"on = {plane!r} is not a plane; write on=Plane() or, tilted, on=Plane(tilt='5deg').")
    tilt, heading = number(plane.tilt, "tilt", "rad"), number(plane.heading, "heading", "rad")
    strength = number(g, "g", "m/s^2")
    if not 0.0 <= tilt < 0.5 * math.pi:
        raise InputError(f"tilt = {plane.tilt!r} must lie between 0 and 90 degrees: the plane carries the body from below.")
    if strength < 0.0:
        raise InputError(f"g = {g!r} must not be negative; turn the body over instead.")
    along = strength * math.sin(tilt)
    return along * math.cos(heading), along * math.sin(heading), -strength * math.cos(tilt)


@normal.register(Plane)
def _(plane: Plane, t: Scalar, p: Vector) -> Vector:
    st, ct = sincos(plane.tilt)
    sh, ch = sincos(plane.heading)
    zero = 0.0 * (p[0] + p[1] + p[2])
    return st * ch + zero, st * sh + zero, ct + zero


@distance.register(Plane)
def _(plane: Plane, t: Scalar, p: Vector) -> Scalar:
    n = normal(plane, t, p)
    return n[0] * p[0] + n[1] * p[1] + n[2] * p[2]


@flat.register(Plane)
def _(plane: Plane) -> bool:
    return True


@validate.register(Plane)
def _(plane: Plane) -> None:
    gravity_on(plane, 0.0)
