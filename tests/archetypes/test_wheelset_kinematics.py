"""The rolling wheelset: contact by several routes, jumps, coefficients, frequencies, conicity."""

import math

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

from rollick import InputError, simulate
from rollick.archetypes.wheelset.conicity import RadiusDifference, conicity, nonlinearity_parameter
from rollick.archetypes.wheelset.contact import rolling_rates, solve, unfolding
from rollick.archetypes.wheelset.formulas import beta_of, harmonic_balance, linear_frequencies, second_order, small_conicity
from rollick.archetypes.wheelset.frequency import frequencies
from rollick.archetypes.wheelset.full_contact import rolling_velocities, rotation, solve_full
from rollick.archetypes.wheelset.geometry import Geometry, geometry, simple
from rollick.archetypes.wheelset.locus import deepest, doubled, points_of, rest, smooth_range, zoomed
from rollick.archetypes.wheelset.period import linear_omega, oscillator, periods
from rollick.archetypes.wheelset.period_jumps import crossings, period_with_jumps
from rollick.archetypes.wheelset.profiles_measured import measured
from rollick.archetypes.wheelset.profiles_published import gauge_offset, s1002, uic60
from rollick.archetypes.wheelset.rolling import WheelsetRolling, geometry_of, wheelset_rolling
from rollick.archetypes.wheelset.series import coefficients, cosine, inverse, power, sine, variables
from rollick.archetypes.wheelset.track import on_track
from rollick.kernel.hooks import guard, settle, start_state
from rollick.kernel.system import rate


@pytest.fixture(scope="module")
def arcs():
    return simple(0.05, 0.5, 0.25, 0.7, 0.4)


@pytest.fixture(scope="module")
def published():
    return on_track()


@pytest.mark.parametrize("count", [1, pytest.param(3, marks=pytest.mark.slow)])
def test_six_equations_and_ten_have_one_solution_on_published_profiles(published, count):
    """At the contact that has the smallest gap, beyond two jumps."""
    g = published
    for y, psi in ((0.0002, -0.003), (0.0001, 0.001), (0.00015, 0.01))[:count]:
        c = solve(g, y, psi)
        full = solve_full(g, y, psi, 0.2, 1.0, parts=8)
        np.testing.assert_allclose(c.unknowns[:, 0], full[[0, 1, 2, 3, 6, 7]], atol=1e-12)
        f, told = rolling_rates(c), rolling_velocities(g, y, psi)
        np.testing.assert_allclose([f.y[0], f.psi[0], f.phi[0]], told[2:], atol=1e-12)


def test_the_contact_is_continued_to_large_displacements(arcs):
    c = solve(arcs, np.linspace(-0.025, 0.025, 11), 0.05)
    full = solve_full(arcs, 0.025, 0.05, parts=8)
    np.testing.assert_allclose(c.unknowns[:, -1], full[[0, 1, 2, 3, 6, 7]], atol=1e-13)
    with pytest.raises(InputError, match=r"outside|no contact"):
        solve(arcs, 0.2, 0.0)


def test_first_order_unfolding(arcs):
    """(1.53): what is left is of second order, divided by four as y is halved."""
    left = [np.abs(solve(arcs, y, 0.0).unknowns[:, 0] - unfolding(arcs, y)).max() for y in (2e-3, 1e-3)]
    assert left[0] / left[1] == pytest.approx(4.0, rel=0.02)


def test_where_the_contact_jumps_both_points_touch(published):
    y = np.linspace(0.0, 0.008, 81)
    jumps = doubled(published, y, rest(published, y))
    assert [j.wheel for j in jumps] == ["left"] * 3
    assert [1e3 * j.y for j in jumps[:2]] == pytest.approx([0.2259, 4.9918], abs=1e-4)
    for jump in jumps[:2]:
        there = rest(published, np.array([jump.y - 1e-7]))
        left, right = points_of(published, there, tolerance=1e-7, points=6001)[0]
        assert len(left) == 2
        assert len(right) == 1
        assert left[0] == pytest.approx(jump.U_w[0], abs=1e-5)
        assert left[1] == pytest.approx(jump.U_w[1], abs=5e-5)
        inside, _ = deepest(published, there.y, there.psi, there.unknowns)
        assert inside[0] < 1e-9
    beyond = solve(
        published, 0.0003, 0.0, rest(published, np.array([0.0002])).unknowns
    )  # the old branch, continued past the jump
    assert deepest(published, beyond.y, beyond.psi, beyond.unknowns)[0][0] > 1e-7
    reach, why = smooth_range(published, 0.005)
    assert reach == pytest.approx(jumps[0].y, abs=1e-9)
    assert "two points" in why


