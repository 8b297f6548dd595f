"""The stiff integrator, against the mathematics of Radau IIA, exact solutions, and SciPy."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from rollick.kernel.derivative import rate_jacobian
from rollick.kernel.linear import lu_solve
from rollick.kernel.scalar import cos, exp, sin, sqrt
from rollick.kernel.system import describe, rate
from rollick.motion.ode import control as c
from rollick.motion.ode import radau_tableau as tableau
from rollick.motion.ode.block import Block, Tolerance
from rollick.motion.ode.dense import empty_coefficients, sample
from rollick.motion.ode.erased import Engine
from rollick.motion.ode.implicit import advance_implicit
from rollick.motion.ode.radau_step import (
    CONVERGED,
    WEIGHT,
    Z,
    radau_factor,
    radau_predict,
    radau_stages,
    radau_work,
    spectral_bound,
)


class VanDerPol(NamedTuple):
    """x'' = mu (1 - x^2) x' - x."""

    mu: float


@rate.register(VanDerPol)
def _(p, t, y, out):
    out[0] = y[1]
    out[1] = p.mu * (1.0 - y[0] * y[0]) * y[1] - y[0]


describe(VanDerPol, states={"x": "", "v": ""})


class Robertson(NamedTuple):
    """Three reactions, their rates nine decades apart."""

    slow: float
    middle: float
    fast: float


@rate.register(Robertson)
def _(p, t, y, out):
    first, second, third = p.slow * y[0], p.middle * y[1] * y[2], p.fast * y[1] * y[1]
    out[0] = second - first
    out[1] = first - second - third
    out[2] = third


describe(Robertson, states={"a": "", "b": "", "c": ""})


class Relaxation(NamedTuple):
    """Prothero-Robinson: y' = -L (y - cos t) - sin t with L = stiffness exp(-decay t); not a number after the time `wall`."""

    stiffness: float
    decay: float = 0.0
    wall: float = 1e300


@rate.register(Relaxation)
def _(p, t, y, out):
    out[0] = -p.stiffness * exp(-p.decay * t) * (y[0] - cos(t)) - sin(t) + 0.0 * sqrt(p.wall - t)


describe(Relaxation, states={"y": ""})

VDP = VanDerPol(1000.0)
GENTLE = VanDerPol(1.0)
# solve_ivp(method="Radau", rtol=1e-11, atol=1e-14 and 1e-16, exact Jacobian), SciPy 1.17, from (2, 0) and (1, 0, 0)
VDP_2000 = [1.7061677321704327, -0.0008928097010248503]
ROBERTSON_1E4 = [0.107300428537849, 4.800166972573905e-07, 0.8926990914454546]


class Run:
    """One integration, in blocks of `room` steps, of the system by address: the loop is compiled once for all of them."""

    def __init__(
        self, system, start, t0, t1, rtol, atol, step, room=20000, at=(), most=np.inf, left=1e6, watch=False, dense=True
    ):
        self.y = np.array(start, float)
        n = self.y.size
        s = self.s = np.zeros(c.SIZE)
        s[c.TIME], s[c.STEP], s[c.END], s[c.MOST_STEP], s[c.LEFT] = t0, step, t1, most, left
        k = radau_work(n)
        rate(system, t0, self.y, k.f0)
        engine = Engine(system)
        at = np.array(at, float)
        self.at_out = np.full((at.size, n), np.nan)
        tolerances = np.full(n, atol)
        ts, ys, fs = [np.array([t0])], [self.y[None].copy()], []
        self.status = c.FULL
        while self.status == c.FULL:
            block = np.empty(room + 1), np.empty((room + 1, n)), empty_coefficients(room, n)
            self.status = advance_implicit(
                engine.for_implicit(),
                s,
                self.y,
                k,
                Tolerance(rtol, tolerances),
                Block(*block, at, self.at_out, True, dense, watch),
            )
            m = int(s[c.STORED])
            ts.append(block[0][1 : m + 1])
            ys.append(block[1][1 : m + 1])
            fs.append(block[2][:m])
        self.ts, self.ys, self.fs = (np.concatenate(parts) for parts in (ts, ys, fs))

    def __call__(self, times):
        out = np.empty((np.size(times), self.y.size))
        sample(self.ts, self.ys, self.fs, np.asarray(times, float), out)
        return out


def python_rate(system):
    """The same right-hand side for SciPy."""

    def f(t, y):
        out = np.empty(len(y))
        rate(system, t, y, out)
        return out

    return f


