"""What happened in a motion from event to event, in words: its modes and events, from the log of compiled code and from what Python decided."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.system import dim
from ..contact.event_driven import DryContact
from ..contact.held import OPEN
from ..contact.jumps import SLOW
from ..contact.transitions import word_for
from ..events.event import Occurrence
from ..hybrid.automaton import Change
from . import guards
from .follow import STARTS


class Words:
    """The log of a motion: rows of compiled code (`memory.change_kind`), and changes that Python decided, in the order in which they were made."""

    def __init__(self, automaton: DryContact):
        self.automaton, self.count, self.n = automaton, automaton.count, int(dim(automaton.system))
        self.entries: list[Any] = []

    def take(self, rows: np.ndarray) -> None:
        """Add rows of the log."""
        self.entries += list(rows)

    def say(self, t: float, change: Change, modes: Any) -> None:
        """Add a change that Python decided."""
        self.entries.append((t, change))

    @property
    def first_mode(self) -> str:
        """The name of the mode at the start."""
        return self.mode_of(self.entries[0]) if self.entries else "flight"

    def mode_of(self, entry: Any) -> str:
        """The name of the mode that a change led to; "" if it ended the motion, or if the mode goes on with other guards."""
        if isinstance(entry, tuple):
            mode = entry[1].mode
            return "" if mode is None or mode.continues else mode.name
        modes = modes_in(entry, self.count)
        if goes_on(entry, self.count):
            return ""
        return self.automaton.name_of(modes, entry.mu[: self.count])

    def modes(self, until: float) -> list[list[Any]]:
        """[name, since when] of every mode after the first, before a time."""
        found = []
        for entry in self.entries[1:]:
            t, name = float(entry[0]) if isinstance(entry, tuple) else float(entry.t), self.mode_of(entry)
            if name and t < until:
                found.append([name, t])
        return found

    def events(self, until: float) -> list[Occurrence]:
        """What happened until a time."""
        found: list[Occurrence] = []
        for entry in self.entries:
            if isinstance(entry, tuple):
                found += entry[1].reports if entry[0] <= until else []
            elif float(entry.t) <= until:
                found += self.impact_in(entry) if entry.landed > 0.0 else self.changes_in(entry)
        return found

    def changes_in(self, row: Any) -> list[Occurrence]:
        """What contacts did that changed their modes, without an impact."""
        if row.ending == STARTS:
            return []
        found, y = [], self.state(row.y)
        for k, (old, new) in enumerate(zip(row.before[: self.count].astype(int).tolist(), modes_in(row, self.count))):
            word = word_for(old, new) or ("slip_turns" if row.turns[k] > 0.0 else "")
            if word:
                t = float(row.stops_at) if word in ("stick", "slip_turns") else float(row.t)
                found.append(self.automaton.told(t, word, y, (k,)))
        return found

    def state(self, y: np.ndarray) -> np.ndarray:
        """The states of the system in a row of the log."""
        return np.array(y[: self.n])

    def impact_in(self, row: Any) -> list[Occurrence]:
        """What happened at an impact: the blow, contacts that last from now on, and in which modes."""
        t, y, modes, mu = float(row.t), self.state(row.y), modes_in(row, self.count), row.mu[: self.count]
        touching, held, lasting = (
            np.flatnonzero(flags[: self.count] > 0.0).tolist() for flags in (row.touching, row.held, row.lasting)
        )
        told = self.automaton.told
        hit = told(t, "impact", self.state(row.hit), (k for k in touching if k not in held))
        if not lasting:
            return [hit]
        new = tuple(k for k in lasting if k not in held and modes[k] != OPEN)
        begun = [told(float(row.limit), "contact", y, new)] if new else []
        whole = set(touching) <= set(lasting) and any(modes)
        if self.count == 1:
            name = self.automaton.name_of(modes, mu)
            word = told(t, name, y, new)
            return [*begun, word] if whole and name != "contact" else begun if whole else [hit, *begun]
        blow = [hit] if not whole or row.approach < -SLOW else []
        return [*blow, *begun, *self.automaton.begun_modes(t, y, new, modes, mu)]


def modes_in(row: Any, count: int) -> tuple[int, ...]:
    """The modes that a change led to."""
    return tuple(row.modes[:count].astype(int).tolist())


def goes_on(row: Any, count: int) -> bool:
    """Whether a change only gave a mode other guards: a contact that lifted off is far enough away, or forces are shared otherwise."""
    if row.ending == STARTS or row.landed > 0.0:
        return False
    place = int(row.ending) - guards.PER_CONTACT * count
    is_same = tuple(row.before[:count].astype(int)) == modes_in(row, count)
    return is_same and (place < 0 or place in (guards.BREAKS, guards.FORKS))
