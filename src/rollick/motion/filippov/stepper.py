"""The motion through modes as a stepper of the common loop: its blocks are `through.advance_modes`; here are its start, its log in words, and its endings."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.system import project
from ..event_driven.policy import PREFERENCES
from ..events.event import Occurrence
from ..ode.control import MOST_STEP, STEP, TIME
from ..result.outcome import Outcome
from .algebra.future import Future
from .by_address import ReadyForm
from .changing import start
from .memory import (
    AMBIGUOUS,
    CAREFUL,
    FORKS,
    LOG_FUTURES,
    LOG_STATE,
    LOG_TAKEN,
    LOG_TIME,
    MODE,
    OWN_SCALE,
    POLICY,
    RELATIVE,
    SCALE,
    SPAN,
    WHY,
    memory,
)
from .through import advance_modes
from .words import Telling, changes_in, futures_in, how_it_ended, letters

SMALLEST = 1e-13  # the least slip, relative to its scale, that counts as some
FIRST = 1e-3  # of the whole time: the first step


def set_options(record: np.ndarray, options: Any, careful: bool) -> None:
    """What the method is asked for, into the record of a memory."""
    record[RELATIVE] = max(float(options.rtol), SMALLEST)
    record[OWN_SCALE] = 0.0 if options.slip_scale is None else float(options.slip_scale)
    record[CAREFUL] = careful
    record[POLICY] = PREFERENCES.index(options.ambiguous)


class ThroughModes:
    """Steps and changes of mode of a system with dry contacts. `told`: what happened besides changes of mode; `taken`: the states at which the future was not unique,
    and the choice; `changes`: the log."""

    straight = False
    advice = "or loosen rtol"

    def __init__(self, run: Any, s: np.ndarray, options: Any, careful: bool = False):
        self.run, self.system, self.most_changes = run, run.problem.system, float(options.max_changes)
        self.ready = ReadyForm(self.system)
        self.form, self.count = self.ready.form, self.ready.form.total
        n = run.n
        self.memory = memory(n, tuple(options.choices))
        set_options(self.memory.record, options, careful)
        r = self.memory.record
        r[SPAN] = abs(run.t1 - run.t0)
        self.told: list[Occurrence] = []
        self.last: list[Occurrence] = []
        self.taken: list[dict[str, Any]] = []
        self.logs: list[np.ndarray] = []
        y, t = run.y, float(s[TIME])
        project(self.system, y[:n])
        self.memory.state[:n] = y[:n]
        start(self.form, self.memory, t)
        y[:n] = self.memory.state[:n]
        self.name = letters(r[MODE : MODE + 2], self.count)
        self.read_log()
        s[STEP] = min(FIRST * r[SPAN], s[MOST_STEP]) if r[SPAN] > 0.0 else 0.0

    def advance(self, system: Any, s: np.ndarray, y: np.ndarray, tolerance: Any, block: Any) -> int:
        """A block of steps; why it ended."""
        try:
            return advance_modes(self.form, s, y, self.memory, tolerance, block, self.most_changes)
        finally:
            self.read_log()

    def read_log(self) -> None:
        """Keep what happened in the last block; where the future was not unique, in words, for futures are known until the next change only."""
        m = self.memory
        rows = m.log[: int(m.logged[0]), : LOG_STATE + self.run.n].copy()
        m.logged[0] = 0.0
        self.logs.append(rows)
        for row in rows[rows[:, LOG_FUTURES] > 1.0]:
            t, taken, found = float(row[LOG_TIME]), int(row[LOG_TAKEN]), self.futures()
            self.taken.append({"t": t, "futures": [str(f) for f in found], "taken": taken})
            kind = f"{len(found)} futures, took {found[taken].letters}"
            self.told.append(Occurrence(t, "ambiguous", kind, row[LOG_STATE:], False))

    @property
    def changes(self) -> np.ndarray:
        """The log, a row for each change of mode (and the start)."""
        return np.concatenate(self.logs)

    def telling(self, until: float, others: list[Occurrence]) -> Telling:
        """What happened until a time, other events among it."""
        told, last = ([e for e in kind if e.t <= until] for kind in (self.told, self.last))
        return Telling(changes_in(self.changes, until), self.count, [*others, *told], last)

    def futures(self) -> list[Future]:
        """The futures at the last change of mode."""
        return futures_in(self.memory, self.count)

    @property
    def scale(self) -> np.ndarray:
        """The slips that others are compared with."""
        return self.memory.record[SCALE : SCALE + 2]

    @property
    def why(self) -> int:
        """Why the motion ended before its time (`memory`)."""
        return int(self.memory.record[WHY])

    def failure(self, status: int, run: Any, s: np.ndarray) -> Outcome:
        """The end, with its reason."""
        end = how_it_ended(self.system, self.form, self.memory, float(s[TIME]), float(s[STEP]), run.y[: run.n], self.most_changes)
        if self.why in (AMBIGUOUS, FORKS):
            self.taken.append({"t": float(s[TIME]), "futures": [str(f) for f in self.futures()], "taken": None})
        if end.event is not None:
            self.last.append(end.event)
        return end.outcome
