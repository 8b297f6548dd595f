"""A body with contacts in a mode: one letter per contact, open, slip or stick; in each combination an ODE in the states of the body.

    open      no force
    slip      gap'' = 0 with the force of slip: mu N against it (Coulomb), or what a smooth law says
    stick     no acceleration along all three rows, with the force that this takes

The modes are data, so that one piece of machine code serves all of them. gap, gap' and the slip of contacts that stick are kept at zero by
projection after each step, unless a surface moves. Where contacts are redundant (two points that stick cannot tell the force along the line
between them) the forces of least norm are taken.

Signals, for the guards: the least gap of open contacts, the least slip of those that slip by Coulomb's law, the least normal force, the least
margin mu N - |T| of those that stick, and `drive`: the least acceleration of the gap per normal force of contacts that slip, relative to that of
the slip; where it passes through zero, slip loses its unique normal force (Painleve).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...kernel.cholesky import cholesky, cholesky_back
from ...kernel.compiled import compiled
from ...kernel.dispatch import generic
from ...kernel.linear import lu_factor, lu_solve
from ...kernel.local_array import int64, local_array
from ...kernel.scalar import real, sqrt
from ...kernel.system import describe, descriptions, dim, integrals, project, rate, rate_with_integrals, signals
from ...mechanics.contact import (
    contact_count,
    contact_rows,
    contacts_move,
    gap,
    law_of,
    mass_matrix,
    position_rate,
    positions,
    tidy,
    velocities,
)
from ...mechanics.laws.sliding import direction
from ...mechanics.sliding.equations import Sliding
from ...mechanics.sliding.touching import Touching
from .balance import balance, force_count
from .resistance import grip

OPEN, SLIP, STICK = 0, 1, 2
SOFT = 1e-9  # what is added to the diagonal where contacts may be redundant, relative; taken out again by refinement
FAR = 1e30  # what a signal tells where there is nothing to tell


class InMode(NamedTuple):
    """A body with contacts, each in a mode: 0 open, 1 slip, 2 stick."""

    system: Any
    modes: tuple


@generic
def drag_power(system, u):
    """The power that the damping couple takes."""


@drag_power.otherwise
def _(system, u):
    return 0.0 * u[0]


@drag_power.register(Sliding)
@drag_power.register(Touching)
def _(system, u):
    return system.sigma * (u[3] * u[3] + u[4] * u[4] + u[5] * u[5])


@compiled
def solve_soft(system, S, b, x, n):
    """x with S x = b; of least norm where contacts are redundant."""
    size = force_count(system)
    F = local_array((size, size), b.dtype)
    r = local_array(size, b.dtype)
    pivots = local_array(size, int64)
    largest = 0.0
    for i in range(n):
        largest = max(largest, abs(real(S[i, i])))
    extra = SOFT * largest if contact_count(system) > 1 else 0.0
    for i in range(n):
        x[i] = 0.0 * b[0]
        r[i] = b[i]
        for j in range(n):
            F[i, j] = S[i, j]
        F[i, i] += extra
    lu_factor(F[:n, :n], pivots[:n])
    for _ in range(3 if contact_count(system) > 1 else 1):
        lu_solve(F[:n, :n], pivots[:n], r[:n])
        for i in range(n):
            x[i] += r[i]
        for i in range(n):
            r[i] = b[i]
            for j in range(n):
                r[i] -= S[i, j] * x[j]


@compiled
def held(system, modes, t, y, out, x, gamma, power):
    """dy/dt into out, the forces of all contacts into x; returns `drive`, see the head of this file."""
    nq, nu, n = positions(system), velocities(system), force_count(system)
    f = local_array(nu, y.dtype)
    c = local_array(n, y.dtype)
    A = local_array((n, n), y.dtype)
    lift = local_array((n, nu), y.dtype)
    S = local_array((n, n), y.dtype)
    part = local_array((n, n), y.dtype)  # forces of all rows per unknown
    b = local_array(n, y.dtype)
    z = local_array(n, y.dtype)
    row_of = local_array(n, int64)
    balance(system, modes, t, y, out[:nq], f, c, A, lift, gamma, power)
    m = 0
    zero = 0.0 * y[0]
    for k in range(contact_count(system)):
        for i in range(3):
            x[3 * k + i] = zero
        for i in range(3 if modes[k] == STICK else 1 if modes[k] == SLIP else 0):
            for row in range(n):
                part[row, m] = zero
            part[3 * k + i, m] = 1.0 + zero
            mu = grip(law_of(system, k))
            if modes[k] == SLIP and mu > 0.0:
                d1, d2 = direction(gamma[3 * k + 1], gamma[3 * k + 2])
                part[3 * k + 1, m] = -mu * d1
                part[3 * k + 2, m] = -mu * d2
            b[m] = -c[3 * k + i]
            row_of[m] = 3 * k + i
            m += 1
    for p in range(m):
        row = row_of[p]
        for q in range(m):
            total = zero
            for a in range(n):
                if modes[a // 3] > 0:
                    total += A[row, a] * part[a, q]
            S[p, q] = total
    drive = FAR + zero
    for p in range(m):
        k = row_of[p] // 3
        if modes[k] == SLIP:
            own = 2.0 * S[p, p] / (A[3 * k + 1, 3 * k + 1] + A[3 * k + 2, 3 * k + 2])
            drive = own if real(own) < real(drive) else drive
    solve_soft(system, S, b, z, m)
    for a in range(n):
        if modes[a // 3] > 0:
            for p in range(m):
                x[a] += part[a, p] * z[p]
    for j in range(nu):
        out[nq + j] = f[j]
        for a in range(n):
            if modes[a // 3] > 0:
                out[nq + j] += lift[a, j] * x[a]
    return drive


@compiled
def mode_rate(system, modes, t, y, out):
    """dy/dt."""
    n = force_count(system)
    x = local_array(n, y.dtype)
    gamma = local_array(n, y.dtype)
    power = local_array((contact_count(system), 5), y.dtype)
    held(system, modes, t, y, out, x, gamma, power)


@compiled
def mode_rate_with_losses(system, modes, t, y, out, sums):
    """dy/dt, and the normal forces and the power lost to each mechanism, in the order in which time stepping accounts for them."""
    n = force_count(system)
    nq, nu = positions(system), velocities(system)
    x = local_array(n, y.dtype)
    gamma = local_array(n, y.dtype)
    power = local_array((contact_count(system), 5), y.dtype)
    held(system, modes, t, y, out, x, gamma, power)
    for i in range(5):
        sums[i] = 0.0 * y[0]
    for k in range(contact_count(system)):
        if modes[k] > 0:
            sums[0] += x[3 * k]
            sums[1] += x[3 * k] * power[k, 0] + power[k, 1] - x[3 * k + 1] * gamma[3 * k + 1] - x[3 * k + 2] * gamma[3 * k + 2]
            sums[2] += x[3 * k] * power[k, 2] + power[k, 3]
            sums[3] += x[3 * k] * power[k, 4]
    sums[5] = drag_power(system, y[nq : nq + nu])


@compiled
def mode_losses(system, modes, t, y, sums):
    """The normal forces and the power lost to each mechanism."""
    rates = local_array(dim(system), y.dtype)
    mode_rate_with_losses(system, modes, t, y, rates, sums)


@compiled
def mode_signals(system, modes, t, y, out):
    """Least open gap, least slip, least normal force, least margin, and `drive`."""
    nq, n = positions(system), force_count(system)
    rates = local_array(dim(system), y.dtype)
    x = local_array(n, y.dtype)
    gamma = local_array(n, y.dtype)
    power = local_array((contact_count(system), 5), y.dtype)
    drive = held(system, modes, t, y, rates, x, gamma, power)
    far = FAR + 0.0 * y[0]
    least, slip, normal, margin = far, far, far, far
    for k in range(contact_count(system)):
        if modes[k] == OPEN:
            here = gap(system, t, y[:nq], k)
            least = here if real(here) < real(least) else least
            continue
        mu = grip(law_of(system, k))
        normal = x[3 * k] if real(x[3 * k]) < real(normal) else normal
        if modes[k] == STICK:
            room = mu * x[3 * k] - sqrt(x[3 * k + 1] * x[3 * k + 1] + x[3 * k + 2] * x[3 * k + 2])
            margin = room if real(room) < real(margin) else margin
        elif mu > 0.0:
            here = sqrt(gamma[3 * k + 1] * gamma[3 * k + 1] + gamma[3 * k + 2] * gamma[3 * k + 2])
            slip = here if real(here) < real(slip) else slip
    out[0], out[1], out[2], out[3], out[4] = least, slip, normal, margin, drive


@compiled
def pull_onto(system, modes, y):
    """Pull positions and velocities onto what the modes hold, along M^-1 W^T; for surfaces at rest."""
    nq, nu, n = positions(system), velocities(system), force_count(system)
    M = local_array((nu, nu), y.dtype)
    W = local_array((6, nu), y.dtype)
    rows = local_array((n, nu), y.dtype)
    lift = local_array((n, nu), y.dtype)
    S = local_array((n, n), y.dtype)
    b = local_array(n, y.dtype)
    x = local_array(n, y.dtype)
    push = local_array(nu, y.dtype)
    dq = local_array(nq, y.dtype)
    q, u = y[:nq], y[nq : nq + nu]
    mass_matrix(system, q, M)
    cholesky(M, nu)
    for velocity in range(2):
        m = 0
        for k in range(contact_count(system)):
            if modes[k] == OPEN:
                continue
            contact_rows(system, 0.0, q, k, W)
            for i in range(3 if velocity == 1 and modes[k] == STICK else 1):
                b[m] = 0.0 * y[0]
                for j in range(nu):
                    rows[m, j] = W[i, j]
                    lift[m, j] = W[i, j]
                    b[m] -= W[i, j] * u[j]
                cholesky_back(M, nu, lift[m])
                if velocity == 0:
                    b[m] = -gap(system, 0.0, q, k)
                m += 1
        for i in range(m):
            for j in range(m):
                total = 0.0 * y[0]
                for a in range(nu):
                    total += rows[i, a] * lift[j, a]
                S[i, j] = total
        solve_soft(system, S, b, x, m)
        for j in range(nu):
            push[j] = 0.0 * y[0]
            for i in range(m):
                push[j] += lift[i, j] * x[i]
        if velocity == 1:
            for j in range(nu):
                u[j] += push[j]
        else:
            position_rate(system, q, push, dq)
            for i in range(nq):
                q[i] += dq[i]
            tidy(system, q)


@rate.register(InMode)
def _(mode, t, y, out):
    mode_rate(mode.system, mode.modes, t, y, out)


@integrals.register(InMode)
def _(mode, t, y, out):
    mode_losses(mode.system, mode.modes, t, y, out)


@rate_with_integrals.register(InMode)
def _(mode, t, y, out):
    n = positions(mode.system) + velocities(mode.system)
    mode_rate_with_losses(mode.system, mode.modes, t, y, out[:n], out[n:])


@signals.register(InMode)
def _(mode, t, y, out):
    mode_signals(mode.system, mode.modes, t, y, out)


@compiled
def any_held(modes):
    """Whether a contact is held."""
    for mode in modes:
        if mode > 0:
            return True
    return False


@project.register(InMode)
def _(mode, y):
    tidy(mode.system, y[: positions(mode.system)])
    if any_held(mode.modes) and not contacts_move(mode.system):
        pull_onto(mode.system, mode.modes, y)
    return True


_plain = descriptions[Sliding]
describe(
    InMode,
    {q.name: (q.unit, q.about) for q in _plain.states},
    {
        "open_gap": ("m", "least gap of the open contacts"),
        "least_slip": ("m/s", "least slip of the contacts that slip"),
        "normal": ("N", "least normal force"),
        "margin": ("N", "least mu N - |T| of the contacts that stick"),
        "drive": ("", "vanishes where slip has no unique normal force"),
    },
    {q.name: (q.unit, q.about) for q in _plain.integrals},
)
