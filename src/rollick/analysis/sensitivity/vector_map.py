"""The map of a reset with its derivative along a direction (dt, dy, dp), by complex step; compared with differences at its first use."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...kernel.derivative import EPS
from ...kernel.names import InputError
from .quantities import AGREE
from .tilt import column_by_column, slope_along, tilted


class VectorMap:
    """A function f(t, y) or f(system, t, y) of a user that returns the states after a reset."""

    def __init__(self, system: Any, f: Callable, n: int, name: str):
        self.system, self.f, self.n, self.name = system, getattr(f, "py_func", f), n, name
        if not callable(f):
            raise InputError(
                f"what follows the reset {name!r} is {f!r}; write a function f(t, y) or f(system, t, y) that returns the states."
            )
        self.count = len(inspect.signature(self.f).parameters)
        if self.count not in (2, 3):
            raise InputError(
                f"the function of the reset {name!r} takes {self.count} arguments; write f(t, y) or f(system, t, y)."
            )
        self.by_differences: bool | None = None

    def call(self, system: Any, t: Any, y: np.ndarray) -> np.ndarray:
        """The states after it."""
        found = np.asarray(self.f(t, y) if self.count == 2 else self.f(system, t, y))
        if found.shape != (self.n,):
            raise InputError(
                f"the function of the reset {self.name!r} returns an array of shape {found.shape}; let it return the {self.n} states."
            )
        return found

    def after(self, t: float, y: np.ndarray) -> np.ndarray:
        """The states after a reset."""
        return np.array(self.call(self.system, t, y.copy()), float)

    def slope(self, t: float, y: np.ndarray, dt: Any, dy: np.ndarray, direction: Mapping[str, float]) -> np.ndarray:
        """R_t dt + R_y dy + R_p d, of one column or of several (n, k)."""
        return column_by_column(lambda dt, dy: self._slope(t, y, dt, dy, direction), dt, dy)

    def _slope(self, t: float, y: np.ndarray, dt: float, dy: np.ndarray, direction: Mapping[str, float]) -> np.ndarray:
        near = slope_along(lambda s, t, y: np.array(self.call(s, t, y), float), self.system, t, y, dt, dy, direction)
        if not self.by_differences:
            try:
                z = self.call(tilted(self.system, direction), complex(t, EPS * dt), y + 1j * EPS * dy)
                exact = np.imag(z.astype(complex)) / EPS
                size = max(1e-300, float(np.abs(near).max()))
                if np.abs(exact - near).max() <= AGREE * size:
                    return exact
            except (TypeError, ValueError):
                pass
            self.by_differences = True
        return near
