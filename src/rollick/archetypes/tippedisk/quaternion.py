"""The tippedisk with a unit quaternion: Sailer (3.52)-(3.63), without singular positions.

    q = (x, y, z of G, p0, p1, p2, p3),    u = (v_G in the inertial frame, omega in body axes)

R = R(p) takes body to inertial components; n = (R31, R32, R33) is the upward normal seen from the body, s = sin beta = |(R31,
R32)|. In body axes

    e_x^G = (R32, -R31, 0)/s,    e_y^G = (R31, R32, 0)/s,    r_GC1 = -r e_y^G,    r_GC2,3 = (r/2) e_y^G +- (sqrt(3)/2) r e_x^G

(Sailer (3.23)).

**Horizontal position.** Below s = FLAT the direction of (R31, R32) is rounding error. The thesis keeps the previous G frame; a
function of the state cannot. There the G frame is the body frame (gamma = 0): C1, C2, C3 are three fixed points of the rim, 120
deg apart, and the contour velocity is zero.

Row 0 of C1 is the rate of its gap; that of C2 and C3 is the material point's velocity along the normal, as in `euler`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...kernel.compiled import inlined
from ...kernel.quaternion import make_unit, quaternion_matrix, quaternion_rate
from ...kernel.scalar import real, sqrt
from ...kernel.vector import cross, matvec
from ...mechanics.contact import (
    contact_count,
    contact_rows,
    gap,
    law_of,
    mass_matrix,
    position_rate,
    positions,
    smooth_forces,
    tidy,
    velocities,
)
from ...mechanics.laws.friction import row_count
from ...mechanics.laws.sliding import arm
from .euler_terms import contact_coordinates

FLAT = 1e-8  # sin beta below which a disk counts as horizontal


class TippediskQuaternion(NamedTuple):
    """A tippedisk: inertial position of G and a unit quaternion, angular velocity in body axes."""

    disk: Any
    law: Any
    e_N: float
    g: float


@inlined
def attitude_of(q):
    """The rotation matrix at q."""
    return quaternion_matrix((q[3], q[4], q[5], q[6]))


@inlined
def is_flat(n):
    """Whether the disk counts as horizontal."""
    return real(n[0]) * real(n[0]) + real(n[1]) * real(n[1]) < FLAT * FLAT


@inlined
def contact_point(r, n, k):
    """r_GC of contact k in body axes, Sailer (3.23)."""
    a, b = contact_coordinates(r, k)
    zero = 0.0 * n[0]
    if is_flat(n):
        return a + zero, b + zero, zero
    w = 1.0 / sqrt(n[0] * n[0] + n[1] * n[1])
    return (a * n[1] + b * n[0]) * w, (b * n[1] - a * n[0]) * w, zero


@positions.register(TippediskQuaternion)
def _(s):
    return 7


@velocities.register(TippediskQuaternion)
def _(s):
    return 6


@contact_count.register(TippediskQuaternion)
def _(s):
    return 3


@position_rate.register(TippediskQuaternion)
def _(s, q, u, out):
    for i in range(3):
        out[i] = u[i]
    dp = quaternion_rate((q[3], q[4], q[5], q[6]), (u[3], u[4], u[5]))
    for i in range(4):
        out[3 + i] = dp[i]


@tidy.register(TippediskQuaternion)
def _(s, q):
    make_unit(q, 3)


@mass_matrix.register(TippediskQuaternion)
def _(s, q, out):
    R = attitude_of(q)
    m, me = s.disk.m, s.disk.m * s.disk.e
    zero = 0.0 * q[3]
    for i in range(6):
        for j in range(6):
            out[i, j] = zero
    for i in range(3):  # Sailer (3.53): m 1 and m R r~^T with r = (e, 0, 0) (E6)
        out[i, i] = m + zero
        out[i, 4] = -me * R[i][2]
        out[i, 5] = me * R[i][1]
        out[4, i] = -me * R[i][2]
        out[5, i] = me * R[i][1]
    out[3, 3] = s.disk.A + zero
    out[4, 4] = s.disk.B + zero
    out[5, 5] = s.disk.C + zero


@smooth_forces.register(TippediskQuaternion)
def _(s, t, q, u, out):
    R = attitude_of(q)
    A, B, C = s.disk.A, s.disk.B, s.disk.C
    me, weight = s.disk.m * s.disk.e, s.disk.m * s.g
    wx, wy, wz = u[3], u[4], u[5]
    inward = matvec(R, (wy * wy + wz * wz, -wx * wy, -wx * wz))  # -omega x (omega x e_x^B)
    for i in range(3):
        out[i] = me * inward[i]
    out[2] -= weight
    out[3] = (B - C) * wy * wz
    out[4] = (C - A) * wz * wx + weight * s.disk.e * R[2][2]  # r_GS x R^T (0, 0, -m g)
    out[5] = (A - B) * wx * wy - weight * s.disk.e * R[2][1]


@gap.register(TippediskQuaternion)
def _(s, t, q, k):
    n = attitude_of(q)[2]
    c = contact_point(s.disk.r, n, k)
    return q[2] + n[0] * c[0] + n[1] * c[1]


@contact_rows.register(TippediskQuaternion)
def _(s, t, q, k, out):
    R = attitude_of(q)
    n = R[2]
    c = contact_point(s.disk.r, n, k)
    law = law_of(s, k)
    for i in range(row_count(law)):
        for j in range(6):
            out[i, j] = 0.0
    for i in range(3):  # Sailer (3.58): e_i.(v_G + omega x r_GC), rows z, x, y
        axis = (i + 2) % 3
        out[i, axis] = 1.0
        turn = cross(c, R[axis])
        for j in range(3):
            out[i, 3 + j] = turn[j]
    if row_count(law) > 3 and k == 0:
        for j in range(3):
            out[3, 3 + j] = arm(law) * n[j]  # arm omega.e_z
        if row_count(law) > 4 and not is_flat(n):
            ratio = n[2] / (n[0] * n[0] + n[1] * n[1])
            out[4, 3] = (
                s.disk.r * ratio * n[0]
            )  # Sailer (3.63), E5: -r gamma', gamma' = omega_z - R33 (R31 omega_x + R32 omega_y)/s^2
            out[4, 4] = s.disk.r * ratio * n[1]
            out[4, 5] = -s.disk.r
