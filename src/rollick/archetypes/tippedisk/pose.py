"""Where the disk is and how it moves, from each parametrisation and back: the common ground of starts, readings and comparisons.

A *pose* is the position of G, the attitude R (body to inertial), the velocity of G and the angular velocity in body axes.
`pose_of` works on arrays of states, one row each, real or complex; `state_of` makes one state from angles and rates.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kernel.names import InputError, called
from ...mechanics.euler import from_zxz, zxz_spin
from .corotating import TippediskCorotating
from .euler import TippediskEuler
from .quaternion import FLAT, TippediskQuaternion

Tippedisk = TippediskQuaternion | TippediskEuler | TippediskCorotating


class Pose(NamedTuple):
    """Position of G (..., 3), attitude (..., 3, 3), velocity of G (..., 3), inertial; angular velocity (..., 3), body axes."""

    position: np.ndarray
    attitude: np.ndarray
    velocity: np.ndarray
    omega: np.ndarray


def _matrix(rows: list[list[Any]]) -> np.ndarray:
    return np.stack([np.stack(np.broadcast_arrays(*row), axis=-1) for row in rows], axis=-2)


def attitude_from_angles(alpha: Any, beta: Any, gamma: Any) -> np.ndarray:
    """A_IB = Z(alpha) X(beta) Z(gamma), Sailer (3.64)-(3.65)."""
    sa, ca, sb, cb, sg, cg = (f(x) for x in (alpha, beta, gamma) for f in (np.sin, np.cos))
    return _matrix(
        [
            [ca * cg - sa * cb * sg, -ca * sg - sa * cb * cg, sa * sb],
            [sa * cg + ca * cb * sg, -sa * sg + ca * cb * cg, -ca * sb],
            [sb * sg, sb * cg, cb + 0.0 * sg],
        ]
    )


def attitude_from_quaternion(p: np.ndarray) -> np.ndarray:
    """The rotation matrices of quaternions of any length, one per row."""
    w, x, y, z = np.moveaxis(p, -1, 0)
    s = 2.0 / (w * w + x * x + y * y + z * z)
    return _matrix(
        [
            [1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)],
            [s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x)],
            [s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y)],
        ]
    )


def spin_from_rates(beta: Any, gamma: Any, ad: Any, bd: Any, gd: Any) -> np.ndarray:
    """The angular velocity in body axes, Sailer (3.66)."""
    sb, cb, sg, cg = np.sin(beta), np.cos(beta), np.sin(gamma), np.cos(gamma)
    return np.stack([ad * sb * sg + bd * cg, ad * sb * cg - bd * sg, ad * cb + gd], axis=-1)


def turned(alpha: Any, v: np.ndarray) -> np.ndarray:
    """Z(alpha) v: from the R frame to the inertial frame."""
    s, c = np.sin(alpha), np.cos(alpha)
    return np.stack([c * v[..., 0] - s * v[..., 1], s * v[..., 0] + c * v[..., 1], v[..., 2]], axis=-1)


def pose_of(system: Tippedisk, q: Any, u: Any) -> Pose:
    """The poses of states, one row each (or of a single one)."""
    q, u = np.asarray(q), np.asarray(u)
    if isinstance(system, TippediskQuaternion):
        return Pose(q[..., :3], attitude_from_quaternion(q[..., 3:]), u[..., :3], u[..., 3:])
    alpha, beta, gamma = q[..., 3], q[..., 4], q[..., 5]
    attitude = attitude_from_angles(alpha, beta, gamma)
    omega = spin_from_rates(beta, gamma, u[..., 3], u[..., 4], u[..., 5])
    if isinstance(system, TippediskEuler):
        return Pose(q[..., :3], attitude, u[..., :3], omega)
    if not isinstance(system, TippediskCorotating):
        raise InputError(f"{called(system)} is no tippedisk; make one with tippedisk(...).")
    ad = u[..., 3]
    v = np.stack([u[..., 0] - q[..., 1] * ad, u[..., 1] + q[..., 0] * ad, u[..., 2]], axis=-1)
    return Pose(turned(alpha, q[..., :3]), attitude, turned(alpha, v), omega)


def state_of(system: Tippedisk, position: Any, angles: Any, velocity: Any, rates: Any) -> tuple[np.ndarray, np.ndarray]:
    """One state (q, u): position and velocity of G in the inertial frame, the angles alpha, beta, gamma and their rates."""
    x = np.array(position, float)
    v = np.array(velocity, float)
    alpha, beta, gamma = (float(a) for a in angles)
    ad, bd, gd = (float(a) for a in rates)
    if isinstance(system, TippediskQuaternion):
        p = np.array(from_zxz(alpha, beta, gamma))
        return np.concatenate([x, p]), np.concatenate([v, zxz_spin(beta, gamma, ad, bd, gd)])
    if isinstance(system, TippediskCorotating):
        x, v = turned(-alpha, x), turned(-alpha, v)
        v = np.array([v[0] + x[1] * ad, v[1] - x[0] * ad, v[2]])
    elif not isinstance(system, TippediskEuler):
        raise InputError(f"{called(system)} is no tippedisk; make one with tippedisk(...).")
    return np.concatenate([x, [alpha, beta, gamma]]), np.concatenate([v, [ad, bd, gd]])


def rates_of(pose: Pose) -> np.ndarray:
    """alpha', beta', gamma' (..., 3) from the angular velocity; not a number where the disk is horizontal (sin beta < FLAT).

    With s = sin beta: alpha' = (R31 w_x + R32 w_y)/s^2, beta' = (R32 w_x - R31 w_y)/s, gamma' = w_z - R33 alpha' (E5).
    """
    n, w = pose.attitude[..., 2, :], pose.omega
    s = np.sqrt(n[..., 0] ** 2 + n[..., 1] ** 2)
    s = np.where(np.real(s) < FLAT, np.nan, s)
    ad = (n[..., 0] * w[..., 0] + n[..., 1] * w[..., 1]) / s**2
    bd = (n[..., 1] * w[..., 0] - n[..., 0] * w[..., 1]) / s
    return np.stack([ad, bd, w[..., 2] - n[..., 2] * ad], axis=-1)


def lowest_point(pose: Pose, r: float) -> np.ndarray:
    """r_GC1 (..., 3) in the inertial frame: -r e_y^G; lying flat, -r e_y^B."""
    n = pose.attitude[..., 2, :]
    s = np.sqrt(n[..., 0] ** 2 + n[..., 1] ** 2)
    lies = (np.real(s) < FLAT)[..., None]
    down = np.stack([n[..., 0], n[..., 1], 0.0 * s], axis=-1) / np.where(lies, 1.0, s[..., None])
    body = np.where(lies, np.array([0.0, 1.0, 0.0]), down)
    return -r * np.einsum("...ij,...j->...i", pose.attitude, body)
