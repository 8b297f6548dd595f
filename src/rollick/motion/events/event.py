"""Events as a user states them.

What is watched is a quantity by name, or any function that Numba can compile: f(t, y) or f(system, t, y), y being the states.

    Event("normal_force", "falling", terminal=True)     a state, signal or integral by name
    Event("beta", level=0.1)                            passing a level; "5deg" is understood
    Event(lambda t, y: y[0] - y[1], name="swap")        a function
    Event(lambda t, y: (y[0], y[1]), name="axes")       several at once: named axes[0], axes[1]
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...kernel.compiled import compiled_uncached
from ...kernel.names import InputError, called, choose, number
from ...kernel.not_compiled import innermost
from ...kernel.system import description, dim
from ...kernel.trial import try_signals
from .captured import split
from .functions import Function, Functions, Ready, SignalLevel, StateLevel

INNER = "@"  # marks the names of events that end modes (`hybrid`)
DIRECTIONS = {"both": 0, "rising": 1, "falling": -1, 0: 0, 1: 1, -1: -1}
KINDS = {1: "rising", -1: "falling", 0: "touch"}


@dataclass(frozen=True)
class Event:
    """A moment to find: the zero of a quantity minus a level.

    `what` names a state, a signal or an integral of the system, or is a function f(t, y) or f(system, t, y) that returns a number, a
    tuple or an array. `direction` is "rising", "falling" or "both", seen in the direction of integration; a touch (a zero without a
    change of sign) counts as the direction of its approach. `terminal` stops the motion at the first occurrence (or at the n-th, if a
    number; occurrences of all entries of a tuple count). `touch=False` ignores touches.
    """

    what: str | Callable[..., Any] | Ready
    direction: str | int = "both"
    terminal: bool | int = False
    level: float | str = 0.0
    name: str = ""
    touch: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.direction, (str, int)) or self.direction not in DIRECTIONS:
            raise InputError(f"direction of an event must be 'rising', 'falling' or 'both', not {self.direction!r}.")
        if not (
            isinstance(self.terminal, (bool, np.bool_)) or (isinstance(self.terminal, (int, np.integer)) and self.terminal >= 1)
        ):
            raise InputError(
                f"terminal must be True, False or the number of the occurrence to stop at (1, 2, ...), not {self.terminal!r}."
            )
        if not (callable(self.what) or isinstance(self.what, (str, Ready))):
            raise InputError(f"an event watches a state or signal by name, or a function f(t, y); got {self.what!r}.")

    @property
    def label(self) -> str:
        """The name events are reported under."""
        return self.name or (self.what if isinstance(self.what, str) else getattr(self.what, "__name__", "event"))

    @property
    def stated(self) -> dict[str, Any]:
        """The event as it was stated, in words and numbers."""
        what = self.what if isinstance(self.what, str) else "a function"
        told = {
            "name": self.label,
            "what": what,
            "direction": self.direction,
            "terminal": self.terminal,
            "level": self.level,
            "touch": self.touch,
        }
        return {k: v.item() if isinstance(v, np.generic) else v for k, v in told.items()}


@dataclass(frozen=True)
class Occurrence:
    """An event that happened: when, which, how (rising, falling, touch), and the state there."""

    t: float
    name: str
    kind: str
    state: np.ndarray = field(compare=False)
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
    system: Any = None  # the system whose quantities are watched


def as_events(given: Any) -> list[Event]:
    """Events from what a user may write: one or several names, functions or `Event`s; {name: direction}."""
    if given is None:
        return []
    if isinstance(given, Mapping):
        return [Event(what, direction) for what, direction in given.items()]
    if isinstance(given, (str, Event)) or callable(given) or not isinstance(given, Iterable):
        given = [given]
    return [e if isinstance(e, Event) else Event(e) for e in given]


_compiled: dict[Any, Callable[..., Any]] = {}  # by `_identity`


def _identity(f: Any, values: tuple[Any, ...] = ()) -> Any:
    """What the machine code of a function depends on: its code, its defaults, and what it takes from outside; None if that may change.

    Functions alike in this share their machine code: the same one simulated with again, a lambda in a loop. Of the numbers that are its
    arguments (`values`, see `captured`) only the types count.
    """
    outside = inspect.getclosurevars(f)
    used = sorted({**outside.globals, **outside.nonlocals}.items())
    if any(isinstance(v, (np.ndarray, list, dict, set)) for _, v in used):
        return None
    fixed = (int, float, complex, str, tuple, type(None))
    taken = tuple((name, type(v), v if isinstance(v, fixed) else id(v)) for name, v in used)
    key = f.__code__, f.__defaults__, taken, tuple(type(v) for v in values)
    try:
        hash(key)
    except TypeError:
        return None
    return key


def _ready(f: Any, count: int, values: tuple[Any, ...]) -> Callable[..., Any]:
    """A function of `count` arguments, and of the numbers it takes from outside, as compiled f(system, t, y, values)."""
    key = _identity(getattr(f, "py_func", f), values)
    if key in _compiled:
        return _compiled[key]
    inner = f if hasattr(f, "py_func") else compiled_uncached(f)
    if count == 3:
        ready: Callable[..., Any] = compiled_uncached(lambda system, t, y, values: inner(system, t, y, *values))
    else:
        ready = compiled_uncached(lambda system, t, y, values: inner(t, y, *values))
    if key is not None:
        _compiled[key] = ready
    return ready


def _compile(event: Event, system: Any, t: float, y: np.ndarray) -> list[tuple[Callable[..., Any], tuple[Any, ...]]]:
    """A user's function as compiled f(system, t, y, values) with its values: the ways to do it, the best first."""
    f: Any = event.what
    plain = getattr(f, "py_func", f)
    if not inspect.isfunction(plain):
        raise InputError(f"the event {event.label} is no plain function; write a lambda or a def: f(t, y) or f(system, t, y).")
    parameters = inspect.signature(plain).parameters.values()
    count = sum(q.default is q.empty and q.kind in (q.POSITIONAL_ONLY, q.POSITIONAL_OR_KEYWORD) for q in parameters)
    if count not in (2, 3):
        raise InputError(f"the event function {event.label} takes {count} arguments; write f(t, y) or f(system, t, y).")
    given = (t, y.copy()) if count == 2 else (system, t, y.copy())
    value = None
    try:  # once in Python: compiled code would read beyond the end of y without noticing
        with np.errstate(all="ignore"):
            value = plain(*given)
    except IndexError:
        names = ", ".join(f"y[{i}] = {q.name}" for i, q in enumerate(description(system).states))
        raise InputError(f"the event function {event.label} asks for a state that does not exist; there are {names}.") from None
    except Exception:  # compiled code may well do better: a division by zero is no error there
        pass
    ways = [(_ready(f, count, ()), ())]
    parts = None if plain is not f else split(plain)
    if parts is not None and value is not None:
        with np.errstate(all="ignore"):
            same = np.array_equal(np.asarray(parts.function(*given, *parts.values)), np.asarray(value), equal_nan=True)
        if same:
            ways.insert(0, (_ready(parts.function, count, parts.values), parts.values))
    return ways


