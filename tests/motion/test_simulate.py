"""`simulate`: accuracy against closed forms, orders of convergence, output, directions of time, and what it refuses."""

import math
from typing import NamedTuple

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import ellipj, ellipk
from systems import Clock, Kepler, Oscillator, Pendulum

from rollick import Body, Coulomb, InputError, Motion, MotionWarning, Sphere, model, simulate, sliding
from rollick.kernel.system import describe

SPRING = Oscillator()


def spring(t, x=1.0, v=0.0, w=1.0):
    """The closed form of the oscillator: one row (x, v) per time."""
    t = np.asarray(t, float)
    c, s = np.cos(w * t), np.sin(w * t)
    return np.stack([x * c + v * s / w, v * c - x * w * s], axis=-1)


def orbit(t, e=0.6):
    """The Kepler orbit of semi-axis 1 from its pericentre, by Kepler's equation."""
    rows = []
    for m in np.atleast_1d(t):
        u = brentq(lambda u: u - e * math.sin(u) - m, m - 1.0, m + 1.0, xtol=1e-15, rtol=1e-15)  # noqa: B023
        b, r = math.sqrt(1.0 - e * e), 1.0 - e * math.cos(u)
        rows.append((math.cos(u) - e, b * math.sin(u), -math.sin(u) / r, b * math.cos(u) / r))
    return np.array(rows)


def pendulum(t, amplitude):
    """The pendulum let go at rest, in elliptic functions: sin(phi/2) = k sn(t + K)."""
    m = math.sin(amplitude / 2.0) ** 2
    sn, cn, _, _ = ellipj(np.asarray(t) + ellipk(m), m)
    return np.stack([2.0 * np.arcsin(math.sqrt(m) * sn), 2.0 * math.sqrt(m) * cn], axis=-1)


# -- accuracy ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("method", "cost"), [("dop853", 20.0), ("auto", 20.0), ("radau", 600.0)])
@pytest.mark.parametrize("rtol", [1e-4, 1e-6, 1e-8])
def test_oscillator(method, cost, rtol):
    """Sixteen periods: the error is of the order of the tolerance times the number of radians."""
    motion = simulate(SPRING, {"x": 1.0}, 100.0, method=method, rtol=rtol, atol=rtol)
    error = np.abs(motion.y - spring(motion.t)).max()
    assert error < cost * rtol
    assert error > 1e-3 * rtol, "far more exact than asked for: a waste of time"
    assert motion.complete
    assert motion.t[0] == 0.0
    assert motion.t[-1] == motion.end_time == 100.0
    np.testing.assert_array_equal(motion.y[-1], motion.end_state)


def test_oscillator_to_the_last_digits():
    motion = simulate(SPRING, [1.0, 0.0], 100.0, method="dop853", rtol=1e-13)
    assert np.abs(motion.y - spring(motion.t)).max() < 2e-12


def test_kepler():
    """Ten revolutions of an eccentric orbit, where the steps must change by a factor of ten."""
    motion = simulate(Kepler(), orbit(0.0)[0], 20 * math.pi, rtol=1e-12, at=np.linspace(0.0, 20 * math.pi, 201))
    assert np.abs(motion.y - orbit(motion.t)).max() < 3e-9
    assert motion.provenance["methods"] == [["dop853", 0.0]]
    energy = 0.5 * (motion["vx"] ** 2 + motion["vy"] ** 2) - 1.0 / np.hypot(motion["x"], motion["y"])
    np.testing.assert_allclose(energy, -0.5, rtol=1e-10)


@pytest.mark.parametrize("amplitude", [0.1, 2.0, 3.1])
def test_pendulum(amplitude):
    motion = simulate(Pendulum(), {"phi": amplitude}, 40.0, rtol=1e-12)
    assert np.abs(motion.y - pendulum(motion.t, amplitude)).max() < 1e-8 * max(1.0, amplitude**4 / 4)


