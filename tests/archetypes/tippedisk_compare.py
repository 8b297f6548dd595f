"""A tippedisk in lasting contact, from the terms M, f, W of any parametrisation, in NumPy: what the judge judges.

The index-1 form (Sailer, section 3.7), with the friction of the law moved into the force column of the normal multiplier,

    [ M      -W_NT ] [ u' ]       [ f + W_T^T b ]
    [ w_N^T    0   ] [ N  ]   =   [ -chi        ],      W_NT = w_N + W_T^T a,    chi = (d w_N/dt) u

where the law's force is N a + b, and chi is taken by complex step along q'. Laws with a pivoting couple and with contour friction
add their rows.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rollick.archetypes.tippedisk.pose import Tippedisk, pose_of
from rollick.kernel.compiled import compiled, interpreted
from rollick.mechanics.contact import contact_rows, mass_matrix, position_rate, smooth_forces
from rollick.mechanics.laws.friction import contour_ratio, pivot_couple, row_count
from rollick.mechanics.laws.sliding import arm, traction

STEP = 1e-100  # of the complex step


class Accelerations(NamedTuple):
    """q', u' and the normal force of a lasting contact at C1."""

    q_rate: np.ndarray
    u_rate: np.ndarray
    normal: float


@compiled
def fill_terms(system, t, q, u, dq, M, f, W):
    """F u, M, f and the rows of C1 at a state."""
    position_rate(system, q, u, dq)
    mass_matrix(system, q, M)
    smooth_forces(system, t, q, u, f)
    contact_rows(system, 0.0, q, 0, W)


@compiled
def fill_rows(system, q, W):
    """The rows of C1."""
    contact_rows(system, 0.0, q, 0, W)


def lasting_contact(system: Tippedisk, q: np.ndarray, u: np.ndarray, t: float = 0.0) -> Accelerations:
    """The accelerations with C1 kept on the plane."""
    rows = row_count(system.law)
    dq, M, f, W = np.zeros(len(q)), np.zeros((6, 6)), np.zeros(6), np.zeros((rows, 6))
    interpreted(fill_terms)(system, t, q, u, dq, M, f, W)  # a form has machine code of its own: a test compares both
    Wc = np.zeros((rows, 6), complex)
    interpreted(fill_rows)(system, q + 1j * STEP * dq, Wc)
    chi = Wc[0].imag @ u / STEP
    ratio, given = law_rows(system.law, W @ u)
    lhs = np.zeros((7, 7))
    lhs[:6, :6] = M
    lhs[:6, 6] = -(W[0] + W[1:].T @ ratio)
    lhs[6, :6] = W[0]
    found = np.linalg.solve(lhs, np.append(f + W[1:].T @ given, -chi))
    return Accelerations(dq, found[:6], float(found[6]))


def law_rows(law: Any, velocity: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(a, b) for the rows behind the normal one: their forces are N a + b at these contact velocities; smooth laws only."""
    a, b = np.zeros(len(velocity) - 1), np.zeros(len(velocity) - 1)
    reach = float(arm(law))
    spin = float(velocity[3]) / reach if reach > 0.0 else 0.0
    per_normal, constant = traction(law.sliding, float(velocity[1]), float(velocity[2]), spin)
    a[:2], b[:2] = per_normal[:2], constant[:2]
    if len(velocity) > 3 and reach > 0.0:
        a[2] = (per_normal[2] + pivot_couple(law.pivoting, spin)) / reach
        b[2] = constant[2] / reach
    if len(velocity) > 4:
        a[3:] = contour_ratio(law.contour, float(velocity[4]), float(velocity[5]))
    return a, b


def in_space(system: Tippedisk, q: np.ndarray, u: np.ndarray, found: Accelerations) -> tuple[np.ndarray, np.ndarray]:
    """Accelerations of S and of the attitude in space axes, by complex step along (q', u')."""
    pose = pose_of(system, q + 1j * STEP * found.q_rate, u + 1j * STEP * found.u_rate)
    offset = system.disk.e * pose.attitude[:, 0]
    w = pose.attitude @ pose.omega
    v = pose.velocity + np.cross(w, offset)
    return v.imag / STEP, w.imag / STEP


def seen_from_S(system: Tippedisk, q: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Position of S, attitude, velocity of S and angular velocity in space axes: the judge's state."""
    pose = pose_of(system, q, u)
    offset = system.disk.e * pose.attitude[:, 0]
    w = pose.attitude @ pose.omega
    return pose.position + offset, pose.attitude, pose.velocity + np.cross(w, offset), w
