"""Derivatives of bodies with any number of contacts, against differences of whole motions: boxes on four feet, rods of one's own, balls on floors that move; what has none is refused."""

import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "motion"))
from random_boxes import box
from random_parameters import judged
from test_own_contacts import Rod

from rollick import Body, Coulomb, InputError, Plane, Regularised, Sphere, friction, sensitivity, simulate, sliding, wall
from rollick.analysis.exponents import spectrum
from rollick.analysis.exponents_in_modes import growth_in_modes
from rollick.mechanics.mass.primitives import solid_sphere
from rollick.mechanics.surfaces import Shaken, Swing

BALL = Body.from_parts(solid_sphere(1.0, 0.1), Sphere(0.1))
ROD = Rod(law=friction(Coulomb(0.3)), e_N=0.4)


def agrees(table, step=1e-4, off=1e-6):
    """The table agrees with differences of whole motions; which events there are on the way."""
    near, q = table.by_differences(step), table.question
    assert np.isfinite(near).all()
    assert table.matrix == pytest.approx(near, abs=off * max(1.0, float(np.abs(near).max())))
    p = q.starting.problem
    return [e.name for e in simulate(q.system, p.start, p.t1, method="event-driven", progress=False).events]


@pytest.mark.slow
def test_a_box_slides_on_four_feet_and_stops():
    """All four stop at once; how they share their load does not matter to what friction takes."""
    outputs = ["x at 0.05", "x at the end", "y at the end", "time of stick"]
    table = sensitivity(box((0.1, 0.08, 0.05), 0.3), {"vx": 0.6}, 0.5, outputs, ["law.sliding.mu"], ["vx"])
    stops = 0.6 / (0.3 * 9.81)
    assert table.values == pytest.approx([0.6 * 0.05 - 0.5 * 0.3 * 9.81 * 0.05**2, 0.5 * 0.6 * stops, 0.0, stops], abs=1e-8)
    expected = [[-0.5 * 9.81 * 0.05**2, 0.05], [-0.5 * 0.6 * stops / 0.3, stops], [0.0, 0.0], [-stops / 0.3, stops / 0.6]]
    assert table.matrix == pytest.approx(np.array(expected), abs=1e-7)


@pytest.mark.slow
def test_a_box_tumbles():
    """Impacts of several feet one after the other, with friction; restitution, friction and mass are inputs."""
    system = box((0.1, 0.08, 0.05), 0.4, 0.5, 2.0, 0.2)
    start = {"gap": 0.05, "theta": 0.4, "phi": 0.7, "psi": 0.3, "vx": 0.3, "omega1": 1.0, "omega2": -2.0}
    outputs = ["x", "z", "vx", "omega2", "time of impact", "omega1 when impact 2"]
    table = sensitivity(
        system, start, 0.2, outputs, ["law.sliding.mu", "e_N", "body.mass"], ["vx", "omega2"], method="event-driven"
    )
    assert agrees(table).count("impact") >= 2
    assert np.abs(table.matrix[:, :2]).max() > 0.1


def test_a_rod_of_ones_own():
    """Registered by M, h, W and gap: both ends hit; its length moves where they do."""
    start, outputs = {"z": 0.5, "angle": 0.4, "vx": 0.4, "spin": 1.0}, ["x", "angle", "spin", "time of impact 2", "integral of z", "max spin"]  # fmt: skip
    table = sensitivity(ROD, start, 0.4, outputs, ["length", "e_N", "g", "law.sliding.mu"], ["vx", "spin", "angle"])
    assert agrees(table).count("impact") >= 2
    assert np.abs(table.matrix).max() > 0.1


@pytest.mark.slow
def test_a_ball_on_a_floor_that_is_shaken():
    """Amplitude and frequency of a floor are parameters, as are those of its law."""
    floor = Shaken(Plane(), Swing(0.01, 5.0))
    system = sliding(BALL, on=[(floor, Coulomb(0.2), 0.6)])
    start = {"x": 0.0, "y": 0.0, "z": 0.2, "vx": 0.5, "vy": 0.0, "vz": 0.0}

    table = sensitivity(
        system, start, 0.35, ["x", "z", "vx", "vz", "time of impact"], ["amplitude", "on.course.frequency"], ["z", "vz", "vx"]
    )
    assert agrees(table).count("impact") >= 1


