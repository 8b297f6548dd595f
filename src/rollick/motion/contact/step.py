"""One time step of Moreau's scheme (Sailer, section 3.7; digest section 5).

q_M = q_A + dt/2 F(q_A) u_A;  M, W, h + f_g at (q_M, u_A);  contacts with gap(q_M) <= 0 are closed, and those that held in the last step;
u_E = u_A + M^-1 ((h + f_g) dt + W^T P),  xi = gamma_E + e gamma_A,  P from the contact laws;  q_E = q_M + dt/2 F(q_M) u_E.
gamma = W u - w, with the velocity w of surfaces that move, in the middle of the step. e is that of impacts (`restituting`).

A contact that held in the last step stays in the problem even if its gap in the middle of the step, a small number of second order, is above
zero: whether it opens is decided by its velocity and its force. Otherwise the forces of curved bodies would come and go with every step.
"""

from __future__ import annotations

import math

from ...kernel.cholesky import cholesky, cholesky_back
from ...kernel.compiled import compiled, merged
from ...mechanics.contact import (
    contact_count,
    drag_work,
    gap,
    law_of,
    mass_matrix,
    position_rate,
    positions,
    rows_per_contact,
    smooth_forces,
    tidy,
    velocities,
)
from .accounting import book, close_gaps, make_consistent
from .gathering import DEFAULT, MIDPOINT, THESIS, all_last, gather
from .local import ENOUGH, contact_map, is_held
from .restituting import bounces, percussion_work, solve_bounded
from .several import begin_contacts
from .turning import FAR, note_turning
from .work import (
    CLOSED,
    CONSTANT,
    DRAGGED,
    END,
    FACTOR,
    FACTORS,
    FALLBACKS,
    FORCE,
    FREE,
    HELD,
    IMAGE,
    MEAN,
    MIDDLE,
    PACE,
    PERCUSSION,
    PUSH,
    RATE,
    STUCK,
    VELOCITY,
)

NEAR = (
    1e-9  # m: contacts closer than this count as closed (not in the thesis' scheme); they may only open, so that it does no harm
)
FINE, COARSE = (
    1e-12,
    1e-6,
)  # the residual of Newton's method where the thesis' iteration does not end: the least, and the largest that is accepted
LOOK = 50  # rounds of the thesis' iteration for several contacts, after which one looks whether it will end


@compiled
def close_contacts(system, t, q, closed, near, lasting, stuck):
    """The contacts that are closed at q, up to `near` (`lasting`: or carried force in the last step); how many."""
    count = 0
    for k in range(contact_count(system)):
        if gap(system, t, q, k) <= near or (lasting and stuck[k] > 0):
            closed[count] = k
            count += 1
    return count


@compiled
def iterate_as_in_the_thesis(system, count, dt, tol, factors, most, w):
    """All percussions at once, P <- T(P), until the summed change is below an absolute tolerance; that change.

    The factors are those published, but no larger than 1/G_ii: beyond 2/G_ii the iteration diverges (the published ones are for a tippedisk
    of 0.4 kg). Where it does not end, Newton's method does it: for several contacts as
    soon as the change falls so slowly over `LOOK` rounds that it will not (redundant contacts that stick let it diverge).
    """
    rows = rows_per_contact(system)
    n = count * rows
    for a in range(count):
        own = w.v[FACTOR, a * FACTORS : (a + 1) * FACTORS]
        for i in range(rows):
            own[i] = min(own[i], factors[i])
        own[PACE] = 1.0
    total, earlier = 0.0, 0.0
    for done in range(1, most + 1):
        total = 0.0
        for i in range(n):
            value = w.v[CONSTANT, i]
            for j in range(n):
                value += w.square[0, i, j] * w.v[PERCUSSION, j]
            w.v[VELOCITY, i] = value
        for a in range(count):
            first = a * rows
            law = law_of(system, w.k[CLOSED, a])
            r = w.v[FACTOR, a * FACTORS : (a + 1) * FACTORS]
            contact_map(
                law, w.v[PERCUSSION, first : first + rows], w.v[VELOCITY, first : first + rows], r, dt, w.v[IMAGE], w.small[2]
            )
            w.k[HELD, a] = 1 if is_held(w.small[2]) else 0
            for i in range(rows):
                total += abs(w.v[IMAGE, i] - w.v[PERCUSSION, first + i])
                w.v[PERCUSSION, first + i] = w.v[IMAGE, i]
        if total < tol:
            break
        if count > 1 and done % LOOK == 0:
            if done > LOOK and (not total < earlier or math.log(total / tol) * LOOK > math.log(earlier / total) * (most - done)):
                break
            earlier = total
    return total


