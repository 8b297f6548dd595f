"""What happened in a motion from event to event, in words: its modes and events, from the log of compiled code and from what was asked on the way.

With one contact the events are of the kind "crossing"; with several their kind says which contact it was: "contact 2", "contacts 0 3".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ...kernel.names import called
from ...kernel.system import dim
from ...mechanics.contact import contact_count
from ..contact.held import OPEN, SLIP, STICK
from ..events.event import Occurrence
from . import guards
from .follow import STARTS, STRUCK
from .thresholds import SLOW


def word_for(old: int, new: int) -> str:
    """What a contact does that changes its mode, in a word; nothing if it is not worth one."""
    if old != OPEN == new:
        return "lift_off"
    if old != STICK == new:
        return "stick"
    return "slip" if old == STICK and new == SLIP else ""


def name_of(modes: tuple[int, ...], mu: np.ndarray) -> str:
    """flight, slip, stick, idle or contact (a law that cannot hold); of several contacts one after the other."""
    words = [("flight", "slip" if m > 0.0 else "contact", "stick", "idle")[mode] for mode, m in zip(modes, mu)]
    return "flight" if not any(modes) else " ".join(words)


def unsolved(system: Any, t: float, approach: float) -> str:
    """Why a motion ends at an impact that was not solved: it leaves a contact approaching (m/s, negative)."""
    return (
        f"the impact of {called(system)} at t = {t:.10g} was not solved: a contact would still approach with {-approach:.3g} m/s. "
        f"The motion until then is kept; method='moreau' may get further."
    )


class Words:
    """The log of a motion: rows of compiled code (`memory.change_kind`), each with what was told when it was asked for."""

    def __init__(self, system: Any):
        self.count, self.n = int(contact_count(system)), int(dim(system))
        self.rows: list[Any] = []
        self.notes: list[list[Occurrence]] = []
        self.waiting: list[Occurrence] = []  # to be told with the next row, or at the end

    def take(self, rows: np.ndarray) -> None:
        """Add rows of the log."""
        for row in rows:
            self.rows.append(row)
            self.notes.append(self.waiting)
            self.waiting = []

    def say(self, event: Occurrence) -> None:
        """Tell something with the next change, or at the end if there is none."""
        self.waiting.append(event)

    def told(self, t: float, name: str, y: np.ndarray, contacts: Iterable[int]) -> Occurrence:
        """An event at some contacts."""
        numbers = " ".join(map(str, contacts))
        kind = "crossing" if self.count == 1 or not numbers else f"contact{'s' if ' ' in numbers else ''} {numbers}"
        return Occurrence(t, name, kind, np.array(y[: self.n]), False)

    @property
    def first_mode(self) -> str:
        """The name of the mode at the start."""
        return self.mode_of(self.rows[0]) if self.rows else "flight"

    def mode_of(self, row: Any) -> str:
        """The name of the mode that a change led to; "" if the mode goes on with other guards."""
        return "" if goes_on(row, self.count) else name_of(modes_in(row, self.count), row.mu[: self.count])

    def modes(self, until: float) -> list[list[Any]]:
        """[name, since when] of every mode after the first, before a time."""
        rows = [row for row in self.rows[1:] if float(row.t) < until and not goes_on(row, self.count)]
        return [[self.mode_of(row), float(row.t)] for row in rows]

    def events(self, until: float) -> list[Occurrence]:
        """What happened until a time."""
        found: list[Occurrence] = []
        for row, notes in zip(self.rows, self.notes):
            if float(row.t) <= until:
                found += [*self.impact_in(row), *notes] if row.landed > 0.0 else [*notes, *self.changes_in(row)]
        return [*found, *(event for event in self.waiting if event.t <= until)]

    def changes_in(self, row: Any) -> list[Occurrence]:
        """What contacts did that changed their modes, without an impact."""
        if row.ending in (STARTS, STRUCK):
            return []
        found = []
        for k, (old, new) in enumerate(zip(row.before[: self.count].astype(int).tolist(), modes_in(row, self.count))):
            word = word_for(old, new) or ("slip_turns" if row.turns[k] > 0.0 else "")
            if word:
                t = float(row.stops_at) if word in ("stick", "slip_turns") else float(row.t)
                found.append(self.told(t, word, row.y, (k,)))
        return found

    def impact_in(self, row: Any) -> list[Occurrence]:
        """What happened at an impact: the blow, contacts that last from now on, and in which modes."""
        t, y, modes, mu = float(row.t), row.y, modes_in(row, self.count), row.mu[: self.count]
        touching, held, lasting = (
            np.flatnonzero(flags[: self.count] > 0.0).tolist() for flags in (row.touching, row.held, row.lasting)
        )
        told = self.told
        hit = told(t, "impact", row.hit, (k for k in touching if k not in held))
        if not lasting:
            return [hit]
        new = tuple(k for k in lasting if k not in held and modes[k] != OPEN)
        begun = [told(float(row.limit), "contact", y, new)] if new else []
        whole = set(touching) <= set(lasting) and any(modes)
        if self.count == 1:
            name = name_of(modes, mu)
            word = told(t, name, y, new)
            return [*begun, word] if whole and name != "contact" else begun if whole else [hit, *begun]
        blow = [hit] if not whole or row.approach < -SLOW else []
        words = {k: name_of((modes[k],), mu[[k]]) for k in new}
        modes_begun = [word for word in ("slip", "stick") if word in words.values()]
        return [*blow, *begun, *(told(t, word, y, (k for k in new if words[k] == word)) for word in modes_begun)]


def modes_in(row: Any, count: int) -> tuple[int, ...]:
    """The modes that a change led to."""
    return tuple(row.choice.modes[:count].astype(int).tolist())


def goes_on(row: Any, count: int) -> bool:
    """Whether a change only gave a mode other guards: a contact that lifted off is far enough away, or forces are shared otherwise."""
    if row.ending in (STARTS, STRUCK) or row.landed > 0.0:
        return False
    place = int(row.ending) - guards.PER_CONTACT * count
    is_same = tuple(row.before[:count].astype(int)) == modes_in(row, count)
    return is_same and (place < 0 or place in (guards.BREAKS, guards.FORKS))
