"""The reduced tippedisk: equations against each other, closed forms against eigenvalues, Jacobians and quadratures."""

import math

import numpy as np
import pytest
from scipy.integrate import quad

from rollick import InputError, simulate, system_jacobian
from rollick.archetypes.tippedisk import specimen, tippedisk
from rollick.archetypes.tippedisk.reduced import (
    TippediskNormalised,
    TippediskReduced,
    TippediskSlow,
    TippediskSlowNormalised,
    balance,
    constrained,
    cycle_integral,
    linear,
)
from rollick.archetypes.tippedisk.reduced.heteroclinic import melnikov_speeds, speed_unit
from rollick.archetypes.tippedisk.reduced.manifold import leading_cycles, manifold, rolling_energy, upper_separatrix
from rollick.kernel.evaluate import rate_at
from rollick.mechanics.laws.sliding import Linearised

V1, V2 = specimen("V1"), specimen("V2")
HALF = 0.5 * math.pi
START = {"beta": HALF, "gamma": -HALF + 0.1}


def rates(system, y):
    out = np.zeros(len(y))
    rate_at(system, 0.0, np.asarray(y, float), out)
    return out


# -- equations ------------------------------------------------------------------------------------------------------------------


def test_model_14_as_ode_follows_the_reference():
    """Digest, section 6: two integrators of other code agree to 1e-8."""
    m = simulate(TippediskReduced(V1, 40.0), START, 1.0, at=[0.3, 0.5, 1.0], rtol=1e-11)
    assert m["beta"] == pytest.approx([1.63529623, 1.70176439, 1.56812575], abs=6e-9)
    assert m["gamma"] == pytest.approx([-1.13240324, -0.33434442, 1.82945174], abs=6e-9)


@pytest.mark.filterwarnings("ignore:the start was adjusted")
def test_constrained_form_agrees_with_the_ode_and_moves_its_start():
    """The DAE shares with the ODE neither coordinates nor equations: the full model with five multipliers. Table 3.1 has xb = 0 (E10)."""
    at = [0.3, 0.5, 1.0]
    ode = simulate(TippediskReduced(V1, 40.0), START, 1.0, at=at, rtol=1e-11)
    dae = simulate(constrained(V1, "1.4"), {**START, "alpha_rate": 40.0, "xb": 0.0}, 1.0, at=at, rtol=1e-11)
    assert np.abs(dae["beta"] - ode["beta"]).max() < 1e-10
    assert np.abs(dae["gamma"] - ode["gamma"]).max() < 1e-10
    assert np.abs(dae["z_S"] - ode["z_S"]).max() < 1e-12
    assert np.abs(dae["slip_y"] - ode["slip_y"]).max() < 1e-10
    assert "xb from 0 to -0.000249584" in dae.summary()
    quiet = simulate(constrained(V1, "1.4"), {**START, "alpha_rate": 40.0}, 0.01)
    assert "adjusted" not in quiet.summary()


def test_without_the_projection_the_printed_start_never_moves():
    """E10: from xb = 0 with S moving, Models 1.3 and 1.4 stay where they are: y' = 0, gamma' = 0."""
    y = np.zeros(12)
    y[2], y[4], y[5], y[9] = V1.r, HALF, -HALF + 0.1, 40.0
    for model in ("1.3", "1.4"):
        found = rates(constrained(V1, model), y)
        assert np.abs(found[[4, 5, 10, 11]]).max() < 1e-9
        moved = y.copy()
        moved[0] = -V1.e * math.cos(y[5])
        assert abs(rates(constrained(V1, model), moved)[10]) > 1.0


