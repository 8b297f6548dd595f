"""The forces of contacts in a mode each, and the rates that they give: open, slip, stick or idle, one letter per contact.

    open      no force
    slip      gap'' = 0 with the force of slip: mu N against it (Coulomb), or what a smooth law says
    stick     no acceleration along all three rows, with the force that this takes
    idle      closed, and kept so by the other contacts; no force (the fourth foot of a table that carries nothing)

The modes are data, so that one piece of machine code serves all of them. Where contacts are redundant, `sharing` says which forces are taken.

`drive` tells where slip loses its unique normal force (Painleve): for one contact the acceleration of the gap per normal force, relative to that of
the slip; for several the determinant of their equations relative to that without friction.
"""

from __future__ import annotations

from ...kernel.apart import apart
from ...kernel.compiled import compiled, inlined
from ...kernel.dispatch import constant, generic
from ...kernel.local_array import int64, local_array
from ...kernel.scalar import real
from ...mechanics.contact import contact_count, law_of, positions, velocities
from ...mechanics.laws.sliding import direction
from ...mechanics.sliding.equations import Sliding
from ...mechanics.sliding.touching import Touching
from .balance import balance, force_count
from .resistance import grip
from .sharing import solve_shared

OPEN, SLIP, STICK, IDLE = 0, 1, 2, 3
TOTALS, OF_EACH = 6, 5  # sums of the body, and of each contact (`by_contact`)
FAR = 1e30  # what a signal tells where there is nothing to tell


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
def held(system, modes, shares, t, y, out, x, gamma, power):
    """dy/dt into out, the forces of all contacts into x; returns `drive`. `shares`: forces between redundant contacts, see `sharing`."""
    apart()
    nq, nu, n = positions(system), velocities(system), force_count(system)
    f = local_array(nu, y.dtype)
    c = local_array(n, y.dtype)
    A = local_array((n, n), y.dtype)
    lift = local_array((n, nu), y.dtype)
    S = local_array((n, n), y.dtype)
    S0 = local_array((n, n), y.dtype)
    x0 = local_array(n, y.dtype)
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
            x0[m] = shares[3 * k + i] + zero
            m += 1
    for p in range(m):
        row = row_of[p]
        for q in range(m):
            total = zero
            for a in range(n):
                if modes[a // 3] > 0:
                    total += A[row, a] * part[a, q]
            S[p, q] = total
            S0[p, q] = A[row, row_of[q]]
    ratio = solve_shared(system, S, S0, b, x0, z, m)
    drive = FAR + zero
    for p in range(m):
        k = row_of[p] // 3
        if modes[k] == SLIP:
            own = 2.0 * S[p, p] / (A[3 * k + 1, 3 * k + 1] + A[3 * k + 2, 3 * k + 2])
            own = own if contact_count(system) == 1 else ratio
            drive = own if real(own) < real(drive) else drive
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
def mode_rate(system, modes, shares, t, y, out):
    """dy/dt."""
    n = force_count(system)
    x = local_array(n, y.dtype)
    gamma = local_array(n, y.dtype)
    power = local_array((contact_count(system), 5), y.dtype)
    held(system, modes, shares, t, y, out, x, gamma, power)


@constant
def account_size(system):
    """How many sums a mode accumulates: six of the body, in the order in which time stepping accounts for them, and of several contacts five of each."""


@account_size.otherwise
def _(system):
    return TOTALS + OF_EACH * int(contact_count(system)) if contact_count(system) > 1 else TOTALS


@inlined
def add(sums, first, normal, slid, pivoted, rolled):
    """Add a normal force and the powers lost at a contact to an account."""
    sums[first] += normal
    sums[first + 1] += slid
    sums[first + 2] += pivoted
    sums[first + 3] += rolled


@compiled
def mode_rate_with_losses(system, modes, shares, t, y, out, sums):
    """dy/dt, and the normal forces and the power lost to each mechanism, of all contacts and, if they are several, of each (`by_contact`)."""
    n = force_count(system)
    nq, nu = positions(system), velocities(system)
    x = local_array(n, y.dtype)
    gamma = local_array(n, y.dtype)
    power = local_array((contact_count(system), 5), y.dtype)
    held(system, modes, shares, t, y, out, x, gamma, power)
    for i in range(sums.size):
        sums[i] = 0.0 * y[0]
    for k in range(contact_count(system)):
        if modes[k] > 0:
            normal = x[3 * k]
            slid = normal * power[k, 0] + power[k, 1] - x[3 * k + 1] * gamma[3 * k + 1] - x[3 * k + 2] * gamma[3 * k + 2]
            pivoted = normal * power[k, 2] + power[k, 3]
            rolled = normal * power[k, 4]
            add(sums, 0, normal, slid, pivoted, rolled)
            if contact_count(system) > 1:
                add(sums, TOTALS + OF_EACH * k, normal, slid, pivoted, rolled)
    sums[5] = drag_power(system, y[nq : nq + nu])
