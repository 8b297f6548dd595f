"""What "auto" takes for bodies with contacts: from event to event where contacts are dry, time stepping where they hold in other ways or it is asked for."""

from typing import NamedTuple

import numpy as np
import pytest
from random_mixtures import KINDS

from rollick import Body, Coulomb, InputError, Regularised, Sphere, simulate, sliding
from rollick.analysis.chart import chart
from rollick.mechanics.laws import contensou
from rollick.mechanics.mass.primitives import solid_sphere
from rollick.mechanics.surfaces import Plane, Shaken, Swing
from rollick.motion.methods import Auto, EventDriven, method_of
from rollick.motion.result import outcome as o
from rollick.motion.result.outcome import MotionWarning, Outcome

BALL = Body.from_parts(solid_sphere(1.0, 0.1), Sphere(0.1))
BACKSPIN = {"q0": 1.0, "vx": 1.0, "omega2": -20.0}
FEET = [(x, y, -0.02) for x in (-0.05, 0.05) for y in (-0.05, 0.05)]


def test_dry_contacts_are_followed_from_event_to_event():
    """The instant at which a ball with backspin rolls, to rounding; and the summary says what was taken, and why."""
    motion = simulate(sliding(BALL, law=Coulomb(0.3)), BACKSPIN, 1.0, progress=False)
    assert (motion.provenance["method"], motion.status) == ("event-driven", o.FINISHED)
    assert motion.events[0].t == pytest.approx(3.0 / (3.5 * 0.3 * 9.81), abs=1e-10)
    assert "auto follows contacts from event to event" in motion.summary()
    by_name = simulate(sliding(BALL, law=Coulomb(0.3)), BACKSPIN, 1.0, method="event-driven", progress=False)
    assert np.array_equal(by_name.end_state, motion.end_state)
    assert "auto" not in by_name.summary()


@pytest.mark.parametrize(
    ("system", "asked", "taken"),
    [
        (sliding(BALL, law=Coulomb(0.3)), {}, "event-driven"),
        (sliding(BALL, law=Coulomb(0.3)), {"rtol": 1e-6, "ambiguous": "roll"}, "event-driven"),
        (sliding(BALL, law=Coulomb(0.3)), {"dt": 1e-3}, "moreau"),
        (sliding(BALL, law=Coulomb(0.3)), {"every": 10}, "moreau"),
        (sliding(BALL, law=Coulomb(0.3), feet=FEET), {}, "event-driven"),
        (sliding(BALL, law=Regularised(0.3, 0.01)), {}, "auto"),
        (sliding(BALL, law=Regularised(0.3, 0.01), feet=FEET), {}, "event-driven"),
        (sliding(BALL, law=contensou(0.3, 0.01)), {}, "moreau"),
        (sliding(BALL, on=Shaken(Plane(), Swing(0.01, 5.0)), law=Coulomb(0.3)), {}, "event-driven"),
    ],
)
def test_what_is_taken(system, asked, taken):
    """By the laws, and by the options."""
    assert method_of("auto", asked, system).name == taken


def test_options_of_two_methods_are_refused():
    """`dt` asks for time stepping, which has no policy for forks."""
    with pytest.raises(InputError, match="ambiguous is no option of method 'moreau', which 'auto' takes"):
        simulate(sliding(BALL, law=Coulomb(0.3)), BACKSPIN, 1.0, dt=1e-3, ambiguous="roll")


def test_why_stepping_was_taken():
    """In the summary, by the law that has no modes; not where it was asked for."""
    motion = simulate(sliding(BALL, law=contensou(0.3, 0.01)), BACKSPIN, 0.01, progress=False)
    assert (
        "auto takes time stepping: the method 'event-driven' follows Coulomb friction and smooth laws; the law"
        in motion.summary()
    )
    assert "auto" not in simulate(sliding(BALL, law=Coulomb(0.3)), BACKSPIN, 0.01, dt=1e-3, progress=False).summary()


class Tried(NamedTuple):
    """A motion that went as far as it says."""

    status: str
    end_time: float


def test_stepping_goes_on_where_modes_cannot(monkeypatch):
    """A motion from event to event that breaks down is stepped instead, with a sentence; one that a fork or a limit ended is not."""
    run = EventDriven.run

    def breaks_down(self, problem):
        motion = run(self, problem)
        motion.outcome = Outcome(o.UNSOLVED, "nine contacts are closed.")
        return motion

    system = sliding(BALL, law=Coulomb(0.3))
    for status in (o.AMBIGUOUS, o.PAINLEVE, o.MOST_STEPS, o.FINISHED):
        assert Auto().successor(EventDriven(), None, Tried(status, 1.0)) is None
    monkeypatch.setattr(EventDriven, "run", breaks_down)
    with pytest.warns(
        MotionWarning, match="Computed by 'moreau', since 'event-driven' could not go on: nine contacts are closed."
    ):
        motion = simulate(system, BACKSPIN, 0.5, progress=False)
    assert (motion.provenance["method"], motion.complete) == ("moreau", True)
    assert "Computed by 'moreau'" in motion.message
    with pytest.warns(MotionWarning, match="nine contacts"):
        assert simulate(system, BACKSPIN, 0.5, method="event-driven", progress=False).status == o.UNSOLVED


def test_charts_fall_back_and_honour_their_tolerances():
    """A ring of fourteen feet closes more contacts than modes are tried of; a ball that bounces is less exact at a coarse rtol, and a limit on steps is one."""
    ring = [(0.05 * np.cos(a), 0.05 * np.sin(a), -0.02) for a in 2.0 * np.pi * np.arange(14) / 14]
    many, start = sliding(BALL, law=Coulomb(0.3), feet=ring), {"q0": 1.0, "z": 0.03, "omega3": 2.0}
    with pytest.warns(MotionWarning, match="'event-driven' could not go on"):
        alone = simulate(many, {**start, "vx": 0.2}, 0.1, progress=False)
    assert "auto takes time stepping, since 'event-driven' could not go on" in alone.summary()
    assert chart(many, start, 0.1, {"vx": [0.2]}, ["x"], progress=False)["x at the end"][0] == pytest.approx(
        alone.end_state[0], abs=1e-12
    )
    ball = sliding(BALL, law=Coulomb(0.3), e_N=0.5)
    thrown = {"q0": 1.0, "gap": 0.1, "omega2": -20.0}
    ends = [
        chart(ball, thrown, 1.0, {"vx": [1.0]}, ["x"], rtol=rtol, progress=False)["x at the end"][0] for rtol in (1e-3, 1e-12)
    ]
    assert 0.0 < abs(ends[1] - ends[0]) < 1e-2
    assert np.isnan(chart(ball, thrown, 1.0, {"vx": [1.0]}, ["x"], max_steps=3, progress=False)["x at the end"][0])


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_random_bodies_reach_their_ends(kind):
    """None of them needs time stepping, and no check contradicts one."""
    for seed in range(60):
        try:
            motion = simulate(*KINDS[kind](seed), progress=False, ambiguous="roll", painleve="slip")
        except InputError:  # the body does not fit where it starts
            continue
        assert (motion.provenance["method"], motion.status) == ("event-driven", o.FINISHED), seed