def test_time_dependent_rates_and_since():
    for since, until in ((0.0, 5.0), (2.0, 5.0), (-3.0, 1.0), (5.0, 2.0), (1e3, 1e3 + 1.0)):
        motion = simulate(Clock(1.0, 0.5), [7.0], until, since=since)
        expected = 7.0 + (until - since) + 0.5 * (until**2 - since**2)
        assert motion.end_state[0] == pytest.approx(expected, rel=1e-13)
        assert (motion.t[0], motion.t[-1]) == (since, until)
        assert motion.provenance["since"] == since


def steps_of(h, until):
    """A motion whose steps are h long: a tolerance that does not matter, and a limit on the step that does."""
    return simulate(SPRING, [1.0, 0.0], until, method="dop853", rtol=0.1, atol=1e6, max_step=h, dense=True, integrals=False)


def test_order_eight():
    errors = []
    for h in (1.0, 0.5, 0.25):
        motion = steps_of(h, 32.0)
        assert np.sum(np.abs(np.diff(motion.t) - h) < 1e-9 * h) > 0.7 * motion.t.size, "the steps are not what they should be"
        errors.append(np.abs(motion.end_state - spring(32.0)).max())
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.all(orders > 7.5), orders
    assert np.all(orders < 9.5), orders


def test_dense_output_is_of_order_seven():
    """Inside a step the error falls with h^8: compared with the exact motion from the step's own start."""
    errors = []
    for h in (1.0, 0.5):
        motion = steps_of(h, 16.0)
        worst = 0.0
        for a, b, y in zip(motion.t[:-1], motion.t[1:], motion.y[:-1]):
            if abs(b - a - h) < 1e-9:
                t = np.linspace(a, b, 21)
                worst = max(worst, np.abs(motion.at(t) - spring(t - a, *y)).max())
        errors.append(worst)
    assert math.log2(errors[0] / errors[1]) > 7.5
    assert errors[1] < 1e-8


@pytest.mark.parametrize("method", ["dop853", "radau"])
@pytest.mark.parametrize("rtol", [1e-3, 1e-6, 1e-9])
def test_each_step_keeps_to_the_tolerance(method, rtol):
    """The exact motion from the start of each step ends within atol + rtol |y| of the computed one; the dense output, within ten times."""
    atol = 1e-2 * rtol
    motion = simulate(SPRING, [1.0, 0.0], 20.0, method=method, rtol=rtol, atol=atol, dense=True, integrals=False)
    middles = motion.at(0.5 * (motion.t[:-1] + motion.t[1:]))
    for i in range(motion.t.size - 1):
        allowed = atol + rtol * np.maximum(np.abs(motion.y[i]), np.abs(motion.y[i + 1]))
        h = motion.t[i + 1] - motion.t[i]
        ended = (motion.y[i + 1] - spring(h, *motion.y[i])) / allowed
        assert math.sqrt(np.mean(ended**2)) < 1.5
        inside = (middles[i] - spring(0.5 * h, *motion.y[i])) / (atol + rtol)
        assert math.sqrt(np.mean(inside**2)) < 10.0


def test_atol_per_state():
    """A coarse tolerance for one state and a fine one for the other cost less than fine for both."""
    steps = [simulate(Clock(), [0.0], 1.0, atol=1e-3).provenance["steps"]]
    coarse, mixed, fine = (
        simulate(SPRING, [1.0, 0.0], 50.0, rtol=1e-14, atol=a).provenance["steps"] for a in (1e-4, [1e-4, 1e-10], 1e-10)
    )
    assert coarse < mixed < fine
    assert simulate(SPRING, [1.0, 0.0], 1.0, atol=np.array([[1e-9], [1e-8]])).provenance["atol"] == [1e-9, 1e-8]
    assert steps[0] > 0


def test_default_atol():
    assert simulate(SPRING, [1.0, 0.0], 1.0, rtol=1e-6).provenance["atol"] == [pytest.approx(1e-9)] * 2


