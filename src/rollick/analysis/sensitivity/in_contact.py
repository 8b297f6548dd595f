"""What motions of bodies in contact that carry a column of sensitivities have in common; the interface is that of `carried.Carried`.

Their states have no integrals beside them, their columns come by complex step, and what happens on the way is kept in one list for each event asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...motion.events.event import Event
from ...motion.problem import Problem
from .carried import Instant, Passage
from .columns import COMPLEX_STEP


class CarriedInContact:
    """A problem with a column: `end`, `steps`, `jumps` (when the rate or the state jumps), `passages` (of each event); `states` and `columns` at some times."""

    columns_by = COMPLEX_STEP
    end: float
    steps: int

    def __init__(self, problem: Problem, direction: Mapping[str, float], events: Sequence[Event]):
        self.problem, self.system, self.direction = problem, problem.system, direction
        self.n = self.size = problem.n
        self.events = list(events)
        self.passages: list[list[Passage]] = [[] for _ in events]
        self.jumps: list[float] = []

    def at(self, t: Any) -> tuple[np.ndarray, np.ndarray]:
        """States and columns at some times, one row each; at a jump those before it."""
        return self.states(t), self.columns(t)

    def states(self, t: Any) -> np.ndarray:
        """States at some times, one row each."""
        raise NotImplementedError

    def state(self, t: float) -> np.ndarray:
        """The state at one time."""
        return self.states(t)[0]

    def columns(self, t: Any) -> np.ndarray:
        """Columns at some times, one row each."""
        raise NotImplementedError

    def rate(self, t: float, y: np.ndarray) -> np.ndarray:
        """dy/dt in the mode of an instant; at a change in the one before it."""
        raise NotImplementedError

    def instants(self) -> list[Instant]:
        """Where the state or its rate jumps."""
        raise NotImplementedError

    def nodes(self) -> list[np.ndarray]:
        """The ends of the steps of each mode."""
        raise NotImplementedError

    def moving_jumps(self) -> list[tuple[float, float, np.ndarray, np.ndarray]]:
        """Where the state jumps: when, how that time moves, the states before and after."""
        return []
