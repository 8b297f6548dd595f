"""Equal steps of order eight, with all stages kept: what quadratures and linear equations along an orbit are built on.

The twelve stages are those of DOP853. A linear equation x1' = A(t) x1 + b(t), or an integral, evaluated at the same stages inherits the order.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...motion.ode import dop853_tableau as tableau

STAGES = 12
A = np.array([[tableau.A.get(i, {}).get(j, 0.0) for j in range(1, STAGES + 1)] for i in range(1, STAGES + 1)])
B = np.array([tableau.B.get(j, 0.0) for j in range(1, STAGES + 1)])
C = np.array([tableau.C.get(j, 0.0) for j in range(1, STAGES + 1)])


def march(f: Callable[[np.ndarray], np.ndarray], x: np.ndarray, h: float, steps: int) -> tuple[np.ndarray, np.ndarray]:
    """x' = f(x) by equal steps: the states between steps (n, steps + 1) and at the stages (n, steps, 12)."""
    states = np.empty((x.size, steps + 1))
    stages = np.empty((x.size, steps, STAGES))
    states[:, 0] = x
    k = np.empty((STAGES, x.size))
    for m in range(steps):
        for i in range(STAGES):
            y = x + h * (A[i, :i] @ k[:i]) if i else x
            stages[:, m, i] = y
            k[i] = f(y)
        x = x + h * (B @ k)
        states[:, m + 1] = x
        if not np.all(np.isfinite(x)):
            break
    return states, stages


def march_many(f: Callable[[np.ndarray], np.ndarray], x: np.ndarray, h: np.ndarray, steps: int) -> np.ndarray:
    """Many orbits at once, x (n, orbits), each with its own step: the states between steps, (n, orbits, steps + 1)."""
    states = np.empty((*x.shape, steps + 1))
    states[..., 0] = x
    k = np.empty((STAGES, x.size))
    for m in range(steps):
        for i in range(STAGES):
            k[i] = f(x + h * (A[i, :i] @ k[:i]).reshape(x.shape) if i else x).ravel()
        x = x + h * (B @ k).reshape(x.shape)
        states[..., m + 1] = x
    return states


def march_linear(matrix: np.ndarray, right: np.ndarray, x1: np.ndarray, h: float) -> tuple[np.ndarray, np.ndarray]:
    """x1' = matrix x1 + right, with matrix (2, 2, steps, 12) and right (2, cases, steps, 12) at the stages: (states, values at the stages)."""
    steps = matrix.shape[2]
    states = np.empty((*x1.shape, steps + 1))
    stages = np.empty((*x1.shape, steps, STAGES))
    states[..., 0] = x1
    k = np.empty((STAGES, *x1.shape))
    for m in range(steps):
        for i in range(STAGES):
            y = x1 + h * np.tensordot(A[i, :i], k[:i], 1) if i else x1
            stages[..., m, i] = y
            k[i] = matrix[:, :, m, i] @ y + right[..., m, i]
        x1 = x1 + h * np.tensordot(B, k, 1)
        states[..., m + 1] = x1
    return states, stages
