"""A cone from inside: a funnel that opens upward."""

from __future__ import annotations

import math
from typing import NamedTuple

from ...kernel.names import InputError, number
from ...kernel.scalar import Scalar, sincos, sqrt
from ...kernel.system import validate
from ...kernel.vector import Vector
from .distance import distance, normal, three_numbers


class Funnel(NamedTuple):
    """The inside of an upright cone with its tip at `apex`: distance z sin a - rho cos a, with the half angle a against the axis.

    rho is the distance of the point from the axis; on the axis the normal is not defined.
    """

    half_angle: float
    apex: tuple[float, float, float] = (0.0, 0.0, 0.0)


@distance.register(Funnel)
def _(funnel: Funnel, t: Scalar, p: Vector) -> Scalar:
    x, y, z = p[0] - funnel.apex[0], p[1] - funnel.apex[1], p[2] - funnel.apex[2]
    s, c = sincos(funnel.half_angle)
    return s * z - c * sqrt(x * x + y * y)


@normal.register(Funnel)
def _(funnel: Funnel, t: Scalar, p: Vector) -> Vector:
    x, y = p[0] - funnel.apex[0], p[1] - funnel.apex[1]
    s, c = sincos(funnel.half_angle)
    rho = sqrt(x * x + y * y)
    return -c * x / rho, -c * y / rho, s + 0.0 * (rho + p[2])


@validate.register(Funnel)
def _(funnel: Funnel) -> None:
    three_numbers(funnel.apex, "apex")
    angle = number(funnel.half_angle, "half_angle", "rad")
    if not 0.0 < angle < 0.5 * math.pi:
        raise InputError(f"half_angle = {funnel.half_angle!r} of Funnel must lie between 0 and 90 degrees (in radians).")