def test_the_smallest_gap_is_found_by_brute_force(published):
    """A plain search over roll angles and points of the profiles, without derivatives."""
    g = published
    for y in (0.001, 0.0035, 0.0055):
        c = rest(g, np.array([y]))
        u = np.linspace(-0.045, 0.03, 30001)
        gaps = []
        for s in (1.0, -1.0):
            x, z = s * (g.b + u), g.wheel.height(u) - g.r
            t = float(c.theta[0])
            X, Z = x * math.cos(t) - z * math.sin(t) + y, x * math.sin(t) + z * math.cos(t)
            U = s * X - g.b
            ok = g.rail.inside(U)
            gaps.append(float((Z[ok] - g.rail.height(U[ok]) + g.r).min()))
        assert gaps[0] == pytest.approx(gaps[1], abs=2e-9)
        assert -gaps[0] == pytest.approx(float(c.z[0]), abs=2e-9)


@pytest.mark.parametrize(("count", "reach"), [(60, 0.006), pytest.param(400, 0.0065, marks=pytest.mark.slow)])
def test_no_wheel_cuts_into_its_rail(published, count, reach):
    """Random displacements up to the flange, random yaw: no other point is inside the rail, and Delta r is that of the spline (beyond 6 mm,
    where the contact jumps onto the flange, it takes seconds to make).
    """
    rng = np.random.default_rng(8)
    y, psi = rng.uniform(-0.0075, 0.0075, count), rng.uniform(-0.01, 0.01, count)
    c = rest(published, y, psi)
    assert deepest(published, y, psi, c.unknowns, 2001)[0].max() < 1e-9
    delta = RadiusDifference(published, reach)
    y = rng.uniform(0.0, reach, count)
    far = np.abs(y[:, None] - delta.edges[None]).min(axis=1) > 1e-6
    off = np.abs(delta(y) - rest(published, y).radius_difference)[far]
    assert off.max() < 5e-6  # beside the jump onto the flange, where it is steep
    assert np.quantile(off, 0.8) < 1e-9


def test_contacts_without_derivatives(published):
    """Finer and finer grids find what Newton's method finds; on the flange, where that fails, the contact still moves on evenly."""
    c = rest(published, np.array([0.003]))
    near = (float(c.left.U_w[0]) + 1e-4, float(c.right.U_w[0]) - 1e-4)
    np.testing.assert_allclose(zoomed(published, 0.003, 0.0, 1.01 * float(c.theta[0]), near, 2e-4), c.unknowns[:, 0], atol=1e-8)
    flange = rest(published, np.linspace(0.006265, 0.00629, 26))
    steps = np.diff(flange.left.U_w)
    assert steps.max() < 0.0
    assert np.ptp(steps) < 0.05 * abs(steps.mean())


def test_power_series():
    y, psi = variables(5)
    x = 0.7 + 0.3 * y - 1.1 * psi + 0.4 * y * psi
    for a, b in (
        (sine(x) * sine(x) + cosine(x) * cosine(x), 1.0 + 0.0 * y),
        (x * inverse(x), 1.0 + 0.0 * y),
        (power(x, 0.5) * power(x, 0.5), x),
    ):
        np.testing.assert_allclose(a.c, b.c, atol=1e-13)


@pytest.mark.parametrize("numbers", [{}, {"R1_w": 8.0, "R1_r": -3.0, "R2_w": 90.0, "R2_r": 40.0}, {"R_w": math.inf}])
def test_coefficients_against_cauchys_formula(numbers):
    """All terms up to degree five: the ring of power series against Fourier transforms of complex contacts."""
    from rollick.studies.dual_point.kinematics_routes import cauchy_coefficients

    g = simple(**{"h": 0.06, "R_w": 0.6, "R_r": 0.2, "b": 0.75, "r": 0.45, **numbers})
    c, way = coefficients(g), 2e-3
    a, b = cauchy_coefficients(g, way)
    low = np.add.outer(range(6), range(6)) <= 5
    scale = way ** np.add.outer(np.arange(6.0), np.arange(6.0))
    for ours, other in ((c.a, a), (c.b, b)):
        np.testing.assert_allclose((ours * scale)[low], (other[:6, :6] * scale)[low], atol=1e-16)
    assert abs(c.a[1, 0]) + abs(c.a[1, 1]) + abs(c.b[0, 1]) + abs(c.b[2, 0]) < 1e-12  # symmetries (1.25), (1.26)


