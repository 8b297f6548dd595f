"""What a motion is asked for: a quantity at a time, the time of an event or a quantity there, an extremum, an integral.

    At("phi", 5.0)                        a state, signal or integral at a time (default: the end)
    EventTime("omega", "falling", 2)      when omega passes zero downward for the second time
    AtEvent("phi", "omega", "falling")    a quantity at an event (before a reset, if one happens there)
    Maximum("energy"), Minimum("phi")     over the whole motion
    Integral("phi")                       over the time of the whole motion

Quantities are names, or functions f(t, y) and f(system, t, y). Texts say the same: "phi at 5", "time of omega falling 2", "phi when omega falling",
"max energy", "min phi", "integral of phi".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...kernel.names import InputError, listed, number, whole
from ...motion.events.event import DIRECTIONS, Event


@dataclass(frozen=True)
class Output:
    """One number of a motion."""

    @property
    def label(self) -> str:
        """Its name in tables."""
        raise NotImplementedError

    @property
    def event(self) -> Event | None:
        """The event it needs."""
        return None


def _name(what: Any) -> str:
    return what if isinstance(what, str) else getattr(what, "__name__", "function").replace("<lambda>", "function")


@dataclass(frozen=True)
class At(Output):
    """A quantity at a time; None is the end of the motion."""

    what: str | Callable
    t: float | str | None = None

    @property
    def label(self) -> str:
        """quantity at time."""
        return (
            f"{_name(self.what)} at the end"
            if self.t is None
            else f"{_name(self.what)} at {number(self.t, 'the time', 's'):.6g} s"
        )


@dataclass(frozen=True)
class _OfEvent(Output):
    def _stated(self, what: Any, direction: Any, count: int, level: Any) -> Event:
        whole(count, "the number of an event", 1)
        if isinstance(what, Event):
            return Event(what.what, what.direction, count, what.level, what.name, what.touch)
        return Event(what, direction, count, level)

    def _told(self, what: Any, direction: Any, count: int, level: Any) -> str:
        e = self._stated(what, direction, count, level)
        at = "" if e.level == 0.0 else f" = {e.level}"
        way = "" if e.direction in ("both", 0) else f" {e.direction}"
        return f"{_name(e.name or e.what)}{at}{way} #{count}"


@dataclass(frozen=True)
class EventTime(_OfEvent):
    """The time of the n-th occurrence of an event: a quantity that passes a level, or an `Event`."""

    on: str | Callable | Event
    direction: str = "both"
    count: int = 1
    level: float | str = 0.0

    @property
    def label(self) -> str:
        """time of event."""
        return f"time of {self._told(self.on, self.direction, self.count, self.level)}"

    @property
    def event(self) -> Event:
        """The event."""
        return self._stated(self.on, self.direction, self.count, self.level)


@dataclass(frozen=True)
class AtEvent(_OfEvent):
    """A quantity at the n-th occurrence of an event."""

    what: str | Callable
    on: str | Callable | Event
    direction: str = "both"
    count: int = 1
    level: float | str = 0.0

    @property
    def label(self) -> str:
        """quantity at event."""
        return f"{_name(self.what)} when {self._told(self.on, self.direction, self.count, self.level)}"

    @property
    def event(self) -> Event:
        """The event."""
        return self._stated(self.on, self.direction, self.count, self.level)


@dataclass(frozen=True)
class Maximum(Output):
    """The largest value of a quantity."""

    what: str | Callable
    sign = 1.0

    @property
    def label(self) -> str:
        """max quantity."""
        return f"max {_name(self.what)}"


@dataclass(frozen=True)
class Minimum(Maximum):
    """The smallest value of a quantity."""

    sign = -1.0

    @property
    def label(self) -> str:
        """min quantity."""
        return f"min {_name(self.what)}"


@dataclass(frozen=True)
class Integral(Output):
    """The integral of a quantity over the time of the motion."""

    what: str | Callable

    @property
    def label(self) -> str:
        """integral of quantity."""
        return f"integral of {_name(self.what)}"


_WAYS = "|".join(d for d in DIRECTIONS if isinstance(d, str))
_EVENT = rf"(?P<on>\w+)(?: *= *(?P<level>[^\s#]+))?(?: +(?P<way>{_WAYS}))?(?: +#?(?P<count>\d+))?"
_FORMS = (
    (re.compile(rf"time of {_EVENT}"), lambda f: EventTime(f["on"], f["way"] or "both", int(f["count"] or 1), f["level"] or 0.0)),
    (
        re.compile(rf"(?P<what>\w+) when {_EVENT}"),
        lambda f: AtEvent(f["what"], f["on"], f["way"] or "both", int(f["count"] or 1), f["level"] or 0.0),
    ),
    (re.compile(r"(?P<what>\w+) at the end"), lambda f: At(f["what"])),
    (re.compile(r"(?P<what>\w+) at (?P<t>.+)"), lambda f: At(f["what"], number(f["t"], "the time of an output", "s"))),
    (re.compile(r"max(?:imum)?(?: of)? (?P<what>\w+)"), lambda f: Maximum(f["what"])),
    (re.compile(r"min(?:imum)?(?: of)? (?P<what>\w+)"), lambda f: Minimum(f["what"])),
    (re.compile(r"integral(?: of)? (?P<what>\w+)"), lambda f: Integral(f["what"])),
    (re.compile(r"(?P<what>\w+)"), lambda f: At(f["what"])),
)


def output_of(given: Any) -> Output:
    """An output as an object, or as a text says it."""
    if isinstance(given, Output):
        return given
    if isinstance(given, str):
        for form, make in _FORMS:
            found = form.fullmatch(given.strip())
            if found:
                return make(found)
    elif callable(given):
        return At(given)
    raise InputError(
        f"{given!r} is no output; write e.g. 'phi at 5', 'phi at the end', 'time of omega falling 2', 'phi when omega rising', 'max energy', "
        f"'min phi', 'integral of phi', or At, EventTime, AtEvent, Maximum, Minimum, Integral."
    )


def outputs_of(given: Any) -> list[Output]:
    """One or several outputs."""
    wanted = (
        [given]
        if isinstance(given, Output)
        else listed([] if given is None else given, "outputs", "['phi at 5', 'time of omega']")
    )
    if not wanted:
        raise InputError("outputs are missing: say what of the motion is asked for, e.g. outputs=['phi at 5', 'time of omega'].")
    found = [output_of(one) for one in wanted]
    labels = [one.label for one in found]
    twice = sorted({one for one in labels if labels.count(one) > 1 and "function" not in one})
    if twice:
        raise InputError(f"the output {twice[0]!r} is asked for twice; leave one out.")
    return found


def checked_times(outputs: list[Output], t0: float, t1: float) -> None:
    """Refuse times outside the motion."""
    for one in outputs:
        if isinstance(one, At) and one.t is not None:
            t = number(one.t, "the time of an output", "s")
            if not t0 <= t <= t1 or not np.isfinite(t):
                raise InputError(f"the time {t:g} of an output lies outside the motion, which runs from {t0:g} to {t1:g}.")