def test_smooth_laws_and_contacts_without_friction():
    """A ball falls onto a floor whose law is smooth, and one without friction between floor and wall."""
    start = {"gap": 0.02, "vx": 0.5}
    smooth = sliding(BALL, law=Regularised(0.3, 1e-2), restitution=0.5)
    table = sensitivity(
        smooth, start, 0.15, ["x", "z", "omega2"], ["law.sliding.mu", "eps", "e_N"], ["vx"], method="event-driven"
    )
    assert agrees(table).count("impact") == 2
    court = sliding(BALL, on=[(wall((0.0, 0.0, 1.0), (0, 0, 0)), Coulomb(0.0), 0.6), (wall((-1.0, 0.0, 0.0), (0.3, 0, 0)), Coulomb(0.0), 0.6)])  # fmt: skip
    ball = {"x": 0.0, "y": 0.0, "z": 0.15, "vx": 1.5, "vy": 0.0, "vz": 0.0}
    assert agrees(sensitivity(court, ball, 0.2, ["x", "z", "vx"], [], ["vx", "z"])).count("impact") == 2


def test_a_series_of_rebounds_is_summed():
    """It ends, contact lasts, and derivatives are good to a few digits from there on: a ball that falls from h slides on from T = sqrt(2h/g) (1 + e)/(1 - e)."""
    ball, g, e = sliding(BALL, law=Coulomb(0.0), restitution=0.5), 9.81, 0.5
    table = sensitivity(ball, {"gap": 0.02, "vx": 0.5}, 1.0, ["z", "vz", "x"], ["e_N"], ["vx"], method="event-driven")
    assert np.sqrt(0.04 / g) * (1.0 + e) / (1.0 - e) < 0.5
    assert table.matrix == pytest.approx(np.array([[0.0, 0.0], [0.0, 0.0], [0.0, 1.0]]), abs=1e-5)


def test_what_has_no_derivative_is_refused():
    flat = box((0.1, 0.08, 0.05), 0.3, 0.5)
    with pytest.raises(InputError, match="hit in another order"):
        sensitivity(flat, {"gap": 0.05}, 0.15, ["z"], [], ["omega1"], method="event-driven")
    found = sensitivity(flat, {"gap": 0.05}, 0.15, ["z"], ["e_N"], ["gap"], method="event-driven")  # all four stay together
    fall = np.sqrt(0.1 / 9.81)
    assert found.matrix[0, 0] == pytest.approx(9.81 * fall * (0.15 - fall), rel=1e-7)
    with pytest.raises(InputError, match="would open, hit or slip"):
        sensitivity(sliding(BALL, law=Coulomb(0.3)), {"gap": 0.0}, 0.1, ["x"], [], ["vx"], method="event-driven")
    with pytest.raises(InputError, match="would open, hit or slip"):
        sensitivity(sliding(BALL, law=Coulomb(0.3)), {"gap": 0.0, "vx": 1.0}, 0.1, ["x"], [], ["vz"], method="event-driven")
    with pytest.raises(InputError, match="would rebound"):
        sensitivity(sliding(BALL, law=Coulomb(0.3), restitution=0.0), {"gap": 0.01, "vx": 1.0}, 0.1, ["x"], ["e_N"], method="event-driven")  # fmt: skip


def ends(system, y, until, h):
    """Differences of ends of motions, a column for each state."""
    columns = []
    for way in np.eye(len(y)):
        a, b = (simulate(system, y + sign * h * way, until, method="event-driven", rtol=1e-12, progress=False).end_state for sign in (1.0, -1.0))  # fmt: skip
        columns.append((a - b) / (2.0 * h))
    return np.stack(columns, axis=1)


def test_exponents_of_a_rod_with_two_feet_that_hit():
    """The growth of all volumes that are left, against differences of whole motions: frictionless impacts lose no direction."""
    rod = Rod(law=friction(Coulomb(0.0)), e_N=0.7)
    y, until = np.array([0.0, 0.5, 0.4, 0.3, 0.0, 1.0]), 0.6
    logs, times, _ = growth_in_modes(rod, y, until, 40, 1e-11, False)
    assert times[-1] == pytest.approx(until)
    assert logs.sum() == pytest.approx(np.linalg.slogdet(ends(rod, y, until, 1e-6))[1], abs=1e-6)
    found = spectrum(rod, y, 0.6, 40, discard=0.0)
    assert found.lost == 0
    count = [e.name for e in simulate(rod, y, until, method="event-driven", progress=False).events].count("impact")
    assert count >= 2
    assert logs.sum() == pytest.approx(2.0 * count * np.log(0.7), abs=1e-6)  # |det S| = e^2 of each impact


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "total"), [("dry", 12), ("rod", 12), ("two", 12), ("box", 12), ("moving", 12), ("four", 12)])
def test_parameters_of_random_bodies(kind, total):
    found = Counter()
    for seed in range(total):
        try:
            found.update(word.split(" by ")[0] for word in judged(kind, seed)[0])
        except InputError:  # it starts inside a surface
            continue
    assert found["differs"] == 0
    assert found["agrees"] > 0