def test_constraints_hold_and_energy_falls():
    for model in ("1.2", "1.3"):
        m = simulate(constrained(V1, model), {**START, "alpha_rate": 40.0}, 1.0)
        assert np.abs(m["xb"] + V1.e * np.cos(m["gamma"])).max() < 1e-12
        assert np.abs(m["yb"] + V1.e * np.cos(m["beta"]) * np.sin(m["gamma"])).max() < 1e-12
        assert np.abs(m["gap"]).max() < 1e-12
        assert np.all(np.diff(m["energy"]) < 1e-9)
        if model == "1.3":
            assert np.abs(m["slip_x"]).max() < 1e-9
            assert 35.0 < m["alpha_rate"][-1] < 38.0


def test_chi_of_the_constraints_is_the_change_of_their_rows():
    """W(q(t)) u along a motion with constant u: its rate is chi."""
    from rollick.archetypes.tippedisk.reduced.constrained import constraint_rows

    rng = np.random.default_rng(3)
    for _ in range(5):
        y = np.concatenate([rng.uniform(-0.01, 0.01, 3), rng.uniform(0.5, 2.5, 3), rng.uniform(-3.0, 3.0, 6)])
        slopes = []
        chi = np.zeros(5)
        for h in (1e-5, -1e-5):
            W, at = np.zeros((5, 6)), y.copy()
            at[:6] += h * y[6:]
            constraint_rows(V1, at, W, chi)
            slopes.append(W @ y[6:])
        constraint_rows(V1, y, np.zeros((5, 6)), chi)
        assert (slopes[0] - slopes[1]) / 2e-5 == pytest.approx(chi, abs=1e-8)


def normalised_by_print(kappa, zeta, psi, mu, epsilon, omega, beta, gamma, y):
    """Section 6.1, written out again from the digest."""
    sb, cb, sg, cg = math.sin(beta), math.cos(beta), math.sin(gamma), math.cos(gamma)
    q = 1 + kappa * sg
    M = zeta * cg**2 + sg**2 + psi * q**2 * cb**2
    g0 = -mu * q * sb**2 * (q * y - kappa * sb * cg) / (M * omega**2)
    bracket = psi * (q**2 * y**2 * sb + kappa * q * sb * cb**2 * sg - kappa * q * (3 * sb**2 - 2) * y * cg)
    g1 = cb / M * ((zeta * cg**2 + sg**2) * sb - 2 * (zeta - 1) * y * sg * cg + bracket - q / omega**2)
    return y, -cb, g0 / epsilon + g1


def test_normalised_equations():
    """As printed in section 6.1, and as the dimensional ones in another time."""
    rng = np.random.default_rng(5)
    O = 33.0
    u = speed_unit(V2)
    for _ in range(20):
        b, c, y = rng.uniform(1.0, 2.2), rng.uniform(-3.0, 3.0), rng.uniform(-0.3, 0.3)
        s = TippediskNormalised(V2.kappa, V2.zeta, V2.psi, O / u, 0.3, 0.1 / (O * V2.r))
        found = rates(s, [b, c, y])
        assert found == pytest.approx(normalised_by_print(V2.kappa, V2.zeta, V2.psi, 0.3, s.epsilon, s.omega, b, c, y), rel=1e-12)
        full = rates(TippediskReduced(V2, O, kink=0.0), [b, c, O * y])
        assert full == pytest.approx(found * [O, O, O * O], rel=1e-12)
        two = rates(TippediskSlowNormalised(V2.kappa, V2.zeta, O / u, s.epsilon / 0.3), [b, c])
        assert rates(TippediskSlow(V2, O), [b, c]) == pytest.approx(O * two, rel=1e-12)


def test_the_field_is_odd_about_inverted_spinning():
    rng = np.random.default_rng(6)
    for kink in (0.0, 1.0):
        for _ in range(5):
            d = rng.uniform(-0.6, 0.6, 3)
            centre = np.array([HALF, HALF, 0.0])
            s = TippediskReduced(V1, 30.0, kink=kink)
            assert rates(s, centre + d) == pytest.approx(-rates(s, centre - d), abs=1e-9)


