"""Rotations: unit quaternions and elementary rotation matrices, by their algebra and against NumPy."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollick.kernel import quaternion as q
from rollick.kernel.derivative import EPS
from rollick.kernel.vector import cross, matvec

UNIT = np.finfo(float).eps
quick = settings(max_examples=40, deadline=None)

floats = st.floats(-5.0, 5.0, allow_subnormal=False).map(lambda x: x if abs(x) > 1e-3 else 0.0)
vectors = st.tuples(floats, floats, floats)
quaternions = st.tuples(floats, floats, floats, floats).filter(lambda p: np.linalg.norm(p) > 0.1)
angles = st.floats(-7.0, 7.0)
axes = vectors.filter(lambda u: np.linalg.norm(u) > 0.1).map(lambda u: tuple(float(x) for x in np.array(u) / np.linalg.norm(u)))


def hamilton(a, b):
    """The product by scalar and vector parts."""
    p, r = np.array(a[1:]), np.array(b[1:])
    return np.array([a[0] * b[0] - p @ r, *(a[0] * r + b[0] * p + np.cross(p, r))])


@quick
@given(quaternions, quaternions, quaternions)
def test_product(a, b, c):
    size = np.linalg.norm(a) * np.linalg.norm(b)
    assert np.abs(np.array(q.quaternion_product(a, b)) - hamilton(a, b)).max() <= 4.0 * UNIT * size
    assert q.quaternion_norm(q.quaternion_product(a, b)) == pytest.approx(size, rel=10.0 * UNIT)
    left = q.quaternion_product(q.quaternion_product(a, b), c)
    right = q.quaternion_product(a, q.quaternion_product(b, c))
    assert np.abs(np.subtract(left, right)).max() <= 20.0 * UNIT * size * np.linalg.norm(c)
    one = (1.0, 0.0, 0.0, 0.0)
    assert q.quaternion_product(a, one) == q.quaternion_product(one, a) == a


def test_units_multiply_as_hamilton_carved():
    one, i, j, k = (tuple(float(x) for x in row) for row in np.eye(4))
    minus = tuple(-x for x in one)
    assert q.quaternion_product(i, j) == k
    assert q.quaternion_product(j, k) == i
    assert q.quaternion_product(k, i) == j
    assert q.quaternion_product(i, i) == q.quaternion_product(j, j) == q.quaternion_product(k, k) == minus


@quick
@given(quaternions)
def test_conjugate_norm_and_normalised(a):
    assert np.allclose(q.quaternion_product(a, q.quaternion_conjugate(a)), [np.dot(a, a), 0, 0, 0], atol=1e-14 * np.dot(a, a))
    assert q.quaternion_norm(a) == pytest.approx(np.linalg.norm(a), rel=4.0 * UNIT)
    assert q.quaternion_norm(q.quaternion_normalised(a)) == pytest.approx(1.0, rel=4.0 * UNIT)
    assert np.allclose(np.cross(a[1:], q.quaternion_normalised(a)[1:]), 0.0, atol=1e-14 * np.linalg.norm(a))


@quick
@given(quaternions, quaternions, vectors)
def test_matrix_is_the_rotation(a, b, w):
    m = np.array(q.quaternion_matrix(a))
    assert np.abs(m @ m.T - np.eye(3)).max() <= 20.0 * UNIT
    assert np.linalg.det(m) == pytest.approx(1.0, abs=20.0 * UNIT)
    # q (0, w) q* / |q|^2 = M w, and products of quaternions are products of matrices.
    turned = q.quaternion_product(q.quaternion_product(a, (0.0, *w)), q.quaternion_conjugate(a))
    size = np.linalg.norm(w) + 1e-300
    assert np.abs(np.array(turned[1:]) / np.dot(a, a) - m @ w).max() <= 20.0 * UNIT * size
    assert np.abs(np.array(matvec(q.quaternion_matrix(a), w)) - m @ w).max() <= 4.0 * UNIT * size
    assert (
        np.abs(np.array(q.quaternion_matrix(q.quaternion_product(a, b))) - m @ np.array(q.quaternion_matrix(b))).max()
        <= 40.0 * UNIT
    )


@quick
@given(axes, angles)
def test_rotation_about_an_axis(axis, angle):
    m = np.array(q.quaternion_matrix(q.quaternion_about(axis, angle)))
    n = np.array(axis)
    # Rodrigues
    skew = np.array([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])
    exact = np.eye(3) + math.sin(angle) * skew + (1.0 - math.cos(angle)) * skew @ skew
    assert np.abs(m - exact).max() <= 20.0 * UNIT
    assert np.abs(m @ n - n).max() <= 20.0 * UNIT


@quick
@given(angles)
def test_elementary_rotations(angle):
    e = np.eye(3)
    for j, f in enumerate((q.rotation_x, q.rotation_y, q.rotation_z)):
        axis = tuple(float(x) for x in e[j])
        m = np.array(f(angle))
        assert np.abs(m - np.array(q.quaternion_matrix(q.quaternion_about(axis, angle)))).max() <= 8.0 * UNIT
        assert np.array_equal(m[j], axis)
        assert np.array_equal(m[:, j], axis)
        # A small turn moves along axis x w.
        derivative = np.array([[z.imag for z in row] for row in f(complex(angle, EPS))]) / EPS
        w = (0.3, -0.7, 0.2)
        assert np.abs(derivative @ w - np.array(cross(axis, tuple(float(x) for x in m @ w)))).max() <= 1e-15


@quick
@given(quaternions, vectors)
def test_rate_is_the_angular_velocity_in_body_axes(a, omega):
    rate = np.array(q.quaternion_rate(a, omega))
    assert np.abs(rate - 0.5 * hamilton(a, (0.0, *omega))).max() <= 4.0 * UNIT * np.linalg.norm(a) * (
        np.linalg.norm(omega) + 1e-300
    )
    assert abs(rate @ np.array(a)) <= 20.0 * UNIT * np.dot(a, a) * (np.linalg.norm(omega) + 1e-300)  # the length stays
    # The columns of M turn with M' = M skew(omega): the derivative of the matrix along q', by complex step.
    stepped = tuple(complex(x, EPS * y) for x, y in zip(a, rate))
    derivative = np.array([[z.imag for z in row] for row in q.quaternion_matrix(stepped)]) / EPS
    m = np.array(q.quaternion_matrix(a))
    skew = np.array([[0, -omega[2], omega[1]], [omega[2], 0, -omega[0]], [-omega[1], omega[0], 0]])
    assert np.abs(derivative - m @ skew).max() <= 60.0 * UNIT * (np.linalg.norm(omega) + 1e-300)


def test_complex_step_through_a_rotation_about_an_axis():
    axis = (0.6, 0.0, 0.8)
    stepped = q.quaternion_about(tuple(complex(x) for x in axis), complex(0.7, EPS))
    exact = (-0.5 * math.sin(0.35), *(0.5 * math.cos(0.35) * x for x in axis))
    assert [z.imag / EPS for z in stepped] == pytest.approx(exact, rel=1e-15)
    assert [z.imag / EPS for z in q.quaternion_normalised(stepped)] == pytest.approx(exact, rel=1e-14)
