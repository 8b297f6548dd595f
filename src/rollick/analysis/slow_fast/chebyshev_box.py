"""Functions over a box as Chebyshev polynomials: values at the nodes, derivatives, values between them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.polynomial.chebyshev import chebpts1, chebvander

from ...kernel.names import InputError


class ChebyshevBox:
    """Nodes of the first kind, `count` along each axis of a box with rows (least, greatest)."""

    def __init__(self, box: np.ndarray, count: int):
        self.box, self.count, self.m = np.asarray(box, float), count, len(box)
        self.unit = chebpts1(count)
        self.middle, self.half = self.box.mean(axis=1), 0.5 * np.diff(self.box, axis=1)[:, 0]
        self._inverse = np.linalg.inv(chebvander(self.unit, count - 1))
        slopes = np.polynomial.chebyshev.chebder(np.eye(count), axis=0) if count > 1 else np.zeros((0, 1))
        self._slopes = np.vstack([slopes, np.zeros((count - slopes.shape[0], count))])  # of coefficients
        self.D = chebvander(self.unit, count - 1) @ self._slopes @ self._inverse  # of values at the nodes
        self.nodes = self.at(np.stack(np.meshgrid(*(self.unit,) * self.m, indexing="ij")).reshape(self.m, -1))

    def at(self, unit: np.ndarray) -> np.ndarray:
        """Points of the box for points (m, points) of the unit box."""
        return self.middle[:, None] + self.half[:, None] * unit

    def unit_of(self, x: np.ndarray, names: Any) -> np.ndarray:
        """Points of the unit box; outside is refused."""
        unit = (x - self.middle[:, None]) / self.half[:, None]
        outside = np.abs(unit) > 1.0 + 1e-9
        if np.any(outside):
            row, k = (int(v[0]) for v in np.nonzero(outside))
            low, high = self.box[row]
            raise InputError(f"{names[row]} = {x[row, k]:.6g} lies outside of the box of the manifold, {low:g} to {high:g}.")
        return unit

    def slopes(self, values: np.ndarray) -> np.ndarray:
        """Derivatives at the nodes of values (rows, nodes): shape (rows, m, nodes)."""
        grid = values.reshape(len(values), *(self.count,) * self.m)
        found = [np.moveaxis(np.tensordot(self.D, grid, axes=(1, 1 + l)), 0, 1 + l) / self.half[l] for l in range(self.m)]
        return np.stack(found, axis=1).reshape(len(values), self.m, -1)

    def coefficients(self, values: np.ndarray) -> np.ndarray:
        """The coefficients of values (rows, nodes)."""
        c = values.reshape(len(values), *(self.count,) * self.m)
        for axis in range(1, self.m + 1):
            c = np.moveaxis(np.tensordot(self._inverse, c, axes=(1, axis)), 0, axis)
        return c

    def tail(self, values: np.ndarray) -> float:
        """The size of the last two coefficients along any axis, relative to that of the function: how well it is resolved."""
        c = np.abs(self.coefficients(values))
        ends = [np.take(c, (-1, -2), axis=axis).max() for axis in range(1, self.m + 1)]
        return float(max(ends) / max(float(np.abs(values).max()), 1e-300))

    def values(self, c: np.ndarray, unit: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Values (rows, points) and derivatives (rows, m, points) of polynomials with coefficients c at points of the unit box."""
        tables = [chebvander(u, self.count - 1) for u in unit]
        value = _contracted(c, tables)
        slopes = []
        for l in range(self.m):
            moved = [t @ self._slopes / self.half[l] if k == l else t for k, t in enumerate(tables)]
            slopes.append(_contracted(c, moved))
        return value, np.stack(slopes, axis=1)


def _contracted(c: np.ndarray, tables: list[np.ndarray]) -> np.ndarray:
    """sum over all axes of c (rows, nodes, nodes, ...) with tables (points, nodes)."""
    found = np.tensordot(c, tables[-1], axes=(-1, 1))  # (rows, nodes, ..., points)
    for table in reversed(tables[:-1]):
        found = np.einsum("...ak,ka->...k", found, table)
    return found
