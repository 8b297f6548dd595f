"""Events as a user states them.

Event("normal_force", "falling", terminal=True)     a signal or state by name
Event("beta", level=0.1)                            passing a level
Event(lambda t, y: y[0] - y[1], name="swap")        any function that Numba can compile: f(t, y) or f(system, t, y)
Event(lambda t, y: (y[0], y[1]), name="axes")       several at once: named axes[0], axes[1]
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..kernel.compiled import compiled_uncached
from ..kernel.names import choose
from ..kernel.system import description
from .switch import Function, Functions, SignalLevel, StateLevel

DIRECTIONS = {"both": 0, "rising": 1, "falling": -1, 0: 0, 1: 1, -1: -1}
KINDS = {1: "rising", -1: "falling", 0: "touch"}


@dataclass(frozen=True)
class Event:
    """A moment to find: the zero of a quantity minus a level.

    `what` names a state or a signal of the system, or is a function f(t, y) or f(system, t, y) that returns a number, a tuple or an array.
    `direction` is "rising", "falling" or "both", seen in the direction of integration. `terminal` stops the motion at the first
    occurrence (or at the n-th, if a number). `touch=False` ignores touches (zeros without a change of sign).
    """

    what: str | Callable
    direction: str | int = "both"
    terminal: bool | int = False
    level: float = 0.0
    name: str = ""
    touch: bool = True

    def __post_init__(self):
        if self.direction not in DIRECTIONS:
            raise ValueError(f"direction of an event must be 'rising', 'falling' or 'both', not {self.direction!r}.")
        if not (isinstance(self.terminal, (bool, np.bool_)) or (isinstance(self.terminal, int) and self.terminal >= 1)):
            raise ValueError(
                f"terminal must be True, False or the number of the occurrence to stop at (1, 2, ...), not {self.terminal!r}."
            )
        if not (callable(self.what) or isinstance(self.what, str)):
            raise TypeError(f"an event watches a state or signal by name, or a function f(t, y); got {self.what!r}.")

    @property
    def label(self) -> str:
        """The name events are reported under."""
        return self.name or (self.what if isinstance(self.what, str) else getattr(self.what, "__name__", "event"))


@dataclass(frozen=True)
class Occurrence:
    """An event that happened: when, which, how (rising, falling, touch), and the state there."""

    t: float
    name: str
    kind: str
    state: np.ndarray
    terminal: bool = False

    def __repr__(self) -> str:
        return f"{self.name} ({self.kind}) at t = {self.t:.12g}"


@dataclass(frozen=True)
class Watch:
    """An event made ready for the search: its compiled form, the number of its components, and their names."""

    event: Event
    switch: Any
    size: int
    names: tuple[str, ...]
    stop_after: int  # 0: never


def as_events(given: Any) -> list[Event]:
    """Events from what a user may write: one or several names, functions or `Event`s."""
    if given is None:
        return []
    if isinstance(given, (str, Event)) or callable(given):
        given = [given]
    return [e if isinstance(e, Event) else Event(e) for e in given]


def _compile(event: Event, system: Any) -> Callable:
    """A user's function as compiled f(system, t, y)."""
    f: Any = event.what
    plain = getattr(f, "py_func", f)
    try:
        count = len(inspect.signature(plain).parameters)
    except (TypeError, ValueError):
        count = 2
    if count not in (2, 3):
        raise TypeError(f"the event function {event.label} takes {count} arguments; write f(t, y) or f(system, t, y).")
    inner = f if hasattr(f, "py_func") else compiled_uncached(f)
    if count == 3:
        return inner
    return compiled_uncached(lambda system, t, y: inner(t, y))


def _function(event: Event, system: Any, t: float, y: np.ndarray) -> Watch:
    from numba.core.errors import NumbaError

    f = _compile(event, system)
    try:
        value = f(system, t, y)
    except NumbaError as error:
        first = next((line for line in str(error).splitlines() if line.strip()), "")
        raise TypeError(
            f"the event function {event.label} cannot be compiled ({first.strip()}). Write it with arithmetic and the functions of "
            f"rollick.kernel (sin, sqrt, ...) or math on t and y[0], y[1], ...; constants may come from outside, Python objects may not."
        ) from error
    level = float(event.level)
    if level != 0.0:
        raise ValueError(
            f"subtract the level {level} inside the event function {event.label}; `level` is for states and signals."
        )
    stop = int(event.terminal)
    if np.ndim(value) == 0:
        return Watch(event, Function(f), 1, (event.label,), stop)
    size = len(value)
    return Watch(event, Functions(f, size), size, tuple(f"{event.label}[{i}]" for i in range(size)), stop)


def watch(event: Event, system: Any, t: float, y: np.ndarray) -> Watch:
    """Resolve an event for a system: names become indices, functions are compiled and tried on the first state."""
    if not isinstance(event.what, str):
        return _function(event, system, t, y)
    about = description(system)
    states = [q.name for q in about.states]
    derived = [q.name for q in about.signals]
    name = choose(event.what, [*states, *derived], f"state or signal of {type(system).__name__}")
    level, stop = float(event.level), int(event.terminal)
    if name in states:
        return Watch(event, StateLevel(states.index(name), level), 1, (event.label,), stop)
    return Watch(event, SignalLevel(derived.index(name), level, np.empty(len(derived))), 1, (event.label,), stop)


def watches(given: Any, system: Any, t: float, y: np.ndarray) -> Sequence[Watch]:
    """All events of a run, made ready."""
    return [watch(e, system, t, y) for e in as_events(given)]
