"""Surfaces of revolution from data: a meridian given by its support function, by its radius of curvature, or by measured points.

The body's axis is e3. theta is the angle between e3 and the upward vertical, so that the outward normal at the contact is
n = (-sin theta sin psi, -sin theta cos psi, -cos theta). About the shape's origin

    z(theta)                         support function: height of the origin above the plane
    h = z sin theta + z' cos theta   radius of the parallel of contact
    f = z cos theta - z' sin theta   the contact point lies at -f along e3
    r = z + z''                      radius of curvature of the meridian                    (Koiller, sec. 2.4-2.5)

The body is convex where r >= 0 and h >= 0. z is kept as a spline of degree 5 on equal intervals of theta in [0, pi].
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...kernel.compiled import compiled
from ...kernel.names import InputError
from ...kernel.scalar import Scalar, atan2, real, sqrt
from ...kernel.vector import Vector
from .convex import support, support_rate

INTERVALS = 256


class Revolution(NamedTuple):
    """A convex surface of revolution: the coefficients of its support function on equal intervals of theta."""

    coefficients: Any


@compiled
def profile(coefficients: np.ndarray, theta: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    """z, z' and z'' at theta."""
    count = coefficients.shape[0]
    width = 3.141592653589793 / count
    j = min(count - 1, max(0, int(real(theta) / width)))
    x = theta - j * width
    z = coefficients[j, 5] + 0.0 * x
    dz = 0.0 * x
    ddz = 0.0 * x
    for k in range(4, -1, -1):
        ddz = ddz * x + 2.0 * dz
        dz = dz * x + z
        z = z * x + coefficients[j, k]
    return z, dz, ddz


@compiled
def contact_of_revolution(coefficients: np.ndarray, n: Vector) -> tuple[Scalar, Scalar, Scalar, Scalar, Scalar]:
    """h/sin(theta), f, r, sin(theta) and theta of the contact with outward normal n; on the axis h/sin(theta) = r."""
    s = sqrt(n[0] * n[0] + n[1] * n[1])
    theta = atan2(s, -n[2])
    z, dz, ddz = profile(coefficients, theta)
    r = z + ddz
    ratio = r
    if real(s) > 1e-6:
        ratio = z - dz * n[2] / s
    return ratio, -z * n[2] - dz * s, r, s, theta


@support.register(Revolution)
def _(shape: Revolution, n: Vector) -> Vector:
    ratio, f, _, _, _ = contact_of_revolution(shape.coefficients, n)
    return ratio * n[0], ratio * n[1], -f


@support_rate.register(Revolution)
def _(shape: Revolution, n: Vector, dn: Vector) -> Vector:
    ratio, _, r, s, _ = contact_of_revolution(shape.coefficients, n)
    # Along the meridian the point moves by r, along the parallel by h/sin(theta), per unit turn of the normal.
    if real(s) > 1e-6:
        u, v = n[0] / s, n[1] / s
        along = u * dn[0] + v * dn[1]  # = -cos(theta) theta', radially outward
        across = -v * dn[0] + u * dn[1]
        return r * along * u - ratio * across * v, r * along * v + ratio * across * u, r * dn[2]
    return r * dn[0], r * dn[1], r * dn[2]


def from_support(z: Callable[[np.ndarray], np.ndarray], intervals: int = INTERVALS) -> Revolution:
    """From the support function z(theta) about the shape's origin, a function of arrays on [0, pi]; convexity is checked."""
    from scipy.interpolate import PPoly, make_interp_spline

    theta = np.linspace(0.0, np.pi, intervals + 1)
    values = np.asarray(z(theta), float)
    if values.shape != theta.shape or not np.all(np.isfinite(values)):
        raise InputError("the support function must return one finite number for each angle between 0 and pi.")
    spline = make_interp_spline(theta, values, k=5)
    pieces = PPoly.from_spline(spline)
    coefficients = np.zeros((intervals, 6))
    for j in range(intervals):
        middle = 0.5 * (theta[j] + theta[j + 1])
        k = min(max(int(np.searchsorted(pieces.x, middle, side="right")) - 1, 0), pieces.c.shape[1] - 1)
        local = np.poly1d(pieces.c[:, k])  # in powers of (theta - x[k])
        shifted = local(np.poly1d([1.0, theta[j] - pieces.x[k]]))
        c = np.atleast_1d(shifted.coeffs)[::-1]
        coefficients[j, : c.size] = c
    shape = Revolution(np.ascontiguousarray(coefficients))
    check_convex(shape)
    return shape


