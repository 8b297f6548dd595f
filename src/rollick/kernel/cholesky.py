"""Cholesky factorisation of a small mass matrix, in place; the diagonal of the factor is kept inverted, since divisions are slow."""

from __future__ import annotations

from .compiled import compiled


@compiled
def cholesky(a, n):
    """a = L L^T in place: L in the lower triangle, its diagonal inverted."""
    for j in range(n):
        total = a[j, j]
        for k in range(j):
            total -= a[j, k] * a[j, k]
        inverse = 1.0 / total**0.5
        a[j, j] = inverse
        for i in range(j + 1, n):
            total = a[i, j]
            for k in range(j):
                total -= a[i, k] * a[j, k]
            a[i, j] = total * inverse


@compiled
def cholesky_back(a, n, b):
    """Solve L L^T x = b in place."""
    for i in range(n):
        total = b[i]
        for k in range(i):
            total -= a[i, k] * b[k]
        b[i] = total * a[i, i]
    for i in range(n - 1, -1, -1):
        total = b[i]
        for k in range(i + 1, n):
            total -= a[k, i] * b[k]
        b[i] = total * a[i, i]
