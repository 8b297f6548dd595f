"""method="auto": explicit where it serves, stiff where it must, and back."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from systems import Growth, Oscillator, VanDerPol

from rollick import Event, MotionWarning, simulate

MU = 1000.0
# Van der Pol's oscillator, mu = 1000, from (2, 0) at t = 2000: the reference solution of the Test Set for IVP Solvers (there in the
# scaled time t/mu, eps = 1/mu^2).
REFERENCE = np.array([1.706167732170483, -0.8928097010247975e-3])


def used(motion):
    return [name for name, _ in motion.provenance["methods"]]


def switches(motion):
    return np.array([t for _, t in motion.provenance["methods"]])


@pytest.mark.parametrize(("method", "tolerance"), [("auto", 20.0), ("radau", 20.0)])
@pytest.mark.parametrize("rtol", [1e-6, 1e-8, 1e-10])
def test_reference(method, tolerance, rtol):
    motion = simulate(VanDerPol(MU), [2.0, 0.0], 2000.0, method=method, rtol=rtol, atol=[rtol, 1e-3 * rtol])
    assert motion.complete
    np.testing.assert_allclose(motion.end_state, REFERENCE, rtol=tolerance * rtol)


def test_switches_there_and_back_and_says_so():
    """Two relaxations: on the slow branches stiff, in the jumps between them not. The record of the methods is in order and complete."""
    motion = simulate(VanDerPol(MU), [2.0, 0.0], 2000.0, rtol=1e-6)
    assert used(motion)[0] == "dop853"
    assert used(motion).count("radau") >= 2
    assert used(motion).count("dop853") >= 2
    assert all(a != b for a, b in zip(used(motion)[:-1], used(motion)[1:]))
    assert switches(motion)[0] == 0.0
    assert np.all(np.diff(switches(motion)) > 0.0)
    assert set(switches(motion)) <= set(motion.t)  # between two steps
    # Where it is stiff, and back: the jumps of x through zero are the explicit method's, the slow branches the stiff one's.
    jumps = motion.t[:-1][np.diff(np.sign(motion["x"])) != 0]
    method_at = lambda t: used(motion)[np.searchsorted(switches(motion), t, side="right") - 1]
    assert {method_at(t) for t in jumps} == {"dop853"}
    spans = np.diff([*switches(motion), 2000.0])
    assert sum(span for name, span in zip(used(motion), spans) if name == "radau") > 0.99 * 2000.0
    assert "dop853 then radau" in repr(motion)
    assert motion.provenance["jacobians"] > 0
    # The explicit method alone, limited by stability, takes two thousand times as many steps per second of a slow branch.
    assert motion.provenance["steps"] < 2000


def test_the_explicit_method_alone_is_hopeless():
    """What "auto" is for: the same tolerance, 20 of the 2000 seconds."""
    alone = simulate(VanDerPol(MU), [2.0, 0.0], 20.0, rtol=1e-6, method="dop853").provenance["steps"]
    auto = simulate(VanDerPol(MU), [2.0, 0.0], 20.0, rtol=1e-6).provenance["steps"]
    assert alone > 50 * auto


def test_what_is_not_stiff_stays_explicit():
    assert used(simulate(Oscillator(), [1.0, 0.0], 1000.0)) == ["dop853"]
    assert used(simulate(VanDerPol(1.0), [2.0, 0.0], 200.0)) == ["dop853"]
    assert used(simulate(Oscillator(w=1e4), [1.0, 0.0], 1.0, rtol=1e-3)) == ["dop853"]  # fast is not stiff


def test_the_others_do_not_switch():
    assert used(simulate(VanDerPol(MU), [2.0, 0.0], 1000.0, method="radau")) == ["radau"]
    assert used(simulate(VanDerPol(MU), [2.0, 0.0], 1.0, method="dop853")) == ["dop853"]


def test_against_another_program():
    """SciPy's Radau, at times on the slow branches and in a jump."""
    at = np.array([1.0, 100.0, 700.0, 807.0, 807.2, 1500.0])
    ours = simulate(VanDerPol(MU), [2.0, 0.0], 1500.0, rtol=1e-9, atol=[1e-10, 1e-13], at=at)
    theirs = solve_ivp(
        lambda t, y: [y[1], MU * (1.0 - y[0] ** 2) * y[1] - y[0]],
        [0.0, 1500.0],
        [2.0, 0.0],
        method="Radau",
        t_eval=at,
        rtol=1e-9,
        atol=[1e-10, 1e-13],
        jac=lambda t, y: [[0.0, 1.0], [-2.0 * MU * y[0] * y[1] - 1.0, MU * (1.0 - y[0] ** 2)]],
    ).y.T
    calm = np.abs(at - 807.1) > 1.0
    np.testing.assert_allclose(ours.y[calm], theirs[calm], rtol=1e-6)
    np.testing.assert_allclose(ours.y[~calm], theirs[~calm], rtol=2e-3)


