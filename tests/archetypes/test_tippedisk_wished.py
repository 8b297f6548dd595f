"""What the thesis leaves open: energy as the parameter, the full model's slow manifold, pivoting, contour and Contensou friction, launches and toys; each against another route."""

import math

import numpy as np
import pytest
import tippedisk_compare
from scipy.integrate import solve_ivp

from rollick.analysis.steady.field import Field
from rollick.archetypes.tippedisk import specimen, tippedisk
from rollick.archetypes.tippedisk.reduced import TippediskAtEnergy, climb, constrained, cycle_integral, linear, more_friction, toy
from rollick.archetypes.tippedisk.reduced import full_manifold as full
from rollick.archetypes.tippedisk.reduced import rolling_integrals as rolling
from rollick.archetypes.tippedisk.reduced.balance import criticality_boundary
from rollick.archetypes.tippedisk.reduced.branches import amplitudes, energy_cycles, slipping_cycles
from rollick.archetypes.tippedisk.starts import start
from rollick.kernel.compiled import interpreted
from rollick.kernel.evaluate import rate_at
from rollick.kernel.hooks import settle
from rollick.kernel.names import InputError
from rollick.mechanics.laws.sliding import Linearised
from rollick.motion.simulate import simulate
from rollick.motion.start import with_rate

V1, V2 = specimen("V1"), specimen("V2")
HALF = 0.5 * math.pi
G = 9.81


def rates(system, y):
    out = np.zeros(len(y))
    rate_at(system, 0.0, np.array(y, float), out)
    return out


# -- energy ------------------------------------------------------------------------------------------------------------------------


def test_integrals_with_the_spin_held_are_those_of_the_thesis():
    Gamma = np.array([0.05, 1.0, 2.5, math.pi])
    for disk in (V1, V2):
        own = rolling.speed(disk.kappa, disk.zeta, Gamma)
        assert np.abs(own - cycle_integral.omega_of_amplitude(disk.kappa, disk.zeta, Gamma)).max() < 1e-13
    for kappa in (0.02, 0.08):
        assert rolling.boundary(kappa) == pytest.approx(criticality_boundary(kappa), abs=1e-9)
        assert rolling.boundary(kappa, "spin", "contensou") == pytest.approx(criticality_boundary(kappa), abs=1e-8)
    with pytest.raises(InputError, match="unknown hold"):
        rolling.square(0.05, 1.2, 1.0, "angular momentum")


def test_energy_and_spin_label_each_other():
    for inverted in (True, False):
        E = climb.spin_energy(V1, 33.0, inverted)
        assert climb.spin_of_energy(V1, E, inverted) == pytest.approx(33.0, rel=1e-14)
    E = climb.spin_energy(V1, linear.critical_speed(V1))
    assert V1.m * G * V1.r * rolling.energy(V1.kappa, V1.zeta, 1e-4) == pytest.approx(
        E, rel=1e-8
    )  # cycles begin at the Hopf point
    assert climb.spin_of_energy(V1, E, inverted=False) == pytest.approx(climb.lossless_launch(V1), rel=1e-14)
    assert np.isnan(climb.spin_of_energy(V1, 0.9 * V1.m * G * V1.r))


def test_the_model_at_fixed_energy_is_model_13_and_keeps_its_energy():
    """Against the multipliers of Model 1.3 (without friction), and its energy from positions and velocities of that model (with friction)."""
    rng = np.random.default_rng(3)
    for _ in range(5):
        y = np.array([1.2 + 0.7 * rng.random(), 6.0 * rng.random(), 3.0 * rng.normal()])
        system = TippediskAtEnergy(V1, 0.4, mu=0.0)
        own = rates(system, y)
        spin = -own[1] / math.cos(y[0])
        other = constrained(V1, "1.3", spin, mu=0.0)
        Y = np.zeros(12)
        Y[4], Y[5], Y[9], Y[10] = y[0], y[1], spin, y[2]
        Y, _ = settle(other, Y)
        assert own[2] == pytest.approx(rates(other, Y)[10], abs=1e-10 * (1.0 + abs(own[2])))
        told = simulate(other, Y, 1e-6, progress=False)["energy"][0]
        assert told == pytest.approx(0.4, rel=1e-12)
    E = float(climb.spin_energy(V1, 31.0))
    value, J = Field(TippediskAtEnergy(V1, E, kink=0.0), ()).rate_and_jacobian(np.array([HALF, HALF, 0.0]))
    assert np.abs(value).max() < 1e-12
    assert (
        np.abs(J - linear.reduced_jacobian(V1, 31.0)).max() < 1e-9 * np.abs(J).max()
    )  # small deviations do not feel which is held
    with pytest.raises(InputError, match="weight lifted to the top"):
        simulate(TippediskAtEnergy(V1, 0.1), {"beta": HALF, "gamma": 1.0}, 0.1)


