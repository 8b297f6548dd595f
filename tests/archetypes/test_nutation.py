"""Nutation to the last digit: down to zero amplitude and up to the separatrices, against forty digits and against the flow."""

import functools
import math
from decimal import Decimal, getcontext

import numpy as np
import pytest
from reduced_flow import state_after

from rollick import Event, InputError, simulate
from rollick.archetypes.rubber import (
    disk,
    equilibria,
    nutation,
    nutation_from,
    orbit,
    orbit_from,
    profile_body,
    separatrices,
    spheroid,
    start_rolling,
    torus,
)
from rollick.archetypes.rubber.body import heights, mass_B, potential
from rollick.archetypes.rubber.equilibria import equilibrium_angles, family, slope_table
from rollick.archetypes.rubber.level import turning_points
from rollick.mechanics.shapes.revolution import from_support
from rollick.motion.result.outcome import MotionWarning

TORUS = torus(1.0, 0.25, g=1.0)
PI = Decimal("3.14159265358979323846264338327950288419716939937511")


@functools.cache
def sine_cosine(x: Decimal) -> tuple[Decimal, Decimal]:
    """sin and cos by their series."""
    values = []
    for first, power in ((x, 1), (Decimal(1), 0)):
        term, total, k = first, first, power
        while abs(term) > Decimal("1e-45"):
            term *= -x * x / ((k + 1) * (k + 2))
            total += term
            k += 2
        values.append(total)
    return values[0], values[1]


def torus_V(ell: Decimal, theta: Decimal) -> Decimal:
    s, _ = sine_cosine(theta)
    return ell * ell / (2 * s * s) + Decimal("0.25") + s


