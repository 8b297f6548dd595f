"""The directions in which slip can begin at both contacts at once, from rolling at both (section 3.4.2; codimension three).

Wanted are unit vectors w_0, w_1 with slip accelerations rho_k w_k, rho_k > 0, under friction -mu_k N_k w_k. Two equations, that each acceleration is
along its direction, in two angles: cells of a grid on the torus in which both change sign, and slip may grow, start Newton's method, and so does the
pair of directions of friction at the static margin, which the first slip has where rolling just ends. Pairs that attract are not looked for.
"""

from __future__ import annotations

import math

import numpy as np

from ....kernel.compiled import compiled
from ....kernel.local_array import local_array
from .forces import ROWS

GRID = 16
LINES = GRID + 1
SHIFTS = 0.37, 0.41  # of the lines of the first angle and of the second, in widths of a cell
CIRCLES = np.array(  # cosine and sine of the first angle, and of the second, on all lines of the grid
    [f(2.0 * np.pi * (np.arange(LINES) - shift) / GRID) for shift in SHIFTS for f in (np.cos, np.sin)]
)
THIRDS = 3  # grids for each angle, that lie a third of a cell apart, where it is looked carefully
CLOSE = 1e-6  # two solutions so close are one
NEIGHBOUR = 0.05  # rad: a cell that has its zero so close to a known one has none of its own
SMALL_TURN = 1e-2  # rad
NEARLY, SMALLER = (
    1e-2,
    0.05,
)  # of the accelerations at hand: what is left of those across, close to a pair at which slip becomes smaller so fast
MOST = 24  # pairs that are kept


@compiled
def accelerations(pressing, c, A, mu, load, w, columns, x, rates):
    """The accelerations of both slips under friction along w, and the normal forces, x[0] and x[3].

    columns[k]: what a normal force at contact k, with its friction, does to all rows.
    """
    for k in range(2):
        for row in range(ROWS):
            friction = A[row, 3 * k + 1] * w[2 * k] + A[row, 3 * k + 2] * w[2 * k + 1]
            columns[k, row] = (A[row, 3 * k] if pressing else 0.0) - mu[k] * friction
    x[0], x[3] = load[0], load[1]
    if pressing:  # both normal accelerations vanish
        det = columns[0, 0] * columns[1, 3] - columns[1, 0] * columns[0, 3]
        x[0] = (c[3] * columns[1, 0] - c[0] * columns[1, 3]) / det
        x[3] = (c[0] * columns[0, 3] - c[3] * columns[0, 0]) / det
    for k in range(2):
        for i in range(2):
            row = 3 * k + 1 + i
            rates[2 * k + i] = c[row] + x[0] * columns[0, row] + x[3] * columns[1, row]


@compiled
def turned(pressing, A, mu, w, columns, x, q, by, change):
    """The derivative of the accelerations of both slips by the angle of contact q; `by`: memory for that of its column."""
    v1, v2 = -w[2 * q + 1], w[2 * q]
    for row in range(ROWS):
        by[row] = -mu[q] * x[3 * q] * (A[row, 3 * q + 1] * v1 + A[row, 3 * q + 2] * v2)
    N0, N1 = 0.0, 0.0
    if pressing:
        det = columns[0, 0] * columns[1, 3] - columns[1, 0] * columns[0, 3]
        N0 = (by[3] * columns[1, 0] - by[0] * columns[1, 3]) / det
        N1 = (by[0] * columns[0, 3] - by[3] * columns[0, 0]) / det
    for k in range(2):
        for i in range(2):
            row = 3 * k + 1 + i
            change[2 * k + i] = by[row] + N0 * columns[0, row] + N1 * columns[1, row]


@compiled
def across(rates, w, k):
    """w_k x (slip acceleration of contact k)."""
    return w[2 * k] * rates[2 * k + 1] - w[2 * k + 1] * rates[2 * k]


@compiled
def along(rates, w, k):
    """w_k . (slip acceleration of contact k)."""
    return w[2 * k] * rates[2 * k] + w[2 * k + 1] * rates[2 * k + 1]


