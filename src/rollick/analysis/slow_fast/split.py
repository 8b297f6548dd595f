"""A system with slow states x and fast states y:  x' = f(x, y, eps),  eps y' = g(x, y, eps).

f and g are formulas of NumPy, f(x, y), f(x, y, p) or f(x, y, p, eps): states along the first axis, p the parameter. What they leave out they do not need.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...kernel.names import InputError, listed
from ..taylor import Series, as_series, variables


class SlowFast:
    """The split: formulas of the slow and of the fast rates, names of the states."""

    def __init__(self, slow: Callable, fast: Callable, slow_names: Sequence[str], fast_names: Sequence[str]):
        self.slow, self.fast = slow, fast
        self.slow_names, self.fast_names = (
            tuple(listed(names, what, "('x', 'y')")) for names, what in ((slow_names, "slow_names"), (fast_names, "fast_names"))
        )
        if (
            not self.slow_names
            or not self.fast_names
            or len({*self.slow_names, *self.fast_names}) != len(self.slow_names) + len(self.fast_names)
        ):
            raise InputError(
                f"slow_names = {slow_names!r} and fast_names = {fast_names!r} must be names, each once, at least one of either kind."
            )
        self.m, self.n = len(self.slow_names), len(self.fast_names)
        self._arguments = {id(h): _count(h, what) for h, what in ((slow, "the slow rates"), (fast, "the fast rates"))}

    def call(self, function: Callable, size: int, x: Any, y: Any, p: Any, eps: Any) -> list[Any]:
        """What a formula returns, as a list of `size` entries."""
        value = function(*(x, y, p, eps)[: self._arguments[id(function)]])
        if len(value) != size:
            what = "slow" if function is self.slow else "fast"
            raise InputError(f"the {what} rates are {len(value)} numbers; there must be {size}, one for each {what} state.")
        return list(value)

    def slow_rates(self, x: np.ndarray, y: np.ndarray, p: Any = None, eps: Any = 0.0) -> np.ndarray:
        """f, shape (m, points...)."""
        return stacked(self.call(self.slow, self.m, x, y, p, eps), np.shape(y[0]))

    def fast_rates(self, x: np.ndarray, y: np.ndarray, p: Any = None, eps: Any = 0.0) -> np.ndarray:
        """g, shape (n, points...)."""
        return stacked(self.call(self.fast, self.n, x, y, p, eps), np.shape(y[0]))

    def fast_slopes(self, x: np.ndarray, y: np.ndarray, p: Any = None, eps: Any = 0.0) -> np.ndarray:
        """g_y, shape (n, n, points...), by Taylor arithmetic."""
        dy = variables(y, 1)
        g = [as_series(v, dy[0]) for v in self.call(self.fast, self.n, list(x), dy, p, eps)]
        unit = np.eye(self.n, dtype=int)
        return np.array([[gi.part(*unit[j]) for j in range(self.n)] for gi in g])

    def points(self, x: Any, what: str = "x") -> np.ndarray:
        """Slow states as an array (m, points...); one slow state may be given without its axis."""
        array = np.asarray(x)
        array = array.astype(np.result_type(array, float))
        if self.m == 1 and (array.ndim == 0 or array.shape[0] != 1):
            array = array[None]
        if array.ndim == 0 or array.shape[0] != self.m:
            raise InputError(
                f"{what} has the shape {np.shape(x)}; its first axis must be that of the {self.m} slow states {', '.join(self.slow_names)}."
            )
        return array


def _count(function: Callable, what: str) -> int:
    if not callable(function):
        raise InputError(f"{what} = {function!r} must be a function of (x, y), (x, y, p) or (x, y, p, eps).")
    given = list(inspect.signature(function).parameters.values())
    if any(q.kind is q.VAR_POSITIONAL for q in given):
        return 4
    count = sum(q.kind in (q.POSITIONAL_ONLY, q.POSITIONAL_OR_KEYWORD) and q.default is q.empty for q in given)
    if not 2 <= count <= 4:
        raise InputError(f"{what} takes {count} arguments; it must take (x, y), (x, y, p) or (x, y, p, eps).")
    return count


def stacked(values: list[Any], shape: tuple[int, ...]) -> np.ndarray:
    """Entries, some of them constants, as one array."""
    plain = [np.asarray(v) for v in values]
    shape = np.broadcast_shapes(shape, *(v.shape for v in plain))
    return np.stack([np.broadcast_to(v, shape) for v in plain])


def as_list(values: list[Any], like: Series) -> list[Series]:
    """Entries, some of them constants, as series."""
    return [as_series(v, like) for v in values]
