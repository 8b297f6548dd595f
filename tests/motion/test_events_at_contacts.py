"""Events of bodies with contacts: where slip ends, at impacts and counted there, and quantities that contacts hold at zero."""

import math
import warnings

import numpy as np
import pytest

from rollick import Body, Coulomb, Ellipsoid, Event, InputError, MotionWarning, Plane, Sphere, StartAdjusted, simulate, sliding
from rollick.mechanics.mass.primitives import solid_sphere
from rollick.mechanics.surfaces import wall

BALL = Body.from_parts(solid_sphere(1.0, 0.1), Sphere(0.1))
ROLLS = sliding(BALL, law=Coulomb(0.3), e_N=0.7)
BACKSPIN = {"q0": 1.0, "vx": 1.0, "omega2": -20.0}
ROLLING_FROM = 3.0 / (3.5 * 0.3 * 9.81)
DROP, FALL = {"gap": 0.5, "vx": 0.0, "vy": 0.0, "vz": 0.0}, math.sqrt(2.0 * 0.5 / 9.81)
METHODS = {"event-driven": 1e-8, "moreau": 2e-4, "midpoint": 2e-4}


def told(motion, name):
    """The occurrences of an event of the user."""
    return [e for e in motion.events if e.name == name]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("what", ["slip", "slip_x"])
def test_slip_that_ends_is_one_event_where_it_ends(method, what):
    motion = simulate(ROLLS, BACKSPIN, 1.0, method=method, events=[what])
    (ends,) = told(motion, what)
    assert ends.t == pytest.approx(ROLLING_FROM, abs=METHODS[method])
    motion = simulate(ROLLS, BACKSPIN, 1.0, method=method, events=[Event(what, "falling", terminal=True)])
    assert motion.status == "event"
    assert motion.end_time == pytest.approx(ROLLING_FROM, abs=METHODS[method])
    assert not told(simulate(ROLLS, motion, 1.0, method=method, events=[what]), what)  # the start is silent
    assert not told(simulate(ROLLS, BACKSPIN, 1.0, method=method, events=[Event(what, "rising")]), what)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_occurrences_at_impacts_are_counted(count):
    events = [Event("vz", "rising", terminal=count, name="bounce"), Event("vz", "falling", name="bounce")]
    motion = simulate(ROLLS, DROP, 3.0, method="event-driven", events=events)
    bounce = FALL * (1.0 + 2.0 * sum(0.7**k for k in range(1, count)))
    assert motion.status == "event"
    assert motion.end_time == pytest.approx(bounce, abs=1e-9)
    assert [e.kind for e in told(motion, "bounce")] == ["rising", "falling"] * (count - 1) + ["rising"]


@pytest.mark.parametrize("what", ["gap", "vz", "z"])
@pytest.mark.parametrize("steps", [{"method": "moreau"}, {"method": "midpoint"}, {"method": "moreau", "every": 7}])
def test_time_stepping_goes_on_from_a_terminal_event_as_if_it_had_not_ended(what, steps):
    """The step of an impact has no state in between: going on from there, the ball was dead, or rose to two thirds."""
    dt, until, level = 7e-4, 1000 * 7e-4, 0.12 if what == "z" else 0.0
    event = Event(what, "rising" if what == "vz" else "falling", level=level, terminal=True)
    whole = simulate(ROLLS, DROP, until, dt=dt, **steps)
    first = simulate(ROLLS, DROP, until, dt=dt, **steps, events=[event, Event("z", level=0.1003)])
    assert first.status == "event"
    (ends,) = (e for e in first.events if e.terminal)
    assert ends.t <= first.end_time < ends.t + dt
    assert first.t[-1] == first.end_time
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StartAdjusted)  # a start below the ground by less than v dt is lifted
        second = simulate(ROLLS, first, until, dt=dt, **steps)
    lifted = max(0.0, -first["gap"][-1])
    assert lifted < 3.2 * dt
    assert second["z"][-1] - lifted == pytest.approx(whole["z"][-1], rel=1e-9)
    assert second["z"].max() > 0.3


