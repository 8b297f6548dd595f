"""The directions in which slip can begin at one contact: w with slip acceleration rho w, rho > 0, and those that it can end in, rho < 0.

With all other unknowns eliminated, a contact's acceleration is c + A (N, T), T = -mu N w, and its gap stays closed if N = -c_n/den(w),
den = A_nn - mu A_nT w (where N is known, den = 1 and N is the load). Then

    den(w) * slip acceleration = p + P w        affine in w, since den is,

so that the limit directions are the zeros of (p + P w) x w (`limit_angles`).
"""

from __future__ import annotations

import math

from ....kernel.compiled import compiled
from ....kernel.local_array import local_array
from .forces import OPEN, ROLL, ROWS, SLIP, forces_in_mode, per_normal
from .limit_angles import GRID, MOST, limit_angles

APART = 1e-2  # of the largest entry: pivots below which equations are solved with pivoting


@compiled
def forces_of_slip(o, e, size, c, A, mu, w, others, per):
    """The forces of contact o, which slips along w and presses, and what forces of contact e change of them."""
    own = per_normal(size, A, mu, w, 3 * o, o)
    inverse = 1.0 / own if own != 0.0 else 0.0
    for q in range(1 + size):
        share = 1.0 if q == 0 else -mu[o] * w[2 * o + q - 1]
        others[3 * o + q] = -share * c[3 * o] * inverse
        for j in range(1 + size):
            per[3 * o + q, j] = -share * A[3 * o, 3 * e + j] * inverse


@compiled
def forces_of_rolling(o, e, first, size, c, A, others, per):
    """The same of a contact that rolls, whose rows from `first` on do not accelerate; whether its equations are well apart."""
    M = local_array((3, 7), c.dtype)
    m, largest = 1 + size - first, 0.0
    for i in range(m):
        row = 3 * o + first + i
        M[i, m] = -c[row]
        for j in range(m):
            M[i, j], M[i, m + 1 + j] = A[row, 3 * o + first + j], -A[row, 3 * e + first + j]
            largest = max(largest, abs(M[i, j]))
    for j in range(m):
        if not abs(M[j, j]) > APART * largest:
            return False
        inverse = 1.0 / M[j, j]
        for q in range(j + 1, 2 * m + 1):
            M[j, q] *= inverse
        for i in range(m):
            if i != j:
                factor = M[i, j]
                for q in range(j + 1, 2 * m + 1):
                    M[i, q] -= factor * M[j, q]
    for i in range(m):
        others[3 * o + first + i] = M[i, m]
        for j in range(m):
            per[3 * o + first + i, first + j] = M[i, m + 1 + j]
    return True


@compiled
def forces_by_cases(o, e, first, count, size, pressing, modes, c, A, mu, load, w, others, per):
    """The same of a contact in any mode: its forces without forces at e, and with a unit of each."""
    shifted = local_array(ROWS, c.dtype)
    null = local_array(ROWS, c.dtype)
    x = local_array(ROWS, c.dtype)
    alone = (OPEN, modes[1]) if e == 0 else (modes[0], OPEN)
    for case in range(-1, 1 + size):
        if case == -1 or case >= first:
            for row in range(ROWS):
                shifted[row] = 0.0
            for i in range(first, 1 + size):
                shifted[3 * o + i] = c[3 * o + i] + (A[3 * o + i, 3 * e + case] if case >= 0 else 0.0)
            forces_in_mode(count, size, pressing, alone, shifted, A, mu, load, w, x, null)
            for i in range(3):
                if case < 0:
                    others[3 * o + i] = x[3 * o + i]
                else:
                    per[3 * o + i, case] = x[3 * o + i] - others[3 * o + i]


@compiled
def seen_from(e, count, size, pressing, modes, c, A, mu, load, w, base, slope, others, per):
    """base[i] + slope[i, j] x[3e + j]: the acceleration of contact e for its own forces x, all others in their modes.

    others[row] + per[row, j] x[3e + j]: the forces of the other contact.
    """
    o = 1 - e
    first = 0 if pressing else 1
    for i in range(first, 1 + size):
        base[i] = c[3 * e + i]
        for j in range(first, 1 + size):
            slope[i, j] = A[3 * e + i, 3 * e + j]
    for row in range(ROWS):
        others[row] = 0.0
        for j in range(3):
            per[row, j] = 0.0
    if count == 1 or modes[o] == OPEN:
        return
    if modes[o] == SLIP and pressing:
        forces_of_slip(o, e, size, c, A, mu, w, others, per)
    elif modes[o] != ROLL or not forces_of_rolling(o, e, first, size, c, A, others, per):
        forces_by_cases(o, e, first, count, size, pressing, modes, c, A, mu, load, w, others, per)
    for i in range(first, 1 + size):
        for q in range(first, 1 + size):
            base[i] += A[3 * e + i, 3 * o + q] * others[3 * o + q]
            for j in range(first, 1 + size):
                slope[i, j] += A[3 * e + i, 3 * o + q] * per[3 * o + q, j]


