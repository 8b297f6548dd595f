"""The map of a reset with its derivative along a direction (dt, dy, dp), by complex step; compared with differences at its first use."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...kernel.derivative import EPS
from ...kernel.names import InputError
from .quantities import AGREE
from .tilt import difference, moved, tilted


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

    def value_and_slope(
        self, t: float, y: np.ndarray, dt: float, dy: np.ndarray, direction: Mapping[str, float]
    ) -> tuple[np.ndarray, np.ndarray]:
        """The states after a reset, and R_t dt + R_y dy + R_p d."""
        after = np.array(self.call(self.system, t, y.copy()), float)
        near = self._differences(t, y, dt, dy, direction)
        if not self.by_differences:
            try:
                z = self.call(tilted(self.system, direction), complex(t, EPS * dt), y + 1j * EPS * dy)
                exact = np.imag(z.astype(complex)) / EPS
                size = max(1e-300, float(np.abs(near).max()))
                if np.abs(exact - near).max() <= AGREE * size:
                    return after, exact
            except (TypeError, ValueError):
                pass
            self.by_differences = True
        return after, near

    def _differences(self, t: float, y: np.ndarray, dt: float, dy: np.ndarray, direction: Mapping[str, float]) -> np.ndarray:
        reach = max(1.0, float(np.max(np.abs(dy) / (1.0 + np.abs(y)), initial=0.0)), abs(dt))

        def along(h: float) -> np.ndarray:
            h = h / reach
            return np.array(self.call(moved(self.system, direction, h), t + h * dt, y + h * dy), float)

        return difference(along) * reach
