"""From impact to impact on a GPU: a thread follows a member through all its impacts, in the same compiled functions as on a CPU.

Imported only where there is CUDA (`cuda.prepare`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cuda, float64, int64

from ...motion.impacts.fall import STATE, TRAIL, fall
from ...motion.impacts.loop import COLUMNS, INTEGERS
from .cuda import kernel_of, launched

REGISTERS: int | None = None  # as many as it wants (150); measured so


def fall_on_gpu(
    f: np.ndarray, w: np.ndarray, numbers: np.ndarray, which: np.ndarray, states: np.ndarray, wholes: np.ndarray, max_impacts: int,
    until: float, tie: float,
) -> tuple[np.ndarray, ...]:  # fmt: skip
    """States, whole numbers, codes and trails of members; see `fall_members`."""
    count, points = len(states), f.shape[1]
    codes, trails = np.zeros(count, np.int64), np.zeros((TRAIL, count), np.int8)  # side by side for threads side by side
    given = [f, w, numbers, which.astype(np.int64), np.array([until, tie]), np.zeros((0, COLUMNS))]
    states, wholes, codes, trails = launched(
        ("impacts", points), lambda: impact_kernel(points), count, given, [states, wholes, codes, trails], (max_impacts,)
    )
    return states, wholes, codes, trails.T[:, :, None]


def impact_kernel(points: int) -> Any:
    """The kernel for plates with so many points."""
    size, whole = STATE, INTEGERS

    @kernel_of(REGISTERS)
    def kernel(max_impacts, f, w, numbers, which, limits, none, states, wholes, codes, trails):
        i: Any = cuda.grid(1)  # type: ignore[call-arg]
        if i < states.shape[0]:
            own_f, own_w = cuda.local.array((points, 3), float64), cuda.local.array((points, 3), float64)
            s, k = cuda.local.array(size, float64), cuda.local.array(whole, int64)
            j = which[i]
            for a in range(points):
                for b in range(3):
                    own_f[a, b], own_w[a, b] = f[j, a, b], w[j, a, b]
            for a in range(size):
                s[a] = states[i, a]
            for a in range(whole):
                k[a] = wholes[i, a]
            codes[i] = fall(
                own_f, own_w, numbers[j, 0], numbers[j, 1], s, k, max_impacts, limits[0], limits[1], none, trails[:, i : i + 1]
            )
            for a in range(size):
                states[i, a] = s[a]
            for a in range(whole):
                wholes[i, a] = k[a]

    return kernel
