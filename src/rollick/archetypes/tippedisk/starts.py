"""Starts: the disk with given angles and rates, its lowest point on the plane, sliding as asked (not at all, by default).

Sailer, Table 3.1: x = y = 0, z = r, alpha = 0, beta = pi/2, gamma = -pi/2 + 0.1, at rest but for alpha' = 40 rad/s. The disk
spins about a vertical axis through C1, so that it does not slip. (E10: for the models 1.2 to 1.4, with S at rest, x = -e cos
gamma is needed.)
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...kernel.names import InputError, number
from .angles import physical_angles
from .pose import Pose, Tippedisk, attitude_from_angles, lowest_point, pose_of, rates_of, spin_from_rates, state_of, turned
from .quaternion import FLAT

TABLE_SPIN = 40.0  # Table 3.1
RENDERED_SPIN = -50.0  # Figure 3.13
TABLE_OFFSET = 0.1  # of gamma from -pi/2


def start(
    system: Tippedisk,
    alpha: Any = 0.0,
    beta: Any = 0.5 * math.pi,
    gamma: Any = -0.5 * math.pi,
    alpha_rate: Any = 0.0,
    beta_rate: Any = 0.0,
    gamma_rate: Any = 0.0,
    x: Any = 0.0,
    y: Any = 0.0,
    gap: Any = 0.0,
    gap_rate: Any = 0.0,
    slip: tuple[Any, Any] = (0.0, 0.0),
) -> tuple[np.ndarray, np.ndarray]:
    """A state (q, u) in the coordinates of a system.

    x, y: the position of G in the inertial frame; slip: the velocity of C1 along e_x^R (rolling) and e_y^R (lateral); gap,
    gap_rate: its height above the plane and the rate of that (0, 0: closed contact). The velocity of G follows: v_G = v_C - Omega
    x r_GC.
    """
    a, b, c = (number(v, name, "rad") for v, name in ((alpha, "alpha"), (beta, "beta"), (gamma, "gamma")))
    rates = [
        number(v, name, "rad/s") for v, name in ((alpha_rate, "alpha_rate"), (beta_rate, "beta_rate"), (gamma_rate, "gamma_rate"))
    ]
    height = number(gap, "gap", "m")
    if height < 0.0:
        raise InputError(f"gap = {gap!r} must not be negative: the disk would be in the plane.")
    if not 0.0 < b < math.pi or math.sin(b) < FLAT:
        raise InputError(f"beta = {beta!r} must lie between 0 and pi (both horizontal, where alpha and gamma are one angle).")
    R = attitude_from_angles(a, b, c)
    omega = spin_from_rates(b, c, *rates)
    at = np.array([number(x, "x", "m"), number(y, "y", "m"), height + system.disk.r * math.sin(b)])
    pose = Pose(at, R, np.zeros(3), omega)
    contact = turned(
        a, np.array([number(slip[0], "slip", "m/s"), number(slip[1], "slip", "m/s"), number(gap_rate, "gap_rate", "m/s")])
    )
    velocity = contact - np.cross(R @ omega, lowest_point(pose, system.disk.r))
    return state_of(system, at, (a, b, c), velocity, rates)


def table_start(
    system: Tippedisk, spin: Any = TABLE_SPIN, offset: Any = TABLE_OFFSET, balanced: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """The start of Table 3.1; spin = RENDERED_SPIN: that of Figure 3.13.

    balanced: with S at rest, on the axis of the spin, as the models 1.2 to 1.4 need it (E10). Then G and C1 go round S, and C1
    slips sideways.
    """
    gamma = -0.5 * math.pi + number(offset, "offset", "rad")
    rate = number(spin, "spin", "rad/s")
    x = -system.disk.e * math.cos(gamma) if balanced else 0.0
    return start(system, gamma=gamma, alpha_rate=rate, x=x, slip=(0.0, rate * x))


def converted(system: Tippedisk, q: Any, u: Any, to: Tippedisk) -> tuple[np.ndarray, np.ndarray]:
    """The same state in the coordinates of another system; the disk must not be horizontal."""
    pose = pose_of(system, np.asarray(q, float), np.asarray(u, float))
    rates = rates_of(pose)
    if np.isnan(rates).any():
        raise InputError("the disk is horizontal: alpha and gamma cannot be told apart; use state_of with angles of your choice.")
    angles = [float(v[0]) for v in physical_angles(system, q)]
    return state_of(to, pose.position, angles, pose.velocity, rates)
