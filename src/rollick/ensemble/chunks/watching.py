"""The quantities that are measured: on a CPU by addresses, one machine code for all; on a GPU by a table, whose kinds are compiled into the kernel."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kernel.compiled import compiled
from ...kernel.dispatch import generic
from ...motion.events.erased import SwitchAt
from ...motion.events.functions import SignalLevel, StateLevel, switch_values
from ...motion.events.probe import OF_FUNCTION, OF_SIGNAL, OF_STATE, Probe

CODE, DIRECTION, STOP, KIND, PLACE = range(5)  # columns of what is known of a measure


class ByAddress(NamedTuple):
    """Quantities by the addresses of their data and of their code."""

    data: np.ndarray
    codes: np.ndarray


class Last(NamedTuple):
    """The end of a chain."""


class Link(NamedTuple):
    """A quantity, and those after it."""

    head: Any
    tail: Any


class NoSignals(NamedTuple):
    """No signal is watched: nothing of them is compiled."""


class Signals(NamedTuple):
    """Some signals are watched."""


class InTable(NamedTuple):
    """Quantities by rows of a table (kind and place) and levels: states, signals, and functions of a chain. One code for all states, one for all signals."""

    known: Any
    levels: Any
    signals: Any
    chain: Any


class Picked(NamedTuple):
    """One of them."""

    kind: int
    place: int
    level: float
    signals: Any
    chain: Any


def in_table(switches: list[Any]) -> tuple[np.ndarray, np.ndarray, Any, Any]:
    """(kind, place) and level of quantities, whether there are signals, and the chain of those that are functions."""
    table, levels = np.zeros((len(switches), 2), np.int64), np.zeros(len(switches))
    functions: list[Any] = []
    for row, (j, switch) in zip(table, enumerate(switches)):
        if type(switch) in (StateLevel, SignalLevel):
            row[:] = OF_STATE if type(switch) is StateLevel else OF_SIGNAL, switch.place
            levels[j] = switch.level
        else:
            row[:] = OF_FUNCTION, len(functions)
            functions.append(switch)
    chain: Any = Last()
    for switch in reversed(functions):
        chain = Link(switch, chain)
    return table, levels, Signals() if OF_SIGNAL in table[:, 0] else NoSignals(), chain


@generic
def event_at(watching, m):
    """The m-th quantity."""


@event_at.register(ByAddress)
def _(watching, m):
    return SwitchAt(watching.data[m], watching.codes[m])


@event_at.register(InTable)
def _(watching, m):
    known = watching.known
    return Picked(known[m, KIND], known[m, PLACE], watching.levels[m], watching.signals, watching.chain)


@generic
def write_of(chain, number, system, t, y, out):
    """Write the value of the quantity of a number in a chain."""


@write_of.register(Last)
def _(chain, number, system, t, y, out):
    out[0] = 0.0


@write_of.register(Link)
def _(chain, number, system, t, y, out):
    if number == 0:
        switch_values(chain.head, system, t, y, out)
    else:
        write_of(chain.tail, number - 1, system, t, y, out)


@generic
def write_signal(watched, place, level, system, t, y, out):
    """Write the distance of a signal from a level."""


@write_signal.register(NoSignals)
def _(watched, place, level, system, t, y, out):
    out[0] = 0.0


@write_signal.register(Signals)
def _(watched, place, level, system, t, y, out):
    switch_values(SignalLevel(place, level), system, t, y, out)


@switch_values.register(Picked)
def _(picked, system, t, y, out):
    if picked.kind == OF_STATE:
        out[0] = y[picked.place] - picked.level
    elif picked.kind == OF_SIGNAL:
        write_signal(picked.signals, picked.place, picked.level, system, t, y, out)
    else:
        write_of(picked.chain, picked.place, system, t, y, out)


@compiled
def looking_at(p, of, watching, m):
    """The probe of the m-th quantity, in the memory of another one."""
    return Probe(event_at(watching, m), of, p.box, p.note, p.g, p.zeros, p.desk)
