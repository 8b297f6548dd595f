"""What a run has brought in so far: steps, dense output, output at chosen times. Nothing that was computed is lost."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ode import control as c
from ..ode.dense import ROWS, empty_coefficients, interpolate


class Harvest:
    """Collects blocks of steps."""

    def __init__(self, run: Any):
        n = run.y.size
        self.n, self.store, self.dense, self.keep_dense = n, run.store, run.dense, run.keep_dense
        self.keep = run.at is None or run.keep_dense  # the steps; otherwise they only serve the search for events
        self.at = np.empty(0) if run.at is None else run.at
        self.at_out = np.empty((self.at.size, n))
        reached = 0
        while reached < self.at.size and self.at[reached] == run.t0:  # output asked for at the very start
            self.at_out[reached] = run.y
            reached += 1
        self.at_start = reached
        self.times = [np.array([run.t0])]
        self.states = [run.y[None, :].copy()]
        self.coefficients: list[np.ndarray] = []
        self.end: tuple[float, np.ndarray] | None = None  # where a terminal event cut the motion short
        self.at_count = reached
        self.block: tuple[Any, Any, Any] | None = None
        self.size = 0

    def room(self, steps: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Arrays for a block of so many steps."""
        if self.block is None or self.size != steps or self.keep:
            self.size = steps
            ys = np.empty((steps + 1 if self.store else 1, self.n))
            fs = empty_coefficients(steps, self.n) if self.dense else np.empty((1, ROWS, self.n))
            self.block = np.empty(steps + 1), ys, fs
        return self.block

    def take(self, ts: np.ndarray, ys: np.ndarray, fs: np.ndarray, steps: int, s: np.ndarray) -> None:
        """Keep the first steps of a block."""
        if self.keep and steps:
            self.times.append(ts[1 : steps + 1])
            self.states.append(ys[1 : steps + 1])
            if self.keep_dense:
                self.coefficients.append(fs[:steps])
        self.at_count = int(s[c.NEXT_AT])

    def cut(self, ts: np.ndarray, ys: np.ndarray, fs: np.ndarray, stop: Any, forward: bool, s: np.ndarray) -> None:
        """Keep a block up to a stop in one of its steps; the motion ends there."""
        whole = stop.step
        self.take(ts, ys, fs, whole, s)
        if self.keep and stop.t != ts[whole]:
            self.times.append(np.array([stop.t]))
            self.states.append(stop.state[None, :].copy())
            if self.keep_dense:
                x = (stop.t - ts[whole]) / (ts[whole + 1] - ts[whole])
                self.coefficients.append(shortened(fs[whole], ys[whole], x)[None])
        self.end = stop.t, stop.state.copy()
        late = self.at > stop.t if forward else self.at < stop.t
        self.at_count = min(int(s[c.NEXT_AT]), int(np.count_nonzero(~late)))
        s[c.TIME] = stop.t


def shortened(f: np.ndarray, y: np.ndarray, x: float) -> np.ndarray:
    """The dense output of the first fraction x of a step, as a step of its own: the same polynomial of degree 7."""
    nodes = 0.5 - 0.5 * np.cos(np.pi * np.arange(1, ROWS + 1) / (ROWS + 1))
    nodes[-1] = 1.0
    values = np.empty((ROWS, y.size))
    for j, u in enumerate(nodes):
        interpolate(u * x, y, f, values[j])
    basis = np.empty((ROWS, ROWS))
    for j, u in enumerate(nodes):
        term = u
        for k in range(ROWS):
            basis[j, k] = term
            term *= (1.0 - u) if k % 2 == 0 else u
    return np.linalg.solve(basis, values - y)
