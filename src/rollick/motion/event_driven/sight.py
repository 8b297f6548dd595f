"""All contacts of a body at an instant: what they do, what their forces would do to them, and the forces of contacts in a mode each.

gamma' = c + A lambda, see `contact.balance`.
"""

from __future__ import annotations

import math

import numpy as np

from ...kernel.apart import apart
from ...kernel.compiled import compiled
from ...kernel.linear import lu_factor, lu_solve
from ...kernel.local_array import float64, int64, local_array
from ...mechanics.contact import contact_count, positions, velocities
from ..contact.balance import force_count, look
from ..contact.held import SLIP, STICK
from ..contact.sharing import range_basis, solve_shared, within
from ..filippov.records import fields
from .thresholds import MOVING, STILL

NOT_OWN = 1e-8  # relative: what is left of A where others are held, and counts as nothing


def sight_kind(count: int, nu: int, n: int) -> np.dtype:
    """All contacts at an instant: gaps and grips by contact; velocities and c by row, three for each contact; A; M^-1 L; dy/dt without the forces of contacts; the slips that
    count as none."""
    rows = 3 * count
    return fields(
        gaps=(count,), mu=(count,), gamma=(rows,), c=(rows,), A=(rows, rows), lift=(rows, nu), free=(n,), still=(count,)
    )  # fmt: skip


def choice_kind(count: int) -> np.dtype:
    """What contacts go on with: their modes; whether slip begins, in which direction (two numbers each), how fast it grows; forces between redundant ones."""
    return fields(modes=(count,), begins=(count,), ways=(2 * count,), paces=(count,), shares=(3 * count,))


@compiled
def see(system, t, y, rtol, sight):
    """All contacts at an instant; `rtol` is how well velocities are known."""
    apart()
    count = contact_count(system)
    ones, speeds = local_array(contact_count(system), float64), local_array(contact_count(system), float64)
    for k in range(count):
        ones[k] = 1.0
    look(
        system, ones, t, y, sight.gaps[:], sight.mu[:], speeds, sight.free[:], sight.c[:], sight.A[:], sight.lift[:], sight.gamma[:]
    )  # fmt: skip
    for k in range(count):
        sight.still[k] = max(STILL, rtol * speeds[k])


@compiled
def slip_of(sight, k):
    """How fast contact k slips."""
    return math.hypot(sight.gamma[3 * k + 1], sight.gamma[3 * k + 2])


@compiled
def slips(sight, k):
    """Whether contact k slips, or cannot hold."""
    return sight.mu[k] <= 0.0 or slip_of(sight, k) > MOVING * sight.still[k]


@compiled
def way_of(sight, k):
    """The direction of the slip; zero if it cannot hold."""
    if sight.mu[k] <= 0.0:
        return 0.0, 0.0
    size = slip_of(sight, k)
    return sight.gamma[3 * k + 1] / size, sight.gamma[3 * k + 2] / size


@compiled
def held_rows(system, modes, row_of):
    """The rows that modes hold; how many."""
    m = 0
    for k in range(contact_count(system)):
        for i in range(3 if modes[k] == STICK else 1 if modes[k] == SLIP else 0):
            row_of[m] = 3 * k + i
            m += 1
    return m


@compiled
def columns(system, sight, choice, row_of, part):
    """The rows that modes hold, and the forces of all rows per unknown (a column per row); how many."""
    m = held_rows(system, choice.modes, row_of)
    for p in range(m):
        k = row_of[p] // 3
        for row in range(force_count(system)):
            part[row, p] = 0.0
        part[row_of[p], p] = 1.0
        if choice.modes[k] == SLIP and sight.mu[k] > 0.0:
            a, b = (choice.ways[2 * k], choice.ways[2 * k + 1]) if choice.begins[k] > 0.0 else way_of(sight, k)
            part[3 * k + 1, p], part[3 * k + 2, p] = -sight.mu[k] * a, -sight.mu[k] * b
    return m


