"""Forces inside the friction cones, where redundant contacts leave a choice.

Contacts that stick hold with lambda = lambda_0 + Z eta, Z the forces between the contacts that do not move the body: an orthonormal basis of the vectors that `lift` maps to
nothing, by elimination of what it maps to something. Wanted is the eta for which the least margin mu N - |T| is largest: a small convex problem, by Newton's method with a barrier

    tau (s + w |eta|^2) - sum log((mu N + s)^2 - |T|^2) - log(1 + s),      tau -> infinity,

s the negative margin. 1 + s keeps it bounded where contacts could be squeezed at will (a wedge).
"""

from __future__ import annotations

import math

from ...kernel.apart import apart
from ...kernel.compiled import compiled
from ...kernel.dispatch import constant
from ...kernel.linear import lu_factor, lu_solve
from ...kernel.local_array import float64, int64, local_array
from ...mechanics.contact import contact_count, velocities
from ..contact.balance import force_count
from ..contact.held import STICK

RANK = 1e-9  # relative: what counts as nothing
TAUS = tuple(10.0**i for i in range(0, 12))
CENTRED = 1e-2  # a margin (of 1) that will do
WEIGHT = 1e-3
NEWTON = 40  # steps of Newton's method for each tau, at most
LEAST = 1e-10  # of a step of Newton's method


@constant
def eased_size(system):
    """The unknowns of `ease`, at most: a constant of the type."""


@eased_size.otherwise
def _(system):
    return 3 * int(contact_count(system)) + 1


