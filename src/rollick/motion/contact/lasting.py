"""Lasting contact of any body with contacts (`mechanics.contact`) and a smooth friction law, as an ODE: the index-1 form, Sailer section 3.7.

At the first contact, with rows W, velocities gamma = W u, and the law's forces lambda_N alpha + beta (alpha = 1 in the normal row),

    M u' = f + W^T (lambda_N alpha + beta),      W_N u' = -chi,   chi = (dW_N/dt) u,

so that lambda_N = -(chi + W_N M^-1 (f + W^T beta)) / (W_N M^-1 W^T alpha). chi is taken by complex step along q'. gap and gap' are kept at zero by projection
after each step.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kernel.cholesky import cholesky, cholesky_back
from ...kernel.compiled import compiled
from ...kernel.derivative import EPS, rate_jacobian
from ...kernel.hooks import guard, highlights
from ...kernel.system import described_through, dim, integral_count, project, rate, signals
from ...mechanics.contact import (
    LIFTS_OFF,
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
from ...mechanics.laws.friction import contour_ratio, pivot_couple, row_count
from ...mechanics.laws.sliding import arm, traction
from ...mechanics.poses import poses

SMALL = 1e-6  # of the differences in the Jacobian for the stiff method


class Lasting(NamedTuple):
    """A body in lasting contact; work arrays for M, W, the forces and the complex step."""

    system: Any
    M: Any
    W: Any
    f: Any
    push: Any
    alpha: Any
    zq: Any
    zW: Any
    other: Any


described_through[Lasting] = "system"


def lasting(system: Any) -> Lasting:
    """A system with contacts, held at its first one."""
    nq, nu = int(positions(system)), int(velocities(system))
    z = np.zeros
    return Lasting(system, z((nu, nu)), z((6, nu)), z(nu), z(nu), z(6), z(nq, complex), z((6, nu), complex), z((2, nq + nu)))


@dim.register(Lasting)
def _(s):
    return positions(s.system) + velocities(s.system)


@integral_count.register(Lasting)
def _(s):
    return 0


@compiled
def normal_force(s, t, q, u, dq, du):
    """u' into du, q' into dq; returns lambda_N."""
    body = s.system
    law = law_of(body)
    nq, nu, rows = positions(body), velocities(body), row_count(law)
    position_rate(body, q, u, dq)
    mass_matrix(body, q, s.M)
    smooth_forces(body, t, q, u, s.f)
    contact_rows(body, q, 0, s.W)
    for i in range(nq):
        s.zq[i] = complex(q[i], EPS * dq[i])
    contact_rows(body, s.zq, 0, s.zW)
    chi = 0.0
    for j in range(nu):
        chi += s.zW[0, j].imag / EPS * u[j]
    for i in range(rows):
        total = 0.0
        for j in range(nu):
            total += s.W[i, j] * u[j]
        s.alpha[i] = total
    length = arm(law)
    twist = s.alpha[3] / length if rows > 3 and length > 0.0 else 0.0
    a, b = traction(law.sliding, s.alpha[1], s.alpha[2], twist)
    c1, c2 = 0.0, 0.0
    if rows > 4:
        c1, c2 = contour_ratio(law.contour, s.alpha[4], s.alpha[5])
    for j in range(nu):
        s.push[j] = s.W[0, j] + a[0] * s.W[1, j] + a[1] * s.W[2, j]
        s.f[j] += b[0] * s.W[1, j] + b[1] * s.W[2, j]
        if rows > 3 and length > 0.0:
            s.push[j] += (a[2] + pivot_couple(law.pivoting, twist)) / length * s.W[3, j]
            s.f[j] += b[2] / length * s.W[3, j]
        if rows > 4:
            s.push[j] += c1 * s.W[4, j] + c2 * s.W[5, j]
    cholesky(s.M, nu)
    cholesky_back(s.M, nu, s.f)
    cholesky_back(s.M, nu, s.push)
    top, bottom = chi, 0.0
    for j in range(nu):
        top += s.W[0, j] * s.f[j]
        bottom += s.W[0, j] * s.push[j]
    normal = -top / bottom
    for j in range(nu):
        du[j] = s.f[j] + normal * s.push[j]
    return normal


@rate.register(Lasting)
def _(s, t, y, out):
    nq = positions(s.system)
    normal_force(s, t, y[:nq], y[nq:], out[:nq], out[nq:])


@rate_jacobian.register(Lasting)
def _(s, t, y, z, f, out):
    # by central differences: the rate itself uses a complex step
    n = dim(s)
    for j in range(n):
        keep = y[j]
        h = SMALL * (1.0 + abs(keep))
        y[j] = keep + h
        rate(s, t, y, s.other[0])
        y[j] = keep - h
        rate(s, t, y, s.other[1])
        y[j] = keep
        for i in range(n):
            out[i, j] = (s.other[0, i] - s.other[1, i]) / (2.0 * h)


@project.register(Lasting)
def _(s, y):
    body = s.system
    nq, nu = positions(body), velocities(body)
    q, u = y[:nq], y[nq : nq + nu]
    tidy(body, q)
    mass_matrix(body, q, s.M)
    cholesky(s.M, nu)
    contact_rows(body, q, 0, s.W)
    size, rate_ = 0.0, 0.0
    for j in range(nu):
        s.push[j] = s.W[0, j]
    cholesky_back(s.M, nu, s.push)
    for j in range(nu):
        size += s.W[0, j] * s.push[j]
        rate_ += s.W[0, j] * u[j]
    for j in range(nu):
        u[j] -= rate_ / size * s.push[j]
    distance = gap(body, q, 0) / size
    for j in range(nu):
        s.f[j] = -distance * s.push[j]
    position_rate(body, q, s.f, s.other[0])
    for i in range(nq):
        q[i] += s.other[0, i]
    tidy(body, q)
    return True


@signals.register(Lasting)
def _(s, t, y, out):
    signals(s.system, t, y, out)


def holds(system: Any) -> bool:
    """Whether a system has contacts but no ODE of its own: lasting contact then is this one."""
    return contact_count.knows(type(system)) and not rate.knows(type(system))


@compiled
def forces_along(s, t, y, out):
    """The normal force at many states."""
    nq = positions(s.system)
    for i in range(t.size):
        out[i] = normal_force(s, t[i], y[i, :nq], y[i, nq:], s.other[0, :nq], s.other[0, nq:])


def normal_forces(system: Any, t: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The normal force of lasting contact along a motion of a body with contacts and a smooth law (the body itself, or `lasting` of it)."""
    held = system if isinstance(system, Lasting) else lasting(system)
    out = np.empty(len(t))
    forces_along(held, np.ascontiguousarray(t, float), np.ascontiguousarray(y, float), out)
    return out


@highlights.register(Lasting)
def _(held, motion):
    return highlights(held.system, motion)


@guard.register(Lasting)
def _(system):
    def leaves(t: np.ndarray, y: np.ndarray) -> tuple[int, str] | None:
        pulled = np.flatnonzero(~(normal_forces(system, t, y) > 0.0))
        return (max(0, int(pulled[0]) - 1), LIFTS_OFF) if pulled.size else None

    return leaves


@poses.register(Lasting)
def _(held, t, y, q):
    return poses(held.system, t, y, q)