def test_slow_manifold_is_that_of_the_invariance_equation():
    """h_1 of (5.23) against Taylor arithmetic on the invariance equation, and the order of what is left."""
    x = np.array([[1.3, 1.9, 1.6], [0.4, -1.2, 4.0]])
    h = manifold(V1, 1, 31.0).terms(x, 31.0)
    slow = np.array([rates(TippediskSlow(V1, 31.0, eps=0.1), x[:, k])[0] for k in range(3)])
    assert h[0, 0] + 0.1 * h[1, 0] == pytest.approx(slow, rel=1e-13)
    for order in (0, 1, 2, 3):
        slope, _ = manifold(V1, order, 31.0).residual_order(x, p=31.0)
        assert slope == pytest.approx(order + 1, abs=0.1)


def test_pure_rolling_keeps_the_height():
    m = simulate(TippediskSlow(V1, 30.0, eps=0.0), {"beta": 1.9, "gamma": 1.0}, 5.0, rtol=1e-11)
    assert np.ptp(m["z_S"]) < 1e-11
    assert np.ptp(rolling_energy(V1, m["gamma"], m["rho"], 30.0)) < 1e-9
    assert rolling_energy(V1, m["gamma"], m["rho"], 30.0)[0] == pytest.approx(-0.5 * (m["z_S"][0] * 30.0) ** 2, rel=1e-12)
    gamma = np.linspace(-1.4, 4.5, 7)
    beta = upper_separatrix(V1, gamma)
    assert (V1.r + V1.e * np.sin(gamma)) * np.sin(beta) == pytest.approx(np.full(7, V1.r - V1.e), rel=1e-12)


# -- linear analysis ---------------------------------------------------------------------------------------------------------------


def test_critical_speeds_of_eight_eigenvalues():
    """Digest T10, by other code: 26.874 and 30.105; a pair is +- i Omega; printed signs make friction push (E8)."""
    assert linear.full_critical_speeds(V1) == pytest.approx((26.874, 30.105), abs=5e-4)
    values = linear.full_eigenvalues(V1, 33.0)
    assert np.abs(values - 33.0j).min() < 1e-9
    assert linear.full_eigenvalues(V1, 33.0, printed=True).real.max() > 100.0


@pytest.mark.slow  # for the Jacobian of the full model is compiled
@pytest.mark.parametrize("inverted", [True, False])
def test_eight_eigenvalues_are_those_of_the_full_model(inverted):
    """Corrected matrices (E8) against the complex-step Jacobian of Model 1.1c in co-rotating coordinates."""
    d, O = V1, 31.7
    system = tippedisk(d, Linearised(0.3, 0.1, d.m * 9.81), "corotating")
    y = np.zeros(12)
    y[2], y[4], y[5], y[9] = d.r, HALF, HALF if inverted else -HALF, O
    J = system_jacobian(system, y)
    keep = [0, 1, 4, 5, 6, 7, 10, 11]
    others = [k for k in range(12) if k not in keep]
    assert np.abs(J[np.ix_(others, keep)]).max() < 1e-9  # z and the spin do not feel small deviations
    # with S below, xb and yb keep their sign and e changes it
    expected = linear.full_jacobian(d, O, inverted=inverted)
    assert np.abs(J[np.ix_(keep, keep)] - expected).max() < 1e-10 * np.abs(expected).max()
    printed = linear.full_eigenvalues(d, O, printed=True)
    assert printed.real.max() > 90.0


def test_critical_speed_by_three_routes():
    """Closed form, eigenvalues of (4.47), eigenvalues of the Jacobian of the compiled rates."""
    for d in (V1, V2):
        closed = linear.critical_speed(d)
        assert linear.critical_speed_by_eigenvalues(d) == pytest.approx(closed, abs=1e-10)
        for mu, eps in ((0.3, 0.1), (0.5, 0.02)):
            J = lambda O, d=d, mu=mu, eps=eps: system_jacobian(TippediskReduced(d, O, mu, eps, kink=0.0), [HALF, HALF, 0.0])
            assert linear.critical_speed_by_eigenvalues(d, J) == pytest.approx(closed, abs=1e-10)
            pair = np.linalg.eigvals(J(closed))
            assert np.abs(pair.imag).max() == pytest.approx(linear.hopf_frequency(d), abs=1e-9)
    assert linear.critical_speed(V1) == pytest.approx(30.91676, abs=5e-6)


