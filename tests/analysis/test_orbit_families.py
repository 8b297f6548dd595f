"""Families of periodic orbits of conservative systems, against elliptic integrals and quadratures."""

from __future__ import annotations

import math

import numpy as np
import pytest
from cycles import HenonHeiles, Pendulum, Swing, Top
from scipy.integrate import quad
from scipy.special import ellipk
from textbook import Bautin

from rollick import Event, InputError, simulate
from rollick.analysis.continuation import PseudoArclength
from rollick.analysis.orbits import Collocation, MultipleShooting, Shooting, continue_family, continue_orbit, find_orbit
from rollick.archetypes.models import model

WIDE = PseudoArclength(ds=0.03, ds_max=0.15, tol=1e-10)


@pytest.mark.parametrize("method", [Shooting(), MultipleShooting(segments=4), Collocation(intervals=20)], ids=lambda m: m.name)
def test_pendulum_over_energy(method):
    orbit = find_orbit(Pendulum(), {"phi": 1.0}, hold=["phi"])
    assert orbit.stability == "stable"  # nothing besides the multipliers that are 1 by necessity
    family = continue_family(orbit, "energy", (-0.95, 0.9), method=method, steps=WIDE)
    assert family.complete
    assert family["energy"][[0, -1]] == pytest.approx([-0.95, 0.9], abs=1e-12)
    good = 1e-9 if method.name != "collocation" else 1e-7
    assert family["period"] == pytest.approx(4.0 * ellipk(0.5 * (1.0 + family["energy"])), abs=good)
    assert np.abs(family["lambda_1"]).max() < 1e-9
    assert family.specials == []
    assert family.orbit(3).made["family"]


def test_pendulum_over_period_and_amplitude():
    orbit = find_orbit(Pendulum(), {"phi": 1.0}, hold=["phi"])
    by_period = continue_family(orbit, "period", (6.4, 12.0), steps=WIDE)
    assert by_period["period"][[0, -1]] == pytest.approx([6.4, 12.0], abs=1e-12)
    by_start = continue_family(orbit, "phi", (0.2, 3.0), steps=WIDE)
    for family in (by_period, by_start):
        amplitude = family["max_phi"]
        assert family["period"] == pytest.approx(
            4.0 * ellipk(np.sin(0.5 * amplitude) ** 2), rel=1e-4
        )  # max_phi is good to the fourth order
        assert -family["energy"] == pytest.approx(np.cos(family["phi"]), abs=1e-9)


def period_of_free_top(s: Top, energy: float, square: float) -> float:
    """4 K(k^2)/lambda for L^2 > 2 T B (Landau and Lifshitz, section 37, with A > B > C)."""
    a, b, c = s.A, s.B, s.C  # about the axis of the greatest moment
    inner = (b - c) * (2.0 * energy * a - square) / ((a - b) * (square - 2.0 * energy * c))
    return 4.0 * float(ellipk(inner)) * math.sqrt(a * b * c / ((a - b) * (square - 2.0 * energy * c)))


def test_a_free_top_has_two_conserved_quantities():
    top = Top()
    orbit = find_orbit(top, {"p": 1.0, "r": 0.4}, hold=["p", "r"])
    with pytest.raises(InputError, match="family of 2 dimension"):
        continue_family(orbit, "energy")
    family = continue_family(orbit, "energy", (1.535, 1.9), hold=["L2"], steps=WIDE)
    assert family["L2"] == pytest.approx(9.16, abs=1e-9)
    exact = [period_of_free_top(top, E, 9.16) for E in family["energy"]]
    assert family["period"] == pytest.approx(exact, abs=1e-8)


@pytest.mark.slow
def test_straight_orbits_of_henon_and_heiles():
    def period(E):
        a, b, c = np.sort(np.roots([-1.0 / 3.0, 0.5, 0.0, -E]).real)
        return (
            2.0
            * quad(
                lambda th: math.sqrt(6.0) / math.sqrt(c - (a + (b - a) * math.sin(th) ** 2)), 0.0, 0.5 * math.pi, epsabs=1e-13
            )[0]
        )

    orbit = find_orbit(HenonHeiles(), {"y": 0.3}, hold=["y"])
    family = continue_family(orbit, "energy", (0.01, 0.16), steps=PseudoArclength(ds=0.01, ds_max=0.03, tol=1e-10))
    assert family["period"] == pytest.approx([period(E) for E in family["energy"]], abs=1e-8)
    pair = family["multipliers"][:, :2]
    assert np.prod(pair, axis=1).real == pytest.approx(1.0, abs=1e-7)  # symplectic


def test_what_is_refused():
    alone = find_orbit(Bautin(mu=0.2), [0.4, 0.0], 2.0 * math.pi)
    with pytest.raises(InputError, match="is alone: nothing is conserved"):
        continue_family(alone, "period")
    orbit = find_orbit(Pendulum(), {"phi": 1.0}, hold=["phi"])
    with pytest.raises(InputError, match="continue_family"):
        continue_orbit(orbit, "g")
    with pytest.raises(InputError, match="period, phi, omega, energy"):
        continue_family(orbit, "momentum")
    with pytest.raises(InputError, match="family of 1 dimension"):
        continue_family(orbit, "energy", hold=["phi"])
    driven = find_orbit(Swing(), [1.0, 0.0], 2.0 * math.pi)
    with pytest.raises(InputError, match="is driven"):
        continue_family(driven)


@pytest.mark.slow
def test_a_torus_that_rocks_while_it_rolls():
    """Energy and spin are conserved, place and heading are free: six multipliers are 1. The rocking's period is that between turning points of a motion."""
    system = model("torus").make(form="reduced")
    orbit = find_orbit(system, {"theta": "51deg", "ell": 0.7}, free=["psi", "phi", "x", "y"], hold=["theta"])
    assert orbit.made["family"]
    assert orbit.stability == "neutral"
    motion = simulate(system, orbit.start, 1.0, rtol=1e-11, events=[Event("p", "falling"), Event("p", "rising")])
    turning = [e.t for e in motion.events if e.t > 1e-6]
    assert orbit.period == pytest.approx(turning[1], rel=1e-9)
