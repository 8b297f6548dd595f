"""An orthonormal frame of neighbours that a motion carries along, with the logarithms by which it has grown (Benettin); directions may be lost for good on the way."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kernel.names import InputError, called

LOST = 1e-11  # relative: a direction that has shrunk to rounding


class Frame:
    """`columns` (n, k), k of n directions being left, and `grown`: the logarithms of their growth, -inf for those that are lost."""

    def __init__(self, system: Any, n: int):
        self.system, self.columns, self.grown = system, np.eye(n), np.zeros(n)

    def straighten(self, merged: bool = False) -> None:
        """Make it orthonormal again without the directions that are lost (`merged`: some may be)."""
        Q, R = np.linalg.qr(self.columns)
        sizes = np.abs(np.diag(R))
        keep = sizes > LOST * max(float(sizes.max(initial=0.0)), 1e-300)
        if not keep.all() and not merged:
            raise InputError(
                f"in one interval the directions of {called(self.system)} shrink by more than double precision can tell apart, and neither slip nor a reset ended there; raise intervals."
            )
        self.columns = Q[:, keep]
        left = self.columns.shape[1]
        self.grown[:left] += np.log(sizes[keep])
        self.grown[left:] = -np.inf

    def taken(self) -> np.ndarray:
        """The logarithms since they were last taken."""
        found, self.grown = self.grown, np.zeros(self.grown.size)
        return found


def truncated(S: np.ndarray, least: float) -> np.ndarray:
    """A saltation matrix without the singular values that are rounding, relative to the largest: directions that it takes away."""
    U, sizes, V = np.linalg.svd(S)
    keep = sizes > least * sizes[0]
    return S if keep.all() else (U[:, keep] * sizes[keep]) @ V[keep]
