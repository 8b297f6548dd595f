"""The Jacobian of a system's rate at many states: compiled once, its room kept."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kernel.derivative import _fill_jacobian
from ..kernel.system import dim
from ..motion.ode.erased import Engine


class JacobianAlong:
    """J(t, y) of one system; the array is written anew by every call."""

    def __init__(self, system: Any):
        n = int(dim(system))
        self._engine = Engine(system)
        self.erased = self._engine.erased
        self._implicit = self._engine.for_implicit()
        self._room = np.empty(n, complex), np.empty(n, complex), np.empty((n, n))

    def __call__(self, t: float, y: np.ndarray) -> np.ndarray:
        z, f, J = self._room
        _fill_jacobian(self._implicit, float(t), np.array(y, float), z, f, J)
        return J
