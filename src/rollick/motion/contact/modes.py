"""Flight, slip and stick of any body with one contact (`mechanics.contact`): from M, h, W, the gap and the law alone.

    flight      M u' = f
    slip        lasting contact, see `lasting`
    stick       M u' = f + W^T lambda with the three rows W of normal and slip, W u' = -chi, chi = (dW/dt) u - dw/dt

`mechanics.sliding.modes` has them in closed form for a body on a plane. What is registered here only hands on to compiled functions, since
scratch on the stack is to be had in compiled code alone.
"""

from __future__ import annotations

import numpy as np

from ...kernel.cholesky import cholesky, cholesky_back
from ...kernel.compiled import compiled
from ...kernel.local_array import local_array
from ...kernel.scalar import sqrt
from ...kernel.system import dim
from ...kernel.vector import solve
from ...mechanics.contact import (
    contact_rows,
    contacts_move,
    gap,
    law_of,
    mass_matrix,
    position_rate,
    positions,
    smooth_forces,
    surface_velocity,
    velocities,
)
from ...mechanics.laws.each import first_law
from ...mechanics.sliding import modes as m
from .lasting import hold, lasting_rate, normal_force
from .row_slope import row_slope

TINY = 1e-9  # m/s: the slip at which the direction of a beginning slip is looked for


@m.flight_rate.otherwise
def _(system, t, y, out):
    free_rate(system, t, y, out)


@compiled
def free_rate(system, t, y, out):
    """dy/dt without contact."""
    nq, nu = positions(system), velocities(system)
    M = local_array((nu, nu), y.dtype)
    f = local_array(nu, y.dtype)
    position_rate(system, y[:nq], y[nq:], out[:nq])
    mass_matrix(system, y[:nq], M)
    smooth_forces(system, t, y[:nq], y[nq:], f)
    cholesky(M, nu)
    cholesky_back(M, nu, f)
    for j in range(nu):
        out[nq + j] = f[j]


@m.slip_rate.otherwise
def _(system, t, y, out):
    lasting_rate(system, t, y, out)


@compiled
def three_by_three(W, lift, nu):
    """W M^-1 W^T of the first three rows, as rows."""
    a00, a01, a02, a11, a12, a22 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for j in range(nu):
        a00 += W[0, j] * lift[0, j]
        a01 += W[0, j] * lift[1, j]
        a02 += W[0, j] * lift[2, j]
        a11 += W[1, j] * lift[1, j]
        a12 += W[1, j] * lift[2, j]
        a22 += W[2, j] * lift[2, j]
    return (a00, a01, a02), (a01, a11, a12), (a02, a12, a22)


@compiled
def rolling_forces(system, t, y, out):
    """dy/dt without slip; returns the forces along the three rows."""
    nq, nu = positions(system), velocities(system)
    M = local_array((nu, nu), y.dtype)
    f = local_array(nu, y.dtype)
    W = local_array((6, nu), y.dtype)
    lift = local_array((3, nu), y.dtype)
    slope = local_array((6, nu), y.dtype)
    turn = local_array(6, y.dtype)
    need = local_array(3, y.dtype)
    q, u = y[:nq], y[nq:]
    position_rate(system, q, u, out[:nq])
    mass_matrix(system, q, M)
    smooth_forces(system, t, q, u, f)
    contact_rows(system, t, q, 0, W)
    row_slope(system, t, q, out[:nq], 3, slope, turn)
    cholesky(M, nu)
    cholesky_back(M, nu, f)
    for i in range(3):
        need[i] = turn[i]
        for j in range(nu):
            lift[i, j] = W[i, j]
            need[i] -= slope[i, j] * u[j] + W[i, j] * f[j]
        cholesky_back(M, nu, lift[i])
    force = solve(three_by_three(W, lift, nu), (need[0], need[1], need[2]))
    for j in range(nu):
        out[nq + j] = f[j] + force[0] * lift[0, j] + force[1] * lift[1, j] + force[2] * lift[2, j]
    return force


@m.stick_rate.otherwise
def _(system, t, y, out):
    rolling_forces(system, t, y, out)


@m.hold_slipping.otherwise
def _(system, y):
    return hold(system, y)


@m.hold_sticking.otherwise
def _(system, y):
    hold(system, y)
    if not contacts_move(system):
        take_out_slip(system, y)
    return True


