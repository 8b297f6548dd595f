"""Newton's method for all closed contacts of a step at once: P = T(P) contact by contact, xi = G P + c, where G may be softened."""

from __future__ import annotations

from ...kernel.compiled import compiled, merged
from ...mechanics.contact import law_of, rows_per_contact
from .local import LEAST, contact_map, solve_small
from .work import (
    ALL_CHANGE,
    ALL_RESIDUAL,
    ALL_TRIAL,
    CLOSED,
    CONSTANT,
    FACTOR,
    FACTORS,
    IMAGE,
    NOISE,
    PERCUSSION,
    REFERENCE,
    SOFT,
    VELOCITY,
)

TRIALS = 50


@compiled
def all_residuals(system, n, P, dt, softness, w, out):
    """out = P - T(P) for all contacts, softened by softness times SOFT (P - REFERENCE); its size relative to the percussions in play.

    r times the rounding of the velocities (NOISE) counts as none: percussions of a short step are small, and the spin of a body that tips over an edge is
    a difference of large numbers.
    """
    rows = rows_per_contact(system)
    worst, scale, beyond = 0.0, 0.0, 0.0
    for i in range(n):
        value = w.v[CONSTANT, i]
        for j in range(n):
            value += w.square[0, i, j] * P[j]
        w.v[VELOCITY, i] = value + softness * w.v[SOFT, i] * (P[i] - w.v[REFERENCE, i])
    for a in range(n // rows):
        first = a * rows
        r = w.v[FACTOR, a * FACTORS : (a + 1) * FACTORS]
        law = law_of(system, w.k[CLOSED, a])
        contact_map(
            law,
            P[first : first + rows],
            w.v[VELOCITY, first : first + rows],
            r,
            dt,
            w.v[IMAGE],
            w.square[2, first : first + rows],
        )
        for i in range(rows):
            out[first + i] = P[first + i] - w.v[IMAGE, i]
            worst = max(worst, abs(out[first + i]))
            beyond = max(beyond, abs(out[first + i]) - r[i] * w.v[NOISE, first + i])
            scale = max(scale, max(abs(P[first + i]), r[i] * abs(w.v[CONSTANT, first + i])))
    if not worst < 1e300:
        return 1e300
    return beyond / scale if scale > 0.0 else 0.0


@merged
def all_matrix(system, n, softness, w):
    """1 - S (1 - R G) for all contacts into w.square[1]."""
    rows = rows_per_contact(system)
    for i in range(n):
        a = i // rows
        first = a * rows
        for j in range(n):
            w.square[1, i, j] = 0.0
        for m in range(rows):
            slope = w.square[2, i, m]
            if slope != 0.0:
                f = slope * w.v[FACTOR, a * FACTORS + m]
                for j in range(n):
                    w.square[1, i, j] += f * w.square[0, first + m, j]
                w.square[1, i, first + m] += f * softness * w.v[SOFT, first + m] - slope
        w.square[1, i, i] += 1.0


@compiled
def all_newton(system, n, dt, tol, softness, w):
    """Newton's method with line search for all contacts, from w.v[PERCUSSION]; the residual."""
    error, share = 1e300, 0.0
    for i in range(n):
        w.v[ALL_CHANGE, i] = 0.0
    for _ in range(TRIALS):
        for i in range(n):
            w.v[ALL_TRIAL, i] = w.v[PERCUSSION, i] + share * w.v[ALL_CHANGE, i]
        new = all_residuals(system, n, w.v[ALL_TRIAL], dt, softness, w, w.v[ALL_RESIDUAL])
        if new <= (1.0 - 0.1 * share) * error:
            for i in range(n):
                w.v[PERCUSSION, i] = w.v[ALL_TRIAL, i]
                w.v[ALL_CHANGE, i] = -w.v[ALL_RESIDUAL, i]
            error = new
            if error <= tol:
                break
            all_matrix(system, n, softness, w)
            if not solve_small(w.square[1], w.v[ALL_CHANGE], n):
                break
            share = 1.0
        else:
            share *= 0.5
            if share < LEAST:
                break
    return error
