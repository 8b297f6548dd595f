"""What an event watches: the zero of a state, of a signal, or of a function a user wrote.

Each kind is a NamedTuple. Its values are compiled once per kind of event and type of system; the search for its zeros once for all (see `erased`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...kernel.dispatch import generic
from ...kernel.local_array import float64, local_array
from ...kernel.system import dim, signal_count, signals


class StateLevel(NamedTuple):
    """Zero when a state (or, after the states, an integral) passes a level."""

    place: int
    level: float


class SignalLevel(NamedTuple):
    """Zero when a derived signal passes a level."""

    place: int
    level: float


class Function(NamedTuple):
    """Zero when a compiled function f(system, t, y, values), a number, vanishes; `values` are the numbers it takes from outside."""

    f: Any
    values: tuple = ()


class Functions(NamedTuple):
    """Zero when an entry of a compiled function f(system, t, y, values), a tuple or an array, vanishes."""

    f: Any
    size: int
    values: tuple = ()


class Ready(NamedTuple):
    """An event function that is compiled already: anything for which `switch_values` is registered, and how many values it has.

    `numbered`: which of the values it was is told in the name, as for functions of a user with several values.
    """

    switch: Any
    size: int
    numbered: bool = False


@generic
def switch_values(event, system, t, y, out):
    """Write the values whose zeros are the event into out."""


@switch_values.register(StateLevel)
def _(event, system, t, y, out):
    out[0] = y[event.place] - event.level


@switch_values.register(SignalLevel)
def _(event, system, t, y, out):
    values = local_array(signal_count(system), float64)
    signals(system, t, y, values)
    out[0] = values[event.place] - event.level


@switch_values.register(Function)
def _(event, system, t, y, out):
    out[0] = event.f(system, t, y[: dim(system)], event.values)


@switch_values.register(Functions)
def _(event, system, t, y, out):
    values = event.f(system, t, y[: dim(system)], event.values)
    for i in range(event.size):
        out[i] = values[i]
