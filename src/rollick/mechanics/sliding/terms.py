"""The same body for time stepping: M, h, W, g (see `mechanics.contact`).

Rows of W_k at contact k, in the velocities (v in space axes, Omega in body axes), with x_b, y_b the plane's axes seen from the body:

    normal      [e_z, rho x gamma]          tangential  [e_x, rho x x_b], [e_y, rho x y_b]
    pivoting    [0, arm gamma]              contour     [0, gamma x D x_b], [0, gamma x D y_b],   D = d rho / d n, symmetric
"""

from __future__ import annotations

from ...kernel.quaternion import make_unit, quaternion_matrix, quaternion_rate
from ...kernel.scalar import sqrt
from ...kernel.vector import cross, dot, matvec
from ..contact import (
    contact_count,
    contact_rows,
    drag_work,
    gap,
    mass_matrix,
    position_rate,
    positions,
    smooth_forces,
    tidy,
    velocities,
)
from ..laws.friction import row_count
from ..laws.sliding import arm
from ..size import body_size, extent
from .equations import Sliding
from .feet import feet_count, foot, foot_rate


@positions.register(Sliding)
def _(s):
    return 7


@velocities.register(Sliding)
def _(s):
    return 6


@contact_count.register(Sliding)
def _(s):
    return feet_count(s.feet)


@position_rate.register(Sliding)
def _(s, q, u, out):
    dq = quaternion_rate((q[3], q[4], q[5], q[6]), (u[3], u[4], u[5]))
    for i in range(3):
        out[i] = u[i]
    for i in range(4):
        out[3 + i] = dq[i]


@mass_matrix.register(Sliding)
def _(s, q, out):
    for i in range(6):
        for j in range(6):
            out[i, j] = 0.0
    for i in range(3):
        out[i, i] = s.body.mass
        for j in range(3):
            out[3 + i, 3 + j] = s.body.inertia[i][j]


@smooth_forces.register(Sliding)
def _(s, t, q, u, out):
    omega = (u[3], u[4], u[5])
    couple = cross(matvec(s.body.inertia, omega), omega)
    for i in range(3):
        out[i] = s.body.mass * s.gravity[i]
        out[3 + i] = couple[i] - s.sigma * omega[i]


@drag_work.register(Sliding)
def _(s, forced, before, after):
    total = 0.0
    for i in range(3, 6):
        total += forced[i] * (before[i] + after[i])
    return 0.5 * s.sigma * total


@gap.register(Sliding)
def _(s, t, q, k):
    gamma = quaternion_matrix((q[3], q[4], q[5], q[6]))[2]
    return q[2] + dot(gamma, foot(s.feet, s.body, gamma, k))


@contact_rows.register(Sliding)
def _(s, t, q, k, out):
    r = quaternion_matrix((q[3], q[4], q[5], q[6]))
    gamma = r[2]
    rho = foot(s.feet, s.body, gamma, k)
    normal, first, second = cross(rho, gamma), cross(rho, r[0]), cross(rho, r[1])
    for i in range(3):
        for row in range(3):
            out[row, i] = 0.0
        out[0, 3 + i] = normal[i]
        out[1, 3 + i] = first[i]
        out[2, 3 + i] = second[i]
    out[0, 2] = 1.0
    out[1, 0] = 1.0
    out[2, 1] = 1.0
    if row_count(s.law) > 3:
        length = arm(s.law)
        for i in range(3):
            out[3, i] = 0.0
            out[3, 3 + i] = length * gamma[i]
    if row_count(s.law) > 4:
        c1 = cross(gamma, foot_rate(s.feet, s.body, gamma, k, r[0]))
        c2 = cross(gamma, foot_rate(s.feet, s.body, gamma, k, r[1]))
        for i in range(3):
            out[4, i] = 0.0
            out[5, i] = 0.0
            out[4, 3 + i] = c1[i]
            out[5, 3 + i] = c2[i]


@tidy.register(Sliding)
def _(s, q):
    make_unit(q, 3)


@body_size.register(Sliding)
def _(s, q):
    inertia = s.body.inertia
    return sqrt((inertia[0][0] + inertia[1][1] + inertia[2][2]) / (3.0 * s.body.mass))


@extent.register(Sliding)
def _(s, q):
    return max(abs(q[0]), max(abs(q[1]), abs(q[2])))
