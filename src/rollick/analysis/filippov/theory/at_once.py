"""Many directions at once, for fields that take arrays of them: limit fields, and Newton's method for two angles from many starts.

`directed(x, phi_plus, phi_minus)` of a double discontinuity may take arrays of n angles and return one row of n numbers per state, as plain NumPy formulae
do. Whether it does is tried, not asked: three pairs of angles must give what they give one by one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Many = Callable[[np.ndarray, np.ndarray], np.ndarray]
LONGEST = 0.5  # of a step, in rad


def many_directions(directed: Callable[..., Any], x: np.ndarray, places: list[int]) -> Many | None:
    """The rows `places` of a field at many pairs of directions, as (3, n); None if the field takes one pair at a time."""
    plus, minus = np.array([0.3, 1.9, -2.2]), np.array([2.5, 0.4, -0.8])
    try:
        together = np.asarray(directed(x, plus, minus), float)
        single = np.stack([np.asarray(directed(x, float(p), float(q)), float) for p, q in zip(plus, minus)], axis=1)
    except (TypeError, ValueError, IndexError):
        return None
    if together.shape != (x.size, 3) or not np.abs(together - single).max() <= 1e-12 * np.abs(single).max():
        return None
    return lambda p, q: np.asarray(directed(x, p, q), float)[places]


def around(
    f: Callable[[Any], Any], x: np.ndarray, one_by_one: Callable[[float], np.ndarray]
) -> Callable[[np.ndarray], np.ndarray]:
    """A limit field for arrays of angles, one row per angle: all at once where f takes arrays, else `one_by_one`."""
    tried = np.array([0.3, 1.9, -2.2])
    try:
        together = np.asarray(f(tried), float)
    except (TypeError, ValueError, IndexError):
        together = np.empty(0)
    single = np.stack([one_by_one(float(p)) for p in tried])
    if together.shape != (x.size, 3) or not np.abs(together.T - single).max() <= 1e-12 * np.abs(single).max():
        return lambda phi: np.stack([one_by_one(float(p)) for p in np.atleast_1d(phi)])
    return lambda phi: np.asarray(f(np.atleast_1d(phi)), float).T


def searched(G: Many, s: float, starts: int, edge: float) -> list[tuple[float, float]]:
    """Zeros of G1+ cos(alpha) - s sin(alpha) Ga and G1- cos(beta) - s sin(beta) Ga, from starts x starts places of the square."""

    def residual(p: np.ndarray) -> np.ndarray:
        inside = np.clip(p, -edge, edge)  # beyond the square the field goes on as on its edge
        g = G(s * (0.5 * np.pi - inside[0]), s * (0.5 * np.pi - inside[1]))  # phi = s (pi/2 - alpha)
        return g[:2] * np.cos(p) - s * np.sin(p) * g[2]

    line = np.pi * ((np.arange(starts) + 0.5) / starts - 0.5)
    p = np.stack([part.ravel() for part in np.meshgrid(line, line, indexing="ij")])
    h = 1e-6
    found: list[tuple[float, float]] = []
    with np.errstate(all="ignore"):
        for _ in range(30):
            f = residual(p)
            one, two = (residual(p + h * e) - residual(p - h * e) for e in np.eye(2)[:, :, None])
            one, two = one / (2.0 * h), two / (2.0 * h)
            det = one[0] * two[1] - two[0] * one[1]
            step = np.stack([two[1] * f[0] - two[0] * f[1], one[0] * f[1] - one[1] * f[0]]) / det
            size = np.abs(step).max(axis=0)
            p = p - step * np.minimum(1.0, LONGEST / np.maximum(size, 1e-300))
            lost = ~np.isfinite(p).all(axis=0) | (np.abs(p).max(axis=0) > 0.75 * np.pi)
            done = ~lost & (size <= 1e-8)
            for z in p[:, done].T.tolist():
                if not any(max(abs(z[0] - a), abs(z[1] - b)) < 1e-6 for a, b in found):
                    found.append((z[0], z[1]))
            p = p[:, ~lost & ~done]
            if p.size == 0:
                break
    return sorted(z for z in found if max(abs(z[0]), abs(z[1])) < edge + 1e-5)
