"""The plane a body rolls on: level, or tilted by a constant angle."""

from __future__ import annotations

import math
from typing import NamedTuple

from ...kernel.names import InputError, number


class Plane(NamedTuple):
    """A plane whose normal is the frame's z axis, tilted by `tilt` so that it falls along the direction `heading` in it (from x towards y)."""

    tilt: float = 0.0
    heading: float = 0.0


def gravity_on(plane: Plane, g: float) -> tuple[float, float, float]:
    """Gravity in the frame of a plane: g (sin tilt cos heading, sin tilt sin heading, -cos tilt)."""
    tilt, heading = number(plane.tilt, "tilt", "rad"), number(plane.heading, "heading", "rad")
    strength = number(g, "g", "m/s^2")
    if not 0.0 <= tilt < 0.5 * math.pi:
        raise InputError(f"tilt = {plane.tilt!r} must lie between 0 and 90 degrees: the plane carries the body from below.")
    if strength < 0.0:
        raise InputError(f"g = {g!r} must not be negative; turn the body over instead.")
    along = strength * math.sin(tilt)
    return along * math.cos(heading), along * math.sin(heading), -strength * math.cos(tilt)
