"""Where the state jumps, and the motion with its columns from one jump to the next."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...kernel.names import InputError, called, number
from ...kernel.system import dim
from ...motion.events.event import DIRECTIONS, Event, watch
from ...motion.integrate import Run
from ...motion.ode.dense import sample
from ...motion.problem import Problem
from ...motion.result import outcome as o
from ...motion.result.motion import Motion
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


class Gate:
    """A reset of a system, with its derivatives: the event that is watched for, its quantity, the map."""

    def __init__(self, system: Any, reset: Reset, k: int, integrals: int = 0):
        self.event = dataclasses.replace(reset.event, name=f"reset {k}", terminal=True)
        self.quantity = Quantity(system, reset.event.what, integrals)
        self.map = VectorMap(system, reset.after, int(dim(system)), reset.name)


class Piece(NamedTuple):
    """The motion between two resets: dense output of the states (with integrals; `size` of them) and the columns."""

    ts: np.ndarray
    ys: np.ndarray
    fs: np.ndarray
    size: int

    @property
    def end(self) -> float:
        """Until when it goes."""
        return float(self.ts[-1])

    def at(self, t: Any) -> np.ndarray:
        """States and columns at some times, one row each."""
        times = np.atleast_1d(np.asarray(t, float))
        out = np.empty((times.size, self.ys.shape[1]))
        sample(self.ts, self.ys, self.fs, times, out)
        return out

    def states(self, t: Any) -> np.ndarray:
        """States at some times, one row each."""
        return self.at(t)[:, : self.size]

    def columns(self, t: Any) -> np.ndarray:
        """Columns at some times, one row each."""
        return self.at(t)[:, self.size :]

    def nodes(self) -> list[np.ndarray]:
        """The ends of its steps."""
        return [self.ts]


class Carrying:
    """A method that integrates a system with its columns; all else is what it was."""

    def __init__(self, method: Any, system: Any, y: np.ndarray):
        self._method, self._system, self._y = method, system, y

    def __getattr__(self, name: str) -> Any:
        return getattr(self._method, name)

    def engine(self, problem: Problem) -> tuple[Any, np.ndarray]:
        """The system with its columns."""
        return self._system, self._y.copy()


class Legs:
    """A motion with its columns from reset to reset; `gates` are the resets, `asked` says what is wanted of it."""

    def __init__(self, problem: Problem, method: Any, carrier: Any, resets: Sequence[Reset], asked: str):
        self.problem, self.method, self.carrier, self.asked = problem, method, carrier, asked
        self.gates = [Gate(problem.system, r, k, problem.m) for k, r in enumerate(resets)]

    def leg(
        self, t: float, until: float, y: np.ndarray, w: np.ndarray, count: int, events: Sequence[Event] = ()
    ) -> tuple[Motion, Piece]:
        """From a state (with integrals) and its columns to the next reset, the end, or an event that ends it, after `count` resets."""
        p = self.problem
        watches = [watch(e, p.system, t, y, p.m) for e in (*(gate.event for gate in self.gates), *events)]
        problem = dataclasses.replace(
            p,
            t0=t,
            t1=until,
            start=y[: p.n],
            sums=y[p.n :],
            watches=watches,
            dense=True,
            progress=False,
            began=time.perf_counter(),
        )
        carrying: Any = Carrying(self.method, self.carrier, np.concatenate([y, w]))
        run = Run(problem, carrying)
        outcome = run.go()
        if outcome.status == o.INTERRUPTED:
            raise KeyboardInterrupt
        motion = run.motion(outcome)
        if not outcome.complete or outcome.status == o.LEFT:
            raise InputError(f"the motion {self.asked} does not come to its end: {outcome.message}")
        dense = motion._dense
        assert dense is not None
        piece = Piece(*dense, p.n + p.m)
        for gate in self.gates:
            check_side(problem, piece, gate, count)
        return motion, piece

    def ended(self, motion: Motion) -> tuple[Any, Gate | None]:
        """The event that reset a motion, and its gate; (None, None) if none did."""
        jump = next((e for e in motion.events if e.name.startswith("reset ") and e.terminal), None)
        return (None, None) if jump is None else (jump, self.gates[int(jump.name[6:])])


def check_side(problem: Problem, piece: Piece, gate: Gate, count: int) -> None:
    """Refuse a motion (after `count` resets) that is beyond the surface of a reset: where resets accumulate, the next one comes too soon to be found."""
    way, g = DIRECTIONS[gate.event.direction], gate.quantity
    if way == 0:
        return
    level, ys = level_of(gate.event, g), piece.ys[:, : piece.size]
    over = -way * (g.values(piece.ts, ys) - level)
    wrong = np.flatnonzero(over < -BEYOND * (1.0 + float(np.abs(ys[:, : problem.n]).max())))
    if wrong.size:
        raise InputError(
            f"{called(problem.system)} is beyond {g.name} = {level:g} at t = {piece.ts[wrong[0]]:.9g}, after {count} resets, without being reset there: "
            f"its start is beyond it, a reset does not lead away from it, or resets accumulate, where no derivative is defined. Let until end before."
        )


def level_of(event: Event, g: Quantity) -> float:
    """The level of an event of a quantity."""
    return number(event.level, f"the level of {g.name}", g.unit, turns=True) if isinstance(event.what, str) else 0.0
