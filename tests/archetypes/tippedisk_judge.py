"""An independent judge of the tippedisk: Newton-Euler equations about the mass centre S, in space axes.

The contact force is an unknown. The judge shares no code with `archetypes.tippedisk`: the attitude is a rotation matrix R, with b
= R e_x the direction from G to S and a = R e_z the disk's axis; v is the velocity of S and w the angular velocity, both in space
axes. No angle, quaternion, mass matrix or row of W occurs.

**Contact.** The lowest point of the rim, from S, and the height of that point (the gap):

    c = -e b - r t,    t = (e_z - (e_z.a) a)/|.|,      h = z_S - e b_z - r sqrt(1 - a_z^2)

**Motion.** With the regularised friction of Sailer (3.33), k = e_z - mu v_t/(|v_t| + eps), v_t the horizontal part of v + w x c:

    m v'            = -m g e_z + N k
    J w' + w x J w  = c x N k,            J = R diag(A, B - m e^2, C - m e^2) R^T
    0 = h''         = e_z.(v' + w' x c) + (rate of e_z.(v + w x c) at constant v, w)

seven linear equations for v', w', N. The last term is taken by complex step along R' = w x R. `constant_load` puts m g in the
place of N in the friction (Sailer (4.28)), where the force is N e_z + f with a given f.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

UP = np.array([0.0, 0.0, 1.0])
STEP = 1e-40  # of the complex step


@dataclass(frozen=True)
class JudgedDisk:
    """Radius, distance GS, mass, moments about G in body axes; friction, smoothing velocity, gravity."""

    r: float
    e: float
    m: float
    A: float
    B: float
    C: float
    mu: float
    eps: float
    g: float = 9.81
    constant_load: bool = False


@dataclass(frozen=True)
class Verdict:
    """Accelerations of S and of the attitude, in space axes, and the normal force."""

    v_rate: np.ndarray
    w_rate: np.ndarray
    normal: float


def cross_matrix(x: np.ndarray) -> np.ndarray:
    """The matrix X with X y = x x y."""
    return np.array([[0.0, -x[2], x[1]], [x[2], 0.0, -x[0]], [-x[1], x[0], 0.0]])


def lowest_from_S(disk: JudgedDisk, R: np.ndarray) -> np.ndarray:
    """c: from S to the lowest point of the rim; complex-safe."""
    b, a = R[:, 0], R[:, 2]
    steepest = UP - a[2] * a
    return -disk.e * b - disk.r * steepest / np.sqrt(np.sum(steepest * steepest))


def gap(disk: JudgedDisk, z_S: float, R: np.ndarray) -> float:
    """h: the height of the lowest point."""
    return float(z_S - disk.e * R[2, 0] - disk.r * np.sqrt(1.0 - R[2, 2] ** 2))


def judge(disk: JudgedDisk, R: np.ndarray, v: np.ndarray, w: np.ndarray) -> Verdict:
    """The accelerations in lasting contact at attitude R, velocity v of S and angular velocity w."""
    c = lowest_from_S(disk, R)
    slip = v + np.cross(w, c)
    slip[2] = 0.0
    friction = -disk.mu * slip / (np.linalg.norm(slip) + disk.eps)
    along = UP if disk.constant_load else UP + friction  # force per normal force
    given = disk.m * disk.g * friction if disk.constant_load else np.zeros(3)

    shift = disk.m * disk.e**2
    J = R @ np.diag([disk.A, disk.B - shift, disk.C - shift]) @ R.T
    moved = lowest_from_S(disk, R + 1j * STEP * (cross_matrix(w) @ R)).imag / STEP  # c', the rate of the lowest point from S

    lhs = np.zeros((7, 7))
    rhs = np.zeros(7)
    lhs[:3, :3] = disk.m * np.eye(3)
    lhs[:3, 6] = -along
    rhs[:3] = -disk.m * disk.g * UP + given
    lhs[3:6, 3:6] = J
    lhs[3:6, 6] = -np.cross(c, along)
    rhs[3:6] = np.cross(c, given) - np.cross(w, J @ w)
    lhs[6, :3] = UP
    lhs[6, 3:6] = np.cross(c, UP)
    rhs[6] = -UP @ np.cross(w, moved)
    found = np.linalg.solve(lhs, rhs)
    return Verdict(found[:3], found[3:6], float(found[6]))


def rates(disk: JudgedDisk, state: np.ndarray) -> np.ndarray:
    """d/dt of (r_S, R by rows, v, w), eighteen numbers: for an integration by other means."""
    R, v, w = state[3:12].reshape(3, 3), state[12:15], state[15:]
    found = judge(disk, R, v, w)
    return np.concatenate([v, (cross_matrix(w) @ R).ravel(), found.v_rate, found.w_rate])
