"""The last instant of a step at which the equations of a motion hold, where a guard (see `kernel.hooks`) says that they cease to hold in it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from .ode.dense import sample

PARTS = 256  # into which what is left of the step is divided each time


def last_instant(run: Any, t: float, y: np.ndarray, end: float) -> tuple[float, np.ndarray]:
    """The time and the state up to which a run's equations hold, in its step from (t, y) to `end`.

    The step is made once more, with dense output, and divided again and again until neighbouring numbers are left.
    """
    again = type(run)(step_again(run, t, y, end), run.method)
    again.guard = None
    again.y[:] = again.recorder.states[0][:] = y
    again.go()
    made = again.recorder
    if not made.coefficients:
        return t, y.copy()
    times, states, rows = np.concatenate(made.times), np.concatenate(made.states), np.concatenate(made.coefficients)

    def at(instants: np.ndarray) -> np.ndarray:
        there = np.empty((instants.size, y.size))
        sample(times, states, rows, instants, there)
        return there

    inside, outside = t, float(times[-1])
    before = np.empty(0)  # one instant before `inside`, once there is one: a guard knows the bend of a force from three
    while True:
        instants = np.linspace(inside, outside, PARTS + 1)
        instants = instants[np.concatenate([[True], np.diff(instants) != 0.0])]
        seen = np.concatenate([before, instants])
        found = run.guard(seen, at(seen)[:, : run.n])
        if found is None or instants.size <= 2:
            break
        first = max(found[0] - before.size, 0)
        before = instants[max(first - 1, 0) : first]
        inside, outside = float(instants[first]), float(instants[first + 1])
    return inside, at(np.array([inside]))[0] if inside != t else y.copy()


def step_again(run: Any, t: float, y: np.ndarray, end: float) -> Any:
    """The problem of one step of a run, with dense output and without events."""
    n, m = run.n, run.m
    return replace(run.problem, t0=t, t1=end, start=y[:n].copy(), sums=y[n : n + m].copy(), at=None, watches=(), dense=True, wall=np.inf, progress=False)  # fmt: skip
