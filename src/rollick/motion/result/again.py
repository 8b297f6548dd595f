"""What a motion is between its output times: its states, integrals and signals there, to the accuracy of its method.

A motion with dense output knows them. Any other is computed once more from its provenance, by the same steps, with output at those times; so is one
that was read from a file. The repetition counts only if it agrees with the motion at the motion's own instants: another machine or another version may
round differently, and a chaotic motion then goes elsewhere. Time stepping knows nothing inside a step, in which there may be an impact: there the
instants of the solver are the only ones.
"""

from __future__ import annotations

import time
import warnings
from typing import Any, NamedTuple

import numpy as np

from ...kernel.names import InputError, number
from ...kernel.not_compiled import explained
from ..methods.table import METHODS
from ..problem import make_problem
from ..start import check_system, with_rate
from .outcome import MotionWarning, StartAdjusted

AGREES = 1e-6  # of the largest state of the same unit: as far as a repetition may be off at the motion's own instants, or
TOLERATED = 10.0  # times rtol, where that is more: an implicit method that is asked for output inside its steps makes others
COMPARED = 64  # of these instants, at most
ON_STEP = 1e-6  # of a step: times that differ by less are the same
NEEDED = {"since", "until", "start", "method", "options"}  # what the provenance must say


class Known(NamedTuple):
    """States (n, states), integrals (n, integrals; None if there are none) and signals (n, signals) at the times t."""

    t: np.ndarray
    y: np.ndarray
    q: np.ndarray | None
    signals: np.ndarray


def is_stepped(motion: Any) -> bool:
    """Whether a motion was made by time stepping."""
    return motion.provenance.get("options", {}).get("dt") is not None


def equal_step(motion: Any) -> float | None:
    """The length of the equal steps of a stepped motion; None for others, also where the steps were chosen on the way."""
    made = motion.provenance
    if not is_stepped(motion) or not set(made) >= NEEDED:
        return None
    span = made["until"] - made["since"]
    return float(span / max(1, round(span / number(made["options"]["dt"], "dt", "s")))) or None


def on_steps(motion: Any, times: np.ndarray) -> np.ndarray:
    """Evenly spaced times about as far apart as the given ones; of a motion by equal steps they are ends of steps, the last one perhaps a little earlier."""
    step = equal_step(motion)
    if step is None or len(times) < 2:
        return times
    since = motion.provenance["since"]
    first, last = np.ceil((times[0] - since) / step - ON_STEP), np.floor((times[-1] - since) / step + ON_STEP)
    if last <= first:
        return times
    steps = int(last - first)
    apart = max(1, steps // (len(times) - 1))
    apart = next((k for k in range(apart, 2 * apart) if steps % k == 0), apart)
    return np.asarray(since + (first + np.arange(0, steps + 1, apart)) * step)


def known_at(motion: Any, times: np.ndarray) -> Known | None:
    """What a motion is at any times inside it; None where that is not known."""
    last = motion._known
    if last is None or not np.array_equal(last[0], times):
        motion._known = last = (np.array(times), _found_at(motion, times))
    return last[1]


def _found_at(motion: Any, times: np.ndarray) -> Known | None:
    if motion.t.size and (own := _rows(motion.t, times, 0.0)) is not None:
        return Known(times, motion.y[own], None if motion.q is None else motion.q[own], motion.derived[own])
    if motion.system is None:
        return None
    if is_stepped(motion):
        step = equal_step(motion)
        if step is None or np.abs((ends := (times - motion.provenance["since"]) / step) - np.round(ends)).max() > ON_STEP:
            return None
    if motion.has_dense:
        y = motion.at(times)
        names = [q.name for q in motion.about.integrals] if motion.q is not None else []
        sums = np.stack([motion.at(times, name) for name in names], axis=1) if names else None
        return Known(times, y, sums, motion.signals_at(times, y))
    return again(motion, times)


def _rows(among: np.ndarray, times: np.ndarray, room: float) -> np.ndarray | None:
    """Where the times are in a list of instants; None if one of them is not among them. `room`: by how much they may differ."""
    order = np.argsort(among, kind="stable")
    places = np.clip(np.searchsorted(among[order], times - room), 0, among.size - 1)
    found = order[places]
    return found if np.all(np.abs(among[found] - times) <= room) else None


def again(motion: Any, times: np.ndarray) -> Known | None:
    """The motion once more, with output at these times; None where it cannot be repeated, or the repetition is another motion."""
    made = motion.provenance
    if motion.system is None or not set(made) >= NEEDED:
        return None
    low, high = sorted((float(made["since"]), float(motion.end_time)))
    own = _instants_to_compare(motion, low, high)
    wanted = np.unique(np.concatenate([np.clip(times, low, high), motion.t[own]]))
    if motion.end_time < made["since"]:
        wanted = wanted[::-1]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MotionWarning)
            warnings.simplefilter("ignore", StartAdjusted)
            found = motion.repeated(wanted)
    except (InputError, KeyError, TypeError):  # a method or an option that is not known here
        return None
    if found.t.size != wanted.size:
        return None
    same, rows = (_rows(found.t, at, 0.0) for at in (motion.t[own], np.clip(times, low, high)))
    if same is None or rows is None or not _agree(motion, found.y[same], motion.y[own]):
        return None
    sums = (
        None if found.q is None else found.q[rows] + np.array(made.get("start_integrals", 0.0))
    )  # nothing depends on where they began
    return Known(times, found.y[rows], sums, found.derived[rows])


