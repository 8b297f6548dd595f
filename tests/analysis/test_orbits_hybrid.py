"""Periodic orbits with impacts, and with stick and slip: closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from cycles import Belt, Striker
from scipy.optimize import brentq

from rollick import InputError
from rollick.analysis.continuation import PseudoArclength
from rollick.analysis.orbits import Collocation, Orbit, continue_orbit, find_orbit, trace_cycle_curve

E, G, OMEGA = 0.8, 9.81, 10.0 * math.pi
T = 2.0 * math.pi / OMEGA


def ball(A: float) -> tuple[Striker, np.ndarray, float, tuple[complex, complex]]:
    """A ball that hits the table once a period, in closed form: the system, its state at t = 0, the instant of its impact, its multipliers.

    Leaving with v = g T/2 and arriving with -v asks for (1 + e) A omega cos phi = (1 - e) g T/2. With a = -A omega^2 sin phi the map of impacts
    has the trace 1 + e^2 + (1 + e)^2 a/g and the determinant e^2.
    """
    phi = math.acos((1.0 - E) / (1.0 + E) * G * T / (2.0 * A * OMEGA))
    since = phi / OMEGA
    flight = T - since  # from the impact to the end of the period
    start = np.array([A * math.sin(phi) + G * T / 2.0 * flight - G / 2.0 * flight**2, G * T / 2.0 - G * flight])
    trace = 1.0 + E * E - (1.0 + E) ** 2 * A * OMEGA**2 * math.sin(phi) / G
    root = np.sqrt(complex(trace * trace - 4.0 * E * E))
    return Striker(A=A, omega=OMEGA, e=E, g=G), start, since, ((trace + root) / 2.0, (trace - root) / 2.0)


def test_bouncing_ball():
    least = G * T * (1.0 - E) / (2.0 * OMEGA * (1.0 + E))
    system, start, since, multipliers = ball(1.3 * least)
    orbit = find_orbit(system, start * 1.001, "omega")
    assert len(orbit.impacts) == 1
    assert orbit.impacts[0].t == pytest.approx(since, abs=1e-12)
    assert orbit.start == pytest.approx(start, abs=1e-12)
    assert np.sort_complex(orbit.multipliers) == pytest.approx(np.sort_complex(np.array(multipliers)), abs=1e-10)
    assert orbit.at(since)[1] == pytest.approx(G * T / 2.0, abs=1e-10)  # just after the impact
    with pytest.raises(InputError, match="impact_map"):
        orbit.motion()
    with pytest.raises(InputError, match="take Shooting"):
        find_orbit(system, start, "omega", method=Collocation())
    branch = continue_orbit(orbit, "A", (0.8 * least, 4.0 * least), steps=PseudoArclength(ds=0.01, ds_max=0.04, tol=1e-10))
    doubling = math.hypot(G * math.pi * (1.0 - E) / (1.0 + E), 2.0 * G * (1.0 + E * E) / (1.0 + E) ** 2) / OMEGA**2
    assert branch.special("PD").parameter == pytest.approx(doubling, rel=1e-10)
    assert branch.special("LPC").parameter == pytest.approx(least, rel=1e-10)
    curve = trace_cycle_curve(branch, "PD1", "e", (0.7, 0.9))  # over restitution
    e = curve["e"]
    expected = np.hypot(G * math.pi * (1.0 - e) / (1.0 + e), 2.0 * G * (1.0 + e * e) / (1.0 + e) ** 2) / OMEGA**2
    assert len(curve) > 5
    assert curve["A"] == pytest.approx(expected, rel=1e-8)
    doubled = branch.switch("PD1", bounds=(0.8 * least, 1.05 * doubling))
    end = doubled.orbit(-1)
    assert len(end.impacts) == 2
    assert end.period == pytest.approx(2.0 * T)
    assert end.stability == "stable"
    assert abs(end.impacts[0].speed - end.impacts[1].speed) > 0.01
    assert np.prod(end.multipliers).real == pytest.approx(E**4, rel=1e-9)  # each impact contracts areas by e^2


def test_files_of_orbits_with_impacts(tmp_path):
    system, start, _, _ = ball(0.0045)
    orbit = find_orbit(system, start, "omega")
    orbit.to_netcdf(tmp_path / "ball.nc")
    again = Orbit.open(tmp_path / "ball.nc")
    assert again.impacts[0].t == orbit.impacts[0].t
    assert again.at(0.11) == pytest.approx(orbit.at(0.11), abs=1e-13)
    assert orbit.plot(path=tmp_path / "ball.png") is not None
    assert orbit.to_dict()["events"][0]["name"] == "impact"


def test_grazing_of_a_forced_oscillator():
    # without impacts x = a cos(omega t - delta): it touches a stop at -a (Nordmark 1991)
    omega, F, k, c = 0.8, 1.0, 1.0, 0.1
    a = F / math.hypot(k - omega * omega, c * omega)
    free = find_orbit(Striker(omega=omega, F=F, k=k, c=c, e=0.8, stop=-1.1 * a), [0.0, 0.0], "omega", transient=400.0)
    assert not free.impacts
    branch = continue_orbit(free, "stop", (-1.2 * a, -0.7 * a))
    assert branch.special("GRAZ").parameter == pytest.approx(-a, rel=1e-9)
    assert "beyond grazing" in branch.message


@pytest.mark.slow
def test_grazing_of_an_orbit_with_impacts():
    # one impact per period, whose speed falls to zero at the stop that the orbit without impacts touches
    F, k, c = 1.0, 1.0, 0.1
    omega = 1.8
    a = F / math.hypot(k - omega * omega, c * omega)
    hits = find_orbit(Striker(omega=omega, F=F, k=k, c=c, e=0.8, stop=0.0), [1.0, 0.0], "omega", transient=400.0)
    assert len(hits.impacts) == 1
    branch = continue_orbit(hits, "stop", (-2.0, 0.25), steps=PseudoArclength(ds=0.01, ds_max=0.05, tol=1e-10))
    fold, graze = branch.special("LPC"), branch.special("GRAZ")  # it turns back on its way
    assert fold.parameter < -1.5 * a
    assert graze.parameter == pytest.approx(-a, rel=1e-8)
    assert graze.measures["impact_speed"] == pytest.approx(0.0, abs=1e-8)
    assert np.abs(graze.measures["multipliers"]).max() > 1e4  # the square root of Nordmark's map


@pytest.mark.slow
def test_stick_slip_on_a_belt():
    s = Belt()
    a, c = s.d / 2.0, s.mu * s.g / s.k
    om = math.sqrt(s.k - a * a)
    A = s.d * s.w / s.k  # x - c = exp(a t) (A cos om t + B sin om t), from where it begins to slip, x' = w
    B = (s.w - a * A) / om

    def x(t: float) -> float:
        return c + math.exp(a * t) * (A * math.cos(om * t) + B * math.sin(om * t))

    def v(t: float) -> float:
        return math.exp(a * t) * ((a * A + om * B) * math.cos(om * t) + (a * B - om * A) * math.sin(om * t))

    slips = brentq(lambda t: v(t) - s.w, 1.2 * math.pi / om, 1.998 * math.pi / om, xtol=1e-15)
    period = slips + (c + A - x(slips)) / s.w
    orbit = find_orbit(s, [x(1.0), v(1.0) - s.w], 1.001 * period)
    assert orbit.period == pytest.approx(period, abs=1e-9)
    assert "S R S" in orbit.message
    assert abs(orbit.multipliers[0]) < 1e-9  # what sticks forgets
    assert orbit.trivial_error < 1e-8
