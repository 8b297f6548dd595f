"""Saltation against derivatives of closed forms: a bouncing ball, a level and a map that depend on time, a block that comes to stick; by complex step of the solutions, which share no formula with it."""

import cmath

import numpy as np
import pytest

from rollick.motion.hybrid.saltation import across, time_shift, with_instant

STEP = 1e-100


def derivatives(solution, p):
    """The derivative of solution(p) by each entry of p, a column for each."""
    columns = []
    for j in range(len(p)):
        z = np.array(p, complex)
        z[j] += 1j * STEP
        columns.append(np.array(solution(*z), complex).imag / STEP)
    return np.stack(columns, axis=-1)


def fall(t, h, v, g):
    """Height and velocity of a ball in flight."""
    return h + v * t - g * t * t / 2.0, v - g * t


def first_impact(h, v, g):
    """When a ball from the height h with the velocity v reaches the ground, and its velocity there."""
    t = (v + cmath.sqrt(v * v + 2.0 * g * h)) / g
    return t, v - g * t


def second_impact(h, v, g, e):
    """The same of the next time, after a rebound with e times the speed."""
    t, came = first_impact(h, v, g)
    return t - 2.0 * e * came / g, e * came


def test_a_bouncing_ball():
    """Columns of height, velocity, gravity and restitution across two impacts, with the flight between them."""
    g, e = 9.81, 0.7
    p = 1.3, 0.4, g, e
    gravity, restitution = np.eye(4)[2:]
    T, came = (value.real for value in first_impact(*p[:3]))
    w = derivatives(lambda h, v, g, e: fall(T, h, v, g), p)
    for impact in (lambda h, v, g, e: first_impact(h, v, g), second_impact):
        rebounded = lambda t, h, v, g, e, impact=impact: fall(t - impact(h, v, g, e)[0], 0.0, -e * impact(h, v, g, e)[1], g)
        at, came = (value.real for value in impact(*p))
        dt = time_shift(w[0], came)
        assert dt == pytest.approx(derivatives(lambda *p, impact=impact: impact(*p)[0], p), abs=1e-10)
        f, f_after = np.array([came, -g]), np.array([-e * came, -g])
        dy = with_instant(w, dt, f)  # an impact is always at the same height
        assert dy == pytest.approx(derivatives(lambda *p, impact=impact: (0.0, impact(*p)[1]), p), abs=1e-10)
        jump = lambda dt, dy, came=came: np.diag([1.0, -e]) @ dy + np.outer([0.0, -came], restitution)
        w = across(w, dt, f, f_after, jump)
        assert w == pytest.approx(derivatives(lambda *p, at=at, after=rebounded: after(at, *p), p), abs=1e-10)
        flight = derivatives(lambda h, v, g, on=-2.0 * e * came / g: fall(on, h, v, g), (0.0, -e * came, g))
        w = flight[:, :2] @ w + np.outer(flight[:, 2], gravity)


def test_a_level_and_a_map_that_depend_on_time_and_parameters():
    """y' = -k y until y = q exp(-c t), then y+ = y^2 + s t and y' = m y."""
    y0, k, q, c, s, m = p = 2.0, 1.7, 0.9, 0.4, 0.3, 0.8
    reached = lambda y0, k, q, c, *rest: cmath.log(y0 / q) / (k - c)
    T = reached(*p).real

    def after(t, y0, k, q, c, s, m):
        hit = reached(y0, k, q, c)
        y = y0 * cmath.exp(-k * hit)
        return ((y * y + s * hit) * cmath.exp(m * (t - hit)),)

    w = derivatives(lambda y0, k, *rest: (y0 * cmath.exp(-k * T),), p)
    y, level = y0 * np.exp(-k * T), q * np.exp(-c * T)
    assert y == pytest.approx(level)
    g_p = np.array([0.0, 0.0, -level / q, T * level, 0.0, 0.0])
    dt = time_shift(w[0] + g_p, c * level - k * y)
    assert dt == pytest.approx(derivatives(reached, p), abs=1e-10)
    R_p = np.array([[0.0, 0.0, 0.0, 0.0, T, 0.0]])
    jump = lambda dt, dy: 2.0 * y * dy + s * dt + R_p
    found = across(w, dt, np.array([-k * y]), np.array([m * (y * y + s * T)]), jump)
    assert found == pytest.approx(derivatives(lambda *p: after(T, *p), p), abs=1e-10)
    # one column alone is the same
    one = across(w[:, 1], dt[1], np.array([-k * y]), np.array([m * (y * y + s * T)]), lambda dt, dy: 2.0 * y * dy + s * dt)
    assert one == pytest.approx(found[:, 1], abs=1e-14)


def test_a_block_that_comes_to_stick():
    """x'' = -mu g until it rests: x = x0 + u0^2/(2 mu g) from then on. Neighbours that differ by their velocity have become one."""
    p = 0.2, 1.1, 0.3
    _, u0, mu = p
    g = 9.81
    T = u0 / (mu * g)
    w = derivatives(lambda x0, u0, mu: (x0 + u0 * T - mu * g * T * T / 2.0, u0 - mu * g * T), p)
    dt = time_shift(w[1], -mu * g)
    assert dt == pytest.approx(derivatives(lambda x0, u0, mu: u0 / (mu * g), p), abs=1e-10)
    found = across(w, dt, np.array([0.0, -mu * g]), np.zeros(2))
    assert found == pytest.approx(derivatives(lambda x0, u0, mu: (x0 + u0 * u0 / (2.0 * mu * g), 0.0), p), abs=1e-10)
    assert np.linalg.matrix_rank(found[:, :2], tol=1e-10) == 1
    S = across(np.eye(2), time_shift(np.array([0.0, 1.0]), -mu * g), np.array([0.0, -mu * g]), np.zeros(2))
    assert pytest.approx(w[:, :2], abs=1e-12) == np.array([[1.0, T], [0.0, 1.0]])
    assert pytest.approx(np.diag([1.0, 0.0]), abs=1e-15) == S


def test_where_the_motion_only_touches_there_is_no_shift():
    assert np.isnan(time_shift(0.3, 0.0))
    assert np.isnan(time_shift(np.array([0.3, 0.0]), 0.0)).all()
    assert np.isnan(time_shift(0.3, float("nan")))
