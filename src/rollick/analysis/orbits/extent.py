"""How far a periodic orbit reaches: the least and greatest value of each state, from states and rates at some instants (cubic pieces)."""

from __future__ import annotations

import numpy as np


def extent(h: np.ndarray, a: np.ndarray, b: np.ndarray, fa: np.ndarray, fb: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Least and greatest values of cubic pieces of lengths h from a to b with slopes fa, fb; their error is of the fourth order in h."""
    low, high = np.minimum(a, b).min(axis=0), np.maximum(a, b).max(axis=0)
    d0, d1 = h[:, None] * fa, h[:, None] * fb
    # p(x) = a + d0 x + c2 x^2 + c3 x^3 on [0, 1]
    c2, c3 = 3.0 * (b - a) - 2.0 * d0 - d1, d0 + d1 - 2.0 * (b - a)
    with np.errstate(all="ignore"):
        inner = np.sqrt(c2 * c2 - 3.0 * c3 * d0)
        q = -(c2 + np.where(c2 >= 0.0, inner, -inner))
        for x in (q / (3.0 * c3), d0 / q):  # both zeros of p', without cancellation
            value = a + x * (d0 + x * (c2 + x * c3))
            inside = (x > 0.0) & (x < 1.0) & np.isfinite(value)
            low = np.minimum(low, np.where(inside, value, np.inf).min(axis=0))
            high = np.maximum(high, np.where(inside, value, -np.inf).max(axis=0))
    return low, high
