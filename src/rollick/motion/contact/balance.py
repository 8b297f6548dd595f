"""The accelerations of closed contacts as an affine function of their forces.

For the contacts that are closed, with rows W (normal and two tangential each), velocities gamma = W u - w and forces lambda,

    M u' = f + L lambda,      gamma' = c + A lambda,      A = W M^-1 L,   c = W M^-1 f + (dW/dt) u - dw/dt.

L = W^T, but for what a law does by itself (`resistance`): per normal force it belongs to the normal's column of L, the rest to f. For Coulomb
friction alone A is Delassus' matrix G. dW/dt and dw/dt are taken along q' and t (`row_slope`).
"""

from __future__ import annotations

from ...kernel.apart import apart
from ...kernel.cholesky import cholesky, cholesky_back
from ...kernel.compiled import compiled
from ...kernel.dispatch import constant
from ...kernel.local_array import local_array
from ...kernel.scalar import real
from ...mechanics.contact import (
    contact_count,
    contact_rows,
    gap,
    law_of,
    mass_matrix,
    position_rate,
    positions,
    rows_per_contact,
    smooth_forces,
    surface_velocity,
    velocities,
)
from ...mechanics.laws.sliding import arm
from .resistance import grip, resistance
from .row_slope import row_slope


@constant
def force_count(system):
    """Three rows for every contact, open or closed: a constant of the type."""


@force_count.otherwise
def _(system):
    return 3 * int(contact_count(system))


@compiled
def closed_rows(system, t, q, u, dq, k, rows, c, gamma, push, f):
    """Contact k: its three rows, the part of c that velocities give, gamma, what one unit of normal force pushes with, and the rest into f.

    Returns the power that the law's own resistance takes: per normal force and apart from it, for sliding, pivoting and contour friction.
    """
    nu = velocities(system)
    W = local_array((6, nu), q.dtype)
    slope = local_array((6, nu), q.dtype)
    turn = local_array(6, q.dtype)
    w = local_array(6, q.dtype)
    g = local_array(6, q.dtype)
    law = law_of(system, k)
    contact_rows(system, t, q, k, W)
    surface_velocity(system, t, q, k, w)
    row_slope(system, t, q, dq, k, 3, slope, turn)
    for i in range(rows_per_contact(system)):
        g[i] = -w[i]
        for j in range(nu):
            g[i] += W[i, j] * u[j]
    for i in range(3):
        gamma[3 * k + i] = g[i]
        c[3 * k + i] = -turn[i]
        for j in range(nu):
            rows[3 * k + i, j] = W[i, j]
            c[3 * k + i] += slope[i, j] * u[j]
    zero = 0.0 * u[0]
    length = arm(law)
    turns = rows_per_contact(system) > 3 and length > 0.0
    spin, c1, c2 = zero, zero, zero
    if turns:
        spin = g[3] / length
    if rows_per_contact(system) > 4:
        c1, c2 = g[4], g[5]
    a1, a2, a_c, k1, k2, b1, b2, b_c = resistance(law, g[1], g[2], spin, c1, c2)
    for j in range(nu):
        push[j] = W[0, j] + a1 * W[1, j] + a2 * W[2, j]
        f[j] += b1 * W[1, j] + b2 * W[2, j]
        if turns:
            push[j] += a_c / length * W[3, j]
            f[j] += b_c / length * W[3, j]
        if rows_per_contact(system) > 4:
            push[j] += k1 * W[4, j] + k2 * W[5, j]
    return -a1 * g[1] - a2 * g[2], -b1 * g[1] - b2 * g[2], -a_c * spin, -b_c * spin, -k1 * c1 - k2 * c2


@compiled
def balance(system, modes, t, y, dq, f, c, A, lift, gamma, power):
    """q' into dq, M^-1 f into f, and c, A, M^-1 L (as rows of `lift`) and gamma of the contacts with modes[k] > 0."""
    apart()
    nq, nu, n = positions(system), velocities(system), force_count(system)
    M = local_array((nu, nu), y.dtype)
    rows = local_array((n, nu), y.dtype)
    q, u = y[:nq], y[nq : nq + nu]
    position_rate(system, q, u, dq)
    mass_matrix(system, q, M)
    smooth_forces(system, t, q, u, f)
    cholesky(M, nu)
    for k in range(contact_count(system)):
        if modes[k] > 0:
            taken = closed_rows(system, t, q, u, dq, k, rows, c, gamma, lift[3 * k], f)
            for i in range(5):
                power[k, i] = taken[i]
            for i in range(1, 3):
                for j in range(nu):
                    lift[3 * k + i, j] = rows[3 * k + i, j]
            for i in range(3):
                cholesky_back(M, nu, lift[3 * k + i])
    cholesky_back(M, nu, f)
    for a in range(n):
        if modes[a // 3] > 0:
            for j in range(nu):
                c[a] += rows[a, j] * f[j]
            for b in range(n):
                if modes[b // 3] > 0:
                    total = 0.0 * y[0]
                    for j in range(nu):
                        total += rows[a, j] * lift[b, j]
                    A[a, b] = total
            if real(A[a, a]) == 0.0:  # a row of zeros, as of a body in a plane: nothing moves along it, and it carries no force
                A[a, a] = A[a - a % 3, a - a % 3]


@compiled
def look(system, modes, t, y, gaps, mu, speeds, free, c, A, lift, gamma):
    """dy/dt without the contacts' forces, gaps, grips and the speeds that make up the slip of all contacts, and `balance` of those with modes[k] > 0, for Python."""
    nq, nu = positions(system), velocities(system)
    W = local_array((6, nu), y.dtype)
    power = local_array((contact_count(system), 5), y.dtype)
    balance(system, modes, t, y, free[:nq], free[nq:], c, A, lift, gamma, power)
    for k in range(contact_count(system)):
        gaps[k] = gap(system, t, y[:nq], k)
        mu[k] = grip(law_of(system, k))
        contact_rows(system, t, y[:nq], k, W)
        speeds[k] = 0.0
        for j in range(nu):
            speeds[k] += max(abs(W[1, j] * y[nq + j]), abs(W[2, j] * y[nq + j]))
