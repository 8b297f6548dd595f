"""Jumps of the state at contacts: velocities taken out by impulses, positions put back onto a surface, impacts (`contact.impact`)."""

from __future__ import annotations

import math

from ...kernel.apart import apart
from ...kernel.cholesky import cholesky, cholesky_back
from ...kernel.compiled import compiled
from ...kernel.dispatch import constant
from ...kernel.local_array import float64, int64, local_array
from ...mechanics.contact import (
    contact_count,
    contact_rows,
    mass_matrix,
    position_rate,
    positions,
    rows_per_contact,
    surface_velocity,
    tidy,
    velocities,
)
from ...mechanics.size import extent
from ..contact.balance import force_count
from ..contact.held import OPEN, SLIP, STICK
from ..contact.impact import strike
from ..contact.onto import pull_onto
from ..contact.sharing import solve_shared
from ..contact.work import CLOSED, FACTORS, MEMORY, PERCUSSION, ROWS, VECTORS, WHOLE, Work
from .one_closed import all_open
from .sight import acceleration, find_forces, slips
from .thresholds import ABOVE, DEEPEST, SLOW


@constant
def work_rows(system):
    """Six rows for every contact: a constant of the type."""


@work_rows.otherwise
def _(system):
    return ROWS * int(contact_count(system))


@constant
def work_length(system):
    """The length of the vectors of `contact.work`: a constant of the type."""


@work_length.otherwise
def _(system):
    return max(int(positions(system)), int(velocities(system)), max(ROWS, FACTORS) * int(contact_count(system)))


@constant
def one_more(system):
    """A row for every contact and one for all: a constant of the type."""


@one_more.otherwise
def _(system):
    return int(contact_count(system)) + 1


@compiled
def bring_to_rest(system, t, y, closed, still, wanted):
    """Take out the normal velocity at closed contacts and the slip (but for that wanted) at still ones, by impulses there; positions are put onto what is closed."""
    apart()
    nq, nu, count = positions(system), velocities(system), contact_count(system)
    modes = local_array(contact_count(system), float64)
    M, W, w = local_array((velocities(system), velocities(system)), float64), local_array((6, velocities(system)), float64), local_array(6, float64)  # fmt: skip
    rows, lift = local_array((force_count(system), velocities(system)), float64), local_array((force_count(system), velocities(system)), float64)  # fmt: skip
    S, off = local_array((force_count(system), force_count(system)), float64), local_array(force_count(system), float64)
    x, x0 = local_array(force_count(system), float64), local_array(force_count(system), float64)
    q, u = y[:nq], y[nq : nq + nu]
    any_held = False
    for k in range(count):
        modes[k] = STICK if still[k] > 0.0 else SLIP if closed[k] > 0.0 else OPEN
        any_held = any_held or modes[k] != OPEN
    tidy(system, q)
    if not any_held:
        return
    pull_onto(system, modes, t, y)
    mass_matrix(system, q, M)
    cholesky(M, nu)
    m = 0
    for k in range(count):
        if modes[k] == OPEN:
            continue
        contact_rows(system, t, q, k, W)
        surface_velocity(system, t, q, k, w)
        for i in range(3 if modes[k] == STICK else 1):
            off[m], x0[m] = -w[i] - wanted[3 * k + i], 0.0
            for j in range(nu):
                rows[m, j] = lift[m, j] = W[i, j]
                off[m] += W[i, j] * u[j]
            cholesky_back(M, nu, lift[m])
            m += 1
    for i in range(m):
        for j in range(m):
            S[i, j] = 0.0
            for a in range(nu):
                S[i, j] += rows[i, a] * lift[j, a]
    solve_shared(system, S, S, off, x0, x, m)
    for j in range(nu):
        for i in range(m):
            u[j] -= lift[i, j] * x[i]


