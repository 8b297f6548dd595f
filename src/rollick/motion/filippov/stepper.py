"""The motion through modes as a stepper of the common loop: its blocks are `through.advance_modes`; here are its start, its log in words, and its endings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...kernel.names import called
from ..events.event import Occurrence
from ..ode.control import MOST_STEP, STEP, TIME
from ..result import outcome as o
from ..result.outcome import Outcome
from .by_address import ReadyForm
from .changing import STARTS, start
from .code import DRIVE
from .forces import OPEN, ROLL, SLIP
from .future import Future, future_of
from .instant import look
from .memory import (
    AMBIGUOUS,
    CAREFUL,
    CLOSES,
    CONTACT,
    CROWD,
    FORKED,
    FORKS,
    FOUND,
    GOES_ON,
    JAMMED,
    LOG_GIVEN,
    LOG_STATE,
    LOST,
    MODE,
    MOST_CHANGES,
    OWN_SCALE,
    PAINLEVE,
    POLICY,
    RELATIVE,
    SCALE,
    SPAN,
    WHY,
    WRONG,
    memory,
)
from .through import advance_modes
from .touching_at import tidied, touching

POLICIES = ("stop", "roll")
LETTERS = {(float(a), float(b)): "OSR"[a] + "OSR"[b] for a in range(3) for b in range(3)}
TOLD = {  # what is said of a contact: its mode before and after, and whether slip begins
    (float(old), float(new), begins): word
    for begins in (False, True)
    for old, new, word in ((SLIP, ROLL, "stick"), (ROLL, SLIP, "slip"), (SLIP, OPEN, "lift_off"), (ROLL, OPEN, "lift_off"))
} | {(float(SLIP), float(SLIP), True): "slip_turns"}
NEARLY_JAMMED = 1e-3  # of `drive`: where steps become too short so close to zero, that is why
SMALLEST = 1e-13  # the least slip, relative to its scale, that counts as some


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
        r = self.memory.record
        r[RELATIVE] = max(float(options.rtol), SMALLEST)
        r[SPAN] = abs(run.t1 - run.t0)
        r[OWN_SCALE] = 0.0 if options.slip_scale is None else float(options.slip_scale)
        r[CAREFUL] = careful
        r[POLICY] = POLICIES.index(options.ambiguous)
        self.told: list[Occurrence] = []
        self.taken: list[dict[str, Any]] = []
        self.changes: list[np.ndarray] = []
        y, t = run.y, float(s[TIME])
        tidied(self.system, self.form, y[:n])
        gaps = self.gaps(t, y)
        touch = touching(self.system, self.count, bool(self.form.opens), t, y[:n], self.memory.here.free[:n], gaps)
        self.memory.state[:n] = y[:n]
        start(self.form, self.memory, *touch.closed, t)
        if touch.hits is None:
            y[:n] = self.memory.state[:n]
        else:  # it begins with an impact
            r[WHY], r[CONTACT] = CLOSES, touch.hits[0]
        self.name = self.letters(r[MODE : MODE + 2])
        self.read_log()
        s[STEP] = min(1e-3 * r[SPAN], s[MOST_STEP]) if r[SPAN] > 0.0 else 0.0

    def gaps(self, t: float, y: np.ndarray) -> np.ndarray:
        """The gaps of all contacts."""
        look(self.form, (OPEN, OPEN), t, y, self.memory.here)
        return self.memory.here.gaps.copy()

    def letters(self, modes: Sequence[float]) -> str:
        """S, R, O for each contact."""
        return "".join("OSR"[int(m)] for m in modes[: self.count])

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
        m = self.memory
        return [future_of(row, self.count) for row in m.here.rows[: int(m.record[FOUND])]]

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
        t, who, r = float(s[TIME]), called(self.system), self.memory.record
        contact = int(r[CONTACT])
        kept = "the motion until then is kept."
        words = {
            PAINLEVE: (o.PAINLEVE, f"no combination of slipping, rolling and opening is consistent for {who} at t = {t:.10g} (Painleve); {kept}"),
            JAMMED: (o.PAINLEVE, f"slip of {who} loses its unique normal force at t = {t:.10g} (Painleve); {kept}"),
            LOST: (o.LOST, f"a contact of {who} opens at t = {t:.10g}, and its states cannot tell how it goes on; {kept}"),
            CLOSES: (
                o.CLOSES,
                f"contact {contact} of {who} closes at t = {t:.10g}, with an impact, which the method 'filippov' does not follow; "
                f"take 'event-driven'. {kept.capitalize()}",
            ),
            WRONG: (
                o.UNSOLVED,
                f"{who} was followed in {self.letters(r[MODE : MODE + 2])} to t = {t:.10g}, where a contact would pull, or its friction be more than "
                f"mu N: a change of mode was missed. Take a smaller rtol or max_step; {kept}",
            ),
            CROWD: (o.MOST_STEPS, f"{who} changed its mode many times at t = {t:.10g} and gets no further; {kept}"),
            MOST_CHANGES: (o.MOST_STEPS, f"stopped at t = {t:.6g} after {self.most_changes:g} changes of mode; what was computed until then is here."),
        }  # fmt: skip
        if self.why == AMBIGUOUS:
            found = self.futures()
            self.taken.append({"t": t, "futures": [str(f) for f in found], "taken": None})
            self.told.append(Occurrence(t, "ambiguous", f"{len(found)} futures", run.y[: run.n].copy(), True))
            listed = "; ".join(f"{i}: {f}" for i, f in enumerate(found))
            told = (
                f"the future of {who} is not unique at t = {t:.10g}: {listed}. Choose ambiguous='roll' (prefer rolling), choices=(i, ...), "
                f"or follow all of them with motion_tree; {kept}"
            )
            return Outcome(o.AMBIGUOUS, told)
        if self.why == FORKS:
            found = self.futures()
            self.told.append(Occurrence(t, "ambiguous", f"{len(found)} futures", run.y[: run.n].copy(), True))
            return Outcome(
                o.AMBIGUOUS,
                f"{who} rolls, but at t = {t:.10g} its future is not unique any more: {'; '.join(map(str, found))}. "
                f"Choose ambiguous='roll' to go on rolling; {kept}",
            )
        if self.why == GOES_ON and SLIP in r[MODE : MODE + 2] and abs(self.memory.here.told[DRIVE]) < NEARLY_JAMMED:
            told = f"the normal forces of {who} grow without bound at t = {t:.10g}: slip loses its unique normal force (Painleve); {kept}"
            return Outcome(o.PAINLEVE, told)
        if self.why != GOES_ON:
            status, told = words[self.why]
            name, kind = ("closes", f"contact {contact}") if self.why == CLOSES else (status, "end")
            if status not in (o.MOST_STEPS, o.UNSOLVED):
                self.told.append(Occurrence(t, name, kind, run.y[: run.n].copy(), True))
            return Outcome(status, told)
        state = ", ".join(f"{value:.6g}" for value in run.y[: run.n])
        return Outcome(
            o.UNDERFLOW,
            f"{who} cannot go on at t = {t:.10g} (state {state}) in {self.letters(r[MODE : MODE + 2])}: the step fell to {abs(s[STEP]):.2g}; {kept}",
        )
