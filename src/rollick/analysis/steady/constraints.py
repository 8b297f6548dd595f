"""States that must obey something: what a system's own `project` keeps.

A unit quaternion alone is taken care of in `turning`. Further constraints (rolling without slip in full coordinates, a wheelset on both rails) make states
redundant: a state beside them is no state of the system, and zeros of the rates there mean nothing. `project` is a projection P onto what is allowed;
the directions along it are the range of its derivative, an invariant subspace of the Jacobian.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.names import called
from ...kernel.system import project
from ...motion.ode.erased import projects
from .turning import Turning

OFF = 1e-8  # how far a state may be from its projection


class Constraints:
    """What `project` of a system keeps besides the length of a quaternion; false if that is nothing. `rows`: the states that matter."""

    def __init__(self, system: Any, y: np.ndarray, rows: list[int], turning: Turning):
        self.system, self.rows, self.turning = system, rows, turning
        self.active = projects(system) and not self._lengths_only(y)

    def __bool__(self) -> bool:
        return self.active

    def _lengths_only(self, y: np.ndarray) -> bool:
        """Whether states near y with a unit quaternion are left as they are."""
        random = np.random.default_rng(2)
        for _ in range(3):
            at = y + 0.1 * random.normal(size=y.size) * np.maximum(np.abs(y), 0.1)
            if self.turning:
                at[self.turning.quaternion] /= np.linalg.norm(at[self.turning.quaternion])
            if not np.allclose(self.pulled(at)[self.rows], at[self.rows], rtol=1e-10, atol=1e-12):
                return False
        return True

    def pulled(self, y: np.ndarray) -> np.ndarray:
        """P(y)."""
        z = y.copy()
        project(self.system, z)
        return z

    def tangents(self, y: np.ndarray, rows: list[int]) -> np.ndarray:
        """A basis, in the states `rows`, of the directions that are allowed and no turn."""
        D = np.zeros((len(rows), len(rows)))
        for k, i in enumerate(rows):
            step = np.zeros(y.size)
            step[i] = 1e-6 * max(abs(y[i]), 1e-2)
            D[:, k] = ((self.pulled(y + step) - self.pulled(y - step)) / (2.0 * step[i]))[rows]
        U, s, _ = np.linalg.svd(D)
        T = U[:, s > 1e-4]
        if self.turning and len(self.turning.anchors):
            across = self.turning.anchors[:, rows] @ T
            T = T @ np.linalg.svd(across)[2][len(across) :].T
        return T

    def violated(self, y: np.ndarray) -> str:
        """A sentence if a state does not obey what must hold, the length of a quaternion included."""
        if not self.active:
            length = float(np.linalg.norm(y[self.turning.quaternion])) if self.turning else 1.0
            return "" if abs(length - 1.0) < OFF else f"the quaternion of the attitude has the length {length:.6g}, not 1"
        off = float(np.max((np.abs(self.pulled(y) - y) / np.maximum(np.abs(y), 1.0))[self.rows]))
        return "" if off < OFF else f"the state violates the constraints of {called(self.system)} by {off:.2g}"
