"""What a start leaves out of its velocity: what is assumed is said in words with its numbers, and what was given stays as given."""

import warnings

import numpy as np
import pytest

from rollick import Body, Bowl, Coulomb, Plane, Sphere, sliding
from rollick.kernel.hooks import start_state
from rollick.mechanics.surfaces import wall

BALL = Body.from_inertia(1.0, (4e-3, 4e-3, 4e-3), Sphere(0.1))
ON_A_PLANE = sliding(BALL, law=Coulomb(0.3))
IN_A_BOWL = sliding(BALL, Bowl(1.0), law=Coulomb(0.3))
BY_A_WALL = sliding(BALL, [Plane(), wall((1.0, 0.0, 0.0))], law=Coulomb(0.3))


def velocity(system, **start):
    return start_state(system, start)[7:10]


@pytest.mark.parametrize(
    ("system", "start", "told"),
    [
        (ON_A_PLANE, {"vx": 1.0, "omega1": 5.0}, r"gives vx but not vy: vy = -0\.5 m/s is assumed.*Give vy=0"),
        (ON_A_PLANE, {"vy": 1.0, "omega2": 5.0}, r"gives vy but not vx: vx = 0\.5 m/s is assumed.*Give vx=0"),
        (IN_A_BOWL, {"vx": 1.0, "omega1": 5.0}, r"gives vx but not vy: vy = -0\.5 m/s is assumed"),
    ],
)
def test_what_is_assumed_beside_what_is_given_is_said(system, start, told):
    with pytest.warns(UserWarning, match=told):
        velocity(system, **start)


@pytest.mark.parametrize(
    ("system", "start", "expected"),
    [
        (ON_A_PLANE, {"omega1": 5.0}, (0.0, -0.5, 0.0)),  # no slip, as the pages say
        (ON_A_PLANE, {"vx": 1.0}, (1.0, 0.0, 0.0)),
        (ON_A_PLANE, {"vx": 1.0, "vy": 0.0, "omega1": 5.0}, (1.0, 0.0, 0.0)),
        (ON_A_PLANE, {"slip_x": 1.0, "omega1": 5.0}, (1.0, -0.5, 0.0)),  # slip_y, of the same kind, is zero
        (
            ON_A_PLANE,
            {"gap": 1.0, "omega1": 5.0},
            (0.0, 0.0, 0.0),
        ),  # in the air one rule for all surfaces: what is not given is zero
        (ON_A_PLANE, {"gap": 1.0, "vx": 1.0, "omega1": 5.0}, (1.0, 0.0, 0.0)),
        (
            ON_A_PLANE,
            {"gap": 1.0, "slip_x": 1.0, "omega1": 5.0},
            (1.0, -0.5, 0.0),
        ),  # a slip that is given is one of the lowest point
        (IN_A_BOWL, {"gap": 0.2, "vx": 1.0, "omega1": 5.0}, (1.0, 0.0, 0.0)),
        (IN_A_BOWL, {"gap": 0.2, "omega1": 5.0}, (0.0, 0.0, 0.0)),
    ],
)
def test_nothing_is_said_where_nothing_surprises(system, start, expected):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_allclose(velocity(system, **start), expected, atol=1e-15)


def test_a_velocity_that_is_given_on_a_slope_stays_and_vz_keeps_the_contact():
    """At x = 0.3 in a bowl of radius 1 the middle of a ball of radius 0.1 runs on a circle of 0.9: dz/dx = 0.3/sqrt(0.81 - 0.09)."""
    v = velocity(IN_A_BOWL, x=0.3, vx=1.0, vy=0.2)
    np.testing.assert_allclose(v, (1.0, 0.2, 0.3 / np.sqrt(0.72)), rtol=1e-9)


def test_a_velocity_that_a_wall_forbids_is_taken_away_and_said():
    with pytest.warns(UserWarning, match=r"upright surface, which vx = -1 m/s would enter or leave: it starts with vx = 0 m/s"):
        v = velocity(BY_A_WALL, x=0.1, z=0.5, vx=-1.0, vy=0.2)
    np.testing.assert_allclose(v, (0.0, 0.2, 0.0), atol=1e-12)
