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
    found: beyond zero it separates two zeros, within `tolerance * scale` of zero it is a double one. In cells with a zero and small values
    f/(phi - zero) is looked at as well: two more may be beside the first.
    """
    step = TURN / angles.size
    curvature = float(np.abs(np.roll(values, 1) - 2.0 * values + np.roll(values, -1)).max())
    found: list[tuple[float, int]] = []
    for i in range(angles.size):
        a, va, vb = float(angles[i]), float(values[i]), float(values[(i + 1) % angles.size])
        if va == 0.0:
            found.append((a, 1 if values[i - 1] * vb < 0.0 else 2))
        elif va * vb < 0.0:
            root = brentq(f, a, a + step, xtol=1e-15, rtol=8.9e-16)
            found.append((root, 1))
            if max(abs(va), abs(vb)) <= 2.0 * curvature:
                found += [(z, 1) for z in _beside(f, a, a + step, root)]
        before = float(values[i - 1])
        if va * vb > 0.0 and va * before > 0.0 and abs(va) <= min(abs(vb), abs(before)) and abs(va) <= curvature:
            found += _at_minimum(f, a, step, np.sign(va), tolerance * scale)
    return sorted((wrapped(z), m) for z, m in found)


def _at_minimum(f: Callable[[float], float], middle: float, step: float, sign: float, small: float) -> list[tuple[float, int]]:
    low, high = middle - step, middle + step
    at = minimize_scalar(lambda p: sign * f(p), bounds=(low, high), method="bounded", options={"xatol": 1e-11})
    if at.fun > small:
        return []
    if at.fun >= -small:
        return [(float(at.x), 2)]
    return [(brentq(f, low, at.x, xtol=1e-15, rtol=8.9e-16), 1), (brentq(f, at.x, high, xtol=1e-15, rtol=8.9e-16), 1)]


def _beside(f: Callable[[float], float], a: float, b: float, root: float, count: int = 24) -> list[float]:
    """Further zeros in a cell, as sign changes of f/(phi - root)."""
    points = np.linspace(a, b, count)
    points = points[np.abs(points - root) > 1e-7 * (b - a)]
    rest = lambda p: f(p) / (p - root)
    values = [rest(p) for p in points]
    return [
        brentq(rest, p, q, xtol=1e-15, rtol=8.9e-16)
        for p, q, vp, vq in zip(points, points[1:], values, values[1:])
        if vp * vq < 0.0 and not p < root < q
    ]
