"""The user's events at a jump of the state: an impact, a change of mode."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...kernel.compiled import compiled
from ..result import outcome as o
from ..result.outcome import Outcome
from .erased import Switch
from .event import DIRECTIONS, Occurrence, Watch
from .functions import switch_values


@compiled
def event_values(event, system, t, y, out):
    """The values of an event function, in machine code: signals cannot be had otherwise."""
    switch_values(event, system, t, y, out)


def _values(w: Watch, t: float, y: np.ndarray) -> np.ndarray:
    """The values of a watched function at a state."""
    found = np.empty(w.size)
    switch = Switch(w.switch, w.system)  # holds what `erased` points at
    event_values(switch.erased, 0.0, float(t), y, found)
    return found


def _told(w: Watch, t: float, y: np.ndarray, tolerance: Any) -> np.ndarray:
    """The values of a watched function at a state; 0 for those that are zero to tolerance: no more than what ten times that of each state changes."""
    found = _values(w, t, y)
    doubt = np.zeros(w.size)
    for j in range(y.size):
        moved = y.copy()
        moved[j] += 10.0 * (tolerance.absolute[j] + tolerance.relative * abs(y[j]))
        doubt += np.nan_to_num(np.abs(_values(w, t, moved) - found))
    return np.where(np.abs(found) <= doubt, 0.0, found)


def crossed_by_jump(
    watches: Sequence[Watch], seen: Sequence[int], t: float, before: np.ndarray, after: np.ndarray, n: int, tolerance: Any
) -> tuple[list[Occurrence], Outcome | None, list[int]]:
    """The user's events whose function jumps across zero, or to it, when the state jumps; an outcome if one of them ends the motion; how many of each.

    seen: how many of each there were before. A function that is zero before has been told already.
    """
    found: list[Occurrence] = []
    outcome, counts = None, [0] * len(watches)
    if np.array_equal(before, after):
        return found, outcome, counts
    for k, w in enumerate(watches):
        for name, a, b in zip(w.names, _told(w, t, before, tolerance), _told(w, t, after, tolerance)):
            kind = "rising" if a < 0.0 <= b else "falling" if b <= 0.0 < a else ""
            if kind and DIRECTIONS[w.event.direction] * (1 if kind == "rising" else -1) >= 0:
                counts[k] += 1
                ends = 0 < w.stop_after <= seen[k] + counts[k]
                found.append(Occurrence(t, name, kind, after[:n].copy(), ends))
                if ends:
                    outcome = outcome or Outcome(o.EVENT, f"stopped by the event {name} ({kind}) at t = {t:.10g}.")
    return found, outcome, counts
