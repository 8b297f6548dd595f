"""What the closed contacts of a step ask for: their rows, Delassus' matrix G, the constants c, and what the velocities are known to."""

from __future__ import annotations

from ...kernel.cholesky import cholesky_back
from ...kernel.compiled import compiled, merged
from ...kernel.dispatch import decided
from ...mechanics.contact import contact_count, contact_rows, law_of, restitution, rows_per_contact, surface_velocity, velocities
from ...mechanics.laws.impact import tangential_restitution
from .restituting import hits
from .work import BEFORE, BOUNCE, CLOSED, CONSTANT, CURVED, HALVED, LOOSE, NOISE, OFFSET, STUCK

AT_REST = 1e-10  # of the largest velocity: an approach that is rounding
ROUNDING = 4e-15  # of the terms of a velocity: what it is known to
THESIS, DEFAULT, MIDPOINT = 0, 1, 2  # the schemes


@compiled
def all_last(system, t, q, u, count, scheme, w):
    """In the midpoint scheme: whether all closed contacts last through the step, those that held in the last one and, of several, those that
    do not approach at its beginning: one that just lifts off, or carries nothing. Otherwise Moreau's rule would hold it, at the rows of the middle.

    w.v[CURVED] is left with the velocities at the beginning of the contact that does not.
    """
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
        contact_rows(system, t, q, k, w.rows[0, :rows])
        surface_velocity(system, t, q, k, w.v[CURVED, :rows])
        reach = 1.0
        for i in range(rows):
            total = -w.v[CURVED, i]
            for j in range(velocities(system)):
                total += w.rows[0, i, j] * u[j]
            w.v[CURVED, i] = total
        for j in range(velocities(system)):
            reach = max(reach, abs(w.rows[0, 0, j]))
        if count == 1 or w.v[CURVED, 0] < -AT_REST * reach * size:
            return False
    return True


@decided
def note_rounding(system, count, u, w):
    """What the velocities of contacts are known to, into w.v[NOISE]; a single contact is solved without."""
    return no_rounding if contact_count(system) == 1 else rounding_of_each


def no_rounding(system, count, u, w):
    """Nobody asks for it."""


@merged
def rounding_of_each(system, count, u, w):
    """All velocities of a contact are known alike if measured by energy: points that stick bind slip and spin to each other."""
    rows = rows_per_contact(system)
    for first in range(0, count * rows, rows):
        worst = 0.0
        for i in range(first, first + rows):
            if w.square[0, i, i] > 0.0:
                size = 0.0
                for j in range(velocities(system)):
                    size += abs(w.rows[0, i, j] * u[j])
                worst = max(worst, ROUNDING * size / w.square[0, i, i] ** 0.5)
        for i in range(first, first + rows):
            w.v[NOISE, i] = worst * w.square[0, i, i] ** 0.5


@compiled
def gather(system, t, q, u, free, count, scheme, lasting, w):
    """Rows, Delassus matrix G and c = W u_free - w + e gamma_A of the closed contacts.

    e is e_N and e_T in an impact, 0 otherwise; in the midpoint scheme 1 if all contacts last (`all_last`), which puts the laws at the mean of both
    velocities. Velocities of the midpoint scheme belong to the ends of its steps. W turns on the way there, as much from the middle on as
    up to it, so that for a single contact that does not last the velocity at the end is W u_E - w + (gamma_A - that at the beginning), W in the middle. Without it
    a body that rolls off would be held back by half its centripetal acceleration, whenever its contact is not known to hold.
    """
    nu = velocities(system)
    rows = rows_per_contact(system)
    for a in range(count):  # one rule for all: otherwise points of a rigid body would be asked for velocities that it cannot have
        w.k[HALVED, a] = 1 if lasting else 0
        contact_rows(system, t, q, w.k[CLOSED, a], w.rows[0, a * rows : (a + 1) * rows])
        surface_velocity(system, t, q, w.k[CLOSED, a], w.v[OFFSET, a * rows : (a + 1) * rows])
    n = count * rows
    any_struck = False
    alone = scheme == MIDPOINT and count == 1 and not lasting  # w.v[CURVED] has its velocities at the beginning
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
    note_rounding(system, count, u, w)
    if any_struck:  # e_T for all contacts of the step, so that what it asks for is a motion of the body
        for i in range(n):
            e = tangential_restitution(law_of(system, w.k[CLOSED, i // rows])) if 0 < i % rows < 3 else 0.0
            if e > 0.0 and w.k[HALVED, i // rows] == 0:
                w.v[BOUNCE, i] = e
                w.v[CONSTANT, i] += e * w.v[BEFORE, i]