def test_formulas(arcs):
    f = linear_frequencies(0.05, 0.7, 0.4, 0.5, 0.25, 50.0)
    assert f.klingel == pytest.approx(50.0 * math.sqrt(0.05 / 0.28), rel=1e-14)
    assert f.meijaard / f.lorant == pytest.approx(f.heumann / f.klingel, rel=1e-14)
    assert (
        linear_frequencies(0.05, 0.7, 0.4, math.inf, 0.25).meijaard == linear_frequencies(0.05, 0.7, 0.4, math.inf, 0.25).lorant
    )
    c = coefficients(arcs)
    assert math.sqrt(-c.a01 * c.b10) == pytest.approx(linear_omega(arcs), rel=1e-13)
    swing = oscillator(arcs)
    assert swing.omega * swing.eta * arcs.b == pytest.approx(c.a01, rel=1e-13)
    assert -swing.omega / (swing.eta * arcs.b) == pytest.approx(c.b10, rel=1e-13)
    a = 1e-3
    assert (float(harmonic_balance(c, a)) / linear_omega(arcs) - 1.0) / a**2 == pytest.approx(beta_of(c), rel=1e-6)


def test_klingel_and_heumann_are_limits():
    """Of the exact frequency for vanishing conicity, of conical and of hollow wheels; the first correction is R_r h/(2b)."""
    for R_w, name in ((math.inf, "klingel"), (0.5, "heumann")):
        for h in (1e-4, 1e-7):
            exact = coefficients(simple(h, R_w, 0.25, 0.7, 0.4), 3)
            ratio = math.sqrt(-exact.a01 * exact.b10) / getattr(linear_frequencies(h, 0.7, 0.4, R_w, 0.25), name)
            assert ratio - 1.0 == pytest.approx(0.25 * h / 1.4, rel=2e-4 if h > 1e-6 else 1e-2)


def test_second_order_form(arcs):
    """y'' from the exact field by complex step against (1.34): what is left is of fifth order."""
    w2, c30, c12 = second_order(coefficients(arcs))

    def left(size):
        y, psi = 0.8 * size, 0.5 * size
        f = rolling_rates(solve(arcs, y, psi))
        ahead = rolling_rates(solve(arcs, y + 1e-30j * f.y, psi + 1e-30j * f.psi))
        return float(ahead.y.imag[0] / 1e-30 + w2 * y + c30 * y**3 + c12 * y * f.y[0] ** 2)

    assert left(0.008) / left(0.004) == pytest.approx(32.0, rel=0.02)


def test_harmonic_balance_is_the_first_harmonic(arcs):
    """The Fourier component of (1.34) for y = a cos(omega t) vanishes."""
    c, a = coefficients(arcs), 0.01
    w2, c30, c12 = second_order(c)
    omega = float(harmonic_balance(c, a))
    t = 2.0 * math.pi * np.arange(64) / 64.0
    y, speed = a * np.cos(t), -a * omega * np.sin(t)
    rest_of = -(omega**2) * y + w2 * y + c30 * y**3 + c12 * y * speed**2
    assert abs(np.mean(rest_of * np.cos(t))) < 1e-17


def test_angular_velocity():
    """(1.16) against the derivative of the rotation (1.15): Omega x = R' R^T."""
    theta, psi, phi, rates = 0.3, -0.2, 0.7, (0.4, -1.1, 2.0)
    turn = rotation(theta, psi, phi)
    moved = rotation(*(a + 1e-30j * b for a, b in zip((theta, psi, phi), rates))).imag / 1e-30
    spin = moved @ turn.T
    told = (
        rates[0] - rates[2] * math.sin(psi),
        rates[2] * math.cos(psi) * math.cos(theta) - rates[1] * math.sin(theta),
        rates[2] * math.cos(psi) * math.sin(theta) + rates[1] * math.cos(theta),
    )
    np.testing.assert_allclose([spin[2, 1], spin[0, 2], spin[1, 0]], told, atol=1e-15)


