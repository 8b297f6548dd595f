"""One time step of Moreau's scheme (Sailer, section 3.7; digest section 5).

q_M = q_A + dt/2 F(q_A) u_A;  M, W, h + f_g at (q_M, u_A);  contacts with gap(q_M) <= 0 are closed;
u_E = u_A + M^-1 ((h + f_g) dt + W^T P),  xi = gamma_E + e gamma_A,  P from the contact laws;  q_E = q_M + dt/2 F(q_M) u_E.
"""

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
    restitution,
    smooth_forces,
    tidy,
    velocities,
)
from ...mechanics.laws.friction import row_count
from ...mechanics.laws.impact import tangential_restitution
from .accounting import book, close_gaps, is_stuck, make_consistent
from .local import fixed_point
from .several import solve_contacts
from .work import BEFORE, CLOSED, CONSTANT, END, FORCE, FREE, HALVED, IMAGE, MEAN, MIDDLE, PERCUSSION, RATE, STUCK, VELOCITY

NEAR = (
    1e-9  # m: contacts closer than this count as closed (not in the thesis' scheme); they may only open, so that it does no harm
)
THESIS, DEFAULT, MIDPOINT = 0, 1, 2


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
        w.k[HALVED, a] = 1 if scheme == MIDPOINT and w.k[STUCK, w.k[CLOSED, a]] > 0 else 0
        contact_rows(system, q, w.k[CLOSED, a], w.rows[0, a * rows : (a + 1) * rows])
    n = count * rows
    for i in range(n):
        for j in range(nu):
            w.rows[1, i, j] = w.rows[0, i, j]
        cholesky_back(w.M, nu, w.rows[1, i])
    for i in range(n):
        total, old = 0.0, 0.0
        for j in range(nu):
            total += w.rows[0, i, j] * free[j]
            old += w.rows[0, i, j] * u[j]
        w.v[BEFORE, i] = old
        lasting = w.k[HALVED, i // rows] > 0
        e = (
            1.0
            if lasting
            else (
                restitution(system)
                if i % rows == 0
                else (tangential_restitution(law_of(system).sliding) if i % rows < 3 else 0.0)
            )
        )
        w.v[CONSTANT, i] = total + e * old
        for k in range(i + 1):
            value = 0.0
            for j in range(nu):
                value += w.rows[0, i, j] * w.rows[1, k, j]
            w.square[0, i, k] = value
            w.square[0, k, i] = value


@compiled
def solve_as_in_the_thesis(system, count, dt, tol, factors, most, w):
    """All percussions at once, P <- T(P) with given factors, until the summed change is below an absolute tolerance; that change."""
    law = law_of(system)
    rows = row_count(law)
    n = count * rows
    for i in range(n):
        w.v[PERCUSSION, i] = w.last[w.k[CLOSED, i // rows], i % rows]
    total = 0.0
    for _ in range(most):
        total = 0.0
        for i in range(n):
            value = w.v[CONSTANT, i]
            for j in range(n):
                value += w.square[0, i, j] * w.v[PERCUSSION, j]
            w.v[VELOCITY, i] = value
        for a in range(count):
            first = a * rows
            fixed_point(law, w.v[PERCUSSION, first : first + rows], w.v[VELOCITY, first : first + rows], factors, dt, w.v[IMAGE])
            for i in range(rows):
                total += abs(w.v[IMAGE, i] - w.v[PERCUSSION, first + i])
                w.v[PERCUSSION, first + i] = w.v[IMAGE, i]
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
        k = w.k[CLOSED, a]
        if w.k[STUCK, k] == 1 and is_stuck(law, w.v[PERCUSSION, a * rows : (a + 1) * rows], 0.0):
            found = True
            for i in range(1, rows):
                w.v[CONSTANT, a * rows + i] -= w.v[BEFORE, a * rows + i]
    return found


@compiled
def moreau_step(system, t, q, u, dt, scheme, tol, factors, most, lost, w):
    """Advance q and u by dt; returns the residual of the contact problem (relative; in the thesis' scheme absolute)."""
    nq, nu = positions(system), velocities(system)
    rows = row_count(law_of(system))
    error = 0.0
    count = 0
    for j in range(nu):
        w.v[END, j] = u[j]
    for sweep in range(3 if scheme == MIDPOINT else 1):
        # the middle of the step: from the velocity at its beginning or, in the midpoint scheme, from the mean of both
        for j in range(nu):
            w.v[MEAN, j] = 0.5 * (u[j] + w.v[END, j])
        position_rate(system, q if sweep == 0 else w.v[MIDDLE], w.v[MEAN], w.v[RATE])
        for j in range(nq):
            w.v[MIDDLE, j] = q[j] + 0.5 * dt * w.v[RATE, j]
        mass_matrix(system, w.v[MIDDLE], w.M)
        smooth_forces(system, t + 0.5 * dt, w.v[MIDDLE], w.v[MEAN], w.v[FORCE])
        cholesky(w.M, nu)
        cholesky_back(w.M, nu, w.v[FORCE])
        for j in range(nu):
            w.v[FREE, j] = u[j] + dt * w.v[FORCE, j]
        if sweep == 0:
            count = close_contacts(
                system, w.v[MIDDLE], w.k[CLOSED], 0.0 if scheme == THESIS else NEAR, scheme == MIDPOINT, w.k[STUCK]
            )
        gather(system, w.v[MIDDLE], u, w.v[FREE], count, scheme, w)
        if scheme == THESIS:
            error = solve_as_in_the_thesis(system, count, dt, tol, factors, most, w)
        else:
            error = solve_contacts(system, count, dt, tol, w)
            if scheme == MIDPOINT and catches(system, count, w):
                error = solve_contacts(system, count, dt, tol, w)
        for j in range(nu):
            total = w.v[FREE, j]
            for i in range(count * rows):
                total += w.rows[1, i, j] * w.v[PERCUSSION, i]
            w.v[END, j] = total
    changed = book(system, count, w.v[END], lost, w)
    if scheme == MIDPOINT:
        for j in range(nu):
            w.v[MEAN, j] = 0.5 * (u[j] + w.v[END, j])
        position_rate(system, w.v[MIDDLE], w.v[MEAN], w.v[RATE])
        for j in range(nq):
            q[j] += dt * w.v[RATE, j]
    else:
        position_rate(system, w.v[MIDDLE], w.v[END], w.v[RATE])
        for j in range(nq):
            q[j] = w.v[MIDDLE, j] + 0.5 * dt * w.v[RATE, j]
    for j in range(nu):
        u[j] = w.v[END, j]
    tidy(system, q)
    if scheme != THESIS and count > 0:
        close_gaps(system, q, count, w)
        if scheme == MIDPOINT and changed:
            make_consistent(system, q, u, w)
    return error