@compiled
def aim_at(w, first, second):
    """The directions at two angles."""
    w[0], w[1], w[2], w[3] = math.cos(first), math.sin(first), math.cos(second), math.sin(second)


@compiled
def turn_back(w, k, by):
    """Turn the direction of contact k back by an angle, or if that is small, by one whose tangent it is: for Newton's method that is the same."""
    a, b = w[2 * k], w[2 * k + 1]
    cosine, sine = 1.0 / math.sqrt(1.0 + by * by), by / math.sqrt(1.0 + by * by)
    if abs(by) > SMALL_TURN:
        cosine, sine = math.cos(by), math.sin(by)
    w[2 * k], w[2 * k + 1] = a * cosine + b * sine, b * cosine - a * sine


@compiled
def refined(pressing, careful, c, A, mu, load, x, w, rates, scale):
    """Newton's method from a pair of directions w for accelerations along them; whether it converged. Unless careful, it is left off where slip clearly becomes smaller."""
    columns, by = local_array((2, ROWS), c.dtype), local_array(ROWS, c.dtype)
    first, second = local_array(4, c.dtype), local_array(4, c.dtype)
    before = math.inf
    for _ in range(30):
        accelerations(pressing, c, A, mu, load, w, columns, x, rates)
        r0, r1 = across(rates, w, 0), across(rates, w, 1)
        size = abs(r0) + abs(r1)
        if not size < math.inf:
            return False
        if size <= 1e-14 * scale or (size <= 1e-11 * scale and size >= 0.5 * before):
            return True
        before = size
        turned(pressing, A, mu, w, columns, x, 0, by, first)
        turned(pressing, A, mu, w, columns, x, 1, by, second)
        grows0, grows1 = along(rates, w, 0), along(rates, w, 1)
        j00, j01 = across(first, w, 0) - grows0, across(second, w, 0)
        j10, j11 = across(first, w, 1), across(second, w, 1) - grows1
        det = j00 * j11 - j01 * j10
        if det == 0.0:
            return False
        d0, d1 = (r0 * j11 - r1 * j01) / det, (j00 * r1 - j10 * r0) / det
        long = max(abs(d0), abs(d1))
        if not careful and long < SMALL_TURN and size < NEARLY * scale and min(grows0, grows1) < -SMALLER * scale:
            return False
        shorter = min(1.0, 0.5 / long) if long > 0.0 else 1.0
        turn_back(w, 0, shorter * d0)
        turn_back(w, 1, shorter * d1)
    return False


@compiled
def is_known(ways, count, w, within):
    """Whether a pair of directions is one of those that are known, as far as that angle."""
    least = 1.0 - 0.5 * within * within
    for i in range(count):
        if w[0] * ways[i, 0] + w[1] * ways[i, 1] > least and w[2] * ways[i, 2] + w[3] * ways[i, 3] > least:
            return True
    return False


@compiled
def keep(ways, count, rates, w, x):
    """Add a solution that is not yet known; how many there are then."""
    if count == MOST or is_known(ways, count, w, CLOSE):
        return count
    for k in range(2):
        ways[count, 2 * k], ways[count, 2 * k + 1] = w[2 * k], w[2 * k + 1]
        ways[count, 4 + k] = rates[2 * k] * w[2 * k] + rates[2 * k + 1] * w[2 * k + 1]
        ways[count, 6 + k] = x[3 * k]
    return count + 1


@compiled
def per_normal_force(pressing, A, mu, k, circles, out):
    """out[row, i]: the acceleration of a row per normal force of contact k, with its friction, for the directions of the grid."""
    for row in range(ROWS):
        pushed, a, b = (A[row, 3 * k] if pressing else 0.0), mu[k] * A[row, 3 * k + 1], mu[k] * A[row, 3 * k + 2]
        for i in range(LINES):
            out[row, i] = pushed - (a * circles[2 * k, i] + b * circles[2 * k + 1, i])


