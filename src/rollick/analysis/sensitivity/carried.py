"""A motion that carries one column of sensitivities along, from reset to reset.

At a reset, an event g(t, y) = 0 at which the state jumps to R(t, y), the time of the jump moves by

    dt = -(grad g . w + g_p)/(g_t + grad g . f),

and the column becomes  w+ = R_y (w + f dt) + R_t dt + R_p - f+ dt, where f and f+ are the rates before and after: the saltation matrix and
its column for the parameter. Time, state and parameters move together in a single complex step of R.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...kernel.evaluate import rate_at
from ...kernel.names import InputError, called, number
from ...motion.events.event import DIRECTIONS, Event, watch
from ...motion.integrate import Run
from ...motion.ode.dense import sample
from ...motion.ode.erased import Engine
from ...motion.ode.extended import Accumulating
from ...motion.problem import Problem
from ...motion.result import outcome as o
from .columns import column_system
from .quantities import Quantity
from .vector_map import VectorMap

BEYOND = 1e-9  # relative: how far beyond the surface of a reset a state may be, by rounding


@dataclasses.dataclass(frozen=True)
class Reset:
    """Where the state jumps: an event, and the state after it, f(t, y) or f(system, t, y) -> states. E.g. a bounce:

    Reset(Event("x", "falling"), lambda system, t, y: (0.0 * y[0], -system.e * y[1]))
    """

    event: Event
    after: Callable
    name: str = "reset"


class Piece(NamedTuple):
    """The motion between two resets: dense output of the states, the integrals and the column."""

    ts: np.ndarray
    ys: np.ndarray
    fs: np.ndarray


class Passage(NamedTuple):
    """An event on the way: when, the state and the column there (before a reset), the rate, and how the time of it moves."""

    t: float
    y: np.ndarray
    w: np.ndarray
    rate: np.ndarray
    dt: float
    kind: str


class Instant(NamedTuple):
    """Where the state or its rate jumps: when, how that time moves, the states on both sides and how they move with it."""

    t: float
    dt: float
    before: np.ndarray
    before_moves: np.ndarray
    after: np.ndarray
    after_moves: np.ndarray


class Carrying:
    """A method that integrates a system with its column; all else is what it was."""

    def __init__(self, method: Any, system: Any, y: np.ndarray):
        self._method, self._system, self._y = method, system, y

    def __getattr__(self, name: str) -> Any:
        return getattr(self._method, name)

    def engine(self, problem: Problem) -> tuple[Any, np.ndarray]:
        """The system with its column."""
        return self._system, self._y.copy()


class Carried:
    """The motion of a problem with a column: `states(t)`, `columns(t)`, `rates(t)`, the events, the pieces."""

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
        self.problem, self.system, self.direction = problem, problem.system, direction
        self.n, self.m = problem.n, problem.m
        self.size = self.n + self.m
        self.whole = Accumulating(self.system) if self.m else self.system
        self._engine = Engine(self.whole)
        self.columns_by, self.carrier = column_system(self.system, direction, problem)
        self.events = [dataclasses.replace(e, name=f"event {k}") for k, e in enumerate(events)]
        self.resets = [dataclasses.replace(r.event, name=f"reset {k}", terminal=True) for k, r in enumerate(resets)]
        self.maps = [VectorMap(self.system, r.after, self.n, r.name) for r in resets]
        self.watched = {e.name: Quantity(self.system, e.what, self.m) for e in (*self.events, *self.resets)}
        self.passages: list[list[Passage]] = [[] for _ in self.events]
        self.jumps: list[float] = []
        self._instants: list[Instant] = []
        self.pieces: list[Piece] = []
        self.end, self.message, self.steps = problem.t0, "", 0
        begin, speed = np.concatenate([problem.start, problem.sums]), None
        for e in self.events:
            speed = self.rate(problem.t0, begin) if speed is None else speed
            refuse_start_on(e, self.watched[e.name], problem.t0, begin, np.array(w, float), speed, direction)
        self._go(method, np.concatenate([problem.start, problem.sums]), np.array(w, float), max_resets)

    def _go(self, method: Any, y: np.ndarray, w: np.ndarray, max_resets: int) -> None:
        p, t, seen = self.problem, self.problem.t0, [0] * len(self.events)
        while True:
            given = [
                dataclasses.replace(e, terminal=max(1, int(e.terminal) - k)) if e.terminal else e
                for e, k in zip(self.events, seen)
            ]
            watches = [watch(e, self.system, t, y, self.m) for e in (*self.resets, *given)]
            piece = dataclasses.replace(
                p,
                t0=t,
                start=y[: self.n],
                sums=y[self.n :],
                watches=watches,
                dense=True,
                progress=False,
                began=time.perf_counter(),
            )
            carrying: Any = Carrying(method, self.carrier, np.concatenate([y, w]))
            run = Run(piece, carrying)
            outcome = run.go()
            motion = run.motion(outcome)
            if not outcome.complete or outcome.status == o.LEFT:
                raise InputError(f"the motion that derivatives are asked of does not come to its end: {outcome.message}")
            dense = motion._dense
            assert dense is not None
            self.steps += int(motion.provenance["steps"])
            self.pieces.append(Piece(*dense))
            last, gates = self.pieces[-1], [self.watched[e.name] for e in self.resets]
            check_side(self.system, last.ts, last.ys[:, : self.size], self.resets, gates, len(self.jumps))
            for e in motion.events:
                if e.name.startswith("event "):
                    k = int(e.name[6:])
                    seen[k] += 1
                    self.passages[k].append(self._passage(e))
            self.end, self.message = float(motion.end_time), outcome.message
            jump = next((e for e in motion.events if e.name.startswith("reset ") and e.terminal), None)
            if jump is None or (e_terminal(motion, "event ") and self.end <= jump.t):
                return
            if len(self.jumps) >= max_resets:
                raise InputError(
                    f"{called(self.system)} was reset {max_resets} times until t = {jump.t:.9g}, and goes on so: resets that accumulate, "
                    f"at which no derivative is defined. Let until end before, or raise max_resets."
                )
            t, y, w = self._reset(int(jump.name[6:]), self._passage(jump))
            self.jumps.append(t)
            if t >= p.t1:
                return

    def _passage(self, e: Any) -> Passage:
        """An event with the derivative of its time."""
        piece = self.pieces[-1]
        full = sampled(piece, np.array([e.t]))[0]
        y, w = full[: self.size], full[self.size :]
        f = self.rate(e.t, y)
        g = self.watched[e.name]
        moves = float(g.slopes(e.t, y[None], 0.0, w[None], self.direction)[0])
        speed = float(g.slopes(e.t, y[None], 1.0, f[None], {})[0])
        if e.kind == "touch" or not abs(speed) > 0.0:
            raise InputError(
                f"{g.name} touches its level at t = {e.t:.9g} without passing it: neighbours pass it twice or not at all, so that the time of this "
                f"event has no derivative. Ask for another event, or another start."
            )
        return Passage(float(e.t), y.copy(), w.copy(), f, -moves / speed, e.kind)

    def _reset(self, k: int, p: Passage) -> tuple[float, np.ndarray, np.ndarray]:
        """What follows a reset: time, state and column."""
        n = self.n
        moved_state = p.w[:n] + p.rate[:n] * p.dt
        after, slope = self.maps[k].value_and_slope(p.t, p.y[:n], p.dt, moved_state, self.direction)
        y = np.concatenate([after, p.y[n:]])
        new_rate = self.rate(p.t, y)
        moves = np.concatenate([slope, p.w[n:] + p.rate[n:] * p.dt])
        self._instants.append(Instant(p.t, p.dt, p.y, p.w + p.rate * p.dt, y, moves))
        return p.t, y, moves - new_rate * p.dt

    def rate(self, t: float, y: np.ndarray) -> np.ndarray:
        """dy/dt, with the integrals."""
        out = np.empty(self.size)
        rate_at(self._engine.erased, float(t), np.ascontiguousarray(y[: self.size], float), out)
        return out

    def at(self, t: Any) -> tuple[np.ndarray, np.ndarray]:
        """States (with integrals) and columns at some times, one row each; at a reset those before it."""
        times = np.atleast_1d(np.asarray(t, float))
        found = np.empty((times.size, 2 * self.size))
        ends = np.array([piece.ts[-1] for piece in self.pieces])
        which = np.minimum(np.searchsorted(ends, times, side="left"), len(ends) - 1)
        for k in np.unique(which):
            found[which == k] = sampled(self.pieces[k], times[which == k])
        return found[:, : self.size], found[:, self.size :]

    def states(self, t: Any) -> np.ndarray:
        """States (with integrals) at some times, one row each."""
        return self.at(t)[0]

    def moving_jumps(self) -> list[tuple[float, float, np.ndarray, np.ndarray]]:
        """Where the state jumps: when, how that time moves, the states before and after."""
        return [(one.t, one.dt, one.before, one.after) for one in self._instants]

    def instants(self) -> list[Instant]:
        """The resets."""
        return self._instants

    def nodes(self) -> list[np.ndarray]:
        """The ends of the steps of each piece."""
        return [piece.ts for piece in self.pieces if piece.ts.size > 1]


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


def level_of(event: Event, g: Quantity) -> float:
    """The level of an event of a quantity."""
    return number(event.level, f"the level of {g.name}", g.unit, turns=True) if isinstance(event.what, str) else 0.0


def check_side(
    system: Any, ts: np.ndarray, ys: np.ndarray, resets: Sequence[Event], watched: Sequence[Quantity], count: int
) -> None:
    """Refuse a motion (after `count` resets) that is beyond the surface of a reset: where resets accumulate, the next one comes too soon to be found."""
    for e, g in zip(resets, watched):
        if DIRECTIONS[e.direction] == 0:
            continue
        level = level_of(e, g)
        over = -DIRECTIONS[e.direction] * (g.values(ts, ys) - level)
        size = 1.0 + float(np.abs(ys[:, : g.n]).max())
        wrong = np.flatnonzero(over < -BEYOND * size)
        if wrong.size:
            raise InputError(
                f"{called(system)} is beyond {g.name} = {level:g} at t = {ts[wrong[0]]:.9g}, after {count} resets, without being reset there: "
                f"its start is beyond it, a reset does not lead away from it, or resets accumulate, where no derivative is defined. Let until end before."
            )


def e_terminal(motion: Any, prefix: str) -> bool:
    """Whether an event of the outputs ended a motion."""
    return any(e.terminal and e.name.startswith(prefix) for e in motion.events)


def sampled(piece: Piece, times: np.ndarray) -> np.ndarray:
    """Dense output at some times, one row each."""
    out = np.empty((times.size, piece.ys.shape[1]))
    sample(piece.ts, piece.ys, piece.fs, times, out)
    return out
