"""`simulate`: accuracy against closed forms, output, direction, continuation, and what bad input is told."""

import math
import warnings
from typing import NamedTuple

import numpy as np
import pytest
from systems import Clock, Kepler, Oscillator

from rollick import InputError, describe, simulate
from rollick.motion.outcome import MotionWarning

KEPLER = [0.4, 0.0, 0.0, 2.0]  # eccentricity 0.6, period 2 pi


@pytest.mark.parametrize("rtol", [1e-6, 1e-9, 1e-12])
def test_tolerances_are_honoured(rtol):
    m = simulate(Oscillator(), [1.0, 0.0], 20.0, rtol=rtol, method="dop853")
    error = np.abs(m["x"] - np.cos(m.t)).max()
    assert error < 50.0 * rtol
    assert m.status == "finished"
    assert m.t[0] == 0.0
    assert m.t[-1] == m.end_time == 20.0


def test_order_eight():
    errors, evaluations = [], []
    for rtol in (1e-5, 1e-7, 1e-9, 1e-11):
        m = simulate(Kepler(), KEPLER, 2.0 * math.pi, rtol=rtol, atol=rtol, method="dop853")
        errors.append(np.abs(m.end_state - KEPLER).max())
        evaluations.append(m.provenance["evaluations"])
    slope = np.polyfit(np.log(evaluations), np.log(errors), 1)[0]
    assert -10.0 < slope < -6.5


def test_dense_output_is_as_good_as_the_steps():
    m = simulate(Kepler(), KEPLER, 2.0 * math.pi, rtol=1e-10, dense=True, method="dop853")
    times = np.linspace(0.0, 2.0 * math.pi, 1001)
    finer = simulate(Kepler(), KEPLER, 2.0 * math.pi, rtol=1e-13, at=times, method="dop853")
    ends = simulate(Kepler(), KEPLER, 2.0 * math.pi, rtol=1e-13, at=m.t, method="dop853")
    at_steps = np.abs(m.y - ends.y).max()
    between = np.abs(m.at(times) - finer.y).max()
    assert between < 20.0 * at_steps + 1e-10
    np.testing.assert_array_equal(m.at(m.t), m.y)
    assert m.at(1.0).shape == (4,)


def test_output_at_chosen_times_with_start_and_end():
    times = [0.0, 0.0, 0.5, 1.0, 3.0]
    m = simulate(Oscillator(), {"x": 1.0}, 3.0, at=times)
    np.testing.assert_array_equal(m.t, times)
    np.testing.assert_allclose(m["x"], np.cos(times), atol=1e-8)
    np.testing.assert_allclose(m["area"], np.sin(times), atol=1e-8)
    every = simulate(Oscillator(), {"x": 1.0}, 3.0)
    np.testing.assert_array_equal(m.end_state, every.end_state)
    np.testing.assert_array_equal(m.y[-1], every.y[-1])


def test_many_output_times_change_nothing():
    few = simulate(Kepler(), KEPLER, 5.0, at=[5.0])
    many = simulate(Kepler(), KEPLER, 5.0, at=np.linspace(0.0, 5.0, 20001))
    np.testing.assert_array_equal(few.y[-1], many.y[-1])


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_backward_returns_to_the_start(method):
    there = simulate(Oscillator(), [1.0, 0.5], 5.0, rtol=1e-9, method=method)
    back = simulate(Oscillator(), there.end_state, 0.0, since=5.0, rtol=1e-9, method=method, at=[4.0, 1.0, 0.0])
    np.testing.assert_allclose(back.y[-1], [1.0, 0.5], atol=1e-7)
    assert list(back.t) == [4.0, 1.0, 0.0]


def test_nothing_to_do():
    m = simulate(Oscillator(), [1.0, 0.0], 0.0, events=["x"], dense=True)
    assert m.status == "finished"
    np.testing.assert_array_equal(m.y, [[1.0, 0.0]])
    assert m.events == []


def test_going_on_from_a_motion():
    first = simulate(Oscillator(), [1.0, 0.0], 2.0, rtol=1e-11)
    second = simulate(Oscillator(), first, 5.0, rtol=1e-11)
    assert second.t[0] == 2.0
    assert second["x"][-1] == pytest.approx(math.cos(5.0), abs=1e-9)
    assert second["area"][-1] == pytest.approx(math.sin(5.0), abs=1e-9)  # the integrals go on, too