def test_integrals_accumulate():
    motion = simulate(SPRING, [1.0, 0.0], 30.0)
    np.testing.assert_allclose(motion["area"], np.sin(motion.t), atol=1e-7)
    assert motion.end_integrals[0] == motion["area"][-1]
    without = simulate(SPRING, [1.0, 0.0], 30.0, integrals=False)
    assert without.q is None
    assert "area" not in without.names
    with pytest.raises(InputError, match="unknown quantity of Oscillator: 'area'"):
        without["area"]


# -- output ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_output_at_chosen_times(method):
    at = [0.0, 0.0, 1e-9, 1.0, 2.5, 2.5, 9.999999, 10.0]
    motion = simulate(SPRING, [1.0, 0.0], 10.0, at=at, method=method)
    np.testing.assert_array_equal(motion.t, at)
    np.testing.assert_allclose(motion.y, spring(motion.t), atol=1e-7)
    np.testing.assert_array_equal(motion.y[0], [1.0, 0.0])
    np.testing.assert_array_equal(motion.y[-1], motion.end_state)
    assert len(motion) == len(at)


def test_output_times_do_not_change_the_steps():
    steps = simulate(SPRING, [1.0, 0.0], 10.0, dense=True)
    sampled = simulate(SPRING, [1.0, 0.0], 10.0, at=np.linspace(0, 10, 101))
    assert sampled.provenance["steps"] == steps.provenance["steps"]
    np.testing.assert_allclose(sampled.y, steps.at(sampled.t), rtol=0, atol=2e-15)
    np.testing.assert_array_equal(sampled.end_state, steps.end_state)


def test_output_at_one_time_at_none_and_in_words():
    one = simulate(SPRING, [1.0, 0.0], 10.0, at=4.0)
    np.testing.assert_array_equal(one.t, [4.0])
    none = simulate(SPRING, [1.0, 0.0], 10.0, at=[])
    assert none.t.size == 0
    assert none.y.shape == (0, 2)
    np.testing.assert_allclose(none.end_state, spring(10.0), atol=1e-8)
    words = simulate(SPRING, {"x": "100 cm"}, "10 s", at=["0", "500ms"])
    np.testing.assert_array_equal(words.t, [0.0, 0.5])


def test_dense_output():
    motion = simulate(SPRING, [1.0, 0.0], 10.0, dense=True, rtol=1e-11)
    t = np.linspace(0.0, 10.0, 1001)
    np.testing.assert_allclose(motion.at(t), spring(t), atol=2e-9)
    np.testing.assert_array_equal(motion.at(motion.t), motion.y)
    assert motion.at(3.0).shape == (2,)
    assert motion.at([3.0]).shape == (1, 2)
    np.testing.assert_array_equal(motion.at([9.0, 1.0])[::-1], motion.at([1.0, 9.0]))  # in any order
    with pytest.raises(InputError, match=r"time 10.5 lies outside the motion, which runs from 0 to 10"):
        motion.at([1.0, 10.5])
    with pytest.raises(InputError, match="outside"):
        motion.at(-1e-9)
    with pytest.raises(InputError, match="keeps no dense output; simulate with dense=True"):
        simulate(SPRING, [1.0, 0.0], 10.0).at(1.0)


def test_steps_are_bounded():
    motion = simulate(Clock(), [0.0], 10.0, max_step=0.25)
    assert np.diff(motion.t).max() <= 0.25 * 1.01  # a last step may be a hundredth longer
    assert motion.t.size >= 40
    back = simulate(Clock(), [0.0], -10.0, max_step=0.25)
    assert np.abs(np.diff(back.t)).max() <= 0.25 * 1.01