def test_the_formula_for_small_conicity_is_a_limit():
    """(1.61) with the two terms that it lacks: what is left of the exact beta is of order h, for random wheelsets; without either
    it is not.
    """
    rng = np.random.default_rng(161)
    for _ in range(5):
        b, r, R_r = rng.uniform(0.6, 0.9), rng.uniform(0.3, 0.6), rng.uniform(0.2, 0.3)
        R_w = R_r * rng.uniform(1.6, 3.0)
        slopes = rng.uniform(0.5, 2.0, 4) * rng.choice([-1.0, 1.0], 4)
        left = []
        for h in (0.0004, 0.0002):
            g = simple(h, R_w, R_r, b, r, R1_w=slopes[0], R1_r=slopes[1], R2_w=slopes[2], R2_r=slopes[3])
            k = small_conicity(h, r, R_w, R_r, *slopes, b)
            left.append(beta_of(coefficients(g, 3)) - k.complete)
        assert left[1] / left[0] == pytest.approx(0.5, abs=0.03)
        assert abs(left[1]) < 0.02 * min(abs(k.gradient_squared), abs(k.gradient_over_b))


def test_warnings_where_the_formula_fails(arcs):
    f = frequencies(simple(0.05, 0.5, 0.25, 0.7, 0.4, R1_w=30.0), [0.001, 0.003], 50.0)
    assert any("factor of 3.2" in text for text in f.warnings)
    assert any("R_w' = 30" in text for text in f.warnings)
    assert np.isfinite(f.exact[0])
    assert np.isnan(f.exact[1])
    assert "end of its profile" in f.limit or "jumps" in f.limit
    assert frequencies(arcs, [0.001]).warnings == []


def test_periods_against_an_integration_over_time(arcs):
    """Quarter period by SciPy's event on y = 0, in y and psi."""

    def pace(s, x):
        f = rolling_rates(solve(arcs, x[0], x[1]))
        return [float(f.y[0]), float(f.psi[0])]

    def middle(s, x):
        return x[0]

    middle.terminal = True
    made = solve_ivp(pace, (0.0, 5.0), [0.008, 0.0], method="DOP853", events=middle, rtol=1e-11, atol=1e-14)
    p = periods(arcs, [0.008])
    assert 4.0 * made.t_events[0][0] == pytest.approx(p.wavelength[0], rel=1e-10)
    assert -made.y_events[0][0][1] == pytest.approx(p.yaw[0], rel=1e-9)


def test_an_oscillation_that_meets_a_jump(arcs, published):
    """Without a jump as before; smaller and larger than where it jumps, and refused where one branch alone is asked for."""
    assert period_with_jumps(arcs, 0.008, []) == pytest.approx(periods(arcs, [0.008]).wavelength[0], rel=1e-10)
    with pytest.raises(InputError, match=r"jumps|no contact"):
        periods(published, [0.001])
    f = frequencies(published, [0.0001, 0.0005], through=True)
    assert f.exact[0] == pytest.approx(periods(published, [0.0001]).omega[0], rel=1e-9)
    assert f.exact[1] == pytest.approx(2.0 * math.pi / 4.8498617, rel=1e-7)  # see the slow test below
    assert any("says nothing" in text for text in f.warnings)


@pytest.mark.slow
def test_an_oscillation_goes_through_jumps(published):
    """Against SciPy's Runge-Kutta method with a field that searches for the smallest gap at every stage, and knows nothing of branches."""
    on_way = crossings(published, 0.001, 20)
    assert [c.y for c in on_way] == pytest.approx([0.000225917], abs=1e-9)

    def pace(s, x):
        f = rolling_rates(rest(published, x[:1], x[1:], 801))
        return [f.y[0], f.psi[0]]

    def middle(s, x):
        return x[0]

    middle.terminal = True
    made = solve_ivp(pace, (0.0, 5.0), [0.0005, 0.0], events=middle, rtol=1e-9, atol=1e-13)
    assert period_with_jumps(published, 0.0005, on_way) == pytest.approx(4.0 * made.t_events[0][0], rel=2e-6)


