"""Cycles and connections of the reduced tippedisk: shooting, normal forms, quadratures and connections against each other."""

import math

import numpy as np
import pytest

from rollick import InputError, continue_steady
from rollick.analysis.continuation import PseudoArclength
from rollick.analysis.orbits import find_orbit
from rollick.archetypes.tippedisk import specimen
from rollick.archetypes.tippedisk.reduced import (
    TippediskNormalised,
    TippediskReduced,
    TippediskSlowNormalised,
    balance,
    computed_chart,
    cycle_integral,
    linear,
)
from rollick.archetypes.tippedisk.reduced.branches import amplitudes, cycles_of, normalised_cycles, slow_cycles
from rollick.archetypes.tippedisk.reduced.chart import CYCLE, INVERTED, UNSTABLE_CYCLE, closed_chart, closed_regions
from rollick.archetypes.tippedisk.reduced.heteroclinic import connection_slow, melnikov_speeds
from rollick.archetypes.tippedisk.reduced.manifold import first_order_flow, slow_flow

V1, V2 = specimen("V1"), specimen("V2")
HALF = 0.5 * math.pi
FEW = PseudoArclength(ds=0.02, ds_max=0.05, max_points=20, tol=1e-9)
MANY = PseudoArclength(ds=0.02, ds_max=0.08, max_points=70, tol=1e-9)


@pytest.mark.parametrize("zeta", [*(pytest.param(z, marks=pytest.mark.slow) for z in (1.2, 0.9, 1.5)), 1.02, 1.045])
def test_the_first_lyapunov_coefficient_has_the_sign_that_shooting_shows(zeta):
    """v1, v2, v3, and both sides of zeta* = 1.0317 at kappa = 0.05: l1 < 0 where cycles live below omega_c and are stable."""
    system = TippediskNormalised(0.05, zeta, 3.95, 1.05, 0.3, 0.02)
    steady = continue_steady(system._replace(omega=1.02), "omega", [HALF, HALF, 0.0], bounds=(1.0, 1.1))
    hopf = steady.special("H1")
    assert hopf.parameter == pytest.approx(1.05, abs=1e-10)
    l1 = float(hopf.numbers["l1"])
    branch = cycles_of(system, "omega", (0.9, 1.2), FEW)
    k = int(np.argmax(amplitudes(branch) > 0.15))
    below = branch["omega"][k] < 1.05
    assert below == (l1 < 0.0) == (zeta > balance.criticality_boundary(0.05))
    assert (np.asarray(branch.unstable)[k] == 0) == below


def test_half_of_an_orbit_is_enough():
    """The symmetric closure about (pi/2, pi/2) gives the same orbit, period and multipliers as the whole orbit."""
    system = TippediskSlowNormalised(0.05, 1.2, 1.03, 0.2)
    whole = find_orbit(system, [HALF, HALF + 1.0], 31.0, transient=400.0)
    half = find_orbit(system, whole.start, whole.period, symmetry="all", advance={"beta": math.pi, "gamma": math.pi})
    assert half.period == pytest.approx(whole.period, rel=1e-9)
    assert half.multipliers == pytest.approx(whole.multipliers, abs=1e-8)
    a, b = half.points(101)[1], whole.points(101)[1]
    assert a.max(axis=0) == pytest.approx(b.max(axis=0), abs=2e-3)
    assert a.min(axis=0) == pytest.approx(b.min(axis=0), abs=2e-3)
    with pytest.raises(InputError, match="do not bring the orbit back"):
        find_orbit(system, whole.start, whole.period, symmetry={"beta": -1}, advance={"gamma": 1.0})


def test_branch_of_v2_with_its_fold():
    """Digest T23: 1.0861, period 43.5; its stability changes there; the cycle integral is the limit delta -> 0."""
    branch = normalised_cycles(0.05, 0.9, 0.2, MANY)
    fold = branch.special("LPC1")
    assert fold.parameter == pytest.approx(1.08611, abs=1e-5)
    assert branch.orbit("LPC1").period == pytest.approx(43.47, abs=5e-3)
    grows = np.asarray(branch.unstable) > 0
    Gamma = amplitudes(branch)
    assert grows[(Gamma > 0.2) & (Gamma < 2.2)].all()
    assert not grows[Gamma > 2.45].any()
    limit = cycle_integral.omega_of_amplitude(0.05, 0.9, Gamma[1:])
    assert np.abs(branch["omega"][1:] - limit).max() < 1.5e-4
    finer = normalised_cycles(0.05, 0.9, 0.1, MANY)
    off = np.abs(finer["omega"][1:] - cycle_integral.omega_of_amplitude(0.05, 0.9, amplitudes(finer)[1:])).max()
    assert off < 0.3 * np.abs(branch["omega"][1:] - limit).max()


def test_corrected_balance_is_the_tangent_of_the_branch():
    """E16: amplitude and period next to the Hopf point of the slow flow, delta small, by shooting; the printed formula is off by a per cent."""
    branch = slow_cycles(V1, eps=0.01, steps=FEW)
    k = int(np.argmax(amplitudes(branch) > 0.05))
    O = float(branch["Omega"][k])
    C = float(branch["max_beta"][k] - HALF)
    assert pytest.approx(float(balance.amplitude(V1, O)), rel=2e-3) == C
    assert abs(float(balance.amplitude(V1, O, printed=True)) / C - 1.0) > 8e-3