@compiled
def find_forces(system, sight, choice, x):
    """The forces of all rows in given modes into x; redundant contacts share them as `sharing` says, beside the shares of the choice."""
    apart()
    n = force_count(system)
    S, S0 = local_array((force_count(system), force_count(system)), float64), local_array((force_count(system), force_count(system)), float64)  # fmt: skip
    part = local_array((force_count(system), force_count(system)), float64)
    b, z, x0 = local_array(force_count(system), float64), local_array(force_count(system), float64), local_array(force_count(system), float64)  # fmt: skip
    row_of = local_array(force_count(system), int64)
    m = columns(system, sight, choice, row_of, part)
    for row in range(n):
        x[row] = 0.0
    if m == 0:
        return
    for p in range(m):
        row = row_of[p]
        b[p], x0[p] = -sight.c[row], choice.shares[row]
        for q in range(m):
            S[p, q], S0[p, q] = 0.0, sight.A[row, row_of[q]]
            for a in range(n):
                S[p, q] += sight.A[row, a] * part[a, q]
    solve_shared(system, S, S0, b, x0, z, m)
    for row in range(n):
        for p in range(m):
            x[row] += part[row, p] * z[p]


@compiled
def acceleration(system, sight, x, row):
    """gamma' of a row under given forces."""
    total = sight.c[row]
    for a in range(force_count(system)):
        total += sight.A[row, a] * x[a]
    return total


@compiled
def motion_under(system, sight, x, out):
    """u' under given forces."""
    nq = positions(system)
    for j in range(velocities(system)):
        out[j] = sight.free[nq + j]
        for a in range(force_count(system)):
            out[j] += x[a] * sight.lift[a, j]


@compiled
def reduced(system, sight, row_of, m, Q, B, pivots):
    """An orthonormal basis Q of what rows can do together, and Q^T A Q factored; how many columns Q has."""
    S0 = local_array((force_count(system), force_count(system)), float64)
    for p in range(m):
        for q in range(m):
            S0[p, q] = sight.A[row_of[p], row_of[q]]
    r = range_basis(system, S0, Q, m)
    within(system, S0, Q, m, r, B)
    lu_factor(B[:r, :r], pivots[:r])
    return r


@compiled
def along_basis(sight, row_of, m, Q, r, column, out):
    """Q^T A at a column."""
    for p in range(r):
        out[p] = 0.0
        for i in range(m):
            out[p] += Q[i, p] * sight.A[row_of[i], column]


@compiled
def has_own_part(system, sight, row_of, m, first, width):
    """Whether something is left of A at the rows from `first` on where others are held; if not, they move only if the others do."""
    apart()
    if m == 0:
        return True
    Q, B = local_array((force_count(system), force_count(system)), float64), local_array((force_count(system), force_count(system)), float64)  # fmt: skip
    across, pivots = local_array(force_count(system), float64), local_array(force_count(system), int64)
    r = reduced(system, sight, row_of, m, Q, B, pivots)
    largest, most = 0.0, 0.0
    for j in range(first, first + width):
        along_basis(sight, row_of, m, Q, r, j, across)
        lu_solve(B[:r, :r], pivots[:r], across[:r])
        for i in range(first, first + width):
            left = sight.A[i, j]
            largest = max(largest, abs(left))
            for p in range(r):
                for a in range(m):
                    left -= sight.A[i, row_of[a]] * Q[a, p] * across[p]
            most = max(most, abs(left))
    return most > NOT_OWN * largest


@compiled
def share_of(system, sight, row_of, m, k, x):
    """What the normal force of contact k, which the others keep closed, would be if it shared their load x, up to a positive factor."""
    Q, B = local_array((force_count(system), force_count(system)), float64), local_array((force_count(system), force_count(system)), float64)  # fmt: skip
    across, pivots = local_array(force_count(system), float64), local_array(force_count(system), int64)
    r = reduced(system, sight, row_of, m, Q, B, pivots)
    along_basis(sight, row_of, m, Q, r, 3 * k, across)
    lu_solve(B[:r, :r], pivots[:r], across[:r])
    total = 0.0
    for p in range(r):
        for i in range(m):
            total += across[p] * Q[i, p] * x[row_of[i]]
    return total