@pytest.mark.slow
def test_cycles_at_fixed_energy_converge_to_the_quadrature():
    found = []
    for eps in (0.1, 0.05):
        branch = energy_cycles(V1, eps=eps)
        Gamma = amplitudes(branch)
        keep = (Gamma > 1e-2) & (Gamma < 2.8)
        own = V1.m * G * V1.r * rolling.energy(V1.kappa, V1.zeta, Gamma[keep])
        found.append(np.abs(np.asarray(branch["E"])[keep] - own).max())
    assert found[1] < 1e-4
    assert math.log2(found[0] / found[1]) == pytest.approx(2.0, abs=0.15)


def test_types_change_with_what_is_held():
    kinds = {d: [int(rolling.folds(d.kappa, d.zeta, hold, "regularised")[2]) for hold in rolling.HOLDS] for d in (V1, V2)}
    assert kinds == {V1: [1, 3], V2: [2, 1]}
    omega, _, _ = rolling.folds(V2.kappa, V2.zeta, "spin", "regularised")
    assert float(omega) == pytest.approx(float(cycle_integral.folds(V2.kappa, V2.zeta).omega), abs=1e-10)


def test_a_climb_is_the_slow_drift_of_model_13():
    """Height and energy along a climb against the motion of Model 1.3 with friction so strong (mu = 30) that it is linear in the slip; and the launch speed parts what inverts from what does not."""
    need = climb.launch_speed(V1, tol=1e-4)
    assert climb.lossless_launch(V1) < need
    assert climb.climb(V1, need + 0.01).inverts
    assert not climb.climb(V1, need - 0.01).inverts
    made = climb.climb(V1, 38.0)
    motion = simulate(
        constrained(V1, "1.3", 38.0, mu=30.0, eps=0.5),
        {"beta": HALF, "gamma": -HALF + climb.OFFSET},
        6.0,
        rtol=1e-8,
        progress=False,
    )
    expected = np.interp(motion["z_S"], made.height, made.energy)
    inside = (motion["z_S"] > made.height[3]) & (motion["z_S"] < made.height[-3])
    assert np.abs(motion["energy"] - expected)[inside].max() < 0.02 * (made.energy[0] - made.energy[-1])
    with pytest.raises(InputError, match="between 0 and pi"):
        climb.climb(V1, 35.0, offset=0.0)


# -- the full model's slow manifold ------------------------------------------------------------------------------------------------


def slips(Y, r=V1.r):
    sb, cb = math.sin(Y[4]), math.cos(Y[4])
    return np.array([Y[6] + (r * cb - Y[1]) * Y[9] + r * Y[11], Y[7] + Y[0] * Y[9] + r * sb * Y[10]])


