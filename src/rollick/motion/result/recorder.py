"""What a run has brought in so far: steps, dense output, output at chosen times. Nothing that was computed is lost."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ode import control as c
from ..ode.block import Block, empty_block
from ..ode.dense import ROWS, interpolate


class Recorder:
    """Collects blocks of steps."""

    def __init__(self, run: Any):
        n = run.y.size
        self.n, self.store, self.dense, self.keep_dense = n, run.store, run.dense, run.keep_dense
        self.keep = run.at is None or run.keep_dense  # the steps; otherwise they only serve the search for events
        self.every, self.seen = (
            run.every if run.dense and not run.keep_dense else 1,
            0,
        )  # with events every step is stored, and few are kept
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
        self.latest: tuple[float, np.ndarray] | None = None  # the last step's end, kept or not
        self.at_count = reached
        self.block: Block | None = None
        self.made_for = 0, False

    def begin_at(self, y: np.ndarray) -> None:
        """Begin with another state than the run was given: an impact at its very start has made it."""
        self.states[0] = y[None, :].copy()
        self.at_out[: self.at_start] = y

    def room(self, steps: int, watch: bool, stepper: Any) -> Block:
        """Arrays for a block of so many steps."""
        later = self.dense and not self.keep_dense and getattr(stepper, "puts_off", False)
        if self.block is None or (steps, later) != self.made_for or self.keep:
            self.made_for = steps, later
            self.block = empty_block(steps, self.n, self.at, self.at_out, self.store, self.dense, watch, later)
        return self.block

    def take(self, block: Block, steps: int, s: np.ndarray) -> None:
        """Keep the first steps of a block."""
        if self.keep and steps:
            rows = slice(1 + (-self.seen - 1) % self.every, steps + 1, self.every)
            self.times.append(block.ts[rows])
            self.states.append(block.ys[rows])
            if self.keep_dense:
                self.coefficients.append(block.fs[:steps])
            self.latest = float(block.ts[steps]), block.ys[steps].copy()
        self.seen += steps
        self.at_count = int(s[c.NEXT_AT])

    def finish(self) -> None:
        """Keep the last instant too, if only every so many steps were kept."""
        kept = next(times[-1] for times in reversed(self.times) if times.size)
        if self.latest is not None and self.every > 1 and kept != self.latest[0]:
            self.times.append(np.array([self.latest[0]]))
            self.states.append(self.latest[1][None, :])

    def cut(self, block: Block, stop: Any, forward: bool, s: np.ndarray) -> None:
        """Keep a block up to a stop in one of its steps; the motion ends there."""
        ts, ys, fs, whole = block.ts, block.ys, block.fs, stop.step
        self.take(block, whole, s)
        self.finish()
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
