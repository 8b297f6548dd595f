"""After a time step: who carried what, where energy went, gaps closed, velocities made consistent with the contacts that hold."""

from __future__ import annotations

from ...kernel.cholesky import cholesky, cholesky_back
from ...kernel.compiled import compiled
from ...mechanics.contact import (
    contact_count,
    contact_rows,
    gap,
    mass_matrix,
    position_rate,
    positions,
    rows_per_contact,
    surface_velocity,
    tidy,
    velocities,
)
from .local import solve_small
from .work import (
    ADJUSTED,
    ALL_CHANGE,
    ALL_TRIAL,
    BEFORE,
    BOUNCE,
    CLOSED,
    FALSE_WORK,
    HALVED,
    HELD,
    IMPULSE,
    MEAN,
    OFFSET,
    PERCUSSION,
    PUSH,
    RATE,
    SINKING,
    STUCK,
    SUPPLIED,
    WAS,
)

POLISH = 200  # sweeps at most
PULLS, SHRINKS = (
    4,
    0.1,
)  # gaps of several contacts are closed so many times at most, as long as each time leaves less than this share


@compiled
def book(system, count, dt, u, lost, smooth, w):
    """Account for a step: percussions and modes by contact, impulse, energy lost to each mechanism at each contact and in all; whether a mode changed.

    The work of a percussion is P (gamma_A + gamma_E)/2, exactly. A contact holds if it carries force and does not bounce off; it sticks if its percussion
    lies inside the reservoir and it does not bounce along the plane either (e_T: it then slips back). What contacts that
    hold take along the normal, and those that stick along the surface, is an error of the scheme, since W turns during a step,
    unless contacts begin, or jump (not `smooth`).
    """
    rows = rows_per_contact(system)
    nu = velocities(system)
    for k in range(contact_count(system)):
        w.k[WAS, k] = w.k[STUCK, k]
        w.k[STUCK, k] = 0
        for i in range(rows):
            w.last[k, i] = 0.0
    lasting, false = smooth, 0.0
    for a in range(count):
        k = w.k[CLOSED, a]
        if w.v[PERCUSSION, a * rows] > 0.0 and (w.v[BOUNCE, a * rows] == 0.0 or w.k[HALVED, a] > 0):
            back = w.v[BOUNCE, a * rows + 1] > 0.0 and w.k[HALVED, a] == 0
            w.k[STUCK, k] = 2 if w.k[HELD, a] > 0 and not back else 1
        lost[0] += w.v[PERCUSSION, a * rows]
        w.last[k, IMPULSE] += w.v[PERCUSSION, a * rows]
        for i in range(rows):
            P = w.v[PERCUSSION, a * rows + i]
            w.last[k, i] = P
            after = 0.0
            for j in range(nu):
                after += w.rows[0, a * rows + i, j] * u[j]
            after -= w.v[OFFSET, a * rows + i]
            work = -0.5 * P * (after + w.v[BEFORE, a * rows + i])
            place = 4 if i == 0 else (1 if i < 3 else (2 if i == 3 else 3))
            lost[place] += work
            w.last[k, IMPULSE + place] += work
            if i == 0:
                w.last[k, SINKING] += dt * abs(after - w.v[BEFORE, a * rows])
            if i == 0 or (i < 3 and w.k[WAS, k] + w.k[STUCK, k] == 4):
                false += work
            lasting = lasting and (P == 0.0 or (w.k[WAS, k] > 0 and w.k[STUCK, k] > 0))
            w.last[w.last.shape[0] - 1, SUPPLIED] += P * w.v[OFFSET, a * rows + i]
    if lasting:
        w.last[w.last.shape[0] - 1, FALSE_WORK] += false
    changed = False
    for k in range(contact_count(system)):
        changed = changed or (w.k[STUCK, k] > w.k[WAS, k])
    return changed


