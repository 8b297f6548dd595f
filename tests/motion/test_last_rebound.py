"""Rebounds that are summed take no more friction than the weight presses: until contact lasts, percussions are m g t, however many blows are counted one by one."""

import math

import numpy as np
import pytest
from random_boxes import box
from random_dry import random_dry

from rollick import Body, Coulomb, Sphere, simulate, sliding
from rollick.mechanics.mass.primitives import solid_sphere
from rollick.motion.methods.modes_of_bodies import deepest, least_gaps

G, MU, DROP, SPEED = 9.81, 0.1, 0.02, 2.0


@pytest.mark.parametrize(("place", "rtol"), [(0.0, 1e-9), (0.0, 1e-12), (1000.0, 1e-9)])
def test_a_ball_that_bounces_and_slips_sticks_when_its_weight_has_stopped_the_slip(place, rtol):
    ball = sliding(Body.from_parts(solid_sphere(1.0, 0.1), Sphere(0.1)), law=Coulomb(MU), restitution=0.5, g=G)
    start = {"q0": 1, "x": place, "gap": DROP, "vx": SPEED, "vy": 0, "omega2": 0}
    motion = simulate(ball, start, 1.5, method="event-driven", rtol=rtol, progress=False)
    (stick,) = [e.t for e in motion.events if e.name == "stick"]
    assert stick == pytest.approx(SPEED / (3.5 * MU * G), abs=1e-10)
    check = motion.provenance["energy_check"]
    assert abs(check["left"]) < 1e-9 * check["in_play"]


HALF = np.array([0.2544378, 0.07801296, 0.19927596])
START = np.array(
    [0.0, 0.0, 0.36456638, 0.93396096, 0.07311462, -0.30796029, 0.16592658, -1.31331344, -0.49539957, 0.20273376, 3.06754693, 0.37397045, -3.96415469]
)  # fmt: skip
POWER = np.array([1.0] * 3 + [0.0] * 4 + [0.5] * 3 + [-0.5] * 3)  # of the scale, in states


def rocking(scale, rtol):
    """The end of a box that rocks while it slides, all lengths times a scale."""
    system = box(scale * HALF, 0.3)
    motion = simulate(system, START * scale**POWER, 0.4 * math.sqrt(scale), method="event-driven", rtol=rtol, progress=False)
    assert motion.status == "finished"
    return motion.end_state / scale**POWER


def test_a_box_that_rocks_while_it_slides_does_not_depend_on_its_size():
    large = rocking(1e4, 1e-13)  # followed to rebounds that are a hundred times lower
    assert np.abs(rocking(1.0, 1e-9) - large).max() < 2e-9
    assert np.abs(rocking(1e-2, 1e-9) - large).max() < 2e-8


LOW_REBOUNDS = [  # starts near random_dry(81): the gap was a hair below zero at the start of a rebound that is as low as what is summed
    [0.06380265096990591, 0.7040874576530751, 0.603416345984142, -0.13003216388230157, 0.35105726275190735, 0.9259566997336924, 0.9148711081882792, 0.1495860236230095, 1.1427586231851077, 2.6716094498347065, 0.6235324720674593],
    [0.06380939192693869, 0.704094991057858, 0.6034129721247992, -0.13002328339383257, 0.35105124186397385, 0.9260712518096417, 0.9147972399281813, 0.14958612055239942, 1.1426672579522588, 2.6716289688878057, 0.6235639028093062],
    [0.06380265069066225, 0.7040874664300939, 0.6034163355281185, -0.13003216110845542, 0.35105726414836264, 0.9259566989413881, 0.9148710953562045, 0.1495860257959104, 1.1427586402610566, 2.671609477351597, 0.6235324757915081],
]  # fmt: skip


@pytest.mark.parametrize("start", LOW_REBOUNDS)
def test_a_low_rebound_is_not_taken_for_a_touch(start):
    system, _ = random_dry(81)
    motion = simulate(system, [0.0, 0.0, *start], 1.0, method="event-driven", progress=False)
    later, (gaps, extents) = motion.t > 0.2, np.empty((2, motion.t.size))
    least_gaps(system, motion.t, np.ascontiguousarray(motion.y), gaps, extents)
    assert gaps[later].min() > -1e-10


LEANING = (  # of a box
    [0.0, 0.0, 0.40154720287149054, 0.9802225651064224, -0.19147476907150004, 0.050011355362572577, 0.0, 0.784548120573163, 0.6172266817400867, 0.0, -2.4082574006170034, -2.709881102666259, 0.0]
)  # fmt: skip


@pytest.mark.parametrize("count", [5, pytest.param(13, marks=pytest.mark.slow)])
def test_a_foot_that_leaves_is_not_pulled_below_its_surface_by_another_that_lasts(count):
    """Two feet of a box rebound in turn, 1e-8 m high: where one of them came to rest, the other one, just leaving, was a hair below, and its next impact could be missed until it was 2e-8 m deep."""
    given = box(np.array([0.2, 0.15, 0.3]), 0.4, 0.3)
    longer = simulate(given, LEANING, 0.45, method="event-driven", progress=False, dense=True)
    for end in np.linspace(0.4305, 0.4365, count):
        motion = simulate(given, LEANING, float(end), method="event-driven", progress=False)
        gaps, extents = np.empty((2, motion.t.size))
        least_gaps(given, motion.t, np.ascontiguousarray(motion.y), gaps, extents)
        assert gaps.min() > -1e-10
        assert motion.end_state == pytest.approx(longer.at(end), abs=1e-9)


def test_what_is_inside_a_surface_is_judged_by_where_the_body_is():
    near, far = deepest(1e-9, np.array([0.3, 400.0]))
    assert near == deepest(1e-9)
    assert 30e-9 * 400.0 < far < 1e-3  # missed impacts are caught up with from 30 rtol of the place on