# -- directions of time ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["dop853", "radau", "auto"])
def test_backward(method):
    motion = simulate(SPRING, [1.0, 0.0], -10.0, at=[0.0, -1.0, -5.5, -10.0], dense=True, method=method)
    np.testing.assert_array_equal(motion.t, [0.0, -1.0, -5.5, -10.0])
    np.testing.assert_allclose(motion.y, spring(motion.t), atol=1e-7)
    np.testing.assert_allclose(motion.at([-2.0, -7.0]), spring([-2.0, -7.0]), atol=1e-7)
    steps = simulate(SPRING, [1.0, 0.0], -10.0, method=method)
    assert np.all(np.diff(steps.t) < 0.0)
    assert steps.t[-1] == -10.0


def test_there_and_back():
    there = simulate(Kepler(), orbit(0.0)[0], 10.0, rtol=1e-12)
    back = simulate(Kepler(), there, 0.0, rtol=1e-12)
    assert back.provenance["since"] == 10.0
    np.testing.assert_allclose(back.end_state, orbit(0.0)[0], atol=1e-9)


@pytest.mark.parametrize("method", ["dop853", "radau", "auto"])
def test_no_time_at_all(method):
    motion = simulate(SPRING, [1.0, 2.0], 3.0, since=3.0, method=method, dense=True, events="x")
    assert motion.status == "finished"
    np.testing.assert_array_equal(motion.t, [3.0])
    np.testing.assert_array_equal(motion.y, [[1.0, 2.0]])
    np.testing.assert_array_equal(motion.at(3.0), [1.0, 2.0])
    np.testing.assert_array_equal(simulate(SPRING, [1.0, 2.0], 3.0, since=3.0, at=[3.0, 3.0]).y, [[1.0, 2.0]] * 2)


def test_the_shortest_time_and_the_longest():
    shortest = np.nextafter(1.0, 2.0)
    motion = simulate(SPRING, [1.0, 0.0], shortest, since=1.0)
    np.testing.assert_array_equal(motion.t, [1.0, shortest])
    assert simulate(Clock(), [0.0], 1e300).end_state[0] == pytest.approx(1e300)
    assert simulate(Clock(), [0.0], 1e-300).end_state[0] == pytest.approx(1e-300)


def test_going_on():
    """A motion continued, twice and in steps of its own, is the motion; integrals go on as well."""
    whole = simulate(SPRING, [1.0, 0.0], 30.0, rtol=1e-11)
    first = simulate(SPRING, [1.0, 0.0], 12.3, rtol=1e-11)
    second = simulate(SPRING, first, 30.0, rtol=1e-11)
    assert second.t[0] == first.t[-1]
    np.testing.assert_array_equal(second.y[0], first.end_state)
    np.testing.assert_allclose(second.end_state, whole.end_state, atol=1e-9)
    np.testing.assert_allclose(second.end_integrals, whole.end_integrals, atol=1e-9)
    assert second.provenance["since"] == 12.3
    restarted = simulate(SPRING, first, 17.7, since=0.0, rtol=1e-11)  # the clock set back
    np.testing.assert_allclose(restarted.end_state, whole.end_state, atol=1e-9)
    sampled = simulate(SPRING, [1.0, 0.0], 12.3, at=[1.0], rtol=1e-11)  # goes on from its end, not from its last output
    np.testing.assert_array_equal(simulate(SPRING, sampled, 30.0, rtol=1e-11).end_state, second.end_state)


def test_going_on_with_other_parameters_or_another_system():
    first = simulate(SPRING, [1.0, 0.0], 1.0)
    np.testing.assert_allclose(simulate(Oscillator(w=2.0), first, 3.0).end_state, spring(2.0, *first.end_state, w=2.0), atol=1e-8)
    with pytest.raises(
        InputError, match=r"a motion of Oscillator \(states x, v\) cannot be continued by Pendulum \(states phi, omega\)"
    ):
        simulate(Pendulum(), first, 3.0)
    with pytest.raises(InputError, match="cannot be continued by Clock"):
        simulate(Clock(), first, 3.0)


# -- starts ------------------------------------------------------------------------------------------------------------------------


