"""Integrals over one half period by Gauss panels, cut ever finer where the integrands ask for it.

A panel has sixteen nodes. It is halved until two halves give what the whole gave; next to a separatrix, where the motion lingers, and at
the knots of a measured profile this takes panels that shrink towards the place, and a few hundred nodes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .loops import POINTS, WEIGHTS

SAME = 1e-15  # of the whole integral: two answers of a panel that count as one
DEEPEST = 50  # halvings of a panel
MOST = 4096  # panels


@dataclass(frozen=True)
class Cut:
    """Panels in order: their beginnings and widths, the nodes (panel, node), and what was computed there (panel, node, column)."""

    start: np.ndarray
    width: np.ndarray
    nodes: np.ndarray
    table: np.ndarray

    def total(self, values: np.ndarray) -> float:
        """The integral of values at the nodes."""
        return float(np.sum(values @ WEIGHTS * self.width))


def _evaluated(
    start: np.ndarray, width: np.ndarray, at: Callable[[np.ndarray], np.ndarray], weighed: Callable[[np.ndarray], np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    nodes = start[:, None] + width[:, None] * POINTS
    table = at(nodes.ravel()).reshape(*nodes.shape, -1)
    return table, np.einsum("pnk,n,p->pk", weighed(table), WEIGHTS, width)


def adaptive(edges: np.ndarray, at: Callable[[np.ndarray], np.ndarray], weighed: Callable[[np.ndarray], np.ndarray]) -> Cut:
    """Panels between `edges` fine enough for all columns of `weighed(at(nodes))`, that is to rounding, or as far as noise allows."""
    start, width = edges[:-1], np.diff(edges)
    table, whole = _evaluated(start, width, at, weighed)
    done_start, done_width, done_table = [np.empty(0)], [np.empty(0)], [table[:0]]
    before = earlier = np.full(start.size, np.inf)  # the errors one and two halvings ago
    size = np.abs(whole).sum(axis=0)
    settled = np.zeros(whole.shape[1])
    for depth in range(DEEPEST):
        halves_start = np.stack([start, start + 0.5 * width], axis=1).ravel()
        halves_width = np.repeat(0.5 * width, 2)
        table, parts = _evaluated(halves_start, halves_width, at, weighed)
        pairs = parts.reshape(start.size, 2, -1)
        size = np.maximum(settled + np.abs(parts).sum(axis=0), 1e-300)
        error = (np.abs(pairs.sum(axis=1) - whole) / size).max(axis=1)
        # Where halving no longer helps the integrand is noise.
        good = (error <= SAME) | ((error < 1e-9) & (error > 0.5 * before) & (before > 0.5 * earlier)) | ~np.isfinite(error)
        if depth == DEEPEST - 1 or sum(map(len, done_start)) + 2 * start.size > MOST:
            good[:] = True
        both = np.repeat(good, 2)
        done_start.append(halves_start[both])
        done_width.append(halves_width[both])
        done_table.append(table[both])
        settled = settled + np.abs(parts[both]).sum(axis=0)
        if good.all():
            break
        start, width, whole = halves_start[~both], halves_width[~both], parts[~both]
        before, earlier = np.repeat(error[~good], 2), np.repeat(before[~good], 2)
    begin, breadth, rows = np.concatenate(done_start), np.concatenate(done_width), np.concatenate(done_table)
    order = np.argsort(begin)
    begin, breadth, rows = begin[order], breadth[order], rows[order]
    return Cut(begin, breadth, begin[:, None] + breadth[:, None] * POINTS, rows)
