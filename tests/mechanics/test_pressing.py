"""A normal force that falls to zero between the ends of a step is seen: against closed forms, and against motions in short steps."""

from typing import NamedTuple

import numpy as np
import pytest

from rollick import describe, rate
from rollick.archetypes.models import model
from rollick.mechanics.pressing import not_pressing
from rollick.motion.result.outcome import MotionWarning


class Clock(NamedTuple):
    """A state that counts the time."""

    speed: float = 1.0


describe(Clock, states={"phase": "rad"})


@rate.register(Clock)
def _(c, t, y, out):
    out[0] = c.speed


# member 34 of block 861 of the soak with seed 1
ROW = {
    "mu": 0.31476705388366955,
    "eps": 0.10805100862057554,
    "radius": 0.0027349410792531638,
    "g": 7.898543165154414,
    "beta(0)": 1.9821678536814475,
    "gamma(0)": -0.9659192923667866,
    "alpha_rate(0)": 28.760515906705123,
}
PARAMETERS = {name: value for name, value in ROW.items() if not name.endswith("(0)")}
START = {name.removesuffix("(0)"): value for name, value in ROW.items() if name.endswith("(0)")}


@pytest.mark.parametrize("seed", range(60))
def test_dips_between_steps_are_found(seed):
    """N = a + cos(phase), steps of 0.2 to 1.2 rad: it does not press where cos(phase) <= -a."""
    rng = np.random.default_rng(seed)
    a, begin = rng.uniform(0.9, 1.1), rng.uniform(-1.5, 1.0)
    t = begin + np.concatenate([[0.0], np.cumsum(rng.uniform(0.2, 1.2, 12))])
    found = not_pressing(Clock(), t, t[:, None].copy(), lambda at, y: a + np.cos(y[:, 0]))
    first = np.arccos(-a) if a < 1.0 else np.inf
    if not np.isfinite(first):
        assert not found.any()
    elif np.pi - first > 0.04:  # dips much shorter than a 32nd of a step may be missed
        assert found.any()
        k = int(np.argmax(found))
        assert t[k - 1] < 2 * np.pi - first
        assert t[k] >= first
    elif found.any():
        assert t[int(np.argmax(found))] >= first


def test_a_tippedisk_that_lifts_off_between_steps_is_told():
    """Its steps at rtol 1e-9 are longer than the time in which it would have to be pulled; friction that pushes upward made its energy grow."""
    disk = model("tippedisk")
    system = disk.make(**PARAMETERS)
    with pytest.warns(MotionWarning, match="lifts off"):
        told = disk.simulate(system, START, 0.5, progress=False, method="dop853")
    with pytest.warns(MotionWarning, match="lifts off"):
        short = disk.simulate(system, START, 0.5, progress=False, method="dop853", max_step=1e-4)
    assert told.status == short.status == "left_domain"
    assert told.end_time == pytest.approx(short.end_time, abs=1e-8)
    assert np.all(np.diff(told["energy"]) <= 1e-12)


def test_a_tippedisk_that_lifts_off_goes_on_by_default():
    disk = model("tippedisk")
    motion = disk.simulate(disk.make(**PARAMETERS), START, 0.5, progress=False)
    assert motion.status == "finished"
    assert any(e.name == "lift_off" for e in motion.events)
    assert all(check.passed for check in motion.trust.checks)


class Stiff(NamedTuple):
    """A clock with a state that follows it fast."""

    fast: float = 1e6


describe(Stiff, states={"phase": "rad", "follower": "rad"})


@rate.register(Stiff)
def _(c, t, y, out):
    out[0] = 1.0
    out[1] = c.fast * (y[0] - y[1]) + 1.0


@pytest.mark.parametrize(("level", "lifts"), [(1.5, False), (1.02, False), (0.9, True)])
def test_stiff_steps_do_not_lift_off_by_themselves(level, lifts):
    """Short explicit steps blow up here (h times the rate is 1e4); what the cubic says counts."""
    t = np.arange(0.0, 6.0, 0.4)
    found = not_pressing(Stiff(), t, np.stack([t, t], axis=1), lambda at, y: level + np.cos(y[:, 1]))
    assert found.any() == lifts