def test_starts_as_people_write_them():
    for start in (
        {"x": 1.0},
        {"x": 1, "v": 0},
        {"x": "1"},
        {"x": "100cm"},
        {"x": "1000 mm"},
        [1, 0],
        (1.0, 0.0),
        np.array([1.0, 0.0]),
        ["1", 0],
    ):
        motion = simulate(SPRING, start, 1.0)
        assert motion.provenance["start"] == {"x": 1.0, "v": 0.0}
        np.testing.assert_allclose(motion.end_state, spring(1.0), atol=1e-9)
    np.testing.assert_array_equal(simulate(SPRING, None, 1.0).end_state, [0.0, 0.0])
    assert simulate(Pendulum(), {"phi": "90deg"}, 1.0).provenance["start"]["phi"] == pytest.approx(math.pi / 2)


def test_a_start_is_not_changed():
    start = np.array([1.0, 0.0])
    simulate(SPRING, start, 1.0)
    np.testing.assert_array_equal(start, [1.0, 0.0])


def test_whole_numbers_as_parameters():
    motion = simulate(Oscillator(w=2, g=0), [1, 0], 1)
    assert isinstance(motion.system.w, float)
    np.testing.assert_allclose(motion.end_state, spring(1.0, w=2.0), atol=1e-9)


class Undescribed(NamedTuple):
    a: float = 1.0


class Rateless(NamedTuple):
    a: float = 1.0


describe(Rateless, {"x": "m"})


@pytest.mark.parametrize(
    ("system", "message"),
    [
        (Oscillator, r"simulate needs a system, not the class Oscillator; write Oscillator\(...\)"),
        ((1.0, 2.0), "a system is a NamedTuple instance"),
        ("Oscillator", r"a system is a NamedTuple instance.* rollick.model\('Oscillator'\).simulate\(\)"),
        (model("rattleback"), r"a system is a NamedTuple instance.* is simulated itself, .simulate\(\)"),
        (None, "a system is a NamedTuple instance"),
        (Undescribed(), r"Undescribed is not described; call rollick.describe\(Undescribed"),
        (Rateless(), "`rate` has no implementation for Rateless"),
    ],
)
def test_what_is_no_system(system, message):
    with pytest.raises(TypeError, match=message):
        simulate(system, [1.0, 0.0], 1.0)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"until": None}, "until is missing: give the final time"),
        ({"until": math.nan}, "until = nan is not finite"),
        ({"until": math.inf}, "until = inf is not finite"),
        ({"until": "soon"}, "until = 'soon' is not a number"),
        ({"until": "5deg"}, "until is measured in s, but '5deg' is in deg"),
        ({"until": [1.0, 2.0]}, r"until = \[1.0, 2.0\] is not a number"),
        ({"since": math.inf}, "since = inf is not finite"),
        ({"since": "x"}, "since = 'x' is not a number"),
        ({"start": {"z": 1.0}}, "unknown state of Oscillator: 'z'. Allowed: x, v"),
        ({"start": {"X": 1.0}}, "Did you mean 'x'"),
        ({"start": {"x": math.nan}}, "x = nan is not finite"),
        ({"start": {"x": "1kg"}}, "x is measured in m, but '1kg' is in kg"),
        ({"start": [1.0]}, r"the start of Oscillator is a dict of states, or all 2 of them in order \(x, v\)"),
        ({"start": [1.0, 2.0, 3.0]}, "all 2 of them"),
        ({"start": 1.0}, "all 2 of them"),
        ({"start": [1.0, math.inf]}, "v = inf is not finite"),
        ({"start": [1.0, None]}, "v = None is not a number"),
        ({"method": "rk4"}, "unknown method: 'rk4'"),
        ({"method": "Radau"}, "Did you mean 'radau'"),
        ({"rtol": -1e-9}, "rtol = -1e-09 must lie between 0 and 0.1"),
        ({"rtol": 0.5}, "must lie between 0 and 0.1"),
        ({"rtol": math.nan}, "rtol = nan is not finite"),
        ({"rtol": "fine"}, "rtol = 'fine' is not a number"),
        ({"atol": 0.0}, "atol = 0.0 must be above zero"),
        ({"atol": -1.0}, "must be above zero"),
        ({"atol": math.nan}, "must be above zero"),
        ({"atol": math.inf}, "must be above zero"),
        ({"atol": [1e-9] * 3}, r"atol has 3 entries; give one number, or one per state \(x, v\)"),
        ({"atol": []}, "atol has 0 entries"),
        ({"atol": "small"}, "atol = 'small' is not a number"),
        ({"atol": [1e-9, 0.0]}, "must be above zero"),
        ({"at": [2.0, 1.0]}, "must be ordered in the direction of integration"),
        ({"at": [0.0, 11.0]}, "output time 11 lies outside the motion, which runs from 0 to 10"),
        ({"at": [-1.0]}, "output time -1 lies outside"),
        ({"at": [math.nan]}, "at = nan is not finite"),
        ({"at": "now"}, "at = 'now' is not a number"),
        ({"at": [1.0, 2.0], "until": -10.0}, "must be ordered in the direction"),
        ({"max_steps": 0}, "max_steps = 0 must be above zero"),
        ({"max_steps": 0.5}, "max_steps = 0.5 must be at least 1"),
        ({"max_steps": "many"}, "max_steps = 'many' is not a number"),
        ({"max_step": 0.0}, "max_step = 0.0 must be above zero"),
        ({"max_step": -1.0}, "must be above zero"),
        ({"max_step": math.nan}, "must be above zero"),
        ({"wall_limit": 0.0}, "wall_limit = 0.0 must be above zero"),
        ({"wall_limit": "long"}, "wall_limit = 'long' is not a number"),
    ],
)
def test_what_is_refused(given, message):
    with pytest.raises(InputError, match=message):
        simulate(SPRING, **{"start": [1.0, 0.0], "until": 10.0, **given})


