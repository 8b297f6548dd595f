"""One phase of a hybrid motion inside compiled code: an ODE is followed until a guard is crossed, and no further.

`automaton.follow` serves motions that users look at, with events and dense output; here is the same for compiled loops of many short
phases, such as the slips of a dropped device. A system of `kernel.system` becomes a phase by answering

    longest_step(system, y)          how long a step from y may be at most, so that no guard is crossed twice within it
    ending(system, y)                which guard has been crossed at y: 1, 2, ...; 0: none
    guard_value(system, y, guard)    positive before the guard is crossed, zero or negative after
    watched(system)                  optional: the index of a displacement u whose largest |u| is wanted; its velocity stands behind it

The steps are those of DOP853, with the control of `ode.explicit` and, after each of them, the system's `project`. The end of the phase,
and the turns of u, are found by repeating a step with the right length, so that both are as accurate as the steps.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kernel.bracket import value_of, zero_between
from ...kernel.compiled import compiled
from ...kernel.dispatch import constant, generic
from ...kernel.local_array import float64, local_array
from ...kernel.system import dim, project, rate
from ..ode.control import GROW, SHRINK, step_factor
from ..ode.dense import copy
from ..ode.dop853 import NEW, ROWS, dop853_step

TIME_UP, STUCK = -1, -2  # why a phase ended, if by no guard: the time was up; the step became too short
VELOCITY = 0  # stands for the velocity of what is watched, where a guard is asked for
MOST_STEPS = 20_000_000
SHORTEST = 1e-16  # step, relative to the longest one
END_WIDTH, TURN_WIDTH = 1e-15, 1e-9  # how well the end, and a turn, are known, relative to the step


@generic
def longest_step(system, y):
    """How long a step from the state y may be."""


@generic
def ending(system, y):
    """The guard that has been crossed at the state y: 1, 2, ...; 0 if none has."""


@generic
def guard_value(system, y, guard):
    """What is positive before a guard is crossed, and zero or negative after."""


@constant
def watched(system):
    """The index of the displacement whose largest size is wanted, -1 if there is none; its velocity is the next state."""


@watched.otherwise
def _(system):
    return -1


class Again(NamedTuple):
    """A step tried again with another length: a function of that length."""

    system: Any
    t: float
    y: np.ndarray
    k: np.ndarray
    rtol: float
    atol: np.ndarray
    guard: int  # which one's value is asked for, or VELOCITY


@value_of.register(Again)
def _(again, h):
    dop853_step(again.system, again.t, again.y, h, again.k, again.rtol, again.atol)
    if again.guard == VELOCITY:
        return again.k[NEW, watched(again.system) + 1]
    return guard_value(again.system, again.k[NEW], again.guard)


@compiled
def end_within(system, t, y, h, guard, k, rtol, atol):
    """The length of the step, at most h, at which the guard is crossed; the state there becomes k[NEW]."""
    again = Again(system, t, y, k, rtol, atol, guard)
    last = guard_value(system, k[NEW], guard)
    _, _, end, _ = zero_between(again, 0.0, guard_value(system, y, guard), h, last, END_WIDTH * h)
    value_of(again, end)
    return end


@compiled
def largest_within(system, t, y, h, new, largest, k, rtol, atol):
    """The largest |u| until the end of a step of length h from y to `new`, and when; `largest` holds them as they were before it."""
    i = watched(system)
    most, when = largest
    if abs(new[i]) > most:
        most, when = abs(new[i]), t + h
    before, after = y[i + 1], new[i + 1]
    if before * after < 0.0 and max(abs(y[i]), abs(new[i])) + h * max(abs(before), abs(after)) > most:
        again = Again(system, t, y, k, rtol, atol, VELOCITY)
        turn = zero_between(again, 0.0, before, h, after, TURN_WIDTH * h)[2]
        value_of(again, turn)
        if abs(k[NEW, i]) > most:
            most, when = abs(k[NEW, i]), t + turn
    return most, when


@compiled
def run_phase(system, y, room, first, rtol, atol):
    """Follow a phase from the state y, which becomes that of its end, for at most the time `room`; `first` is the first step to try.

    Returns which guard ended it (or TIME_UP, STUCK), how long it lasted, and the largest |u| and when it occurred.
    """
    n = dim(system)
    k, new = local_array((ROWS, n), float64), local_array(n, float64)
    t, h, growth = 0.0, first, GROW
    largest = (abs(y[watched(system)]) if watched(system) >= 0 else 0.0), 0.0
    rate(system, t, y, k[0])
    for _ in range(MOST_STEPS):
        if t >= room:
            return TIME_UP, t, largest[0], largest[1]
        longest = longest_step(system, y)
        h = min(h, longest, room - t)
        error = dop853_step(system, t, y, h, k, rtol, atol)
        if not error <= 1.0:
            h *= step_factor(error, 1.0) if error == error else SHRINK
            growth = 1.0
            if not h >= SHORTEST * longest:
                break
            continue
        guard, used = ending(system, k[NEW]), h
        if guard != 0:
            used = end_within(system, t, y, h, guard, k, rtol, atol)
        copy(k[NEW], new)
        if watched(system) >= 0:
            largest = largest_within(system, t, y, used, new, largest, k, rtol, atol)
        t += used
        copy(new, y)
        project(system, y)
        if guard != 0:
            return guard, t, largest[0], largest[1]
        rate(system, t, y, k[0])
        h *= step_factor(error, growth)
        growth = GROW
    return STUCK, t, largest[0], largest[1]