def test_conicity_of_cones_and_against_other_quadratures(arcs):
    delta = RadiusDifference(arcs, 0.01)
    table = conicity(delta, [0.002, 0.006, 0.01])
    exact = lambda y: float(solve(arcs, y, 0.0).radius_difference[0])
    for y in (0.0013, 0.0047, 0.0099):
        assert float(delta(y)) == pytest.approx(exact(y), abs=1e-14)
    a = 0.006
    first = quad(lambda s: 0.5 * exact(a * math.sin(s)) * math.sin(s), 0.0, 0.5 * math.pi, epsabs=1e-14)[0] * 4.0 / (math.pi * a)
    assert table.harmonic[1] == pytest.approx(first, rel=1e-10)

    def fall(s, x):
        return [x[1], -exact(x[0]) / (2.0 * arcs.b * arcs.r)]

    def middle(s, x):
        return x[0]

    middle.terminal = True
    made = solve_ivp(fall, (0.0, 9.0), [a, 0.0], method="DOP853", events=middle, rtol=1e-11, atol=1e-14)
    assert table.wavelength[1] == pytest.approx(4.0 * made.t_events[0][0], rel=1e-10)
    assert table.integration[1] == pytest.approx((2.0 * math.pi / table.wavelength[1]) ** 2 * arcs.b * arcs.r, rel=1e-14)
    line = quad(lambda y: 0.5 * exact(y) * y, 0.0, a, epsabs=1e-16)[0] * 3.0 / a**3
    assert table.regression[1] == pytest.approx(line, rel=1e-9)
    cone = RadiusDifference(simple(0.05, math.inf, 0.25, 0.7, 0.4), 0.004)
    flat = conicity(cone, [0.001, 0.004])
    np.testing.assert_allclose(flat.integration, flat.harmonic, rtol=1e-6)
    assert flat.integration[0] == pytest.approx(0.05, rel=0.05)


def test_conicity_of_published_profiles(published):
    """S1002 on UIC 60: 0.18 at 3 mm on rails inclined 1:40, 0.01 on rails inclined 1:20, as rail engineers know them; a jump is
    integrated exactly.
    """
    delta = RadiusDifference(published, 0.006)
    table = conicity(delta, [0.003, 0.006])
    assert table.integration[0] == pytest.approx(0.18, abs=0.005)
    y = np.linspace(0.0, 0.006, 1201)
    fine = rest(published, y).radius_difference
    area = np.concatenate([[0.0], np.cumsum(0.5 * (fine[1:] + fine[:-1]) * np.diff(y))])
    np.testing.assert_allclose(delta.integral(y), area, atol=1e-5 * area[-1] + 1e-8)
    steep = on_track(inclination=0.05)
    assert conicity(RadiusDifference(steep, 0.004), [0.003]).integration[0] == pytest.approx(0.0095, abs=5e-4)
    assert nonlinearity_parameter(delta) == pytest.approx(
        float(np.diff(conicity(delta, [0.002, 0.004]).integration)[0]) / 2.0, rel=1e-12
    )


@pytest.mark.parametrize("reach", [0.006, pytest.param(0.008, marks=pytest.mark.slow)])
def test_a_measured_pair_gives_the_published_conicity(reach):
    """Noise of 1 um on both profiles; 200 amplitudes."""
    rng = np.random.default_rng(5)
    u, x = np.linspace(-0.0485, 0.058, 500), np.linspace(uic60().low, uic60().high, 402)[1:-1]
    wheel = measured(np.stack([u, s1002().height(u) + 1e-6 * rng.normal(size=500)], axis=1), "wheel", "m", 1e-6)
    rail = measured(np.stack([x, uic60().height(x) + 1e-6 * rng.normal(size=400)], axis=1), "rail", "m", 1e-6)
    g = geometry(wheel, rail, 0.75, 0.46, 0.7175 + gauge_offset())
    table = conicity(RadiusDifference(g, 0.008), np.linspace(4e-5, 0.008, 200))
    compared = table.amplitude < reach + 1e-9
    exact = conicity(RadiusDifference(on_track(), reach), np.minimum(table.amplitude[compared], reach))
    off = np.abs(table.integration[compared] - exact.integration)
    assert off[table.amplitude[compared] > 0.001].max() < 0.03
    assert table.integration[74] == pytest.approx(exact.integration[74], rel=0.02)  # 3 mm


