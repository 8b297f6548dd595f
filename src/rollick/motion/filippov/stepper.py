"""The motion through modes as a stepper of the common loop: its blocks are `through.advance_modes`; here are its start, its log in words, and its endings."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..events.event import Occurrence
from ..ode.control import MOST_STEP, STEP, TIME
from ..result.outcome import Outcome
from .by_address import ReadyForm
from .changing import STARTS, start
from .endings import futures_in, how_it_ended, letters
from .forces import OPEN, ROLL, SLIP
from .future import Future
from .instant import look
from .memory import (
    AMBIGUOUS,
    CAREFUL,
    CLOSES,
    CONTACT,
    FORKED,
    LOG_GIVEN,
    LOG_STATE,
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
from .touching_at import Touch, tidied, touching

POLICIES = ("stop", "roll")
LETTERS = {(float(a), float(b)): "OSR"[a] + "OSR"[b] for a in range(3) for b in range(3)}
TOLD = {  # what is said of a contact: its mode before and after, and whether slip begins
    (float(old), float(new), begins): word
    for begins in (False, True)
    for old, new, word in ((SLIP, ROLL, "stick"), (ROLL, SLIP, "slip"), (SLIP, OPEN, "lift_off"), (ROLL, OPEN, "lift_off"))
} | {(float(SLIP), float(SLIP), True): "slip_turns"}
SMALLEST = 1e-13  # the least slip, relative to its scale, that counts as some
FIRST = 1e-3  # of the whole time: the first step


def set_options(record: np.ndarray, options: Any, careful: bool) -> None:
    """What the method is asked for, into the record of a memory."""
    record[RELATIVE] = max(float(options.rtol), SMALLEST)
    record[OWN_SCALE] = 0.0 if options.slip_scale is None else float(options.slip_scale)
    record[CAREFUL] = careful
    record[POLICY] = POLICIES.index(options.ambiguous)


def touching_at_start(system: Any, form: Any, t: float, y: np.ndarray, here: Any) -> Touch:
    """Which contacts touch at the start; the state is pulled onto what must hold whatever they do."""
    tidied(system, form, y)
    look(form, (OPEN, OPEN), t, y, here)
    return touching(system, form.total, bool(form.opens), t, y, here.free[: y.size], here.gaps.copy())


class ThroughModes:
    """Steps and changes of mode of a system with dry contacts. `told`: what happened; `taken`: the states at which the future was not unique,
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
        self.taken: list[dict[str, Any]] = []
        self.changes: list[np.ndarray] = []
        y, t = run.y, float(s[TIME])
        touch = touching_at_start(self.system, self.form, t, y[:n], self.memory.here)
        self.memory.state[:n] = y[:n]
        start(self.form, self.memory, *touch.closed, t)
        if touch.hits is None:
            y[:n] = self.memory.state[:n]
        else:  # it begins with an impact
            r[WHY], r[CONTACT] = CLOSES, touch.hits[0]
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
        """What happened in the last block, in words."""
        m = self.memory
        rows = m.log[: int(m.logged[0]), : LOG_STATE + self.run.n].copy()
        m.logged[0] = 0.0
        self.changes += list(rows)
        kinds = ("contact 0", "contact 1") if self.count == 2 else ("crossing",)
        told, used = self.told, self.run.used
        for (t, why, _, *modes, futures, taken, begins0, begins1), state in zip(
            rows[:, :LOG_GIVEN].tolist(), rows[:, LOG_STATE:]
        ):
            if futures > 1:
                found = self.futures()
                self.taken.append({"t": t, "futures": [str(f) for f in found], "taken": int(taken)})
                kind = f"{len(found)} futures, took {found[int(taken)].letters}"
                told.append(Occurrence(t, "ambiguous", kind, state, False))
            if why == STARTS:
                continue
            used.append((LETTERS[modes[2], modes[3]][: self.count], t))
            for kind, old, new, begins in zip(kinds, modes[:2], modes[2:], (begins0, begins1)):
                word = TOLD.get((old, new, begins > 0.0))
                if word is not None:
                    told.append(Occurrence(t, word, kind, state, False))

    def futures(self) -> list[Future]:
        """The futures at the last change of mode."""
        return futures_in(self.memory, self.count)

    @property
    def scale(self) -> np.ndarray:
        """The slips that others are compared with."""
        return self.memory.record[SCALE : SCALE + 2]

    @property
    def forked(self) -> float | None:
        """Since when rolling is not the only future."""
        since = float(self.memory.record[FORKED])
        return since if np.isfinite(since) else None

    @property
    def why(self) -> int:
        """Why the motion ended before its time (`memory`)."""
        return int(self.memory.record[WHY])

    def failure(self, run: Any, s: np.ndarray) -> Outcome:
        """The end, with its reason."""
        end = how_it_ended(self.system, self.form, self.memory, float(s[TIME]), float(s[STEP]), run.y[: run.n], self.most_changes)
        if self.why == AMBIGUOUS:
            self.taken.append({"t": float(s[TIME]), "futures": [str(f) for f in self.futures()], "taken": None})
        if end.event is not None:
            self.told.append(end.event)
        return end.outcome
