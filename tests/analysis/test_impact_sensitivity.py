"""Derivatives through impacts, slip, stick and lift-off of bodies: closed forms of a ball, random bodies against differences of whole motions, what is refused."""

import math

import numpy as np
import pytest
from cycles import Striker
from random_impact_sensitivities import tried

from rollick import Body, Coulomb, Event, InputError, Reset, Sphere, impact_reset, sensitivity, simulate, sliding, wall
from rollick.mechanics.mass.primitives import solid_sphere

g, H, VX, E, MU, D = 9.81, 0.05, 1.5, 0.6, 0.05, 0.2
T = math.sqrt(2.0 * H / g)


def court(mu=MU, e=E):
    """A ball of radius 0.1 above a floor, a wall at x = 0.3 beside it; both contacts are rough."""
    walls = [(wall((0.0, 0.0, 1.0), (0, 0, 0)), Coulomb(mu), e), (wall((-1.0, 0.0, 0.0), (0.3, 0, 0)), Coulomb(mu), e)]
    return sliding(Body.from_parts(solid_sphere(1.0, 0.1), Sphere(0.1)), on=walls)


def start(vx=VX, h=H, x=0.0):
    return np.array([x, 0.0, 0.1 + h, 1.0, 0.0, 0.0, 0.0, vx, 0.0, 0.0, 0.0, 0.0, 0.0])


@pytest.mark.slow
def test_a_ball_that_hits_the_floor_and_then_a_wall():
    """It slides in both impacts: vx+ = vx - mu (1 + e) g T, so that the wall is hit at T + (D - vx T)/vx+, and left with -e vx+."""
    outputs = [
        "time of impact",
        "time of impact 2",
        "vx at the end",
        "max z",
        "time of vx falling",
        "vx when impact 2",
        "integral of x",
    ]
    found = sensitivity(court(), start(), 0.2, outputs, ["law.sliding.mu"], ["vx", "z"], method="event-driven")
    u, up = VX - MU * (1 + E) * g * T, (1 + E) * g * T
    hit = T + (D - VX * T) / u
    assert found.values[:4] == pytest.approx([T, hit, -E * u, 0.1 + H], rel=1e-9)
    assert found.values[4:6] == pytest.approx([hit, u], rel=1e-9)
    dT = 1.0 / (g * T)
    du = np.array([-up, 1.0, -MU * (1 + E) * g * dT])
    dhit = np.array([0.0, -T / u, dT - VX * dT / u]) - (D - VX * T) / u**2 * du
    expected = np.stack([[0.0, 0.0, dT], dhit, -E * du, [0.0, 0.0, 1.0], dhit, du])
    assert found.matrix[:6] == pytest.approx(expected, abs=2e-8)
    # x' = vx, u, -e u one after the other
    end = 0.2
    integral = lambda v, w, a, b: (
        v * a * (b - a) + v * a**2 / 2 + w * (b - a) ** 2 / 2 + D * (end - b) - E * w * (end - b) ** 2 / 2
    )
    slope = []
    for j in range(3):

        def along(k, j=j):
            mu, v, h = np.array([MU, VX, H]) + k * 1e-6 * (np.arange(3) == j)
            a = math.sqrt(2 * h / g)
            w = v - mu * (1 + E) * g * a
            return integral(v, w, a, a + (D - v * a) / w)

        slope.append((along(1) - along(-1)) / 2e-6)
    assert found.values[6] == pytest.approx(integral(VX, u, T, hit), rel=1e-9)
    assert found.matrix[6] == pytest.approx(slope, abs=1e-7)


@pytest.mark.slow
def test_a_ball_that_lands_slides_and_rolls():
    """e = 0: it slides on with vx - mu g T (the blow's share), loses mu g each second, and rolls at 5/7 of that after 2/7 of it/(mu g)."""
    found = sensitivity(
        court(0.1, 0.0),
        start(0.9, 0.01, -0.3),
        0.29,
        ["time of stick", "x at the end", "vx at the end"],
        ["law.sliding.mu"],
        ["vx"],
        method="event-driven",
    )
    fall, mu, vx = math.sqrt(0.02 / g), 0.1, 0.9
    left = lambda mu, v: v - mu * g * fall
    spin = lambda mu: 2.5 * mu * g * fall  # r omega that the blow has given it
    stops = lambda mu, v: fall + (left(mu, v) - spin(mu)) / (3.5 * mu * g)
    rolls = lambda mu, v: 5.0 / 7.0 * v
    assert found.values[0] == pytest.approx(stops(mu, vx), rel=1e-9)
    assert found.values[2] == pytest.approx(rolls(mu, vx), rel=1e-9)
    h = 1e-6
    assert found.matrix[0] == pytest.approx(
        [(stops(mu + h, vx) - stops(mu - h, vx)) / (2 * h), (stops(mu, vx + h) - stops(mu, vx - h)) / (2 * h)], rel=1e-6
    )
    assert found.matrix[2] == pytest.approx([0.0, 5.0 / 7.0], abs=1e-7)


