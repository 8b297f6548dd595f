"""The rattleback with its attitude as a unit quaternion: no singular angles, and a second opinion on the kinematics.

States: the quaternion q0..q3 (scalar first, body to the frame n1, n2, n3 with n3 down) and omega1..3. The quaternion is pulled back to
unit length by 2 (1 - |q|^2) q. The equations for omega' are those of `equations`.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...kernel.hooks import kept, second_formulation, start_state
from ...kernel.quaternion import quaternion_matrix, quaternion_product, quaternion_rate
from ...kernel.scalar import sqrt
from ...kernel.system import describe, rate, signals
from .equations import STATES, spin_rates
from .stone import Rattleback

PULL = 2.0


class QuaternionRattleback(NamedTuple):
    """The rattleback in quaternions: any attitude."""

    stone: Rattleback


@rate.register(QuaternionRattleback)
def _(system, t, y, out):
    w1, w2, w3 = y[4], y[5], y[6]
    q = (y[0], y[1], y[2], y[3])
    r = quaternion_matrix(q)
    mu1, mu2, mu3 = r[2]  # n3 in body axes: the last row of the matrix with columns r_k
    dw, _, _, _ = spin_rates(system.stone, mu1, mu2, mu3, w1, w2, w3, False)
    dq = quaternion_rate(q, (w1, w2, w3))
    excess = PULL * (1.0 - (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]))
    out[0] = dq[0] + excess * q[0]
    out[1] = dq[1] + excess * q[1]
    out[2] = dq[2] + excess * q[2]
    out[3] = dq[3] + excess * q[3]
    out[4] = dw[0]
    out[5] = dw[1]
    out[6] = dw[2]


@signals.register(QuaternionRattleback)
def _(system, t, y, out):
    out[0] = sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2] + y[3] * y[3]) - 1.0


def attitude(alpha: float, beta: float, gamma: float) -> tuple[float, float, float, float]:
    """The quaternion of Rz(gamma) Rx(alpha) Ry(beta)."""
    about_z = (math.cos(gamma / 2), 0.0, 0.0, math.sin(gamma / 2))
    about_x = (math.cos(alpha / 2), math.sin(alpha / 2), 0.0, 0.0)
    about_y = (math.cos(beta / 2), 0.0, math.sin(beta / 2), 0.0)
    return quaternion_product(about_z, quaternion_product(about_x, about_y))


def angles(q: np.ndarray, near: np.ndarray) -> np.ndarray:
    """alpha, beta and gamma of quaternions, one row each, on the branch closest to the angles `near`.

    The same attitude has the angles (alpha, beta, gamma) and (pi - alpha, beta + pi, gamma + pi), each up to full turns.
    """
    w, x, y, z = np.asarray(q, float).T
    s = 2.0 / (w * w + x * x + y * y + z * z)
    alpha = np.arcsin(np.clip(s * (y * z + w * x), -1.0, 1.0))
    beta = np.arctan2(-s * (x * z - w * y), 1.0 - s * (x * x + y * y))
    gamma = np.arctan2(-s * (x * y - w * z), 1.0 - s * (x * x + z * z))
    first = np.stack([alpha, beta, gamma], axis=1)
    second = np.stack([np.pi - alpha, beta + np.pi, gamma + np.pi], axis=1)
    both = [one + 2.0 * np.pi * np.round((near - one) / (2.0 * np.pi)) for one in (first, second)]
    closer = np.abs(both[0] - near).sum(axis=1) <= np.abs(both[1] - near).sum(axis=1)
    return np.where(closer[:, None], both[0], both[1])


def quaternion_form(stone: Rattleback) -> QuaternionRattleback:
    """The same stone in quaternions; a start in alpha, beta, gamma, omega1..3 is understood."""
    return QuaternionRattleback(stone)


@start_state.register(QuaternionRattleback)
def _(system, given):
    from ...kernel.names import choose, number

    values = dict.fromkeys(STATES, 0.0)
    for name, value in given.items():
        name = choose(name, STATES, "start of the rattleback in quaternions")
        values[name] = number(value, name, STATES[name][0])
    turn = attitude(values["alpha"], values["beta"], values["gamma"])
    return np.array([*turn, values["omega1"], values["omega2"], values["omega3"]])


@second_formulation.register(Rattleback)
def _(stone):
    def forth(y: np.ndarray) -> np.ndarray:
        return np.array([*attitude(y[0], y[1], y[2]), y[3], y[4], y[5]])

    def back(states: np.ndarray, like: np.ndarray) -> np.ndarray:
        return np.hstack([angles(states[:, :4], like[:, :3]), states[:, 4:]])

    return QuaternionRattleback(stone), forth, back


@kept.register(QuaternionRattleback)
def _(stone):
    return {"|q| - 1": ("length_error",)}


describe(
    QuaternionRattleback,
    {
        "q0": ("", "scalar part of the attitude quaternion"),
        "q1": "",
        "q2": "",
        "q3": "",
        "omega1": "rad/s",
        "omega2": "rad/s",
        "omega3": "rad/s",
    },
    {"length_error": ("", "|q| - 1")},
)
