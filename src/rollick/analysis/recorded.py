"""Outputs of a motion that is no smooth function of anything (time steps, impacts, sticking).

Extremes, integrals and values between steps are those of its dense output, in which time steps are straight lines. The times of events are those that the method finds.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ..ensemble.chunks.one_by_one import measured
from ..ensemble.keep import Greatest, Least, Mean
from ..kernel.names import InputError, called, number
from ..motion.result.outcome import MotionWarning
from ..motion.simulate import simulate
from .sensitivity.outputs import At, AtEvent, EventTime, Maximum, Output


def recorded_values(
    system: Any,
    start: Any,
    until: Any,
    outputs: list[Output],
    method: Any,
    since: Any = None,
    max_steps: float = 1e7,
    rtol: float | None = None,
) -> np.ndarray:
    """The outputs of one motion; refused if it breaks off, or has no such event."""
    for one in outputs:
        named(one)
    events = [one.event for one in outputs if one.event is not None]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MotionWarning)  # of single motions in a grid: what they could not do is in their status
        motion = simulate(
            system,
            start,
            until,
            since=since,
            method=method,
            events=_distinct(events) or None,
            dense=True,
            max_steps=max_steps,
            rtol=rtol,
            progress=False,
        )
    if not motion.complete:
        raise InputError(f"the motion of {called(system)} ended with {motion.status}: {motion.message}")
    return np.array([_value(one, motion) for one in outputs])


def named(one: Output) -> str:
    """The name of what an output is about; functions are refused."""
    what = getattr(one, "what", one.event.what if one.event is not None else None)
    if not isinstance(what, str):
        raise InputError(
            f"{one.label}: a motion made of time steps or impacts is asked by names of states and signals; {what!r} is none."
        )
    return what


def _distinct(events: list[Any]) -> list[Any]:
    """The events, each once, none of which ends the motion."""
    found: dict[str, Any] = {}
    for e in events:
        found.setdefault(_key(e), type(e)(e.what, e.direction, False, e.level, _key(e), e.touch))
    return list(found.values())


def _key(e: Any) -> str:
    return f"{e.what} {e.direction} {e.level}"


def _value(one: Output, motion: Any) -> float:
    if isinstance(one, (EventTime, AtEvent)):
        e = one.event
        met = [k for k in motion.events if k.name == _key(e)]
        if len(met) < one.count:
            raise InputError(
                f"there is no {one.label}: of this event there are {len(met)} until t = {motion.t[-1]:.6g}. Raise until."
            )
        at = met[one.count - 1]
        return at.t if isinstance(one, EventTime) else float(motion.at(at.t, named(one)))
    if isinstance(one, At):
        return float(motion.at(motion.end_time if one.t is None else number(one.t, "the time of an output", "s"), named(one)))
    if isinstance(one, Maximum):
        return measured((Greatest if one.sign > 0.0 else Least)(named(one)), motion)
    return measured(Mean(named(one)), motion) * float(motion.end_time - motion.provenance["since"])
