"""Motions from event to event on surfaces that move, with slips that begin slowly, and with smooth laws: against closed forms, plain Python and tighter tolerances."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from rollick import Body, Coulomb, Ellipsoid, Event, Plane, Sphere, regularised, simulate, sliding
from rollick.mechanics.surfaces import Ramp, Shaken, Swing, Tilting, wall

BALL = Body.from_inertia(1.0, (4e-3,) * 3, Sphere(0.1))
G = 9.81


def bounces(height, amplitude, frequency, e, count):
    """The first impacts of a point that falls from a height upon a floor at amplitude*sin(2 pi frequency t): times and speeds after them, by a fine grid and bisection."""
    w = 2.0 * math.pi * frequency
    t, z, v, found = 0.0, height, 0.0, []
    while len(found) < count:

        def gap(s, t=t, z=z, v=v):
            return z + v * (s - t) - 0.5 * G * (s - t) ** 2 - amplitude * math.sin(w * s)

        grid = t + 1e-7 + np.arange(0.0, 1.0, 0.002 / frequency)
        below = np.flatnonzero(np.array([gap(s) for s in grid]) < 0.0)
        hit = brentq(gap, t + 1e-9 if below[0] == 0 else grid[below[0] - 1], grid[below[0]], xtol=1e-15)
        floor = amplitude * w * math.cos(w * hit)
        v = floor - e * (v - G * (hit - t) - floor)
        t, z = hit, amplitude * math.sin(w * hit)
        found.append((t, v))
    return found


@pytest.mark.parametrize(
    ("amplitude", "frequency", "e"), [(0.01, 4.0, 0.8), (0.002, 30.0, 0.9), (2e-4, 500.0, 0.6), (0.05, 1.0, 0.5)]
)
def test_a_ball_bounces_on_a_shaken_plate(amplitude, frequency, e):
    """The plate may swing hundreds of times while the ball is in the air."""
    expected = bounces(0.3, amplitude, frequency, e, 4)
    system = sliding(BALL, on=Shaken(Plane(), Swing(amplitude, frequency)), law=Coulomb(0.3), restitution=e)
    motion = simulate(system, {"z": 0.4}, expected[-1][0] + 1e-3, method="event-driven", progress=False)
    hits = [event for event in motion.events if event.name == "impact"]
    assert len(hits) == 4
    for event, (t, v) in zip(hits, expected):
        assert event.t == pytest.approx(t, abs=2e-8)
        assert event.state[9] == pytest.approx(v, abs=1e-6 + 4e-8 * amplitude * (2.0 * math.pi * frequency) ** 2)


def test_a_plate_that_swings_fast_is_met_where_it_first_reaches():
    """A ball that comes down slowly: the plate swings more than a thousand times in what is one step of the ball."""
    body = Body.from_inertia(1.0, (4e-3,) * 3, Sphere(0.1))
    amplitude, frequency, speed = 1e-3, 400.0, 3e-4
    system = sliding(body, on=Shaken(Plane(), Swing(amplitude, frequency)), law=Coulomb(0.3), restitution=0.5, g=0.0)
    motion = simulate(
        system,
        {"z": 0.1 + 2.0 * amplitude, "vz": -speed},
        5.0,
        method="event-driven",
        events=[Event("gap", "falling", terminal=True, level=0.0)],
        progress=False,
    )
    w, period = 2.0 * math.pi * frequency, 1.0 / frequency
    gap = lambda t: 2.0 * amplitude - speed * t - amplitude * math.sin(w * t)
    first = next(k for k in range(2000) if min(gap((k + x) * period) for x in np.linspace(0.24, 0.26, 201)) < 0.0)
    lowest = (first + 0.25) * period
    impact = next(event for event in motion.events if event.name == "impact")
    assert impact.t == pytest.approx(brentq(gap, lowest - 0.1 * period, lowest + 2e-3 * period), abs=1e-9)
    assert first > 1000


def slips_of_a_block(mu, amplitude, frequency, until):
    """When a block on a plate at amplitude*sin(2 pi frequency t) begins to slip, and sticks again, from closed forms."""
    w, found, t = 2.0 * math.pi * frequency, [], 0.0
    pull = lambda s: amplitude * w * w * math.sin(w * s)  # what holds the block is -pull
    while True:
        edge = math.asin(mu * G / (amplitude * w * w)) / w
        half = 0.5 / frequency
        begin = min((edge + k * half for k in range(int(until / half) + 2) if edge + k * half > t - 1e-12), default=math.inf)
        if abs(pull(t)) > mu * G:
            begin = t
        if begin > until:
            return found
        sign = math.copysign(1.0, pull(begin))

        def slip(s, begin=begin, sign=sign):  # of the block against the plate: the block slows down by mu g only
            plate = amplitude * w * (math.cos(w * s) - math.cos(w * begin))
            return -sign * mu * G * (s - begin) - plate

        end = brentq(slip, begin + 0.05 * half, begin + 1.5 * half, xtol=1e-15)
        found.append((begin, end))
        t = end
        if end > until:
            return found


def test_a_block_slips_and_sticks_on_a_shaken_plate():
    """Each slip begins with no acceleration, at the edge of the cone: it is stiff as long as it is slow, and takes hundreds of steps, not tens of thousands."""
    mu, amplitude, frequency = 0.3, 0.02, 2.5
    expected = slips_of_a_block(mu, amplitude, frequency, 1.0)
    block = Body.from_inertia(1.0, (0.01, 0.01, 0.02), Ellipsoid(0.5, 0.5, 0.02))
    feet = [(x, y, -0.02) for x in (-0.5, 0.5) for y in (-0.5, 0.5)]
    system = sliding(block, on=Shaken(Plane(), Swing(amplitude, frequency), (1.0, 0.0, 0.0)), law=Coulomb(mu), feet=feet)
    start = {"z": 0.02, "vx": amplitude * 2.0 * math.pi * frequency}
    motion = simulate(system, start, 1.0, method="event-driven", progress=False)
    begins = sorted({round(event.t, 9) for event in motion.events if event.name == "slip"})
    ends = sorted({round(event.t, 9) for event in motion.events if event.name == "stick" and event.t > 0.01})
    assert len(expected) >= 4
    assert begins == pytest.approx([b for b, _ in expected if b < 1.0], abs=2e-7)  # four feet share their forces to 1e-6
    assert ends == pytest.approx([e for _, e in expected if e < 1.0], abs=2e-7)
    assert motion.provenance["steps"] < 300 * len(expected)


@pytest.mark.parametrize("seed", [2, 4, 12])
def test_slips_that_begin_slowly_take_few_steps(seed):
    """Thrown ellipsoids that stick and slip; DOP853 alone took 16 000 to 80 000 steps."""
    r = np.random.default_rng(seed)
    a, b, c = r.uniform(0.05, 0.15, 3)
    body = Body.from_inertia(1.0, ((b * b + c * c) / 5, (a * a + c * c) / 5, (a * a + b * b) / 5), Ellipsoid(a, b, c))
    system = sliding(body, on=Plane(), law=Coulomb(r.uniform(0.1, 0.6)), restitution=0.3)
    q = r.normal(size=4)
    start = dict(zip(("q0", "q1", "q2", "q3"), q / np.linalg.norm(q)))
    start |= {"z": 0.2, "vx": r.normal()} | {f"omega{i}": w for i, w in zip((1, 2, 3), 5.0 * r.normal(size=3))}
    usual, fine = (simulate(system, start, 1.5, method="event-driven", rtol=rtol, progress=False) for rtol in (1e-9, 1e-12))
    assert usual.provenance["steps"] < 2500
    words = [[event.name for event in motion.events if event.name in ("slip", "stick", "lift_off")] for motion in (usual, fine)]
    assert words[0] == words[1]  # rebounds that are summed are told only as finely as is asked for
    assert "slip" in words[0]
    assert usual.end_state == pytest.approx(fine.end_state, abs=2e-5)
    assert abs(usual.provenance["energy_check"]["left"]) < 1e-9 * usual.provenance["energy_check"]["in_play"]


def test_a_law_that_is_nearly_coulombs_is_followed_through_impacts():
    """Against Coulomb's law itself, closer by the law's width."""
    off = []
    for width in (1e-3, 1e-4):
        ends = [
            simulate(
                sliding(BALL, on=[(Plane(), law, 0.5), (wall((1.0, 0.0, 0.0), (-0.3, 0.0, 0.0)), law, 0.5)]),
                {"z": 0.2, "vx": -1.0, "omega3": 2.0},
                0.6,
                method="event-driven",
                progress=False,
            ).end_state
            for law in (Coulomb(0.4), regularised(0.4, width))
        ]
        off.append(np.abs(ends[0] - ends[1]).max())
    assert off[1] < 0.2 * off[0] < 0.2 * 0.02


def test_a_ball_rolls_down_what_tilts_from_rest():
    """On a plate that turns at a steady rate the ball rolls at once, and slips where rolling needs more than mu N; by the equations of rolling on the turning plate."""
    mu, turn, R = 0.05, 0.05, 0.1

    def rolling(t, y):
        return [y[1], (G * math.sin(turn * t) + turn * turn * y[0]) / 1.4]

    def margin(t, y):
        pull = 2.0 / 7.0 * (G * math.sin(turn * t) + turn * turn * y[0])
        return mu * (G * math.cos(turn * t) - 2.0 * turn * y[1] - turn * turn * R) - pull

    margin.terminal = True
    expected = solve_ivp(rolling, (0.0, 5.0), [0.0, 0.0], events=margin, rtol=1e-12, atol=1e-14).t[-1]
    ball = Body.from_inertia(1.0, (0.4 * R * R,) * 3, Sphere(R))
    system = sliding(ball, on=Tilting(Plane(), Ramp(turn)), law=Coulomb(mu))
    motion = simulate(system, {"z": R, "vx": turn * R, "omega2": turn}, 4.5, method="event-driven", progress=False)
    slip = next(event for event in motion.events if event.name == "slip")
    assert slip.t == pytest.approx(expected, abs=1e-6)
    assert motion.provenance["steps"] < 1500
