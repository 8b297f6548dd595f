"""A rail or a channel along y whose cross-section is a curve through given points: height over x."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kernel.compiled import compiled
from ...kernel.names import InputError
from ...kernel.scalar import real, sqrt
from .distance import distance, hollow_radius, normal

CLOSE = 40  # Newton steps at most
SAMPLES = 4  # places per piece at which the search for the closest point looks first


class Profile(NamedTuple):
    """z = f(x), the same for all y; bodies are above. f: cubics on equal intervals, made by `profile`; straight beyond its ends."""

    first: float
    width: float
    coefficients: Any


@compiled
def height(surface, x):
    """f, f' and f'' at x."""
    count = surface.coefficients.shape[0]
    k = min(count - 1, max(0, int((real(x) - surface.first) / surface.width)))
    d = x - surface.first - k * surface.width
    c0, c1, c2, c3 = (
        surface.coefficients[k, 0], surface.coefficients[k, 1], surface.coefficients[k, 2], surface.coefficients[k, 3],
    )  # fmt: skip
    if real(x) < surface.first:
        return c0 + c1 * d, c1 + 0.0 * d, 0.0 * d
    if real(d) > surface.width:
        w = surface.width
        end, slope = c0 + w * (c1 + w * (c2 + w * c3)), c1 + w * (2.0 * c2 + 3.0 * w * c3)
        return end + slope * (d - w), slope + 0.0 * d, 0.0 * d
    return c0 + d * (c1 + d * (c2 + d * c3)), c1 + d * (2.0 * c2 + 3.0 * d * c3), 2.0 * c2 + 6.0 * d * c3


@compiled
def closest(surface, x, z):
    """The x of the point of the curve that is nearest to (x, z): (X - x) + (f - z) f' = 0; a last step carries complex increments."""
    a, b = real(x), real(z)
    count = SAMPLES * surface.coefficients.shape[0]
    s, least = a, (height(surface, a)[0] - b) ** 2
    for i in range(count + 1):
        at = surface.first + i * surface.width / SAMPLES
        far = (at - a) ** 2 + (height(surface, at)[0] - b) ** 2
        if far < least:
            s, least = at, far
    for _ in range(CLOSE):
        f, df, ddf = height(surface, s)
        bend = 1.0 + df * df + (f - b) * ddf
        step = ((s - a) + (f - b) * df) / (bend if bend > 0.1 else 1.0 + df * df)
        s -= step
        if abs(step) < 1e-15 * (1.0 + abs(s)):
            break
    f, df, ddf = height(surface, s)
    return s - ((s - x) + (f - z) * df) / (1.0 + df * df + (f - b) * ddf)


@distance.register(Profile)
def _(surface, t, p):
    f, df, _ = height(surface, closest(surface, p[0], p[2]))
    s = closest(surface, p[0], p[2])
    return ((p[2] - f) - df * (p[0] - s)) / sqrt(1.0 + df * df) + 0.0 * p[1]


@normal.register(Profile)
def _(surface, t, p):
    _, df, _ = height(surface, closest(surface, p[0], p[2]))
    length = sqrt(1.0 + df * df)
    zero = 0.0 * (p[0] + p[1] + p[2])
    return -df / length + zero, zero, 1.0 / length + zero


def profile(x: Any, z: Any) -> Profile:
    """A profile through the points (x, z), with x in equal steps, at least four: a spline with continuous curvature."""
    from scipy.interpolate import CubicSpline

    across, up = np.asarray(x, float), np.asarray(z, float)
    if across.ndim != 1 or across.shape != up.shape or across.size < 4 or not np.all(np.isfinite(across + up)):
        raise InputError("a profile needs two equally long lists of at least four finite numbers: x, and the heights z there.")
    steps = np.diff(across)
    if steps.min() <= 0.0 or np.ptp(steps) > 1e-9 * steps.mean():
        raise InputError("the places x of a profile must grow in equal steps; interpolate the points onto such places first.")
    pieces = CubicSpline(across, up, bc_type="natural").c[::-1].T
    return Profile(float(across[0]), float(steps.mean()), np.ascontiguousarray(pieces))


@hollow_radius.register(Profile)
def _(surface):
    x = surface.first + surface.width * np.linspace(0.0, len(surface.coefficients), 20 * len(surface.coefficients) + 1)
    values = [height(surface, float(s)) for s in x]
    bends = [ddf / (1.0 + df * df) ** 1.5 for _, df, ddf in values]
    return 1.0 / max(max(bends), 1e-300)
