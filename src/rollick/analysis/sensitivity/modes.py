"""A motion through modes (method "filippov") that carries a column of sensitivities.

Besides events of quantities it knows the changes of its modes as events: "stick", "slip", "lift_off", "slip_turns".
"""

from __future__ import annotations

import dataclasses
import itertools
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...kernel.names import InputError
from ...motion.events.event import Event, watch
from ...motion.filippov.memory import LOG_TIME
from ...motion.methods.event_driven import EventDriven
from ...motion.problem import Problem
from ...motion.result import outcome as o
from ...motion.result.motion import Motion
from .carried import refuse_start_on
from .in_legs import InLegs, Passage, passage
from .mode_columns import ModeColumns
from .quantities import Quantity

WORDS = ("stick", "slip", "lift_off", "slip_turns")


class CarriedThroughModes(InLegs):
    """The motion of a problem with a column, from mode to mode."""

    def __init__(
        self,
        problem: Problem,
        method: EventDriven,
        direction: Mapping[str, float],
        w: np.ndarray,
        events: Sequence[Event] = (),
        *,
        closes: bool = False,  # an impact may end it
        late: float | None = None,  # how its start moves in time, if it follows an impact
    ):
        super().__init__(problem, direction, events)
        w = np.array(w, float)
        names = [f"event {k}" for k in range(len(events))]
        own = {name: e.what for name, e in zip(names, events) if e.what in WORDS}
        listed = {name: dataclasses.replace(e, name=name, terminal=False) for name, e in zip(names, events) if name not in own}
        self.watched = {name: Quantity(self.system, e.what) for name, e in listed.items()}
        watches = [watch(e, self.system, problem.t0, problem.start, 0) for e in listed.values()]
        asked = dataclasses.replace(problem, at=None, dense=True, variational=True, watches=watches, progress=False)
        self.motion, stepper, closed = leg(asked, method)
        self.closed = closed if closes else None
        if not self.motion.complete and self.closed is None:
            raise InputError(f"the motion that derivatives are asked of does not come to its end: {self.motion.message}")
        self.end, self.steps = float(self.motion.end_time), int(self.motion.provenance["steps"])
        assert self.motion._dense is not None
        self.along = ModeColumns(stepper, self.motion._dense, direction, w, late)
        self.instants = self.along.instants  # the state goes on there, its rate may not
        self.jumps = [float(row[LOG_TIME]) for row in self.along.changes[1:]]
        for name, e in (listed if late is None else {}).items():
            refuse_start_on(e, self.watched[name], problem.t0, problem.start, w, self.rate(problem.t0, problem.start), direction)
        self._pass(names, own)

    def _pass(self, names: list[str], own: Mapping[str, Any]) -> None:
        """The events of the outputs, with how their times move."""
        mine = [e for e in self.motion.events if e.name in self.watched]
        for e in mine:
            g = self.watched[e.name]
            found = passage(e, g, e.state, self.along.column(e.t), self.rate(e.t, e.state), self.direction)
            if e.kind == "touch" or np.isnan(found.dt) or any(abs(e.t - t) <= 1e-12 * max(1.0, abs(t)) for t in self.jumps):
                raise InputError(
                    f"{g.name} reaches its level at t = {e.t:.9g} where a mode ends, or touches it: the time of this event has no "
                    f"derivative. Changes of mode are events themselves: {', '.join(WORDS)}."
                )
            self.passages[names.index(e.name)].append(found)
        changes = {one.t: one for one in self.instants}
        for e in self.motion.events:
            for name, word in own.items():
                if e.name == word and e.t in changes:
                    one = changes[e.t]  # before it slip has no direction: what counts is right after it
                    passed = Passage(one.t, one.after, one.after_moves, np.zeros(self.n), one.dt, e.kind)
                    self.passages[names.index(name)].append(passed)

    def rate(self, t: float, y: np.ndarray) -> np.ndarray:
        """dy/dt in the mode of an instant; at a change in the one before it."""
        return self.along.rate_at(t, y)

    def states(self, t: Any) -> np.ndarray:
        """States at some times, one row each."""
        return np.atleast_2d(self.motion.at(np.atleast_1d(np.asarray(t, float))))

    def columns(self, t: Any) -> np.ndarray:
        """Columns at some times, one row each."""
        times = np.atleast_1d(np.asarray(t, float))
        return np.array([self.along.column(float(one)) for one in times])

    def nodes(self) -> list[np.ndarray]:
        """The ends of the steps of each mode."""
        ts = self.along.times
        cuts = [ts[0], *self.jumps, ts[-1]]
        pieces = [ts[(ts >= a) & (ts <= b)] for a, b in itertools.pairwise(cuts)]
        return [np.unique(piece) for piece in pieces if np.unique(piece).size > 1]


def leg(problem: Problem, method: EventDriven) -> tuple[Motion, Any, int | None]:
    """A motion through modes, the stepper that made it, and the contact whose closing ended it (None: something else did)."""
    motion, stepper = method.followed(dataclasses.replace(problem, began=time.perf_counter()))
    if motion.status != o.CLOSES or not motion.end_time > problem.t0:
        return motion, stepper, None
    return motion, stepper, int(next(e.kind for e in reversed(motion.events) if e.name == "closes").split()[-1])
