"""One time step of Moreau's scheme (Sailer, section 3.7; digest section 5).

q_M = q_A + dt/2 F(q_A) u_A;  M, W, h + f_g at (q_M, u_A);  contacts with gap(q_M) <= 0 are closed;
u_E = u_A + M^-1 ((h + f_g) dt + W^T P),  xi = gamma_E + e gamma_A,  P from the contact laws;  q_E = q_M + dt/2 F(q_M) u_E.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kernel.compiled import compiled
from ...mechanics.contact import (
    contact_count,
    contact_rows,
    gap,
    law_of,
    mass_matrix,
    position_rate,
    positions,
    restitution,
    smooth_forces,
    tidy,
    velocities,
)
from ...mechanics.factor import cholesky, cholesky_back
from ...mechanics.laws.friction import row_count
from ...mechanics.laws.impact import tangential_restitution
from .books import book, close_gaps, is_stuck, make_consistent
from .local import fixed_point
from .several import ROWS, solve_contacts

NEAR = (
    1e-9  # m: contacts closer than this count as closed (not in the thesis' scheme); they may only open, so that it does no harm
)
THESIS, DEFAULT, MIDPOINT = 0, 1, 2


class Work(NamedTuple):
    """Arrays of a run: nothing is allocated in a step."""

    M: Any
    f: Any
    qm: Any
    dq: Any
    free: Any
    mean: Any
    end: Any  # velocities at the end of the step
    W: Any  # rows of the closed contacts, one after the other
    Y: Any  # M^-1 W^T, transposed
    G: Any
    c: Any
    before: Any  # contact velocities at the beginning
    P: Any
    block: Any
    r: Any
    local_c: Any
    velocity: Any  # contact velocities xi
    closed: Any  # indices of closed contacts
    stuck: Any  # by contact: 0 open, 1 slipped, 2 stuck in the last step
    was: Any  # the same one step earlier
    last: Any  # percussions of the last step, by contact
    xi: Any
    image: Any
    F: Any
    trial: Any
    step: Any
    A: Any
    all_F: Any
    all_trial: Any
    all_step: Any
    all_A: Any


def work_for(nq: int, nu: int, contacts: int) -> Work:
    """Room for a system with so many positions, velocities and contacts."""
    n = ROWS * contacts
    z = np.zeros
    return Work(
        z((nu, nu)), z(nu), z(nq), z(nq), z(nu), z(nu), z(nu), z((n, nu)), z((n, nu)), z((n, n)), z(n), z(n), z(n), z((ROWS, ROWS)), z(n), z(ROWS), z(n),
        z(contacts, np.int64), z(contacts, np.int64), z(contacts, np.int64), z((contacts, ROWS)), z(ROWS), z(ROWS), z(ROWS), z(ROWS), z(ROWS), z((ROWS, ROWS)), z(n), z(n), z(n), z((n, n)),
    )  # fmt: skip


@compiled
def close_contacts(system, q, closed, near, lasting, stuck):
    """The contacts that are closed at q, up to `near` (`lasting`: or carried force in the last step); how many."""
    count = 0
    for k in range(contact_count(system)):
        if gap(system, q, k) <= near or (lasting and stuck[k] > 0):
            closed[count] = k
            count += 1
    return count


@compiled
def gather(system, q, u, free, count, scheme, w):
    """Rows, Delassus matrix G and c = W u_free + e gamma_A of the closed contacts.

    e is e_N and e_T; in the midpoint scheme 1 for contacts that last, which puts the laws at the mean of both velocities.
    """
    nu = velocities(system)
    rows = row_count(law_of(system))
    for a in range(count):
        contact_rows(system, q, w.closed[a], w.W[a * rows : (a + 1) * rows])
    n = count * rows
    for i in range(n):
        for j in range(nu):
            w.Y[i, j] = w.W[i, j]
        cholesky_back(w.M, nu, w.Y[i])
    for i in range(n):
        total, old = 0.0, 0.0
        for j in range(nu):
            total += w.W[i, j] * free[j]
            old += w.W[i, j] * u[j]
        w.before[i] = old
        lasting = scheme == MIDPOINT and w.stuck[w.closed[i // rows]] > 0
        e = (
            1.0
            if lasting
            else (
                restitution(system)
                if i % rows == 0
                else (tangential_restitution(law_of(system).sliding) if i % rows < 3 else 0.0)
            )
        )
        w.c[i] = total + e * old
        for k in range(i + 1):
            value = 0.0
            for j in range(nu):
                value += w.W[i, j] * w.Y[k, j]
            w.G[i, k] = value
            w.G[k, i] = value


@compiled
def solve_as_in_the_thesis(system, count, dt, tol, factors, most, w):
    """All percussions at once, P <- T(P) with given factors, until the summed change is below an absolute tolerance; that change."""
    law = law_of(system)
    rows = row_count(law)
    n = count * rows
    for i in range(n):
        w.P[i] = w.last[w.closed[i // rows], i % rows]
    total = 0.0
    for _ in range(most):
        total = 0.0
        for i in range(n):
            value = w.c[i]
            for j in range(n):
                value += w.G[i, j] * w.P[j]
            w.velocity[i] = value
        for a in range(count):
            first = a * rows
            fixed_point(law, w.P[first : first + rows], w.velocity[first : first + rows], factors, dt, w.image)
            for i in range(rows):
                total += abs(w.image[i] - w.P[first + i])
                w.P[first + i] = w.image[i]
        if total < tol:
            break
    return total


@compiled
def catches(system, count, w):
    """In the midpoint scheme: contacts that slipped before and would stick now are to end at rest, not to swing back; whether there are any."""
    law = law_of(system)
    rows = row_count(law)
    found = False
    for a in range(count):
        k = w.closed[a]
        if w.stuck[k] == 1 and is_stuck(law, w.P[a * rows : (a + 1) * rows], 0.0):
            found = True
            for i in range(1, rows):
                w.c[a * rows + i] -= w.before[a * rows + i]
    return found


@compiled
def moreau_step(system, t, q, u, dt, scheme, tol, factors, most, lost, w):
    """Advance q and u by dt; returns the residual of the contact problem (relative; in the thesis' scheme absolute)."""
    nq, nu = positions(system), velocities(system)
    rows = row_count(law_of(system))
    error = 0.0
    count = 0
    for j in range(nu):
        w.end[j] = u[j]
    for sweep in range(3 if scheme == MIDPOINT else 1):
        # the middle of the step: from the velocity at its beginning or, in the midpoint scheme, from the mean of both
        for j in range(nu):
            w.mean[j] = 0.5 * (u[j] + w.end[j])
        position_rate(system, q if sweep == 0 else w.qm, w.mean, w.dq)
        for j in range(nq):
            w.qm[j] = q[j] + 0.5 * dt * w.dq[j]
        mass_matrix(system, w.qm, w.M)
        smooth_forces(system, t + 0.5 * dt, w.qm, w.mean, w.f)
        cholesky(w.M, nu)
        cholesky_back(w.M, nu, w.f)
        for j in range(nu):
            w.free[j] = u[j] + dt * w.f[j]
        if sweep == 0:
            count = close_contacts(system, w.qm, w.closed, 0.0 if scheme == THESIS else NEAR, scheme == MIDPOINT, w.stuck)
        gather(system, w.qm, u, w.free, count, scheme, w)
        if scheme == THESIS:
            error = solve_as_in_the_thesis(system, count, dt, tol, factors, most, w)
        else:
            error = solve_contacts(system, count, dt, tol, w)
            if scheme == MIDPOINT and catches(system, count, w):
                error = solve_contacts(system, count, dt, tol, w)
        for j in range(nu):
            total = w.free[j]
            for i in range(count * rows):
                total += w.Y[i, j] * w.P[i]
            w.end[j] = total
    changed = book(system, count, w.end, lost, w)
    if scheme == MIDPOINT:
        for j in range(nu):
            w.mean[j] = 0.5 * (u[j] + w.end[j])
        position_rate(system, w.qm, w.mean, w.dq)
        for j in range(nq):
            q[j] += dt * w.dq[j]
    else:
        position_rate(system, w.qm, w.end, w.dq)
        for j in range(nq):
            q[j] = w.qm[j] + 0.5 * dt * w.dq[j]
    for j in range(nu):
        u[j] = w.end[j]
    tidy(system, q)
    if scheme != THESIS and count > 0:
        close_gaps(system, q, count, w)
        if scheme == MIDPOINT and changed:
            make_consistent(system, q, u, w)
    return error
