"""The gaps of open contacts as an event of its own, one entry per contact: none hides behind another that is smaller."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...mechanics.contact import contact_count, gap, positions
from ..events.event import Event
from ..events.functions import Ready, switch_values
from .held import OPEN
from .modes import room_for


class OpenGaps(NamedTuple):
    """Zero where the gap of an open contact passes a level; a level for each contact."""

    levels: tuple


@switch_values.register(OpenGaps)
def _(event, mode, t, y, out):
    for k in range(contact_count(mode.system)):
        out[k] = 1.0
        if mode.modes[k] == OPEN:
            out[k] = gap(mode.system, t, y[: positions(mode.system)], k) - event.levels[k]


def gaps_pass(name: str, direction: str, levels: Any) -> Event:
    """The event that the gap of an open contact passes its level."""
    given = tuple(map(float, levels))
    more = room_for(len(given)) - len(given)
    return Event(Ready(OpenGaps((*given, *(0.0,) * more)), len(given)), direction, terminal=True, touch=False, name=name)
