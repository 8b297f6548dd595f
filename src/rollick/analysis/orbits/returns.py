"""A first estimate of a period: how long a motion takes to come back to where it began."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ...kernel.evaluate import rate_at
from ...kernel.names import InputError, called
from ...kernel.system import description
from ...motion.result.outcome import INTERRUPTED, MotionWarning
from ...motion.simulate import simulate
from .flow import Lost
from .modes_flow import flow_of
from .watch import look, seconds_left

NEAR = 0.2  # a return must come this near, relative to the extent of the motion
AROUND, SAMPLES = 0.4, 161  # how far around a guess of the period is looked, relative; at how many times
LONGEST, STEPS = 2.0**14, 200_000  # of what is followed: in units of the first trial, and the most steps
STILL = 1e-12  # 1/s, relative to the state: a guess that moves no more is an equilibrium
RESTING = 1e-9  # of the largest rate on the way: a motion so slow has come to an equilibrium


def first_return(system: Any, start: np.ndarray, free: tuple[int, ...] = ()) -> float:
    """The first time at which the motion crosses the plane through its start, across its rate there, the same way and nearby; free states do not count."""
    f, now = np.empty(start.size), np.empty(start.size)
    rate_at(system, 0.0, np.ascontiguousarray(start), f)
    counts = np.ones(start.size)
    counts[list(free)] = 0.0
    f *= counts
    speed = fastest = float(np.linalg.norm(f))
    if speed <= STILL * max(1.0, float(np.linalg.norm(counts * start))):
        raise InputError(f"the guess is an equilibrium of {called(system)}; give a state on or near the orbit.")
    span = max(1.0, float(np.linalg.norm(counts * start))) / speed
    limit = span * LONGEST
    since, state, steps = 0.0, start, 0
    low, high = start.copy(), start.copy()
    while since < limit and steps < STEPS:
        look(words=f"following the guess, t = {since:.4g}")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MotionWarning)  # of one that is too long, or breaks off: told below
            motion = simulate(
                system, state, since + span, since=since, dense=True, integrals=False, rtol=1e-8, max_steps=STEPS - steps, wall_limit=seconds_left(), progress=False,
            )  # fmt: skip
        if motion.status == INTERRUPTED:
            raise KeyboardInterrupt
        steps += len(motion.t)
        low, high = np.minimum(low, motion.y.min(axis=0)), np.maximum(high, motion.y.max(axis=0))
        height = (motion.y - start) @ f
        for k in np.flatnonzero((height[:-1] < 0.0) & (height[1:] >= 0.0)):
            u = height[k] / (height[k] - height[k + 1])
            t = motion.t[k] + u * (motion.t[k + 1] - motion.t[k])
            y = motion.at(float(t))
            if np.linalg.norm(counts * (y - start)) <= NEAR * np.linalg.norm(counts * (high - low)):
                return float(t)
        if not motion.complete:
            since = motion.end_time
            break
        since, state, span = motion.end_time, motion.end_state, 2.0 * span
        rate_at(system, since, np.ascontiguousarray(state), now)
        pace = float(np.linalg.norm(counts * now))
        fastest = max(fastest, pace)
        if pace <= RESTING * fastest:
            raise InputError(f"the motion of {called(system)} from this guess {rest_at(system, state)}")
    look()
    raise InputError(
        f"the motion of {called(system)} from this guess does not come back within {since:.4g} s; give period=..., or transient=... for an orbit that attracts."
    )


def rest_at(system: Any, state: np.ndarray) -> str:
    """What is to be said of a motion that ends in an equilibrium."""
    names = [q.name for q in description(system).states]
    told = ", ".join(f"{name} = {value:.6g}" for name, value in list(zip(names, state))[:6]) + (", ..." if len(names) > 6 else "")
    return (
        f"comes to an equilibrium ({told}) and does not come back: no periodic orbit attracts it. Give a guess nearer to an orbit, or other "
        "parameters; steady_motion tells of the equilibrium."
    )


def nearest_return(system: Any, start: np.ndarray, T: float, closure: Any) -> float:
    """A guess of the period made better: the time near it at which the motion comes nearest to closing, if that is much nearer than at the guess."""
    times = T * np.linspace(1.0 - AROUND, 1.0 + AROUND, SAMPLES) / closure.order
    try:
        ends = flow_of(system, derivatives=False).over(np.append(0.0, times), start[None], chained=True).ends
    except (Lost, InputError):
        return T
    counts = np.ones(start.size)
    counts[list(closure.free)] = 0.0
    if closure.turning:
        counts[[k for pair in closure.turning for k in pair]] = 0.0
    goal = closure.goal(start, np.zeros(closure.extra))[0]
    far = np.linalg.norm(counts * (ends - goal), axis=1)
    best = int(np.argmin(far))
    at_guess = float(np.interp(T / closure.order, times, far))
    return float(times[best] * closure.order) if far[best] < 0.3 * at_guess else T
