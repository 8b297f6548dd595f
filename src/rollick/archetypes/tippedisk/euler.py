"""The tippedisk in Euler angles, G in the inertial frame: Sailer (3.75)-(3.85).

    q = (x, y, z of G, alpha, beta, gamma),    u = q'

with the z-x-z angles of Sailer (3.64)-(3.66): A_IB = Z(alpha) X(beta) Z(gamma). Slip is measured along the inertial x and y axes.
The contact points and the horizontal position: see `euler_terms`. Row 0 of a contact is the velocity of the disk's material point
along the normal. For C1, the lowest point, that is the rate of the gap; C2 and C3 wander on the rim, so that the rate of their
gap is less by +- (sqrt(3)/2) r gamma' sin beta.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...kernel.scalar import sincos
from ...mechanics.contact import (
    contact_count,
    contact_rows,
    gap,
    law_of,
    mass_matrix,
    position_rate,
    positions,
    smooth_forces,
    velocities,
)
from ...mechanics.laws.friction import row_count
from ...mechanics.laws.sliding import arm
from .euler_terms import (
    contact_coordinates,
    offset_forces,
    offset_inertia,
    turning_forces,
    turning_inertia,
    write_gravity,
    write_turning,
)


class TippediskEuler(NamedTuple):
    """A tippedisk: inertial position of G and z-x-z Euler angles."""

    disk: Any
    law: Any
    e_N: float
    g: float


@positions.register(TippediskEuler)
def _(s):
    return 6


@velocities.register(TippediskEuler)
def _(s):
    return 6


@contact_count.register(TippediskEuler)
def _(s):
    return 3


@position_rate.register(TippediskEuler)
def _(s, q, u, out):
    for i in range(6):
        out[i] = u[i]


@mass_matrix.register(TippediskEuler)
def _(s, q, out):
    sa, ca = sincos(q[3])
    sb, cb = sincos(q[4])
    sg, cg = sincos(q[5])
    x, y, z = offset_inertia(s.disk, sb, cb, sg, cg)
    m11, m12, m13, m22, m33 = turning_inertia(s.disk, sb, cb, sg, cg)
    zero = 0.0 * sb
    for i in range(3):
        for j in range(3):
            out[i, j] = zero
        out[i, i] = s.disk.m + zero
    for j in range(3):  # M12: the rows x, y of R turned by alpha
        out[0, 3 + j] = ca * x[j] - sa * y[j]
        out[1, 3 + j] = sa * x[j] + ca * y[j]
        out[2, 3 + j] = z[j] + zero
        for i in range(3):
            out[3 + j, i] = out[i, 3 + j]
    out[3, 3] = m11  # M22
    out[3, 4] = m12
    out[4, 3] = m12
    out[3, 5] = m13
    out[5, 3] = m13
    out[4, 4] = m22
    out[4, 5] = zero
    out[5, 4] = zero
    out[5, 5] = m33


@smooth_forces.register(TippediskEuler)
def _(s, t, q, u, out):
    sa, ca = sincos(q[3])
    sb, cb = sincos(q[4])
    sg, cg = sincos(q[5])
    h1, h2, h3 = offset_forces(s.disk, sb, cb, sg, cg, u[3], u[4], u[5])
    h4, h5, h6 = turning_forces(s.disk, sb, cb, sg, cg, u[3], u[4], u[5])
    out[0] = ca * h1 - sa * h2  # Sailer (3.78)
    out[1] = sa * h1 + ca * h2
    out[2] = h3
    out[3] = h4
    out[4] = h5
    out[5] = h6
    write_gravity(s.disk, s.g, sb, cb, sg, cg, out)


@gap.register(TippediskEuler)
def _(s, t, q, k):
    _, b = contact_coordinates(s.disk.r, k)
    sb, _ = sincos(q[4])
    return q[2] + b * sb


@contact_rows.register(TippediskEuler)
def _(s, t, q, k, out):
    sa, ca = sincos(q[3])
    sb, cb = sincos(q[4])
    a, b = contact_coordinates(s.disk.r, k)
    for i in range(3):
        for j in range(6):
            out[i, j] = 0.0
    # v_C = v_G + alpha' e_z x r_GC + beta' b e_z^B + gamma' (a e_y^G - b e_x^G)
    out[0, 2] = 1.0  # w_N
    out[0, 4] = b * cb
    out[0, 5] = a * sb
    out[1, 0] = 1.0  # W_T
    out[1, 3] = -a * sa - b * ca * cb
    out[1, 4] = b * sa * sb
    out[1, 5] = -a * sa * cb - b * ca
    out[2, 1] = 1.0
    out[2, 3] = a * ca - b * sa * cb
    out[2, 4] = -b * ca * sb
    out[2, 5] = a * ca * cb - b * sa
    law = law_of(s, k)
    write_turning(row_count(law), s.disk, sb, cb, arm(law), k, out)
