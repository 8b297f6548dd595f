"""Periodic orbits of smooth systems: closed forms, literature, and methods that share nothing but the equations against each other."""

from __future__ import annotations

import math

import numpy as np
import pytest
from cycles import Ribbon, Runner
from scipy.integrate import simpson
from textbook import Bautin, Duffing, Rossler, VanDerPol

from rollick import InputError
from rollick.analysis.continuation import PseudoArclength
from rollick.analysis.orbits import (
    Collocation,
    HarmonicBalance,
    MultipleShooting,
    Orbit,
    Shooting,
    continue_orbit,
    find_orbit,
    orbits_from_hopf,
    trace_cycle_curve,
)
from rollick.analysis.orbits.multipliers import multipliers_of

METHODS = [Shooting(), MultipleShooting(segments=8), Collocation(intervals=60, degree=4)]
NAMES = ["shooting", "multiple", "collocation"]


# -- multipliers -------------------------------------------------------------------------------------------------------------------


def test_multipliers_of_a_product_that_cannot_be_formed():
    rng = np.random.default_rng(0)
    n, count, turn = 4, 20, np.array([[math.cos(0.3), -math.sin(0.3)], [math.sin(0.3), math.cos(0.3)]])
    X = [np.eye(n) + 0.5 * rng.normal(size=(n, n)) for _ in range(count)]
    D = np.zeros((n, n))
    D[:2, :2], D[2, 2], D[3, 3] = 1.05 * turn, 1.0, math.exp(-5.0)
    factors = np.array([X[(i + 1) % count] @ D @ np.linalg.inv(X[i]) for i in range(count)])
    found = multipliers_of(factors)
    assert abs(found.values[0]) == pytest.approx(1.05**count, rel=1e-11)
    assert abs(np.angle(found.values[0])) == pytest.approx(2.0 * math.pi - 6.0, abs=1e-11)
    assert found.values[2] == pytest.approx(1.0, abs=1e-11)
    assert found.logarithms[3] == pytest.approx(-100.0, abs=1e-9)  # exp(-100): lost in the product, which is of the order one
    product = np.linalg.multi_dot(factors[::-1])
    assert np.min(np.abs(np.linalg.eigvals(product))) > 1e-20


# -- van der Pol: the literature ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS, ids=NAMES)
def test_period_of_van_der_pol(method):
    # the published period at mu = 1 is 6.66328686; the further digits are what shooting and collocation agree on
    orbit = find_orbit(VanDerPol(1.0), {"x": 2.0}, 6.5, method=method)
    assert orbit.period == pytest.approx(6.66328685932313, abs=2e-9)
    assert orbit.stability == "stable"
    assert orbit.trivial_error < 1e-8
    t, y = orbit.points(4001)
    liouville = simpson(1.0 - y[:, 0] ** 2, x=t)  # ln mu = integral of the divergence
    assert math.log(orbit.multipliers[0].real) == pytest.approx(liouville, abs=1e-8)


def test_relaxation_oscillation_and_its_multiplier():
    # the published period at mu = 10 is 19.07836957; the multiplier is about 1e-136 and still known
    orbit = find_orbit(VanDerPol(10.0), {"x": 2.0}, 19.0)
    other = find_orbit(VanDerPol(10.0), {"x": 2.0}, 19.0, method=Collocation(intervals=100, degree=5, adapt=8))
    assert orbit.period == pytest.approx(19.07836957, abs=5e-9)
    assert other.period == pytest.approx(orbit.period, abs=1e-8)
    t, y = orbit.points(20001)
    liouville = simpson(10.0 * (1.0 - y[:, 0] ** 2), x=t)
    assert liouville < -300.0
    assert orbit.exponents[0] * orbit.period == pytest.approx(liouville, rel=1e-8)


@pytest.mark.slow
def test_period_from_the_motion_itself():
    orbit = find_orbit(VanDerPol(1.0), [0.1, 0.0], transient=40.0)
    assert orbit.period == pytest.approx(6.66328685932313, abs=1e-9)
    assert orbit.motion(2.0).end_state == pytest.approx(orbit.start, abs=1e-6)


