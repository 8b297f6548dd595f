"""How many steps a member will take, guessed from members that are done: those that run side by side on a GPU should take equally many.

Threads of a GPU run in warps of 32, and a warp lasts as long as its longest motion. Steps are fitted, by least squares, by a polynomial of second degree in
everything that varies; later members are put in the order of that guess. Results do not depend on the order.
"""

from __future__ import annotations

import threading
from itertools import combinations_with_replacement

import numpy as np

MOST_FITTED, MOST_COLUMNS, LEAST = 8192, 12, 256


class Forecast:
    """The guess; it may be asked and told from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._fits: dict[int, tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]] = {}  # by the width of the table

    def learn(self, table: np.ndarray, steps: np.ndarray) -> None:
        """Members that are done: what varies, a row each, and their steps."""
        if len(table) < LEAST:
            return
        some = np.unique(np.linspace(0, len(table) - 1, MOST_FITTED).astype(int))
        low, high = table[some].min(axis=0), table[some].max(axis=0)
        varies = np.flatnonzero(high > low)[:MOST_COLUMNS]
        if varies.size:
            x = terms((table[some][:, varies] - low[varies]) / (high - low)[varies])
            fit = np.linalg.lstsq(x, steps[some].astype(float), rcond=None)[0]
            with self._lock:
                self._fits[table.shape[1]] = varies, low[varies], high[varies], fit

    def order(self, table: np.ndarray) -> np.ndarray | None:
        """The members in the order of their steps, the longest first; None if nothing is known."""
        with self._lock:
            known = self._fits.get(table.shape[1])
        if known is None or len(table) < 2:
            return None
        varies, low, high, fit = known
        return np.argsort(-(terms((table[:, varies] - low) / (high - low)) @ fit), kind="stable")


def terms(x: np.ndarray) -> np.ndarray:
    """1, x_i, x_i x_j."""
    columns = [np.ones(len(x)), *x.T]
    columns += [x[:, i] * x[:, j] for i, j in combinations_with_replacement(range(x.shape[1]), 2)]
    return np.column_stack(columns)
