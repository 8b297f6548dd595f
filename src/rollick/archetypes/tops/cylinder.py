"""A cylinder as a convex shape: what a thick disk touches the plane with, its edge.

The support map of the cylinder of radius R and half height h about e3 is p(n) = (R n1/s, R n2/s, +-h), s = sqrt(n1^2 + n2^2), the sign that of
n3: one of its two edges. h = 0 is a thin rim. Flat on the plane it touches along a circle, like a rim, and upright along a line. It shows what a new shape takes: the
support map and, for speed, its derivative.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ...kernel.scalar import real, sqrt
from ...mechanics.shapes.convex import circle_rate, flat_axis, support, support_rate
from ...mechanics.shapes.smoothness import CIRCLE, LINE, Smoothness, smoothness


class Cylinder(NamedTuple):
    """A cylinder about e3: radius R, from -h to +h."""

    R: float
    h: float


@support.register(Cylinder)
def _(shape, n):
    s = shape.R / sqrt(n[0] * n[0] + n[1] * n[1])
    side = shape.h if real(n[2]) > 0.0 else -shape.h
    return s * n[0], s * n[1], side + 0.0 * s


@support_rate.register(Cylinder)
def _(shape, n, dn):
    e = circle_rate(shape.R, n, dn)
    return e[0], e[1], 0.0 * e[0]


@flat_axis.register(Cylinder)
def _(shape):
    return (0.0, 0.0, 1.0), shape.R


@smoothness.register(Cylinder)
def _(shape):
    return Smoothness(0.0, math.inf, LINE if shape.h > 0.0 else CIRCLE)
