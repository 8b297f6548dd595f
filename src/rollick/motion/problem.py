"""What a motion is asked for: a system, its start, from when to when, what is wanted on the way, and the limits. Checked once, here."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..kernel.compiling import compiling_seconds
from ..kernel.hooks import settle
from ..kernel.names import InputError, called, number
from ..kernel.system import description, dim
from ..kernel.warn import warn_user
from .events.event import Watch, watches
from .result.outcome import StartAdjusted
from .start import integral_vector, state_vector


@dataclass
class Problem:
    """A motion to be computed. `moving` is the system whose rate is integrated: the system itself, or the mode it is in."""

    system: Any
    moving: Any
    t0: float
    t1: float
    start: np.ndarray  # the states at t0
    sums: np.ndarray  # the integrals at t0; as many as are accumulated
    at: np.ndarray | None = None
    watches: Sequence[Watch] = ()
    dense: bool = False
    variational: bool = False
    max_steps: float = 1e7
    wall: float = math.inf
    progress: Any = None
    settled: str = ""
    began: float = field(default_factory=time.perf_counter)
    compiled: float = field(default_factory=compiling_seconds)  # seconds that this process had spent on compilations by then

    @property
    def n(self) -> int:
        """The number of states."""
        return self.start.size

    @property
    def is_late(self) -> bool:
        """Whether the seconds that the motion may take (`wall`) are spent."""
        return time.perf_counter() - self.began > self.wall

    @property
    def m(self) -> int:
        """The number of accumulated integrals."""
        return self.sums.size


def make_problem(
    system: Any,
    start: Any,
    until: Any,
    *,
    since: Any,
    at: Any,
    dense: bool,
    events: Any,
    variational: bool,
    integrals: int,
    max_steps: Any,
    wall_limit: Any,
    progress: bool | None,
    began: float,
) -> Problem:
    """The checked problem; `integrals`: how many of them are accumulated."""
    if until is None and at is not None and np.size(at) > 0:
        until = np.atleast_1d(np.asarray(at, object)).ravel()[-1]
    if until is None:
        raise InputError("until is missing: give the final time, e.g. until=20.0.")
    continued = start if hasattr(start, "end_state") else None  # a motion to go on from
    if continued is not None and since is None:
        t0 = continued.end_time
    else:
        t0 = number(0.0 if since is None else since, "since", "s")
    t1 = number(until, "until", "s")
    sums = np.zeros(integrals)
    if continued is not None:
        y = continuation(system, continued)
        if continued.end_integrals is not None:
            sums[:] = continued.end_integrals[:integrals]
    else:
        y = state_vector(system, start)
        sums[:] = integral_vector(system, start, integrals)
    y, settled = settle(system, np.array(y[: dim(system)], float))
    if settled:
        warn_user(settled, StartAdjusted)
    steps = positive(max_steps, "max_steps")
    if steps < 1.0:
        raise InputError(f"max_steps = {max_steps!r} must be at least 1.")
    if steps % 1.0 > 0.0:
        raise InputError(f"max_steps = {max_steps!r} must be a whole number.")
    return Problem(
        system,
        system,
        t0,
        t1,
        y,
        sums,
        output_times(at, t0, t1),
        watches(events, system, t0, np.concatenate([y, sums]), integrals),
        bool(dense),
        bool(variational),
        steps,
        math.inf if wall_limit is None else positive(wall_limit, "wall_limit"),
        progress,
        settled,
        began,
    )


def continuation(system: Any, motion: Any) -> np.ndarray:
    """The states at the end of a motion, to go on from."""
    names, known = ([q.name for q in about.states] for about in (description(system), motion.about))
    if names != known:
        raise InputError(
            f"a motion of {motion.provenance['system']} (states {', '.join(known)}) cannot be continued by {called(system)} "
            f"(states {', '.join(names)}); give the start by name, start=dict({names[0]}=...)."
        )
    return np.array(motion.end_state, float)


def positive(given: Any, what: str) -> float:
    """A number above zero (infinity allowed)."""
    try:
        value = float(given)
    except (TypeError, ValueError):
        raise InputError(f"{what} = {given!r} is not a number.") from None
    except OverflowError:
        raise InputError(f"{what} is a number too large to compute with; the largest is 1.8e308.") from None
    if not value > 0.0:
        raise InputError(f"{what} = {given!r} must be above zero.")
    return value


def output_times(at: Any, t0: float, t1: float) -> np.ndarray | None:
    """Checked output times, in the direction of integration."""
    if at is None:
        return None
    times = np.atleast_1d(np.asarray([number(v, "at", "s") for v in np.atleast_1d(np.asarray(at, object)).ravel()], float))
    forward = 1.0 if t1 >= t0 else -1.0
    if np.any(np.diff(times) * forward < 0.0):
        raise InputError("the output times `at` must be ordered in the direction of integration; sort them first.")
    low, high = min(t0, t1), max(t0, t1)
    outside = times[(times < low) | (times > high)]
    if outside.size:
        raise InputError(f"output time {outside[0]:g} lies outside the motion, which runs from {t0:g} to {t1:g}.")
    return times
