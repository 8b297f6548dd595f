"""The meridian of a shape of revolution about e3, seen as a function of the nutation theta.

    meridian(shape, theta)  ->  z, z', z''

z is the support function: the height of the shape's origin above the plane when e3 makes the angle theta with the upward normal.
By default it comes from the support map, with n = (sin, 0, -cos): z = p.n, z' = p.n', z'' = p'(n) n'.n' - z. From it alone follow Lambda = z', h = z sin + z' cos, f* = z cos - z' sin and r = z + z'' (Koiller, sec. 2.4-2.5).
"""

from __future__ import annotations

import math
from typing import Any

from ...kernel.dispatch import generic
from ...kernel.scalar import cos, real, sin, sqrt
from ...kernel.vector import dot
from .convex import Cylinder, Ellipsoid, Rim, Sphere, Sum, Torus, support, support_rate
from .revolution import Revolution, profile


@generic
def meridian(shape, theta):
    """Support function of a shape of revolution, and its first two derivatives."""


@meridian.otherwise
def _(shape, theta):
    s, c = sin(theta), cos(theta)
    n, dn = (s, 0.0 * s, -c), (c, 0.0 * c, s)
    p = support(shape, n)
    z = dot(p, n)
    return z, dot(p, dn), dot(support_rate(shape, n, dn), dn) - z


def is_of_revolution(shape: Any) -> bool:
    """Whether a shape is one of revolution about e3, by its support map."""
    for theta in (0.4, 1.1, 1.7, 2.6):
        s, c = math.sin(theta), math.cos(theta)
        first = support(shape, (s, 0.0, -c))
        size = max(abs(float(v)) for v in first)
        for turn in (0.7, 2.1, 3.9, 5.2):
            a, b = math.cos(turn), math.sin(turn)
            p = support(shape, (s * a, s * b, -c))
            expected = (a * first[0] - b * first[1], b * first[0] + a * first[1], first[2])
            if max(abs(float(x - y)) for x, y in zip(p, expected)) > 1e-9 * size:
                return False
    return True


@meridian.register(Sphere)
def _(shape, theta):
    zero = 0.0 * theta
    return shape.radius + zero, zero, zero


@meridian.register(Rim)
def _(shape, theta):
    s, c = sin(theta), cos(theta)
    return shape.R * s, shape.R * c, -shape.R * s


@meridian.register(Cylinder)
def _(shape, theta):
    s, c = sin(theta), cos(theta)
    half = 0.5 * shape.h if real(c) <= 0.0 else -0.5 * shape.h
    return shape.R * s - half * c, shape.R * c + half * s, -shape.R * s + half * c


@meridian.register(Torus)
def _(shape, theta):
    s, c = sin(theta), cos(theta)
    return shape.r + shape.R * s, shape.R * c, -shape.R * s


@meridian.register(Ellipsoid)
def _(shape, theta):
    # Semi-axes (a, a, c): z = w = sqrt(a^2 sin^2 + c^2 cos^2), r = a^2 c^2 / w^3.
    s, c = sin(theta), cos(theta)
    p, q = shape.a * shape.a, shape.c * shape.c
    w = sqrt(p * s * s + q * c * c)
    return w, (p - q) * s * c / w, p * q / (w * w * w) - w


@meridian.register(Revolution)
def _(shape, theta):
    return profile(shape.coefficients, theta)


@meridian.register(Sum)
def _(shape, theta):
    a, b = meridian(shape.first, theta), meridian(shape.second, theta)
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]