# -- Bautin: closed forms, fold of cycles ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS, ids=NAMES)
def test_cycles_of_the_normal_form(method):
    mu, omega, sigma, kappa = -0.09, 1.3, 1.0, -1.0
    for sign in (-1.0, 1.0):  # r^2 of the inner, unstable, and of the outer, stable cycle
        r2 = (1.0 + sign * math.sqrt(1.0 + 4.0 * mu)) / 2.0
        orbit = find_orbit(Bautin(mu, omega, sigma, kappa), [1.02 * math.sqrt(r2), 0.0], 5.0, method=method)
        assert np.hypot(*orbit.start) == pytest.approx(math.sqrt(r2), abs=1e-8)
        assert orbit.period == pytest.approx(2.0 * math.pi / omega, abs=1e-8)
        expected = math.exp(2.0 * math.pi / omega * (2.0 * sigma * r2 + 4.0 * kappa * r2 * r2))
        assert orbit.multipliers[0].real == pytest.approx(expected, rel=1e-8)
        assert orbit.stability == ("stable" if sign > 0.0 else "unstable")


@pytest.mark.parametrize("method", [Shooting(), Collocation(intervals=20)], ids=["shooting", "collocation"])
def test_fold_of_cycles_from_a_hopf_point(method):
    branch = orbits_from_hopf(Bautin(0.0, 1.0, 1.0, -1.0), [0.0, 0.0], "mu", (-0.5, 0.5), method=method)
    fold = branch.special("LPC")
    assert fold.parameter == pytest.approx(-0.25, abs=1e-9)
    assert branch.orbit(fold).at(0.0) @ branch.orbit(fold).at(0.0) == pytest.approx(0.5, abs=1e-6)  # r^2 is steep there
    z = branch.points[-1].measures
    assert z["max_x"] ** 2 == pytest.approx((1.0 + math.sqrt(3.0)) / 2.0, abs=1e-5)
    assert branch.unstable[1] == 1
    assert branch.unstable[-1] == 0
    if isinstance(method, Shooting):
        curve = trace_cycle_curve(branch, "LPC1", "sigma", (0.6, 1.4))
        assert len(curve) > 10
        assert curve["mu"] == pytest.approx(-(curve["sigma"] ** 2) / 4.0, abs=1e-8)
    with pytest.raises(InputError, match="no Hopf point"):
        orbits_from_hopf(Bautin(0.3, 1.0, 1.0, -1.0), [0.0, 0.0], "mu")


@pytest.mark.parametrize(
    "method", [Shooting(), MultipleShooting(3), Collocation(intervals=20)], ids=["shooting", "multiple", "collocation"]
)
def test_a_branch_that_shrinks_ends_in_its_hopf_point(method):
    """From the inner cycle (in bent coordinates) towards smaller ones: not through amplitude zero and back along the same orbits, and not in doubts."""
    system = Bautin(-0.09, 1.3, 1.0, -1.0, 0.3, 0.2)
    r = math.sqrt((1.0 - math.sqrt(1.0 - 0.36)) / 2.0)
    orbit = find_orbit(system, [r, 0.2 * r * r], 5.0)
    for directions in ("forward", "both"):
        branch = continue_orbit(orbit, "mu", (-0.5, 0.5), method=method, directions=directions)
        assert not branch.doubts
        end = branch.special("H")
        assert end.parameter == pytest.approx(0.0, abs=1e-12)
        assert end.numbers["period"] == pytest.approx(2.0 * math.pi / 1.3, rel=1e-10)
        assert end.arrays["state"] == pytest.approx([0.0, 0.0], abs=1e-12)
        assert any("shrink onto an equilibrium" in message for _, message in branch.ends)
        wide = branch["max_x"] - branch["min_x"]
        assert np.sum(wide < 1e-9) == 1  # the Hopf point, at the end
        assert min(wide[0], wide[-1]) < 1e-9
        assert directions == "both" or branch["mu"].max() <= 1e-12  # none beyond
    assert len(branch.specials) == 2  # and the fold on the other side
    assert branch.special("LPC").parameter == pytest.approx(-0.25, abs=1e-7)


# -- period doubling, Neimark-Sacker, branch points in closed form -------------------------------------------------------------------------


