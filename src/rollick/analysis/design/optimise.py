"""`optimise`: the parameters (and numbers of the start), between bounds, for which an output of a motion is least or greatest.

SciPy's L-BFGS-B with exact derivatives, on variables scaled to their bounds; from several starts if that is asked for, since an optimum that
descent finds is a local one. Trial points at which the output does not exist (a stone that does not reverse) end a line search there; how many there were is told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.stats import qmc

from ...kernel.names import InputError, choose, whole
from ..sensitivity.resets import Reset
from ..sensitivity.sensitivity import Question
from .bounds import bounds_of
from .optimum import Optimum

GOALS = {"min": 1.0, "max": -1.0}
BEYOND = 10.0  # how much worse than the worst a point counts that cannot be evaluated, in units of the spread so far
MORE = 5  # descents from trial points that turned out better than the ends of others


class Objective:
    """The output and its gradient on the unit cube of the bounds; sign +1 to minimise. What was tried is kept."""

    def __init__(self, question: Question, low: np.ndarray, high: np.ndarray, sign: float):
        self.question, self.low, self.high, self.sign = question, low, high, sign
        self.tried: list[tuple[np.ndarray, float, np.ndarray]] = []
        self.refused: list[str] = []

    def at(self, x: np.ndarray) -> np.ndarray:
        """The inputs at a point of the cube."""
        return np.clip(self.low + (self.high - self.low) * np.asarray(x, float), self.low, self.high)

    def __call__(self, x: np.ndarray) -> tuple[float, np.ndarray]:
        values = self.at(x)
        try:
            found, matrix = self.question.with_values(values).solve()
        except InputError as error:
            if not self.tried:
                raise
            self.refused.append(str(error))
            known = [v for _, v, _ in self.tried]
            spread = max(known) - min(known) + abs(known[-1]) + 1e-12
            return max(known) + BEYOND * spread, np.zeros(x.size)
        value, slope = self.sign * float(found[0]), self.sign * matrix[0] * (self.high - self.low)
        self.tried.append((values, value, slope))
        return value, slope


def optimise(
    system: Any,
    start: Any,
    until: Any,
    objective: Any,
    parameters: Any = (),
    bounds: Mapping[str, Any] | None = None,
    start_of: Any = (),
    *,
    goal: str = "min",
    starts: int = 1,
    seed: int = 0,
    since: Any = None,
    method: Any = "auto",
    rtol: float | None = None,
    resets: Sequence[Reset] = (),
    max_iterations: int = 100,
) -> Optimum:
    """The parameters for which an output of the motion is least (goal "min") or greatest ("max").

    Parameters
    ----------
    system, start, until, since, method, rtol, resets: as for `sensitivity`; the search begins with this system and start.
    objective: one output: "time of omega3 rising", "max energy", Integral("phi"), a function f(t, y) at the end, ...
    parameters, start_of: what may change; each needs bounds.
    bounds: {name: (low, high)}.
    starts: from how many points of the box descent begins (the first is the system as given).
    """
    choose(goal, GOALS, "goal")
    whole(starts, "starts", 1)
    question = Question(
        system,
        start,
        until,
        [objective],
        parameters,
        start_of,
        since=since,
        method=method,
        rtol=1e-10 if rtol is None else rtol,
        resets=resets,
    )
    low, high = bounds_of(question.inputs, bounds, needed=True)
    f = Objective(question, low, high, GOALS[goal])
    first = (question.values - low) / (high - low)
    points = [first, *qmc.LatinHypercube(first.size, seed=seed).random(starts - 1)]
    ends: list[Any] = []
    options = {"maxiter": max_iterations, "ftol": 1e-14, "gtol": 1e-9}
    while points:
        x = points.pop(0)
        try:
            ends.append(minimize(f, x, jac=True, method="L-BFGS-B", bounds=[(0.0, 1.0)] * first.size, options=options))
        except InputError as error:
            if starts == 1:
                raise
            f.refused.append(str(error))
        if not points and ends and len(ends) < starts + MORE and f.tried:
            best = min(f.tried, key=lambda one: one[1])
            least = min(e.fun for e in ends)
            if best[1] < least - 1e-12 * abs(least):  # a trial of a line search beats all ends of descents: go on from there
                points.append((best[0] - low) / (high - low))
    if not f.tried:
        raise InputError(
            f"the objective could not be evaluated at any of {starts} starts: {f.refused[-1] if f.refused else 'see above'}"
        )
    best = min(f.tried, key=lambda one: one[1])
    steps = [float(f.sign * e.fun) for e in ends]
    return Optimum(question, f, best, goal, steps, any(e.status == 1 for e in ends), (low, high))
