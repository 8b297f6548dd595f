"""Time stepping with steps chosen by an error estimate: each step is made once whole and once in two halves.

For a first-order scheme the difference d of the two is the local error of the halves; the next step is h min(2, max(0.3, 0.9/sqrt(d))) with d measured in
tolerances. At an impact no step is small enough for velocities that jump: steps never shrink below a floor, and are taken there as they are.
"""

from __future__ import annotations

import math

from ...kernel.compiled import compiled
from ...mechanics.contact import contact_count, law_of
from ...mechanics.laws.friction import row_count
from .accounting import write_row
from .step import THESIS, moreau_step
from .work import STUCK

TIME, WORST, WHERE, STEPS, STEP, FLOOR, LONGEST, REJECTED = 0, 1, 2, 3, 4, 5, 6, 7


@compiled
def keep_memory(system, w, store):
    """The percussions and modes of the last step, into `store` (one row per contact)."""
    for k in range(contact_count(system)):
        for i in range(row_count(law_of(system))):
            store[k, i] = w.last[k, i]
        store[k, 6] = w.k[STUCK, k]


@compiled
def restore_memory(system, w, store):
    """The percussions and modes of the last step, back from `store`."""
    for k in range(contact_count(system)):
        for i in range(row_count(law_of(system))):
            w.last[k, i] = store[k, i]
        w.k[STUCK, k] = int(store[k, 6])


@compiled
def copy_to(a, b):
    """b = a."""
    for i in range(a.size):
        b[i] = a[i]


@compiled
def difference(a, b, rtol, atol, scale):
    """The largest |a - b| in units of atol * scale + rtol |b|."""
    worst = 0.0
    for i in range(a.size):
        worst = max(worst, abs(a[i] - b[i]) / (atol * scale + rtol * abs(b[i])))
    return worst


@compiled
def advance_adaptive(
    system, note, q, u, end, scheme, tol, factors, most, rtol, atol, limit, every, lost, ts, ys, qs, spare, store, w
):
    """Go on until `end`, or for `limit` steps; output after every `every` accepted ones. Returns the rows written (-1: not finite)."""
    rows = 0
    q0, u0, q1, u1, l0 = spare.q0, spare.u0, spare.q1, spare.u1, spare.lost
    for _ in range(limit):
        t = note[TIME]
        if t >= end:
            return rows
        h = min(note[STEP], end - t)
        last = h >= end - t
        keep_memory(system, w, store)
        copy_to(q, q0)
        copy_to(u, u0)
        copy_to(lost, l0)
        copy_to(q, q1)
        copy_to(u, u1)
        moreau_step(system, t, q1, u1, h, scheme, tol, factors, most, lost, w)
        restore_memory(system, w, store)
        copy_to(l0, lost)
        error = moreau_step(system, t, q, u, 0.5 * h, scheme, tol, factors, most, lost, w)
        error = max(error, moreau_step(system, t + 0.5 * h, q, u, 0.5 * h, scheme, tol, factors, most, lost, w))
        d = max(difference(q1, q, rtol, atol, 1.0), difference(u1, u, rtol, atol, 1.0))
        if not math.isfinite(d):
            note[TIME] = t
            return -1
        factor = min(2.0, max(0.3, 0.9 / math.sqrt(d))) if d > 0.0 else 2.0
        if d > 1.0 and h > note[FLOOR]:
            restore_memory(system, w, store)
            copy_to(q0, q)
            copy_to(u0, u)
            copy_to(l0, lost)
            note[STEP] = max(note[FLOOR], factor * h)
            note[REJECTED] += 1.0
            continue
        if error > note[WORST]:
            note[WORST] = error
            note[WHERE] = t
        note[TIME] = end if last else t + h
        note[STEPS] += 1.0
        note[STEP] = min(note[LONGEST], max(note[FLOOR], factor * h))
        if int(note[STEPS]) % every == 0 or last:
            write_row(system, note[TIME], q, u, lost, scheme != THESIS, rows, ts, ys, qs, w)
            rows += 1
    return rows
