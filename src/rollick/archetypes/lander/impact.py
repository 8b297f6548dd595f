"""A leg hits the ground and sticks for an instant (thesis 6.2.2, discrete dynamics).

The impulse zeta at the end r_i of a leg brings that point to rest; the friction in the bearing has no time to act, so that the wheel keeps
its own rotation, unless it is locked to the lander:

    M d_omega = r_i x zeta,   M = theta00 - u_z u_z' theta22   (a locked wheel: theta00)                                       (6.11)
    d_v = zeta / m                                                                                                            (6.12)
    (omega + d_omega) x r_i + v + d_v = 0,   that is,   zeta = -W^-1 (v + omega x r_i),   W = I/m - [r_i]x M^-1 [r_i]x            (6.13)
    d_omega_rot = -u_z.d_omega   (a locked wheel: 0)                                                                          (6.14)
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kernel.names import InputError
from .lander import Lander, inertia
from .telemetry import legs


class Impact(NamedTuple):
    """The velocities after an impact, the impulse, and the energy lost at the contact (a motor that holds a wheel does work besides)."""

    omega: np.ndarray
    omega_rot: float
    v: np.ndarray
    impulse: np.ndarray
    lost: float


def cross_matrix(r: Any) -> np.ndarray:
    """The matrix of r x ."""
    x, y, z = (float(c) for c in r)
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def leg_end(leg: int) -> np.ndarray:
    """The end of leg 1, 2 or 3 in the lander frame."""
    if leg not in (1, 2, 3):
        raise InputError(f"the lander has no leg {leg!r}; choose 1, 2 or 3.")
    return legs()[leg - 1]


def kinetic_energy(lander: Lander, omega: np.ndarray, omega_rot: float, v: np.ndarray) -> float:
    """The kinetic energy of translation and rotation."""
    turning = 0.5 * float(omega @ inertia(lander) @ omega) + lander.wheel * omega_rot * (omega[2] + 0.5 * omega_rot)
    return turning + 0.5 * lander.m * float(v @ v)


def sticking_impact(lander: Lander, omega: Any, omega_rot: float, v: Any, leg: int | Any, locked: bool = False) -> Impact:
    """The sticking impact of a leg (its number, or a point of the lander): angular velocity and velocity in the lander frame."""
    w, u = np.asarray(omega, float), np.asarray(v, float)
    r = leg_end(int(leg)) if np.ndim(leg) == 0 else np.asarray(leg, float)
    M = inertia(lander)
    if not locked:
        M[2, 2] -= lander.wheel
    R = cross_matrix(r)
    W = np.eye(3) / lander.m - R @ np.linalg.solve(M, R)
    impulse = -np.linalg.solve(W, u + np.cross(w, r))  # (6.13)
    jump = np.linalg.solve(M, np.cross(r, impulse))  # (6.11)
    after, velocity = w + jump, u + impulse / lander.m  # (6.12)
    spin = float(omega_rot) - (0.0 if locked else float(jump[2]))  # (6.14)
    lost = -0.5 * float(impulse @ (u + np.cross(w, r)))  # the work of the impulse on the mean velocity of the leg's end
    return Impact(after, spin, velocity, impulse, lost)
