"""What one reads off a tippedisk: physical angles, heights, energy, contact velocities and the power that friction takes.

All functions take arrays of states, one row each, in the coordinates of the system. Angles, from any coordinates (Sailer,
section 3.4):

    alpha = atan2(e_x^G.e_y^I, e_x^G.e_x^I),    beta = acos(e_z^I.e_z^B) in [0, pi],    gamma = atan2(R31, R32)

**Unwrapping.** alpha and gamma are continuous along the rows, which must be less than half a turn apart (quaternions; Euler
angles already are).

**Flat rule.** Where sin beta < FLAT alpha and gamma turn about one axis: alpha stays as it was in the row
before (at the first row, gamma = 0), and gamma takes the rest.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kernel.names import InputError
from ...mechanics.laws.friction import Friction, contour_ratio, pivot_couple
from ...mechanics.laws.sliding import arm, traction
from .pose import Pose, Tippedisk, lowest_point, pose_of, rates_of
from .quaternion import FLAT, TippediskQuaternion

Angles = tuple[np.ndarray, np.ndarray, np.ndarray]


class Readings(NamedTuple):
    """Quantities along a motion, one entry per state."""

    alpha: np.ndarray
    beta: np.ndarray
    gamma: np.ndarray
    alpha_rate: np.ndarray
    beta_rate: np.ndarray
    gamma_rate: np.ndarray
    z_S: np.ndarray  # height of the mass centre
    energy: np.ndarray  # kinetic, and potential m g z_S
    gap: np.ndarray  # of C1
    slip: np.ndarray  # (..., 2): velocity of C1 along e_x^R (rolling) and e_y^R (lateral)
    pivoting: np.ndarray  # angular velocity about the normal
    contour: np.ndarray  # gamma_R = -r gamma'; lying flat, 0


class Powers(NamedTuple):
    """The power of each kind of friction, in W, negative where it takes energy."""

    sliding: np.ndarray
    pivoting: np.ndarray
    contour: np.ndarray


def angles_of_attitude(R: np.ndarray) -> Angles:
    """alpha, beta, gamma of rotation matrices (n, 3, 3), unwrapped along the rows, with the flat rule."""
    s = np.hypot(R[:, 2, 0], R[:, 2, 1])
    beta = np.arctan2(s, R[:, 2, 2])
    alpha = np.arctan2(R[:, 0, 2], -R[:, 1, 2])  # e_z^B = (sa sb, -ca sb, cb)
    gamma = np.arctan2(R[:, 2, 0], R[:, 2, 1])
    for i in np.flatnonzero(s < FLAT):
        turn = np.arctan2(R[i, 1, 0], R[i, 0, 0])  # of e_x^B about z: alpha + gamma (face up) or alpha - gamma (face down)
        alpha[i] = alpha[i - 1] if i else turn
        gamma[i] = (turn - alpha[i]) * (1.0 if R[i, 2, 2] > 0.0 else -1.0)
    return np.unwrap(alpha), beta, np.unwrap(gamma)


def physical_angles(system: Tippedisk, q: Any) -> Angles:
    """alpha, beta, gamma along states (n, coordinates)."""
    q = np.atleast_2d(np.asarray(q, float))
    if isinstance(system, TippediskQuaternion):
        return angles_of_attitude(pose_of(system, q, np.zeros((len(q), 6))).attitude)
    alpha, beta, gamma = q[:, 3], np.remainder(q[:, 4] + np.pi, 2.0 * np.pi) - np.pi, q[:, 5]
    over = beta < 0.0  # Z(alpha) X(beta) Z(gamma) = Z(alpha + pi) X(-beta) Z(gamma - pi)
    return np.where(over, alpha + np.pi, alpha), np.abs(beta), np.where(over, gamma - np.pi, gamma)


def energy(system: Tippedisk, pose: Pose) -> np.ndarray:
    """Kinetic energy and m g z_S; equals 1/2 u^T M u + m g (z + e sb sg)."""
    d, w = system.disk, pose.omega
    turning = 0.5 * (d.A * w[..., 0] ** 2 + d.B * w[..., 1] ** 2 + d.C * w[..., 2] ** 2)
    # omega x (e, 0, 0) = e (0, w_z, -w_y) in body axes
    orbit = d.e * (pose.attitude[..., :, 1] * w[..., None, 2] - pose.attitude[..., :, 2] * w[..., None, 1])
    moving = np.sum(pose.velocity * (0.5 * pose.velocity + orbit), axis=-1)
    return turning + d.m * moving + d.m * system.g * height_of_S(system, pose)


def height_of_S(system: Tippedisk, pose: Pose) -> np.ndarray:
    """z_S = z + e R31."""
    return pose.position[..., 2] + system.disk.e * pose.attitude[..., 2, 0]


def slip_of(system: Tippedisk, pose: Pose) -> np.ndarray:
    """The velocity of C1 along e_x^R and e_y^R (..., 2)."""
    w = np.einsum("...ij,...j->...i", pose.attitude, pose.omega)
    v = pose.velocity + np.cross(w, lowest_point(pose, system.disk.r))
    n = pose.attitude[..., 2, :]
    s = np.hypot(n[..., 0], n[..., 1])
    flat = s < FLAT
    along = np.stack([-pose.attitude[..., 1, 2], pose.attitude[..., 0, 2]], axis=-1) / np.where(flat, 1.0, s)[..., None]
    along = np.where(flat[..., None], pose.attitude[..., :2, 0], along)  # e_x^G = (ca, sa); lying flat, e_x^B
    return np.stack(
        [along[..., 0] * v[..., 0] + along[..., 1] * v[..., 1], along[..., 0] * v[..., 1] - along[..., 1] * v[..., 0]], axis=-1
    )


def readings(system: Tippedisk, q: Any, u: Any) -> Readings:
    """All that can be read off states (n, coordinates) and (n, velocities)."""
    q, u = np.atleast_2d(np.asarray(q, float)), np.atleast_2d(np.asarray(u, float))
    pose = pose_of(system, q, u)
    alpha, beta, gamma = physical_angles(system, q)
    rates = rates_of(pose)
    spin = np.einsum("...j,...j->...", pose.attitude[..., 2, :], pose.omega)
    low = pose.position[..., 2] + lowest_point(pose, system.disk.r)[..., 2]
    return Readings(
        alpha, beta, gamma, rates[:, 0], rates[:, 1], rates[:, 2], height_of_S(system, pose), energy(system, pose), low,
        slip_of(system, pose), spin, np.nan_to_num(-system.disk.r * rates[:, 2]),
    )  # fmt: skip


def friction_power(system: Tippedisk, q: Any, u: Any, normal: Any = None) -> Powers:
    """The power of sliding, pivoting and contour friction at C1.

    normal: the normal force at each state (or one for all). Laws with a load of their own (`ConstantLoad`, `Linearised`,
    `Viscous`) do without. Set-valued laws are taken at their limits, which is what they do whenever there is slip; without slip
    there is no power. The couple of Contensou friction counts as pivoting.
    """
    law: Friction = system.law
    read = readings(system, q, u)
    n = len(read.alpha)
    forces = np.broadcast_to(np.asarray(0.0 if normal is None else normal, float), (n,))
    found = np.zeros((3, n))
    for i in range(n):
        v1, v2, spin, c = float(read.slip[i, 0]), float(read.slip[i, 1]), float(read.pivoting[i]), float(read.contour[i])
        a, b = traction(law.sliding, v1, v2, spin)
        couple = a[2] + pivot_couple(law.pivoting, spin)
        rolling = contour_ratio(law.contour, c, 0.0)[0] * c
        per_normal = np.array([a[0] * v1 + a[1] * v2, couple * spin, rolling])
        if normal is None and np.any(per_normal):
            raise InputError("the power of this law depends on the normal force; give it as normal=...")
        found[:, i] = forces[i] * per_normal + np.array([b[0] * v1 + b[1] * v2, b[2] * spin, 0.0])
    return Powers(found[0], found[1], found[2])


def pivoting_velocity(system: Tippedisk, read: Readings) -> np.ndarray:
    """gamma_tau: the angular velocity about the normal times the arm of the law."""
    return float(arm(system.law)) * read.pivoting
