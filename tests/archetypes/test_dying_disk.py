"""The dying disk: self-similar motion, stability, the limit of many points, exponents; each against something of other code."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from rollick.analysis.chatter import regular_limit
from rollick.archetypes.dying_disk import (
    Disk,
    c_rod,
    disk,
    existence_limit,
    exponent_map,
    exponents,
    fitted,
    gamma_min,
    growth_at,
    large_n,
    pattern_exponent,
    rho_c,
    rho_min,
    rolling_down,
    stability,
    triangle_limit,
    with_gravity,
    without_gravity,
)
from rollick.archetypes.dying_disk.disk import acceleration, functionals, impact, rotation
from rollick.archetypes.dying_disk.irregular import followed, random_starts
from rollick.archetypes.dying_disk.limit import CRITICAL, averaged, extrapolated
from rollick.archetypes.dying_disk.mechanisms import rolling_start, strength_for, time_left, time_to_rest
from rollick.archetypes.dying_disk.model import MODEL
from rollick.archetypes.dying_disk.poincare import cbar
from rollick.archetypes.dying_disk.polynomial import both_forms
from rollick.archetypes.dying_disk.rod import gravity_vanishes
from rollick.archetypes.dying_disk.runs import ONE_POINT, RATTLES
from rollick.archetypes.dying_disk.selfsimilar import state_of
from rollick.archetypes.rod import RodTheory
from rollick.kernel.derivative import jacobian
from rollick.kernel.names import InputError
from rollick.motion.impacts.collide import collide
from rollick.motion.impacts.pattern import self_similar


def triangle_by_heights(rho, gamma, q, p, impacts):
    """Impacts of a triangle under g = 1 in the heights and velocities of its corners, which for n = 3 are a full set of coordinates."""
    angle = 2.0 * np.pi * np.arange(3) / 3
    f = np.column_stack([np.sin(angle), -np.cos(angle), np.ones(3)])
    h, v = f @ q, f @ p
    times, hits = [], []
    for _ in range(impacts):
        t = [(b + math.sqrt(max(b * b + 2.0 * a, 0.0))) for a, b in zip(np.maximum(h, 0.0), v)]
        j = int(np.argmin(t))
        h, v = h + v * t[j] - 0.5 * t[j] ** 2, v - t[j]
        h[j] = 0.0
        v = v - (1.0 + gamma) * v[j] * (np.cos(angle - angle[j]) + rho**2) / (1.0 + rho**2)
        times.append(t[j])
        hits.append(j)
    return np.array(times), hits


def test_matrices_are_those_of_the_plate():
    for d in (Disk(3, 0.25, 0.3), Disk(7, 0.6, 0.8)):
        assert np.allclose(impact(d), d.plate.impact_map(0, d.gamma), atol=1e-15)
        assert np.allclose(functionals(d), d.plate.f, atol=1e-14)
        assert np.allclose(rotation(d) @ functionals(d)[0], functionals(d)[1], atol=1e-15)
    slip = acceleration(Disk(5, 0.4, 0.0), g=3.0)  # point 0 keeps its velocity, and the force acts there
    assert abs(functionals(Disk(5, 0.4, 0.0))[0] @ slip) < 1e-14
    push = (slip + np.array([0.0, 0.0, 3.0])) * np.array([0.16, 0.16, 1.0])
    assert np.allclose(push, push[2] * functionals(Disk(5, 0.4, 0.0))[0], atol=1e-14)


@pytest.mark.parametrize(("n", "rho", "gamma"), [(3, 0.25, 0.1), (3, 0.5, 0.03), (4, 0.3, 0.05), (5, 0.2, 0.1)])
def test_without_gravity_against_the_word(n, rho, gamma):
    s = without_gravity(Disk(n, rho, gamma))[0]
    word = next(w for w in self_similar(s.disk.plate, gamma, tuple(range(n))) if w.feasible and w.beta_t < 1.0)
    assert s.feasible
    assert s.exponent == pytest.approx(word.exponent, abs=1e-12)
    assert s.beta_p**n == pytest.approx(word.beta_p, abs=1e-13)
    assert s.beta_q**n == pytest.approx(word.beta_q, abs=1e-13)
    assert without_gravity(s.disk)[1].exponent == math.inf  # the other branch: times grow


def test_with_gravity_against_corner_heights():
    s = rolling_down(Disk(3, 0.25, 0.3))
    times, hits = triangle_by_heights(0.25, 0.3, s.q, s.p, 8)
    assert hits == [0, 1, 2, 0, 1, 2, 0, 1]
    assert abs(times[0]) < 1e-12
    assert np.allclose(times[1:], s.beta_p ** np.arange(7), rtol=1e-8, atol=0.0)


@pytest.mark.parametrize(("n", "rho", "gamma"), [(25, 0.5, 0.5), (20, 0.5, 0.7), (6, 0.8, 0.3), (4, 0.3, 0.9)])
def test_with_gravity_against_collide(n, rho, gamma):
    s = rolling_down(Disk(n, rho, gamma), g=2.0)
    c = collide(s.disk.plate, gamma, s.start, g=2.0, max_impacts=30)
    assert np.array_equal(c.point, np.arange(30) % n)
    assert np.allclose(c.flight[1:], s.beta_t ** np.arange(29), rtol=1e-11, atol=0.0)
    a1, a2 = s.bounds
    left = s.ends * s.beta_t ** np.arange(30)
    assert np.allclose(c.energy_before, a1 * left**2, rtol=1e-11)  # (4.39)
    assert np.allclose(c.energy_after, a2 * left**2, rtol=1e-11)  # the lower bound is met right after each impact


def test_without_rebound_the_disk_slips_from_point_to_point():
    s = rolling_down(Disk(10, 0.5, 0.0))
    c = collide(s.disk.plate, 0.0, s.start, g=1.0, max_impacts=24)
    later = c.flight > 1e-9  # not the impact at the start
    assert s.feasible
    assert np.array_equal(c.point[later], np.arange(1, np.sum(later) + 1) % 10)
    assert np.sum(later) > 15
    assert np.allclose(c.flight[later], s.beta_t ** np.arange(np.sum(later)), rtol=1e-9)


def test_the_polynomial_has_degree_seven():
    for d in (Disk(3, 0.25, 0.3), Disk(25, 0.5, 0.5), Disk(4, 0.6, 0.0)):
        for x in (0.2, 0.5, 0.7):
            beta, one = 1.0 - x, np.eye(3)
            q = state_of(d, beta)[1]
            whole = (
                (q[2] - q[1])
                * np.linalg.det(beta * one - rotation(d).T @ impact(d))
                * np.linalg.det(beta**2 * one - rotation(d).T)
            )
            assert np.polyval(both_forms(d)[1][::-1], x) == pytest.approx(whole, rel=1e-10)


def test_jacobian_against_differences_of_collide():
    s = rolling_down(Disk(6, 0.4, 0.5))
    d, a, size = s.disk, acceleration(s.disk), np.linalg.norm(s.p)
    p, q = s.p / size, s.q / size**2

    def by_collide(x):
        found = collide(d.plate, d.gamma, np.concatenate([x[3:], x[:3]]), g=1.0, max_impacts=2)
        pb, qb = found.p_before[1], found.q[1]
        return np.concatenate([rotation(d).T @ pb / np.linalg.norm(pb), rotation(d).T @ qb / (pb @ pb)])

    J, here = jacobian(cbar, np.concatenate([p, q]), d, a), np.concatenate([p, q])
    for way in ([1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 1]):
        v = np.array(way, float)  # f_0.q stays zero
        slope = (by_collide(here + 1e-6 * v) - by_collide(here - 1e-6 * v)) / 2e-6
        assert np.allclose(J @ v, slope, atol=1e-7)
    assert np.max(np.abs(by_collide(here) - here)) < 1e-12


def test_spectrum_has_two_or_four_zeros():
    for gamma, zeros in ((0.5, 2), (0.0, 4)):
        s = stability(rolling_down(Disk(10, 0.5, gamma)))
        assert len(s.eigenvalues) == 6 - zeros
        assert len(s.zeros) == zeros
        assert s.zeros.max() < 1e-6 < 0.1 < abs(s.eigenvalues[-1])
        assert s.residual < 1e-13
    assert s.stable
    assert not stability(rolling_down(Disk(25, 0.5, 0.5))).stable
    assert stability(rolling_down(Disk(25, 0.25, 0.5))).stable


def test_the_triangle_changes_at_one_gamma():
    for rho in (0.1, 0.3, 0.5, 0.65):
        limit = triangle_limit(rho)
        assert limit == pytest.approx(regular_limit(3, rho), abs=1e-10)
        assert gamma_min(3, rho) == pytest.approx(limit, abs=1e-8)
        assert without_gravity(Disk(3, rho, limit))[0].exponent == pytest.approx(2.0, abs=1e-6)
        assert existence_limit(3, rho) > limit


@pytest.mark.parametrize("count", [50, pytest.param(200, marks=pytest.mark.slow)])
def test_feasibility_has_one_threshold(count):
    for n, rho in ((4, 0.3), (10, 0.5), (25, 0.05)):
        low = gamma_min(n, rho)
        flags = [any(s.feasible for s in with_gravity(Disk(n, rho, float(g)))) for g in np.linspace(0.001, 0.99, count)]
        assert flags == [g > low for g in np.linspace(0.001, 0.99, count)]


def test_critical_radius_tends_to_one_over_root_eleven():
    ns = np.array([12, 16, 20, 24, 32])
    limit, change = extrapolated(np.array([rho_c(int(n), 0.5, 0.25, 0.4) for n in ns]), 1.0 / ns)
    assert abs(limit - CRITICAL) < 1e-9
    assert change < 1e-9


@pytest.mark.parametrize(("rho", "gamma"), [(0.5, 0.5), (0.2, 0.3), (0.8, 0.6), (0.5, 0.0)])
def test_many_points_follow_averaging(rho, gamma):
    d = Disk(200, rho, gamma)
    s, theory = stability(rolling_down(d)), large_n(d)
    assert math.log(s.motion.beta_p) == pytest.approx(theory.log_beta, rel=3e-4)
    assert math.log(s.growth) == pytest.approx(theory.log_growth, rel=1e-3)
    assert abs(np.angle(s.eigenvalues[0])) == pytest.approx(theory.phase, rel=2e-3)
    for fast in theory.fast:
        assert min(abs(s.eigenvalues - fast)) < 2e-3


def test_averaged_motion_against_impacts():
    """A disk of 80 points with a nutation: its tilt over time as the averaged equations have it."""
    d = Disk(80, 0.5, 0.6)
    s = rolling_down(d)
    start = s.start.copy()
    start[3:5] *= 1.03  # turns too fast: it nutates
    c = collide(d.plate, d.gamma, start, g=1.0, max_impacts=1500)
    phi, turn = start[:2], start[3:5]
    r = float(np.hypot(*phi))
    l = d.rho**2 * float(phi[0] * turn[1] - phi[1] * turn[0])
    after = c.p_after[0]
    before = start[3:6]
    dr = float(phi @ (0.5 * (after[:2] + before[:2]))) / r
    t = c.t[1:]
    found = solve_ivp(lambda t, y: averaged(d, t, y), (0.0, t[-1]), (r, dr, abs(l), 0.0), rtol=1e-10, atol=1e-12, t_eval=t)
    tilt = np.hypot(c.q[1:, 0], c.q[1:, 1])
    assert np.ptp(tilt / (r * (1.0 - t / s.ends) ** 2)) > 0.05  # there is a nutation to follow
    assert np.max(np.abs(found.y[0] / tilt - 1.0)) < 0.01


def swing(d, part, angles):
    """r over the angle theta of the averaged motion that starts on rolling with a part more angular momentum."""

    def rates(_, y):
        found = np.array(averaged(d, 0.0, y))
        return found / found[3]

    start = (1.0, 0.0, d.rho * (1.0 + part), 0.0)
    return solve_ivp(rates, (0.0, angles[-1]), start, rtol=1e-12, atol=1e-15, t_eval=angles).y[0]


@pytest.mark.parametrize("rho", [0.2, pytest.param(0.5, marks=pytest.mark.slow)])
def test_averaging_predicts_the_growth_of_nutation(rho):
    """The averaged equations, integrated: a small nutation grows or dies at the rate of the closed form, and turns at its frequency."""
    d, angles = Disk(100, rho, 0.5), np.linspace(0.0, 60.0 * math.pi, 8001)
    x = (swing(d, 1e-5, angles) / swing(d, 0.0, angles) - 1.0) / 1e-5
    rate, phase = large_n(d).log_growth / d.turn, large_n(d).phase / d.turn
    wave = [np.exp(rate * angles) * f(phase * angles) for f in (np.cos, np.sin)]
    base = np.column_stack([*wave, np.ones_like(x)])
    rest = x - base @ np.linalg.lstsq(base, x, rcond=None)[0]
    assert np.std(rest) < 0.02 * np.std(x)
    plain = np.column_stack([np.cos(phase * angles), np.sin(phase * angles), np.ones_like(x)])
    assert np.std(x - plain @ np.linalg.lstsq(plain, x, rcond=None)[0]) > 0.04 * np.std(x)  # without growth it does not fit


def test_compiled_fit_against_numpy():
    d, starts = Disk(3, 0.25, 0.2), random_starts(5, 3)
    table = followed(d, starts, 600, 1.0)
    for row, start in zip(table, starts):
        c = collide(d.plate, d.gamma, start, g=1.0, max_impacts=600)
        assert row[0] == RATTLES
        assert row[2] == pytest.approx(fitted(c).c, abs=1e-9)
        assert row[3] == pytest.approx(fitted(c).misfit, rel=1e-6)
        assert row[6] == pytest.approx(np.mean(c.steps == 1))
        assert row[7] == pytest.approx(np.mean(c.steps == 2))


def test_exponents_are_those_of_the_pattern_or_two():
    assert exponents(3, 0.25, 0.3, runs=20).c == pytest.approx(2.0, abs=1e-3)
    few = exponents(3, 0.25, 0.2, runs=20, max_impacts=3000)
    run = collide(Disk(3, 0.25, 0.2).plate, 0.2, random_starts(1, 0)[0], g=1.0, max_impacts=3000)
    assert few.c == pytest.approx(pattern_exponent(run)[1], abs=1e-3)
    assert few.shares["rattles on"] == 1.0
    none = exponents(3, 0.5, 0.5, runs=20)
    assert math.isnan(none.c)
    assert np.all(none.ending == ONE_POINT)
    assert "none" in none.summary()


def test_short_runs_near_the_boundary_lie_above_two():
    """C13: with 600 impacts c = 2.1, the exponent of a pattern without gravity; with more it is 2."""
    assert exponents(3, 0.1, 0.6, runs=20).c > 2.05
    assert exponents(3, 0.1, 0.6, runs=10, max_impacts=20_000).c == pytest.approx(2.0, abs=1e-4)


def test_homogeneous_triangle_chatters_in_a_narrow_band():
    found = exponents(3, 0.5, 0.03)
    assert 0.2 < np.mean(found.rattling) < 0.7
    assert found.c == pytest.approx(1.091987, abs=1e-4)


def test_map_does_not_depend_on_workers_and_is_resumed(tmp_path):
    axes = (np.array([0.1, 0.25]), np.array([0.2, 0.3, 0.7]))
    one = exponent_map(3, *axes, runs=5, max_impacts=300, workers=1, progress=False)
    two = exponent_map(3, *axes, runs=5, max_impacts=300, workers=2, progress=False, store=tmp_path / "map.nc")
    again = exponent_map(3, *axes, runs=5, max_impacts=300, progress=False, store=tmp_path / "map.nc")
    assert np.array_equal(one["c"], two["c"], equal_nan=True)
    assert np.array_equal(two["c"], again["c"], equal_nan=True)
    with pytest.raises(InputError, match="another map"):
        exponent_map(3, *axes, runs=6, max_impacts=300, progress=False, store=tmp_path / "map.nc")


def test_result_is_written_and_drawn(tmp_path):
    found = exponents(3, 0.25, 0.2, runs=5, max_impacts=200)
    found.to_netcdf(tmp_path / "e.nc")
    found.plot(path=tmp_path / "e.png")
    assert (tmp_path / "e.nc").stat().st_size > 0
    assert (tmp_path / "e.png").stat().st_size > 0
    assert found.as_dict()["c"] == found.c
    assert "c" in found.data


def test_rod_exponent():
    for rho, gamma in ((0.25, 0.2), (0.5, 0.05), (0.1, 0.6)):
        assert float(c_rod(rho, gamma)) == pytest.approx(RodTheory(rho, gamma).exponent, rel=1e-12)
    assert float(c_rod(gravity_vanishes(0.3), 0.3)) == pytest.approx(2.0, abs=1e-12)
    assert np.isnan(c_rod(0.9, 0.5))


def test_end_of_a_rolling_disk():
    """The time to rest scales with the square root of the tilt when rolling, and with the tilt when falling."""
    d = Disk(3, 0.1, 0.3)
    for fall, power in ((0.0, 0.5), (0.7, 1.0)):
        wide, narrow = time_to_rest(d, 1e-3, fall=fall, tries=12), time_to_rest(d, 1e-4, fall=fall, tries=12)
        assert math.log10(wide.median / narrow.median) == pytest.approx(power, abs=0.01)
    size = strength_for("contour", 10.0, 0.1)
    assert time_left("contour", size, 0.1) == pytest.approx(10.0)
    assert time_left("contour", size, 1e-3) == pytest.approx(0.01)
    q, p = rolling_start(0.5, 0.01)[:3], rolling_start(0.5, 0.01)[3:]
    assert p[:2] @ p[:2] * 0.25 == pytest.approx(q[2])  # rho^2 r Omega^2 = g


def test_model_runs_from_each_kind_of_start():
    case = MODEL.make(n=25, rho=0.5, gamma=0.5, max_impacts=200)
    for start in ({}, {"tilt": "0.5deg"}, {"h": 0.1, "v": -1.0, "phi_x": 0.01}):
        found = MODEL.run(case, start)
        assert len(found) >= 20
        assert found.checks().good
    assert MODEL.run(MODEL.make(n=3, rho=0.5, gamma=0.3, g=4.0), {"tilt": 0.01, "phase": 0.1}, 0.01).status == "time"


def test_the_default_start_is_within_the_range_of_the_model():
    found = MODEL.run(MODEL.make(max_impacts=20), dict(MODEL.start))
    assert math.hypot(*found.start[0][:2]) == pytest.approx(0.1)
    assert found.point[:5].tolist() == [0, 1, 2, 3, 4]
    by_time = MODEL.run(MODEL.make(max_impacts=20), {"self_similar": 0.03, "disturbed": 0.01})
    assert math.hypot(*by_time.start[0][:2]) < 0.3
    for start in ({"self_similar": 1.0}, {"h": 1.0, "phi_x": 0.5}, {"tilt": 0.4, "disturbed": 0.01}):
        with pytest.raises(InputError, match=r"below 0\.3"):
            MODEL.run(MODEL.make(), start)
    with pytest.raises(InputError, match="leave out"):
        MODEL.run(MODEL.make(), {"tilt": 0.1, "self_similar": 0.01})


def test_roots_of_the_polynomial_are_those_of_fifty_digits():
    """Just above 1/sqrt(2) one root goes to zero; rounding used to add a second one, and to hide it further down."""
    (only,) = with_gravity(Disk(3, 0.70712, 0.0))
    assert only.beta_p == pytest.approx(0.003524083796401, rel=1e-9)
    assert only.feasible
    near = with_gravity(Disk(3, math.sqrt(0.5) + 1e-10, 0.0))
    assert [s.feasible for s in near] == [True]
    assert near[0].beta_p < 1e-4
    assert with_gravity(Disk(3, math.sqrt(0.5) - 1e-9, 0.0)) == []
    assert rho_min(3) == pytest.approx(math.sqrt(0.5), abs=1e-11)
    assert without_gravity(Disk(3, 0.25, 0.0)) == []  # an eigenvalue is zero then, not positive
    rng = np.random.default_rng(5)
    for _ in range(30):  # every root solves the equation, and none is told twice
        d = Disk(int(rng.integers(3, 60)), float(rng.uniform(0.05, 1.0)), float(rng.choice([0.0, rng.uniform(0.0, 0.95)])))
        found = with_gravity(d)
        assert all(abs(s.heights[0]) < 1e-7 for s in found)
        assert np.all(np.diff([s.beta_p for s in found]) < -1e-9)


def test_own_starts_of_exponents():
    own = random_starts(5, 3)
    assert np.array_equal(exponents(3, 0.25, 0.2, starts=own).table, exponents(3, 0.25, 0.2, runs=5, seed=3).table)
    with pytest.raises(InputError, match="below the plane"):
        exponents(3, 0.25, 0.2, starts=[2.0, 0.0, 1.0, 0.0, 0.0, -1.0])


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: disk(2, 0.5, 0.5), "3 or more"),
        (lambda: disk(3, 0.0, 0.5), "rho"),
        (lambda: disk(3, 0.5, 1.0), "gamma"),
        (lambda: exponents(3, 0.25, 0.0), "gamma = 0"),
        (lambda: exponents(3, 0.25, 0.2, max_impacts=5), "100 or more"),
        (lambda: MODEL.make(g=0.0), "polygon"),
        (lambda: MODEL.run(MODEL.make(n=3, rho=0.25, gamma=0.1), {"self_similar": 1.0}), "cannot happen"),
        (lambda: MODEL.run(MODEL.make(), {"tilt": 2.0}), "small"),
        (lambda: MODEL.run(MODEL.make(), {"titl": 0.1}), "tilt"),
    ],
)
def test_bad_input_is_refused(call, text):
    with pytest.raises(InputError, match=text):
        call()


def test_growth_is_nan_where_nothing_can_happen():
    assert math.isnan(growth_at(3, 0.25, 0.1))
    assert math.isnan(growth_at(3, 0.5, 0.0))
