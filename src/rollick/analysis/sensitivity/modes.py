"""A motion through modes that carries a column of sensitivities.

Besides events of quantities it knows the changes of its modes as events: "stick", "slip", "lift_off", "slip_turns"; and "impact" of bodies.
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
from ...motion.problem import Problem
from ...motion.result.motion import Motion
from .along import Along
from .carried import refuse_start_on
from .in_legs import InLegs, Instant, Passage, passage
from .mode_columns import FormColumns
from .quantities import Quantity

WORDS = ("impact", "stick", "slip", "lift_off", "slip_turns")


class CarriedThroughModes(InLegs):
    """The motion of a problem with a column, from mode to mode; of systems with a `contact_form`."""

    def __init__(
        self, problem: Problem, method: Any, direction: Mapping[str, float], w: np.ndarray, events: Sequence[Event] = ()
    ):
        super().__init__(problem, direction, events)
        w = np.array(w, float)
        named = [dataclasses.replace(e, name=f"event {k}", terminal=False) for k, e in enumerate(events)]
        listed = {k: e for k, e in enumerate(named) if e.what not in WORDS}
        self.watched = {k: Quantity(self.system, e.what) for k, e in listed.items()}
        watches = [watch(e, self.system, problem.t0, problem.start, 0) for e in listed.values()]
        asked = dataclasses.replace(problem, at=None, dense=True, watches=watches, progress=False, began=time.perf_counter())
        self.motion, self.along = self.follow(asked, method, w)
        self.end, self.steps = float(self.motion.end_time), int(self.motion.provenance["steps"])
        self.instants = list(self.along.instants.values())
        self.jumps = [one.t for one in self.instants]
        begin, t0 = self.along.transition.states[0], problem.t0
        for k, e in listed.items():
            refuse_start_on(e, self.watched[k], t0, begin, self.along.begins[0][: self.n], self.rate(t0, begin), direction)
        for found in self.motion.events:
            if found.name.startswith("event "):
                k = int(found.name[6:])
                self.passages[k].append(self.passage(found, self.watched[k]))
        for name, passed in self.changes():
            for k, one in enumerate(events):
                if one.what == name:
                    self.passages[k].append(passed)

    def follow(self, problem: Problem, method: Any, w: np.ndarray) -> tuple[Motion, Along]:
        """The motion, and the column along it."""
        motion, stepper = method.followed(dataclasses.replace(problem, variational=True))
        return motion, Along(FormColumns(stepper, dense_of(motion), self.direction), w)

    def passage(self, e: Any, g: Quantity) -> Passage:
        """An event of a quantity with the derivative of its time."""
        found = passage(e, g, e.state, self.along(e.t), self.rate(e.t, e.state), self.direction)
        if e.kind == "touch" or np.isnan(found.dt) or any(abs(e.t - t) <= 1e-12 * max(1.0, abs(t)) for t in self.jumps):
            raise InputError(
                f"{g.name} reaches its level at t = {e.t:.9g} where a mode ends, or touches it: the time of this event has no "
                f"derivative. Changes of mode are events themselves: {', '.join(WORDS)}."
            )
        return found

    def changes(self) -> list[tuple[str, Passage]]:
        """What happened where modes changed, in words."""
        at = {one.t: one for one in self.instants}
        return [(e.name, self.changed(at[e.t], e)) for e in self.motion.events if e.name in WORDS and e.t in at]

    def changed(self, one: Instant, e: Any) -> Passage:
        """A change of mode as an event: before it slip has no direction, so what counts is right after it."""
        return Passage(e.t, one.after, one.after_moves, np.zeros(self.n), one.dt, e.kind)

    def rate(self, t: float, y: np.ndarray) -> np.ndarray:
        """dy/dt in the mode of an instant; at a change in the one before it."""
        found: np.ndarray = self.along.transition.rate_at(t, y)
        return found

    def states(self, t: Any) -> np.ndarray:
        """States at some times, one row each; at a jump those before it."""
        return np.array([self.along.transition.state(float(one)) for one in np.atleast_1d(np.asarray(t, float))])

    def columns(self, t: Any) -> np.ndarray:
        """Columns at some times, one row each; at a jump those before it."""
        return np.array([self.along(float(one)) for one in np.atleast_1d(np.asarray(t, float))])

    def nodes(self) -> list[np.ndarray]:
        """The ends of the steps of each mode."""
        ts = self.along.transition.times
        cuts = [ts[0], *self.jumps, ts[-1]]
        pieces = [np.unique(ts[(ts >= a) & (ts <= b)]) for a, b in itertools.pairwise(cuts)]
        return [piece for piece in pieces if piece.size > 1]


def dense_of(motion: Motion) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The steps of a motion and their dense output; refused if it does not come to its end."""
    if not motion.complete:
        raise InputError(f"the motion that derivatives are asked of does not come to its end: {motion.message}")
    assert motion._dense is not None
    return motion._dense
