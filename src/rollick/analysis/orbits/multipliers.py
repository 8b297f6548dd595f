"""Floquet multipliers: eigenvalues of a product G_N ... G_2 G_1 of transition matrices, which is never formed.

A strongly contracting orbit has multipliers such as 1 and 1e-80; in the product of its matrices the second is lost in rounding. Orthogonal
iteration through the factors (Q_{i+1} R_i = G_i Q_i, again and again around the orbit) turns all of them into triangular ones, each with an
error of rounding of its own size; the multipliers are products of diagonal entries (a periodic Schur form, found without shifts). Directions
whose multipliers are of nearly one size do not part in this way: these stay together as a block, whose product is harmless.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ...kernel.compiled import compiled

PASSES = 80  # around the orbit; parts directions whose multipliers differ by a third
PARTED = 1e-13


@compiled
def orthogonalise(a, r):
    """a = q r by Gram and Schmidt, twice; q takes the place of a. A vanishing column is left zero."""
    n = a.shape[0]
    for j in range(n):
        for i in range(n):
            r[i, j] = 0.0
        for _ in range(2):
            for m in range(j):
                part = 0.0
                for i in range(n):
                    part += a[i, m] * a[i, j]
                r[m, j] += part
                for i in range(n):
                    a[i, j] -= part * a[i, m]
        size = 0.0
        for i in range(n):
            size += a[i, j] * a[i, j]
        size = size**0.5
        r[j, j] = size
        if size > 0.0:
            for i in range(n):
                a[i, j] /= size


@compiled
def around(factors, q, work, r):
    """One pass around the orbit: q becomes Q_N, r[i] the triangular factors."""
    n = q.shape[0]
    for piece in range(factors.shape[0]):
        for i in range(n):
            for j in range(n):
                total = 0.0
                for m in range(n):
                    total += factors[piece, i, m] * q[m, j]
                work[i, j] = total
        orthogonalise(work, r[piece])
        for i in range(n):
            for j in range(n):
                q[i, j] = work[i, j]


@compiled
def iterate(factors, q, old, work, r, passes, parted):
    """Passes until the directions have parted (or `passes` of them): S = old^T q, block diagonal to `parted`, is left in work."""
    n = q.shape[0]
    for turn in range(passes):
        for i in range(n):
            for j in range(n):
                old[i, j] = q[i, j]
        around(factors, q, work, r)
        done = True
        for i in range(n):
            for j in range(n):
                total = 0.0
                for m in range(n):
                    total += old[m, i] * q[m, j]
                work[i, j] = total
                if i != j and abs(total) > parted:
                    done = False
        if done:
            return turn + 1
    return passes


class Multipliers(NamedTuple):
    """Multipliers by size (the largest first), and the logarithms of their sizes, which do not underflow."""

    values: np.ndarray
    logarithms: np.ndarray


@lru_cache
def first_frame(n: int) -> np.ndarray:
    """The frame that the passes begin with: any, but no special one."""
    return np.linalg.qr(np.random.default_rng(1).normal(size=(n, n)))[0]


def multipliers_of(factors: np.ndarray) -> Multipliers:
    """The eigenvalues of factors[-1] @ ... @ factors[0]."""
    factors = np.ascontiguousarray(factors, float)
    n = factors.shape[1]
    if not np.all(np.isfinite(factors)):
        return Multipliers(np.full(n, np.nan, complex), np.full(n, np.nan))
    if len(factors) == 1:
        values = np.linalg.eigvals(factors[0]).astype(complex)
        with np.errstate(divide="ignore"):
            logs = np.log(np.abs(values))
        order = np.argsort(-logs, kind="stable")
        return Multipliers(values[order], logs[order])
    q = first_frame(n).copy()
    old, S, r = np.empty((n, n)), np.empty((n, n)), np.empty((len(factors), n, n))
    iterate(factors, q, old, S, r, PASSES, PARTED)
    values, logs = np.empty(n, complex), np.empty(n)
    first = 0
    for last in range(1, n + 1):
        if last < n and (np.abs(S[last:, :last]).max() > PARTED or np.abs(S[:last, last:]).max() > PARTED):
            continue
        part = slice(first, last)
        if last - first == 1:
            diagonal = np.append(r[:, first, first], S[first, first])
            with np.errstate(divide="ignore", under="ignore", over="ignore"):
                logs[first] = np.sum(np.log(np.abs(diagonal)))
                values[first] = np.prod(np.sign(diagonal)) * np.exp(logs[first])
            first = last
            continue
        block, scale = S[part, part].copy(), 0.0
        for triangle in r[::-1]:  # S R_N ... R_1, its size kept apart
            block = block @ triangle[part, part]
            size = float(np.abs(block).max())
            if size == 0.0:
                break
            block /= size
            scale += np.log(size)
        found = np.linalg.eigvals(block)
        with np.errstate(divide="ignore", under="ignore", over="ignore"):
            logs[part] = np.log(np.abs(found)) + scale
            values[part] = found * np.exp(scale)
        first = last
    order = np.argsort(-logs, kind="stable")
    return Multipliers(values[order], logs[order])


def vector_along(factors: np.ndarray, value: float) -> np.ndarray:
    """The eigenvector of a multiplier (1 or -1) of the product of factors, before each of them, of length one at the first: the null vector of the cyclic matrix."""
    M = np.eye(factors.shape[-1])
    for G in factors:
        M = G @ M
    along = [np.linalg.svd(M - value * np.eye(M.shape[0]))[2][-1]]
    for G in factors[:-1]:
        along.append(G @ along[-1])
    return np.array(along)
