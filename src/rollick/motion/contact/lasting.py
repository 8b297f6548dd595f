"""Lasting contact of any body with contacts (`mechanics.contact`) and a smooth friction law, as an ODE: the index-1 form, Sailer section 3.7.

At the first contact, with rows W, velocities gamma = W u - w, and the law's forces lambda_N alpha + beta (alpha = 1 in the normal row),

    M u' = f + W^T (lambda_N alpha + beta),      W_N u' = -chi,   chi = (dW_N/dt) u - dw_N/dt,

so that lambda_N = -(chi + W_N M^-1 (f + W^T beta)) / (W_N M^-1 W^T alpha). dW_N/dt, and that of the surface's own velocity w_N, are taken along
q' and t (`row_slope`). gap and gap' are kept at zero by projection after each step, unless the surface moves. The rate takes real and complex numbers, so that Jacobians and variational equations are had as for any
other system. `lasts(Type)` makes it the ODE of a type.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.cholesky import cholesky, cholesky_back
from ...kernel.compiled import compiled
from ...kernel.hooks import guard
from ...kernel.local_array import local_array
from ...kernel.scalar import real
from ...kernel.system import description, integrals, project, rate, rate_with_integrals
from ...mechanics.contact import (
    ACCOUNT,
    CLOSES,
    LIFTS_OFF,
    contact_count,
    contact_rows,
    contacts_move,
    gap,
    law_of,
    mass_matrix,
    position_rate,
    positions,
    smooth_forces,
    surface_velocity,
    tidy,
    velocities,
)
from ...mechanics.laws.each import first_law
from ...mechanics.laws.friction import contour_ratio, pivot_couple, row_count
from ...mechanics.laws.sliding import arm, traction
from ...mechanics.pressing import not_pressing
from .row_slope import row_slope

DEEP = 1e-7  # m: another contact that is closed by more ends lasting contact at one


@compiled
def normal_force(body, t, q, u, dq, du, power):
    """u' into du, q' into dq, and the power lost to sliding, pivoting and contour friction into `power`; returns lambda_N."""
    law = first_law(law_of(body, 0))
    nu, rows = velocities(body), row_count(law)
    M = local_array((nu, nu), q.dtype)
    W = local_array((6, nu), q.dtype)
    f = local_array(nu, q.dtype)
    push = local_array(nu, q.dtype)
    slope = local_array((6, nu), q.dtype)
    turn = local_array(6, q.dtype)
    gamma = local_array(6, q.dtype)
    carried = local_array(6, q.dtype)
    position_rate(body, q, u, dq)
    mass_matrix(body, q, M)
    smooth_forces(body, t, q, u, f)
    contact_rows(body, t, q, 0, W)
    surface_velocity(body, t, q, 0, carried)
    row_slope(body, t, q, dq, 0, 1, slope, turn)
    chi = -turn[0]
    for j in range(nu):
        chi += slope[0, j] * u[j]
    for i in range(rows):
        total = 0.0 * u[0]
        for j in range(nu):
            total += W[i, j] * u[j]
        gamma[i] = total - carried[i]
    length = arm(law)
    zero = 0.0 * u[0]
    twist = gamma[3] / length if rows > 3 and real(length) > 0.0 else zero
    a, b = traction(law.sliding, gamma[1], gamma[2], twist)
    c1, c2 = zero, zero
    if rows > 4:
        c1, c2 = contour_ratio(law.contour, gamma[4], gamma[5])
    for j in range(nu):
        push[j] = W[0, j] + a[0] * W[1, j] + a[1] * W[2, j]
        f[j] += b[0] * W[1, j] + b[1] * W[2, j]
        if rows > 3 and real(length) > 0.0:
            push[j] += (a[2] + pivot_couple(law.pivoting, twist)) / length * W[3, j]
            f[j] += b[2] / length * W[3, j]
        if rows > 4:
            push[j] += c1 * W[4, j] + c2 * W[5, j]
    cholesky(M, nu)
    cholesky_back(M, nu, f)
    cholesky_back(M, nu, push)
    top, bottom = chi, zero
    for j in range(nu):
        top += W[0, j] * f[j]
        bottom += W[0, j] * push[j]
    normal = -top / bottom
    for j in range(nu):
        du[j] = f[j] + normal * push[j]
    power[0] = -(normal * a[0] + b[0]) * gamma[1] - (normal * a[1] + b[1]) * gamma[2]
    power[1] = zero
    power[2] = zero
    if rows > 3 and real(length) > 0.0:
        power[1] = -(normal * (a[2] + pivot_couple(law.pivoting, twist)) + b[2]) * twist
    if rows > 4:
        power[2] = -normal * (c1 * gamma[4] + c2 * gamma[5])
    return normal


@compiled
def lasting_rate(body, t, y, out):
    """dy/dt of a body held at its first contact."""
    nq = positions(body)
    power = local_array(3, y.dtype)
    normal_force(body, t, y[:nq], y[nq:], out[:nq], out[nq:], power)


@compiled
def lasting_rate_with_losses(body, t, y, out):
    """dy/dt and, behind it, the normal force and the power lost to each mechanism, in the order in which time stepping accounts for them."""
    nq, nu = positions(body), velocities(body)
    n = nq + nu
    power = local_array(3, y.dtype)
    out[n] = normal_force(body, t, y[:nq], y[nq:n], out[:nq], out[nq:n], power)
    for i in range(3):
        out[n + 1 + i] = power[i]
        out[n + 4 + i % 2] = 0.0 * power[i]  # neither impacts nor a damping couple


@compiled
def lasting_losses(body, t, y, out):
    """The normal force and the power lost to each mechanism, in the order in which time stepping accounts for them."""
    nq, nu = positions(body), velocities(body)
    dq = local_array(nq, y.dtype)
    du = local_array(nu, y.dtype)
    power = local_array(3, y.dtype)
    out[0] = normal_force(body, t, y[:nq], y[nq : nq + nu], dq, du, power)
    for i in range(3):
        out[1 + i] = power[i]
    out[4] = 0.0 * power[0]  # neither impacts nor a damping couple
    out[5] = 0.0 * power[0]


@compiled
def hold(body, y):
    """Pull positions and velocities onto gap = 0, gap' = 0, along M^-1 W_N^T; on a surface that moves only what does not ask for the time."""
    nq, nu = positions(body), velocities(body)
    M = local_array((nu, nu), y.dtype)
    W = local_array((6, nu), y.dtype)
    push = local_array(nu, y.dtype)
    dq = local_array(nq, y.dtype)
    q, u = y[:nq], y[nq : nq + nu]
    tidy(body, q)
    if contacts_move(body):
        return True
    mass_matrix(body, q, M)
    cholesky(M, nu)
    contact_rows(body, 0.0, q, 0, W)
    size, rate_ = 0.0, 0.0
    for j in range(nu):
        push[j] = W[0, j]
    cholesky_back(M, nu, push)
    for j in range(nu):
        size += W[0, j] * push[j]
        rate_ += W[0, j] * u[j]
    for j in range(nu):
        u[j] -= rate_ / size * push[j]
    distance = gap(body, 0.0, q, 0) / size
    for j in range(nu):
        push[j] *= -distance
    position_rate(body, q, push, dq)
    for i in range(nq):
        q[i] += dq[i]
    tidy(body, q)
    return True