@compiled
def close_gaps(system, t, q, count, w):
    """Pull the contacts that hold onto their surfaces, all of them together: along M^-1 W_N^T x with G_NN x = -gap.

    Contacts are redundant (four feet), so that G_NN is softened a little, as for the percussions. One that bounces off is left where it is:
    it leaves by itself, and pulling it up would feed energy in. What potential energy the correction takes or gives is booked.

    Several contacts are pulled again as long as their gaps shrink. W belongs to the middle of the step, and what one pull leaves (of second order, 1e-13 m) is not
    the same for all: an edge on two corners would be inclined by it, so that a body that tips over it would pivot, by far too little to be
    mechanics and far too much to be rounding.
    """
    rows = rows_per_contact(system)
    n = 0
    for a in range(count):
        if w.k[STUCK, w.k[CLOSED, a]] > 0:
            w.v[ALL_TRIAL, n] = a * rows
            n += 1
    earlier = 1e300
    for _ in range(0 if n == 0 else (1 if n == 1 else PULLS)):
        worst = 0.0
        for i in range(n):
            w.v[ALL_CHANGE, i] = -gap(system, t, q, w.k[CLOSED, int(w.v[ALL_TRIAL, i]) // rows])
            worst = max(worst, abs(w.v[ALL_CHANGE, i]))
        if not worst < SHRINKS * earlier:
            break
        pull(system, q, n, w)
        earlier = worst


@compiled
def pull(system, q, n, w):
    """Move q by what is to be added to the gaps of n contacts (w.v[ALL_CHANGE]; their normal rows: w.v[ALL_TRIAL])."""
    if n == 1:
        first = int(w.v[ALL_TRIAL, 0])
        w.v[ALL_CHANGE, 0] /= w.square[0, first, first]
    else:
        largest = 0.0
        for i in range(n):
            row = int(w.v[ALL_TRIAL, i])
            largest = max(largest, w.square[0, row, row])
            for j in range(n):
                w.square[1, i, j] = w.square[0, row, int(w.v[ALL_TRIAL, j])]
        for i in range(n):
            w.square[1, i, i] += 1e-9 * largest
        solve_small(w.square[1], w.v[ALL_CHANGE], n)
    for j in range(velocities(system)):
        total = 0.0
        for i in range(n):
            total += w.v[ALL_CHANGE, i] * w.rows[1, int(w.v[ALL_TRIAL, i]), j]
        w.v[MEAN, j] = total
        w.last[w.last.shape[0] - 1, ADJUSTED] -= total * w.v[PUSH, j]
    position_rate(system, q, w.v[MEAN], w.v[RATE])
    for j in range(positions(system)):
        q[j] += w.v[RATE, j]
    tidy(system, q)


@compiled
def make_consistent(system, t, q, u, w):
    """Take out of u what contacts that hold do not allow at (t, q): the normal velocity, and the slip if they stick.

    u -= M^-1 W^T (W M^-1 W^T)^-1 (W u - w), by Gauss-Seidel over the rows (contacts of a body lying flat are redundant).
    """
    nu = velocities(system)
    n = 0
    mass_matrix(system, q, w.M)
    cholesky(w.M, nu)
    for k in range(contact_count(system)):
        if w.k[STUCK, k] > 0:
            contact_rows(system, t, q, k, w.rows[0, n : n + rows_per_contact(system)])
            surface_velocity(system, t, q, k, w.v[OFFSET, n : n + rows_per_contact(system)])
            n += 3 if w.k[STUCK, k] == 2 else 1
    for i in range(n):
        for j in range(nu):
            w.rows[1, i, j] = w.rows[0, i, j]
        cholesky_back(w.M, nu, w.rows[1, i])
    for _ in range(POLISH):
        worst = 0.0
        for i in range(n):
            rate, size = 0.0, 0.0
            for j in range(nu):
                rate += w.rows[0, i, j] * u[j]
                size += w.rows[0, i, j] * w.rows[1, i, j]
            rate -= w.v[OFFSET, i]
            if size <= 0.0:  # a row without effect
                continue
            worst = max(worst, abs(rate))
            for j in range(nu):
                u[j] -= rate / size * w.rows[1, i, j]
        if worst < 1e-15:
            break
