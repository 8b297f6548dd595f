"""Linear algebra of a curve F(z) = 0: n equations bordered by one row, so that the matrix is regular at folds.

M = [ F_z ]      M x = (b, c),    det M,    the tangent: F_z t = 0, <t, t> = 1, <t, t_before> > 0
    [ row ]
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg.lapack import dgetrf, dgetrs
from scipy.sparse import csr_array, issparse, vstack
from scipy.sparse.linalg import splu


class Singular(ArithmeticError):
    """A bordered matrix that cannot be solved with."""


class Bordered:
    """The factored matrix [F_z; row]."""

    def __init__(self, J: Any, row: np.ndarray):
        self.sparse = issparse(J)
        try:
            if self.sparse:
                self.lu: Any = splu(vstack([J, csr_array(row[None, :])]).tocsc())
            else:
                M = np.empty((row.size, row.size))
                M[:-1], M[-1] = J, row
                if not np.all(np.isfinite(M)):
                    raise Singular("the Jacobian is not finite")
                self.lu = dgetrf(M)[:2]  # the factors and the exchanges; a zero on the diagonal is found by `solve`
        except RuntimeError as error:  # what SuperLU says of a singular matrix
            raise Singular(str(error)) from None

    def solve(self, b: np.ndarray) -> np.ndarray:
        """M x = b; also for several columns."""
        with np.errstate(all="ignore"):
            x = self.lu.solve(b) if self.sparse else dgetrs(*self.lu, b)[0]
        if not np.all(np.isfinite(x)):
            raise Singular("the bordered matrix is singular")
        return x

    def log_determinant(self) -> tuple[float, float]:
        """The sign of det M, and the logarithm of its size (-inf if it is zero)."""
        if self.sparse:
            diagonal = self.lu.U.diagonal()
            sign = _parity(self.lu.perm_r) * _parity(self.lu.perm_c)
        else:
            diagonal = np.diagonal(self.lu[0])
            sign = 1.0 - 2.0 * (np.count_nonzero(self.lu[1] != np.arange(self.lu[1].size)) % 2)
        if np.any(diagonal == 0.0):
            return 0.0, -np.inf
        return float(sign * np.prod(np.sign(diagonal))), float(np.sum(np.log(np.abs(diagonal))))


def _parity(permutation: np.ndarray) -> float:
    """The sign of a permutation."""
    seen, sign = np.zeros(permutation.size, bool), 1.0
    for k in range(permutation.size):
        length = 0
        while not seen[k]:
            seen[k] = True
            k = int(permutation[k])
            length += 1
        if length and length % 2 == 0:
            sign = -sign
    return sign


def tangent_of(J: Any, before: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, Bordered]:
    """The unit tangent of the curve on the side of `before`, and the matrix [F_z; weights * before] that gave it."""
    M = Bordered(J, weights * before)
    right = np.zeros(before.size)
    right[-1] = 1.0
    t = M.solve(right)
    return t / np.sqrt(np.sum(weights * t * t)), M


def first_tangent(J: Any, weights: np.ndarray) -> np.ndarray:
    """The unit tangent where nothing is known of a direction: the parameter grows along it, if it changes at all."""
    scale = 1.0 / np.sqrt(weights)
    A = J.toarray() if issparse(J) else np.asarray(J)
    t = scale * np.linalg.svd(A * scale)[2][-1]  # the direction that F feels least
    lead = t[-1] if abs(t[-1]) > 1e-12 * np.max(np.abs(t)) else t[np.argmax(np.abs(t))]
    return t * np.sign(lead) / np.sqrt(np.sum(weights * t * t))