@pytest.mark.slow
def test_what_has_no_derivative_is_refused():
    with pytest.raises(InputError, match="on its level at the impact"):
        sensitivity(court(), start(), 0.12, ["time of z=0.1 falling"], [], ["vx"], method="event-driven")


def test_what_asks_for_no_derivative_is_refused():
    with pytest.raises(InputError, match="impacts are its own"):
        sensitivity(court(), start(), 0.1, ["z"], [], ["z"], method="event-driven", resets=Reset(Event("z"), lambda t, y: y))


def test_an_impact_law_is_a_reset():
    """`impact_gap` and `impact_map`, written for orbits, against differences of whole motions."""
    system = Striker()
    found = sensitivity(
        system, [0.3, -0.4], 3.0, ["x at the end", "v at the end"], ["e"], ["x", "v"], resets=impact_reset(system)
    )
    assert found.matrix == pytest.approx(found.by_differences(), rel=1e-6, abs=1e-7)
    with pytest.raises(InputError, match="no impact law"):
        impact_reset(court())


@pytest.mark.slow
def test_random_bodies():
    """A hundred ellipsoids; those whose neighbours go another way, or that have no derivative, are not counted. Long series of rebounds are summed, and leave the derivative of their rest out."""
    results = [(worst, told.count("impact") > 30) for worst, told in map(tried, range(100)) if worst is not None]
    assert len(results) > 90
    assert max(worst for worst, is_summed in results if not is_summed) < 1e-6
    assert max(worst for worst, is_summed in results if is_summed) < 1e-2


def struck(ball, y):
    """What an impact right at the start does to neighbours."""
    return simulate(ball, y, 1e-9, method="event-driven", at=[1e-9], variational=True, progress=False).transition[-1]


@pytest.mark.parametrize("left", [1e-2, 1e-4, 1e-5, 1e-6])
def test_impacts_that_nearly_stick(left):
    """A ball (inertia 2/5 m R^2) that slides away from an impact with a slip of 1e-5 m/s: u+ = u (1 - c/|u|), c = 7/2 mu (1 + e) v, of the slip u along the plane.

    dvx+ = dvx - 2/7 (dux - dux+) of the centre, u+ = 0 beyond the edge, where it sticks.
    """
    v, mu, e = 0.5, 0.2, 0.6
    c = 3.5 * mu * (1.0 + e) * v
    ball = sliding(Body.from_parts(solid_sphere(1.0, 0.1), Sphere(0.1)), law=Coulomb(mu), restitution=e)
    direction = np.array([1.0, 2.0, 0.3])  # of vx, vy, vz
    for slip in (c + left, c - left):
        u = slip * np.array([0.6, 0.8])
        y = np.array([0.0, 0.0, 0.1, 1.0, 0.0, 0.0, 0.0, *u, -v, 0.0, 0.0, 0.0])
        dy = np.zeros(13)
        dy[7:10] = direction
        slope = struck(ball, y) @ dy
        du, size = direction[:2], slip
        dc = -3.5 * mu * (1.0 + e) * direction[2]
        along = u / size
        kept = du * (1.0 - c / size) - along * dc + along * c / size * float(along @ du) if slip > c else np.zeros(2)
        assert slope[7:9] == pytest.approx(du - 2.0 / 7.0 * (du - kept), rel=1e-6, abs=1e-6)
        assert slope[9] == pytest.approx(-e * direction[2], rel=1e-6)


def test_at_the_very_edge_between_sliding_and_sticking_there_is_no_derivative():
    """Central differences of all steps agree there, on the mean of both sides."""
    v, mu, e = 0.5, 0.2, 0.6
    ball = sliding(Body.from_parts(solid_sphere(1.0, 0.1), Sphere(0.1)), law=Coulomb(mu), restitution=e)
    y = np.array([0.0, 0.0, 0.1, 1.0, 0.0, 0.0, 0.0, 3.5 * mu * (1.0 + e) * v, 0.0, -v, 0.0, 0.0, 0.0])
    with pytest.raises(InputError, match="edge between two outcomes"):
        struck(ball, y)
