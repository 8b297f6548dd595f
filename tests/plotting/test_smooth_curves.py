"""Curves between steps: what lies there is found, jumps stay jumps, chosen output is left alone."""

import numpy as np
import pytest

from rollick import Rattleback, simulate
from rollick.plotting.smooth import curves


def uneven(end, count, seed=3):
    """Instants whose steps change by up to a factor of two, as those of an integrator do."""
    steps = 1.0 + 0.33 * np.sin(np.arange(count) * 0.7 + seed)
    return np.concatenate([[0.0], np.cumsum(steps)]) * end / steps.sum()


def test_extremes_between_steps_are_found(handmade):
    """Ten steps to a swing: a polygon misses the least value by up to 5 %, the curve by 1e-4."""
    t = uneven(6.0, 60) + 0.013
    motion = handmade(t, {"x": np.sin(2.0 * np.pi * t)})
    drawn = curves(motion, ["x"])
    assert not drawn.exact
    assert drawn.t.size > 6 * t.size
    off = np.abs(drawn.values["x"] - np.sin(2.0 * np.pi * drawn.t))
    assert off.max() < 1e-3
    assert off[(drawn.t > 0.6) & (drawn.t < 5.4)].max() < 1e-4
    lows = [motion["x"][(t > k) & (t < k + 1)].min() for k in range(1, 5)]
    assert max(np.abs(np.array(lows) + 1.0)) > 5e-3  # what the steps alone would show
    found = [drawn.values["x"][(drawn.t > k) & (drawn.t < k + 1)].min() for k in range(1, 5)]
    assert max(np.abs(np.array(found) + 1.0)) < 2e-3  # eight points to a step


def test_a_real_motion_agrees_with_its_dense_output():
    start = {"alpha": "0.5deg", "beta": "0.5deg", "omega3": -5.0}
    plain, dense = (simulate(Rattleback(), start, until=2.0, dense=kept) for kept in (False, True))
    drawn = curves(plain, ["gamma", "delta", "omega1"])
    for name, most in (("gamma", 1e-6), ("delta", 1e-3), ("omega1", 1e-3)):
        truth = dense.at(drawn.t, name)
        assert np.abs(drawn.values[name] - truth).max() < most * np.ptp(truth), name
    assert np.array_equal(curves(dense, ["gamma"]).values["gamma"], dense.at(drawn.t, "gamma"))


def test_kinks_at_changes_of_mode_stay_kinks(handmade):
    """No overshoot on either side of a kink, where a spline through both would have one."""
    t = np.sort(np.append(np.linspace(0.0, 2.0, 21), [1.0, 1.0]))
    motion = handmade(t, {"v": np.maximum(1.0 - t, 0.0)}, methods=[["slip", 0.0], ["stick", 1.0]], method="event-driven")
    drawn = curves(motion, ["v"])
    assert np.abs(drawn.values["v"] - np.maximum(1.0 - drawn.t, 0.0)).max() < 1e-12


def test_chosen_output_and_time_steps_are_drawn_as_they_are(handmade):
    t = np.linspace(0.0, 10.0, 12)
    motion = handmade(t, {"x": np.sin(7.0 * t)}, steps=500)  # far more steps than output times
    drawn = curves(motion, ["x"])
    assert drawn.exact
    assert np.array_equal(drawn.t, t)


def test_steep_steps_do_not_make_the_curve_swing(handmade):
    t = np.linspace(0.0, 1.0, 41)
    x = np.where(t < 0.5, 0.0, 1.0)
    values = curves(handmade(t, {"x": x}), ["x"]).values["x"]
    assert values.min() > -0.2
    assert values.max() < 1.2


def test_backward_motions(handmade):
    t = np.linspace(3.0, 0.0, 60)
    drawn = curves(handmade(t, {"x": np.cos(t)}), ["x"])
    assert drawn.t[0] == 3.0
    assert drawn.t[-1] == 0.0
    assert np.abs(drawn.values["x"] - np.cos(drawn.t)).max() < 1e-5
    assert pytest.approx(1.0, abs=1e-12) == drawn.values["x"][-1]