def _instants_to_compare(motion: Any, low: float, high: float) -> np.ndarray:
    """Indices of some instants of a motion, spread over all of it; not those at which the state may jump."""
    t = motion.t
    jumps = np.array([*(e.t for e in motion.events), *(at for _, at in motion.provenance.get("methods", []))], float)
    twice = np.isin(t, t[1:][np.diff(t) == 0.0])
    good = np.flatnonzero(~np.isin(t, jumps) & ~twice & (t >= low) & (t <= high))
    return good[np.unique(np.linspace(0, good.size - 1, min(good.size, COMPARED)).astype(int))] if good.size else good


def _agree(motion: Any, found: np.ndarray, own: np.ndarray) -> bool:
    """Whether states of a repetition are those of the motion, each to a fraction of the largest one with its unit."""
    largest = np.abs(motion.y).max(axis=0, initial=0.0)
    units = [q.unit for q in motion.about.states]
    scale = np.array([max(size for size, other in zip(largest, units) if other == unit) for unit in units])
    room = max(AGREES, TOLERATED * float(motion.provenance.get("rtol", 0.0)))
    return bool(np.all(np.abs(found - own) <= room * np.where(scale > 0.0, scale, 1.0)))


def repeated(motion: Any, at: np.ndarray) -> Any:
    """The motion from its provenance: the same method with the same options, with output at other times; its integrals begin at zero."""
    made = motion.provenance
    options = {name: tuple(v) if isinstance(v, list) else v for name, v in made["options"].items() if v is not None}
    until, step = motion.end_time, equal_step(motion)
    if step is not None:  # a motion that was stopped on the way: to the end of a step, so that steps are as long as they were
        until = made["since"] + np.ceil((until - made["since"]) / step - ON_STEP) * step
        until = made["until"] if abs(until - made["until"]) < ON_STEP * step else until
    method, system = METHODS[made["method"]](**options), check_system(with_rate(motion.system))
    method.check(system)
    if "at" in method.refuses:
        raise InputError(f"at cannot be had with method = {method.name!r}: {method.refuses['at']}")
    with explained(system):
        problem = make_problem(
            system, np.array(list(made["start"].values())), until, since=made["since"], at=at, dense=False, events=None, variational=False,
            integrals=method.integrals(system, False if motion.q is None else None, False), max_steps=max(1e7, 2 * made.get("steps", 0)),
            wall_limit=None, progress=None, began=time.perf_counter(),
        )  # fmt: skip
        return method.for_problem(problem).run(problem)