@pytest.mark.parametrize("third", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_two_routes_to_the_connection(third):
    """Shooting past the saddle, the boundary-value problem, and (slow) manifolds that meet at gamma = pi/2; all within 1e-8."""
    found = connection_slow(V1)
    assert found.value == pytest.approx(30.13012, abs=1e-5)
    assert found.agreement < 1e-8
    if third:
        met = connection_slow(V1, section=True, boundary_value=False)
        assert met.value == pytest.approx(found.value, abs=1e-8)
    sigma = found.source.saddle_quantity
    assert sigma < 0.0  # the loop attracts from inside
    omega = found.value / (melnikov_speeds(V1)["M"] / float(cycle_integral.omega_heteroclinic(V1.kappa, V1.zeta)))
    delta = 0.1 / (found.value * V1.r * 0.3)
    assert sigma == pytest.approx(found.value * linear.saddle_quantity(V1.kappa, omega, delta), rel=1e-9)


def test_tabulated_flow_of_first_order_is_the_closed_form():
    x = np.array([[1.3, 1.8, 1.57], [0.2, 2.2, -1.0]])
    table, closed = slow_flow(V1, 1, 30.0)(x, 30.2), np.array(first_order_flow(V1)(x, 30.2))
    assert np.abs(table - closed).max() < 1e-7
    second = slow_flow(V1, 2, 30.0)(x, 30.2)
    assert 1e-3 < np.abs(second - closed).max() < 0.2


def test_regions_of_the_chart():
    """What there is at points whose branches are known, and the closed forms beside it."""
    chart = computed_chart([0.05], [1.2, 0.9, 1.5, 1.02])
    assert chart.types.tolist() == [[1, 2, 3, 2]]
    assert np.abs(chart.omega_c - 1.05).max() < 1e-12
    found = chart.regions([0.93, 0.9346, 0.96, 1.02, 1.049, 1.07, 1.085, 1.09])[0]
    assert found[0].tolist() == [0, 0, 0, CYCLE, CYCLE, INVERTED, INVERTED, INVERTED]
    both = INVERTED | CYCLE | UNSTABLE_CYCLE
    assert found[1].tolist() == [0, 0, 0, 0, 0, INVERTED | UNSTABLE_CYCLE, both, INVERTED]
    assert found[2].tolist() == [0, CYCLE | UNSTABLE_CYCLE, CYCLE, CYCLE, CYCLE, INVERTED, INVERTED, INVERTED]
    assert chart.regions([1.0515])[0, 3, 0] == both
    assert chart.regions([1.0495])[0, 3, 0] == CYCLE
    closed = closed_chart([0.05], [1.2, 0.9, 1.5, 1.02])
    assert closed.types.tolist() == [[1, 2, 3, 1]]
    assert closed_regions([0.05], [1.2, 0.9], [0.9, 1.03, 1.06, 1.2]).tolist() == [[[0, 2, 3, 3], [0, 0, 1, 3]]]
    with pytest.raises(InputError, match="no fold"):
        closed.regions([1.0])
    with pytest.raises(InputError, match="kappa"):
        computed_chart([0.5], [1.0])
    assert "v2" in chart.summary()
    assert set(chart.data.data_vars) >= {"omega_c", "omega_h", "omega_f"}


@pytest.mark.slow
def test_cycle_integral_is_the_limit_of_shooting():
    """V1, the whole branch up to an amplitude of 3.1: second order in eps, below 1e-3 rad/s at 0.0125 m/s."""
    from rollick.studies.tippedisk.reduced_errata import convergence

    errors = convergence()
    assert errors[-1] < 1e-3
    assert np.log2(np.array(errors[:-1]) / errors[1:])[1:] == pytest.approx([2.0, 2.0], abs=0.2)


@pytest.mark.slow
def test_basins_of_inverted_spinning():
    """V2 between connection and fold has two attractors, inverted spinning and a cycle; V1 above Omega_c one."""
    from rollick.analysis.basins import basins

    grid = {"beta": np.linspace(HALF - 0.15, HALF + 0.15, 5), "gamma": np.linspace(HALF - 2.4, HALF + 2.4, 9)}
    watched = {"settle": 60.0, "watch": 40.0, "angles": ["gamma"], "tolerance": 0.1, "progress": False}
    two = basins(TippediskReduced(V2, 31.4, kink=0.0), grid, **watched)
    kinds = {a["kind"] for a in two.attractors}
    assert kinds == {"rest", "motion"}
    assert len(two.attractors) == 2
    assert two.labels[2, 4] != two.labels[2, 0]  # inverted spinning is next to the centre, the cycle far out
    one = basins(TippediskReduced(V1, 32.5), grid, **watched)
    assert [a["kind"] for a in one.attractors] == ["rest"]
    assert one.fractions[0] == 1.0