@compiled
def raise_up(system, y, sight, held, work):
    """Move contacts that are below their surfaces a little above them, where an impact is found a little late; or if some are held, which keep their gaps, only those that leave
    their surfaces and came below them by rounding. The work that this takes at each into `work`."""
    apart()
    nq, nu, count = positions(system), velocities(system), contact_count(system)
    S, b = local_array((force_count(system), force_count(system)), float64), local_array(force_count(system), float64)
    x, x0 = local_array(force_count(system), float64), local_array(force_count(system), float64)
    row_of = local_array(contact_count(system), int64)
    way, dq = local_array(velocities(system), float64), local_array(positions(system), float64)
    M = local_array((velocities(system), velocities(system)), float64)
    m, low, some = 0, False, False
    for k in range(count):
        some = some or held[k] > 0.0
        work[k] = 0.0
    for k in range(count):
        below = held[k] == 0.0 and sight.gaps[k] < 0.0 and (not some or (sight.gaps[k] > -DEEPEST and sight.gamma[3 * k] > 0.0))
        if below or held[k] > 0.0:
            row_of[m], b[m], x0[m] = 3 * k, (ABOVE * extent(system, y[:nq]) - sight.gaps[k]) if below else 0.0, 0.0
            low = low or below
            m += 1
    if not low:
        return
    for i in range(m):
        for j in range(m):
            S[i, j] = sight.A[row_of[i], row_of[j]]
    solve_shared(system, S, S, b, x0, x, m)
    for j in range(nu):
        way[j] = 0.0
        for i in range(m):
            way[j] += x[i] * sight.lift[row_of[i], j]
    mass_matrix(system, y[:nq], M)
    for i in range(m):
        if b[i] != 0.0:
            for j in range(nu):
                for a in range(nu):
                    work[row_of[i] // 3] -= x[i] * sight.lift[row_of[i], j] * M[j, a] * sight.free[nq + a]
    position_rate(system, y[:nq], way, dq)
    for i in range(nq):
        y[i] += dq[i]
    tidy(system, y[:nq])


@compiled
def hit(system, t, y, touching, blows):
    """The impact at the contacts that touch: y is the state after it. The percussions into `blows`, ROWS of them for each contact."""
    apart()
    nq, nu, count = positions(system), velocities(system), contact_count(system)
    w = Work(
        local_array((velocities(system), velocities(system)), float64),
        local_array((2, work_rows(system), velocities(system)), float64),
        local_array((3, work_rows(system), work_rows(system)), float64),
        local_array((3, ROWS, ROWS), float64),
        local_array((VECTORS, work_length(system)), float64),
        local_array((WHOLE, contact_count(system)), int64),
        local_array((one_more(system), MEMORY), float64),
    )
    for a in range(VECTORS):
        for b in range(work_length(system)):
            w.v[a, b] = 0.0
    for a in range(WHOLE):
        for b in range(count):
            w.k[a, b] = 0
    for a in range(count + 1):
        for b in range(MEMORY):
            w.last[a, b] = 0.0
    for i in range(work_rows(system)):
        for j in range(work_rows(system)):
            w.square[0, i, j] = w.square[1, i, j] = w.square[2, i, j] = 0.0
        for j in range(nu):
            w.rows[0, i, j] = w.rows[1, i, j] = 0.0
    for i in range(ROWS):
        for j in range(ROWS):
            w.small[0, i, j] = w.small[1, i, j] = w.small[2, i, j] = 0.0
    total = 0
    for k in range(count):
        if touching[k] > 0.0:
            w.k[CLOSED, total] = k
            total += 1
    strike(system, t, y[:nq], y[nq : nq + nu], total, w)
    rows = rows_per_contact(system)
    for k in range(count * ROWS):
        blows[k] = 0.0
    for a in range(total):
        for i in range(rows):
            blows[w.k[CLOSED, a] * ROWS + i] = w.v[PERCUSSION, a * rows + i]


@compiled
def kinetic(system, M, u):
    """u.M u/2."""
    total = 0.0
    for i in range(velocities(system)):
        for j in range(velocities(system)):
            total += 0.5 * u[i] * M[i, j] * u[j]
    return total


@compiled
def without_rebounds(system, m, y):
    """Take back what the rebounds of contacts that last from now on (m.closed) were worth; m.sight: y, after the impact; m.struck: before it.

    Until they last, the remaining rebounds would press as long as lasting contact does from now on, less by what these speeds are worth: weight has to end them, not
    contact. So much was pressed too early, with friction (P, -mu P w) where they slip: both are taken back. Without friction, or where that would turn a slip or
    give more energy than there was before the impact, nothing is: the speeds are taken out later (`bring_to_rest`).
    """
    apart()
    sight, modes, nq, nu, rubs = m.sight, m.trial, positions(system), velocities(system), False
    M, x = local_array((velocities(system), velocities(system)), float64), local_array(force_count(system), float64)
    u = local_array(velocities(system), float64)
    all_open(system, modes)
    for k in range(contact_count(system)):
        if m.closed[k] > 0.0:
            modes.modes[k] = SLIP if slips(sight, k) else STICK
            rubs = rubs or (modes.modes[k] == SLIP and sight.mu[k] > 0.0)
    if not rubs:
        return
    for row in range(force_count(system)):
        sight.c[row] = sight.gamma[row]
    find_forces(system, sight, modes, x)
    for j in range(nu):
        u[j] = y[nq + j]
        for row in range(force_count(system)):
            u[j] += x[row] * sight.lift[row, j]
    for k in range(contact_count(system)):
        if modes.modes[k] == SLIP and sight.mu[k] > 0.0:
            kept = 0.0
            for row in range(3 * k + 1, 3 * k + 3):
                kept += acceleration(system, sight, x, row) * sight.gamma[row]
            if not kept > 0.0:
                return
    mass_matrix(system, m.struck[:nq], M)
    if kinetic(system, M, u) <= kinetic(system, M, m.struck[nq : nq + nu]):
        for j in range(nu):
            y[nq + j] = u[j]
        for k in range(contact_count(system)):
            for i in range(3):
                m.blows[ROWS * k + i] += x[3 * k + i] if m.touching[k] > 0.0 else 0.0


@compiled
def is_solved(system, before, after, touching, sight):
    """Whether an impact leaves no contact approaching; `sight`: after it."""
    nq, nu = positions(system), velocities(system)
    M = local_array((velocities(system), velocities(system)), float64)
    mass_matrix(system, before[:nq], M)
    most = max(kinetic(system, M, before[nq : nq + nu]), kinetic(system, M, after[nq : nq + nu]))
    lightest = 0.0
    for k in range(contact_count(system)):
        if touching[k] > 0.0:
            lightest = max(lightest, sight.A[3 * k, 3 * k])
    speed = math.sqrt(2.0 * most * lightest) if most > 0.0 else 1.0
    for k in range(contact_count(system)):
        if touching[k] > 0.0 and not sight.gamma[3 * k] > -1e-7 * (speed + SLOW):
            return False
    return True