@pytest.fixture(scope="module")
def gentle():
    """Van der Pol with mu = 1 from (2, 0), to near rounding, on [0, 6]."""
    return solve_ivp(python_rate(GENTLE), (0.0, 6.0), [2.0, 0.0], method="DOP853", rtol=1e-13, atol=1e-14, dense_output=True).sol


def test_coefficients_transform_the_collocation_matrix():
    nodes = np.array(tableau.C)
    assert nodes == pytest.approx([(4 - 6**0.5) / 10, (4 + 6**0.5) / 10, 1.0], abs=1e-16)
    powers = np.arange(1, 4)
    # Collocation: sum_j a_ij c_j^(q-1) = c_i^q / q.
    a = (nodes[:, None] ** powers / powers) @ np.linalg.inv(nodes[:, None] ** (powers - 1))
    eigenvalues, vectors = np.linalg.eig(np.linalg.inv(a))
    real, pair = int(np.argmin(abs(eigenvalues.imag))), int(np.argmax(eigenvalues.imag))
    assert pytest.approx(eigenvalues[real].real, rel=1e-13) == tableau.REAL
    assert complex(tableau.ALPHA, tableau.BETA) == pytest.approx(eigenvalues[pair], rel=1e-13)
    u, v = vectors[:, real] / vectors[2, real], vectors[:, pair] / vectors[2, pair]
    expected = np.stack([u.real, v.real, -v.imag], axis=1)
    t = np.array(
        [[tableau.T11, tableau.T12, tableau.T13], [tableau.T21, tableau.T22, tableau.T23], [1.0, 1.0, 0.0]],
    )
    ti = np.array([[getattr(tableau, f"TI{i}{j}") for j in (1, 2, 3)] for i in (1, 2, 3)])
    np.testing.assert_allclose(t, expected, atol=1e-13)
    np.testing.assert_allclose(t @ ti, np.eye(3), atol=3e-16)
    blocks = np.array([[tableau.REAL, 0, 0], [0, tableau.ALPHA, -tableau.BETA], [0, tableau.BETA, tableau.ALPHA]])
    np.testing.assert_allclose(t @ blocks @ ti @ a, np.eye(3), atol=1e-14)


def test_error_weights_are_those_of_an_embedded_formula_of_order_3():
    # yhat - y1 = h/REAL f(y0) + sum e_i Z_i /REAL vanishes on polynomials of degree 3: Z_i = (c_i h)^q, f(y0) = 1 if q = 1.
    nodes, e = np.array(tableau.C), np.array([tableau.E1, tableau.E2, tableau.E3])
    assert [e @ nodes**q for q in (1, 2, 3)] == pytest.approx([-1.0, 0.0, 0.0], abs=1e-14)


