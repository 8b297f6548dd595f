"""The memory of a motion from event to event: one record, so that compiled code passes one address instead of dozens of arrays; and the log of its changes."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ...kernel.system import dim
from ...mechanics.contact import contact_count, velocities
from ..contact.by_address import BodyOfAnySize
from ..contact.work import ROWS as WIDTH
from ..filippov.records import fields, record
from .all_futures import ROOM
from .guards import LEVELS, OTHERS, PER_CONTACT, ROWS
from .several_closed import KEPT
from .sight import choice_kind, sight_kind


def room_for(count: int) -> int:
    """The number of contacts that there is room for: 1, 8, 16, 32, ..."""
    room = 1 if count == 1 else 8
    while room < count:
        room *= 2
    return room


def sizes_of(system: Any) -> tuple[int, int, int]:
    """The numbers of contacts, velocities and states that there is room for: those of the system or, where compiled code serves bodies of any size, a little more."""
    count, nu, n = int(contact_count(system)), int(velocities(system)), int(dim(system))
    if not isinstance(system, BodyOfAnySize):
        return count, nu, n
    return room_for(count), nu if len(system.rigid) else 8 * -(-nu // 8), n if len(system.rigid) else 8 * -(-n // 8)


@functools.cache
def _memory_kind(count: int, nu: int, n: int) -> np.dtype:
    return fields(
        sight=sight_kind(count, nu, n), choice=choice_kind(count), trial=choice_kind(count), old=choice_kind(count), kept=np.dtype((choice_kind(count), (KEPT,))), before=(count,), closed=(count,), still=(count,), touching=(count,),
        held=(count,), lifted=(count,), wanted=(3 * count,), levels=(LEVELS,), spare=(n,), struck=(n,), after=(n,), y=(n,), values=(ROWS, (PER_CONTACT + 1) * count + OTHERS),
        blows=(WIDTH * count,), work=(count,), lasting=(count,), begun=(count,), turns=(count,), begun_ways=(2 * count,),
        fresh=(), changes=(), crowd=(), instant=(), landed=(), approach=(), limit=(), stops_at=(), in_band=(), asked=(), question=(), pauses=(), logged=(),
    )  # fmt: skip


def memory_kind(system: Any) -> np.dtype:
    """All contacts as they are seen; the choice of modes, one that is tried, that of the mode before, and some that are kept while they are compared; modes before; which contacts are closed, still, touch, were held, have just lifted off (1: yes); slips that
    are wanted; levels of guards; a state a moment later, one before an impact, one right after it, one inside a step; guards at some places.

    Of an impact: percussions, the work done on the body on the way, and which contacts lasted. begun: whether slip has begun, and in which direction; turns: whether it turned.

    fresh: whether the next step is the first of its mode. changes: how many there were, crowd: of them at the latest instant. landed: whether the last one was an impact;
    approach: how fast (m/s, negative) contacts came down in it; limit: when the rebounds end that it sums; stops_at: when a slip ends that is as good as none. in_band: whether
    contacts stick where slip is consistent, too. asked: what ended the last mode (`follow`); question: what has no single answer then (`changes`). pauses: whether blocks end at changes. logged: rows of the log.
    """
    return _memory_kind(*sizes_of(system))


def memory(system: Any) -> Any:
    """Memory for a body."""
    return record(memory_kind(system))


def room_for_futures(system: Any) -> Any:
    """Room for all choices of `all_futures`."""
    return np.zeros(ROOM, choice_kind(sizes_of(system)[0])).view(np.recarray)


@functools.cache
def _change_kind(count: int, n: int) -> np.dtype:
    return fields(
        t=(), ending=(), landed=(), approach=(), limit=(), stops_at=(), before=(count,), choice=choice_kind(count), mu=(count,), held=(count,), touching=(count,), lasting=(count,),
        turns=(count,), hit=(n,), y=(n,)
    )  # fmt: skip


def change_kind(system: Any) -> np.dtype:
    """A row of the log: when a mode ended, by which guard (`guards`; STARTS: it is the first), modes before, the choice after, grips, which contacts were held, touched and lasted if it
    was an impact, which slips turned; the states right after the impact and after all."""
    count, _, n = sizes_of(system)
    return _change_kind(count, n)