@compiled
def normal_forces(pressing, c, load, i, first, second, N):
    """N_0 and N_1 at the points of one line of the grid, two rows."""
    f0, f3 = first[0, i], first[3, i]
    rest = c[0] * f3 - c[3] * f0
    for j in range(LINES):
        if pressing:
            per = 1.0 / (f0 * second[3, j] - second[0, j] * f3)
            N[0, j], N[1, j] = (c[3] * second[0, j] - c[0] * second[3, j]) * per, rest * per
        else:
            N[0, j], N[1, j] = load[0], load[1]


@compiled
def on_line(c, i, N, first, second, along, circles, values):
    """The accelerations along both directions, or across them, at the points of one line of the grid, for their normal forces: two rows."""
    w1, w2 = (circles[0, i], circles[1, i]) if along else (-circles[1, i], circles[0, i])
    f1, f2, f4, f5 = first[1, i], first[2, i], first[4, i], first[5, i]
    for j in range(LINES):
        a1, a2 = c[1] + N[0, j] * f1 + N[1, j] * second[1, j], c[2] + N[0, j] * f2 + N[1, j] * second[2, j]
        values[0, i, j] = w1 * a1 + w2 * a2
    for j in range(LINES):
        a1, a2 = c[4] + N[0, j] * f4 + N[1, j] * second[4, j], c[5] + N[0, j] * f5 + N[1, j] * second[5, j]
        values[1, i, j] = circles[2, j] * a1 + circles[3, j] * a2 if along else circles[2, j] * a2 - circles[3, j] * a1


@compiled
def grows_on_line(values, i):
    """Whether a quantity is positive somewhere on a line of the grid."""
    for j in range(LINES):
        if values[i, j] > 0.0:
            return True
    return False


@compiled
def changes_sign(values, i, j):
    """Whether a quantity changes its sign among the corners of a cell."""
    a, b, d, e = values[i, j] > 0.0, values[i, j + 1] > 0.0, values[i + 1, j] > 0.0, values[i + 1, j + 1] > 0.0
    return a != b or a != d or a != e


@compiled
def zero_of_planes(values, i, j):
    """Where both quantities vanish if they are planes through the corners of a cell, in its widths from its middle, and not further away than its neighbours are."""
    a, b, d, e = values[0, i, j], values[0, i, j + 1], values[0, i + 1, j], values[0, i + 1, j + 1]
    f, fp, fq = 0.25 * (a + b + d + e), 0.5 * (d + e - a - b), 0.5 * (b + e - a - d)
    a, b, d, e = values[1, i, j], values[1, i, j + 1], values[1, i + 1, j], values[1, i + 1, j + 1]
    g, gp, gq = 0.25 * (a + b + d + e), 0.5 * (d + e - a - b), 0.5 * (b + e - a - d)
    det = fp * gq - fq * gp
    if det == 0.0:
        return 0.0, 0.0
    p, q = (fq * g - gq * f) / det, (gp * f - fp * g) / det
    return min(1.0, max(-1.0, p)), min(1.0, max(-1.0, q))


@compiled
def may_grow(values, i, j):
    """Whether a quantity is positive at a corner of a cell."""
    return values[i, j] > 0.0 or values[i, j + 1] > 0.0 or values[i + 1, j] > 0.0 or values[i + 1, j + 1] > 0.0


@compiled
def turned_circles(by0, by1, circles):
    """The lines of the grid, turned by two angles."""
    for k in range(2):
        a, b = (math.cos(by0), math.sin(by0)) if k == 0 else (math.cos(by1), math.sin(by1))
        for i in range(LINES):
            p, q = CIRCLES[2 * k, i], CIRCLES[2 * k + 1, i]
            circles[2 * k, i], circles[2 * k + 1, i] = a * p - b * q, b * p + a * q


