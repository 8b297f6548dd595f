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

from ...kernel.evaluate import rate_at
from ...kernel.names import InputError
from ...motion.events.event import Event, watch
from ...motion.filippov.code import contact_code
from ...motion.filippov.memory import LOG_TIME
from ...motion.filippov.mode import FilippovMode
from ...motion.filippov.saltation import Transition
from ...motion.methods.filippov import Filippov
from ...motion.problem import Problem
from ...motion.result import outcome as o
from ...motion.result.motion import Motion
from .carried import Instant, Passage, refuse_start_on
from .in_contact import CarriedInContact
from .mode_columns import ModeColumns
from .quantities import Quantity

WORDS = ("stick", "slip", "lift_off", "slip_turns")


class CarriedThroughModes(CarriedInContact):
    """The motion of a problem with a column, from mode to mode."""

    def __init__(
        self,
        problem: Problem,
        method: Filippov,
        direction: Mapping[str, float],
        w: np.ndarray,
        events: Sequence[Event] = (),
        *,
        closes: bool = False,  # an impact may end it
        late: float = 0.0,  # how its start moves in time
        later: bool = False,  # it follows an impact
    ):
        super().__init__(problem, direction, events)
        self.w = np.array(w, float)
        names = [f"event {k}" for k in range(len(events))]
        own = {name: e.what for name, e in zip(names, events) if e.what in WORDS}
        listed = {name: dataclasses.replace(e, name=name, terminal=False) for name, e in zip(names, events) if name not in own}
        self.watched = {name: Quantity(self.system, e.what) for name, e in listed.items()}
        watches = [watch(e, self.system, problem.t0, problem.start, 0) for e in listed.values()]
        asked = dataclasses.replace(
            problem, at=None, dense=True, variational=True, watches=watches, progress=False, began=time.perf_counter()
        )
        self.motion, stepper = method.followed(asked)
        self.closed = closes and self.motion.status == o.CLOSES and self.motion.end_time > problem.t0
        if not (self.motion.complete or self.closed):
            raise InputError(f"the motion that derivatives are asked of does not come to its end: {self.motion.message}")
        self.end, self.steps = float(self.motion.end_time), int(self.motion.provenance["steps"])
        dense = self.motion._dense
        assert dense is not None
        self.dense = dense
        if self.closed:
            self.closed_contact = closed_contact(self.motion)
        if late:
            self.w = self.w - Transition(stepper, *dense).first_rate * late
        self.along = ModeColumns(stepper, dense, direction, self.w, checked=not later)
        self.last_modes = self.along.after(self.along.changes[-1])
        self.changes = [(float(row[LOG_TIME]), self.along.after(row)) for row in self.along.changes]
        self.jumps = [t for t, _ in self.changes[1:]]
        for name, e in ({} if later else listed).items():
            refuse_start_on(
                e, self.watched[name], problem.t0, problem.start, self.w, self.rate(problem.t0, problem.start), direction
            )
        self._pass(names, own)

    def _pass(self, names: list[str], own: Mapping[str, Any]) -> None:
        """The events of the outputs, with how their times move."""
        mine = [e for e in self.motion.events if e.name in self.watched]
        for e in mine:
            w = self.along.column(e.t)
            if e.kind == "touch" or any(abs(e.t - t) <= 1e-12 * max(1.0, abs(t)) for t in self.jumps):
                raise InputError(
                    f"{self.watched[e.name].name} reaches its level at t = {e.t:.9g} where a mode ends, or touches it: the time of this event has no "
                    f"derivative. Changes of mode are events themselves: {', '.join(WORDS)}."
                )
            f = self.rate(e.t, e.state)
            g = self.watched[e.name]
            moves = float(g.slopes(e.t, e.state[None], 0.0, w[None], self.direction)[0])
            speed = float(g.slopes(e.t, e.state[None], 1.0, f[None], {})[0])
            self.passages[names.index(e.name)].append(Passage(float(e.t), e.state.copy(), w.copy(), f, -moves / speed, e.kind))
        moved = {t: (dt, y) for t, dt, y in self.along.changes_moved}
        for e in self.motion.events:
            for name, word in own.items():
                if e.name == word and e.t in moved:
                    dt, y = moved[e.t]
                    # before it slip has no direction: what counts is right after it
                    after = np.zeros(self.n) if self.along.nothing else self.along.moves_after(e.t, dt)
                    self.passages[names.index(name)].append(Passage(float(e.t), y.copy(), after, np.zeros(self.n), dt, e.kind))

    def rate(self, t: float, y: np.ndarray) -> np.ndarray:
        """dy/dt in the mode of an instant; at a change in the one before it."""
        modes = next((m for when, m in reversed(self.changes) if when < t), self.changes[0][1])
        out = np.empty(self.n)
        rate_at(FilippovMode(self.system, modes, contact_code()), float(t), np.ascontiguousarray(y[: self.n], float), out)
        return out

    def states(self, t: Any) -> np.ndarray:
        """States at some times, one row each."""
        return np.atleast_2d(self.motion.at(np.atleast_1d(np.asarray(t, float))))

    def columns(self, t: Any) -> np.ndarray:
        """Columns at some times, one row each."""
        times = np.atleast_1d(np.asarray(t, float))
        if not (np.any(self.w) or self.direction):
            return np.zeros((times.size, self.n))
        return np.array([self.along.column(float(one)) for one in times])

    def instants(self) -> list[Instant]:
        """The changes of mode: the state goes on there, its rate may not."""
        found = []
        for t, dt, y in self.along.changes_moved:
            moves = np.zeros(self.n) if self.along.nothing else self.along.moves_after(t, dt)
            found.append(Instant(t, dt, y, moves, y, moves))
        return found

    def nodes(self) -> list[np.ndarray]:
        """The ends of the steps of each mode."""
        ts = self.dense[0]
        cuts = [ts[0], *self.jumps, ts[-1]]
        pieces = [ts[(ts >= a) & (ts <= b)] for a, b in itertools.pairwise(cuts)]
        return [np.unique(piece) for piece in pieces if np.unique(piece).size > 1]


def closed_contact(motion: Motion) -> int:
    """The contact whose closing ended a motion."""
    return int(next(e.kind for e in reversed(motion.events) if e.name == "closes").split()[-1])
