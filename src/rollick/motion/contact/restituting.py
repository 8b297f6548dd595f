"""What a contact gives back: which contacts are in an impact, and how much of the restitution is compatible with the energy.

Moreau's impact law asks for the laws of contact at xi = gamma_E + e gamma_A, row by row (e_N along the normal, e_T along the plane). With one e
for all rows of all contacts it takes energy, for

    work of the percussions = 1/2 P.(gamma_E + gamma_A) = P.xi/(1 + e) - (1 - e)/(2 (1 + e)) P.G P <= 0.

With different e, or with friction beside e_N (e_T = 0), it may create some, as Newton's law does (Kane's example). Then *the restitution of
this impact is lowered*: all e of the step are multiplied by the largest common factor for which the percussions do no work. With the
factor 0 the impact takes energy always. Impacts that lose energy anyway are left as they are. How often it happened is told in the
summary. The same is done where contacts that press against each other through the body leave no solution to what the restitution asks for: with the
factor 0 only the motion of the body itself is asked for, which always fits.

A rebound that would end within two steps cannot be resolved: a contact that approaches so slowly, e |gamma_A| <= dt |a_N| with the
acceleration a_N that presses it on, is caught (e = 0). So bodies come to rest, after a number of bounces that grows as the step
becomes small.
"""

from __future__ import annotations

from ...kernel.cholesky import cholesky, cholesky_back
from ...kernel.compiled import compiled, merged
from ...kernel.dispatch import decided
from ...mechanics.contact import contact_count, rows_per_contact
from .local import ENOUGH
from .several import solve_contacts
from .work import (
    BEFORE,
    BOUNCE,
    CLOSED,
    CONSTANT,
    CURVED,
    HALVED,
    HELD,
    LOOSE,
    LOWERED,
    PERCUSSION,
    SOFT,
    STUCK,
    VELOCITY,
    WANTED,
)

BISECTIONS = 30
COMPATIBLE, TINY = 12, 1e-4
MISFIT = 0.1  # of what is to be given back: more than that is no matter of feet at slightly different heights, but of surfaces that face different ways
AMONG = 3  # how often what is asked for is made compatible among the contacts that carry force
UNSOLVED = 4  # after so many factors without a solution the last good one is taken, or 0
HARD, YIELDING, OUT = 1e-12, 1e-7, 1e6
ROUNDING = 1e-12


@compiled
def hits(before, press, e):
    """Whether a contact with the normal velocity `before`, pressed on by the velocity `press` per step, is in an impact that can be resolved."""
    return before < 0.0 and (-e * before > press if e > 0.0 else -before > press)


@decided
def make_compatible(system, n, rows, among, w):
    """What several contacts of one body ask for, made compatible; see `compatible`, `compatible_among`."""
    return nothing if contact_count(system) == 1 else either


def nothing(system, n, rows, among, w):
    """A single contact asks for nothing that the body cannot do."""


@merged
def either(system, n, rows, among, w):
    """Of all contacts, or of those that carry force."""
    if among:
        compatible_among(n, rows, w)
    else:
        compatible(system, n, rows, w)


@compiled
def compatible(system, n, rows, w):
    """Take out of c what no motion of a rigid body can do: its part across the range of G.

    W u is in the range of G, e gamma_A is not, if e differs from contact to contact: points of a rigid body that touch cannot all have the
    velocities that it asks for. If they stick, nothing but forces against each other would come of that, up to the edge of the friction cone. So what
    does not fit, small (it comes from feet at slightly different heights), is taken from the friction rows; from the normal rows
    only if it is tiny, for there a contact may open instead. Between a floor and a wall it is not small: what the floor gives back moves the body along the
    wall, where it is free to slip. There c is left as it is, and friction acts as its law says.
    """
    largest, size, asked = 0.0, 0.0, 0.0
    for i in range(n):
        largest = max(largest, w.square[0, i, i] if i % rows < 3 else 0.0)
        size = max(size, abs(w.v[CONSTANT, i]) if i % rows == 0 else 0.0)
        asked = max(asked, abs(w.v[BOUNCE, i] * w.v[BEFORE, i]))
    soft = 1e-10 * largest
    for i in range(n):
        for j in range(n):
            w.square[1, i, j] = w.square[0, i, j]
        w.square[1, i, i] += soft if i % rows < 3 else soft + w.square[0, i, i] * 1e-10
    cholesky(w.square[1], n)
    for attempt in range(COMPATIBLE):
        for i in range(n):
            w.v[VELOCITY, i] = w.v[CONSTANT, i] if i % rows < 3 else 0.0
        cholesky_back(w.square[1], n, w.v[VELOCITY])
        left, along = 0.0, 0.0
        for i in range(n):
            if i % rows < 3:
                left = max(left, soft * abs(w.v[VELOCITY, i]))
                along = max(along, soft * abs(w.v[VELOCITY, i]) if i % rows > 0 else 0.0)
        if attempt == 0 and along > MISFIT * asked:
            return
        for i in range(n):
            if 0 < i % rows < 3 or (i % rows == 0 and attempt == COMPATIBLE - 1 and left <= TINY * size):
                w.v[CONSTANT, i] -= soft * w.v[VELOCITY, i]