def forty_digits(ell: float, energy: Decimal, low: Decimal, high: Decimal, count: int) -> Decimal:
    """The period of a nutation of TORUS by the midpoint rule in theta = mid + amp sin u, with forty digits."""
    getcontext().prec = 42
    l = Decimal(ell)
    ends = []
    for theta in (low, high):
        for _ in range(12):  # Newton's method
            s, c = sine_cosine(theta)
            theta -= (torus_V(l, theta) - energy) / (c - l * l * c / s**3)
        ends.append(theta)
    mid, amp = (ends[0] + ends[1]) / 2, (ends[1] - ends[0]) / 2
    total = Decimal(0)
    for j in range(count // 2):
        u = PI * (2 * j + 1) / count - PI / 2
        su, cu = sine_cosine(u)
        s, c = sine_cosine(mid + amp * su)
        z = Decimal("0.25") + s
        B = Decimal(TORUS.I1) + z * z + c * c
        total += (B / (2 * (energy - torus_V(l, mid + amp * su)))).sqrt() * amp * cu
    return 4 * PI * total / count


@pytest.mark.parametrize("amplitude", [0.2, 1e-2, 1e-4, 1e-6, 1e-9])
def test_small_nutations_to_the_last_digit(amplitude):
    getcontext().prec = 42
    e = equilibria(TORUS, 0.5)[0]
    theta = e.theta + amplitude
    start = Decimal(theta)
    # the true steady rolling, and the other turning point as far on its other side
    rest = Decimal(e.theta)
    for _ in range(6):
        s, c = sine_cosine(rest)
        rest -= (s**3 - Decimal("0.25")) / (3 * s * s * c)
    other = rest - (start - rest) * (1 - Decimal(amplitude) / 3)
    expected = forty_digits(0.5, torus_V(Decimal("0.5"), start), other, start, 160 if amplitude > 0.1 else 32)
    found = nutation_from(TORUS, np.array([theta, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0]))
    assert found.period == pytest.approx(float(expected), rel=3e-15)
    assert found.high == theta or abs(found.high - theta) < 1e-15


SMALL = (TORUS, 0.5), (TORUS, 1.7), (spheroid(0.3, 0.2, 0.04), 0.9), (spheroid(0.2, 0.3), 1.1)


@pytest.mark.parametrize("cases", [SMALL, pytest.param([(disk(0.3), 0.2)], marks=pytest.mark.slow)], ids=["thick", "disk"])
def test_the_limit_of_small_nutations_is_the_linear_theory(cases):
    for body, ell in cases:
        for e in equilibria(body, ell):
            if not e.stable:
                continue
            n = nutation_from(body, np.array([e.theta, 0.0, ell, 0.0, 0.0, 0.0, 0.0]))
            assert n.frequency == pytest.approx(e.frequency, rel=1e-14)
            assert n.low == pytest.approx(n.high, abs=1e-15)
            by_energy = nutation(body, ell, e.energy, e.theta)
            assert by_energy.frequency == pytest.approx(e.frequency, rel=1e-12)
            # the advances are those of the steady rolling, and the annulus is its circle
            assert n.psi == pytest.approx(e.psi_rate * n.period, rel=1e-13)
            assert n.phi == pytest.approx(e.phi_rate * n.period, abs=1e-13)
            if math.isfinite(e.radius):
                assert n.inner == pytest.approx(e.radius, rel=1e-12)
                assert n.outer == pytest.approx(e.radius, rel=1e-12)
    e = equilibria(TORUS, 0.5)[0]
    assert "steady rolling at theta" in nutation(TORUS, 0.5, e.energy, e.theta).sentence()


def test_period_grows_with_the_square_of_the_amplitude():
    e = equilibria(TORUS, 0.5)[0]
    growth = []
    for amplitude in (1e-2, 1e-3, 1e-4):
        n = nutation_from(TORUS, np.array([e.theta + amplitude, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0]))
        growth.append((n.frequency / e.frequency - 1.0) / (0.5 * (n.high - n.low)) ** 2)
    assert growth[1] == pytest.approx(growth[2], rel=1e-5)
    assert growth[0] == pytest.approx(growth[1], rel=2e-3)


def test_starts_next_to_steady_rolling_that_used_to_fail():
    body = torus(0.1, 0.025)
    for theta in (0.687, 0.686717, 0.68672):
        n = nutation_from(body, start_rolling(body, theta) + np.array([0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0]))
        assert n.period == pytest.approx(0.52234, abs=5e-6)
        assert math.isfinite(n.inner)


@pytest.mark.parametrize("below", [1e-4, 1e-6, 1e-8])
def test_just_below_a_separatrix_to_forty_digits(below):
    left = separatrices(TORUS, 0.3)[0]
    energy = left.energy - below
    o = orbit(TORUS, 0.3, energy, 0.3)
    assert (o.kind, o.track, o.passed) == ("nutation", "annulus", 0)
    lean = Decimal(math.sqrt(2.0 * below / 0.91))
    expected = forty_digits(0.3, Decimal(energy), Decimal(left.turn), PI / 2 - lean, {1e-4: 300, 1e-6: 1000, 1e-8: 3200}[below])
    assert o.nutation.period == pytest.approx(float(expected), rel=2e-15 / below)  # as well as E - E_sep is known
    assert o.nutation.period == pytest.approx(float(expected), rel=1e-7)


@pytest.mark.parametrize("inside", [0.3, 0.6815, 1.4, math.pi - 0.3])
def test_no_barrier_is_stepped_over(inside):
    saddle = separatrices(TORUS, 0.3)[0].saddle
    periods = []
    for exponent in range(2, 14):
        o = orbit(TORUS, 0.3, saddle.energy - 10.0**-exponent, inside)
        assert o.kind == "nutation"
        assert (o.nutation.high < 0.5 * math.pi) if inside < 1.5 else (o.nutation.low > 0.5 * math.pi)
        periods.append(o.nutation.period)
    # each factor of ten costs ln(10)/rate more
    np.testing.assert_allclose(np.diff(periods[3:]), math.log(10.0) / saddle.frequency, rtol=2e-3)
    over = [orbit(TORUS, 0.3, saddle.energy + 10.0**-k, inside) for k in range(2, 14)]
    assert {o.kind for o in over} == {"swing"}
    np.testing.assert_allclose(np.diff([o.nutation.period for o in over[3:]]), 2 * math.log(10.0) / saddle.frequency, rtol=2e-3)
    assert orbit(TORUS, 0.3, saddle.energy, inside).kind == "asymptotic"
    with pytest.raises(InputError, match="energy of the unstable steady rolling"):
        nutation(TORUS, 0.3, saddle.energy, inside)


def test_a_start_next_to_an_unstable_rolling():
    saddle = separatrices(TORUS, 0.3)[0].saddle
    periods = [
        orbit_from(TORUS, np.array([saddle.theta - x, 0.0, 0.3, 0.0, 0.0, 0.0, 0.0])).nutation.period
        for x in 10.0 ** -np.arange(2, 12)
    ]
    # E_sep - E grows with the square: each factor of ten costs 2 ln(10)/rate
    np.testing.assert_allclose(np.diff(periods)[2:], 2.0 * math.log(10.0) / saddle.frequency, rtol=1e-4)
    swings = [orbit_from(TORUS, np.array([saddle.theta, p, 0.3, 0.0, 0.0, 0.0, 0.0])) for p in (1e-5, 1e-7, 1e-9)]
    assert [o.kind for o in swings] == ["swing"] * 3
    np.testing.assert_allclose(np.diff([o.nutation.period for o in swings]), 8.0 * math.log(10.0) / saddle.frequency, rtol=1e-6)


def test_mirror_images_agree_to_rounding():
    for ell in (0.05, 0.3, 0.5, 0.9):
        left, right = separatrices(TORUS, ell)
        assert left.turn == pytest.approx(math.pi - right.turn, abs=1e-15)
        assert left.yaw == pytest.approx(-right.yaw, rel=1e-13)
        for above in (-1e-3, 1e-3):
            inside = equilibria(TORUS, ell)[0].theta
            here, there = (nutation(TORUS, ell, left.energy + above, a) for a in (inside, math.pi - inside))
            assert here.period == pytest.approx(there.period, rel=1e-13)
            assert here.phi == pytest.approx(-there.phi, abs=1e-12)
    leaning, mirrored = spheroid(0.3, 0.2, 0.02), spheroid(0.3, 0.2, -0.02)
    for a, b in zip(separatrices(leaning, 0.5), separatrices(mirrored, 0.5)[::-1], strict=True):
        assert a.turn == pytest.approx(math.pi - b.turn, abs=3e-15)


def test_a_barrier_just_born():
    # Near the saddle-node of an offset spheroid the well is shallow and narrow; its barrier is no wider than the grid of the search.
    body = spheroid(0.3, 0.2, 0.02)
    theta = np.radians(np.linspace(68.9, 69.1, 4001))
    square = family(body, theta)
    top = float(theta[np.argmax(square)])
    for less in (1e-3, 1e-5, 1e-6):
        ell = math.sqrt(float(square.max()) * (1.0 - less * less))
        angles = equilibrium_angles(body, ell, slope_table(body))
        assert sum(abs(a - top) < 0.01 for a in angles) == 2
        for a in angles:
            assert abs(potential(body, ell, a)[1]) < 1e-13


def test_turning_points_are_where_V_is_E():
    for body, ell, energy, inside in ((TORUS, 0.5, 1.25, 0.6), (TORUS, 0.5, 1.6, 0.6), (spheroid(0.3, 0.2, 0.02), 0.4, 3.1, 1.0)):
        for theta in turning_points(body, ell, energy, inside):
            assert potential(body, ell, theta)[0] == pytest.approx(energy, rel=1e-14)
    with pytest.raises(InputError, match="lies below the potential"):
        turning_points(TORUS, 0.5, 1.25, 1.5)


def test_a_measured_profile():
    # A spline is smooth only so far: plain differences take over where the Gauss points see its knots.
    egg = profile_body(from_support(lambda t: 0.03 * np.sqrt(np.sin(t) ** 2 + (1.25 * np.cos(t)) ** 2) + 0.002 * np.cos(t) ** 3))
    for e in equilibria(egg, 0.05):
        assert e.stable
        assert nutation_from(egg, np.array([e.theta + 1e-7, 0, 0.05, 0, 0, 0, 0])).frequency == pytest.approx(
            e.frequency, rel=1e-9
        )
    start = start_rolling(egg, 1.1, 0.5, 12.0)
    n = nutation_from(egg, start)
    end = state_after(egg, start, n.period, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(end[[0, 3, 4]], [1.1, n.psi, n.phi], atol=1e-8)
    assert complex(end[5], end[6]) == pytest.approx(n.displacement, abs=1e-9)


def test_annulus_touches_its_radii():
    start = start_rolling(TORUS, 0.3, 0.0, 0.9)
    n = nutation_from(TORUS, start)
    m = simulate(TORUS, start, n.period, rtol=1e-12, at=np.linspace(0.0, n.period, 20001))
    distance = np.abs(m["x"] + 1j * m["y"] - n.centre)
    assert distance.min() == pytest.approx(n.inner, abs=1e-8)
    assert distance.max() == pytest.approx(n.outer, abs=1e-8)


@pytest.mark.parametrize("body", [disk(0.3), torus(0.1, 0.025)], ids=["disk", "torus"])
@pytest.mark.parametrize("mirrored", [False, True])
def test_planar_falls_end_at_the_axis(body, mirrored):
    theta = math.radians(60.0)
    x, w = np.polynomial.legendre.leggauss(200)
    # B theta'^2/2 + m g z = E; theta = 60 deg - s^2 takes the square root at the start away
    s = 0.5 * math.sqrt(theta) * (x + 1.0)
    energy = heights(body, theta)[0]
    rates = [
        math.sqrt(2.0 * body.m * body.g * (energy - heights(body, theta - v * v)[0]) / mass_B(body, theta - v * v)[0]) for v in s
    ]
    expected = float(np.sum(0.5 * math.sqrt(theta) * w * 2.0 * s / np.array(rates)))
    begin = math.pi - theta if mirrored else theta
    with pytest.warns(MotionWarning, match="axis has come to the vertical"):
        m = simulate(body, {"theta": begin}, 5.0, rtol=1e-11)
    assert m.status == "left_domain"
    assert m.end_time == pytest.approx(expected, abs=1e-8)
    assert min(m["theta"][-1], math.pi - m["theta"][-1]) < 1e-9
    assert m.t[-1] == m.end_time


def test_a_planar_fall_of_the_disk_that_used_to_stop_early():
    with pytest.warns(MotionWarning):
        m = simulate(disk(0.3), {"theta": "60deg"}, 5.0)
    assert m.end_time == pytest.approx(0.36080, abs=5e-6)
    with pytest.warns(MotionWarning):
        stopped = simulate(disk(0.3), {"theta": "60deg"}, 5.0, events=[Event("theta", level="10deg")], at=[0.1, 0.36, 0.5])
    assert [e.name for e in stopped.events] == ["theta"]
    assert stopped.t.tolist() == [0.1, 0.36]


@pytest.mark.slow  # the stiff method compiles
def test_a_planar_fall_by_the_stiff_method():
    with pytest.warns(MotionWarning, match="axis has come to the vertical"):
        stiff = simulate(disk(0.3), {"theta": "60deg"}, 5.0, method="radau")
    assert stiff.status == "left_domain"
    assert stiff.end_time == pytest.approx(0.36080, abs=5e-6)
