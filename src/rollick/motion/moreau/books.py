"""After a time step: who carried what, where energy went, gaps closed, velocities made consistent with the contacts that hold."""

from __future__ import annotations

from ...kernel.compiled import compiled
from ...mechanics.contact import contact_count, contact_rows, gap, law_of, mass_matrix, position_rate, positions, tidy, velocities
from ...mechanics.factor import cholesky, cholesky_back
from ...mechanics.laws.friction import row_count
from ...mechanics.laws.sliding import prox, set_valued

POLISH = 200  # sweeps at most


@compiled
def is_stuck(law, P, normal_floor):
    """Whether the percussions of a contact lie inside the reservoir of its sliding law."""
    if not set_valued(law.sliding) or P[0] <= normal_floor:
        return False
    k = 1.0 + 1e-9
    t1, t2, _ = prox(law.sliding, k * P[1], k * P[2], k * P[3] if row_count(law) > 3 else 0.0, P[0])
    return abs(t1 - k * P[1]) + abs(t2 - k * P[2]) == 0.0


@compiled
def book(system, count, u, lost, w):
    """Account for a step: percussions and modes by contact, accumulated impulse, energy lost to each mechanism; whether a mode changed."""
    law = law_of(system)
    rows = row_count(law)
    nu = velocities(system)
    for k in range(contact_count(system)):
        w.was[k] = w.stuck[k]
        w.stuck[k] = 0
        for i in range(rows):
            w.last[k, i] = 0.0
    for a in range(count):
        k = w.closed[a]
        for i in range(rows):
            w.last[k, i] = w.P[a * rows + i]
        if w.last[k, 0] > 0.0:
            w.stuck[k] = 2 if is_stuck(law, w.last[k], 0.0) else 1
        lost[0] += w.last[k, 0]
        for i in range(rows):
            after = 0.0
            for j in range(nu):
                after += w.W[a * rows + i, j] * u[j]
            work = -0.5 * w.last[k, i] * (after + w.before[a * rows + i])
            place = 4 if i == 0 else (1 if i < 3 else (2 if i == 3 else 3))
            lost[place] += work
    changed = False
    for k in range(contact_count(system)):
        changed = changed or (w.stuck[k] > w.was[k])
    return changed


@compiled
def close_gaps(system, q, count, w):
    """Pull the closed contacts that carry force onto the plane: one Newton step along M^-1 W_N^T for each."""
    nu = velocities(system)
    nq = positions(system)
    rows = row_count(law_of(system))
    for a in range(count):
        if w.last[w.closed[a], 0] > 0.0:
            g = gap(system, q, w.closed[a])
            push = -g / w.G[a * rows, a * rows]
            for j in range(nu):
                w.mean[j] = push * w.Y[a * rows, j]
            position_rate(system, q, w.mean, w.dq)
            for j in range(nq):
                q[j] += w.dq[j]
    tidy(system, q)


@compiled
def make_consistent(system, q, u, w):
    """Take out of u what contacts that hold do not allow at q: the normal velocity, and the slip if they stick.

    u -= M^-1 W^T (W M^-1 W^T)^-1 W u, by Gauss-Seidel over the rows (contacts of a body lying flat are redundant).
    """
    nu = velocities(system)
    n = 0
    mass_matrix(system, q, w.M)
    cholesky(w.M, nu)
    for k in range(contact_count(system)):
        if w.stuck[k] > 0:
            contact_rows(system, q, k, w.W[n : n + row_count(law_of(system))])
            n += 3 if w.stuck[k] == 2 else 1
    for i in range(n):
        for j in range(nu):
            w.Y[i, j] = w.W[i, j]
        cholesky_back(w.M, nu, w.Y[i])
    for _ in range(POLISH):
        worst = 0.0
        for i in range(n):
            rate, size = 0.0, 0.0
            for j in range(nu):
                rate += w.W[i, j] * u[j]
                size += w.W[i, j] * w.Y[i, j]
            worst = max(worst, abs(rate))
            for j in range(nu):
                u[j] -= rate / size * w.Y[i, j]
        if worst < 1e-15:
            break
