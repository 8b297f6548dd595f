"""From one combination of modes to the next: the modes as ODEs with what ends them, the state as it enters them, and what is reported.

With one contact the reports are of the kind "crossing"; with several their kind says which contact it was: "contact 2", "contacts 0 3".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rollick.mechanics.contact import contact_count, positions
from rollick.mechanics.size import size_and_extent
from rollick.motion.contact.by_address import MODES, ByAddress
from rollick.motion.event_driven.thresholds import DRIVE_EDGE, LEAVING, NEAR, TRACE
from rollick.motion.events.event import Event, Occurrence
from rollick.motion.hybrid.automaton import Change, Mode

from .choice import Choice
from .jumps import at_rest, leaving_from_above
from .modes import OPEN, SLIP, STICK, in_mode
from .seen import View, view

LANDS = "lands"
NETS = "net"
LEAVES = "leaves"
STOPS = "least_slip"
IDLES = "idle_gap"
FORKS, JOINS = "forks", "joins"  # where another motion becomes consistent, and where none is any more
LIFTS, BREAKS = Event("normal", "falling", terminal=True, touch=False), Event("margin", "falling", terminal=True, touch=False)
JAMS, FREES = (
    Event("drive", way, terminal=True, touch=False, level=level, name=way)
    for way, level in (("falling", DRIVE_EDGE), ("rising", -DRIVE_EDGE))
)


def word_for(old: int, new: int) -> str:
    """What a contact does that changes its mode, in a word; nothing if it is not worth one."""
    if old != OPEN == new:
        return "lift_off"
    if old != STICK == new:
        return "stick"
    return "slip" if old == STICK and new == SLIP else ""


@dataclass
class Transitions:
    """A body with contacts: its modes, and how they are entered. Compiled code is given the body by its address."""

    system: Any
    painleve: str = "stop"
    rtol: float = 1e-9
    paradoxes: list[dict[str, Any]] = field(default_factory=list)
    recent: list[float] = field(default_factory=list)
    begun: dict[int, np.ndarray] = field(default_factory=dict)  # the directions in which slip began
    ambiguous: str = "stop"
    forks: list[dict[str, Any]] = field(
        default_factory=list
    )  # where the future was not unique: t, futures, which of them was taken
    in_band: bool = False  # what sticks is not the only future, and was chosen
    choices: Sequence[int] = ()  # which future is taken at the first state with several, the second, ...
    chosen: int = 0  # how many of them were made
    futures: Sequence[str] = ()  # what can follow where the motion ended, since none of them was chosen

    def __post_init__(self) -> None:
        self.by_address = ByAddress(self.system, MODES, any_size=True)

    @property
    def body(self) -> Any:
        """The system as compiled code is given it."""
        return self.by_address.body

    @property
    def count(self) -> int:
        """The number of contacts."""
        return int(contact_count(self.system))

    def modes_in(self, mode: Mode) -> tuple[int, ...]:
        """The modes of the contacts."""
        return tuple(mode.system.modes[: self.count])

    def name_of(self, modes: tuple[int, ...], mu: np.ndarray) -> str:
        """flight, slip, stick, idle or contact (a law that cannot hold); of several contacts one after the other."""
        words = [("flight", "slip" if m > 0.0 else "contact", "stick", "idle")[mode] for mode, m in zip(modes, mu)]
        return "flight" if not any(modes) else " ".join(words)

    def told(self, t: float, name: str, y: np.ndarray, contacts: Iterable[int]) -> Occurrence:
        """A report on some contacts."""
        numbers = " ".join(map(str, contacts))
        kind = "crossing" if self.count == 1 or not numbers else f"contact{'s' if ' ' in numbers else ''} {numbers}"
        return Occurrence(t, name, kind, y.copy(), False)

    def view(self, t: float, y: np.ndarray) -> View:
        """All contacts at an instant."""
        return view(self.body, t, y, self.rtol)

    def extent(self, y: np.ndarray) -> float:
        """How large the position is that gaps are differences of."""
        return float(size_and_extent(self.body, np.ascontiguousarray(y[: int(positions(self.system))]))[1])

    def size(self, y: np.ndarray) -> float:
        """How large the body is (m)."""
        return float(size_and_extent(self.body, np.ascontiguousarray(y[: int(positions(self.system))]))[0])

    def mode(
        self, modes: tuple[int, ...], y: np.ndarray, seen: View, lifted: Sequence[int] = (), shares: np.ndarray | None = None
    ) -> Mode:
        """Some modes that are entered in a state."""
        return Mode(self.name_of(modes, seen.mu), in_mode(self.body, modes, shares))

    def take(self, t: float, y: np.ndarray, choice: Choice, before: Mode | None, *reports: Occurrence) -> Change:
        """Go over to a choice of modes; slip that begins gets a first trace, along the accelerations with which it begins."""
        modes = tuple(choice.modes.get(k, OPEN) for k in range(self.count))
        wanted, still_slip = np.zeros(3 * self.count), self.view(t, y).still
        paces = {k: choice.paces.get(k, 1.0) for k in choice.ways}
        size = max((TRACE * still_slip[k] / paces[k] for k in choice.ways), default=0.0)
        for k, way in choice.ways.items():
            wanted[3 * k + 1 : 3 * k + 3] = size * paces[k] * way
        held = tuple(k for k, m in enumerate(modes) if m != OPEN)
        still = tuple(k for k in held if modes[k] == STICK or k in choice.ways)
        if held:
            y = at_rest(self.system, self.body, t, y, held, still, wanted)
            y = leaving_from_above(self.system, self.body, y, self.view(t, y), held)
        return self.change(modes, t, y, before, *reports, turned=choice.ways, shares=choice.shares)

    def change(
        self,
        modes: tuple[int, ...],
        t: float,
        y: np.ndarray,
        before: Mode | None,
        *reports: Occurrence,
        turned: dict[int, np.ndarray] | None = None,
        shares: np.ndarray | None = None,
    ) -> Change:
        """Go over to some modes, and report what changed; None before: after an impact, nothing but the mode.

        A contact that lifts off has a flight of two parts, reported as one: until its gap is more than noise, and from there on.
        """
        seen, ways = self.view(t, y), turned or {}
        more: list[Occurrence] = []
        if before is not None:
            for k, (old, new) in enumerate(zip(self.modes_in(before), modes)):
                word = word_for(old, new)
                if old == new == SLIP and k in ways:  # slip that hardly began, and begins again, is not worth a word
                    word = "" if k in self.begun and float(self.begun[k] @ ways[k]) > 0.5 else "slip_turns"
                if word:
                    more.append(self.told(t, word, y, (k,)))
        self.begun = {k: way for k, way in {**self.begun, **ways}.items() if modes[k] == SLIP}
        near = NEAR * self.size(y)
        lifted = [k for k, m in enumerate(modes) if m == OPEN and seen.gaps[k] < near and seen.gamma[k, 0] < LEAVING]
        if self.count == 1:
            lifted = [0] if any(e.name == "lift_off" for e in more) else []
        return Change(self.mode(modes, y, seen, lifted, shares), y, [*reports, *more])
