"""Where motions through modes begin: bodies that touch, that do not, that part or hit; and options that are wrong."""

import numpy as np
import pytest

from rollick import Body, Coulomb, InputError, Sphere, StartAdjusted, simulate, sliding
from rollick.analysis.filippov import what_follows
from rollick.archetypes.filippov import BallInCorner, PoolBall, SpringDisk
from rollick.mechanics.mass.primitives import solid_sphere
from rollick.mechanics.surfaces import wall

R, G, MU = 0.1, 9.81, 0.3
GROOVE = sliding(
    Body.from_parts(solid_sphere(1.0, R), Sphere(R)),
    on=[wall((np.cos(0.7), 0, np.sin(0.7))), wall((-np.cos(0.7), 0, np.sin(0.7)))],
    law=Coulomb(MU),
)
DEEP = R / np.sin(0.7)  # of a ball that touches both sides


def state(x, z, vx=0.0, vy=0.0, vz=0.0):
    return np.array([x, 0, z, 1, 0, 0, 0, vx, vy, vz, 0, 0, 0], float)


def modes(motion):
    return [name for name, _ in motion.provenance["methods"]]


def test_a_body_in_the_air_falls():
    """It was put onto its surfaces once, without a word."""
    motion = simulate(GROOVE, state(0.0, DEEP + 0.1, vy=0.5), 0.1, method="event-driven")
    assert modes(motion) == ["flight"]
    assert motion.end_state[:3] == pytest.approx([0.0, 0.05, DEEP + 0.1 - 0.5 * G * 0.01], abs=1e-12)
    assert motion["energy"] == pytest.approx(motion["energy"][0], rel=1e-12)


def test_a_body_that_touches_and_parts_flies():
    motion = simulate(GROOVE, state(0.0, DEEP, vz=1.0), 0.1, method="event-driven")
    assert modes(motion) == ["flight"]
    assert motion.end_state[2] == pytest.approx(DEEP + 0.1 - 0.5 * G * 0.01, abs=1e-12)
    along = np.array(
        [np.sin(0.7), 0.0, -np.cos(0.7)]
    )  # the first side, downward: the ball moves up along it, away from the other
    motion = simulate(GROOVE, state(0.0, DEEP, *(-0.4 * along)), 0.03, method="event-driven")
    assert modes(motion)[0] == "slip flight"


def test_a_body_that_hits_begins_with_an_impact():
    hit = state(0.0, DEEP, vy=0.5, vz=-1.0)
    motion = simulate(GROOVE, hit, 0.1, method="event-driven")
    assert (motion.status, motion.events[0].name, motion.events[0].t) == ("finished", "impact", 0.0)
    with pytest.raises(InputError, match=r"contact 0 .* closes with 0\.64"):
        what_follows(GROOVE, hit)
    assert [f.letters for f in what_follows(GROOVE, state(0.0, DEEP + 0.1))] == ["OO"]


def test_a_body_inside_its_surface_is_moved_out_with_a_word():
    with pytest.warns(StartAdjusted, match=r"moved by 0\.01 m out"):
        motion = simulate(GROOVE, state(0.0, DEEP - 0.01), 0.1, method="event-driven")
    assert motion.end_state[2] == pytest.approx(DEEP, abs=1e-12)
    with pytest.raises(InputError, match=r"contact 0 of .* is 0\.00644 m inside"):
        what_follows(GROOVE, state(0.0, DEEP - 0.01))


def test_rounding_does_not_part_contacts():
    """A ball that slides along the groove, its velocities and place off by rounding: N = m g/(2 sin(0.7)) on either side."""
    start = state(1e-17, DEEP * (1 + 2e-16), 1e-13, 1.0, -1e-13)
    motion = simulate(GROOVE, start, 0.05, method="event-driven")
    assert modes(motion) == ["slip slip"]
    assert motion.end_state[8] == pytest.approx(1.0 - MU * G / np.sin(0.7) * 0.05, abs=1e-9)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"rtol": -1.0}, "rtol = -1"),
        ({"rtol": 1.0}, "rtol = 1"),
        ({"rtol": "x"}, "rtol"),
        ({"atol": -1.0}, r"atol = .*-1\.0"),
        ({"choices": 3}, "choices = 3 must be a list"),
        ({"choices": "10"}, "choices = '10' must be a list"),
        ({"slip_scale": 0.0}, "slip_scale"),
    ],
)
def test_wrong_options_are_named_as_they_were_given(options, words):
    with pytest.raises(InputError, match=words):
        simulate(PoolBall(), [0.8, 0.9, 1.2, -0.7], 1.0, **options)


@pytest.mark.parametrize(
    ("system", "start"),
    [
        (PoolBall(), [0.0, 0.0, 1.0, -0.4]),
        (SpringDisk(), [1.0, 0.3, 0.0]),
        (BallInCorner(slope=0.2), [0.0, 0.5, 0.5 / (0.1 * np.sqrt(0.5)), 0.0, 0.0]),
    ],
)
def test_the_transition_matrix_of_a_motion_that_begins_with_rolling(system, start):
    """Slip of motions nearby has gone at once: of a pool ball 2/7 of it is lost in velocity. Against differences of motions that do slip."""
    at = [0.0, 0.5]
    motion = simulate(system, start, at=at, method="event-driven", rtol=1e-12, variational=True)
    assert set(modes(motion)[0]) == {"R"}
    np.testing.assert_array_equal(motion.transition[0], np.eye(len(start)))
    step = 1e-5
    ends = [
        [simulate(system, np.add(start, sign * step * e), 0.5, rtol=1e-12).end_state for sign in (1.0, -1.0)]
        for e in np.eye(len(start))
    ]
    wanted = np.array([(up - down) / (2.0 * step) for up, down in ends]).T
    assert motion.transition[-1] == pytest.approx(wanted, abs=2e-5)


def test_a_slip_scale_of_ones_own():
    made = simulate(PoolBall(), [0.8, 0.9, 1.2, -0.7], 1.0, slip_scale=1.0)
    assert made.provenance["slip_scale"] == 1.0
