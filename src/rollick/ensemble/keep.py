"""What is kept of each member: its end, numbers measured along its motion (without storing the motion), states at some times, or any function of it.

    keep=["final", First("omega3", "falling"), Greatest("energy"), Path(at=np.linspace(0, 20, 50)), {"turns": lambda motion: ...}]

A measure names a state, a signal, an integral, or is a function f(t, y) or f(system, t, y), as an event does. Measures run inside compiled code, on dense
output; a function of a whole motion needs the motion, member by member.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from ..kernel.names import InputError, called, choose, number
from ..kernel.system import description
from ..motion.events.event import DIRECTIONS, Event

FIRST, LAST, COUNT, GREATEST, LEAST, MEAN, RMS, FINAL = range(8)
OF_ZEROS = (FIRST, LAST, COUNT)


@dataclass(frozen=True)
class Measure:
    """A number of a motion: something about a quantity along it."""

    what: str | Callable
    name: str = field(default="", kw_only=True)

    code: ClassVar[int] = FINAL
    word: ClassVar[str] = ""

    def __post_init__(self):
        if not (isinstance(self.what, str) or callable(self.what)):
            raise InputError(f"{called(self)} measures a quantity by name, or a function f(t, y); got {self.what!r}.")

    @property
    def label(self) -> str:
        """The name of the result."""
        what = self.what if isinstance(self.what, str) else getattr(self.what, "__name__", "function")
        return self.name or (f"{self.word}_{what}" if self.word else what)

    def event(self) -> Event:
        """What is looked at, as an event."""
        return Event(self.what, name=self.label)

    def unit(self, units: Mapping[str, str]) -> str:
        """The unit of the result."""
        return units.get(self.what, "") if isinstance(self.what, str) else ""

    def stops(self) -> bool:
        """Whether it ends the motion."""
        return False

    def stated(self) -> dict[str, Any]:
        """The measure in plain values."""
        what = self.what if isinstance(self.what, str) else "a function"
        return {"measure": called(self), "what": what, "label": self.label}


@dataclass(frozen=True)
class Final(Measure):
    """The value at the end of the motion."""


@dataclass(frozen=True)
class Greatest(Measure):
    """The greatest value on the way."""

    code: ClassVar[int] = GREATEST
    word: ClassVar[str] = "greatest"


@dataclass(frozen=True)
class Least(Measure):
    """The least value on the way."""

    code: ClassVar[int] = LEAST
    word: ClassVar[str] = "least"


@dataclass(frozen=True)
class Mean(Measure):
    """The mean over time."""

    code: ClassVar[int] = MEAN
    word: ClassVar[str] = "mean"


@dataclass(frozen=True)
class Rms(Measure):
    """The root of the mean square over time."""

    code: ClassVar[int] = RMS
    word: ClassVar[str] = "rms"


@dataclass(frozen=True)
class _OfZeros(Measure):
    """Of the instants at which a quantity passes a level."""

    direction: str | int = "both"
    level: float | str = 0.0

    def __post_init__(self):
        super().__post_init__()
        if self.direction not in DIRECTIONS:
            raise InputError(f"direction of {called(self)} must be 'rising', 'falling' or 'both', not {self.direction!r}.")

    def event(self) -> Event:
        """What is looked at, as an event."""
        return Event(self.what, self.direction, level=self.level, name=self.label)

    def unit(self, units: Mapping[str, str]) -> str:
        """The unit of a time."""
        return "s"

    def stated(self) -> dict[str, Any]:
        """The measure in plain values."""
        return {**super().stated(), "direction": self.direction, "level": self.level, "stop": self.stops()}


@dataclass(frozen=True)
class First(_OfZeros):
    """The first time at which a quantity passes a level; nan if it never does. `stop`: the motion ends there."""

    stop: bool = False
    code: ClassVar[int] = FIRST
    word: ClassVar[str] = "first"

    def stops(self) -> bool:
        """Whether it ends the motion."""
        return bool(self.stop)

    def event(self) -> Event:
        """What is looked at, as an event that may end the motion."""
        return Event(self.what, self.direction, bool(self.stop), self.level, self.label)


@dataclass(frozen=True)
class Last(_OfZeros):
    """The last time at which a quantity passes a level; nan if it never does."""

    code: ClassVar[int] = LAST
    word: ClassVar[str] = "last"


@dataclass(frozen=True)
class Count(_OfZeros):
    """How often a quantity passes a level."""

    code: ClassVar[int] = COUNT
    word: ClassVar[str] = "count"

    def unit(self, units: Mapping[str, str]) -> str:
        """A plain number."""
        return ""


@dataclass(frozen=True)
class Path:
    """The states at some times: `Path(at=[...])`; nan after the end of a motion."""

    at: Any

    def times(self) -> np.ndarray:
        """The times, in order."""
        if isinstance(self.at, np.ndarray) and self.at.dtype == float:
            found = self.at.ravel()
        else:
            found = np.array([number(v, "at", "s") for v in np.atleast_1d(np.asarray(self.at, object)).ravel().tolist()], float)
        if found.size == 0 or np.any(np.diff(found) <= 0.0):
            raise InputError("the times of a Path must be given in order, at least one.")
        return found

    def stated(self) -> dict[str, Any]:
        """The times."""
        return {"path": self.times().tolist()}


@dataclass(frozen=True)
class Keeping:
    """All that is kept, made ready: measures, times of states, and functions of a whole motion."""

    measures: tuple[Measure, ...] = ()
    path: Path | None = None
    functions: Mapping[str, Callable] = field(default_factory=dict)

    @property
    def labels(self) -> list[str]:
        """The names of the numbers that are kept."""
        return [*(m.label for m in self.measures), *self.functions]

    def stated(self) -> list[Any]:
        """In plain values."""
        told: list[Any] = [m.stated() for m in self.measures]
        told += [self.path.stated()] if self.path is not None else []
        return told + [{"function": name, **_options(f)} for name, f in self.functions.items()]


def _options(f: Callable) -> dict[str, Any]:
    """The options of a reducer, whose function is a method."""
    owner = getattr(f, "__self__", None)
    return {"reducer": called(owner), **vars(owner)} if owner is not None and hasattr(owner, "measure") else {}


def as_items(given: Any) -> list[Any]:
    """What is to be kept, one by one."""
    return [given] if isinstance(given, (str, Measure, Path, Mapping)) or not isinstance(given, Iterable) else list(given)


def keeping(given: Any, system: Any, nothing: bool = False) -> Keeping:
    """What is to be kept, from what a user may write; names are those of the system (None: it has none of its own). nothing: whether it may be nothing."""
    items = as_items(given)
    about = description(system) if system is not None else None
    measures: list[Measure] = []
    functions: dict[str, Callable] = {}
    path: Path | None = None
    for item in items:
        if hasattr(item, "measure") and hasattr(item, "of"):  # see `reducers`
            measure = item.measure(system)
            if measure is not None:
                measures.append(measure)
            else:
                functions[item.name] = item.of
        elif isinstance(item, Mapping):
            for name, f in item.items():
                if not callable(f):
                    raise InputError(f"keep {name!r}: a function of a motion is needed, got {f!r}.")
                functions[str(name)] = f
        elif isinstance(item, Path):
            item.times()
            path = item
        elif isinstance(item, Measure):
            measures.append(item)
        elif item == "final":
            measures += [Final(q.name) for q in about.states] if about is not None else [Final("final")]
        elif isinstance(item, str):
            measures.append(Final(item))
        else:
            raise InputError(
                f"keep: {item!r} is not understood; give 'final', names, measures (First, Last, Count, Greatest, Least, Mean, Rms), "
                f"reducers (ReversalTime, FrictionDemand, EnergyExponent, ShockRatio, Attractor), a Path, or {{label: function of a motion}}."
            )
    if about is not None:
        names = [q.name for q in (*about.states, *about.signals, *about.integrals)]
        for m in measures:
            if isinstance(m.what, str):
                choose(m.what, names, f"state, signal or integral of {called(system)}")
    kept = Keeping(tuple(dict.fromkeys(measures)), path, functions)
    twice = sorted({name for name in kept.labels if kept.labels.count(name) > 1})
    if twice:
        raise InputError(f"keep: {', '.join(twice)} would be kept twice; give one of them a name of its own, name='...'.")
    if not kept.labels and path is None and not nothing:
        raise InputError("keep: nothing is to be kept; give at least 'final'.")
    return kept


def units_of(system: Any) -> dict[str, str]:
    """The units of all quantities of a system."""
    about = description(system)
    return {q.name: q.unit for q in (*about.states, *about.signals, *about.integrals)}
