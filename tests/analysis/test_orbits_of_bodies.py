"""Periodic orbits of bodies with contacts, from event to event: closed forms, and differences of neighbouring motions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from bouncers import Block, Bouncer, Corridor, Grown, Rocker, Stopped, Wedge
from scipy.optimize import brentq

from rollick import Body, Coulomb, InputError, Plane, Sphere, simulate, sliding
from rollick.analysis.continuation import PseudoArclength
from rollick.analysis.orbits import (
    Collocation,
    MultipleShooting,
    Orbit,
    continue_orbit,
    find_orbit,
    open_orbits,
    orbit_problem,
    resume_orbits,
    trace_cycle_curve,
)
from rollick.mechanics.mass.primitives import solid_sphere
from rollick.mechanics.surfaces import Shaken, Swing

E, G, OMEGA = 0.8, 9.81, 10.0 * math.pi
T = 2.0 * math.pi / OMEGA
LEAST = G * T * (1.0 - E) / (2.0 * OMEGA * (1.0 + E))


def bounce(A: float, g: float, n: int, phase: float) -> tuple[float, np.ndarray, np.ndarray]:
    """A ball that hits its table every n periods, in closed form: the instant of the impact, its state at t = 0, its multipliers over n periods.

    Leaving with v = g n T/2 and arriving with -v asks for (1 + e) A omega cos phi = (1 - e) g n T/2. With a = -A omega^2 sin phi the map of impacts
    has the trace 1 + e^2 + (1 + e)^2 a/g and the determinant e^2.
    """
    phi = math.acos((1.0 - E) / (1.0 + E) * g * n * T / (2.0 * A * OMEGA))
    since, v = ((phi - phase) / OMEGA) % T, 0.5 * g * n * T
    flight = n * T - since
    start = np.array([A * math.sin(phi) + v * flight - 0.5 * g * flight**2, v - g * flight])
    trace = 1.0 + E * E - (1.0 + E) ** 2 * A * OMEGA**2 * math.sin(phi) / g
    return since, start, np.roots([1.0, -trace, E * E])


def in_order(values: np.ndarray) -> np.ndarray:
    """Multipliers in an order of their own."""
    return np.sort_complex(np.asarray(values, complex))


def doubling(e: np.ndarray | float) -> np.ndarray:
    """The amplitude at which a bounce per period doubles."""
    return np.hypot(G * math.pi * (1.0 - e) / (1.0 + e), 2.0 * G * (1.0 + e * e) / (1.0 + e) ** 2) / OMEGA**2


def by_differences(system, start: np.ndarray, span: float, h: float = 1e-4) -> np.ndarray:
    """The derivative of the end of a motion by its start."""

    def end(y: np.ndarray) -> np.ndarray:
        return simulate(system, y, span, method="event-driven", rtol=1e-12, progress=False).end_state

    rows = [(8.0 * (end(start + d) - end(start - d)) - (end(start + 2.0 * d) - end(start - 2.0 * d))) / (12.0 * h) for d in h * np.eye(start.size)]  # fmt: skip
    return np.stack(rows, axis=-1)


@pytest.mark.parametrize("method", [None, MultipleShooting(segments=3)])
def test_a_ball_on_a_vibrating_plate(method, tmp_path):
    since, start, multipliers = bounce(1.3 * LEAST, G, 1, 0.0)
    orbit = find_orbit(Bouncer(A=1.3 * LEAST), 1.001 * start, "omega", method=method)
    assert orbit.start == pytest.approx(start, abs=1e-11)
    assert [impact.t for impact in orbit.impacts] == pytest.approx([since], abs=1e-12)
    assert orbit.impacts[0].speed == pytest.approx(G * T / (1.0 + E), rel=1e-11)  # v + A omega cos phi
    assert in_order(orbit.multipliers) == pytest.approx(in_order(multipliers), abs=1e-10)
    assert orbit.at(since + 1e-9)[1] == pytest.approx(0.5 * G * T, abs=1e-7)
    assert orbit.motion(3.0, method="event-driven").end_state == pytest.approx(start, abs=1e-7)
    orbit.to_netcdf(tmp_path / "bounce.nc")
    again = Orbit.open(tmp_path / "bounce.nc")
    assert again.impacts[0].t == orbit.impacts[0].t
    assert again.at(0.11) == pytest.approx(orbit.at(0.11), abs=1e-12)


def test_where_a_bounce_doubles_and_folds():
    """At the fold the impact is at t = 0: the state there jumps, and the orbit does not."""
    _, start, _ = bounce(1.3 * LEAST, G, 1, 0.0)
    orbit = find_orbit(Bouncer(A=1.3 * LEAST), start, "omega")
    branch = continue_orbit(orbit, "A", (0.8 * LEAST, 4.0 * LEAST), steps=PseudoArclength(ds=0.01, ds_max=0.04, tol=1e-10))
    assert branch.special("PD").parameter == pytest.approx(doubling(E), rel=1e-9)
    assert branch.special("LPC").parameter == pytest.approx(LEAST, rel=1e-9)
    assert branch.orbit("PD1").impacts[0].speed == pytest.approx(G * T / (1.0 + E), rel=1e-8)
    doubled = branch.switch("PD1", bounds=(0.8 * LEAST, 1.05 * float(doubling(E))))
    end = doubled.orbit(-1)
    assert len(end.impacts) == 2
    assert end.stability == "stable"
    assert np.prod(end.multipliers).real == pytest.approx(E**4, rel=1e-8)


@pytest.mark.slow
def test_a_branch_begins_elsewhere_and_goes_on_from_a_file(tmp_path, monkeypatch):
    """Shooting begins at another part of the period where a change of mode comes near; points and files stay what they are."""
    _, start, _ = bounce(1.3 * LEAST, G, 1, 0.0)
    orbit, bounds, file = find_orbit(Bouncer(A=1.3 * LEAST), start, "omega"), (0.8 * LEAST, 2.0 * LEAST), tmp_path / "branch.nc"
    steps = PseudoArclength(ds=0.02, ds_max=0.08, tol=1e-10)
    still = continue_orbit(orbit, "A", bounds, steps=steps)
    monkeypatch.setattr("rollick.analysis.orbits.problem.QUIET", 0.3)
    whole = continue_orbit(orbit, "A", bounds, steps=steps)
    assert set(still["begins_at"]) < set(whole["begins_at"])
    assert whole.special("LPC").parameter == pytest.approx(still.special("LPC").parameter, rel=1e-9)
    at_least = whole.orbit("LPC1")
    assert at_least.multipliers.real.max() == pytest.approx(1.0, abs=1e-4)
    continue_orbit(orbit, "A", bounds, steps=PseudoArclength(ds=0.02, ds_max=0.08, tol=1e-10, max_points=4), file=file)
    again = resume_orbits(file, orbit_problem(orbit, "A"), max_points=steps.max_points)
    assert np.array_equal(again["A"], whole["A"])
    assert np.array_equal(open_orbits(file, orbit_problem(orbit, "A")).orbit(0).start, whole.orbit(0).start)


@pytest.mark.slow
def test_doubling_over_restitution():
    _, start, _ = bounce(2.9 * LEAST, G, 1, -1.5)
    orbit = find_orbit(Bouncer(A=2.9 * LEAST, phase=-1.5), start, "omega")
    branch = continue_orbit(orbit, "A", (2.8 * LEAST, 3.2 * LEAST), steps=PseudoArclength(ds=0.01, ds_max=0.04, tol=1e-10))
    curve = trace_cycle_curve(branch, "PD1", "e_N", (0.75, 0.85))
    assert len(curve) > 3
    assert curve["A"] == pytest.approx(doubling(curve["e_N"]), rel=1e-8)


def test_two_contacts_that_hit_every_period_and_every_other():
    """Along the normals of a groove of 90 degrees the two bounces know nothing of each other."""
    g, A, phase, r2 = G / math.sqrt(2.0), 0.0055, -1.5, math.sqrt(2.0)
    s1, a, ones = bounce(A, g, 1, phase)
    s2, b, twos = bounce(A, g, 2, phase)
    start = np.array([a[0] - b[0], a[0] + b[0], a[1] - b[1], a[1] + b[1]]) / r2
    system = Wedge(A=A, phase=phase, g=G)
    orbit = find_orbit(system, 1.0005 * start, "omega", cycles=2)
    assert orbit.start == pytest.approx(start, abs=1e-11)
    assert [impact.t for impact in orbit.impacts] == pytest.approx(sorted([s1, s1 + T, s2]), abs=1e-11)
    assert in_order(orbit.multipliers) == pytest.approx(in_order(np.concatenate([ones**2, twos])), abs=1e-9)
    both = np.array([0.0, 2.0 * a[0], 0.0, 2.0 * a[1]]) / r2
    with pytest.raises(InputError, match=r"contact 1 of Wedge closes .* together with another change"):
        find_orbit(system, both, "omega")


def test_between_a_wall_and_one_that_shakes():
    """Leaving with v = A omega cos phi/(1 - e), it comes back with e^2 v; both multipliers, of a stable orbit and of one that is not."""
    s = Corridor(L=0.1, phase=-1.5)
    period = 2.0 * math.pi / s.omega
    e, found = s.e_N, []
    v_of = lambda phi: s.A * s.omega * math.cos(phi) / (1.0 - e)
    open_by = lambda phi: (s.L - s.A * math.sin(phi)) * (1.0 + 1.0 / e) / v_of(phi) - period
    for phi in (brentq(open_by, -1.4, 0.0, xtol=1e-15), brentq(open_by, 0.3, 1.4, xtol=1e-15)):
        v, way = v_of(phi), s.L - s.A * math.sin(phi)
        there, wall = way / v, s.A * s.omega * math.cos(phi)
        flight = lambda d: np.array([[1.0, d], [0.0, 1.0]])
        bend = (1.0 + e) * s.A * s.omega**2 * math.sin(phi) / (-e * v - wall)
        M = np.array([[-e, 0.0], [bend, -e]]) @ flight(way / (e * v)) @ (-e * np.eye(2)) @ flight(there)
        since = ((phi - s.phase) / s.omega) % period
        back = period - since - there  # since it hit the wall at rest
        start = np.array([s.L - e * v * back, -e * v]) if back > 0.0 else np.array([s.L + v * back, v])
        orbit = find_orbit(s, 1.0003 * start, "omega")
        assert orbit.start == pytest.approx(start, abs=1e-11)
        assert [impact.speed for impact in orbit.impacts] == pytest.approx([v, v], rel=1e-10)
        assert in_order(orbit.multipliers) == pytest.approx(in_order(np.linalg.eigvals(M)), abs=1e-9)
        found.append(orbit.stability)
    assert found == ["stable", "unstable"]


def test_swings_that_grow_until_they_hit():
    """It runs by itself: one multiplier is 1, and the other is what volumes shrink by, e^2 exp(d T)."""
    s = Grown()
    a = 0.5 * s.d
    om = math.sqrt(1.0 - a * a)

    def there_and_back(v0: float) -> tuple[float, float]:
        """When a swing that leaves the stop with v0 comes back, and how fast."""
        c = (v0 + a * s.stop) / om
        x = lambda t: math.exp(a * t) * (-s.stop * math.cos(om * t) + c * math.sin(om * t)) + s.stop
        t = brentq(x, math.pi / om, 1.9 * math.pi / om, xtol=1e-15)
        v = math.exp(a * t) * ((om * c - a * s.stop) * math.cos(om * t) + (a * c + om * s.stop) * math.sin(om * t))
        return t, v

    v0 = brentq(lambda v: -s.e_N * there_and_back(v)[1] - v, 0.2, 0.5, xtol=1e-15)
    period, v1 = there_and_back(v0)
    orbit = find_orbit(s, [0.0, 0.6], 4.8)
    assert orbit.period == pytest.approx(period, abs=1e-10)
    assert orbit.impacts[0].speed == pytest.approx(-v1, abs=1e-10)
    assert orbit.multipliers == pytest.approx([s.e_N**2 * math.exp(s.d * period)], abs=1e-9)
    assert orbit.trivial_error < 1e-9
    with pytest.raises(InputError, match="Shooting"):
        find_orbit(s, [0.0, 0.6], 4.8, method=Collocation())
    with pytest.raises(InputError, match="give a guess of the period"):
        find_orbit(s, [0.0, 0.6])
    branch = continue_orbit(orbit, "stop", (0.3, 0.9), steps=PseudoArclength(ds=0.05, ds_max=0.2, tol=1e-10))
    assert branch["period"] == pytest.approx(np.full(len(branch), period), abs=1e-8)  # all is in proportion to it
    assert branch["max_x"] / branch["stop"] == pytest.approx(
        np.full(len(branch), branch["max_x"][0] / branch["stop"][0]), rel=1e-6
    )


def test_a_rod_whose_feet_hit_in_turn():
    """One foot of a dumb-bell hits every period, the other every other one; friction at the impacts makes it walk. Its matrix against differences of motions."""
    phase, half, A = -1.5, 0.4, 0.0082
    _, a, _ = bounce(A, G, 1, phase)
    _, b, _ = bounce(A, G, 2, phase)
    system = Rocker(A=A, omega=OMEGA, phase=phase, half=half, r=half, e_N=E)
    guess = [0.0, 0.5 * (a[0] + b[0]), 0.5 * (a[0] - b[0]) / half, -0.13, 0.5 * (a[1] + b[1]), 0.5 * (a[1] - b[1]) / half]
    orbit = find_orbit(system, guess, "omega", cycles=2, free=["x"], transient=20.0)
    assert len(orbit.impacts) == 3
    assert orbit.stability == "stable"
    late = simulate(system, orbit.start, 40.0 * orbit.period, method="event-driven").end_state
    assert late[1:] == pytest.approx(orbit.start[1:], abs=1e-7)
    assert late[0] - orbit.start[0] == pytest.approx(40.0 * orbit.advance["x"], abs=1e-7)
    assert orbit.advance["x"] < -0.01
    M = by_differences(system, orbit.start, orbit.period)
    assert in_order(orbit.all_multipliers) == pytest.approx(in_order(np.linalg.eigvals(M)), abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("begins", ["slip", "stick", "beside"])
def test_stick_slip_on_a_belt(begins):
    """As the belt of `test_orbits_hybrid`, a body with a contact: also where it begins while it sticks, and from a guess that is not quite on the belt."""
    s, mu = Block(), 0.1
    a, c = 0.5 * s.d, mu * s.g / s.k
    om = math.sqrt(s.k - a * a)
    p = s.d * s.w / s.k
    q = (s.w - a * p) / om
    x = lambda t: c + math.exp(a * t) * (p * math.cos(om * t) + q * math.sin(om * t))
    v = lambda t: math.exp(a * t) * ((a * p + om * q) * math.cos(om * t) + (a * q - om * p) * math.sin(om * t))
    slips = brentq(lambda t: v(t) - s.w, 1.2 * math.pi / om, 1.998 * math.pi / om, xtol=1e-15)
    period = slips + (c + p - x(slips)) / s.w
    on_belt = [x(slips) + 0.1 * s.w, 0.0, 0.0, s.w, 0.0, 0.0]
    start = {
        "slip": [x(1.0), 0.0, 0.0, v(1.0), 0.0, 0.0],
        "stick": on_belt,
        "beside": np.add(on_belt, [0.0, 1e-4, 1e-5, 0.0, 1e-3, 0.0]),
    }
    orbit = find_orbit(s, start[begins], 1.001 * period)
    assert orbit.period == pytest.approx(period, abs=2e-8)
    assert "slip" in orbit.message
    assert "stick" in orbit.message
    assert orbit.trivial_error < 2e-8
    assert np.sort(np.abs(orbit.multipliers))[:4] == pytest.approx(
        np.zeros(4), abs=1e-8
    )  # what sticks forgets; x goes along the orbit


@pytest.mark.slow
def test_a_ball_in_space_on_a_vibrating_plate():
    """What holds it nowhere (its place, its attitude, its drift) has the multipliers 1; what keeps its quaternion of length one, and its spins at an impact, 0."""
    R, A = 0.1, 1.3 * LEAST
    since, start, multipliers = bounce(A, G, 1, -1.0)
    ball = Body.from_parts(solid_sphere(1.0, R), Sphere(R))
    system = sliding(ball, on=Shaken(Plane(), Swing(A, 1.0 / T, -1.0)), law=Coulomb(0.2), restitution=E)
    orbit = find_orbit(system, {"z": R + start[0] + 1e-4, "vz": start[1]}, T)
    assert orbit.impacts[0].t == pytest.approx(since, abs=1e-10)
    assert orbit.start[2] == pytest.approx(R + start[0], abs=1e-10)
    own = np.array([m for m in orbit.multipliers if 0.1 < abs(m) < 0.9])
    assert in_order(own) == pytest.approx(in_order(multipliers), abs=1e-8)
    sizes = np.sort(np.abs(orbit.multipliers))
    assert sizes == pytest.approx([0.0] * 3 + [E] * 2 + [1.0] * 8, abs=1e-6)


@pytest.mark.slow
def test_a_ball_that_slips_on_a_shaken_table():
    """Its slip u' = -a(t) -+ K turns twice a period, each time with the factor (a - K)/(a + K): a multiplier in closed form. It drifts as it likes."""
    f, A, mu, R = 3.0, 0.05, 0.15, 0.1
    ball = Body.from_parts(solid_sphere(1.0, R), Sphere(R))
    system = sliding(ball, on=Shaken(Plane(), Swing(A, f, 0.3), (1.0, 0.0, 0.0)), law=Coulomb(mu), restitution=0.0)
    guess = simulate(system, {"vx": 0.2, "gap": 0.0}, 20.0 / f, method="event-driven", progress=False)
    orbit = find_orbit(system, guess, 1.0 / f, free=["x"])
    w, K = 2.0 * math.pi * f, 3.5 * mu * G  # a ball's slip changes 7/2 times as fast as its velocity
    turning = A * w * w * math.sqrt(1.0 - (K / (4.0 * f) / (A * w)) ** 2)
    slip = ((turning - K) / (turning + K)) ** 2
    sizes = np.abs(orbit.all_multipliers)
    assert np.abs(sizes - slip).min() < 1e-8
    assert np.abs(sizes[np.abs(sizes - slip) > 1e-6] - 0.5).max() < 0.5 + 1e-5  # the others are one or zero


def test_what_cannot_be_followed():
    with pytest.raises(InputError, match=r"does not repeat after 0\.3 s"):
        find_orbit(Bouncer(), [0.02, 0.0], 0.3)
    with pytest.raises(InputError, match="depends on the time"):
        find_orbit(Bouncer(), [0.02, 0.0])


def test_grazing_is_named():
    """Without impacts x = a cos(omega t - delta): it touches a stop at -a, beyond which neighbours hit, and the branch ends there."""
    a = 1.0 / math.hypot(1.0 - 0.8**2, 0.1 * 0.8)
    free = find_orbit(Stopped(), [0.0, 0.0], "omega", transient=400.0)
    assert not free.impacts
    branch = continue_orbit(free, "stop", (-3.2, -2.0))
    assert branch["stop"].max() == pytest.approx(-a, abs=1e-5)
    assert "an impact grazes" in branch.message