def test_no_limit_is_allowed():
    assert simulate(SPRING, [1.0, 0.0], 1.0, max_steps=math.inf, max_step=math.inf, wall_limit=math.inf).complete


def test_a_tolerance_finer_than_floating_point():
    for rtol in (0.0, 1e-17):
        with pytest.warns(MotionWarning, match="below what floating point can hold; 9e-16 is used"):
            motion = simulate(SPRING, [1.0, 0.0], 1.0, rtol=rtol, atol=1e-12)
        np.testing.assert_allclose(motion.end_state, spring(1.0), atol=1e-12)


# -- trust -------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rtol", [1e-4, 1e-7, 1e-10])
def test_verify_tells_the_truth(rtol):
    """The digits it claims are those that are right, within half a digit."""
    motion = simulate(SPRING, [1.0, 0.0], 50.0, rtol=rtol, verify=True)
    exact = spring(motion.t)
    true = -np.log10(np.abs(motion.y - exact).max(axis=0) / np.abs(motion.y).max(axis=0))
    np.testing.assert_allclose(motion.trust.digits, true, atol=0.5)
    assert motion.trust.names == ("x", "v")
    assert motion.trust.worst == min(motion.trust.digits)
    (check,) = motion.trust.checks
    assert check.name == "finer run"
    assert check.text.startswith(f"the same equations at rtol {rtol * 1e-3:.0e}: off by ")
    assert check.missed == pytest.approx(10.0**-motion.trust.worst)
    assert check.passed
    assert "digits to believe: x " in str(motion.trust)
    at_end = -np.log10(np.abs(motion.end_state - exact[-1]) / np.abs(motion.y).max(axis=0))
    np.testing.assert_allclose(motion.trust.final_digits, at_end, atol=0.5)


@pytest.mark.parametrize("rtol", [1e-13, 1e-14, 1e-15])
def test_verify_does_not_compare_a_motion_with_itself(rtol):
    motion = simulate(SPRING, [1.0, 0.0], 100.0, rtol=rtol, verify=True)
    assert 10.0 < motion.trust.worst < 15.5