def test_reduced_jacobian_is_that_of_the_rates():
    for inverted in (True, False):
        J = system_jacobian(TippediskReduced(V1, 28.0, kink=1.0), [HALF, HALF if inverted else -HALF, 0.0])
        assert pytest.approx(linear.reduced_jacobian(V1, 28.0, inverted=inverted), rel=1e-11, abs=1e-11) == J


def test_small_eps_spectrum():
    exact = linear.reduced_eigenvalues(V1, 25.0, eps=1e-4)
    assert exact[2].real == pytest.approx(linear.fast_rate(V1, eps=1e-4), rel=1e-5)
    assert np.sort_complex(exact[:2]) == pytest.approx(np.sort_complex(linear.slow_pair(V1, 25.0, eps=1e-4)), rel=1e-4)


def test_slow_matrix_is_the_jacobian_of_the_slow_flow():
    for inverted in (True, False):
        J = system_jacobian(TippediskSlowNormalised(0.07, 1.3, 0.97, 0.25), [HALF, HALF if inverted else -HALF])
        assert pytest.approx(linear.slow_matrix(0.07, 0.97, 0.25, inverted), abs=1e-12) == J
    assert linear.saddle_quantity(0.05, 0.95, 0.2) == pytest.approx(0.0, abs=1e-15)
    assert linear.saddle_quantity(0.05, 1.0, 0.2) < 0.0 < linear.saddle_quantity(0.05, 0.9, 0.2)


# -- cycles at leading order -----------------------------------------------------------------------------------------------------------


def plain_integrals(kappa, zeta, Gamma):
    """I_1 and I_2 straight from the formula, by adaptive quadrature over gamma."""
    c = 1 + kappa * math.cos(Gamma)

    def both(x):
        sg, cg = math.sin(x), math.cos(x)
        q = 1 + kappa * sg
        cb = -math.sqrt(max(0.0, 1 - (c / q) ** 2))
        return cb / q**2 * (zeta * cg**2 * (1 - kappa * sg - 2 * kappa**2) + sg * (sg + kappa + kappa * cg**2)), cb * q**2 / c

    ends = (HALF - Gamma, HALF + Gamma)
    return tuple(quad(lambda x, k=k: both(x)[k], *ends, epsabs=1e-12, limit=400)[0] for k in (0, 1))


@pytest.mark.parametrize("Gamma", [0.3, 1.7, 3.0, math.pi])
def test_cycle_integrals_by_plain_quadrature(Gamma):
    for kappa, zeta in ((0.05, 0.9), (0.1, 1.7)):
        one, two = plain_integrals(kappa, zeta, Gamma)
        assert cycle_integral.omega_of_amplitude(kappa, zeta, Gamma) == pytest.approx(math.sqrt(two / one), rel=1e-9)


@pytest.mark.parametrize("count", [10, pytest.param(40, marks=pytest.mark.slow)])
def test_both_quadratures_agree_with_each_other(count):
    """The general tool (orbits in polar coordinates, dimensional field) and the normalised quadrature: V1's whole branch."""
    branch = leading_cycles(V1, count=count)
    u = speed_unit(V1)
    Gamma = np.array([math.pi * s for s in branch.s])  # the orbit s passes through gamma = pi/2 - pi s
    omega = u * cycle_integral.omega_of_amplitude(V1.kappa, V1.zeta, Gamma)
    assert np.abs(omega - branch.p).max() < 1e-8
    T = cycle_integral.period(V1.kappa, Gamma) / omega
    assert T[:-1] == pytest.approx(branch.period[:-1], rel=1e-7)
    assert melnikov_speeds(V1)["M"] == pytest.approx(30.12633378, abs=1e-7)


