"""A motion through modes in words: what happened at its changes of mode, from the log of its solver when it is asked for, and why it ended before its time, from its memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ...kernel.names import called
from ..event_driven.policy import WAYS_OUT, numbered
from ..events.event import Occurrence
from ..result import outcome as o
from ..result.outcome import Outcome
from .algebra.code import DRIVE
from .algebra.forces import OPEN, ROLL, SLIP
from .algebra.future import Future, future_of
from .changing import FORK, STARTS
from .memory import (
    AMBIGUOUS,
    CONTACT,
    CROWD,
    FORKS,
    FOUND,
    GOES_ON,
    JAMMED,
    LOG_BEGINS,
    LOG_NEW,
    LOG_OLD,
    LOG_STATE,
    LOG_TIME,
    LOG_WHY,
    LOST,
    MODE,
    MOST_CHANGES,
    PAINLEVE,
    WHY,
    WRONG,
)

LETTERS = np.array([[a + b for b in "OSR"] for a in "OSR"])  # of two modes
WORDS = {  # what is said of a contact: its mode before and after, and whether slip begins
    (float(old), float(new), begins): word
    for begins in (False, True)
    for old, new, word in ((SLIP, ROLL, "stick"), (ROLL, SLIP, "slip"), (SLIP, OPEN, "lift_off"), (ROLL, OPEN, "lift_off"))
} | {(float(SLIP), float(SLIP), True): "slip_turns"}


@dataclass(frozen=True)
class Telling:
    """The rows of the log until the end of a motion, its contacts, what else happened, and how it ended."""

    rows: np.ndarray
    contacts: int
    others: list[Occurrence]
    last: list[Occurrence]

    def modes(self) -> list[list[Any]]:
        """[letters, time] of every mode that a change led to."""
        new = self.rows[:, LOG_NEW : LOG_NEW + 2].astype(int)
        names = LETTERS[new[:, 0], new[:, 1]].astype(f"U{self.contacts}")
        return [list(pair) for pair in zip(names.tolist(), self.rows[:, LOG_TIME].tolist())]

    def __call__(self) -> list[Occurrence]:
        """The events, in the order of time."""
        kinds = ("contact 0", "contact 1") if self.contacts == 2 else ("crossing",)
        found = list(self.others)
        for row, state in zip(self.rows[:, :LOG_STATE].tolist(), self.rows[:, LOG_STATE:]):
            for k, kind in enumerate(kinds):
                word = WORDS.get((row[LOG_OLD + k], row[LOG_NEW + k], row[LOG_BEGINS + k] > 0.0))
                if word is not None:
                    found.append(Occurrence(row[LOG_TIME], word, kind, state, False))
        return sorted([*found, *self.last], key=lambda e: e.t)


def changes_in(rows: np.ndarray, until: float) -> np.ndarray:
    """The rows of a log that are changes of a mode, until a time."""
    return rows[(rows[:, LOG_WHY] != STARTS) & ~passed_forks(rows) & (rows[:, LOG_TIME] <= until)]


def passed_forks(rows: np.ndarray) -> np.ndarray:
    """Which rows of a log are forks at which rolling was chosen, so that the mode went on."""
    same = (rows[:, LOG_OLD : LOG_OLD + 2] == rows[:, LOG_NEW : LOG_NEW + 2]).all(axis=1)
    return (rows[:, LOG_WHY] == FORK) & same


NEARLY_JAMMED = 1e-3  # of `drive`: where steps become too short so close to zero, that is why
KEPT = "the motion until then is kept."


class Ending(NamedTuple):
    """The end with its reason, and what is told of it among the events of the motion, if anything is."""

    outcome: Outcome
    event: Occurrence | None = None


def letters(modes: Sequence[float] | np.ndarray, count: int) -> str:
    """S, R, O for each contact."""
    return "".join("OSR"[int(m)] for m in modes[:count])


def futures_in(memory: Any, count: int) -> list[Future]:
    """The futures at the last change of mode."""
    return [future_of(row, count) for row in memory.here.rows[: int(memory.record[FOUND])]]


def how_it_ended(system: Any, form: Any, memory: Any, t: float, step: float, y: np.ndarray, most_changes: float) -> Ending:
    """Why a motion of a system did not go on from (t, y), where its next step was `step`."""
    who, r, why = called(system), memory.record, int(memory.record[WHY])
    if why in (AMBIGUOUS, FORKS):
        found = futures_in(memory, form.total)
        event = Occurrence(t, "ambiguous", f"{len(found)} futures", y.copy(), True)
        return Ending(Outcome(o.AMBIGUOUS, (_not_unique if why == AMBIGUOUS else _forks)(who, t, found)), event)
    modes = letters(r[MODE : MODE + 2], form.total)
    if why != GOES_ON:
        contact = int(r[CONTACT])
        status, told = _reasons(who, t, contact, modes, most_changes)[why]
        if status in (o.MOST_STEPS, o.UNSOLVED):
            return Ending(Outcome(status, told))
        return Ending(Outcome(status, told), Occurrence(t, status, "end", y.copy(), True))
    if SLIP in r[MODE : MODE + 2] and abs(memory.here.told[DRIVE]) < NEARLY_JAMMED:
        told = f"the normal forces of {who} grow without bound at t = {t:.10g}: slip loses its unique normal force (Painleve); {KEPT}"
        return Ending(Outcome(o.PAINLEVE, told))
    state = ", ".join(f"{value:.6g}" for value in y)
    told = f"{who} cannot go on at t = {t:.10g} (state {state}) in {modes}: the step fell to {abs(step):.2g}; {KEPT}"
    return Ending(Outcome(o.UNDERFLOW, told))


def _not_unique(who: str, t: float, found: list[Future]) -> str:
    return f"the future of {who} is not unique at t = {t:.10g}: {numbered(found)}. {WAYS_OUT}; {KEPT}"


def _forks(who: str, t: float, found: list[Future]) -> str:
    return f"{who} rolls, but at t = {t:.10g} its future is not unique any more: {numbered(found)}. {WAYS_OUT}; {KEPT}"


def _reasons(who: str, t: float, contact: int, modes: str, most_changes: float) -> dict[int, tuple[str, str]]:
    """Status and sentence of the other endings."""
    return {
        PAINLEVE: (o.PAINLEVE, f"no combination of slipping, rolling and opening is consistent for {who} at t = {t:.10g} (Painleve); {KEPT}"),
        JAMMED: (o.PAINLEVE, f"slip of {who} loses its unique normal force at t = {t:.10g} (Painleve); {KEPT}"),
        LOST: (o.LOST, f"a contact of {who} opens at t = {t:.10g}, and its states cannot tell how it goes on; {KEPT}"),
        WRONG: (
            o.UNSOLVED,
            f"{who} was followed in {modes} to t = {t:.10g}, where a contact would pull, or its friction be more than "
            f"mu N: a change of mode was missed. Take a smaller rtol or max_step; {KEPT}",
        ),
        CROWD: (o.MOST_STEPS, f"{who} changed its mode many times at t = {t:.10g} and gets no further; {KEPT}"),
        MOST_CHANGES: (o.MOST_STEPS, f"stopped at t = {t:.6g} after {most_changes:g} changes of mode; what was computed until then is here."),
    }  # fmt: skip
