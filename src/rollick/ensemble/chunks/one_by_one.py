"""A member by itself, through `simulate`: for methods, systems and questions that the compiled loop does not know, and to learn why a member failed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...kernel.compiling import compiling_seconds
from ...kernel.errors import InputError
from ...motion.events.erased import Switch
from ...motion.events.event import KINDS, watch
from ...motion.events.probe import probe
from ...motion.events.scan import enter
from ...motion.result.motion import Motion
from ...motion.result.outcome import EVENT, FINISHED, RAISED, TIME_LIMIT
from ..keep import COUNT, FINAL, FIRST, GREATEST, LEAST, MEAN, OF_ZEROS, RMS
from ..task import REFUSED, WORDS, Chunk, Task
from .measuring import conclude, over_step

ZEROS = frozenset(KINDS.values())


def simulate_member(task: Task, i: int, k: int, out: Chunk) -> None:
    """Compute the member i, and write what is kept of it to place k."""
    compiled = compiling_seconds()
    try:
        motion = motion_of(task, i)
        if motion.status == TIME_LIMIT and compiling_seconds() > compiled:
            motion = motion_of(task, i)  # its seconds went into compilation, which is done now
    except InputError as error:
        out.status[k], out.reasons[k] = WORDS.index(REFUSED), str(error)
        return
    except Exception as error:  # a system's own functions may raise anything; the other members go on
        out.status[k], out.reasons[k] = WORDS.index(RAISED), f"{type(error).__name__}: {error}"
        return
    out.status[k] = WORDS.index(motion.status)
    if motion.status not in (FINISHED, EVENT):
        out.reasons[k] = motion.message
    out.time[k] = end_time(motion)
    made = motion.provenance
    out.steps[k] = int(made.get("steps", made.get("impacts", 0)) or 0)
    try:
        out.values[k] = numbers_of(task, motion)
        if out.paths is not None and task.keep.path is not None:
            fill_path(motion, task.keep.path.times(), out.paths[k])
    except Exception as error:
        told = f"what was to be kept could not be had: {type(error).__name__}: {error}"
        out.reasons[k] = " ".join(filter(None, [out.reasons.get(k, ""), told]))
        out.status[k] = WORDS.index(RAISED)


def motion_of(task: Task, i: int, **more: Any) -> Any:
    """The motion of a member, with more options of `simulate`."""
    values, start, since, until = task.parts(i)
    system = task.source.make(values)
    if not task.source.is_motion:
        return task.source.simulate(system, start, until, **task.options, **more)
    options: dict[str, Any] = {**task.options, **more}
    events = [m.event() for m in task.keep.measures if m.code in OF_ZEROS]
    along = any(m.code in (GREATEST, LEAST, MEAN, RMS) for m in task.keep.measures) or task.keep.path is not None
    extra: dict[str, Any] = {"dense": True} if along and "dense" not in task.method_for(system).refuses else {}
    return task.source.simulate(
        system, start, until, since=since, method=task.method, events=events or None, integrals=task.integrals,
        max_steps=task.max_steps, wall_limit=task.wall_limit, progress=False, **extra, **options,
    )  # fmt: skip


def end_time(result: Any) -> float:
    """When a result ends."""
    if hasattr(result, "end_time"):
        return float(result.end_time)
    t = np.asarray(result.series()[0], float)
    return float(t[-1]) if t.size else math.nan


def numbers_of(task: Task, motion: Any) -> list[float]:
    """The numbers that are kept of a motion, in their order."""
    found = [measured(m, motion) for m in task.keep.measures]
    return found + [float(f(motion)) for f in task.keep.functions.values()]


def measured(m: Any, motion: Any) -> float:
    """A measure of a finished motion."""
    if m.code in OF_ZEROS:
        times = [e.t for e in motion.events if e.name == m.label and e.kind in ZEROS]  # not a change of mode of that name
        if m.code == COUNT:
            return float(len(times))
        return (times[0] if m.code == FIRST else times[-1]) if times else math.nan
    if m.code == FINAL and isinstance(motion, Motion) and isinstance(m.what, str):
        names = motion.state_names()
        if m.what in names:
            return float(motion.end_state[names.index(m.what)])
        signals = [q.name for q in motion.about.signals]
        if m.what in signals:
            return float(motion.signals_at(np.array([motion.end_time]), motion.end_state[None])[0, signals.index(m.what)])
        return float(motion.end_integrals[[q.name for q in motion.about.integrals].index(m.what)])  # type: ignore[index]
    if m.code == FINAL and isinstance(motion, Motion):
        return value_of_function(m, motion.system, motion.end_time, motion.end_state)
    if isinstance(motion, Motion) and motion.has_dense:
        return on_dense_output(m, motion)
    t, g = along(m, motion)
    if g.size == 0:
        return math.nan
    if m.code in (FINAL, GREATEST, LEAST):
        return float(g[-1] if m.code == FINAL else g.max() if m.code == GREATEST else g.min())
    if t.size < 2 or t[-1] == t[0]:
        return math.nan
    total = float(np.trapezoid(g * g if m.code == RMS else g, t)) / (t[-1] - t[0])
    return math.sqrt(max(0.0, total)) if m.code == RMS else total


def on_dense_output(m: Any, motion: Motion) -> float:
    """An extreme or a mean of a motion that keeps its dense output: the compiled loop's own."""
    ts, ys, fs = motion._dense  # type: ignore[misc]
    y = np.ascontiguousarray(ys[0])
    watched = watch(m.event(), motion.system, float(ts[0]), y, y.size - len(motion.about.states))
    switch = Switch(watched.switch, watched.system)
    p = probe(switch.erased, None, 1, 1e-9, np.full(y.size, 1e-12))
    account = np.zeros(3)
    for i in range(len(fs)):
        enter(p, ts, ys, fs, i)
        over_step(p, m.code, 1.0, account)
    return float(conclude(p, m.code, float(ts[0]), float(ts[-1]), ys[-1], account))


def along(m: Any, motion: Any) -> tuple[np.ndarray, np.ndarray]:
    """A quantity along a motion, at the ends of its steps."""
    if isinstance(motion, Motion):
        t = np.asarray(motion.t, float)
        return t, np.asarray(motion[m.what], float) if isinstance(m.what, str) else _values(m, motion.system, t, motion.y)
    t, states, derived = motion.series()
    named = {**states, **derived}
    if not isinstance(m.what, str) or m.what not in named:
        raise InputError(f"{m.what!r} is not in this result; there are {', '.join(named)}.")
    return np.asarray(t, float), np.asarray(named[m.what], float)


def _values(m: Any, system: Any, t: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.array([value_of_function(m, system, a, b) for a, b in zip(t, y)], float)


def value_of_function(m: Any, system: Any, t: float, y: np.ndarray) -> float:
    """What a measure that is a function, f(t, y) or f(system, t, y), is of."""
    f = getattr(m.what, "py_func", m.what)
    count = f.__code__.co_argcount - len(f.__defaults__ or ())
    return f(t, y) if count == 2 else f(system, t, y)


def fill_path(motion: Any, times: np.ndarray, out: np.ndarray) -> None:
    """The states at some times; nan after the end."""
    if motion.has_dense:
        low, high = sorted((float(motion.t[0]), float(motion.t[-1])))
        inside = (times >= low) & (times <= high)
        if inside.any():
            out[inside] = motion.at(times[inside])
        return
    for j in range(motion.y.shape[1]):  # time stepping: states between the steps are on straight lines
        out[:, j] = np.interp(times, motion.t, motion.y[:, j], left=np.nan, right=np.nan)