def from_curvature(r: Callable[[np.ndarray], np.ndarray], f0: float, h0: float = 0.0, intervals: int = INTERVALS) -> Revolution:
    """From the radius of curvature r(theta) of the meridian, the height f0 of the origin at theta = 0, and the radius h0 of the parallel there.

    h = h0 + int r cos, f = f0 - int r sin, z = h sin + f cos (Koiller (14), (15), (18)).
    """
    from scipy.integrate import cumulative_simpson

    fine = np.linspace(0.0, np.pi, 32 * intervals + 1)
    radius = np.asarray(r(fine), float) * np.ones_like(fine)
    h = h0 + cumulative_simpson(radius * np.cos(fine), x=fine, initial=0.0)
    f = f0 - cumulative_simpson(radius * np.sin(fine), x=fine, initial=0.0)
    values = (h * np.sin(fine) + f * np.cos(fine))[::32]
    return from_support(lambda theta: np.interp(theta, fine[::32], values), intervals)


def from_points(radius: Any, height: Any, intervals: int = INTERVALS) -> Revolution:
    """From measured points of the meridian, from the lowest to the highest: distances from the axis and heights along e3.

    A spline through the points (by arc length, horizontal at the axis) is made; its normal must turn steadily. The offending stretch is
    named where it does not.
    """
    from scipy.interpolate import CubicSpline

    x, y = np.asarray(radius, float), np.asarray(height, float)
    if x.shape != y.shape or x.ndim != 1 or x.size < 5:
        raise InputError(
            "give at least five points of the meridian: two equally long lists, distances from the axis and heights."
        )
    if x.min() < 0.0 or abs(x[0]) > 1e-9 * x.max() or abs(x[-1]) > 1e-9 * x.max() or y[0] >= y[-1]:
        raise InputError("the points must run from the lowest one on the axis (radius 0) to the highest one on the axis.")
    s = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(x), np.diff(y)))])
    across = CubicSpline(s, x, bc_type=((1, 1.0), (1, -1.0)))
    along = CubicSpline(s, y, bc_type=((1, 0.0), (1, 0.0)))
    t = np.linspace(0.0, s[-1], 40 * x.size)
    # The outward normal points down at the lowest point (theta = 0) and up at the highest (theta = pi): tangent = (cos, sin) theta.
    theta = np.unwrap(np.arctan2(along(t, 1), across(t, 1)))
    bad = np.flatnonzero(np.diff(theta) <= 0.0)
    if bad.size:
        first, last = t[bad[0]], t[bad[-1] + 1]
        raise InputError(
            f"the meridian is not convex between the heights {along(first):.6g} and {along(last):.6g} "
            f"(radii {across(first):.6g} and {across(last):.6g}): its normal turns back there; remove or smooth those points."
        )
    support_values = across(t) * np.sin(theta) - along(t) * np.cos(theta)
    turn = (theta - theta[0]) / (theta[-1] - theta[0]) * np.pi
    interpolated = CubicSpline(turn, support_values)
    return from_support(lambda angle: interpolated(angle), intervals)


def check_convex(shape: Revolution, samples: int = 2001) -> None:
    """Refuse a meridian that is not convex, naming the interval of theta in which r or h is negative."""
    theta = np.linspace(0.0, np.pi, samples)
    z, dz, ddz = np.array([profile(shape.coefficients, float(t)) for t in theta]).T
    for name, values, slack in (
        ("radius of curvature r = z + z''", z + ddz, 1e-6),
        (
            "radius of the parallel h",
            z * np.sin(theta) + dz * np.cos(theta),
            1e-4,
        ),  # zero at both poles, up to the spline's error
    ):
        bad = np.flatnonzero(values < -slack * np.abs(values).max())
        if bad.size:
            breaks = np.flatnonzero(np.diff(bad) > 1)
            low, high = np.degrees(theta[[bad[0], bad[breaks[0]] if breaks.size else bad[-1]]])
            raise InputError(
                f"the meridian is not convex: the {name} is negative for theta between {low:.4g} and {high:.4g} degrees."
            )