@compiled
def ways_on_grid(pressing, careful, c, A, mu, load, by0, by1, scale, ways, count):
    """Add the pairs of directions that Newton's method finds from the cells of a grid, turned by two angles; how many there are then."""
    x, N = local_array(ROWS, c.dtype), local_array((2, LINES), c.dtype)
    w, rates = local_array(4, c.dtype), local_array(4, c.dtype)
    first, second = local_array((ROWS, LINES), c.dtype), local_array((ROWS, LINES), c.dtype)
    along, across_ = local_array((2, LINES, LINES), c.dtype), local_array((2, LINES, LINES), c.dtype)
    circles = local_array((4, LINES), c.dtype)
    step = 2.0 * math.pi / GRID
    turned_circles(by0, by1, circles)
    per_normal_force(pressing, A, mu, 0, circles, first)
    per_normal_force(pressing, A, mu, 1, circles, second)
    before0 = before1 = False  # whether slip grows on the line before, at each contact
    known = -1  # the last line at which the accelerations across are known
    for i in range(LINES):
        normal_forces(pressing, c, load, i, first, second, N)
        on_line(c, i, N, first, second, True, circles, along)
        here0, here1 = grows_on_line(along[0], i), grows_on_line(along[1], i)
        if i > 0 and (before0 or here0) and (before1 or here1):
            for line in range(max(known + 1, i - 1), i + 1):
                normal_forces(pressing, c, load, line, first, second, N)
                on_line(c, line, N, first, second, False, circles, across_)
            known = i
            for j in range(GRID):
                both = may_grow(along[0], i - 1, j) and may_grow(along[1], i - 1, j)
                if both and changes_sign(across_[0], i - 1, j) and changes_sign(across_[1], i - 1, j):
                    p, q = zero_of_planes(across_, i - 1, j)
                    for share in range(1, -1 if careful else 0, -1):  # from there, and from the middle of the cell
                        aim_at(w, by0 + (i - 0.5 - SHIFTS[0] + share * p) * step, by1 + (j + 0.5 - SHIFTS[1] + share * q) * step)
                        if not careful and is_known(ways, count, w, NEIGHBOUR):
                            continue
                        if refined(pressing, careful, c, A, mu, load, x, w, rates, scale):
                            count = keep(ways, count, rates, w, x)
        before0, before1 = here0, here1
    return count


@compiled
def ways_of_both(pressing, careful, c, A, mu, load, guess, scale, ways):
    """The pairs of directions that repel (others may be among them): ways[i] = w_0 (2), w_1 (2), rho_0, rho_1, N_0, N_1; how many. `guess`: two angles to
    begin with; `scale`: the size of accelerations; careful: with nine grids instead of one."""
    x, w, rates = local_array(ROWS, c.dtype), local_array(4, c.dtype), local_array(4, c.dtype)
    count = 0
    aim_at(w, guess[0], guess[1])
    if refined(pressing, careful, c, A, mu, load, x, w, rates, scale):
        count = keep(ways, count, rates, w, x)
    third = 2.0 * math.pi / (GRID * THIRDS)
    for i in range(THIRDS if careful else 1):
        for j in range(THIRDS if careful else 1):
            count = ways_on_grid(pressing, careful, c, A, mu, load, i * third, j * third, scale, ways, count)
    return count


@compiled
def signs_of_both(pressing, c, A, mu, load, ways):
    """The same where slip has one component: four pairs of signs."""
    x = local_array(ROWS, c.dtype)
    w, rates, columns = local_array(4, c.dtype), local_array(4, c.dtype), local_array((2, ROWS), c.dtype)
    for i in range(4):
        rates[i] = 0.0
    count = 0
    for first in (1.0, -1.0):
        for second in (1.0, -1.0):
            w[0], w[1], w[2], w[3] = first, 0.0, second, 0.0
            accelerations(pressing, c, A, mu, load, w, columns, x, rates)
            ways[count, 0], ways[count, 1], ways[count, 2], ways[count, 3] = first, 0.0, second, 0.0
            ways[count, 4], ways[count, 5] = rates[0] * first, rates[2] * second
            ways[count, 6], ways[count, 7] = x[0], x[3]
            count += 1
    return count