@compiled
def affine(pressing, base, slope, mu, load, p, P, den):
    """p + P w = den(w) * slip acceleration, den(w) = den[0] + den[1] w1 + den[2] w2."""
    den[0], den[1], den[2] = 1.0, 0.0, 0.0
    if pressing:
        den[0], den[1], den[2] = slope[0, 0], -mu * slope[0, 1], -mu * slope[0, 2]
        for i in range(2):
            p[i] = base[1 + i] * den[0] - base[0] * slope[1 + i, 0]
            for j in range(2):
                P[i, j] = base[1 + i] * den[1 + j] + mu * base[0] * slope[1 + i, 1 + j]
    else:
        for i in range(2):
            p[i] = base[1 + i]
            for j in range(2):
                P[i, j] = -mu * load * slope[1 + i, 1 + j]


@compiled
def grows_nowhere(p, P, den, least):
    """Whether slip grows no faster than `least` in any direction: where den(w) > 0 for all w, by at most (|p| + lambda)/den, lambda the larger eigenvalue of
    the symmetric part of P."""
    lowest = den[0] - math.sqrt(den[1] * den[1] + den[2] * den[2])
    half, mixed = 0.5 * (P[0, 0] - P[1, 1]), 0.5 * (P[0, 1] + P[1, 0])
    most = math.sqrt(p[0] * p[0] + p[1] * p[1]) + 0.5 * (P[0, 0] + P[1, 1]) + math.sqrt(half * half + mixed * mixed)
    return lowest > 0.0 and most <= least * lowest


@compiled
def own_force(pressing, base, load, den, w1, w2):
    """(N, den) of a contact that begins to slip along w."""
    d = den[0] + den[1] * w1 + den[2] * w2
    return (-base[0] / d if pressing else load), d


@compiled
def ways_of_one(e, count, size, pressing, modes, c, A, mu, load, w, least, ways):
    """The limit directions of contact e, the other one in its mode: ways[i] = w1, w2, rho, N, den. How many; -1 if every direction is one.

    Then ways[0] is one of them, that of the largest rho on a grid. Those with a rho above `least` are all among them; others need not be.
    """
    base, slope = local_array(3, c.dtype), local_array((3, 3), c.dtype)
    others, per = local_array(ROWS, c.dtype), local_array((ROWS, 3), c.dtype)
    p, P, den = local_array(2, c.dtype), local_array((2, 2), c.dtype), local_array(3, c.dtype)
    angles = local_array(MOST, c.dtype)
    for i in range(3):
        base[i] = 0.0
        for j in range(3):
            slope[i, j] = 0.0
    seen_from(e, count, size, pressing, modes, c, A, mu, load, w, base, slope, others, per)
    affine(pressing, base, slope, mu[e], load[e], p, P, den)
    found = 2
    if size == 1:
        angles[0], angles[1] = 0.0, math.pi
    elif grows_nowhere(p, P, den, least):
        return 0
    else:
        found = limit_angles(p, P, den[0] > math.sqrt(den[1] * den[1] + den[2] * den[2]), angles)
    total = found
    if found == -1:
        total = 1
        angles[0] = 0.0
        best = -math.inf
        for i in range(GRID):
            a, b = math.cos(2.0 * math.pi * i / GRID), math.sin(2.0 * math.pi * i / GRID)
            d = den[0] + den[1] * a + den[2] * b
            here = ((p[0] + P[0, 0] * a + P[0, 1] * b) * a + (p[1] + P[1, 0] * a + P[1, 1] * b) * b) / d
            if here > best:
                best, angles[0] = here, 2.0 * math.pi * i / GRID
    for i in range(total):
        a, b = math.cos(angles[i]), math.sin(angles[i])
        if size == 1:
            a, b = (1.0 if i == 0 else -1.0), 0.0
        normal, d = own_force(pressing, base, load[e], den, a, b)
        radial = (p[0] + P[0, 0] * a + P[0, 1] * b) * a + (p[1] + P[1, 0] * a + P[1, 1] * b) * b
        ways[i, 0], ways[i, 1], ways[i, 2], ways[i, 3], ways[i, 4] = a, b, radial / d, normal, d
    return found
