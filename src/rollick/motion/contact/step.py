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
    contact_rows,
    drag_work,
    gap,
    law_of,
    mass_matrix,
    position_rate,
    positions,
    restitution,
    rows_per_contact,
    smooth_forces,
    surface_velocity,
    tidy,
    velocities,
)
from ...mechanics.laws.impact import tangential_restitution
from .accounting import book, close_gaps, make_consistent
from .local import ENOUGH, contact_map, is_held
from .restituting import bounces, hits, percussion_work, solve_bounded
from .several import begin_contacts
from .work import (
    BEFORE,
    BOUNCE,
    CLOSED,
    CONSTANT,
    CURVED,
    DRAGGED,
    END,
    FACTOR,
    FACTORS,
    FALLBACKS,
    FORCE,
    FREE,
    HALVED,
    HELD,
    IMAGE,
    LOOSE,
    MEAN,
    MIDDLE,
    OFFSET,
    PACE,
    PERCUSSION,
    PUSH,
    RATE,
    STUCK,
    TURN,
    TURNING,
    TURNING_CONTACT,
    TURNING_LIFT,
    VELOCITY,
)

NEAR = (
    1e-9  # m: contacts closer than this count as closed (not in the thesis' scheme); they may only open, so that it does no harm
)
AT_REST = 1e-10  # of the largest velocity: an approach that is rounding
FAR = 0.2  # rad: how far a contact may turn in one step, or one part of it
FINE = 1e-12  # the residual of Newton's method where the thesis' iteration does not end
LOOK = 50  # rounds of the thesis' iteration for several contacts, after which one looks whether it will end
THESIS, DEFAULT, MIDPOINT = 0, 1, 2


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
def begin_alone(system, t, q, u, scheme, w):
    """In the midpoint scheme, for a single closed contact that did not hold in the last step: its velocities at the beginning; whether it is one."""
    k = w.k[CLOSED, 0]
    if scheme != MIDPOINT or w.k[STUCK, k] > 0:
        return False
    rows = rows_per_contact(system)
    contact_rows(system, t, q, k, w.rows[0, :rows])
    surface_velocity(system, t, q, k, w.v[CURVED, :rows])
    for i in range(rows):
        total = -w.v[CURVED, i]
        for j in range(velocities(system)):
            total += w.rows[0, i, j] * u[j]
        w.v[CURVED, i] = total
    return True


@compiled
def all_last(system, t, q, u, count, scheme, w):
    """In the midpoint scheme: whether all closed contacts last through the step, those that held in the last one and, of several, those that
    do not approach at its beginning: one that just lifts off, or carries nothing. Otherwise Moreau's rule would hold it, at the rows of the middle."""
    if scheme != MIDPOINT:
        return False
    rows = rows_per_contact(system)
    size = 0.0
    for j in range(velocities(system)):
        size = max(size, abs(u[j]))
    for a in range(count):
        k = w.k[CLOSED, a]
        if w.k[STUCK, k] > 0:
            continue
        if count == 1:
            return False
        contact_rows(system, t, q, k, w.rows[0, :rows])
        surface_velocity(system, t, q, k, w.v[OFFSET, :rows])
        rate, reach = -w.v[OFFSET, 0], 1.0
        for j in range(velocities(system)):
            rate += w.rows[0, 0, j] * u[j]
            reach = max(reach, abs(w.rows[0, 0, j]))
        if rate < -AT_REST * reach * size:
            return False
    return True