@compiled
def compatible_among(n, rows, w):
    """As `compatible`, among the contacts that carry force, where the problem could not be solved: four feet that hit at different speeds ask for what
    no body can do, and one of them opens; what the friction rows of the other three are asked for must fit their normal rows, not those of all.

    c <- G y on the friction rows (pivoting and contour friction, too), (G + S) y = c, with S tiny on the normal rows, which are kept, small on the friction
    rows, and large on contacts that open, which have no say: the velocity of a body nearest to what was asked for, in the squares over S.
    """
    largest = 0.0
    for i in range(n):
        largest = max(largest, w.square[0, i, i] if i % rows < 3 else 0.0)
    for i in range(n):
        own = largest if i % rows < 3 or not w.square[0, i, i] > 0.0 else w.square[0, i, i]
        w.v[VELOCITY, i] = w.v[CONSTANT, i]
        w.v[SOFT, i] = own * (HARD if i % rows == 0 else YIELDING)
        if not w.v[PERCUSSION, i - i % rows] > 0.0:
            w.v[SOFT, i] = own * OUT
        for j in range(n):
            w.square[1, i, j] = w.square[0, i, j]
        w.square[1, i, i] += w.v[SOFT, i]
    cholesky(w.square[1], n)
    cholesky_back(w.square[1], n, w.v[VELOCITY])
    for i in range(n):
        if i % rows > 0 and w.v[PERCUSSION, i - i % rows] > 0.0:
            w.v[CONSTANT, i] -= w.v[SOFT, i] * w.v[VELOCITY, i]


@compiled
def percussion_work(n, w):
    """The work of the percussions, 1/2 P.(gamma_E + gamma_A), and the size of its terms."""
    work, size = 0.0, 0.0
    for i in range(n):
        after = w.v[LOOSE, i]
        for j in range(n):
            after += w.square[0, i, j] * w.v[PERCUSSION, j]
        work += 0.5 * w.v[PERCUSSION, i] * (after + w.v[BEFORE, i])
        size += abs(w.v[PERCUSSION, i]) * (abs(after) + abs(w.v[BEFORE, i]))
    return work, size


@merged
def scale_restitution(n, rows, factor, w):
    """All e of contacts in an impact as wanted, times a factor."""
    for i in range(n):
        if w.k[HALVED, i // rows] == 0:
            e = factor * w.v[WANTED, i]
            w.v[CONSTANT, i] = w.v[LOOSE, i] + w.v[CURVED, i] + e * w.v[BEFORE, i]
            w.v[BOUNCE, i] = e


@merged
def bounces(n, rows, w):
    """Whether any contact is in an impact with restitution."""
    for i in range(n):
        if w.v[BOUNCE, i] > 0.0 and w.k[HALVED, i // rows] == 0:
            return True
    return False


@merged
def catches(n, rows, w):
    """In the midpoint scheme: where a contact that slipped before would stick now, it is to end at rest, not to swing back; whether there is one.

    The friction rows of all contacts then follow Moreau's rule for this step.
    """
    found = False
    for a in range(n // rows):
        found = found or (
            w.k[STUCK, w.k[CLOSED, a]] < 2 and w.k[HELD, a] > 0 and w.k[HALVED, a] > 0 and w.v[BOUNCE, a * rows + 1] > 0.0
        )
    if found:
        for i in range(n):
            if i % rows > 0:
                w.v[CONSTANT, i] -= w.v[BOUNCE, i] * w.v[BEFORE, i]
                w.v[BOUNCE, i] = 0.0
    return found


@merged
def solve_bounded(system, count, dt, tol, w):
    """The percussions of a step or an impact, with the restitution lowered if they would do work on the body otherwise, or could not be found; the
    residual."""
    rows = rows_per_contact(system)
    n = count * rows
    low, high = 0.0, 1.0
    struck = count > 1 and bounces(n, rows, w)
    trial = 0  # 0: as it is; then the factor is halved in; the last one is the largest that was found good
    among, unsolved = 0, 0
    while True:
        if struck:
            make_compatible(system, n, rows, among > 0, w)
        error = solve_contacts(system, count, dt, tol, w)
        solved = error <= ENOUGH * tol
        if struck and not solved and among < AMONG:
            among += 1
            continue
        among = 0
        unsolved += 0 if solved else 1
        if trial == 0:
            if catches(n, rows, w):
                continue
            if not bounces(n, rows, w):
                return error
        elif trial > BISECTIONS:
            return error
        work, size = percussion_work(n, w)
        if trial == 0:
            if solved and work <= ROUNDING * size:
                return error
            w.last[w.last.shape[0] - 1, LOWERED] += 1.0
            for i in range(n):
                w.v[WANTED, i] = w.v[BOUNCE, i]
        elif solved and work <= 0.0:
            low = 0.5 * (low + high)
        else:
            high = 0.5 * (low + high)
        trial = trial + 1 if unsolved < UNSOLVED else BISECTIONS + 1
        scale_restitution(n, rows, 0.5 * (low + high) if trial <= BISECTIONS else low, w)
