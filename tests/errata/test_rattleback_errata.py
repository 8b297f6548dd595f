"""Errata of Kane and Levinson: the printed form fails, the corrected one holds. Plain NumPy, in the symbols of the paper."""

import numpy as np
from numpy import cos, sin

a, b, c, h = 0.2, 0.03, 0.02, 0.01


def contact(mu):
    """The contact point from the centre of the ellipsoid, (16)-(18)."""
    q = np.array([a, b, c]) ** 2
    return q * mu / np.sqrt(q @ mu**2)


def velocity(mu, omega):
    """The velocity of the mass centre in body axes, (24)."""
    return np.cross(omega, np.array([0.0, 0.0, h]) - contact(mu))


def test_zeta_is_the_acceleration_without_angular_acceleration():
    """With omega constant in the body a = d v/dt + omega x v is zeta, (31)-(34): (32) needs v3, not v2."""
    rng = np.random.default_rng(32)
    for _ in range(20):
        alpha, beta = rng.uniform(-0.5, 0.5, 2)
        mu, omega = np.array([-cos(alpha) * sin(beta), sin(alpha), cos(alpha) * cos(beta)]), rng.normal(size=3) * 5.0
        rate, step = -np.cross(omega, mu), 1e-6  # (23): n3 is fixed in space
        moved = [mu + s * rate for s in (step, -step)]
        v = velocity(mu, omega)
        slope = (velocity(moved[0], omega) - velocity(moved[1], omega)) / (2.0 * step)
        exact = (slope + np.cross(omega, v))[0]
        dx = (contact(moved[0]) - contact(moved[1])) / (2.0 * step)
        right = omega[1] * (v[2] - dx[2]) - omega[2] * (v[1] - dx[1])
        printed = omega[1] * (v[1] - dx[2]) - omega[2] * (v[1] - dx[1])
        assert abs(right - exact) < 1e-7 * (1.0 + abs(exact))
        assert abs(printed - exact) > 1e-3 * abs(omega[1] * (v[2] - v[1])) > 0.0


def test_unit_of_the_damping_constant():
    """T = -sigma omega (4): exponents of kg, m, s of a couple over those of an angular velocity."""
    newton, metre, second = np.array([1, 1, -2]), np.array([0, 1, 0]), np.array([0, 0, 1])
    couple, angular_velocity = newton + metre, -second
    assert (couple - angular_velocity == newton + metre + second).all()
    assert not (couple - angular_velocity == newton + second - metre).all()