def test_period_doubling_and_the_doubled_branch():
    orbit = find_orbit(Ribbon(mu=-0.1), [1.0, 0.0, 0.0, 0.0], 6.0)
    expected = [-math.exp(-0.2 * math.pi), -math.exp(-0.8 * math.pi), math.exp(-4.0 * math.pi)]
    assert orbit.multipliers == pytest.approx(expected, abs=1e-9)
    branch = continue_orbit(orbit, "mu", (-0.15, 0.1))
    assert [p.kind for p in branch.specials] == ["PD"]
    assert branch.special("PD").parameter == pytest.approx(0.0, abs=1e-9)
    doubled = branch.switch("PD1", bounds=(-0.1, 0.05))
    end = doubled.orbit(-1)
    assert end.system.mu == pytest.approx(0.05)
    assert end.period == pytest.approx(4.0 * math.pi, abs=1e-9)
    assert np.hypot(end.start[2], end.start[3]) == pytest.approx(math.sqrt(0.05), abs=1e-9)
    expected = [math.exp(-8.0 * math.pi * 0.05), math.exp(-4.0 * math.pi * 0.4), math.exp(-8.0 * math.pi)]
    assert end.multipliers == pytest.approx(expected, abs=1e-9)


def test_torus_and_branch_point():
    torus = find_orbit(Ribbon(k=0.0, e=0.0, nu=0.3, mu=0.0, delta=0.0, both=-0.1), [1.0, 0.0, 0.0, 0.0], 6.0)
    branch = continue_orbit(torus, "both", (-0.2, 0.1))
    special = branch.special("TR")
    assert [p.kind for p in branch.specials] == ["TR"]
    assert special.parameter == pytest.approx(0.0, abs=1e-9)
    assert special.numbers["angle"] == pytest.approx(0.6 * math.pi, abs=1e-8)
    straight = find_orbit(Ribbon(k=0.0, e=1.0, nu=0.0, mu=-0.1), [1.0, 0.0, 0.0, 0.0], 6.0)
    branch = continue_orbit(straight, "mu", (-0.2, 0.1))
    assert [p.kind for p in branch.specials] == ["BPC"]
    assert branch.special("BPC").parameter == pytest.approx(0.0, abs=1e-9)
    other = branch.switch("BPC1", bounds=(-0.2, 0.1))
    for end in (other.orbit(0), other.orbit(-1)):
        assert abs(end.start[2]) == pytest.approx(math.sqrt(0.1), abs=1e-9)
        assert end.system.mu == pytest.approx(0.1)
    assert other.orbit(0).start[2] * other.orbit(-1).start[2] < 0.0
    assert other.orbit(-1).multipliers[0].real == pytest.approx(math.exp(-0.4 * math.pi), abs=1e-9)


def test_an_orbit_up_to_a_turn():
    # w = 2 sqrt(sigma) exp(i nu t), sigma = (mu - delta)/2 + both: the plane turns by 2 pi nu in a period; without that it is a torus
    system = Ribbon(k=0.0, e=0.0, nu=0.3, mu=0.1, delta=0.0, both=0.05)
    orbit = find_orbit(system, [1.0, 0.0, 0.6, 0.0], 6.0, turning=[("u", "v")])
    assert orbit.advance["turn"] == pytest.approx(0.6 * math.pi, abs=1e-9)
    assert np.hypot(orbit.start[2], orbit.start[3]) == pytest.approx(2.0 * math.sqrt(0.1), abs=1e-9)
    assert len(orbit.trivial) == 2
    assert orbit.trivial_error < 1e-9
    assert orbit.multipliers == pytest.approx([math.exp(-0.4 * math.pi), math.exp(-4.0 * math.pi)], abs=1e-9)
    later = orbit.at(2.5 * orbit.period)
    assert np.angle(later[2] + 1j * later[3]) == pytest.approx(math.remainder(2.5 * 0.6 * math.pi, 2.0 * math.pi), abs=1e-8)


def test_harmonic_balance_of_the_van_der_pol_oscillator():
    few, many = (find_orbit(VanDerPol(1.0), {"x": 2.0}, 6.5, method=HarmonicBalance(harmonics=H)) for H in (10, 40))
    assert many.period == pytest.approx(6.66328685932313, abs=1e-10)
    assert many.multipliers[0].real == pytest.approx(find_orbit(VanDerPol(1.0), {"x": 2.0}, 6.5).multipliers[0].real, abs=1e-9)
    assert few.made["misses"] > 1e-3
    assert many.made["misses"] < 1e-9
    with pytest.raises(InputError, match="samples"):
        find_orbit(VanDerPol(1.0), {"x": 2.0}, 6.5, method=HarmonicBalance(harmonics=5, samples=6))


