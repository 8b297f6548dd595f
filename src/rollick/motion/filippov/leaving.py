"""The directions in which slip can begin at one contact: w with slip acceleration rho w, rho > 0, and those that it can end in, rho < 0.

With all other unknowns eliminated, a contact's acceleration is c + A (N, T), T = -mu N w, and its gap stays closed if N = -c_n/den(w),
den = A_nn - mu A_nT w (where N is known, den = 1 and N is the load). Then

    den(w) * slip acceleration = p + P w        affine in w, since den is,

so that the limit directions are the zeros of (p + P w) x w, a trigonometric polynomial of degree two: at most four. They are bracketed on a grid
and refined to rounding; a minimum between two points of the grid is looked at for a pair of zeros. Where the polynomial vanishes, every
direction is one.
"""

from __future__ import annotations

import math

import numpy as np

from ...kernel.compiled import compiled
from ...kernel.local_array import local_array
from .forces import OPEN, ROLL, ROWS, SLIP, forces_in_mode, per_normal

GRID = 48
POINTS = GRID + 2
ANGLES = 2.0 * np.pi * (np.arange(POINTS) - 0.37) / GRID
CIRCLE = np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])
EVERYWHERE = 1e-13  # relative: what counts as a polynomial that vanishes
ONE_LINE = 1e-10  # relative: what counts as an acceleration across the only direction there is
APART = 1e-2  # of the largest entry: pivots below which equations are solved with pivoting
MOST = 8  # directions that are kept


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
def across(p, P, a, b):
    """w x (p + P w) at w = (a, b): the circumferential part."""
    return a * (p[1] + P[1, 0] * a + P[1, 1] * b) - b * (p[0] + P[0, 0] * a + P[0, 1] * b)


@compiled
def turning(p, P, angle):
    """The same at an angle."""
    return across(p, P, math.cos(angle), math.sin(angle))


@compiled
def zero_within(p, P, low, high):
    """The zero of the circumferential part between two angles at which it has different signs: Newton's method, halving where it would leave them."""
    sign = turning(p, P, low) > 0.0
    angle, before = 0.5 * (low + high), high - low
    for _ in range(100):
        a, b = math.cos(angle), math.sin(angle)
        r0, r1 = p[0] + P[0, 0] * a + P[0, 1] * b, p[1] + P[1, 0] * a + P[1, 1] * b
        here = a * r1 - b * r0
        if (here > 0.0) == sign:
            low = angle
        else:
            high = angle
        slope = -(a * r0 + b * r1) + a * (P[1, 1] * a - P[1, 0] * b) - b * (P[0, 1] * a - P[0, 0] * b)
        by = here / slope if slope != 0.0 else math.inf
        if low < angle - by < high and abs(by) < 0.5 * before:
            before = abs(by)
            if angle - by == angle or abs(by) < 1e-16:
                return angle
            angle -= by
        else:
            before = 0.5 * (high - low)
            middle = 0.5 * (low + high)
            if middle <= low or middle >= high:
                return middle
            angle = middle
    return angle


@compiled
def pair_within(p, P, low, middle, high, bend):
    """Where |circumferential part| is least between two angles, on the side of zero that it has at both; zeros may hide there, unless it is larger than
    the least part of what `bend`, a bound of its second derivative, can make it fall by."""
    sign = 1.0 if turning(p, P, middle) > 0.0 else -1.0
    for _ in range(80):
        left, right = 0.5 * (low + middle), 0.5 * (middle + high)
        here, a, b = sign * turning(p, P, middle), sign * turning(p, P, left), sign * turning(p, P, right)
        if a < here:
            middle, high, here = left, middle, a
        elif b < here:
            low, middle, here = middle, right, b
        else:
            low, high = left, right
        if here < 0.0 or high - low < 1e-13 or here > 0.5 * bend * (high - low) * (high - low):
            break
    return middle


@compiled
def only_line(p, P):
    """Whether p + P w has one and the same direction h (or its opposite) for all w, and the angle of h: so it is where the other contact rolls and
    holds the common slip. Then slip begins along h only, and zeros of p + P w itself, which may come close to it, are no directions."""
    h0, h1 = p[0], p[1]
    for j in range(2):
        if P[0, j] * P[0, j] + P[1, j] * P[1, j] > h0 * h0 + h1 * h1:
            h0, h1 = P[0, j], P[1, j]
    size = h0 * h0 + h1 * h1
    off = abs(p[0] * h1 - p[1] * h0)
    for j in range(2):
        off = max(off, abs(P[0, j] * h1 - P[1, j] * h0))
    straight = size > 0.0 and off <= ONE_LINE * size
    return straight, math.atan2(h1, h0) if straight else 0.0


@compiled
def limit_angles(p, P, angles):
    """The angles of all limit directions; how many, -1 if every direction is one."""
    straight, along = only_line(p, P)
    if straight:
        angles[0], angles[1] = along, along + math.pi
        return 2
    values = local_array(POINTS, p.dtype)
    step = 2.0 * math.pi / GRID
    scale = abs(p[0]) + abs(p[1])
    for i in range(2):
        scale += abs(P[i, 0]) + abs(P[i, 1])
    most = 0.0
    for i in range(GRID + 2):
        values[i] = across(p, P, CIRCLE[i, 0], CIRCLE[i, 1])
        most = max(most, abs(values[i]))
    if most <= EVERYWHERE * scale:
        return -1
    count = 0
    for i in range(GRID):
        low, middle, high = (i - 0.37) * step, (i + 0.63) * step, (i + 1.63) * step
        if (values[i] > 0.0) != (values[i + 1] > 0.0) and count < MOST:
            angles[count] = zero_within(p, P, low, middle)
            count += 1
        same = (values[i] > 0.0) == (values[i + 1] > 0.0) and (values[i + 1] > 0.0) == (values[i + 2] > 0.0)
        if same and abs(values[i + 1]) < abs(values[i]) and abs(values[i + 1]) < abs(values[i + 2]):
            least = pair_within(p, P, low, middle, high, 4.0 * scale)
            if (turning(p, P, least) > 0.0) != (values[i + 1] > 0.0) and count + 1 < MOST:
                angles[count] = zero_within(p, P, low, least)
                angles[count + 1] = zero_within(p, P, least, high)
                count += 2
    return count


@compiled
def own_force(pressing, base, load, den, w1, w2):
    """(N, den) of a contact that begins to slip along w."""
    d = den[0] + den[1] * w1 + den[2] * w2
    return (-base[0] / d if pressing else load), d


@compiled
def ways_of_one(e, count, size, pressing, modes, c, A, mu, load, w, least, ways):
    """All limit directions of contact e, the other one in its mode: ways[i] = w1, w2, rho, N, den. How many; -1 if every direction is one.

    Then ways[0] is one of them, that of the largest rho on a grid. Where no direction has a rho above `least`, none is looked for.
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
        found = limit_angles(p, P, angles)
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


__all__ = ["MOST", "ROLL", "SLIP", "limit_angles", "ways_of_one"]
