"""The zeros of a smooth periodic function, found by sampling: simple ones, double ones, and several within one cell."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.optimize import brentq, minimize_scalar

TURN = 2.0 * np.pi
DOUBLE = 1e-12  # an extremum below this part of the scale is a double zero


def wrapped(angle: float) -> float:
    """The angle in [0, 2 pi); what is a rounding error below a full turn is zero."""
    a = float(angle) % TURN
    return 0.0 if TURN - a < 1e-14 else a


def sampled_zeros(
    f: Callable[[float], float], angles: np.ndarray, values: np.ndarray, scale: float, tolerance: float = DOUBLE
) -> list[tuple[float, int]]:
    """The zeros (angle, multiplicity) of f, given its values at equidistant angles around the circle.

    Sign changes are brackets (Brent). Where |f| has a minimum that could hide a zero (it is below the largest second difference), the minimum itself is
    found: beyond zero it separates two zeros, within `tolerance * scale` of zero it is a double one. Cells in which f is small at both ends
    may hold several zeros, even next to one that shows: they are sampled anew, 32 times finer.
    """
    bends = np.abs(np.roll(values, 1) - 2.0 * values + np.roll(values, -1))
    curvature = float(min(bends.max(), 100.0 * np.quantile(bends, 0.9)))  # beside a pole it has no bound
    points, heights = _refined(f, angles, values, 2.0 * curvature)
    count = len(points)
    found: list[tuple[float, int]] = []
    for i in range(count):
        a, va = points[i], heights[i]
        b, vb = (points[i + 1], heights[i + 1]) if i + 1 < count else (points[0] + TURN, heights[0])
        before, vz = (points[i - 1], heights[i - 1]) if i > 0 else (points[-1] - TURN, heights[-1])
        if va == 0.0:
            found.append((a, 1 if vz * vb < 0.0 else 2))
        elif va * vb < 0.0:
            z = brentq(f, a, b, xtol=1e-15, rtol=8.9e-16)
            if abs(f(z)) <= max(abs(va), abs(vb)):  # otherwise a pole: friction that jams has them
                found.append((z, 1))
        if va * vb > 0.0 and va * vz > 0.0 and abs(va) <= min(abs(vb), abs(vz)) and abs(va) <= curvature:
            found += _at_minimum(f, before, b, np.sign(va), tolerance * scale)
    return sorted((wrapped(z), m) for z, m in found)


def _refined(
    f: Callable[[float], float], angles: np.ndarray, values: np.ndarray, small: float
) -> tuple[list[float], list[float]]:
    """The samples, with more of them in cells whose ends are both small."""
    step = TURN / angles.size
    points: list[float] = []
    heights: list[float] = []
    for a, va, vb in zip(angles, values, np.roll(values, -1)):
        points.append(float(a))
        heights.append(float(va))
        if max(abs(va), abs(vb)) <= small:
            inner = [float(a) + step * k / 32.0 for k in range(1, 32)]
            points += inner
            heights += [f(p) for p in inner]
    return points, heights


def _at_minimum(f: Callable[[float], float], low: float, high: float, sign: float, small: float) -> list[tuple[float, int]]:
    at = minimize_scalar(lambda p: sign * f(p), bounds=(low, high), method="bounded", options={"xatol": 1e-11})
    if at.fun > small:
        return []
    if at.fun >= -small:
        return [(float(at.x), 2)]
    return [(brentq(f, low, at.x, xtol=1e-15, rtol=8.9e-16), 1), (brentq(f, at.x, high, xtol=1e-15, rtol=8.9e-16), 1)]