@compiled
def take_out_slip(system, y):
    """Make the three velocities of the contact zero, along M^-1 W^T; for surfaces at rest."""
    nq, nu = positions(system), velocities(system)
    M = local_array((nu, nu), y.dtype)
    W = local_array((6, nu), y.dtype)
    lift = local_array((3, nu), y.dtype)
    slip = local_array(3, y.dtype)
    mass_matrix(system, y[:nq], M)
    cholesky(M, nu)
    contact_rows(system, 0.0, y[:nq], 0, W)
    for i in range(3):
        slip[i] = 0.0
        for j in range(nu):
            lift[i, j] = W[i, j]
            slip[i] += W[i, j] * y[nq + j]
        cholesky_back(M, nu, lift[i])
    back = solve(three_by_three(W, lift, nu), (slip[0], slip[1], slip[2]))
    for j in range(nu):
        y[nq + j] -= back[0] * lift[0, j] + back[1] * lift[1, j] + back[2] * lift[2, j]


@compiled
def contact_velocity(system, t, y):
    """W u - w of the first three rows."""
    nq, nu = positions(system), velocities(system)
    W = local_array((6, nu), y.dtype)
    own = local_array(6, y.dtype)
    contact_rows(system, t, y[:nq], 0, W)
    surface_velocity(system, t, y[:nq], 0, own)
    a, b, c = -own[0], -own[1], -own[2]
    for j in range(nu):
        a += W[0, j] * y[nq + j]
        b += W[1, j] * y[nq + j]
        c += W[2, j] * y[nq + j]
    return a, b, c


@compiled
def write_signals(system, t, y, normal, friction, out):
    """Gap, slip, normal force, and the margin to the edge of the friction cone."""
    _, v1, v2 = contact_velocity(system, t, y)
    out[0] = gap(system, t, y[: positions(system)], 0)
    out[1] = sqrt(v1 * v1 + v2 * v2)
    out[2] = normal
    out[3] = first_law(law_of(system, 0)).sliding.mu * normal - friction


@m.flight_signals.otherwise
def _(system, t, y, out):
    write_signals(system, t, y, 0.0 * y[0], 0.0 * y[0], out)


@m.slip_signals.otherwise
def _(system, t, y, out):
    write_signals_of_slip(system, t, y, out)


@m.stick_signals.otherwise
def _(system, t, y, out):
    write_signals_of_stick(system, t, y, out)


@compiled
def write_signals_of_slip(system, t, y, out):
    """The signals of slip, with the force of lasting contact."""
    nq, nu = positions(system), velocities(system)
    dq = local_array(nq, y.dtype)
    du = local_array(nu, y.dtype)
    power = local_array(3, y.dtype)
    normal = normal_force(system, t, y[:nq], y[nq:], dq, du, power)
    write_signals(system, t, y, normal, first_law(law_of(system, 0)).sliding.mu * normal, out)


@compiled
def write_signals_of_stick(system, t, y, out):
    """The signals of stick, with the force that rolling takes."""
    dy = local_array(dim(system), y.dtype)
    normal, a, b = rolling_forces(system, t, y, dy)
    write_signals(system, t, y, normal, sqrt(a * a + b * b), out)


@m.gap_rate.otherwise
def _(system, t, y):
    return float(contact_velocity(system, float(t), y)[0])


@compiled
def slip_rates(system, t, y, out):
    """out = accelerations of the contact along the three rows in slip; returns the normal force."""
    nq, nu = positions(system), velocities(system)
    dq = local_array(nq, y.dtype)
    du = local_array(nu, y.dtype)
    power = local_array(3, y.dtype)
    W = local_array((6, nu), y.dtype)
    slope = local_array((6, nu), y.dtype)
    turn = local_array(6, y.dtype)
    normal = normal_force(system, t, y[:nq], y[nq:], dq, du, power)
    contact_rows(system, t, y[:nq], 0, W)
    row_slope(system, t, y[:nq], dq, 3, slope, turn)
    for i in range(3):
        out[i] = -turn[i]
        for j in range(nu):
            out[i] += W[i, j] * du[j] + slope[i, j] * y[nq + j]
    return normal


def _lift(system, t, y):
    """W and M^-1 W^T of the first three rows, in Python."""
    nq, nu = int(positions(system)), int(velocities(system))
    W, M = np.zeros((6, nu)), np.zeros((nu, nu))
    contact_rows(system, float(t), y[:nq], 0, W)
    mass_matrix(system, y[:nq], M)
    return W[:3], np.linalg.solve(M, W[:3].T)


@m.normal_compliance.otherwise
def _(system, t, y):
    rows, lift = _lift(system, t, y)
    return float(rows[0] @ lift[:, 0])


@m.with_slip.otherwise
def _(system, t, y, v1, v2):
    rows, lift = _lift(system, t, y)
    made = y.copy()
    made[int(positions(system)) :] += lift @ np.linalg.solve(rows @ lift, np.array([0.0, v1, v2]))
    return made


@m.slip_acceleration.otherwise
def _(system, t, y, d1, d2):
    out = np.empty(3)
    normal = slip_rates(system, float(t), m.with_slip(system, t, y, TINY * d1, TINY * d2), out)
    return float(out[1]), float(out[2]), float(normal)
