"""Small dense linear systems: LU with row pivoting and Cholesky, against NumPy, real and complex."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollick.kernel.derivative import EPS
from rollick.kernel.linear import cholesky_solve, lu_factor, lu_solve

UNIT = np.finfo(float).eps
quick = settings(max_examples=60, deadline=None)
kinds = st.sampled_from([float, complex])
sizes = st.integers(1, 8)
seeds = st.integers(0, 2**31)


def random(shape, kind, seed):
    rng = np.random.default_rng(seed)
    return rng.normal(size=shape) + (1j * rng.normal(size=shape) if kind is complex else 0.0)


def lu(a, b):
    """The solution, or None if the factorisation refuses."""
    factors, pivots, x = np.array(a), np.empty(len(a), np.int64), np.array(b)
    if not lu_factor(factors, pivots):
        return None
    lu_solve(factors, pivots, x)
    return x


@quick
@given(sizes, kinds, seeds)
def test_lu_solves(n, kind, seed):
    a, b = random((n, n), kind, seed), random(n, kind, seed + 1)
    x = lu(a, b)
    # Backward error: the residual is rounding of |A| |x|, whatever the condition of A.
    assert np.all(np.abs(a @ x - b) <= 10.0 * n * UNIT * (np.abs(a).sum() * np.abs(x).max() + np.abs(b)))
    exact = np.linalg.solve(a, b)
    assert np.abs(x - exact).max() <= 20.0 * n * UNIT * np.linalg.cond(a) * np.abs(exact).max()


@quick
@given(sizes, kinds, seeds)
def test_lu_of_any_order_of_rows(n, kind, seed):
    """A permutation matrix needs every exchange of rows; the factors' multipliers must follow the exchanges."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(n)
    a = np.eye(n)[order].astype(kind)
    b = random(n, kind, seed)
    assert np.array_equal(a @ lu(a, b), b)
    # and a well-conditioned matrix with its rows shuffled
    a = (np.eye(n) * 4.0 + random((n, n), kind, seed) / n)[order]
    assert np.abs(a @ lu(a, b) - b).max() <= 20.0 * n * UNIT * np.abs(b).max()


def test_lu_pivots_on_a_small_diagonal():
    a = np.array([[1e-20, 1.0], [1.0, 1.0]])
    assert lu(a, [1.0, 2.0]) == pytest.approx([1.0, 1.0], rel=2.0 * UNIT)
    a = np.array([[0.0, 2.0, 1.0], [1.0, 0.0, 0.0], [3.0, 0.0, 1.0]])
    assert lu(a, a @ [1.0, 2.0, 3.0]) == pytest.approx([1.0, 2.0, 3.0], rel=4.0 * UNIT)


def test_multipliers_are_at_most_one():
    a = random((8, 8), float, 5)
    pivots = np.empty(8, np.int64)
    assert lu_factor(a, pivots)
    assert np.abs(np.tril(a, -1)).max() <= 1.0
    assert np.all(pivots >= np.arange(8))
    assert np.all(pivots < 8)


@pytest.mark.parametrize(
    "a",
    [
        [[0.0]],
        [[1.0, 2.0], [2.0, 4.0]],
        [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
        [[0.0, 1.0], [0.0, 1.0]],
        [[4.0, 2.0, 8.0], [1.0, 0.0, 1.0], [2.0, 1.0, 4.0]],  # with multipliers that are powers of two, hence without rounding
    ],
)
@pytest.mark.parametrize("kind", [float, complex])
def test_lu_refuses_singular_matrices(a, kind):
    assert lu(np.array(a, kind), np.zeros(len(a), kind)) is None


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("place", [(0, 0), (0, 2), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)])
def test_lu_refuses_what_is_not_finite(bad, place):
    a = 4.0 * np.eye(3) + random((3, 3), float, 1)
    a[place] = bad
    assert lu(a, np.ones(3)) is None


def test_lu_carries_a_complex_step():
    a, b, direction = random((5, 5), float, 3), random(5, float, 4), random((5, 5), float, 5)
    x = lu(a + 1j * EPS * direction, b.astype(complex))
    exact = -np.linalg.solve(a, direction @ np.linalg.solve(a, b))
    assert np.abs(x.imag / EPS - exact).max() <= 100.0 * UNIT * np.linalg.cond(a) ** 2 * np.abs(exact).max()


def definite(n, kind, seed):
    """A symmetric positive definite matrix; complex: with a small symmetric imaginary part, as derivatives have."""
    rng = np.random.default_rng(seed)
    g, h = rng.normal(size=(n, n)), rng.normal(size=(n, n))
    return g @ g.T + 0.1 * np.eye(n) + (1e-3j * (h + h.T) if kind is complex else 0.0)


@quick
@given(sizes, kinds, seeds)
def test_cholesky_solves(n, kind, seed):
    a, b = definite(n, kind, seed), random(n, kind, seed + 1)
    exact = np.linalg.solve(a, b)
    lower, x = np.tril(a), b.copy()  # the upper triangle is not read
    lower[np.triu_indices(n, 1)] = np.nan
    assert cholesky_solve(lower, x)
    assert np.abs(x - exact).max() <= 20.0 * n * UNIT * np.linalg.cond(a) * np.abs(exact).max()


@pytest.mark.parametrize(
    "a",
    [
        [[-1.0]],
        [[0.0]],
        [[1.0, 2.0], [2.0, 1.0]],
        [[2.0, 0.0, 0.0], [0.0, 1.0, 1.0], [0.0, 1.0, 1.0]],
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1e-300]],
        [[np.nan, 0.0], [0.0, 1.0]],
        [[1.0, np.nan], [np.nan, 1.0]],
    ],
)
@pytest.mark.parametrize("kind", [float, complex])
def test_cholesky_refuses_what_is_not_positive_definite(a, kind):
    matrix = np.array(a, kind)
    assert not cholesky_solve(matrix, np.ones(len(a), kind))


def test_cholesky_carries_a_complex_step():
    a, b = definite(5, float, 7), random(5, float, 8)
    direction = random((5, 5), float, 9)
    direction = direction + direction.T
    x = b.astype(complex)
    assert cholesky_solve(a + 1j * EPS * direction, x)
    exact = -np.linalg.solve(a, direction @ np.linalg.solve(a, b))
    assert np.abs(x.imag / EPS - exact).max() <= 100.0 * UNIT * np.linalg.cond(a) ** 2 * np.abs(exact).max()