@pytest.mark.parametrize("model", ["index 1", pytest.param("compiled", marks=pytest.mark.slow)])
def test_the_split_is_the_compiled_full_model(model):
    """And (in less time) the full model in its index-1 form, by NumPy from the terms of the same system, in plain Python."""
    eps, rng = 0.05, np.random.default_rng(1)
    system = with_rate(tippedisk(V1, Linearised(0.3, eps, V1.m * G), "corotating"))
    split = full.full_split(V1)

    def slow_of(Y):
        return full.slow_states(V1, Y[4], Y[5], Y[9], Y[10], Y[11], slips(Y))

    for _ in range(4):
        b, c, slip = 1.1 + 0.9 * rng.random(), 6.0 * rng.random(), 0.05 * rng.normal(size=2)
        a1, b1, c1 = 30.0 * rng.normal(), 5.0 * rng.normal(), 20.0 * rng.normal()
        q, u = start(system, beta=b, gamma=c, alpha_rate=a1, beta_rate=b1, gamma_rate=c1, slip=tuple(slip), x=0.003, y=-0.002)
        Y, h = np.concatenate([q, u]), 1e-6
        if model == "compiled":
            way = rates(system, Y)
        else:
            way = np.concatenate(tippedisk_compare.lasting_contact(system, q, u)[:2])
        x = slow_of(Y)
        fast = (slips(Y + h * way) - slips(Y - h * way)) / (2.0 * h)
        slow = (slow_of(Y + h * way) - slow_of(Y - h * way)) / (2.0 * h)
        assert np.abs(np.array(split.fast(x, slip, None, eps)) / eps - fast).max() < 1e-8 * (1.0 + np.abs(fast).max())
        assert np.abs(np.array(split.slow(x, slip)) - slow).max() < 1e-8 * (1.0 + np.abs(slow).max())


def test_its_manifold_is_invariant_to_its_order():
    states = full.rolling_states(V1, np.array([1.8, 1.5]), np.array([0.3, 2.0]), 31.0)
    for order in (0, 1):
        assert full.full_manifold(V1, order).residual_order(states)[0] == pytest.approx(order + 1.0, abs=0.01)
    terms = full.full_manifold(V1, 1).terms(states)
    assert np.abs(terms[0]).max() == 0.0  # pure rolling
    ratio = full.reduced_slip(V1, np.array([1.8, 1.5]), np.array([0.3, 2.0]), 31.0) / terms[1, 1]
    assert ratio == pytest.approx([1.3167, 1.2920], abs=1e-3)


# -- other friction ----------------------------------------------------------------------------------------------------------------


def jacobi(disk, Omega, y, g=G):
    """T2 - T0 + V of the disk with S at rest at a held spin, from the angular velocity and the height of S."""
    b, c, v, z = y.T
    sb, cb, sg, cg = np.sin(b), np.cos(b), np.sin(c), np.cos(c)
    rs, Cb = disk.r + disk.e * sg, disk.C - disk.m * disk.e**2

    def kinetic(O, v, z):
        w = O * sb * sg + v * cg, O * sb * cg - v * sg, O * cb + z
        return 0.5 * (
            disk.A * w[0] ** 2 + disk.Bb * w[1] ** 2 + Cb * w[2] ** 2 + disk.m * (disk.e * cg * sb * z + rs * cb * v) ** 2
        )

    return kinetic(0.0, v, z) - kinetic(Omega, 0.0 * v, 0.0 * z) + disk.m * g * rs * sb


def test_slipping_keeps_jacobis_integral_without_friction_and_has_the_closed_eigenvalues():
    system = more_friction.Resistance(mu=0.0).of(V1, 31.0)
    motion = simulate(system, {"beta": 1.4, "gamma": 0.8, "beta_rate": 2.0, "gamma_rate": -5.0}, 1.0, rtol=1e-12, progress=False)
    kept = jacobi(V1, 31.0, motion.y)
    assert np.abs(kept - kept[0]).max() < 1e-10
    assert np.ptp(motion["z_S"]) > 1e-3
    law = more_friction.Resistance(mu_R=2e-3, mu_tau=0.05, spot=1e-3)
    for inverted in (True, False):
        value, J = Field(law.of(V1, 31.7), ()).rate_and_jacobian(np.array([HALF, HALF if inverted else -HALF, 0.0, 0.0]))
        assert np.abs(value).max() < 1e-10
        assert np.abs(J - more_friction.slipping_jacobian(V1, 31.7, law, inverted=inverted)).max() < 1e-11 * np.abs(J).max()


