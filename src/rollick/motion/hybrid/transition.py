"""Columns along the recorded steps of a motion: variational equations inside steps, and whatever happens to columns where one of them ends.

Inside a step Phi' = J Phi on the nodes of Radau's collocation method along the motion's own dense output: linear equations, solved exactly, so that stiff directions
(small slips) do no harm. Steps are halved until halves agree with the whole.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.compiled import compiled
from ...kernel.derivative import rate_jacobian
from ..ode.collocation import RADAU, STAGES
from ..ode.dense import interpolate

AGREE, DEEPEST = 1e-8, 3  # relative: how well halves of a step agree with the whole; how often it is halved at most


@compiled
def jacobians(body, t, h, y, f, nodes, state, z, work, out):
    """J of a body in its modes at the nodes of a step with dense output f."""
    for j in range(nodes.size):
        interpolate(nodes[j], y, f, state)
        rate_jacobian(body, t + nodes[j] * h, state, z, work, out[j])


class Transition:
    """Columns of `m` entries along steps between `times`, with the states at them and dense output. Derived classes tell J in a step, and what the end of one does."""

    def __init__(self, times: np.ndarray, states: np.ndarray, dense: np.ndarray, m: int):
        self.times, self.states, self.dense = times, states, dense
        self.n, self.m = states.shape[1], m

    def begun(self) -> np.ndarray:
        """What the start does to neighbours."""
        return np.eye(self.m)

    def state(self, t: float) -> np.ndarray:
        """The state at an instant; where a step ends, that at its end."""
        i, out = self.step_at(t), np.empty(self.n)
        begin, end = self.times[i], self.times[i + 1]
        if begin < t < end:
            interpolate(float((t - begin) / (end - begin)), self.states[i], self.dense[i], out)
            return out
        return self.states[i + 1 if t >= end else i].copy()

    def step_at(self, t: float) -> int:
        """The number of the step that holds an instant; where one ends, that one."""
        return int(np.clip(np.searchsorted(self.times, t, side="left") - 1, 0, len(self.times) - 2))

    def over(self, i: int, v: np.ndarray) -> tuple[np.ndarray, Any]:
        """Columns v from the start of a step to its end, behind the change that may end it; how the instant of that moves (None: there is none)."""
        return self.carried(i, float(self.times[i]), float(self.times[i + 1]), v), None

    def slopes_at(self, i: int, nodes: np.ndarray) -> np.ndarray:
        """J at some fractions of a step."""
        raise NotImplementedError

    def at(self, wanted: np.ndarray, behind: bool = True) -> np.ndarray:
        """Phi at some times, in their order; where a step of no length says that the state jumps, behind it or before it."""
        found, phi, place = [], np.eye(self.m), 0
        while place < len(wanted) and wanted[place] <= self.times[0]:
            found.append(phi)
            place += 1
        phi = self.begun() @ phi
        for i, end in enumerate(self.times[1:]):
            while place < len(wanted) and wanted[place] < end:
                found.append(self.inside(i, wanted[place]) @ phi)
                place += 1
            phi, _ = self.over(i, phi)
            while not behind and place < len(wanted) and self.times[i] < end == wanted[place]:
                found.append(phi)
                place += 1
        return np.array(found + [phi] * (len(wanted) - place))

    def inside(self, i: int, t: float) -> np.ndarray:
        """The transition matrix of a step until an instant in it."""
        return self.carried(i, float(self.times[i]), t, np.eye(self.m))

    def carried(self, i: int, since: float, t: float, v: np.ndarray) -> np.ndarray:
        """Columns v from one instant in a step to a later one."""
        begin, long = self.times[i], self.times[i + 1] - self.times[i]
        if not t > since:
            return v
        a, b = float((since - begin) / long), float((t - begin) / long)
        return self.in_halves(i, a, b, v, self.collocated(i, a, b), 0)

    def in_halves(self, i: int, a: float, b: float, v: np.ndarray, whole: np.ndarray, depth: int) -> np.ndarray:
        """Columns v from one fraction to another, in halves of halves until they agree with the whole: slip that ends makes it steep."""
        middle = 0.5 * (a + b)
        first, second = self.collocated(i, a, middle), self.collocated(i, middle, b)
        halves = second @ (first @ v)
        if depth == DEEPEST or np.abs(halves - whole @ v).max() <= AGREE * max(1.0, float(np.abs(halves).max())):
            return halves
        return self.in_halves(i, middle, b, self.in_halves(i, a, middle, v, first, depth + 1), second, depth + 1)

    def collocated(self, i: int, a: float, b: float) -> np.ndarray:
        """The same by one step of collocation: K_j = J_j (I + h sum_q a_jq K_q) at the nodes."""
        m, s = self.m, STAGES
        h = (b - a) * float(self.times[i + 1] - self.times[i])
        J = self.slopes_at(i, a + RADAU.nodes * (b - a))
        big = np.eye(s * m)
        for j in range(s):
            for q in range(s):
                big[j * m : (j + 1) * m, q * m : (q + 1) * m] -= h * RADAU.weights[j, q] * J[j]
        K = np.linalg.solve(big, J.reshape(s * m, m)).reshape(s, m, m)
        return np.eye(m) + h * np.einsum("q,qij->ij", RADAU.weights[-1], K)
