"""Attitudes and angular velocities from angles, and back.

ZXZ (Euler, Koiller section 2): R = Z(phi) X(theta) Z(psi), and in body axes (9, corrected)

    Omega = (phi' sin theta sin psi + theta' cos psi,  phi' sin theta cos psi - theta' sin psi,  phi' cos theta + psi')

ZXY (yaw, roll, pitch): R = Z(gamma) X(alpha) Y(beta); zero means that e3 points straight up.
"""

from __future__ import annotations

import math

import numpy as np

from ..kernel.quaternion import quaternion_about, quaternion_product

Quaternion = tuple[float, float, float, float]


def from_zxz(phi: float, theta: float, psi: float) -> Quaternion:
    """The quaternion of R = Z(phi) X(theta) Z(psi)."""
    c, s = math.cos(0.5 * theta), math.sin(0.5 * theta)
    half_sum, half_difference = 0.5 * (phi + psi), 0.5 * (phi - psi)
    return c * math.cos(half_sum), s * math.cos(half_difference), s * math.sin(half_difference), c * math.sin(half_sum)


def zxz_spin(theta: float, psi: float, phi_rate: float, theta_rate: float, psi_rate: float) -> tuple[float, float, float]:
    """The angular velocity in body axes from the rates of the ZXZ angles (9)."""
    st, sp, cp = math.sin(theta), math.sin(psi), math.cos(psi)
    return (
        phi_rate * st * sp + theta_rate * cp,
        phi_rate * st * cp - theta_rate * sp,
        phi_rate * math.cos(theta) + psi_rate,
    )


def from_zxy(gamma: float, alpha: float, beta: float) -> Quaternion:
    """The quaternion of R = Z(gamma) X(alpha) Y(beta)."""
    x, y, z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    turned = quaternion_product(quaternion_about(z, float(gamma)), quaternion_about(x, float(alpha)))
    return quaternion_product(turned, quaternion_about(y, float(beta)))


def zxz_from(q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """phi, theta and psi of quaternions (one row each); phi and psi unwrapped along the rows, apart at theta = 0."""
    w, x, y, z = np.asarray(q, float).T
    theta = 2.0 * np.arctan2(np.hypot(x, y), np.hypot(w, z))
    total, difference = np.unwrap(2.0 * np.arctan2(z, w), period=4 * np.pi), np.unwrap(2.0 * np.arctan2(y, x), period=4 * np.pi)
    return 0.5 * (total + difference), theta, 0.5 * (total - difference)
