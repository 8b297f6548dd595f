"""What happened at the changes of mode of a motion, in words: from the log of the solver, when it is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..events.event import Occurrence
from .changing import FORK, STARTS
from .forces import OPEN, ROLL, SLIP
from .memory import LOG_BEGINS, LOG_NEW, LOG_OLD, LOG_STATE, LOG_TIME, LOG_WHY

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
