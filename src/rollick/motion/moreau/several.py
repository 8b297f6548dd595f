"""Several closed contacts at once: Gauss-Seidel over the contacts, then a semismooth Newton method for all of them together.

P = T(P) contact by contact, xi = G P + c. Contacts of a body that stands on more than three points are redundant: G is singular, and only the sum
of their percussions is determined. The Newton matrix gets a small multiple of the unit matrix, which picks one solution near the last.
"""

from __future__ import annotations

from ...kernel.compiled import compiled
from ...mechanics.contact import law_of
from ...mechanics.laws.friction import row_count
from .local import fixed_point, relaxation, solve_contact, solve_small

ROWS = 6
SWEEPS = 8  # of Gauss-Seidel, between attempts of Newton's method
ROUNDS = 40
SMALL = 1e-9


@compiled
def all_residuals(law, n, P, dt, w, out):
    """out = P - T(P) for all contacts; its size relative to the percussions in play."""
    rows = row_count(law)
    worst, scale = 0.0, 0.0
    for i in range(n):
        value = w.c[i]
        for j in range(n):
            value += w.G[i, j] * P[j]
        w.velocity[i] = value
    for a in range(n // rows):
        first = a * rows
        r = w.r[a * ROWS : (a + 1) * ROWS]
        fixed_point(law, P[first : first + rows], w.velocity[first : first + rows], r, dt, w.image)
        for i in range(rows):
            out[first + i] = P[first + i] - w.image[i]
            worst = max(worst, abs(out[first + i]))
            scale = max(scale, max(abs(P[first + i]), r[i] * abs(w.c[first + i])))
    return worst / scale if scale > 0.0 else 0.0


@compiled
def sweep(law, n, dt, tol, w):
    """One round of Gauss-Seidel: each contact solved with the others held."""
    rows = row_count(law)
    for a in range(n // rows):
        first = a * rows
        for i in range(rows):
            total = w.c[first + i]
            for j in range(n):
                if j < first or j >= first + rows:
                    total += w.G[first + i, j] * w.P[j]
            w.local_c[i] = total
            for j in range(rows):
                w.block[i, j] = w.G[first + i, first + j]
        solve_contact(law, w.block, w.local_c, w.P[first : first + rows], w.r[a * ROWS : (a + 1) * ROWS], dt, tol, w)


@compiled
def newton(law, n, error, dt, tol, w):
    """One Newton step for all contacts; the new residual (the old one if it did not help)."""
    scale = 0.0
    for i in range(n):
        scale = max(scale, max(abs(w.P[i]), w.r[(i // row_count(law)) * ROWS + i % row_count(law)] * abs(w.c[i])))
    h = 1e-7 * scale
    for j in range(n):
        keep = w.P[j]
        w.P[j] = keep + h
        all_residuals(law, n, w.P, dt, w, w.all_trial)
        w.P[j] = keep
        for i in range(n):
            w.all_A[i, j] = (w.all_trial[i] - w.all_F[i]) / h
        w.all_A[j, j] += SMALL
    for i in range(n):
        w.all_step[i] = -w.all_F[i]
    if not solve_small(w.all_A, w.all_step, n):
        return error
    for i in range(n):
        w.all_trial[i] = w.P[i] + w.all_step[i]
        if i % row_count(law) == 0 and w.all_trial[i] < 0.0:
            w.all_trial[i] = 0.0
    new = all_residuals(law, n, w.all_trial, dt, w, w.all_step)
    if new < 0.9 * error:
        for i in range(n):
            w.P[i] = w.all_trial[i]
            w.all_F[i] = w.all_step[i]
        return new
    return error


@compiled
def solve_contacts(system, count, dt, tol, w):
    """Percussions of all closed contacts, from those of the last step; the relative residual."""
    law = law_of(system)
    rows = row_count(law)
    n = count * rows
    for a in range(count):
        for i in range(rows):
            w.P[a * rows + i] = w.last[w.closed[a], i]
            for j in range(rows):
                w.block[i, j] = w.G[a * rows + i, a * rows + j]
        relaxation(law, w.block, w.r[a * ROWS : (a + 1) * ROWS])
    if count == 0:
        return 0.0
    if count == 1:
        return solve_contact(law, w.block, w.c, w.P, w.r, dt, tol, w)
    error = all_residuals(law, n, w.P, dt, w, w.all_F)
    for _ in range(ROUNDS):
        for _ in range(6):
            if error <= tol:
                return error
            new = newton(law, n, error, dt, tol, w)
            if new >= error:
                break
            error = new
        if error <= tol:
            return error
        for _ in range(SWEEPS):
            sweep(law, n, dt, tol, w)
        error = all_residuals(law, n, w.P, dt, w, w.all_F)
    return error
