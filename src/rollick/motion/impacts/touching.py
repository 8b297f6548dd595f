"""Lasting contact of a plate: which points stay on the plane under gravity, and how the body moves on them.

To leading order the accelerations are constant, a = -g u_3 + sum_i eta_i w_i with eta_i >= 0, f_i.a >= 0 and eta_i f_i.a = 0 for the
points that touch and do not move, (2.28) and (2.35). So a phase is a parabola: slip on one point, rocking about two, or rest.
"""

from __future__ import annotations

import math

import numpy as np

from .loop import meeting
from .simultaneous import pushed_off


def acceleration(f: np.ndarray, theta: np.ndarray, g: float, still: list[int]) -> tuple[np.ndarray, list[int]]:
    """The acceleration, and those of the points `still` (height and velocity zero) that stay in contact."""
    down = np.array([0.0, 0.0, -g])
    if not still or g == 0.0:
        return down, list(still)
    a = down + pushed_off(f[still], theta, down)[0]
    return a, [j for j in still if abs(float(f[j] @ a)) <= 1e-12 * g]


def next_touch(f: np.ndarray, q: np.ndarray, p: np.ndarray, a: np.ndarray, held: list[int]) -> tuple[float, list[int]]:
    """The time until another point meets the plane, and all points that do then (to 1e-12 of the time)."""
    times = {}
    for j in range(len(f)):
        if j not in held:
            h, v, b = float(f[j] @ q), float(f[j] @ p), float(f[j] @ a)
            times[j] = meeting(max(h, 0.0), v, b) if b != 0.0 else (max(h, 0.0) / -v if v < 0.0 else math.inf)
    first = min(times.values(), default=math.inf)
    return first, [j for j, t in times.items() if t <= first * (1.0 + 1e-12) and t < math.inf]
