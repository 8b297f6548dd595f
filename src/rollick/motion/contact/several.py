"""All closed contacts of a step at once: Newton's method, with Gauss-Seidel over the contacts where it needs help.

P = T(P) contact by contact, xi = G P + c. Points of a rigid body that touch are redundant (two of them already: the body cannot be stretched),
so that G is singular and P is not determined, only what it does to the body. *The least-norm percussions are chosen*: the problem is
solved with G + d 1, d = 1e-8 of the largest entry, whose solution tends to that of least norm as d -> 0; then, to take d out again, solved
with c - d P in place of c, P the last solution, until the residual of the problem itself is below the tolerance (the proximal-point
method: P moves by d only). Percussions of the last step that still solve the problem are kept.

Friction makes the problem nonconvex, and Newton's method may cycle between stick, slip and opening of this and that contact. Then the softness is
*taken away gradually* (`hardening`); where that does not do, larger factors r, other starts and Gauss-Seidel over the contacts are tried.
"""

from __future__ import annotations

from ...kernel.compiled import compiled, merged
from ...kernel.dispatch import decided
from ...mechanics.contact import contact_count, law_of, rows_per_contact
from ...mechanics.laws.friction import row_count
from .all_contacts import all_newton, all_residuals
from .bracketed import bracket_contact
from .hardening import FIRMER, SOFTER, harden, prepare_softness, scale_factors, start_again
from .local import ENOUGH, is_held, newton_contact, relaxation
from .work import (
    ALL_RESIDUAL,
    CLOSED,
    CONSTANT,
    FACTOR,
    FACTORS,
    FALLBACKS,
    HALVED,
    HELD,
    KEPT,
    LOCAL,
    PACE,
    PERCUSSION,
    REFERENCE,
    SOFT,
)

SWEEPS, ROUNDS = 12, 12  # of Gauss-Seidel, between attempts of Newton's method
REFINE, TRIES = 8, 40


@merged
def solve_contact(law, G, c, P, r, dt, tol, w):
    """Percussions of one contact, from P; the relative residual. w.small[2] has the slopes there."""
    if c[0] >= 0.0:  # it opens by itself
        for i in range(row_count(law)):
            P[i] = 0.0
    error = 0.0
    for attempt in range(2):
        if attempt == 1:
            w.last[w.last.shape[0] - 1, FALLBACKS] += 1.0
            bracket_contact(law, G, c, P, r, dt, w)
        error = newton_contact(law, G, c, P, r, dt, tol, w)
        if error <= ENOUGH * tol:
            break
    return error


