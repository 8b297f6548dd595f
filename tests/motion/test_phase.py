"""Phases of compiled hybrid motions against closed forms, and the root finder they share with the events."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pytest

from rollick.kernel.bracket import value_of, zero_between
from rollick.kernel.compiled import compiled
from rollick.kernel.system import describe, project, rate
from rollick.motion.hybrid.phase import STUCK, TIME_UP, ending, guard_value, longest_step, run_phase, watched
from rollick.motion.ode.control import GROW, SHRINK, step_factor

FLOOR, CEILING = 1, 2


class Thrown(NamedTuple):
    """A point under gravity 1 between a floor and a ceiling, and an oscillator beside it."""

    K: float
    ceiling: float


describe(Thrown, states={"z": "", "v": "", "u": "", "du": ""})


@rate.register(Thrown)
def _(s, t, y, out):
    out[0], out[1], out[2], out[3] = y[1], -1.0, y[3], -s.K * y[2]


@longest_step.register(Thrown)
def _(s, y):
    return 0.4


@ending.register(Thrown)
def _(s, y):
    if y[0] <= 0.0:
        return FLOOR
    return CEILING if y[0] >= s.ceiling else 0


@guard_value.register(Thrown)
def _(s, y, guard):
    return y[0] if guard == FLOOR else s.ceiling - y[0]


@watched.register(Thrown)
def _(s):
    return 2


class Bursting(NamedTuple):
    """y' = y^2 grows beyond all bounds at t = 1/y0; nothing is watched, and `project` keeps a second state at 1."""

    bound: float


describe(Bursting, states={"y": "", "one": ""})


@rate.register(Bursting)
def _(s, t, y, out):
    out[0], out[1] = y[0] * y[0], 1.0


@longest_step.register(Bursting)
def _(s, y):
    return 0.1


@ending.register(Bursting)
def _(s, y):
    return 1 if y[0] >= s.bound else 0


@guard_value.register(Bursting)
def _(s, y, guard):
    return s.bound - y[0]


@project.register(Bursting)
def _(s, y):
    y[1] = 1.0
    return True


def run(system, y, room):
    """The phase's end, and the state there."""
    y = np.array(y, float)
    return run_phase(system, y, room, 1e-3, 1e-12, np.full(y.size, 1e-14)), y


@pytest.mark.parametrize(
    ("ceiling", "guard", "duration"),
    [(9.0, FLOOR, 1.0 + math.sqrt(1.0 + 2.0 * 0.7)), (0.9, CEILING, 1.0 - math.sqrt(1.0 - 2.0 * 0.2))],
)
def test_a_phase_ends_at_the_guard_that_is_crossed_first(ceiling, guard, duration):
    (why, lasted, _, _), y = run(Thrown(25.0, ceiling), (0.7, 1.0, 0.0, 1.0), 10.0)
    assert why == guard
    assert lasted == pytest.approx(duration, rel=1e-14)
    assert y[0] == pytest.approx(0.0 if guard == FLOOR else ceiling, abs=1e-14)
    assert y[1] == pytest.approx(1.0 - duration, rel=1e-13)
    assert y[2] == pytest.approx(math.sin(5.0 * duration) / 5.0, abs=1e-12)


def test_the_largest_displacement_is_found_within_steps_and_with_its_time():
    (_, _, most, when), _ = run(Thrown(25.0, 9.0), (0.7, 1.0, 0.1, 1.0), 10.0)
    assert most == pytest.approx(math.hypot(0.1, 0.2), rel=1e-12)
    assert math.sin(5.0 * when + math.atan2(0.1, 0.2)) ** 2 == pytest.approx(1.0, abs=1e-12)


def test_a_phase_ends_when_its_time_is_up_and_the_largest_displacement_may_be_at_either_end():
    (why, lasted, most, when), y = run(Thrown(25.0, 9.0), (0.7, 1.0, 0.0, 1.0), 0.25)
    assert (why, lasted) == (TIME_UP, 0.25)
    assert y[0] == pytest.approx(0.7 + 0.25 - 0.5 * 0.25**2, rel=1e-14)
    assert (most, when) == (abs(y[2]), 0.25)
    (_, _, most, when), _ = run(Thrown(25.0, 9.0), (0.7, 1.0, 0.2, 0.0), 0.25)
    assert (most, when) == (0.2, 0.0)


def test_a_phase_that_begins_beyond_its_guard_lasts_no_time():
    (why, lasted, _, _), y = run(Thrown(25.0, 9.0), (-1e-9, -1.0, 0.0, 1.0), 10.0)
    assert why == FLOOR
    assert lasted < 1e-15
    assert y[0] == pytest.approx(-1e-9, rel=1e-5)


def test_a_phase_may_watch_nothing_and_the_state_is_projected_after_each_step():
    (why, lasted, most, _), y = run(Bursting(50.0), (1.0, 7.0), 2.0)
    assert (why, most) == (1, 0.0)
    assert lasted == pytest.approx(0.98, rel=1e-11)
    assert y[1] == 1.0


def test_a_phase_that_cannot_go_on_says_so():
    (why, lasted, _, _), _ = run(Bursting(math.inf), (1.0, 1.0), 2.0)
    assert why == STUCK
    assert lasted == pytest.approx(1.0, rel=1e-6)


class Sample(NamedTuple):
    """Functions that are hard for a root finder, and a counter of what they cost."""

    kind: int
    calls: np.ndarray


@value_of.register(Sample)
def _(s, x):
    s.calls[0] += 1
    if s.kind == 0:
        return math.cos(x) - x
    if s.kind == 1:
        return math.inf if x < 0.3 else -1.0  # a jump from what has no size
    if s.kind == 2:
        return (x - 0.1) ** 9
    return math.exp(40.0 * x) - math.exp(4.0)  # steep


@compiled
def search(s, a, b, width):
    return zero_between(s, a, value_of(s, a), b, value_of(s, b), width)


@pytest.mark.parametrize(("kind", "zero", "cost"), [(0, 0.7390851332151607, 12), (1, 0.3, 60), (2, 0.1, 130), (3, 0.1, 25)])
def test_a_zero_is_enclosed_however_the_function_behaves(kind, zero, cost):
    s = Sample(kind, np.zeros(1, np.int64))
    a, _, b, _ = search(s, -1.0, 1.0, 1e-14)
    assert a <= zero + 1e-15
    assert b >= zero - 1e-15
    assert b - a <= 1e-14
    assert s.calls[0] <= cost


def test_the_next_step_follows_the_error_within_bounds():
    assert step_factor(0.0, GROW) == GROW
    assert step_factor(1e-30, GROW) == GROW
    assert step_factor(1e-30, 1.0) == 1.0
    assert step_factor(1e9, GROW) == SHRINK
    assert step_factor(0.5**8, GROW) == pytest.approx(1.6)