def test_verify_bounds_the_steps_of_a_repetition_that_would_take_the_same():
    """A motion of two steps is not repeated in two steps: they would share their error."""
    motion = simulate(SPRING, [1.0, 0.0], 0.05, rtol=1e-5, at=[0.01, 0.02, 0.03], verify=True)
    exact = spring(motion.t)
    true = -np.log10(np.maximum(np.abs(motion.y - exact).max(axis=0) / np.abs(motion.y).max(axis=0), 1e-16))
    assert (np.array(motion.trust.digits) <= true + 0.5).all()
    assert "and steps below" in motion.trust.checks[0].text


def test_a_stepped_motion_promises_no_digits_next_to_its_impacts():
    """A ball that bounces, stepped: the time of an impact is known to a step, so that velocities there have no digits, and all others keep theirs."""
    ball = sliding(Body.from_inertia(1.0, (4e-3, 4e-3, 4e-3), Sphere(0.1)), law=Coulomb(0.3), e_N=0.8)
    motion = simulate(ball, {"gap": 0.05}, 0.5, method="moreau", verify=True)
    left_out = np.isin(motion.t, motion.provenance["no_digits_at"])
    assert 4 <= left_out.sum() <= 60
    assert "next to impacts" in str(motion.trust)
    exact = simulate(ball, {"gap": 0.05}, 0.5, method="event-driven", at=motion.t)
    vz = [q.name for q in motion.about.states].index("vz")
    off = np.abs(exact.y - motion.y)[:, vz]
    true = -np.log10(off[~left_out].max() / np.abs(motion.y[:, vz]).max())
    assert motion.trust.digits[vz] <= true + 0.5
    assert off[~left_out].max() < 0.1 * np.ptp(motion.y[:, vz])


def test_verify_offers_a_shorter_step_where_the_rate_depends_on_time():
    told = simulate(Clock(), [0.0], 100.0, verify=True).trust.checks
    assert told[0].text.startswith("the same equations at rtol 1e-12")
    assert "a pulse in t that is shorter than a step would go unseen" in told[1].text
    assert "give max_step" in told[1].text
    assert len(simulate(Clock(), [0.0], 1.0, verify=True, max_step=0.1).trust.checks) == 1  # somebody thought of it
    assert len(simulate(SPRING, [1.0, 0.0], 1.0, verify=True).trust.checks) == 1  # no time in it


def test_verify_in_a_second_formulation():
    good = simulate(Oscillator(g=1.0), [1.0, 0.0], 20.0, verify=True, rtol=1e-10)
    assert good.trust.checks[1].text.startswith("Oscillator at rtol 1e-13")
    assert good.trust.worst > 8.0
    assert good.status == "finished"
    with pytest.warns(MotionWarning, match="Both cannot be right"):
        bad = simulate(Oscillator(g=2.0), [1.0, 0.0], 20.0, verify=True, rtol=1e-10)
    assert 3.0 < bad.trust.worst < 4.5  # 20 rad with a frequency off by 1e-5
    assert bad.status == "doubtful"
    assert not bad.complete


def test_verify_with_chosen_times_an_event_and_from_a_motion():
    chosen = simulate(SPRING, [1.0, 0.0], 50.0, at=[10.0, 20.0], verify=True)
    assert 7.0 < chosen.trust.worst < 10.0
    assert simulate(SPRING, [1.0, 0.0], 50.0, at=[], verify=True).trust.worst > 7.0
    from rollick import Event

    stopped = simulate(SPRING, [1.0, 0.0], 50.0, events=Event("x", terminal=3), verify=True)
    assert 7.0 < stopped.trust.worst < 10.5
    assert simulate(SPRING, stopped, 50.0, verify=True).trust.worst > 7.0
    assert simulate(SPRING, [1.0, 0.0], 0.0, verify=True).trust.worst == 16.0
    assert simulate(SPRING, [1.0, 0.0], -50.0, verify=True).trust.worst > 7.0


