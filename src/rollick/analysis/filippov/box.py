"""Starts spread over a box of states, and zeros found from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy.stats import qmc

from ...kernel.names import InputError
from .curves import polished


def checked_box(box: Sequence[tuple[float, float]]) -> np.ndarray:
    """A box as rows (low, high), one per state."""
    rows = np.asarray(box, float)
    if rows.ndim != 2 or rows.shape[1] != 2 or not np.all(np.isfinite(rows)) or np.any(rows[:, 0] >= rows[:, 1]):
        raise InputError(f"a box is a pair (low, high) for each state, low < high; not {box!r}.")
    return rows


def starts_in(box: np.ndarray, count: int) -> np.ndarray:
    """`count` points spread evenly over a box (a Sobol sequence, the same every time)."""
    unit = qmc.Sobol(len(box), scramble=False).random_base2(max(1, int(np.ceil(np.log2(count)))))[:count]
    return box[:, 0] + (unit + 0.37 / count) % 1.0 * (box[:, 1] - box[:, 0])


def zeros_in(residual: Callable[[np.ndarray], Any], box: Sequence[tuple[float, float]], count: int = 64) -> list[np.ndarray]:
    """The zeros of a residual within a box that Newton finds from `count` starts, each once.

    There may be others: a search from starts finds what its starts lead to.
    """
    rows = checked_box(box)
    spans = rows[:, 1] - rows[:, 0]
    zeros: list[np.ndarray] = []
    for start in starts_in(rows, count):
        z = polished(residual, start, spans)
        if z is None or np.any(z < rows[:, 0] - 1e-9 * spans) or np.any(z > rows[:, 1] + 1e-9 * spans):
            continue
        if all(np.abs((z - other) / spans).max() > 1e-7 for other in zeros):
            zeros.append(z)
    return sorted(zeros, key=lambda z: np.round(z, 9).tolist())