def test_atol_per_state_matters():
    loose = simulate(Oscillator(), [1e-6, 0.0], 10.0, rtol=1e-12, atol=[1e-3, 1e-3])
    tight = simulate(Oscillator(), [1e-6, 0.0], 10.0, rtol=1e-12, atol=[1e-18, 1e-18])
    assert loose.provenance["steps"] < tight.provenance["steps"]
    assert abs(tight["x"][-1] - 1e-6 * math.cos(10.0)) < 1e-16


def test_max_step():
    m = simulate(Clock(), [0.0], 10.0, max_step=0.5)
    assert np.diff(m.t).max() <= 0.5 * (1.0 + 1e-14)
    assert m.t.size == pytest.approx(21, abs=6)


def test_whole_numbers_are_taken_as_floats():
    m = simulate(Oscillator(2), [1, 0], 1)
    assert m["x"][-1] == pytest.approx(math.cos(2.0), abs=1e-8)
    assert isinstance(m.system.w, float)


class Dumb(NamedTuple):
    a: float = 1.0


class Silent(NamedTuple):
    a: float = 1.0


describe(Silent, {"x": "m"})


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: simulate(Oscillator(), [1.0, 0.0]), "until is missing"),
        (lambda: simulate(Oscillator(), [1.0], 1.0), "all 2 of them in order"),
        (lambda: simulate(Oscillator(), {"y": 1.0}, 1.0), "unknown state of Oscillator"),
        (lambda: simulate(Oscillator(), {"x": math.nan}, 1.0), "not finite"),
        (lambda: simulate(Oscillator(), {"x": "one"}, 1.0), "not a number"),
        (lambda: simulate(Oscillator(), {"x": "5deg"}, 1.0), "measured in m"),
        (lambda: simulate(Oscillator(), None, math.inf), "until = inf is not finite"),
        (lambda: simulate(Oscillator(), None, 1.0, rtol=2.0), "rtol = 2.0 must lie between"),
        (lambda: simulate(Oscillator(), None, 1.0, atol=0.0), "must be above zero"),
        (lambda: simulate(Oscillator(), None, 1.0, atol=[1e-9] * 3), "atol has 3 entries"),
        (lambda: simulate(Oscillator(), None, 1.0, at=[0.5, 2.0]), "output time 2 lies outside"),
        (lambda: simulate(Oscillator(), None, 1.0, at=[0.5, 0.2]), "must be ordered"),
        (lambda: simulate(Oscillator(), None, 1.0, method="rk45"), "unknown method"),
        (lambda: simulate(Oscillator(), None, 1.0, max_steps=0), "max_steps = 0 must be above zero"),
        (lambda: simulate(Oscillator(), None, 1.0, max_step=-1), "max_step = -1 must be above zero"),
        (lambda: simulate(Oscillator(), None, 1.0, wall_limit=0), "wall_limit = 0 must be above zero"),
        (lambda: simulate(Oscillator(), None, 1.0, events=["y"]), "unknown state or signal of Oscillator"),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(InputError, match=words):
        call()


def test_what_is_no_system_is_named():
    with pytest.raises(TypeError, match="Dumb is not described"):
        simulate(Dumb(), [1.0], 1.0)
    with pytest.raises(TypeError, match="`rate` has no implementation for Silent"):
        simulate(Silent(), [1.0], 1.0)
    with pytest.raises(TypeError, match="not the class Oscillator"):
        simulate(Oscillator, [1.0, 0.0], 1.0)
    with pytest.raises(TypeError, match="a system is a NamedTuple"):
        simulate({"w": 1.0}, [1.0, 0.0], 1.0)


def test_a_tolerance_beyond_floating_point_is_raised_with_a_warning():
    with pytest.warns(MotionWarning, match="below what floating point can hold"):
        m = simulate(Oscillator(), [1.0, 0.0], 1.0, rtol=1e-17)
    assert m.provenance["rtol"] > 1e-16
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        simulate(Oscillator(), [1.0, 0.0], 1.0, rtol=1e-14)
