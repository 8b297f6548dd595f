"""Bodies with two contacts made by `sliding`: the engine's accelerations on curved and moving surfaces, motions, and what is refused."""

import itertools

import numpy as np
import pytest
from dual_point_surfaces import T, among, engine, moving_state, put

from rollick import Body, InputError, Plane, Sphere, sliding
from rollick.analysis.dual_point import case, dual_point, two_contacts
from rollick.mechanics.laws import Coulomb, Viscous
from rollick.mechanics.mass.primitives import solid_sphere
from rollick.mechanics.surfaces import wall

R = 0.1
BALL = Body.from_parts(solid_sphere(1.0, R), Sphere(R))
CORNER = sliding(BALL, on=[Plane(), wall((1, 0, 0))], law=Coulomb(0.3))
START = [R, 0, R, 1, 0, 0, 0, 0, 0.5, 0, 3.0, -20.0, 1.0]


@pytest.mark.slow
def test_accelerations_are_those_of_the_engine_on_curved_and_moving_surfaces():
    """An ellipsoid in a bowl, a pipe, a funnel, on a rail and on a wall that swings, any two of them at a time, to 1e-9 (2e-13 is seen)."""
    rng = np.random.default_rng(31)
    pairs = list(itertools.combinations(range(5), 2))
    seen = set()
    for _ in range(6):
        system = among(rng)
        for pair in pairs:
            q = put(system, rng, pair)
            if q is None:
                continue
            for mode in ("SS", "SR", "RS", "RR"):
                if mode == "RR" and 4 in pair:  # the wall swings against the others: both cannot roll
                    continue
                y = moving_state(system, q, pair, mode, rng)
                try:
                    point = dual_point(system, y, T, contacts=pair)
                except InputError as error:
                    assert "was not found" in str(error)  # noqa: PT017 (a place behind the rail)
                    continue
                made, expected = case(point, mode), engine(system, y, pair, mode)
                assert np.abs(made.twist_rate - expected).max() < 1e-9 * np.abs(expected).max(), (pair, mode)
                seen.add((pair, mode))
    assert {pair for pair, _ in seen} >= {(0, 1), (0, 2), (1, 2), (0, 4), (1, 4)}
    assert {mode for _, mode in seen} == {"SS", "SR", "RS", "RR"}


def test_a_ball_in_a_corner_from_its_state():
    point = dual_point(CORNER, START)
    np.testing.assert_allclose(point.plus.r, [0, 0, -R])
    np.testing.assert_allclose(point.minus.n, [1, 0, 0])
    np.testing.assert_allclose(point.velocity, [0, 0.5, 0], atol=1e-15)
    np.testing.assert_allclose(point.omega, [3.0, -20.0, 1.0], atol=1e-13)
    np.testing.assert_allclose(point.plus.radii, R * np.diag([1, 1, 0]), atol=1e-15)
    turned = dual_point(CORNER, START, contacts=(1, 0))
    np.testing.assert_allclose(turned.s, -point.s[[1, 0, 2, 3]], atol=1e-14)
    found = two_contacts(point)
    assert (found.mode, found.verdict) == ("SS", "SS")
    assert found.case.forces[1, 0] == pytest.approx(0.3 * found.case.forces[0, 0] * point.slips[0, 1] / np.hypot(*point.slips[0]))


def test_what_is_refused_by_name():
    with pytest.raises(InputError, match="here 1 are"):
        dual_point(CORNER, [0.2, 0, R, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    with pytest.raises(InputError, match="the gap at P- closes"):
        dual_point(CORNER, [R, 0, R, 1, 0, 0, 0, -1.0, 0, 0, 0, 0, 0])
    with pytest.raises(InputError, match="contact 1 is not closed"):
        dual_point(CORNER, [0.2, 0, R, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0], contacts=(0, 1))
    with pytest.raises(InputError, match="two different numbers"):
        dual_point(CORNER, START, contacts=(0, 2))
    with pytest.raises(InputError, match="Viscous friction"):
        dual_point(sliding(BALL, on=[Plane(), wall((1, 0, 0))], law=Viscous(0.3)), START)
    with pytest.raises(InputError, match="made by sliding"):
        dual_point(BALL, START)
    feet = sliding(BALL, law=Coulomb(0.3), feet=[(0.1, 0, -R), (-0.1, 0, -R), (0, 0.1, -R)])
    with pytest.raises(InputError, match="choose two of them"):
        dual_point(feet, [0, 0, R, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    assert two_contacts(dual_point(feet, [0, 0, R, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0], contacts=(0, 2))).mode == "RR"