@compiled
def gather(system, t, q, u, free, count, scheme, alone, lasting, w):
    """Rows, Delassus matrix G and c = W u_free - w + e gamma_A of the closed contacts.

    e is e_N and e_T in an impact, 0 otherwise; in the midpoint scheme 1 if all contacts last (`all_last`), which puts the laws at the mean of both
    velocities. alone: what `begin_alone` found. Velocities of the midpoint scheme belong to the ends of its steps. W turns on the way there, as much from the middle on as
    up to it, so that the contact velocity at the end is W u_E - w + (gamma_A - that at the beginning), W in the middle. Without it a body that rolls off
    would be held back by half its centripetal acceleration, whenever its contact is not known to hold.
    """
    nu = velocities(system)
    rows = rows_per_contact(system)
    for a in range(
        count
    ):  # one rule for all: with different ones, points of a rigid body would be asked for velocities it cannot have
        w.k[HALVED, a] = 1 if lasting else 0
        contact_rows(system, t, q, w.k[CLOSED, a], w.rows[0, a * rows : (a + 1) * rows])
        surface_velocity(system, t, q, w.k[CLOSED, a], w.v[OFFSET, a * rows : (a + 1) * rows])
    n = count * rows
    any_struck = False
    for i in range(n):
        for j in range(nu):
            w.rows[1, i, j] = w.rows[0, i, j]
        cholesky_back(w.M, nu, w.rows[1, i])
    for i in range(n):
        total, old = 0.0, 0.0
        for j in range(nu):
            total += w.rows[0, i, j] * free[j]
            old += w.rows[0, i, j] * u[j]
        total -= w.v[OFFSET, i]
        old -= w.v[OFFSET, i]
        w.v[BEFORE, i] = old
        first = w.v[CURVED, i] if alone else old
        curved = old - first
        w.v[CURVED, i] = curved
        a = i // rows
        k = w.k[CLOSED, a]
        if w.k[HALVED, a] > 0:
            e = 1.0
        elif i % rows == 0:
            e = restitution(system, k)
            struck = scheme == THESIS or hits(first, first - curved - total, e)
            any_struck = any_struck or (struck and first < 0.0)
            e = e if struck else 0.0
        else:
            e = 0.0
        w.v[BOUNCE, i] = e
        w.v[LOOSE, i] = total
        w.v[CONSTANT, i] = total + curved + e * old
        for other in range(i + 1):
            value = 0.0
            for j in range(nu):
                value += w.rows[0, i, j] * w.rows[1, other, j]
            w.square[0, i, other] = value
            w.square[0, other, i] = value
    if any_struck:  # e_T for all contacts of the step, so that what it asks for is a motion of the body
        for i in range(n):
            e = tangential_restitution(law_of(system, w.k[CLOSED, i // rows])) if 0 < i % rows < 3 else 0.0
            if e > 0.0 and w.k[HALVED, i // rows] == 0:
                w.v[BOUNCE, i] = e
                w.v[CONSTANT, i] += e * w.v[BEFORE, i]


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
    error = solve_bounded(system, count, dt, FINE if scheme == THESIS else tol, w)
    if scheme != THESIS:
        return error
    return 0.0 if error <= ENOUGH * FINE else 1e300


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
        # the middle of the step: from the velocity at its beginning or, in the midpoint scheme, from the mean of both
        for j in range(nu):
            w.v[MEAN, j] = 0.5 * (u[j] + w.v[END, j])
        position_rate(system, q if sweep == 0 else w.v[MIDDLE], w.v[MEAN], w.v[RATE])
        for j in range(nq):
            w.v[MIDDLE, j] = q[j] + 0.5 * dt * w.v[RATE, j]
        mass_matrix(system, w.v[MIDDLE], w.M)
        smooth_forces(system, middle, w.v[MIDDLE], w.v[MEAN], w.v[FORCE])
        for j in range(nu):
            w.v[PUSH, j] = w.v[FORCE, j]
        cholesky(w.M, nu)
        cholesky_back(w.M, nu, w.v[FORCE])
        if scheme == DEFAULT:  # the gyroscopic forces of a body that spins fast belong to the middle of the step, as M and W do
            for j in range(nu):
                w.v[MEAN, j] = u[j] + 0.5 * dt * w.v[FORCE, j]
            smooth_forces(system, middle, w.v[MIDDLE], w.v[MEAN], w.v[FORCE])
            for j in range(nu):
                w.v[PUSH, j] = w.v[FORCE, j]
            cholesky_back(w.M, nu, w.v[FORCE])
        for j in range(nu):
            w.v[FREE, j] = u[j] + dt * w.v[FORCE, j]
        if sweep == 0:
            count = close_contacts(
                system, middle, w.v[MIDDLE], w.k[CLOSED], 0.0 if scheme == THESIS else NEAR, scheme != THESIS, w.k[STUCK]
            )
        if count > 0:
            alone = begin_alone(system, t, q, u, scheme, w) if count == 1 else False
            lasting = all_last(system, t, q, u, count, scheme, w)
            gather(system, middle, w.v[MIDDLE], u, w.v[FREE], count, scheme, alone, lasting, w)
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
    changed = book(system, count, w.v[END], lost, smooth, w)
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
def note_turning(system, count, dt, w):
    """How fast the first closed contact turns, seen by the body: from the change of its first friction row since the last step; the angle (rad).

    The change is measured by the kinetic energy that belongs to it, relative to that of the row. Spin counts, and a contact that runs around the body.
    """
    last = w.last.shape[0] - 1
    nu = velocities(system)
    seen = w.k[CLOSED, 0] + 1.0 if count > 0 else 0.0
    rate = 0.0
    if seen > 0.0 and seen == w.last[last, TURNING_CONTACT]:
        change, size = 0.0, 0.0
        for j in range(nu):
            change += abs((w.rows[0, 1, j] - w.v[TURNING, j]) * (w.rows[1, 1, j] - w.v[TURNING_LIFT, j]))
            size += w.rows[0, 1, j] * w.rows[1, 1, j]
        rate = (change / size) ** 0.5 / dt if size > 0.0 else 0.0
    w.last[last, TURN], w.last[last, TURNING_CONTACT] = rate, seen
    if seen > 0.0:
        for j in range(nu):
            w.v[TURNING, j], w.v[TURNING_LIFT, j] = w.rows[0, 1, j], w.rows[1, 1, j]
    return rate * dt


@compiled
def accepted(scheme, tol):
    """The residual up to which a step is accepted: the tolerance, or where rounding lets it become no smaller, a thousand times that."""
    return tol if scheme == THESIS else ENOUGH * tol