# -- manners ------------------------------------------------------------------------------------------------------------------------------


def test_files_words_and_pictures(tmp_path):
    orbit = find_orbit(VanDerPol(1.0), {"x": 2.0}, 6.5)
    orbit.to_netcdf(tmp_path / "orbit.nc")
    again = Orbit.open(tmp_path / "orbit.nc")
    assert again.period == orbit.period
    assert np.array_equal(again.multipliers, orbit.multipliers)
    assert again.at(1.0) == pytest.approx(orbit.at(1.0), abs=1e-12)
    assert "6.66328685932" in again.summary()
    assert again.stability == "stable"
    told = orbit.to_dict()
    assert told["status"] == "finished"
    assert told["more"]["period"] == orbit.period
    assert orbit.plot(path=tmp_path / "orbit.png") is not None
    assert (tmp_path / "orbit.png").stat().st_size > 5000


def test_what_is_refused():
    with pytest.raises(InputError, match="unknown method 'shoting'"):
        find_orbit(VanDerPol(1.0), {"x": 2.0}, 6.5, method="shoting")
    with pytest.raises(InputError, match="equilibrium"):
        find_orbit(VanDerPol(1.0), [0.0, 0.0])
    with pytest.raises(InputError, match="no periodic orbit of VanDerPol"):
        find_orbit(VanDerPol(1.0), {"x": 1e-3}, 0.5)
    with pytest.raises(InputError, match="nothing drives VanDerPol"):
        find_orbit(VanDerPol(1.0), {"x": 2.0}, "mu")
    with pytest.raises(InputError, match="intervals"):
        find_orbit(VanDerPol(1.0), {"x": 2.0}, 6.5, method=Collocation(intervals=1))
    with pytest.raises(InputError, match="unknown parameter"):
        continue_orbit(find_orbit(VanDerPol(1.0), {"x": 2.0}, 6.5), "nu")


def test_an_orbit_gone_around_twice_is_named():
    twice = find_orbit(VanDerPol(1.0), {"x": 2.0}, 13.3)
    assert twice.period == pytest.approx(2.0 * 6.66328685932313, abs=1e-8)
    assert "closes after 1/2 of this period" in twice.message


# -- driven, symmetric, relative: slower ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", [METHODS[0], *(pytest.param(m, marks=pytest.mark.slow) for m in METHODS[1:])], ids=NAMES)
def test_driven_oscillator(method):
    system = Duffing()
    orbit = find_orbit(system, [0.1, 0.0], "omega", transient=100.0, method=method)
    half = find_orbit(system, orbit.start, "omega", method=method, symmetry="all")
    other = find_orbit(system, orbit.start, "omega")
    assert orbit.period == pytest.approx(2.0 * math.pi / 1.2, abs=1e-14)
    assert np.prod(orbit.multipliers).real == pytest.approx(math.exp(-0.2 * orbit.period), rel=1e-9)  # Liouville
    for found in (half, other):
        assert found.start == pytest.approx(orbit.start, abs=1e-8)
        assert np.sort_complex(found.multipliers) == pytest.approx(np.sort_complex(orbit.multipliers), abs=1e-8)
    t = np.array([0.3, 2.9, 4.4])
    assert half.at(t) == pytest.approx(orbit.at(t), abs=1e-8)
    with pytest.raises(InputError, match="depends on the time"):
        find_orbit(system, [0.1, 0.0])
    with pytest.raises(InputError, match="does not repeat after 5 s"):
        find_orbit(system, [0.1, 0.0], 5.0)
    stuck = continue_orbit(find_orbit(system, orbit.start, orbit.period), "omega", (1.0, 1.4))
    assert "does not repeat" in stuck.message  # a number stays where the frequency moves
    assert np.ptp(stuck["omega"]) < 1e-5


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS, ids=NAMES)
def test_a_pendulum_that_runs(method):
    system = Runner()
    orbit = find_orbit(system, [0.0, 3.0, 0.0], 2.0, transient=30.0, method=method, free=["s"], advance={"phi": "360deg"})
    assert orbit.advance["s"] == pytest.approx(2.0 * math.pi * system.M / system.c, rel=1e-9)  # what M does, friction takes
    assert len(orbit.trivial) == 2
    assert orbit.trivial_error < 1e-8
    assert orbit.multipliers[0].real == pytest.approx(math.exp(-system.c * orbit.period), rel=1e-8)  # Liouville
    assert orbit.at(orbit.period)[0] - orbit.start[0] == pytest.approx(2.0 * math.pi, abs=1e-9)


