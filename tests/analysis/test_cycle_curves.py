"""Curves of folds, period doublings and tori of cycles in two parameters, and the points of codimension two on them, against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from cycles import Swing, Tower, on_tower
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from scipy.special import mathieu_a, mathieu_b
from textbook import Bautin, Duffing

from rollick import InputError
from rollick.analysis.continuation import PseudoArclength
from rollick.analysis.orbits import (
    Collocation,
    HarmonicBalance,
    Shooting,
    continue_orbit,
    find_orbit,
    orbits_from_hopf,
    trace_cycle_curve,
)

TURN = 2.0 * math.pi


def labels(curve, kind):
    return [p.parameter for p in curve.specials if p.kind == kind]


def trace_of_mathieu(k: float, eps: float) -> float:
    """mu_1 + mu_2 of w'' = -(k + eps cos t) w, by SciPy."""
    start = np.eye(2).ravel()

    def rate(t, y):
        return np.concatenate([y[2:], -(k + eps * math.cos(t)) * y[:2]])

    end = solve_ivp(rate, (0.0, TURN), start, method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
    return float(end[0] + end[3])


def test_resonances_on_a_curve_of_tori():
    system = Swing(k=0.1, eps=0.1)
    branch = continue_orbit(find_orbit(system, [1.0, 0.0], TURN), "eta", (-0.2, 0.2))
    torus = branch.special("TR1")
    assert torus.parameter == pytest.approx(0.0, abs=1e-10)
    assert 2.0 * math.cos(torus.numbers["angle"]) == pytest.approx(trace_of_mathieu(0.1, 0.1), abs=1e-9)
    curve = trace_cycle_curve(branch, "TR1", "k", (0.02, 0.6))
    assert curve.complete
    assert np.abs(curve["eta"]).max() < 1e-10  # the product of the multipliers is exp(4 pi eta)
    assert labels(curve, "R2") == pytest.approx([mathieu_b(1, 0.2) / 4.0, mathieu_a(1, 0.2) / 4.0], abs=1e-9)
    for kind, total, brackets in (("R3", -1.0, [(0.09, 0.12), (0.4, 0.5)]), ("R4", 0.0, [(0.03, 0.08), (0.5, 0.59)])):
        exact = [brentq(lambda k, total=total: trace_of_mathieu(k, 0.1) - total, *b, xtol=1e-13) for b in brackets]
        assert labels(curve, kind) == pytest.approx(exact, abs=1e-8)
    assert len(curve.specials) == 6
    between = (curve["k"] > 0.21) & (curve["k"] < 0.28)
    assert np.all(np.isnan(curve["angle"][between]))  # a neutral saddle: both multipliers are real there


def test_generalised_doubling_and_chenciner_point():
    # the cubic coefficients of the return map are linear in c and e; on tori c has no part in d, since areas are preserved
    branch = continue_orbit(find_orbit(Swing(k=0.1, eps=0.1, c=0.3, e=-0.5), [1.0, 0.0], TURN), "eta", (-0.2, 0.2))
    curve = trace_cycle_curve(branch, "TR1", "e", (-0.5, 0.4))
    assert labels(curve, "CH") == pytest.approx([0.0], abs=1e-8)
    d = curve["d"] / curve["e"]
    assert d == pytest.approx(d[0], rel=1e-6)
    branch = continue_orbit(find_orbit(Swing(k=0.25, eps=0.1, eta=-0.03, c=-0.5), [1.0, 0.0], TURN), "eta", (-0.2, 0.0))
    curve = trace_cycle_curve(branch, "PD1", "c", (-0.5, 0.4))
    assert labels(curve, "GPD") == pytest.approx([0.0], abs=1e-8)


@pytest.mark.slow
def test_generalised_doublings_around_a_tongue():
    branch = continue_orbit(find_orbit(Swing(k=0.25, eps=0.1, eta=-0.03, c=-0.5), [1.0, 0.0], TURN), "eta", (-0.2, 0.0))
    # a closed curve around the tongue of Mathieu's equation, that passes eta = 0 twice
    curve = trace_cycle_curve(branch, "PD1", "k", (0.0, 0.6))
    assert "closed" in curve.message
    assert sorted(labels(curve, "R2")) == pytest.approx([mathieu_b(1, 0.2) / 4.0, mathieu_a(1, 0.2) / 4.0], abs=1e-9)
    # softer on one side of the tongue, harder on the other: near its tips, at +-eta alike (time reversed), c vanishes (averaging: at k = 1/4 for small eps)
    tips = [p for p in curve.specials if p.kind == "GPD"]
    assert [p.parameter for p in tips] == pytest.approx([tips[0].parameter] * 2, abs=1e-9)
    assert tips[0].numbers["eta"] == pytest.approx(-tips[1].numbers["eta"], abs=1e-9)
    assert tips[0].parameter == pytest.approx(0.25, abs=0.1**2)


def test_cusp_and_one_to_one_resonance_of_folds():
    system = Swing(k=-1.0, eps=0.0, eta=-0.2, c=-1.0, h=0.6)
    w = float(np.max(np.roots([-1.0, 0.0, 1.0, 0.6]).real))
    steps = PseudoArclength(ds=0.02, ds_max=0.1, tol=1e-10)
    branch = continue_orbit(find_orbit(system, [1.0 + w, 0.0], TURN), "h", (-1.0, 1.0), steps=steps)
    assert sorted(labels(branch, "LPC")) == pytest.approx([-2.0 / math.sqrt(27.0), 2.0 / math.sqrt(27.0)], abs=1e-9)
    curve = trace_cycle_curve(branch, "LPC1", "k", (-1.2, 0.2), steps=steps)
    assert 4.0 * curve["k"] ** 3 == pytest.approx(-27.0 * curve["h"] ** 2, abs=1e-8)
    assert labels(curve, "CPC") == pytest.approx([0.0], abs=1e-8)
    curve = trace_cycle_curve(branch, "LPC1", "eta", (-0.3, 0.1), steps=steps)
    assert labels(curve, "R1") == pytest.approx([0.0], abs=1e-9)
    assert [p.kind for p in curve.specials] == ["R1"]


@pytest.mark.parametrize("bounds", [(0.8, 1.2), pytest.param((0.4, 2.0), marks=pytest.mark.slow)])
def test_folds_of_the_normal_form_from_any_method(bounds):
    # mu = sigma^2/(4 kappa); one state across the cycle, so that no other point of codimension two can be there
    system = Bautin(mu=0.0, sigma=1.0, kappa=-1.0)
    for method in (Shooting(), Collocation(intervals=20)):
        steps = PseudoArclength(ds=0.02, ds_max=0.1, max_points=40)
        branch = orbits_from_hopf(system, [0.0, 0.0], "mu", (-0.5, 0.5), method=method, steps=steps)
        curve = trace_cycle_curve(branch, "LPC1", "sigma", bounds, steps=PseudoArclength(ds=0.05, ds_max=0.2, tol=1e-9))
        assert curve["mu"] == pytest.approx(-0.25 * curve["sigma"] ** 2, abs=1e-9)
        assert curve.specials == []
    # r' = r (mu + sigma r^2 - r^4): of the map over 2 pi, b = pi d^2 r'/dr^2 where r' and its slope vanish
    r2 = 0.5 * curve["sigma"]
    assert np.abs(curve["b"]) == pytest.approx(math.pi * np.abs(6.0 * curve["sigma"] - 20.0 * r2) * np.sqrt(r2), rel=1e-6)
    with pytest.raises(InputError, match="mu again"):
        trace_cycle_curve(branch, "LPC1", "mu")


@pytest.mark.parametrize("harmonics", [20, pytest.param(30, marks=pytest.mark.slow)])
def test_a_branch_that_begins_small_goes_around_the_resonance(harmonics):
    # Arclength was measured by the first orbit; a resonance ten times as high was then longer than max_points
    small = Duffing(delta=0.05, gamma=0.1, omega=2.5)
    orbit = find_orbit(small, [0.0, 0.0], "omega", transient=300.0)
    found = []
    for method in (Shooting(), HarmonicBalance(harmonics=harmonics)):
        branch = continue_orbit(orbit, "omega", (0.5, 4.0), method=method)
        assert branch.complete
        assert len(branch) < 400
        found.append(labels(branch, "LPC"))
    assert len(found[0]) == 2
    assert found[0] == pytest.approx(found[1], abs=1e-8)


# -- all kinds, by chance ------------------------------------------------------------------------------------------------------------------


def tower_curves(rng):
    """(system, u, first parameter, special point, second, its bounds, kind and place of what must be found) for a random tower, each kind once."""
    made = {"alpha": rng.uniform(-0.4, 0.4), "beta": rng.uniform(-0.4, 0.4), "lam": rng.uniform(0.3, 1.0)}
    made |= {"m1": rng.uniform(-0.2, -0.05), "m3": rng.uniform(-1.0, -0.3), "eta": rng.uniform(-0.2, -0.05)}
    made |= {"nu": rng.uniform(0.27, 0.31), "c3": rng.uniform(-1.0, -0.3), "a0": rng.uniform(0.1, 0.4), "a1": 0.0, "a2": -1.0}
    s = Tower(**made)
    u = math.sqrt(s.a0)
    yield s, u, "a0", "LPC1", "m1", (-0.3, 0.2), "LPPD", 0.0
    yield s, u, "a0", "LPC1", "eta", (-0.3, 0.2), "LPNS", 0.0
    yield s, u, "a0", "LPC1", "lam", (-0.2, 1.1), "R1", 0.0
    yield s, u, "m1", "PD1", "m3", (-1.1, 0.5), "GPD", 0.0
    yield s, u, "m1", "PD1", "eta", (-0.3, 0.2), "PDNS", 0.0
    yield s, u, "m1", "PD1", "a0", (-0.1, 0.5), "LPPD", 0.0
    yield s, u, "eta", "TR1", "c3", (-1.1, 0.5), "CH", 0.0
    yield s, u, "eta", "TR1", "nu", (0.26, 0.4), "R3", 1.0 / 3.0
    yield s, u, "eta", "TR1", "nu", (0.2, 0.32), "R4", 0.25
    yield s, u, "eta", "TR1", "a0", (-0.1, 0.5), "LPNS", 0.0
    yield s, u, "eta", "TR1", "m1", (-0.3, 0.2), "PDNS", 0.0
    yield s, u, "eta", "TR1", "lam", (-0.2, 1.1), "NSNS", 0.0
    yield s._replace(a0=0.0, a1=1.0, a2=0.0, a3=-1.0), 1.0, "a0", "LPC1", "a1", (-0.3, 1.1), "CPC", 0.0


def curve_is_right(s, u, first, label, second, bounds, kind, place, steps=None):
    """Whether the one special point of a curve is of this kind, at this place."""
    steps = steps or PseudoArclength(ds=0.05, ds_max=0.15, tol=1e-9)
    reach = {"a0": (-0.6, 0.6), "m1": (-0.3, 0.1), "eta": (-0.3, 0.1)}[first]
    branch = continue_orbit(find_orbit(s, on_tower(s, u), TURN), first, reach, steps=steps)
    curve = trace_cycle_curve(branch, label, second, bounds, steps=steps)
    found = [(p.kind, p.parameter) for p in curve.specials]
    return [k for k, _ in found] == [kind] and abs(found[0][1] - place) < 1e-8, found


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_all_points_of_codimension_two_of_random_towers(seed):
    for case in tower_curves(np.random.default_rng(seed)):
        good, found = curve_is_right(*case)
        assert good, (case[2:], found)
