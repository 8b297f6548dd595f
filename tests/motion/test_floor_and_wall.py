"""Bodies between a floor and a wall: impacts on one of them while the other touches, and contacts that lift off while others last."""

import math

import numpy as np
import pytest

from rollick import Body, Coulomb, Ellipsoid, Plane, simulate, sliding
from rollick.mechanics.mass.primitives import solid_sphere
from rollick.mechanics.surfaces import wall
from rollick.motion.contact.by_address import MODES, ByAddress
from rollick.motion.contact.impact import impact

BALL = Body.from_parts(
    solid_sphere(1.0, 0.1), Ellipsoid(0.1, 0.1, 0.1)
)  # between two walls it is of the type of `test_forks`, compiled once
LONG = 1.0
LADDER = Body.from_inertia(1.0, (LONG**2 / 12.0, LONG**2 / 12.0, 1e-4), Ellipsoid(0.01, 0.01, 0.5 * LONG))


def in_a_corner(floor, side, e):
    return sliding(BALL, on=[(wall((0, 0, 1), (0, 0, 0)), Coulomb(floor), e), (wall((-1, 0, 0), (1, 0, 0)), Coulomb(side), e)])


def struck(system, y, contacts):
    """The state after an impact, of the body by address as motions ask for it."""
    by_address = ByAddress(system, MODES)
    return impact(by_address.body, y, contacts)[0]


def ladder(mu, e=0.0):
    surfaces = [(Plane(), Coulomb(mu), e), (wall((-1, 0, 0), (0, 0, 0)), Coulomb(mu), e)]
    return sliding(LADDER, on=surfaces, feet=[(0, 0, -0.5 * LONG), (0, 0, 0.5 * LONG)])


def leaning(angle, above=0.0):
    lean = {"q0": math.cos(0.5 * angle), "q2": math.sin(0.5 * angle), "x": -0.5 * LONG * math.sin(angle)}
    return {**lean, "gap": above, "vx": 0.0, "vy": 0.0, "vz": 0.0}


@pytest.mark.parametrize("e", [0.1, 0.5, 1.0])
def test_a_ball_that_falls_along_a_wall_bounces_as_if_there_were_none(e):
    """The wall presses on nothing, or the spin carries the ball away from it: the impact is that on the floor alone."""
    for spin in (0.0, -20.0):
        before = np.array([0.9, 0.0, 0.1, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, -2.0, 0.0, spin, 0.0])
        system = in_a_corner(0.3, 0.2, e)
        assert struck(system, before, (0, 1)) == pytest.approx(struck(system, before, (0,)), abs=1e-9)


def test_a_ball_that_spins_against_a_wall_keeps_to_the_laws_of_both_contacts():
    """Friction at the floor presses it on, that at the wall is what slip allows: by hand, with P the percussions."""
    mu, other, e, down, spin, r = 0.3, 0.2, 0.5, 2.0, 20.0, 0.1
    after = struck(in_a_corner(mu, other, e), np.array([0.9, 0, 0.1, 1, 0, 0, 0, 0, 0, -down, 0, spin, 0.0]), (0, 1))
    # slip after the impact: at the floor backward (friction onto the wall), at the wall upward (friction down)
    floor = (1.0 + e) * down / (1.0 - mu * other)  # P - mu' P' = (1 + e) m v with P' = mu P at the wall
    turned = spin - (mu * floor - other * mu * floor) * r / (0.4 * r * r)
    assert 0.0 < turned * r < e * down  # it slips so
    assert after[7:] == pytest.approx([0.0, 0.0, e * down, 0.0, turned, 0.0], abs=1e-9)


@pytest.mark.slow
def test_a_ladder_dropped_along_a_wall_is_the_same_by_all_methods():
    system, start = ladder(0.3, 0.5), leaning(0.5, 0.05)
    exact = simulate(system, start, 0.5, method="event-driven")
    assert exact.status == "finished"
    for method in ("moreau", "midpoint"):
        motion = simulate(system, start, 0.5, method=method, dt=1e-4)
        assert np.abs(motion.end_state - exact.end_state).max() < 1e-5
        assert abs(motion.provenance["energy_check"]["left"]) < 1e-9


@pytest.mark.slow
def test_a_ladder_that_has_just_left_its_wall():
    """Its gap, 1e-9 m, is ten million times its rounding, and the search for the end of noise was lost in it: "thousands of zeros"."""
    motion = simulate(ladder(0.0), leaning(0.3), 0.4605, method="event-driven", rtol=1e-11)
    assert motion.status == "finished"
    assert [e.name for e in motion.events] == ["lift_off"]


@pytest.mark.parametrize("options", [{"every": 7}, {"at": [0.01, 0.02]}, pytest.param({}, marks=pytest.mark.slow)])
def test_the_energy_account_does_not_depend_on_the_output(options):
    """101 steps, of which 7 is no divisor; output within the motion alone. Such motions had no check, or would have had one of a part of them."""
    system, start = ladder(0.3, 0.5), leaning(0.5, 0.05)
    at = options.pop("at", None)
    motion = simulate(system, start, 0.202, method="moreau", dt=2e-3, at=at, **options)
    every = simulate(system, start, 0.202, method="moreau", dt=2e-3, every=1)
    check, whole = motion.provenance["energy_check"], every.provenance["energy_check"]
    assert [check["left"], check["lost"]] == pytest.approx([whole["left"], whole["lost"]], rel=1e-12)
    assert whole["lost"] > 0.1
    falls = every["energy"][-1] - every["energy"][0] + whole["lost"] - every.provenance["closing_gaps"]
    assert whole["left"] == pytest.approx(falls, abs=1e-12)


@pytest.mark.parametrize("steps", [(1e-3, 1e-4), pytest.param((3e-5, 1e-5), marks=pytest.mark.slow)])
def test_a_ladder_leaves_its_wall_in_the_midpoint_scheme_at_every_step(steps):
    """While the foot on the floor lasts, the other lifts off, by less than rounding in the first steps: it is not held back."""
    system, start = ladder(0.0), leaning(0.3)
    exact = simulate(system, start, 0.62, method="event-driven", rtol=1e-10)
    (left,) = [e.t for e in exact.events if e.name == "lift_off"]
    assert left < 0.47
    steps = np.array(steps)
    errors = np.array(
        [np.abs(simulate(system, start, 0.62, method="midpoint", dt=dt).end_state - exact.end_state).max() for dt in steps]
    )
    assert np.all(errors < 20.0 * steps**2)
