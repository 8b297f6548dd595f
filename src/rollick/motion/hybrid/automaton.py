"""What changes its equations: modes, each an ODE; what ends a mode; and what follows an ending.

An automaton answers

    begin(t, y)                      the mode at the start, and the state in it: a `Change`
    after(mode, event, t, y)         what follows when an event ended a mode: a `Change`

and `follow` (`hybrid.follow`) does the rest. A dry contact (flight, slip, stick) and a bearing that sticks are automata.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ..events.event import Event, Occurrence
from ..result.outcome import Outcome


@dataclass(frozen=True)
class Mode:
    """An ODE in the states of the whole, and the events of its quantities that end it."""

    name: str
    system: Any
    endings: Sequence[Event] = ()
    continues: bool = False  # the mode before in all but its endings: not listed again


@dataclass(frozen=True)
class Change:
    """What follows the end of a mode: the next mode and its state, the occurrences to report, and a sentence if the motion cannot go on.

    `sums` is added to the integrals: what a jump of the state took or gave.
    """

    mode: Mode | None
    state: np.ndarray
    reports: Sequence[Occurrence] = ()
    outcome: Outcome | None = None
    sums: np.ndarray | None = None


class Automaton(Protocol):
    """Modes and what follows their endings."""

    def begin(self, t: float, y: np.ndarray) -> Change:
        """The mode at the start (needed even if the motion ends there), and the state in it."""
        ...

    def after(self, mode: Mode, event: Occurrence, t: float, y: np.ndarray) -> Change:
        """What follows an event that ended a mode."""
        ...
