"""Bodies of any size: what counts as closed and what is summed is relative to the body, so that a motion scaled down is the same motion."""

import math

import numpy as np
import pytest

from rollick import Body, Coulomb, Sphere, simulate, sliding
from rollick.mechanics.surfaces import wall


def ball_in_groove(size):
    """Where a ball of a radius ends that falls into a groove with different restitutions; lengths over the radius, times over the root of it."""
    body = Body.from_inertia(1.0, (0.4 * size * size,) * 3, Sphere(size))
    sides = [((1.0, 0.0, 1.2), 0.6), ((-1.0, 0.0, 0.7), 0.3)]
    system = sliding(body, on=[(wall(n, (0, 0, 0)), Coulomb(0.2), e) for n, e in sides])
    pace = math.sqrt(size)  # of velocities; of times
    start = {"x": 0.1 * size, "z": 2.2 * size, "vx": 0.5 * pace, "vy": 0.8 * pace, "vz": 0.0, "omega2": 3.0 / pace}
    motion = simulate(system, start, 3.0 * pace, method="event-driven", rtol=1e-10, progress=False)
    assert motion.status == "finished"
    scales = [size] * 3 + [1.0] * 4 + [pace] * 3 + [1.0 / pace] * 3
    return motion.end_state / scales


@pytest.fixture(scope="module")
def large():
    """Where a ball of 10 cm ends."""
    return ball_in_groove(0.1)


@pytest.mark.parametrize("size", [1e-3, 1e-4])
def test_a_small_ball_in_a_groove_moves_as_a_large_one_does(size, large):
    """Rebounds were summed from 1e-9 m on, whatever the size: a ball of 1 mm ended 2e-3 away from one of 10 cm, one of 0.1 mm 1e-2."""
    np.testing.assert_allclose(ball_in_groove(size), large, rtol=1e-7, atol=1e-7)
