"""A motion that carries one column of sensitivities along, from reset to reset (`motion.hybrid.saltation`).

Time, state and parameters move together in a single complex step of the map of a reset.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...kernel.evaluate import rate_at
from ...kernel.names import InputError, called
from ...motion.events.event import DIRECTIONS, Event
from ...motion.hybrid.saltation import with_instant
from ...motion.ode.erased import Engine
from ...motion.ode.extended import Accumulating
from ...motion.problem import Problem
from .columns import column_system
from .in_legs import InLegs, Instant, Passage, passage
from .quantities import Quantity
from .resets import Gate, Legs, Reset, level_of


class Carried(InLegs):
    """The motion of a problem with a column, from reset to reset."""

    def __init__(
        self,
        problem: Problem,
        method: Any,
        direction: Mapping[str, float],
        w: np.ndarray,
        events: Sequence[Event] = (),
        resets: Sequence[Reset] = (),
        max_resets: int = 10_000,
    ):
        super().__init__(problem, direction, [dataclasses.replace(e, name=f"event {k}") for k, e in enumerate(events)])
        self._engine = Engine(Accumulating(self.system) if problem.m else self.system)
        self.columns_by, carrier = column_system(self.system, direction, problem)
        self._made_by = Legs(problem, method, carrier, resets, "that derivatives are asked of")
        self.watched = {e.name: Quantity(self.system, e.what, problem.m) for e in self.events}
        self.instants: list[Instant] = []
        self.end, self.steps = problem.t0, 0
        begin, speed = np.concatenate([problem.start, problem.sums]), None
        for e in self.events:
            speed = self.rate(problem.t0, begin) if speed is None else speed
            refuse_start_on(e, self.watched[e.name], problem.t0, begin, np.array(w, float), speed, direction)
        self._go(begin, np.array(w, float), max_resets)

    def _go(self, y: np.ndarray, w: np.ndarray, max_resets: int) -> None:
        p, t, seen = self.problem, self.problem.t0, [0] * len(self.events)
        while True:
            given = [
                dataclasses.replace(e, terminal=max(1, int(e.terminal) - k)) if e.terminal else e
                for e, k in zip(self.events, seen)
            ]
            motion, piece = self._made_by.leg(t, p.t1, y, w, len(self.jumps), given)
            self.steps += int(motion.provenance["steps"])
            self.legs.append(piece)
            for e in motion.events:
                if e.name.startswith("event "):
                    k = int(e.name[6:])
                    seen[k] += 1
                    self.passages[k].append(self._passage(e, self.watched[e.name]))
            self.end = float(motion.end_time)
            jump, gate = self._made_by.ended(motion)
            if gate is None or (any(e.terminal and e.name.startswith("event ") for e in motion.events) and self.end <= jump.t):
                return
            if len(self.jumps) >= max_resets:
                raise InputError(
                    f"{called(self.system)} was reset {max_resets} times until t = {jump.t:.9g}, and goes on so: resets that accumulate, "
                    f"at which no derivative is defined. Let until end before, or raise max_resets."
                )
            t, y, w = self._reset(gate, self._passage(jump, gate.quantity))
            self.jumps.append(t)
            if t >= p.t1:
                return

    def _passage(self, e: Any, g: Quantity) -> Passage:
        """An event with the derivative of its time."""
        y, w = self.legs[-1].states(e.t)[0], self.legs[-1].columns(e.t)[0]
        found = passage(e, g, y, w, self.rate(e.t, y), self.direction)
        if e.kind == "touch" or np.isnan(found.dt):
            raise InputError(
                f"{g.name} touches its level at t = {e.t:.9g} without passing it: neighbours pass it twice or not at all, so that the time of this "
                f"event has no derivative. Ask for another event, or another start."
            )
        return found

    def _reset(self, gate: Gate, p: Passage) -> tuple[float, np.ndarray, np.ndarray]:
        """What follows a reset: time, state and column."""
        n, moves = self.n, with_instant(p.w, p.dt, p.rate)
        y = np.concatenate([gate.map.after(p.t, p.y[:n]), p.y[n:]])
        slope = gate.map.slope(p.t, p.y[:n], p.dt, moves[:n], self.direction)
        after_moves = np.concatenate([slope, moves[n:]])
        self.instants.append(Instant(p.t, p.dt, p.y, moves, y, after_moves))
        return p.t, y, with_instant(after_moves, -p.dt, self.rate(p.t, y))

    def rate(self, t: float, y: np.ndarray) -> np.ndarray:
        """dy/dt, with the integrals."""
        out = np.empty(self.size)
        rate_at(self._engine.erased, float(t), np.ascontiguousarray(y[: self.size], float), out)
        return out


def refuse_start_on(
    event: Event, g: Quantity, t: float, y: np.ndarray, w: np.ndarray, rate: np.ndarray, direction: Mapping[str, float]
) -> None:
    """Refuse to count events of a motion that starts right on one, and would start on either side of it if the input changed."""
    level = level_of(event, g)
    speed = float(g.slopes(t, y[None], 1.0, rate[None], {})[0])
    if abs(float(g.values(t, y[None])[0]) - level) > 1e-12 * max(1.0, abs(level)):
        return
    counts = DIRECTIONS[event.direction] * (1.0 if speed > 0.0 else -1.0) >= 0.0
    if counts and abs(float(g.slopes(t, y[None], 0.0, w[None], direction)[0])) > 0.0:
        raise InputError(
            f"{g.name} passes its level at the very start, and would start on one side of it or on the other if this input changed: the events after it "
            f"would be counted differently. Give the event a direction, start elsewhere, or ask for other inputs."
        )