@compiled
def sweep(system, n, dt, tol, softness, w):
    """One round of Gauss-Seidel: each contact solved with the others held."""
    rows = rows_per_contact(system)
    for a in range(n // rows):
        first = a * rows
        for i in range(rows):
            total = w.v[CONSTANT, first + i] - softness * w.v[SOFT, first + i] * w.v[REFERENCE, first + i]
            for j in range(n):
                if j < first or j >= first + rows:
                    total += w.square[0, first + i, j] * w.v[PERCUSSION, j]
            w.v[LOCAL, i] = total
            for j in range(rows):
                w.small[0, i, j] = w.square[0, first + i, first + j]
            w.small[0, i, i] += softness * w.v[SOFT, first + i]
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


@merged
def solve_softened(system, n, dt, tol, softness, rounds, w):
    """Percussions of the softened problem, in w.v[PERCUSSION], with so many rounds of Gauss-Seidel at most; the relative residual."""
    error = 0.0
    for attempt in range(rounds + 1):
        if attempt > 0:
            for _ in range(SWEEPS):
                sweep(system, n, dt, 0.1 * tol, softness, w)
        error = all_newton(system, n, dt, tol, softness, w)
        if error <= tol or (attempt > 0 and error <= ENOUGH * tol):
            break
    return error


@compiled
def begin_contacts(system, count, w):
    """Before the contact problem is solved: percussions as in the last step, factors."""
    rows = rows_per_contact(system)
    for a in range(count):
        for i in range(rows):
            w.v[PERCUSSION, a * rows + i] = w.last[w.k[CLOSED, a], i]
            for j in range(rows):
                w.small[0, i, j] = w.square[0, a * rows + i, a * rows + j]
        relaxation(law_of(system, w.k[CLOSED, a]), w.small[0], w.v[FACTOR, a * FACTORS : (a + 1) * FACTORS])
        w.v[FACTOR, a * FACTORS + PACE] = 0.5 if w.k[HALVED, a] > 0 else 1.0


@merged
def solve_alone(system, dt, tol, w):
    """The only closed contact."""
    law = law_of(system, w.k[CLOSED, 0])
    rows = rows_per_contact(system)
    error = solve_contact(law, w.square[0], w.v[CONSTANT], w.v[PERCUSSION, :rows], w.v[FACTOR], dt, tol, w)
    w.k[HELD, 0] = 1 if is_held(w.small[2]) else 0
    return error


@compiled
def solve_together(system, n, dt, tol, w):
    """Several contacts, by the softened problem and the proximal-point method; the relative residual.

    Where Newton's method does not end: the first stages take the softness away gradually, with the factors r of `FIRMER`, then it is started anew from
    other percussions, `TRIES` times; after that Gauss-Seidel helps, with the softness of `SOFTER`.
    """
    error, inner, factor = 1e300, 0.0, 1.0
    stage, rounds = 0, 0
    starts = len(FIRMER) + TRIES
    while True:
        new = all_residuals(system, n, w.v[PERCUSSION], dt, 0.0, w, w.v[ALL_RESIDUAL])
        if new <= tol:
            return new
        if rounds > 0 and (inner > ENOUGH * tol or new >= 0.9 * error or rounds >= REFINE):
            if new <= ENOUGH * tol:
                return new
            if stage == starts + 3:
                for i in range(n):
                    w.v[PERCUSSION, i] = w.v[KEPT, i]
                return new
            w.last[w.last.shape[0] - 1, FALLBACKS] += 1.0 if stage == 0 else 0.0
            stage, rounds = stage + 1, 0
            wanted = FIRMER[stage - 1] if stage <= len(FIRMER) else 1.0
            scale_factors(system, n, wanted / factor, w)
            factor = wanted
            start_again(system, n, max(stage - len(FIRMER), 0) if stage <= starts else 1, w)
        if rounds == 0:
            prepare_softness(system, n, factor, w)
            error = 1e300
        else:
            for i in range(n):
                w.v[REFERENCE, i] = w.v[PERCUSSION, i]
            error = new
        softness = SOFTER[0 if stage <= starts else stage - starts - 1]
        if 0 < stage <= len(FIRMER) and rounds == 0:
            inner = harden(system, n, dt, tol, w)
        else:
            inner = solve_softened(system, n, dt, tol, softness, 0 if stage <= starts else ROUNDS, w)
        rounds += 1


@merged
def solve_any(system, count, dt, tol, w):
    """Percussions of the closed contacts of a body that may have several."""
    if count == 0:
        return 0.0
    if count == 1:
        return solve_alone(system, dt, tol, w)
    rows = rows_per_contact(system)
    error = solve_together(system, count * rows, dt, tol, w)
    for a in range(count):
        w.k[HELD, a] = 1 if is_held(w.square[2, a * rows : (a + 1) * rows]) else 0
    return error


@merged
def solve_only(system, count, dt, tol, w):
    """The percussions of a body with one contact."""
    return solve_alone(system, dt, tol, w) if count == 1 else 0.0


@decided
def solve_contacts(system, count, dt, tol, w):
    """Percussions of all closed contacts, from those in w.v[PERCUSSION]; the relative residual. w.k[HELD] tells which of them stick."""
    return solve_only if contact_count(system) == 1 else solve_any