def test_events_and_outputs_do_not_care_who_integrates():
    found = {}
    for method in ("auto", "radau", "dop853"):
        m = simulate(VanDerPol(20.0), [2.0, 0.0], 60.0, rtol=1e-9, method=method, events=["x"], at=[10.0, 30.0, 60.0])
        found[method] = ([e.t for e in m.events], m["x"])
    for method in ("auto", "radau"):
        np.testing.assert_allclose(found[method][0], found["dop853"][0], atol=1e-6)
        np.testing.assert_allclose(found[method][1], found["dop853"][1], atol=1e-6)


def test_period_by_events():
    """The period for mu = 1000, by a section, across all switches: Dorodnitsyn's expansion, to the digits it has."""
    motion = simulate(VanDerPol(MU), [2.0, 0.0], 6000.0, rtol=1e-8, atol=[1e-9, 1e-12], events=Event("x", "rising"), at=[6000.0])
    periods = np.diff([e.t for e in motion.events])
    assert len(periods) >= 2
    np.testing.assert_allclose(periods, periods[0], rtol=1e-7)
    expansion = (3.0 - 2.0 * math.log(2.0)) * MU + 7.01432 * MU ** (-1.0 / 3.0) - 22.0 / 9.0 * math.log(MU) / MU + 0.0087 / MU
    assert periods[0] == pytest.approx(expansion, rel=1e-5)


def test_backward_and_dense():
    """Backward the slow branch is repelling: start near its end and go a little way, both methods agree; dense output crosses a switch."""
    motion = simulate(VanDerPol(MU), [2.0, 0.0], 900.0, rtol=1e-8, dense=True)
    assert "radau" in used(motion)
    for t in switches(motion)[1:]:
        left, right = motion.at(t * (1.0 - 1e-14)), motion.at(t * (1.0 + 1e-14))
        np.testing.assert_allclose(left, right, rtol=1e-6, atol=1e-9)
    there = simulate(VanDerPol(5.0), [2.0, 0.0], 20.0, rtol=1e-12)
    back = simulate(VanDerPol(5.0), there.end_state, 19.0, since=20.0, rtol=1e-12)
    forth = simulate(VanDerPol(5.0), back.end_state, 20.0, since=19.0, rtol=1e-12)
    np.testing.assert_allclose(forth.end_state, there.end_state, rtol=1e-8)


@pytest.mark.parametrize("scale", [(1.0, 1e-3), (1e-3, 1e-3), (1.0, 1.0)])
@pytest.mark.parametrize("rtol", [1e-12, 1e-13])
def test_stiffness_is_seen_at_the_tightest_tolerances(rtol, scale):
    """There the estimate of |h lambda| is noisy, and steps stay well inside the region of stability."""
    atol = [rtol * s for s in scale]
    auto = simulate(VanDerPol(MU), [2.0, 0.0], 2000.0, rtol=rtol, atol=atol)
    alone = simulate(VanDerPol(MU), [2.0, 0.0], 2000.0, rtol=rtol, atol=atol, method="radau")
    assert auto.provenance["steps"] < alone.provenance["steps"]
    assert auto.provenance["methods"][1][1] < 0.2  # the first second is stiff already


@pytest.mark.parametrize("rtol", [1e-9, 1e-13])
def test_oscillations_are_not_taken_for_stiffness(rtol):
    assert used(simulate(VanDerPol(1.0), [2.0, 0.0], 100.0, rtol=rtol)) == ["dop853"]
    assert used(simulate(Oscillator(1.0), [1.0, 0.0], 100.0, rtol=rtol)) == ["dop853"]


@pytest.mark.parametrize("method", ["radau", "dop853"])
def test_growth_is_followed_up_to_the_largest_numbers(method):
    """Squares of the state overflow long before the state does."""
    with pytest.warns(MotionWarning, match="not finite"):
        motion = simulate(Growth(1.0), [1.0], 1000.0, method=method, max_steps=100_000)
    assert motion.status == "not_finite"
    assert motion.end_time == pytest.approx(709.0, abs=10.0)
    assert motion.end_state[0] == pytest.approx(math.exp(motion.end_time), rel=1e-4)
