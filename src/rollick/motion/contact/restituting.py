"""What a contact gives back: which contacts are in an impact, and how much of the restitution is compatible with the energy.

Moreau's impact law asks for the laws of contact at xi = gamma_E + e gamma_A, row by row (e_N along the normal, e_T along the plane). With one e
for all rows of all contacts it takes energy, for

    work of the percussions = 1/2 P.(gamma_E + gamma_A) = P.xi/(1 + e) - (1 - e)/(2 (1 + e)) P.G P <= 0.

With different e, or with friction beside e_N (e_T = 0), it may create some, as Newton's law does (Kane's example). Then *the restitution of
this impact is lowered*: all e of the step are multiplied by the largest common factor for which the percussions do no work. With the
factor 0 the impact takes energy always. Impacts that lose energy anyway are left as they are. How often it happened is told in the
summary.

A rebound that would end within two steps cannot be resolved: a contact that approaches so slowly, e |gamma_A| <= dt |a_N| with the
acceleration a_N that presses it on, is caught (e = 0). So bodies come to rest, after a number of bounces that grows as the step
becomes small.
"""

from __future__ import annotations

from ...kernel.compiled import compiled
from ...mechanics.contact import rows_per_contact
from .several import solve_contacts
from .work import BEFORE, BOUNCE, CLOSED, CONSTANT, HALVED, HELD, LOWERED, PERCUSSION, STUCK, VELOCITY, WANTED

BISECTIONS = 30
ROUNDING = 1e-12


@compiled
def hits(before, press, e):
    """Whether a contact with the normal velocity `before`, pressed on by the velocity `press` per step, is in an impact that can be resolved."""
    return before < 0.0 and (-e * before > press if e > 0.0 else -before > press)


@compiled
def percussion_work(n, w):
    """The work of the percussions, 1/2 P.(gamma_E + gamma_A), and the size of its terms; xi = G P + c is left in w.v[VELOCITY]."""
    work, size = 0.0, 0.0
    for i in range(n):
        xi = w.v[CONSTANT, i]
        for j in range(n):
            xi += w.square[0, i, j] * w.v[PERCUSSION, j]
        w.v[VELOCITY, i] = xi
        term = 0.5 * w.v[PERCUSSION, i] * (xi + (1.0 - w.v[BOUNCE, i]) * w.v[BEFORE, i])
        work += term
        size += abs(w.v[PERCUSSION, i]) * (abs(xi) + abs(w.v[BEFORE, i]))
    return work, size


@compiled
def scale_restitution(n, rows, factor, w):
    """All e of contacts in an impact as wanted, times a factor."""
    for i in range(n):
        if w.k[HALVED, i // rows] == 0:
            e = factor * w.v[WANTED, i]
            w.v[CONSTANT, i] += (e - w.v[BOUNCE, i]) * w.v[BEFORE, i]
            w.v[BOUNCE, i] = e


@compiled
def bounces(n, rows, w):
    """Whether any contact is in an impact with restitution."""
    for i in range(n):
        if w.v[BOUNCE, i] > 0.0 and w.k[HALVED, i // rows] == 0:
            return True
    return False


@compiled
def catches(n, rows, w):
    """In the midpoint scheme: contacts that slipped before and would stick now are to end at rest, not to swing back; whether there are any."""
    found = False
    for a in range(n // rows):
        if w.k[STUCK, w.k[CLOSED, a]] == 1 and w.k[HELD, a] > 0 and w.k[HALVED, a] > 0 and w.v[BOUNCE, a * rows + 1] > 0.0:
            found = True
            for i in range(a * rows + 1, (a + 1) * rows):
                w.v[CONSTANT, i] -= w.v[BOUNCE, i] * w.v[BEFORE, i]
                w.v[BOUNCE, i] = 0.0
    return found


@compiled
def solve_bounded(system, count, dt, tol, w):
    """The percussions of a step or an impact, with the restitution lowered if they would do work on the body otherwise; the residual."""
    rows = rows_per_contact(system)
    n = count * rows
    low, high = 0.0, 1.0
    trial = 0  # 0: as it is; then the factor is halved in; the last one is the largest that was found good
    while True:
        error = solve_contacts(system, count, dt, tol, w)
        if trial == 0:
            if catches(n, rows, w):
                continue
            if not bounces(n, rows, w):
                return error
        elif trial > BISECTIONS:
            return error
        work, size = percussion_work(n, w)
        if trial == 0:
            if work <= ROUNDING * size:
                return error
            w.last[w.last.shape[0] - 1, LOWERED] += 1.0
            for i in range(n):
                w.v[WANTED, i] = w.v[BOUNCE, i]
        elif work <= 0.0:
            low = 0.5 * (low + high)
        else:
            high = 0.5 * (low + high)
        trial += 1
        scale_restitution(n, rows, 0.5 * (low + high) if trial <= BISECTIONS else low, w)