def test_critical_speeds_with_other_friction():
    plain = linear.full_critical_speeds(V1)[1]
    none = more_friction.Resistance(mu_tau=1e-15, mu_R=1e-15)
    assert more_friction.critical_speed(V1, none) == pytest.approx(plain, abs=1e-10)
    contour, pivoting = more_friction.Resistance(mu_R=1e-3), more_friction.Resistance(mu_tau=0.1)
    assert more_friction.critical_speed(V1, contour) > plain + 3.0
    assert plain - 0.3 < more_friction.critical_speed(V1, pivoting) < plain - 0.1
    chart = more_friction.critical_chart(V1, [0.0, 1e-3], [0.0, 0.1])
    assert chart[0, 0] == pytest.approx(plain, abs=1e-10)
    assert chart[1, 0] == pytest.approx(more_friction.critical_speed(V1, contour), abs=1e-10)
    law = more_friction.of_contensou(0.3, 2.9e-3)
    assert law.smoothing(40.0) == pytest.approx(8.0 * 2.9e-3 * 40.0 / (3.0 * math.pi), rel=1e-5)
    assert law.couple(30.0) == pytest.approx(0.3 * 3.0 * math.pi / 16.0 * 2.9e-3, rel=1e-5)
    contour = more_friction.Resistance(mu_R=1e-2)
    far = more_friction.critical_speed(V2, contour)  # above twice the closed form
    assert far > 2.0 * linear.critical_speed(V2)
    pairs = [np.linalg.eigvals(more_friction.full_jacobian(V2, part * far, contour)) for part in (0.999, 1.001)]
    assert [bool(np.max(e.real) > 1e-3) for e in pairs] == [True, False]
    with pytest.raises(InputError, match="unknown model"):
        more_friction.growth(V1, 30.0, law, model="1.5")


def test_eigenvalues_are_rates_of_simulated_decay():
    """Small deviations of Model 1.2 at a held spin, with contour and pivoting friction: growth over whole periods."""
    law = more_friction.Resistance(mu_R=1e-3, mu_tau=0.1)
    for Omega in (28.0, 33.0):
        lam = more_friction.growth(V1, Omega, law, model="1.2")
        T = 2.0 * math.pi / lam.imag
        motion = simulate(
            law.of(V1, Omega),
            {"beta": HALF, "gamma": HALF + 1e-5},
            3.5 * T,
            rtol=1e-12,
            at=[0.5 * T, 1.5 * T, 3.5 * T],
            progress=False,
        )
        off = motion.y - np.array([HALF, HALF, 0.0, 0.0])
        assert math.log(np.abs(off[2, 1] / off[1, 1])) / (2.0 * T) == pytest.approx(lam.real, abs=1e-6)


@pytest.mark.slow
def test_cycles_with_contour_and_contensou_friction():
    plain = slipping_cycles(V1, more_friction.PLAIN)
    for law in (more_friction.Resistance(mu_R=1e-3), more_friction.of_contensou(0.3, 2.9e-3)):
        branch = slipping_cycles(V1, law)
        assert branch["Omega"][0] == pytest.approx(more_friction.critical_speed(V1, law, model="1.2"), abs=1e-3)
        # next to the connection, which has moved (with Contensou's law the other way)
        assert min(amplitudes(branch)[-1], amplitudes(plain)[-1]) > 3.0
        assert abs(branch["Omega"][-1] - plain["Omega"][-1]) > 0.05


# -- toys --------------------------------------------------------------------------------------------------------------------------


