"""What time stepping says of its own error: against motions from event to event, and where steps are too long."""

import numpy as np
import pytest

from rollick import Body, Ellipsoid, InputError, Sphere, coulomb, sliding
from rollick import simulate as simulate_aloud
from rollick.motion.result.outcome import MotionWarning


def simulate(*args, **options):
    return simulate_aloud(*args, progress=False, **options)


def fallen(seed):
    """A random ellipsoid that falls, spins and bounces, and its start."""
    rng = np.random.default_rng(seed)
    a, b, c = rng.uniform(0.05, 0.2, 3)
    body = Body.from_inertia(1.0, (0.2 * (b * b + c * c), 0.2 * (a * a + c * c), 0.2 * (a * a + b * b)), Ellipsoid(a, b, c))
    spin = rng.uniform(-15.0, 15.0, 3)
    start = {"gap": 0.02, "theta": 0.3, "omega1": spin[0], "omega2": spin[1], "omega3": spin[2]}
    return sliding(body, law=coulomb(rng.uniform(0.1, 0.5)), e_N=0.4), start


def judged(seed, until=0.5, **options):
    """The estimate of a stepped motion, and how far its positions are off a motion from event to event, both relative to the largest of their unit."""
    system, start = fallen(seed)
    exact = simulate(system, start, until, method="event-driven")
    motion = simulate(system, start, until, **options)
    off, largest = np.abs(motion.end_state - exact.end_state)[:7], np.abs(exact.y).max(axis=0)
    true = max(off[:3].max() / largest[:3].max(), off[3:].max() / largest[3:7].max())
    return motion, motion.provenance["step_error"], true


@pytest.mark.parametrize("method", ["moreau", "midpoint"])
def test_the_estimate_is_about_the_error(method):
    found = np.array([judged(seed, method=method)[1:] for seed in range(8)])
    ratio = np.log10(found[:, 1] / found[:, 0])
    assert np.abs(np.median(ratio)) < 0.6
    assert ratio.max() < 1.0


@pytest.mark.parametrize("method", ["moreau", "midpoint", pytest.param("thesis", marks=pytest.mark.slow)])
def test_rtol_chooses_the_step(method):
    for seed in range(3):
        motion, estimate, true = judged(seed, method=method, rtol=1e-3)
        assert motion.status == "finished"
        assert estimate <= 1e-3
        assert true < 4e-3
        (check,) = [c for c in motion.trust.checks if c.name == "steps"]
        assert check.explained == 1e-3
        assert f"off by {estimate:.1e} of the largest" in motion.summary()


def test_steps_that_are_too_long_are_told():
    system, start = fallen(2)
    with pytest.warns(MotionWarning, match="positions at the end off by .* of the largest, as steps twice as long tell"):
        motion = simulate(system, start, 2.0, method="moreau", dt=5e-2)
    assert motion.status == "doubtful"


def test_an_rtol_is_kept_where_the_first_steps_are_too_few_to_be_compared():
    system, start = fallen(3)
    motion = simulate(system, start, 0.05, method="moreau", dt=0.02, rtol=1e-3)
    assert motion.provenance["step_error"] <= 1e-3
    assert motion.provenance["steps"] > 20


def test_an_error_that_nobody_knows_is_told(monkeypatch):
    system, start = fallen(3)
    monkeypatch.setattr("rollick.motion.methods.stepping.with_longer_steps", lambda *_: None)
    with pytest.warns(MotionWarning, match="how far positions are off is not known"):
        motion = simulate(system, start, 0.05, method="moreau", rtol=1e-3, max_steps=5000)
    assert motion.status == "doubtful"


def test_an_rtol_that_cannot_be_had_within_max_steps_is_told():
    system, start = fallen(1)
    with pytest.warns(MotionWarning, match="positions at the end off"):
        motion = simulate(system, start, 0.5, method="moreau", rtol=1e-6, max_steps=20_000)
    assert motion.status == "doubtful"
    assert motion.provenance["steps"] <= 20_000


def test_a_motion_that_ends_at_an_event_tells_its_error_there():
    ball = sliding(Body.from_inertia(1.0, (4e-3, 4e-3, 4e-3), Sphere(0.1)), law=coulomb(0.3), e_N=0.7)
    motion = simulate(ball, {"gap": 0.5}, 3.0, method="moreau", events={"vz": "falling"}, dt=1e-3)
    assert "step_error" in motion.provenance


@pytest.mark.parametrize("rtol", [0.0, -1.0, 0.5, "a"])
def test_an_rtol_out_of_range_is_refused(rtol):
    system, start = fallen(0)
    with pytest.raises(InputError, match="rtol"):
        simulate(system, start, 0.1, method="moreau", rtol=rtol)