@compiled
def forces_along(body, t, y, out):
    """The normal force at many states."""
    nq, nu = positions(body), velocities(body)
    dq = local_array(nq, y.dtype)
    du = local_array(nu, y.dtype)
    power = local_array(3, y.dtype)
    for i in range(t.size):
        out[i] = normal_force(body, t[i], y[i, :nq], y[i, nq:], dq, du, power)


def normal_forces(system: Any, t: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The normal force of lasting contact along a motion of a body with contacts and a smooth law."""
    out = np.empty(len(t))
    forces_along(system, np.ascontiguousarray(t, float), np.ascontiguousarray(y, float), out)
    return out


@compiled
def other_gaps(body, t, y, out):
    """The smallest gap of the contacts beyond the first, at many states."""
    for i in range(t.size):
        least = gap(body, t[i], y[i], 1)
        for k in range(2, contact_count(body)):
            least = min(least, gap(body, t[i], y[i], k))
        out[i] = least


def lift_off_guard(system: Any) -> Any:
    """A guard (see `kernel.hooks`) that ends lasting contact where the normal force would have to pull, or where another contact closes."""

    def leaves(t: np.ndarray, y: np.ndarray) -> tuple[int, str] | None:
        bad = not_pressing(system, t, y, lambda at, states: normal_forces(system, at, states))
        closes = np.zeros(len(t), bool)
        if contact_count(system) > 1:
            gaps = np.empty(len(t))
            other_gaps(system, np.ascontiguousarray(t, float), np.ascontiguousarray(y, float), gaps)
            closes = gaps < -DEEP
        ends = np.flatnonzero(bad | closes)
        if not ends.size:
            return None
        return max(0, int(ends[0]) - 1), LIFTS_OFF if bad[ends[0]] else CLOSES

    return leaves


def lasts(cls: type) -> type:
    """Give a type of body with contacts the ODE of lasting contact: its `rate`, what is kept by projection, and a guard against lift-off."""

    def held_rate(system, t, y, out):
        lasting_rate(system, t, y, out)

    def held_integrals(system, t, y, out):
        lasting_losses(system, t, y, out)

    def held_rate_with_integrals(system, t, y, out):
        lasting_rate_with_losses(system, t, y, out)

    def held_project(system, y):
        return hold(system, y)

    rate.register(cls)(held_rate)
    if [q.name for q in description(cls).integrals] == list(ACCOUNT):
        integrals.register(cls)(held_integrals)
        rate_with_integrals.register(cls)(held_rate_with_integrals)
    project.register(cls)(held_project)
    guard.register(cls)(lift_off_guard)
    return cls
