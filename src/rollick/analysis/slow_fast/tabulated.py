"""The flow on a slow manifold as Chebyshev polynomials over a box of slow states, for tools that ask for it point by point.

Taylor arithmetic costs milliseconds per call whether for one point or for a thousand. A table is made in one call for each pair (eps, p) and kept; it is checked
at points between its nodes, and refused if it is not as good as asked for. Complex states and parameters pass through.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.polynomial.chebyshev import chebpts1, chebvander

from ...kernel.names import InputError, number, whole
from .manifold import SlowManifold


class TabulatedFlow:
    """x' on the slow manifold, inside a box: rows (least, greatest) for each slow state."""

    def __init__(self, manifold: SlowManifold, box: Sequence[Sequence[float]], nodes: int = 24, tolerance: float = 1e-10):
        self.manifold, self.nodes, self.tolerance = manifold, whole(nodes, "nodes", 4), number(tolerance, "tolerance")
        self.box = np.asarray(box, float)
        m = manifold.system.m
        if self.box.shape != (m, 2) or not np.all(self.box[:, 0] < self.box[:, 1]):
            raise InputError(f"box = {box!r} must be {m} rows (least, greatest), one for each slow state.")
        self._tables: dict[tuple[Any, Any], np.ndarray] = {}
        self._inverse = np.linalg.inv(chebvander(chebpts1(self.nodes), self.nodes - 1))
        self.error = 0.0  # the largest that was seen

    def _states(self, unit: np.ndarray) -> np.ndarray:
        middle, half = self.box.mean(axis=1), 0.5 * np.diff(self.box, axis=1)[:, 0]
        shape = (-1, *(1,) * (unit.ndim - 1))
        return middle.reshape(shape) + half.reshape(shape) * unit

    def _table(self, eps: Any, p: Any) -> np.ndarray:
        key = (eps, p)
        if key not in self._tables:
            m = self.box.shape[0]
            grid = np.stack(np.meshgrid(*(chebpts1(self.nodes),) * m, indexing="ij"))
            c = self.manifold.reduced_flow(self._states(grid), eps, p)
            for axis in range(1, m + 1):
                c = np.moveaxis(np.tensordot(self._inverse, c, axes=(1, axis)), 0, axis)
            self._check(c, eps, p)
            if len(self._tables) > 200:
                self._tables.clear()
            self._tables[key] = c
        return self._tables[key]

    def _check(self, c: np.ndarray, eps: Any, p: Any) -> None:
        unit = np.random.default_rng(0).uniform(-1.0, 1.0, (self.box.shape[0], 40))
        exact = self.manifold.reduced_flow(self._states(unit), eps, p)
        error = float(np.abs(_evaluated(c, unit) - exact).max())
        self.error = max(self.error, error)
        if not error <= self.tolerance * max(1.0, float(np.abs(exact).max())):
            raise InputError(
                f"{self.nodes} nodes along each slow state tell the flow on the slow manifold to {error:.2g} only, not to {self.tolerance:g}: take more nodes, a "
                f"smaller box, or a wider tolerance."
            )

    def __call__(self, x: Any, eps: Any, p: Any = None) -> np.ndarray:
        """x' at slow states (m, points...)."""
        states = self.manifold.system.points(x)
        shape = (-1, *(1,) * (states.ndim - 1))
        unit = (states - self.box.mean(axis=1).reshape(shape)) / (0.5 * np.diff(self.box, axis=1)[:, 0]).reshape(shape)
        table = self._table(eps, p)
        out = _evaluated(table, unit.reshape(unit.shape[0], -1)).reshape(table.shape[0], *states.shape[1:])
        if np.any(np.abs(unit.real) > 1.0 + 1e-9):  # told by nan, as where equations do not hold
            out = np.where(np.any(np.abs(unit.real) > 1.0 + 1e-9, axis=0), np.nan, out)
        return out


def _evaluated(c: np.ndarray, unit: np.ndarray) -> np.ndarray:
    """The polynomials with coefficients c (rows, nodes, ...) at points (m, points) of the unit box."""
    first = chebvander(unit[0], c.shape[1] - 1)
    if unit.shape[0] == 1:
        return np.einsum("ra,ka->rk", c, first)
    if unit.shape[0] == 2:
        return np.einsum("rab,ka,kb->rk", c, first, chebvander(unit[1], c.shape[2] - 1), optimize=unit.shape[1] > 1)
    rest = np.tensordot(c, first, axes=(1, 1))  # (rows, nodes, ..., points): point by point for more slow states
    return np.stack([_evaluated(rest[..., k], unit[1:, k : k + 1])[:, 0] for k in range(unit.shape[1])], axis=1)