def _tried(event: Event, system: Any, t: float, y: np.ndarray) -> tuple[Callable[..., Any], tuple[Any, ...], Any]:
    """The compiled function of an event, the numbers it takes from outside, and its value at the first state."""
    from numba.core.errors import NumbaError

    error: Exception | None = None
    for f, values in _compile(event, system, t, y):
        try:
            return f, values, f(system, t, y, values)
        except NumbaError as found:  # a number that must be a constant, e.g. the place in a tuple
            error = found
    raise TypeError(
        f"the event function {event.label} cannot be compiled: {innermost(str(error))}. Write it with arithmetic and the functions of "
        f"rollick.kernel (sin, sqrt, ...) or math on t and y[0], y[1], ...; constants may come from outside, Python objects may not."
    ) from error


def _function(event: Event, system: Any, t: float, y: np.ndarray) -> Watch:
    if event.level != 0.0:
        raise InputError(f"subtract the level {event.level} inside the event function {event.label}; `level` is for names.")
    f, values, value = _tried(event, system, t, y)
    entries = list(value) if isinstance(value, (tuple, list, np.ndarray)) and np.ndim(value) else [value]
    kinds = {type(entry) for entry in entries}
    if not entries or np.ndim(value) > 1 or len(kinds) > 1 or not kinds <= {float, int, np.float64, np.float32, np.int64}:
        raise InputError(
            f"the event function {event.label} returns {value!r}; let it return a number that passes through zero when it happens "
            f"(y[0] - 1.0, not y[0] > 1.0), or several such numbers of one kind as a tuple or an array."
        )
    if np.ndim(value) == 0:
        return Watch(event, Function(f, values), 1, (event.label,), int(event.terminal), system)
    names = tuple(f"{event.label}[{i}]" for i in range(len(entries)))
    return Watch(event, Functions(f, len(entries), values), len(entries), names, int(event.terminal), system)


def watch(event: Event, system: Any, t: float, y: np.ndarray, integrals: int = 0) -> Watch:
    """Resolve an event for a system: names become indices, functions are compiled and tried on the first state.

    `integrals`: how many of the system's integrals are accumulated, and can be watched.
    """
    if isinstance(event.what, Ready):
        size = event.what.size
        named = tuple(f"{event.label}[{i}]" for i in range(size)) if event.what.numbered else (event.label,) * size
        return Watch(event, event.what.switch, size, named, int(event.terminal), system)
    if not isinstance(event.what, str):
        return _function(event, system, t, y[: dim(system)])
    about = description(system)
    extended = [*about.states, *about.integrals[:integrals]]
    names = [q.name for q in extended]
    derived = [q.name for q in about.signals]
    name = choose(event.what, [*names, *derived], f"state, signal or integral of {called(system)}")
    unit = next(q.unit for q in (*extended, *about.signals) if q.name == name)
    level, stop = number(event.level, f"the level of {name}", unit, turns=True), int(event.terminal)
    if name in names:
        return Watch(event, StateLevel(names.index(name), level), 1, (event.label,), stop, system)
    try_signals(system, t, y[: dim(system)])
    return Watch(event, SignalLevel(derived.index(name), level), 1, (event.label,), stop, system)


def watches(given: Any, system: Any, t: float, y: np.ndarray, integrals: int = 0) -> Sequence[Watch]:
    """All events of a run, made ready."""
    return [watch(e, system, t, y, integrals) for e in as_events(given)]