def test_without_verify_there_are_no_digits():
    trust = simulate(SPRING, [1.0, 0.0], 1.0).trust
    assert trust.digits == ()
    assert np.isnan(trust.worst)
    assert trust.verdict == "not checked"


# -- provenance --------------------------------------------------------------------------------------------------------------------


def test_provenance_suffices_to_do_it_again():
    motion = simulate(Oscillator(w=1.5), {"x": 1.0}, 20.0, since=1.0, rtol=1e-7, atol=1e-8, max_step=0.5, events=["x"])
    made = motion.provenance
    again = simulate(
        Oscillator(**made["parameters"]), made["start"], made["until"], since=made["since"], method=made["method"], rtol=made["rtol"],
        atol=made["atol"], max_step=made["max_step"], events=[e["what"] for e in made["events"]],
    )  # fmt: skip
    np.testing.assert_array_equal(again.t, motion.t)
    np.testing.assert_array_equal(again.y, motion.y)
    assert again.events == motion.events
    assert made["system"] == "Oscillator"
    assert made["type"] == "systems:Oscillator"
    assert made["steps"] == motion.t.size - 1
    assert made["evaluations"] >= 12 * made["steps"]
    assert made["seconds"] > 0.0
    assert {"rollick", "numba", "numpy", "python"} <= set(made["versions"])


def test_the_same_again_is_the_same():
    first, second = (simulate(Kepler(), orbit(0.0)[0], 10.0) for _ in range(2))
    np.testing.assert_array_equal(first.y, second.y)
    assert isinstance(first, Motion)


# -- and some more -----------------------------------------------------------------------------------------------------------------

KEPLER = [0.4, 0.0, 0.0, 2.0]  # eccentricity 0.6, period 2 pi


def test_work_and_precision():
    """Error over cost falls as of a method of order eight, with the steps that the control chooses."""
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
    at_steps = np.abs(m.y - orbit(m.t)).max()
    between = np.abs(m.at(times) - orbit(times)).max()
    assert between < 20.0 * at_steps + 1e-10


def test_many_output_times_change_nothing():
    few = simulate(Kepler(), KEPLER, 5.0, at=[5.0])
    many = simulate(Kepler(), KEPLER, 5.0, at=np.linspace(0.0, 5.0, 20001))
    np.testing.assert_array_equal(few.y[-1], many.y[-1])


def test_small_numbers_need_a_small_atol():
    loose = simulate(SPRING, [1e-6, 0.0], 10.0, rtol=1e-12, atol=[1e-3, 1e-3])
    tight = simulate(SPRING, [1e-6, 0.0], 10.0, rtol=1e-12, atol=[1e-18, 1e-18])
    assert loose.provenance["steps"] < tight.provenance["steps"]
    assert abs(tight["x"][-1] - 1e-6 * math.cos(10.0)) < 1e-16


@pytest.mark.parametrize(
    ("system", "start", "options", "words"),
    [
        (Oscillator(), "x=1", {}, "is a dict of states, or all 2 of them in order .*; got 'x=1'"),
        (Oscillator(2j), [1.0, 0.0], {}, "= 2j of Oscillator is complex; give a real number"),
        (Oscillator(), [1.0, 0.0], {"max_steps": 3.5}, "max_steps = 3.5 must be a whole number"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_anything_is_compiled(system, start, options, words):
    with pytest.raises(InputError, match=words):
        simulate(system, start, 1.0, **options)


def test_the_last_output_time_is_the_end_where_none_is_given():
    motion = simulate(SPRING, [1.0, 0.0], at=[0.5, "1.5 s"])
    assert motion.t.tolist() == [0.5, 1.5]
    assert motion.end_time == 1.5
    assert simulate(SPRING, [1.0, 0.0], at=[-0.5, -1.0]).end_time == -1.0
    with pytest.raises(InputError, match="until is missing"):
        simulate(SPRING, [1.0, 0.0], at=[])
