"""Other ways into the problem of several contacts: its softness taken away gradually, other factors r, other percussions to start from.

At a softness d of the size of G each contact is nearly on its own, the problem is strongly monotone and has one solution; from there it is followed, by
Newton's method from the last one, as d falls to `SOFTER[0]`. Solutions stay bounded, so that the path does not end; it may turn back in d.
"""

from __future__ import annotations

from ...kernel.compiled import compiled, merged
from ...mechanics.contact import rows_per_contact
from .all_contacts import all_newton
from .local import ENOUGH
from .work import CONSTANT, FACTOR, FACTORS, KEPT, PACE, PERCUSSION, REFERENCE, SOFT

LESS, LEAST_LESS = 0.1, 0.8  # softness falls by this factor, or by one nearer to 1 where that is too much at once
SOFTER = (1e-8, 1e-5, 1e-2)  # tried one after the other where the first does not do
# Factors r, as multiples of the usual ones, that are tried: where contacts slip and spin by next to nothing, as when a body tips over an edge whose two
# corners stick, x = P - r xi tells too little of xi.
FIRMER = (1.0, 100.0, 1000.0, 10.0)


@merged
def prepare_softness(system, n, factor, w):
    """What softness means for each row: the largest diagonal entry of G, for rows of pivoting and contour friction their own."""
    rows = rows_per_contact(system)
    largest = 0.0
    for i in range(n):
        w.v[REFERENCE, i] = 0.0
        if i % rows < 3:
            largest = max(largest, w.square[0, i, i])
    for i in range(n):
        r = w.v[FACTOR, (i // rows) * FACTORS + i % rows]
        own = (
            max(w.square[0, i, i], 1e-3 * factor / r) if r > 0.0 else 0.0
        )  # 1/r: pivoting that shares the reservoir of sliding has tiny G_ii
        w.v[SOFT, i] = largest if i % rows < 3 else own


@compiled
def scale_factors(system, n, ratio, w):
    """All factors r of all contacts times a ratio: P = T(P) has the same solutions with any of them."""
    for a in range(n // rows_per_contact(system)):
        for i in range(PACE):
            w.v[FACTOR, a * FACTORS + i] *= ratio


@merged
def start_again(system, n, stage, w):
    """Other percussions to start from: none, then within the friction cones here and there (numbers that look random and are always the same)."""
    rows = rows_per_contact(system)
    largest = 0.0
    for i in range(0, n, rows):
        largest = max(largest, abs(w.v[CONSTANT, i]) * w.v[FACTOR, (i // rows) * FACTORS])
    seed = 12345 + 7919 * stage
    normal = 0.0
    for i in range(n):
        seed = (1103515245 * seed + 12345) % 2147483648
        share = seed / 2147483648.0 if stage > 1 else 0.0
        if i % rows == 0:
            normal = 2.0 * share * largest
            w.v[PERCUSSION, i] = normal
        else:
            w.v[PERCUSSION, i] = normal * (share - 0.5) if i % rows < 3 and stage > 1 else 0.0


@compiled
def harden(system, n, dt, tol, w):
    """Percussions of the problem with the softness `SOFTER[0]`, followed from those of a soft one; the residual, where the softness could be followed
    so far. The last ones that were found are left in w.v[KEPT], too: they tell which contacts carry force."""
    softness, less = 1.0, LESS
    for i in range(n):
        w.v[PERCUSSION, i] = 0.0
        w.v[KEPT, i] = 0.0
    while True:
        error = all_newton(system, n, dt, tol, softness, w)
        if error <= ENOUGH * tol:
            for i in range(n):
                w.v[KEPT, i] = w.v[PERCUSSION, i]
            if softness <= SOFTER[0]:
                return error
        else:
            for i in range(n):
                w.v[PERCUSSION, i] = w.v[KEPT, i]
            softness /= less
            less = less**0.5
            if less > LEAST_LESS:
                return error
        softness = max(less * softness, SOFTER[0])