def test_factors_solve_the_real_and_the_complex_system():
    rng = np.random.default_rng(2)
    n, h = 6, 0.3
    for _ in range(10):
        work = radau_work(n)
        work.jac[:] = rng.normal(size=(n, n)) * 100.0  # far from diagonal: rows must be exchanged
        assert radau_factor(h, work.jac, work.lu, work.pair, work.pivots)
        x, v = rng.normal(size=n), rng.normal(size=n) + 1j * rng.normal(size=n)
        expected = np.linalg.solve(tableau.REAL / h * np.eye(n) - work.jac, x)
        expected_pair = np.linalg.solve(complex(tableau.ALPHA, tableau.BETA) / h * np.eye(n) - work.jac, v)
        lu_solve(work.lu, work.pivots[0], x)
        lu_solve(work.pair, work.pivots[1], v)
        np.testing.assert_allclose(x, expected, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(v, expected_pair, rtol=1e-9, atol=1e-12)


def test_order_five_with_fixed_steps(gentle):
    work = radau_work(2)
    work.rows[WEIGHT] = 1.0
    errors = []
    for steps in (20, 40, 80):
        h, y = 3.0 / steps, np.array([2.0, 0.0])
        for m in range(steps):
            rate_jacobian(GENTLE, m * h, y, np.empty(2, complex), np.empty(2, complex), work.jac)
            assert radau_factor(h, work.jac, work.lu, work.pair, work.pivots)
            radau_predict(0.0, work.p, work.rows)
            for tolerance in (1e-6, 1e-10, 1e-14):  # seven iterations at most each time
                assert radau_stages(GENTLE, m * h, y, h, work, tolerance, 1.0)[0] == CONVERGED
            y += work.rows[Z + 2]
        errors.append(np.linalg.norm(y - gentle(3.0)))
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.all(orders > 4.7)
    assert np.all(orders < 5.4)


def test_stiff_relaxation_is_damped_at_once():
    # From y = 2, off the slow curve cos t: after the transient the steps know nothing of the time scale 1e-6.
    run = Run(Relaxation(1e6), [2.0], 0.0, 10.0, 1e-6, 1e-8, 1e-7, dense=False)
    assert run.status == c.REACHED
    late = run.ts > 0.1
    assert np.max(abs(run.ys[late, 0] - np.cos(run.ts[late]))) < 3e-6
    assert np.count_nonzero(late) < 10
    assert run.s[c.ACCEPTED] < 100


def test_dense_output_of_a_very_stiff_motion_is_as_good_as_its_steps():
    # Without a check inside the steps they grow to several seconds here and the cubic between them is off by 0.8.
    run = Run(Relaxation(1e6), [1.0], 0.0, 30.0, 1e-6, 1e-8, 1e-3)
    times = np.linspace(0.0, 30.0, 3001)
    out = np.empty((times.size, 1))
    count = int(run.s[c.ACCEPTED])
    sample(run.ts[: count + 1], run.ys[: count + 1], run.fs[:count], times, out)
    assert np.max(abs(out[:, 0] - np.cos(times))) < 2e-6


def test_one_huge_step_damps_a_stiff_transient():
    # R(-infinity) = 0: with h lambda = -1e9 the initial deviation is gone after a single step (a trapezoidal rule would keep it).
    run = Run(Relaxation(1e12), [1.0 + 1e-3], 0.0, 1e-3, 0.1, 1.0, 1e-3, left=1)
    assert run.status == c.REACHED
    assert run.s[c.ACCEPTED] == 1
    assert abs(run.y[0] - np.cos(1e-3)) < 1e-9


@pytest.mark.parametrize(("rtol", "allowed"), [(1e-4, 1e-4), (1e-6, 1e-6), (1e-8, 1e-8)])
def test_van_der_pol_1000(rtol, allowed):
    run = Run(VDP, [2.0, 0.0], 0.0, 2000.0, rtol, 1e-2 * rtol, 1e-4)
    assert run.status == c.REACHED
    assert run.s[c.TIME] == 2000.0
    np.testing.assert_allclose(run.y, VDP_2000, rtol=allowed)


@pytest.mark.parametrize("rtol", [1e-4, 1e-6, 1e-9])
def test_robertson(rtol):
    run = Run(Robertson(0.04, 1e4, 3e7), [1.0, 0.0, 0.0], 0.0, 1e4, rtol, 1e-4 * rtol, 1e-6)
    assert run.status == c.REACHED
    np.testing.assert_allclose(run.y, ROBERTSON_1E4, rtol=rtol)
    assert np.sum(run.y) == pytest.approx(1.0, abs=1e-13)


def test_no_more_evaluations_than_scipy():
    run = Run(VDP, [2.0, 0.0], 0.0, 2000.0, 1e-6, 1e-8, 1e-4)
    theirs = solve_ivp(python_rate(VDP), (0, 2000), [2.0, 0.0], method="Radau", rtol=1e-6, atol=1e-8, first_step=1e-4)
    assert run.s[c.EVALUATIONS] < 1.2 * theirs.nfev
    assert run.s[c.ACCEPTED] < 1.2 * theirs.t.size


def test_dense_output_is_the_collocation_polynomial():
    rtol = 1e-9
    run = Run(GENTLE, [2.0, 0.0], 0.0, 6.0, rtol, rtol, 1e-3)
    x = np.array([0.0, *tableau.C])
    slopes = np.polynomial.polynomial.polyvander(x, 3)
    f = python_rate(GENTLE)
    for m in range(1, run.fs.shape[0], 7):
        t, h = run.ts[m], run.ts[m + 1] - run.ts[m]
        assert np.all(run.fs[m, 3:] == 0.0)
        np.testing.assert_array_equal(run.ys[m] + run.fs[m, 0], run.ys[m + 1])
        values = run(t + x * h)
        np.testing.assert_array_equal(values[0], run.ys[m])
        np.testing.assert_allclose(values[3], run.ys[m + 1], rtol=1e-14)
        p = np.linalg.solve(slopes, values)
        for j in (1, 2, 3):
            derivative = (p[1] + 2.0 * x[j] * p[2] + 3.0 * x[j] ** 2 * p[3]) / h
            np.testing.assert_allclose(derivative, f(t + x[j] * h, values[j]), atol=1e-9)


def test_dense_output_follows_the_motion(gentle):
    times = np.linspace(0.0, 6.0, 1001)
    for rtol in (1e-6, 1e-8):
        run = Run(GENTLE, [2.0, 0.0], 0.0, 6.0, rtol, rtol, 1e-3, at=times)
        np.testing.assert_allclose(run(times), gentle(times).T, atol=20 * rtol)
        np.testing.assert_allclose(run.at_out, run(times), rtol=0, atol=1e-14)
        assert run.s[c.NEXT_AT] == times.size


@pytest.mark.parametrize("room", [1, 7, 100])
def test_blocks_resume_bit_for_bit(room):
    times = np.linspace(0.0, 900.0, 50)
    whole = Run(VDP, [2.0, 0.0], 0.0, 900.0, 1e-6, 1e-8, 1e-4, at=times)
    parts = Run(VDP, [2.0, 0.0], 0.0, 900.0, 1e-6, 1e-8, 1e-4, at=times, room=room)
    for a, b in ((whole.ts, parts.ts), (whole.ys, parts.ys), (whole.fs, parts.fs), (whole.at_out, parts.at_out)):
        np.testing.assert_array_equal(a, b)
    whole.s[c.STORED] = parts.s[c.STORED] = 0.0
    np.testing.assert_array_equal(whole.s, parts.s)


def test_backward_returns_to_the_start(gentle):
    times = np.linspace(6.0, 0.0, 41)
    run = Run(GENTLE, gentle(6.0), 6.0, 0.0, 1e-9, 1e-10, -1e-3, at=times)
    assert run.status == c.REACHED
    assert run.s[c.TIME] == 0.0
    assert np.all(np.diff(run.ts) < 0.0)
    # Backward the limit cycle repels: errors grow by exp(integral of the divergence), some 1e4 here.
    np.testing.assert_allclose(run.at_out, gentle(times).T, atol=1e-5)


def test_steps_stay_below_the_largest_allowed():
    run = Run(GENTLE, [2.0, 0.0], 0.0, 6.0, 1e-3, 1e-3, 0.01, most=0.01)
    assert np.max(np.diff(run.ts)) < 0.0101
    assert run.s[c.ACCEPTED] == pytest.approx(600, abs=2)


def test_watch_reports_the_end_of_stiffness():
    # L = 1e4 exp(-t): the explicit method's business when L h < 2, that is, from t of about 8 on.
    run = Run(Relaxation(1e4, 1.0), [1.0], 0.0, 40.0, 1e-6, 1e-8, 1e-5, watch=True)
    assert run.status == c.SMOOTH
    assert 5.0 < run.s[c.TIME] < 20.0
    stiff = Run(Relaxation(1e6), [1.0], 0.0, 20.0, 1e-6, 1e-8, 1e-3, watch=True)
    assert stiff.status == c.REACHED


def test_spectral_bound():
    rng = np.random.default_rng(1)
    for n in (1, 2, 5, 9):
        for scale in (1e-6, 1.0, 1e8):
            a = rng.normal(size=(n, n)) * scale * np.exp(rng.normal(size=(n, 1)))
            rho = np.max(abs(np.linalg.eigvals(a)))
            bound = spectral_bound(a, np.empty((n, n)), np.empty((n, n), complex))
            assert rho * (1 - 1e-12) <= bound <= 1.3 * rho
    oscillator = np.array([[0.0, 1.0], [-1e12, -10.0]])
    assert spectral_bound(oscillator, np.empty((2, 2)), np.empty((2, 2), complex)) == pytest.approx(1e6, rel=0.6)
    assert spectral_bound(np.zeros((2, 2)), np.empty((2, 2)), np.empty((2, 2), complex)) == 0.0


def test_rates_that_end_stop_the_motion_there():
    run = Run(Relaxation(100.0, 0.0, 1.5), [1.0], 0.0, 3.0, 1e-6, 1e-8, 1e-3)
    assert run.status == c.NOT_FINITE
    assert run.s[c.TIME] == pytest.approx(1.5, abs=1e-12)
    assert run.y[0] == pytest.approx(np.cos(1.5), abs=1e-6)
    beyond = Run(Relaxation(100.0), [np.nan], 0.0, 3.0, 1e-6, 1e-8, 1e-3)
    assert beyond.status == c.NOT_FINITE
    assert beyond.s[c.ACCEPTED] == 0


def test_every_attempt_counts():
    run = Run(VDP, [2.0, 0.0], 0.0, 2000.0, 1e-4, 1e-6, 1e-4, left=200)
    assert run.status == c.MOST_STEPS
    assert run.s[c.LEFT] == 0.0
    assert run.s[c.ACCEPTED] + run.s[c.REJECTED] == 200
    assert run.s[c.REJECTED] > 0