@pytest.mark.slow
def test_nutations_of_a_rubber_torus_are_relative_orbits():
    # theta and p come back; psi, phi, x, y are carried along. Orbits come in families (energy, ell): theta and ell say which one
    from rollick.archetypes.models import model
    from rollick.archetypes.rubber import equilibria, nutation_from

    body = model("torus").make(form="reduced")
    theta = equilibria(body, 0.7)[0].theta + 0.2
    carried = ["psi", "phi", "x", "y"]
    orbit = find_orbit(body, {"theta": theta, "ell": 0.7}, hold=["theta", "ell"], free=carried)
    judge = nutation_from(body, orbit.start)  # by quadrature of the reduced energy
    assert orbit.period == pytest.approx(judge.period, rel=1e-8)
    assert "family" in orbit.message
    assert orbit.at(2.3 * orbit.period)[0] == pytest.approx(orbit.at(0.3 * orbit.period)[0], abs=1e-8)
    with pytest.raises(InputError, match="one of a family"):
        continue_orbit(orbit, "g")
    with pytest.raises(InputError, match="is not free"):
        find_orbit(body, {"theta": theta, "ell": 0.7}, orbit.period, hold=["ell"], free=["theta", "p", *carried[1:]])


@pytest.mark.slow
def test_duffing_over_frequency_against_collocation():
    system = Duffing()
    orbit = find_orbit(system, [0.1, 0.0], "omega", transient=100.0)
    steps = PseudoArclength(ds=0.01, ds_max=0.03, tol=1e-10)
    folds = []
    for method in (Shooting(), Collocation(intervals=40), HarmonicBalance(harmonics=30)):
        branch = continue_orbit(orbit, "omega", (0.8, 2.2), method=method, steps=steps)
        folds.append([p.parameter for p in branch.specials if p.kind == "LPC"])
    assert len(folds[0]) == 2
    assert folds[0] == pytest.approx(folds[1], abs=1e-8)
    assert folds[0] == pytest.approx(folds[2], abs=1e-8)


@pytest.mark.slow
def test_rossler_period_doublings_agree_between_methods():
    orbit = find_orbit(Rossler(0.2, 0.2, 2.5), [3.0, 0.0, 0.0], transient=300.0)
    found = []
    for method in (Shooting(), MultipleShooting(segments=12), Collocation(intervals=80, degree=5)):
        branch = continue_orbit(orbit, "c", (2.4, 4.2), method=method)
        doubled = branch.switch("PD1", bounds=(2.4, 4.2))
        found.append([branch.special("PD1").parameter, doubled.special("PD1").parameter, branch.special("PD1").numbers["period"]])
    assert found[0] == pytest.approx(found[1], abs=1e-8)
    assert found[0][0] == pytest.approx(found[2][0], abs=1e-8)
    assert found[0][1] == pytest.approx(found[2][1], abs=1e-7)
    assert found[0][0] == pytest.approx(2.832445, abs=1e-5)


@pytest.mark.slow
def test_a_branch_is_kept_and_resumed(tmp_path):
    from rollick.analysis.orbits.follow import resume_orbits
    from rollick.analysis.orbits.problem import OrbitProblem

    file = tmp_path / "branch.nc"
    orbit = find_orbit(Ribbon(mu=-0.1), [1.0, 0.0, 0.0, 0.0], 6.0)
    short = continue_orbit(
        orbit, "mu", (-0.15, 0.1), file=file, directions="forward", steps=PseudoArclength(ds=0.01, ds_max=0.05, max_points=4)
    )
    problem = OrbitProblem(orbit.system, "mu", orbit.period_law, orbit.closure, Shooting())
    whole = resume_orbits(file, problem, max_points=200)
    assert len(short) < len(whole)
    assert whole.special("PD").parameter == pytest.approx(0.0, abs=1e-9)
