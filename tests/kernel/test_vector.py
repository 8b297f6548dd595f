"""3-vectors and 3x3 matrices as tuples: against NumPy, by their identities, on floats and on complex numbers."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba.core import config

from rollick.kernel import vector as v
from rollick.kernel.derivative import EPS

UNIT = np.finfo(float).eps
quick = settings(max_examples=40, deadline=None)

floats = st.floats(-10.0, 10.0, allow_subnormal=False).map(lambda x: x if abs(x) > 1e-6 else 0.0)
complexes = st.builds(complex, floats, floats)


def triples(numbers):
    return st.tuples(numbers, numbers, numbers)


# Either all floats or all complex, so that two signatures of each function are compiled and no more.
numbers = st.sampled_from([floats, complexes])
two_vectors = numbers.flatmap(lambda n: st.tuples(n, triples(n), triples(n)))
two_matrices = numbers.flatmap(lambda n: st.tuples(n, triples(n), triples(triples(n)), triples(triples(n))))


def close(value, exact, size):
    """Whether a result is right to rounding, `size` being the sum of the absolute values of what was added up."""
    return np.all(np.abs(np.array(value) - np.array(exact)) <= 4.0 * UNIT * np.asarray(size) + 1e-300)


@quick
@given(two_vectors)
def test_vectors_against_numpy(case):
    s, u, w = case
    a, b = np.array(u), np.array(w)
    assert np.array_equal(v.add(u, w), a + b)
    assert np.array_equal(v.sub(u, w), a - b)
    assert close(v.scale(s, u), s * a, np.abs(s) * np.abs(a))
    assert close(v.axpy(s, u, w), s * a + b, np.abs(s) * np.abs(a) + np.abs(b))
    assert close(v.dot(u, w), np.sum(a * b), np.sum(np.abs(a) * np.abs(b)))
    assert close(v.cross(u, w), np.cross(a, b), np.abs(a).max() * np.abs(b).max() * 2.0)
    assert close(v.outer(u, w), np.outer(a, b), np.outer(np.abs(a), np.abs(b)))


@quick
@given(two_matrices)
def test_matrices_against_numpy(case):
    s, u, m, n = case
    a, p, q = np.array(u), np.array(m), np.array(n)
    size = np.abs(p) @ np.abs(a)
    assert close(v.matvec(m, u), p @ a, size)
    assert close(v.vecmat(u, m), p.T @ a, np.abs(p).T @ np.abs(a))
    assert close(v.matmul(m, n), p @ q, np.abs(p) @ np.abs(q))
    assert np.array_equal(v.transpose(m), p.T)
    assert np.array_equal(v.matadd(m, n), p + q)
    assert close(v.matscale(s, m), s * p, np.abs(s) * np.abs(p))
    lengths = np.prod(np.abs(p).sum(axis=1))
    assert abs(v.det(m) - np.linalg.det(p)) <= 8.0 * UNIT * lengths + 1e-300
    assert abs(v.det(v.transpose(m)) - v.det(m)) <= 8.0 * UNIT * lengths


@quick
@given(two_vectors)
def test_cross_product_identities(case):
    _, u, w = case
    size = np.abs(u).max() * np.abs(w).max()
    assert close(v.cross(u, w), np.negative(v.cross(w, u)), size)  # not exactly: a product may be fused with the sum
    assert close(v.cross(u, u), np.zeros(3), np.abs(u).max() ** 2)
    assert abs(v.dot(u, v.cross(u, w))) <= 8.0 * UNIT * size * np.abs(u).max()
    assert close(v.matvec(v.skew(u), w), v.cross(u, w), 3.0 * size)
    # Lagrange: |u|^2 |w|^2 = (u.w)^2 + |u x w|^2, without conjugation also for complex numbers.
    left = v.dot(u, u) * v.dot(w, w)
    right = v.dot(u, w) ** 2 + v.dot(v.cross(u, w), v.cross(u, w))
    assert abs(left - right) <= 100.0 * UNIT * size**2


@quick
@given(triples(floats))
def test_norm_and_unit(u):
    length = v.norm(u)
    assert length == pytest.approx(math.hypot(*u), rel=4.0 * UNIT)
    if length > 0.0:
        assert v.norm(v.unit(u)) == pytest.approx(1.0, rel=4.0 * UNIT)
        assert np.allclose(v.scale(length, v.unit(u)), u, rtol=4.0 * UNIT, atol=0.0)


def test_norm_is_differentiated_by_complex_step():
    u = (0.3, -0.4, 1.2)
    for j in range(3):
        stepped = tuple(complex(x, EPS * (i == j)) for i, x in enumerate(u))
        assert v.norm(stepped).imag / EPS == pytest.approx(u[j] / 1.3, rel=1e-15)
        column = [x.imag / EPS for x in v.unit(stepped)]
        exact = [((i == j) - u[i] * u[j] / 1.69) / 1.3 for i in range(3)]
        assert column == pytest.approx(exact, rel=1e-14, abs=1e-16)


@quick
@given(two_matrices)
def test_solve_and_inverse(case):
    _, u, m, _ = case
    a = np.array(m)
    condition = np.linalg.cond(a) if np.all(np.abs(a).sum(axis=1) > 0.0) else math.inf
    if condition < 1e6:
        exact = np.linalg.solve(a, np.array(u))
        # Cofactors are forward stable up to the square of the condition number.
        bound = 50.0 * UNIT * condition**2
        assert np.abs(np.array(v.solve(m, u)) - exact).max() <= bound * np.abs(exact).max() + 1e-300
        inverse = np.linalg.inv(a)
        assert np.abs(np.array(v.inverse(m)) - inverse).max() <= bound * np.abs(inverse).max()
        assert np.abs(np.array(v.matmul(m, v.inverse(m))) - np.eye(3)).max() <= bound


def test_solve_a_known_system():
    m = ((2.0, 1.0, 0.0), (0.0, 3.0, 1.0), (1.0, 0.0, 4.0))  # determinant 25
    assert v.det(m) == 25.0
    assert v.solve(m, (4.0, 9.0, 13.0)) == pytest.approx((1.0, 2.0, 3.0), rel=4.0 * UNIT)
    assert np.allclose(np.multiply(25.0, v.inverse(m)), [[12, -4, 1], [1, 8, -2], [-3, 1, 6]], rtol=4.0 * UNIT)


@pytest.mark.skipif(config.DISABLE_JIT, reason="Python raises ZeroDivisionError instead")
def test_singular_matrix_gives_no_number():
    m = ((1.0, 2.0, 3.0), (2.0, 4.0, 6.0), (0.0, 1.0, 1.0))
    assert v.det(m) == 0.0
    assert not np.any(np.isfinite(v.solve(m, (1.0, 2.0, 0.5))))
    assert not np.all(np.isfinite(v.inverse(m)))
    assert not np.any(np.isfinite(v.unit((0.0, 0.0, 0.0))))
