"""A column along a motion through modes: transition matrices inside them, saltation where they change (`motion.hybrid.saltation`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...motion.hybrid.saltation import with_instant
from .in_legs import Instant


class Along:
    """The column `w` at the start, and a parameter if the transition has one, from step to step. `instants`: where modes change, by the steps that end there."""

    def __init__(self, transition: Any, w: np.ndarray):
        self.transition, self.n = transition, transition.n
        v = np.append(w, np.ones(transition.m - self.n))
        self.nothing = not np.any(v)
        if not self.nothing:
            transition.check_start(v)
            v = transition.begun() @ v
        self.begins, self.instants = [v], dict[int, Instant]()
        self.latest = -1, 0.0, v  # step, time and column that were asked for last: the next ones in this step go on from there
        for i in range(len(transition.times) - 1):
            behind, dt = (v, 0.0) if self.nothing else self.over(i, v)
            change = transition.around(i)
            if change is not None:
                t, y, f, after, f_after = change
                moves_after = with_instant(behind[: self.n], dt, f_after)
                moves = moves_after if after is y else with_instant(v[: self.n], dt, f)
                self.instants[i] = Instant(t, float(dt), y, moves, after, moves_after)
            v = behind
            self.begins.append(v)

    def over(self, i: int, v: np.ndarray) -> tuple[np.ndarray, Any]:
        """The column behind a step, and how the instant of the change there moves."""
        columns, dt = self.transition.over(i, v[:, None])
        return columns[:, 0], 0.0 if dt is None else np.ravel(dt)[0]

    def __call__(self, t: float) -> np.ndarray:
        """The column at a time; at a change of mode the one before it."""
        if self.nothing:
            return np.zeros(self.n)
        i = self.transition.step_at(t)
        if t == self.transition.times[i + 1] and i not in self.instants:
            return self.begins[i + 1][: self.n]
        k, since, v = self.latest
        if k != i or t < since:
            since, v = float(self.transition.times[i]), self.begins[i]
        v = self.transition.carried(i, since, t, v)
        self.latest = i, t, v
        return v[: self.n]
