"""Eigenvalues of a steady motion: which grow, which symmetry forces to be zero, and which is which along a branch."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment

GROWS = 1e-9  # in the size of the largest eigenvalue: a real part above it grows
FORCED = 1e-6  # likewise: an eigenvalue below it may be one that is forced to be zero


def ordered(values: np.ndarray) -> np.ndarray:
    """Eigenvalues by falling real part, then by rising size of the imaginary part, the positive one of a pair first."""
    values = np.asarray(values, complex)
    size = float(np.max(np.abs(values), initial=0.0)) or 1.0
    rounded = np.round(values.real / size, 9)
    return values[np.lexsort((-values.imag, np.abs(values.imag), -rounded))]


def growing(values: np.ndarray) -> int:
    """How many eigenvalues grow."""
    return int(np.count_nonzero(values.real > GROWS * (float(np.max(np.abs(values), initial=0.0)) or 1.0)))


def without_forced(values: np.ndarray, forced: int) -> np.ndarray:
    """The eigenvalues without as many of the smallest as are forced to be zero, where these are indeed small."""
    size = float(np.max(np.abs(values), initial=0.0)) or 1.0
    order = np.argsort(np.abs(values))
    gone = [k for k in order[:forced] if abs(values[k]) <= FORCED * size]
    return np.delete(values, gone)


def matched(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """`after` in the order that follows `before` most closely: the assignment with the least sum of distances (the Hungarian method)."""
    if before.size != after.size:
        return after
    return after[linear_sum_assignment(np.abs(before[:, None] - after[None, :]))[1]]


def pair_sums(values: np.ndarray) -> float:
    """The product over all pairs of lambda_i + lambda_j, each divided by |lambda_i| + |lambda_j|: real, and zero if two are opposite.

    It changes its sign where one pair of conjugate eigenvalues crosses the imaginary axis (and at neutral saddles).
    """
    n = values.size
    if n < 2:
        return 1.0
    i, j = np.triu_indices(n, 1)
    size = np.abs(values[i]) + np.abs(values[j])
    return float(np.prod((values[i] + values[j]) / np.where(size > 0.0, size, 1.0)).real)


def critical_pair(values: np.ndarray) -> tuple[int, int]:
    """The two eigenvalues whose sum is nearest to zero."""
    i, j = np.triu_indices(values.size, 1)
    k = int(np.argmin(np.abs(values[i] + values[j])))
    return int(i[k]), int(j[k])