# -- the compiled system -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("g", [simple(0.05, 0.5, 0.25, 0.7, 0.4, R1_w=12.0, R2_r=20.0), on_track()], ids=["arcs", "published"])
def test_the_rate_is_that_of_the_exact_contact(g):
    """y', psi', phi' of (1.50), and theta', U' as derivatives of the geometric solution by complex step; the rate runs as plain
    Python here.
    """
    system = wheelset_rolling(g, 30.0)
    for y, psi in ((0.00015, 0.002), (-0.0001, -0.004)):
        state, out = start_state(system, {"y": y, "psi": psi}), np.zeros(6)
        rate(system, 0.0, state, out)
        c = solve(g, y, psi)
        f = rolling_rates(c)
        np.testing.assert_allclose(out[:3], 30.0 * np.array([f.y[0], f.psi[0], f.phi[0]]), rtol=1e-11)
        moved = solve(g, y + 1e-30j * f.y, psi + 1e-30j * f.psi, c.unknowns.astype(complex)).unknowns[:, 0].imag / 1e-30
        np.testing.assert_allclose(out[3:], 30.0 * moved[[0, 4, 5]], rtol=1e-8, atol=1e-12)
        theta = rolling_velocities(g, y, psi)[0]
        assert out[3] == pytest.approx(30.0 * theta, rel=1e-9, abs=1e-13)


def test_starts(arcs):
    system = wheelset_rolling(arcs)
    state = start_state(system, {"y": "5mm", "psi": 0.001})
    moved, said = settle(system, np.array([0.005, 0.001, 0.0, 0.0, 0.0, 0.0]))
    np.testing.assert_allclose(moved, state, atol=1e-12)
    assert "set to the contact" in said
    with pytest.raises(InputError, match="theta"):
        start_state(system, {"theta": 0.1})
    measured_one = Geometry(
        measured(np.stack([u := np.linspace(-0.03, 0.03, 80), arcs.wheel.height(u)], axis=1), "wheel", "m", 1e-9).placed(0.0),
        arcs.rail,
        0.7,
        0.4,
    )
    with pytest.raises(InputError, match="measured"):
        wheelset_rolling(measured_one)


def test_the_guard_sees_a_jump(published):
    """The branch of the centre continued beyond 0.226 mm."""
    system = wheelset_rolling(published)
    y = np.linspace(0.0, 0.0004, 9)
    c = solve(published, y, 0.0)
    states = np.stack([y, 0.0 * y, 0.0 * y, c.theta, c.left.U_w, c.right.U_w], axis=1)
    step, why = guard(system)(np.arange(9.0), states)
    assert y[step] < 0.000226 <= y[step + 1] + 5e-5
    assert "jumps" in why
    assert guard(system)(np.arange(4.0), states[:4]) is None


@pytest.fixture(scope="module")
def motion(arcs):
    return simulate(wheelset_rolling(arcs, 50.0), {"y": 0.01}, 1.0, rtol=1e-11, atol=1e-13, events=["y"], progress=False)


def test_a_motion_has_the_exact_period_and_stays_on_its_orbit(arcs, motion):
    zeros = np.array([e.t for e in motion.events])
    np.testing.assert_allclose(np.diff(zeros), 0.5 * periods(arcs, [0.01]).wavelength[0] / 50.0, rtol=1e-10)
    assert np.abs(motion["misfit"]).max() < 1e-14
    c = solve(arcs, motion["y"], motion["psi"])
    np.testing.assert_allclose(motion["theta"], c.theta, atol=1e-13)
    np.testing.assert_allclose(motion["z"], c.z, atol=1e-13)
    np.testing.assert_allclose(motion["radius_difference"], c.radius_difference, atol=1e-12)
    np.testing.assert_allclose(motion["rail_left"], c.left.U_r, atol=1e-12)


def test_a_motion_says_what_is_worth_saying(arcs):
    assert geometry_of(WheelsetRolling()).h == pytest.approx(arcs.h)
    from rollick.archetypes.models import model

    made = model("wheelset_rolling").simulate(until=0.5, progress=False, events=["y"])
    text = made.summary()
    assert "Meijaard" in text
    assert "beta = -2.0694e-06" in text


@pytest.mark.slow
def test_a_motion_on_published_profiles_ends_where_the_contact_jumps(published):
    system = wheelset_rolling(published)
    small = simulate(system, {"y": 2e-4}, 1.0, rtol=1e-10, progress=False, events=["y"])
    zeros = np.array([e.t for e in small.events])
    np.testing.assert_allclose(np.diff(zeros).mean(), 0.5 * periods(published, [2e-4]).wavelength[0] / 50.0, rtol=1e-7)
    with pytest.warns(UserWarning, match="jumps"):
        large = simulate(system, {"y": 2e-3}, 1.0, progress=False)
    assert large.status == "left_domain"
