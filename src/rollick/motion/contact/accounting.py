"""After a time step: who carried what, where energy went, gaps closed, velocities made consistent with the contacts that hold."""

from __future__ import annotations

from ...kernel.cholesky import cholesky, cholesky_back
from ...kernel.compiled import compiled
from ...mechanics.contact import (
    contact_count,
    contact_rows,
    gap,
    law_of,
    mass_matrix,
    position_rate,
    positions,
    rows_per_contact,
    surface_velocity,
    tidy,
    velocities,
)
from .local import is_stuck
from .work import BEFORE, CLOSED, HALVED, MEAN, OFFSET, PERCUSSION, RATE, STUCK, WAS

POLISH = 200  # sweeps at most
REBOUND = 1e-4  # m/s: a contact that leaves faster than this after a step bounces off


@compiled
def book(system, count, u, lost, w):
    """Account for a step: percussions and modes by contact, accumulated impulse, energy lost to each mechanism; whether a mode changed."""
    rows = rows_per_contact(system)
    nu = velocities(system)
    for k in range(contact_count(system)):
        w.k[WAS, k] = w.k[STUCK, k]
        w.k[STUCK, k] = 0
        for i in range(rows):
            w.last[k, i] = 0.0
    for a in range(count):
        k = w.k[CLOSED, a]
        for i in range(rows):
            w.last[k, i] = w.v[PERCUSSION, a * rows + i]
        lost[0] += w.last[k, 0]
        for i in range(rows):
            after = 0.0
            for j in range(nu):
                after += w.rows[0, a * rows + i, j] * u[j]
            after -= w.v[OFFSET, a * rows + i]
            work = -0.5 * w.last[k, i] * (after + w.v[BEFORE, a * rows + i])
            place = 4 if i == 0 else (1 if i < 3 else (2 if i == 3 else 3))
            lost[place] += work
            if i == 0 and w.last[k, 0] > 0.0 and (after < REBOUND or w.k[HALVED, a] > 0):  # it holds; otherwise it bounces off
                w.k[STUCK, k] = 2 if is_stuck(law_of(system, k), w.last[k], 0.0) else 1
    changed = False
    for k in range(contact_count(system)):
        changed = changed or (w.k[STUCK, k] > w.k[WAS, k])
    return changed


@compiled
def close_gaps(system, t, q, count, w):
    """Pull the closed contacts that carry force onto their surfaces: one Newton step along M^-1 W_N^T for each."""
    nu = velocities(system)
    nq = positions(system)
    rows = rows_per_contact(system)
    for a in range(count):
        if w.last[w.k[CLOSED, a], 0] > 0.0:
            g = gap(system, t, q, w.k[CLOSED, a])
            push = -g / w.square[0, a * rows, a * rows]
            for j in range(nu):
                w.v[MEAN, j] = push * w.rows[1, a * rows, j]
            position_rate(system, q, w.v[MEAN], w.v[RATE])
            for j in range(nq):
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
