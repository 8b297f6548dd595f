"""Small dense linear systems, real or complex, without LAPACK: they compile for the CPU and for CUDA alike."""

from __future__ import annotations

import math

from .compiled import compiled
from .scalar import real


@compiled
def _size(x):
    """A magnitude to choose pivots by: |Re| + |Im|."""
    z = x + 0j
    return abs(z.real) + abs(z.imag)


@compiled
def lu_factor(a, pivots):
    """Overwrite the square matrix `a` by its LU factors with row pivoting; False if it is singular (or not finite)."""
    n = a.shape[0]
    for j in range(n):
        best = j
        largest = _size(a[j, j])
        for i in range(j + 1, n):
            size = _size(a[i, j])
            if size > largest:
                best, largest = i, size
        pivots[j] = best
        if not (0.0 < largest < math.inf):
            return False
        if best != j:
            for m in range(j, n):
                a[j, m], a[best, m] = a[best, m], a[j, m]
        inverse = 1.0 / a[j, j]
        for i in range(j + 1, n):
            a[i, j] *= inverse
            factor = a[i, j]
            for m in range(j + 1, n):
                a[i, m] -= factor * a[j, m]
    return True


@compiled
def lu_solve(a, pivots, b):
    """Overwrite the right-hand side b by the solution, from the factors of `lu_factor`."""
    n = a.shape[0]
    for j in range(n):
        p = pivots[j]
        if p != j:
            b[j], b[p] = b[p], b[j]
        for i in range(j + 1, n):
            b[i] -= a[i, j] * b[j]
    for j in range(n - 1, -1, -1):
        b[j] /= a[j, j]
        for i in range(j):
            b[i] -= a[i, j] * b[j]


@compiled
def cholesky_solve(a, b):
    """Overwrite b by the solution of a x = b for symmetric positive definite a (lower triangle, overwritten); False if a is not.

    Positive definiteness is judged on real parts, so that a complex step passes through.
    """
    n = a.shape[0]
    for j in range(n):
        for m in range(j):
            a[j, j] -= a[j, m] * a[j, m] * a[m, m]  # LDL^T: a[m, m] holds the pivot, a[j, m] the factor
        if not (real(a[j, j]) > 0.0):
            return False
        for i in range(j + 1, n):
            for m in range(j):
                a[i, j] -= a[i, m] * a[j, m] * a[m, m]
            a[i, j] /= a[j, j]
    for j in range(n):
        for m in range(j):
            b[j] -= a[j, m] * b[m]
    for j in range(n):
        b[j] /= a[j, j]
    for j in range(n - 1, -1, -1):
        for m in range(j + 1, n):
            b[j] -= a[m, j] * b[m]
    return True