@pytest.mark.parametrize("events", [[], ["vz"]])
def test_the_last_instant_is_in_the_output(events):
    motion = simulate(ROLLS, DROP, 0.1, method="moreau", dt=1e-3, every=7, events=events)
    assert motion.t[-1] == motion.end_time == 0.1
    assert motion.t.size == 16


def test_a_step_longer_than_the_motion_is_told():
    with pytest.warns(MotionWarning, match="dt = 1 s is longer than the motion, 0.1 s, which is one step"):
        simulate(ROLLS, DROP, 0.1, method="moreau", dt=1)


def test_a_jump_to_zero_is_an_event():
    motion = simulate(sliding(BALL, law=Coulomb(0.3)), DROP, 1.0, method="event-driven", events=["vz"])
    (stops,) = told(motion, "vz")
    assert stops.kind == "rising"
    assert stops.t == pytest.approx(FALL, abs=1e-9)


@pytest.mark.parametrize("method", ["moreau", "event-driven"])
def test_the_gap_of_a_rocking_block(method):
    """One edge or the other is on the ground all the time: a gap that is zero from the start on is no event, whatever its last digits are."""
    b, h, mass = 0.05, 0.3, 2.0
    moments = mass / 3.0 * np.array([b * b + h * h, b * b + h * h, 2.0 * b * b])
    block = Body.from_inertia(mass, tuple(moments), Ellipsoid(b, b, h))
    corners = [(x, y, -h) for x in (b, -b) for y in (b, -b)]
    system = sliding(block, law=Coulomb(0.8), feet=corners)
    for dt in (1e-3, 2e-4) if method == "moreau" else (None,):
        motion = simulate(system, {"theta": 0.1}, 0.3, method=method, dt=dt, events=["gap"])
        assert motion.status == "finished"
        assert not told(motion, "gap")


def test_the_wall_clock_is_looked_at_on_the_way():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MotionWarning)
        motion = simulate(ROLLS, DROP, 3.0, method="event-driven", wall_limit=1e-9)
    assert motion.status == "wall_limit"
    assert motion.end_time < 3.0
    assert motion.provenance["steps"] <= 64  # of the first block
    assert not motion.complete


@pytest.mark.parametrize("method", ["moreau", "event-driven"])
def test_a_motion_that_goes_on_tells_of_itself(method):
    first = simulate(ROLLS, BACKSPIN, 0.5, method=method)
    summary = simulate(ROLLS, first, 0.7, method=method).summary()
    assert "mean normal force is 1.0000 of the weight" in summary
    assert "lost to" not in summary


def test_options_of_methods_by_name():
    motion = simulate(ROLLS, BACKSPIN, 0.1, method="event-driven", painleve="slip", max_changes=50)
    assert motion.status == "finished"
    with pytest.raises(InputError, match="unknown painleve: 'bounce'"):
        simulate(ROLLS, BACKSPIN, 0.1, method="event-driven", painleve="bounce")
    with pytest.raises(InputError, match="painleve is no option of method 'moreau'"):
        simulate(ROLLS, BACKSPIN, 0.1, method="moreau", painleve="stop")
    with pytest.raises(InputError, match=r"tol = 2\.0 must lie between"):
        simulate(ROLLS, BACKSPIN, 0.1, method="moreau", tol=2.0)


@pytest.mark.slow
def test_the_account_of_an_impact_at_two_contacts():
    """A ball that rolls on the floor hits a wall: the floor takes part. What each mechanism took is that of time stepping."""
    system = sliding(BALL, on=[(Plane(), Coulomb(0.3), 0.2), (wall((-1, 0, 0), (0.3, 0, 0)), Coulomb(0.4), 0.5)])
    exact = simulate(system, {"vx": 1.0}, 0.5, method="event-driven")
    steps = simulate(system, {"vx": 1.0}, 0.5, method="moreau", dt=2e-5)
    for name in ("impulse", "lost_sliding", "lost_impacts"):
        assert exact[name][-1] == pytest.approx(steps[name][-1], rel=2e-3), name