def test_subintegrals_of_appendix_b():
    """T B.1: 8, 8/3, 64/15, 64/105 are the kappa -> 0 limits of nu_1 = (8 + ...)/...: (5.56) is the expansion of (5.48)."""
    for zeta in (0.8, 1.0, 1.6):
        exact = lambda k, zeta=zeta: float(cycle_integral.omega_heteroclinic(k, zeta)) ** 2 / (1 + k) ** 2
        assert exact(1e-9) == pytest.approx(float(cycle_integral.nu_zeroth(zeta)), rel=1e-7)
        errors = [abs(exact(k) - float(cycle_integral.nu_first(k, zeta))) for k in (0.02, 0.01, 0.005)]
        assert math.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.15)
        assert math.log2(errors[1] / errors[2]) == pytest.approx(2.0, abs=0.1)


def test_criticality_boundary_is_where_the_cycle_integral_turns():
    """zeta* of corrected harmonic balance (E16, E22) against the curvature of omega(Gamma) at the Hopf point."""
    for kappa in (0.02, 0.05, 0.1):
        curve = lambda z, kappa=kappa: float(np.diff(cycle_integral.omega_of_amplitude(kappa, z, np.array([1e-4, 0.02])))[0])
        star = balance.criticality_boundary(kappa)
        assert curve(star + 1e-4) < 0.0 < curve(star - 1e-4)
    assert balance.criticality_boundary(0.05) == pytest.approx(1.0317, abs=5e-5)


def test_more_than_one_fold_is_not_found():
    """Scans of the chart: the branch omega(Gamma) has as many extrema inside as `folds` says."""
    kappa, zeta = (v.ravel() for v in np.meshgrid(np.linspace(0.004, 0.3, 10), np.linspace(0.3, 4.0, 18), indexing="ij"))
    Gamma = np.linspace(0.02, math.pi - 1e-3, 300)
    w = cycle_integral.omega_of_amplitude(kappa[:, None], zeta[:, None], Gamma[None, :])
    turns = (np.diff(np.sign(np.diff(w, axis=1)), axis=1) != 0).sum(axis=1)
    found = cycle_integral.folds(kappa, zeta)
    near = np.abs(found.Gamma - math.pi) < 2e-3
    assert np.all((turns == np.isfinite(found.omega)) | near)
    k = np.flatnonzero(np.isfinite(found.omega) & ~near)
    best = np.where(zeta[k] < balance.criticality_boundary(kappa[k]), w[k].max(axis=1), w[k].min(axis=1))
    assert np.abs(best - found.omega[k]).max() < 2e-5


@pytest.mark.filterwarnings("ignore::rollick.motion.result.outcome.MotionWarning")
def test_a_fallen_disk_ends_the_motion():
    """At 20 rad/s the disk falls; beyond beta = pi the equations would lift it from below the plane."""
    for system in (TippediskReduced(V1, 20.0), constrained(V1, "1.4", 20.0)):
        m = simulate(system, START, 1.5)
        assert m.status == "left_domain"
        assert "lies flat" in m.message
        assert 2.5 < m["beta"][-1] < math.pi


# -- what is refused -------------------------------------------------------------------------------------------------------------------


def test_refusals():
    with pytest.raises(InputError, match="kink = 2"):
        simulate(TippediskReduced(V1, 30.0, kink=2.0), START, 0.1)
    with pytest.raises(InputError, match=r"kappa = 1\.5"):
        simulate(TippediskSlowNormalised(1.5, 1.0, 1.0), START, 0.1)
    with pytest.raises(InputError, match="constrained model"):
        constrained(V1, "1.5")
    with pytest.raises(InputError, match="lies flat"):
        simulate(constrained(V1, "1.2"), {"beta": 0.0, "alpha_rate": 10.0}, 0.1)
    with pytest.raises(InputError, match="Omega = 0"):
        simulate(TippediskReduced(V1, 0.0), START, 0.1)
