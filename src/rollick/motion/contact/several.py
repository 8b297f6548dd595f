"""Several closed contacts at once: Gauss-Seidel over the contacts, then a semismooth Newton method for all of them together.

P = T(P) contact by contact, xi = G P + c. Contacts of a body that stands on more than three points are redundant: G is singular, and only the sum
of their percussions is determined. The Newton matrix gets a small multiple of the unit matrix, which picks one solution near the last.
"""

from __future__ import annotations

from ...kernel.compiled import compiled
from ...mechanics.contact import law_of, rows_per_contact
from .local import fixed_point, relaxation, solve_contact, solve_small
from .work import (
    ALL_CHANGE,
    ALL_RESIDUAL,
    ALL_TRIAL,
    CLOSED,
    CONSTANT,
    FACTOR,
    FACTORS,
    HALVED,
    IMAGE,
    LOCAL,
    PACE,
    PERCUSSION,
    VELOCITY,
)

SWEEPS = 8  # of Gauss-Seidel, between attempts of Newton's method
ROUNDS = 40
SMALL = 1e-9


@compiled
def all_residuals(system, n, P, dt, w, out):
    """out = P - T(P) for all contacts; its size relative to the percussions in play."""
    rows = rows_per_contact(system)
    worst, scale = 0.0, 0.0
    for i in range(n):
        value = w.v[CONSTANT, i]
        for j in range(n):
            value += w.square[0, i, j] * P[j]
        w.v[VELOCITY, i] = value
    for a in range(n // rows):
        first = a * rows
        r = w.v[FACTOR, a * FACTORS : (a + 1) * FACTORS]
        law = law_of(system, w.k[CLOSED, a])
        fixed_point(law, P[first : first + rows], w.v[VELOCITY, first : first + rows], r, dt, w.v[IMAGE])
        for i in range(rows):
            out[first + i] = P[first + i] - w.v[IMAGE, i]
            worst = max(worst, abs(out[first + i]))
            scale = max(scale, max(abs(P[first + i]), r[i] * abs(w.v[CONSTANT, first + i])))
    return worst / scale if scale > 0.0 else 0.0


@compiled
def sweep(system, n, dt, tol, w):
    """One round of Gauss-Seidel: each contact solved with the others held."""
    rows = rows_per_contact(system)
    for a in range(n // rows):
        first = a * rows
        for i in range(rows):
            total = w.v[CONSTANT, first + i]
            for j in range(n):
                if j < first or j >= first + rows:
                    total += w.square[0, first + i, j] * w.v[PERCUSSION, j]
            w.v[LOCAL, i] = total
            for j in range(rows):
                w.small[0, i, j] = w.square[0, first + i, first + j]
        solve_contact(
            law_of(system, w.k[CLOSED, a]),
            w.small[0],
            w.v[LOCAL],
            w.v[PERCUSSION, first : first + rows],
            w.v[FACTOR, a * FACTORS : (a + 1) * FACTORS],
            dt,
            tol,
            w,
        )


@compiled
def newton(system, n, error, dt, tol, w):
    """One Newton step for all contacts; the new residual (the old one if it did not help)."""
    rows = rows_per_contact(system)
    scale = 0.0
    for i in range(n):
        scale = max(
            scale,
            max(abs(w.v[PERCUSSION, i]), w.v[FACTOR, (i // rows) * FACTORS + i % rows] * abs(w.v[CONSTANT, i])),
        )
    h = 1e-7 * scale
    for j in range(n):
        keep = w.v[PERCUSSION, j]
        w.v[PERCUSSION, j] = keep + h
        all_residuals(system, n, w.v[PERCUSSION], dt, w, w.v[ALL_TRIAL])
        w.v[PERCUSSION, j] = keep
        for i in range(n):
            w.square[1, i, j] = (w.v[ALL_TRIAL, i] - w.v[ALL_RESIDUAL, i]) / h
        w.square[1, j, j] += SMALL
    for i in range(n):
        w.v[ALL_CHANGE, i] = -w.v[ALL_RESIDUAL, i]
    if not solve_small(w.square[1], w.v[ALL_CHANGE], n):
        return error
    for i in range(n):
        w.v[ALL_TRIAL, i] = w.v[PERCUSSION, i] + w.v[ALL_CHANGE, i]
        if i % rows == 0 and w.v[ALL_TRIAL, i] < 0.0:
            w.v[ALL_TRIAL, i] = 0.0
    new = all_residuals(system, n, w.v[ALL_TRIAL], dt, w, w.v[ALL_CHANGE])
    if new < 0.9 * error:
        for i in range(n):
            w.v[PERCUSSION, i] = w.v[ALL_TRIAL, i]
            w.v[ALL_RESIDUAL, i] = w.v[ALL_CHANGE, i]
        return new
    return error


@compiled
def solve_contacts(system, count, dt, tol, w):
    """Percussions of all closed contacts, from those of the last step; the relative residual."""
    rows = rows_per_contact(system)
    n = count * rows
    for a in range(count):
        for i in range(rows):
            w.v[PERCUSSION, a * rows + i] = w.last[w.k[CLOSED, a], i]
            for j in range(rows):
                w.small[0, i, j] = w.square[0, a * rows + i, a * rows + j]
        relaxation(law_of(system, w.k[CLOSED, a]), w.small[0], w.v[FACTOR, a * FACTORS : (a + 1) * FACTORS])
        w.v[FACTOR, a * FACTORS + PACE] = 0.5 if w.k[HALVED, a] > 0 else 1.0
    if count == 0:
        return 0.0
    if count == 1:
        law = law_of(system, w.k[CLOSED, 0])
        return solve_contact(law, w.small[0], w.v[CONSTANT], w.v[PERCUSSION], w.v[FACTOR], dt, tol, w)
    error = all_residuals(system, n, w.v[PERCUSSION], dt, w, w.v[ALL_RESIDUAL])
    for _ in range(ROUNDS):
        for _ in range(6):
            if error <= tol:
                return error
            new = newton(system, n, error, dt, tol, w)
            if new >= error:
                break
            error = new
        if error <= tol:
            return error
        for _ in range(SWEEPS):
            sweep(system, n, dt, tol, w)
        error = all_residuals(system, n, w.v[PERCUSSION], dt, w, w.v[ALL_RESIDUAL])
    return error