@compiled
def squeezes(system, sight, modes, Z):
    """An orthonormal basis of the forces between contacts that stick which do not move the body, into the columns of Z; how many there are."""
    apart()
    n, nu = force_count(system), velocities(system)
    E, V = local_array((velocities(system), force_count(system)), float64), local_array((eased_size(system), force_count(system)), float64)  # fmt: skip
    for j in range(nu):
        most = 1e-300
        for a in range(n):
            E[j, a] = sight.lift[a, j] if modes[a // 3] == STICK else 0.0
            most = max(most, abs(E[j, a]))
        for a in range(n):
            E[j, a] /= most
    rank, largest = 0, 0.0
    for _ in range(nu):  # what moves the body: an orthonormal basis of the rows of E, the largest first
        best, most = -1, 0.0
        for j in range(nu):
            size = 0.0
            for a in range(n):
                size += E[j, a] * E[j, a]
            if size > most:
                best, most = j, size
        largest = max(largest, most)
        if best < 0 or most <= RANK * RANK * largest:
            break
        for a in range(n):
            V[rank, a] = E[best, a]
        orthonormal(V, rank, n)
        for j in range(nu):
            take_out(V[rank], E[j], n)
        rank += 1
    total, last = 0, rank
    for i in range(n):  # and what is left of the unit vectors
        if modes[i // 3] != STICK or last > n:
            continue
        for a in range(n):
            V[last, a] = 1.0 if a == i else 0.0
        if orthonormal(V, last, n) > 1e-6:
            for a in range(n):
                Z[a, total] = V[last, a]
            total += 1
            last += 1
    return total


@compiled
def take_out(unit, v, n):
    """Take the part along a unit vector out of v."""
    along = 0.0
    for a in range(n):
        along += unit[a] * v[a]
    for a in range(n):
        v[a] -= along * unit[a]


@compiled
def orthonormal(V, last, n):
    """Make the row `last` of V orthogonal to those before it, twice, and a unit vector; its length before."""
    length = 0.0
    for _ in range(2):
        for p in range(last):
            take_out(V[p], V[last], n)
        size = 0.0
        for a in range(n):
            size += V[last, a] * V[last, a]
        size = math.sqrt(size)
        length = size if length == 0.0 else length * size
        for a in range(n):
            V[last, a] /= max(size, 1e-300)
    return length


@compiled
def at_contact(sight, f, Z, k, p, x, v):
    """(mu N + s, T) of contact k for the unknowns x = (eta, s)."""
    for i in range(3):
        v[i] = f[3 * k + i]
        for j in range(p):
            v[i] += Z[3 * k + i, j] * x[j]
    v[0] = sight.mu[k] * v[0] + x[p]


@compiled
def barrier(system, sight, modes, f, Z, p, x, tau):
    """The function whose least value is looked for; infinite outside."""
    v = local_array(3, float64)
    total = x[p]
    for j in range(p):
        total += WEIGHT * x[j] * x[j]
    total *= tau
    for k in range(contact_count(system)):
        if modes[k] == STICK:
            at_contact(sight, f, Z, k, p, x, v)
            room = v[0] * v[0] - v[1] * v[1] - v[2] * v[2]
            if not (v[0] > 0.0 and room > 0.0):
                return math.inf
            total -= math.log(room)
    return total - math.log(1.0 + x[p]) if 1.0 + x[p] > 0.0 else math.inf


@compiled
def slopes(system, sight, modes, f, Z, p, x, tau, g, H):
    """Its first and second derivatives."""
    v, J, e = local_array(3, float64), local_array((3, eased_size(system)), float64), local_array(3, float64)
    turned = local_array(eased_size(system), float64)
    for i in range(p + 1):
        g[i] = 2.0 * WEIGHT * tau * x[i] if i < p else tau
        for j in range(p + 1):
            H[i, j] = 2.0 * WEIGHT * tau if i == j and i < p else 0.0
    for k in range(contact_count(system)):
        if modes[k] != STICK:
            continue
        at_contact(sight, f, Z, k, p, x, v)
        e[0], e[1], e[2] = v[0], -v[1], -v[2]
        room = v[0] * v[0] - v[1] * v[1] - v[2] * v[2]
        for i in range(3):
            for j in range(p):
                J[i, j] = (sight.mu[k] if i == 0 else 1.0) * Z[3 * k + i, j]
            J[i, p] = 1.0 if i == 0 else 0.0
        for j in range(p + 1):
            turned[j] = J[0, j] * e[0] + J[1, j] * e[1] + J[2, j] * e[2]
        for i in range(p + 1):
            g[i] -= 2.0 * turned[i] / room
            for j in range(p + 1):
                H[i, j] += 4.0 * turned[i] * turned[j] / (room * room)
                H[i, j] -= 2.0 * (J[0, i] * J[0, j] - J[1, i] * J[1, j] - J[2, i] * J[2, j]) / room
    last = 1.0 + x[p]
    g[p] -= 1.0 / last
    H[p, p] += 1.0 / (last * last)


@compiled
def downhill(system, sight, modes, f, Z, p, x, tau):
    """A step of Newton's method from x, in place; whether it went anywhere."""
    g, H = local_array(eased_size(system), float64), local_array((eased_size(system), eased_size(system)), float64)
    step, new = local_array(eased_size(system), float64), local_array(eased_size(system), float64)
    pivots = local_array(eased_size(system), int64)
    slopes(system, sight, modes, f, Z, p, x, tau, g, H)
    for i in range(p + 1):
        step[i] = -g[i]
    if not lu_factor(H[: p + 1, : p + 1], pivots[: p + 1]):
        return False
    lu_solve(H[: p + 1, : p + 1], pivots[: p + 1], step[: p + 1])
    fall = 0.0
    for i in range(p + 1):
        fall += g[i] * step[i]
    if not -fall > 1e-10:
        return False
    share, now = 1.0, barrier(system, sight, modes, f, Z, p, x, tau)
    while share > LEAST:
        for i in range(p + 1):
            new[i] = x[i] + share * step[i]
        if barrier(system, sight, modes, f, Z, p, new, tau) <= now + 0.1 * share * fall:
            break
        share *= 0.5
    if share <= LEAST:
        return False
    for i in range(p + 1):
        x[i] = new[i]
    return True


@compiled
def ease(system, sight, modes, forces, size, out):
    """Forces with the same motion and more room, by forces between the contacts that stick, into `out`; whether there are any. `size`: of the forces."""
    apart()
    n = force_count(system)
    Z, f = local_array((force_count(system), force_count(system)), float64), local_array(force_count(system), float64)
    x = local_array(eased_size(system), float64)
    p = squeezes(system, sight, modes, Z)
    if p == 0:
        return False
    cones, largest = 0, 1.0
    for k in range(contact_count(system)):
        for i in range(3):
            f[3 * k + i] = forces[3 * k + i] / size
        if modes[k] == STICK:
            cones += 1
            largest = max(largest, 2.0 * max(sight.mu[k] * abs(f[3 * k]), max(abs(f[3 * k + 1]), abs(f[3 * k + 2]))))
    for i in range(p):
        x[i] = 0.0
    x[p] = 1.0 + largest
    for i in range(len(TAUS)):
        tau = TAUS[i]
        for _ in range(NEWTON):
            if not downhill(system, sight, modes, f, Z, p, x, tau):
                break
        if (x[p] < -CENTRED and tau >= 10.0) or x[p] > (2 * cones + 1) / tau + CENTRED:  # good enough, or hopeless
            break
    for row in range(n):
        out[row] = f[row]
        for j in range(p):
            out[row] += Z[row, j] * x[j]
        out[row] *= size
    return True