@merged
def solve_step(system, count, dt, scheme, tol, factors, most, w):
    """The percussions of a step; the residual (relative; in the thesis' scheme absolute, and 0 if Newton's method had to do it)."""
    rows = rows_per_contact(system)
    begin_contacts(system, count, w)
    change = 0.0
    if scheme == THESIS:
        change = iterate_as_in_the_thesis(system, count, dt, tol, factors, most, w)
        if change < tol:
            if not bounces(count * rows, rows, w):
                return change
            work, size = percussion_work(count * rows, w)
            if work <= tol * size:
                return change
        else:
            w.last[w.last.shape[0] - 1, FALLBACKS] += 1.0
        begin_contacts(system, count, w)  # with the factors of the problem
    goal = published_goal(count * rows, rows, tol, w) if scheme == THESIS else tol
    error = solve_bounded(system, count, dt, goal, w)
    if scheme != THESIS:
        return error
    return 0.0 if error <= ENOUGH * goal else 1e300


@merged
def published_goal(n, rows, tol, w):
    """The relative residual that Newton's method is to reach in place of the thesis' iteration: what that asks for, an absolute sum, or `FINE`."""
    scale = 0.0
    for i in range(n):
        scale = max(scale, w.v[FACTOR, (i // rows) * FACTORS + i % rows] * abs(w.v[CONSTANT, i]))
    return max(FINE, min(tol / (n * scale), COARSE) / ENOUGH) if scale > 0.0 else FINE


@merged
def free_motion(system, middle, q, u, dt, sweep, scheme, w):
    """The middle of the step, M and the smooth forces there, and the velocities at the end without contact forces.

    The middle is reached with the velocity at the beginning or, in the midpoint scheme, with the mean of both. Gyroscopic forces of a body that spins fast
    belong to the middle, as M and W do: Moreau's scheme foresees the velocity there.
    """
    nq, nu = positions(system), velocities(system)
    for j in range(nu):
        w.v[MEAN, j] = 0.5 * (u[j] + w.v[END, j])
    position_rate(system, q if sweep == 0 else w.v[MIDDLE], w.v[MEAN], w.v[RATE])
    for j in range(nq):
        w.v[MIDDLE, j] = q[j] + 0.5 * dt * w.v[RATE, j]
    mass_matrix(system, w.v[MIDDLE], w.M)
    cholesky(w.M, nu)
    for attempt in range(2 if scheme == DEFAULT else 1):
        if attempt == 1:
            for j in range(nu):
                w.v[MEAN, j] = u[j] + 0.5 * dt * w.v[FORCE, j]
        smooth_forces(system, middle, w.v[MIDDLE], w.v[MEAN], w.v[FORCE])
        for j in range(nu):
            w.v[PUSH, j] = w.v[FORCE, j]
        cholesky_back(w.M, nu, w.v[FORCE])
    for j in range(nu):
        w.v[FREE, j] = u[j] + dt * w.v[FORCE, j]


@compiled
def moreau_step(system, t, q, u, dt, scheme, tol, factors, most, lost, w):
    """Advance q and u by dt; returns the residual of the contact problem (relative; in the thesis' scheme absolute).

    If that is above what is `accepted`, nothing has changed but the work arrays of this step.
    """
    nq, nu = positions(system), velocities(system)
    rows = rows_per_contact(system)
    error = 0.0
    count = 0
    middle = t + 0.5 * dt
    for j in range(nu):
        w.v[END, j] = u[j]
    for sweep in range(3 if scheme == MIDPOINT else 1):
        free_motion(system, middle, q, u, dt, sweep, scheme, w)
        if sweep == 0:
            count = close_contacts(
                system, middle, w.v[MIDDLE], w.k[CLOSED], 0.0 if scheme == THESIS else NEAR, scheme != THESIS, w.k[STUCK]
            )
        if count > 0:
            lasting = all_last(system, t, q, u, count, scheme, w)
            gather(system, middle, w.v[MIDDLE], u, w.v[FREE], count, scheme, lasting, w)
            error = solve_step(system, count, dt, scheme, tol, factors, most, w)
            if not error <= accepted(scheme, tol):
                return error
        for j in range(nu):
            total = w.v[FREE, j]
            for i in range(count * rows):
                total += w.rows[1, i, j] * w.v[PERCUSSION, i]
            w.v[END, j] = total
    smooth = note_turning(system, count, dt, w) < FAR
    dragged = dt * drag_work(system, w.v[MEAN], u, w.v[END])
    lost[5] += dragged
    w.last[w.last.shape[0] - 1, DRAGGED] += dragged
    changed = book(system, count, dt, w.v[END], lost, smooth, w)
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
        close_gaps(system, t + dt, q, count, w)
        if scheme == MIDPOINT and changed:
            make_consistent(system, t + dt, q, u, w)
    return error


@compiled
def accepted(scheme, tol):
    """The residual up to which a step is accepted: the tolerance, or where rounding lets it become no smaller, a thousand times that."""
    return tol if scheme == THESIS else ENOUGH * tol