def test_a_toy_like_v1_is_v1():
    disk = toy.toy_disk(toy.ToyLaunch())
    assert np.allclose(disk, V1, rtol=1e-13)
    zeta, psi = interpreted(toy.ratios)(toy.ToyLaunch())
    assert (zeta, psi) == pytest.approx((V1.zeta, V1.psi), rel=1e-13)
    I1, I2, L0, L1, L2 = interpreted(toy.sums)(V1.kappa, V1.zeta, 1.7)
    assert pytest.approx(float(rolling.square(V1.kappa, V1.zeta, 1.7, "energy")), rel=1e-12) == I2 / I1
    c = 1.0 + V1.kappa * math.cos(1.7)
    x = 1.3
    rise, loss = climb.slopes(V1.kappa, V1.zeta, 1.7, 0.5 * V1.zeta * c * c * x + c)
    assert (L0 + L1 * x + L2 * x * x) / (x * I1 - I2) == pytest.approx(-loss / rise, rel=1e-10)
    for change, sentence in (
        ({"fill": 1.0}, "in the middle"),
        ({"hole": 0.2}, "cut the rim"),
        ({"kappa": 0.7}, "between 0 and 0.5"),
    ):
        with pytest.raises(InputError, match=sentence):
            toy.toy_disk(toy.ToyLaunch()._replace(**change))


@pytest.mark.slow
def test_the_best_toy_is_that_of_a_grid():
    assert toy.launch_of(toy.ToyLaunch()) == pytest.approx(climb.launch_speed(V1), abs=5e-3)
    best = toy.best_toy()
    grid = [
        toy.launch_of(toy.ToyLaunch(a, h, f))
        for a in np.linspace(0.37, 0.6, 5)
        for h in np.linspace(0.05, 0.3, 5)
        for f in np.linspace(0.0, 0.2, 3)
    ]
    assert best.objective == pytest.approx(min(grid), abs=1e-6)
    assert climb.launch_speed(toy.toy_disk(best.system)) == pytest.approx(best.objective, abs=5e-3)


@pytest.mark.slow
def test_of_several_minima_the_least_is_found_and_ranges_may_hold_what_cannot_be_drilled():
    ends = {"hole": (0.4222, 0.5805), "thickness": (0.03519, 0.1913), "fill": (2.0, 2.54)}
    corner = toy.launch_of(toy.ToyLaunch(0.4222, 0.1913, 2.54, 0.1127))
    assert toy.best_toy(0.1127, **ends).objective < corner - 0.2
    with pytest.raises(InputError, match="cut the rim"):  # the middle of the next range
        toy.toy_disk(toy.ToyLaunch(0.4659, 0.30545, 0.14955, 0.1474))
    best = toy.best_toy(0.1474, hole=(0.3222, 0.6096), thickness=(0.2765, 0.3344), fill=(0.1, 0.1991))
    assert best.objective == pytest.approx(toy.launch_of(toy.ToyLaunch(0.6096, 0.3344, 0.1, 0.1474)), abs=1e-6)


def test_backwards_from_the_top_is_the_climb():
    """The rate of W, in plain Python, integrated by SciPy, against bisection of climbs."""
    disk = toy.toy_disk(toy.ToyLaunch(0.45, 0.15))
    K, z = disk.kappa, disk.zeta
    sums = interpreted(toy.sums)

    def rate(Gamma, W):
        at = lambda G: float(rolling.square(K, z, G, "energy"))
        I1, I2, L0, L1, L2 = sums(K, z, Gamma)
        slope = (at(Gamma + 1e-4) - at(Gamma - 1e-4)) / 2e-4
        D = math.sqrt(max(W[0], 0.0))
        x, c = I2 / I1 + D, 1.0 + K * math.cos(Gamma)
        down = -((L0 + L1 * x + L2 * x * x) / I1 + D * (1.0 + z * c * x)) / (0.5 * z * c * c)
        return [2.0 * (down * (-K * math.sin(Gamma)) - D * slope)]

    end = math.pi - climb.OFFSET
    W = solve_ivp(rate, (toy.FIRST, end), [toy.MARGIN], rtol=1e-7, atol=1e-12).y[0, -1]
    x = float(rolling.square(K, z, end, "energy")) + math.sqrt(W)
    c = 1.0 + K * math.cos(end)
    J = z * (math.cos(end) + K) ** 2 + math.sin(end) ** 2
    spin = math.sqrt(disk.psi * G / disk.r * x * z / J) * c * c
    assert spin == pytest.approx(climb.launch_speed(disk, tol=1e-4), abs=5e-3)
