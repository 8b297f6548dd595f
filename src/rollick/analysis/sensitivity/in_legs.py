"""A motion that carries a column of sensitivities, in legs: what outputs ask of it (`evaluate`), whatever the legs are and what lies between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...motion.events.event import Event
from ...motion.problem import Problem
from .columns import COMPLEX_STEP
from .quantities import Quantity


class Passage(NamedTuple):
    """An event on the way: when, the state and the column there (before a reset), the rate, and how the time of it moves."""

    t: float
    y: np.ndarray
    w: np.ndarray
    rate: np.ndarray
    dt: float
    kind: str


def passage(e: Any, g: Quantity, y: np.ndarray, w: np.ndarray, f: np.ndarray, direction: Mapping[str, float]) -> Passage:
    """An event of a quantity with the derivative of its time."""
    return Passage(float(e.t), y.copy(), w.copy(), f, g.time_shift(e.t, y, w, f, direction), e.kind)


class Instant(NamedTuple):
    """Where the state or its rate jumps: when, how that time moves, the states on both sides and how they move with it."""

    t: float
    dt: Any
    before: np.ndarray
    before_moves: np.ndarray
    after: np.ndarray
    after_moves: np.ndarray

    @property
    def jumps(self) -> bool:
        """Whether the state does."""
        return self.after is not self.before


class InLegs:
    """A problem with a column: its `legs` (each with `end`, `states`, `columns`, `nodes`), `end`, `steps`, `passages` (of each event), `jumps` (when the rate or the state jumps) and `instants` (there)."""

    columns_by = COMPLEX_STEP
    end: float
    steps: int
    instants: Any

    def __init__(self, problem: Problem, direction: Mapping[str, float], events: Sequence[Event]):
        self.problem, self.system, self.direction = problem, problem.system, direction
        self.n, self.size = problem.n, problem.n + problem.m
        self.events = list(events)
        self.passages: list[list[Passage]] = [[] for _ in events]
        self.jumps: list[float] = []
        self.legs: list[Any] = []

    def which(self, times: np.ndarray) -> np.ndarray:
        """The number of the leg at some times; at a jump that of the one before it."""
        ends = np.array([leg.end for leg in self.legs])
        return np.minimum(np.searchsorted(ends, times, side="left"), len(ends) - 1)

    def told(self, t: Any, what: str) -> np.ndarray:
        """What the legs tell at some times, one row each."""
        times = np.atleast_1d(np.asarray(t, float))
        rows, which = np.empty((times.size, self.size)), self.which(times)
        for k in np.unique(which):
            rows[which == k] = getattr(self.legs[k], what)(times[which == k])
        return rows

    def states(self, t: Any) -> np.ndarray:
        """States (with integrals) at some times, one row each; at a jump those before it."""
        return self.told(t, "states")

    def columns(self, t: Any) -> np.ndarray:
        """Columns at some times, one row each; at a jump those before it."""
        return self.told(t, "columns")

    def at(self, t: Any) -> tuple[np.ndarray, np.ndarray]:
        """Both."""
        return self.states(t), self.columns(t)

    def state(self, t: float) -> np.ndarray:
        """The state at one time."""
        return self.states(t)[0]

    def nodes(self) -> list[np.ndarray]:
        """The ends of the steps, piece by piece: no jump lies inside a piece."""
        pieces = [(ts, leg.end) for leg in self.legs for ts in leg.nodes() if ts[0] < leg.end]
        return [np.append(ts[ts < end], min(ts[-1], end)) for ts, end in pieces]
