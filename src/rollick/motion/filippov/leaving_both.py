"""The directions in which slip can begin at both contacts at once, from rolling at both (section 3.4.2; codimension three).

Wanted are unit vectors w_0, w_1 with slip accelerations rho_k w_k, rho_k > 0, under friction -mu_k N_k w_k. Two equations, that each acceleration is
along its direction, in two angles: cells of a grid on the torus in which both change sign, and slip may grow, start Newton's method, and so does the
pair of directions of friction at the static margin, which the first slip has where rolling just ends. Pairs that attract are not looked for.
"""

from __future__ import annotations

import math

import numpy as np

from ...kernel.compiled import compiled
from ...kernel.local_array import local_array
from .forces import ROWS

GRID = 16
LINES = GRID + 1
CORNERS = LINES**2
CIRCLES = np.array(  # cosine and sine of the first angle, and of the second, of each line of the grid
    [[f(2.0 * np.pi * (i - shift) / GRID) for shift in (0.37, 0.41) for f in (np.cos, np.sin)] for i in range(GRID + 1)]
)
STEP = 1e-6  # of the differences that Newton's matrix is made of
CLOSE = 1e-6  # two solutions so close are one
MOST = 8


@compiled
def normal_forces(size, c, A, mu, w, x):
    """The normal forces of two contacts that slip along w: two equations."""
    a, b = A[0, 0], A[0, 3]
    d, e = A[3, 0], A[3, 3]
    for i in range(size):
        a -= mu[0] * A[0, 1 + i] * w[i]
        d -= mu[0] * A[3, 1 + i] * w[i]
        b -= mu[1] * A[0, 4 + i] * w[2 + i]
        e -= mu[1] * A[3, 4 + i] * w[2 + i]
    det = a * e - b * d
    x[0] = (-c[0] * e + c[3] * b) / det
    x[3] = (-c[3] * a + c[0] * d) / det


@compiled
def slip_accelerations(size, pressing, c, A, mu, load, x, w, rates):
    """The accelerations of both slips under friction along w; x: the forces."""
    if pressing:
        normal_forces(size, c, A, mu, w, x)
    else:
        x[0], x[3] = load[0], load[1]
    for k in range(2):
        for i in range(size):
            x[3 * k + 1 + i] = -mu[k] * x[3 * k] * w[2 * k + i]
    for k in range(2):
        for i in range(size):
            row = 3 * k + 1 + i
            total = c[row]
            for other in range(2):
                for j in range(0 if pressing else 1, 1 + size):
                    total += A[row, 3 * other + j] * x[3 * other + j]
            rates[2 * k + i] = total


@compiled
def across(rates, w, k):
    """w_k x (slip acceleration of contact k)."""
    return w[2 * k] * rates[2 * k + 1] - w[2 * k + 1] * rates[2 * k]


@compiled
def residuals(pressing, c, A, mu, load, angles, x, w, rates, out):
    """What must vanish."""
    for k in range(2):
        w[2 * k], w[2 * k + 1] = math.cos(angles[k]), math.sin(angles[k])
    slip_accelerations(2, pressing, c, A, mu, load, x, w, rates)
    out[0] = across(rates, w, 0)
    out[1] = across(rates, w, 1)


@compiled
def refined(pressing, c, A, mu, load, angles, x, w, rates, scale):
    """Newton's method from a pair of angles; whether it converged."""
    r, a, b = local_array(2, c.dtype), local_array(2, c.dtype), local_array(2, c.dtype)
    before = math.inf
    for _ in range(30):
        residuals(pressing, c, A, mu, load, angles, x, w, rates, r)
        size = abs(r[0]) + abs(r[1])
        if not size < math.inf:
            return False
        if size <= 1e-14 * scale or (size <= 1e-11 * scale and size >= 0.5 * before):
            return True
        before = size
        angles[0] += STEP
        residuals(pressing, c, A, mu, load, angles, x, w, rates, a)
        angles[0] -= 2.0 * STEP
        residuals(pressing, c, A, mu, load, angles, x, w, rates, b)
        angles[0] += STEP
        j00, j10 = (a[0] - b[0]) / (2.0 * STEP), (a[1] - b[1]) / (2.0 * STEP)
        angles[1] += STEP
        residuals(pressing, c, A, mu, load, angles, x, w, rates, a)
        angles[1] -= 2.0 * STEP
        residuals(pressing, c, A, mu, load, angles, x, w, rates, b)
        angles[1] += STEP
        j01, j11 = (a[0] - b[0]) / (2.0 * STEP), (a[1] - b[1]) / (2.0 * STEP)
        det = j00 * j11 - j01 * j10
        if det == 0.0:
            return False
        d0, d1 = (r[0] * j11 - r[1] * j01) / det, (j00 * r[1] - j10 * r[0]) / det
        long = max(abs(d0), abs(d1))
        shorter = min(1.0, 0.5 / long) if long > 0.0 else 1.0
        angles[0] -= shorter * d0
        angles[1] -= shorter * d1
    return False


@compiled
def keep(pressing, ways, count, angles, rates, w, x):
    """Add a solution that is not yet known; how many there are then."""
    for i in range(count):
        if (
            math.cos(angles[0]) * ways[i, 0] + math.sin(angles[0]) * ways[i, 1] > 1.0 - 0.5 * CLOSE * CLOSE
            and math.cos(angles[1]) * ways[i, 2] + math.sin(angles[1]) * ways[i, 3] > 1.0 - 0.5 * CLOSE * CLOSE
        ):
            return count
    if count == MOST:
        return count
    for k in range(2):
        ways[count, 2 * k], ways[count, 2 * k + 1] = w[2 * k], w[2 * k + 1]
        ways[count, 4 + k] = rates[2 * k] * w[2 * k] + rates[2 * k + 1] * w[2 * k + 1]
        ways[count, 6 + k] = x[3 * k]
    return count + 1


@compiled
def per_normal_force(pressing, A, mu, k, shift, out):
    """out[i, row]: the acceleration of a row per normal force of contact k, with its friction, for the directions of the grid."""
    for i in range(GRID + 1):
        for row in range(ROWS):
            friction = A[row, 3 * k + 1] * CIRCLES[i, shift] + A[row, 3 * k + 2] * CIRCLES[i, shift + 1]
            out[i, row] = (A[row, 3 * k] if pressing else 0.0) - mu[k] * friction


@compiled
def on_grid(pressing, c, A, mu, load, values):
    """The accelerations across (two) and along (two) the directions at all points of the grid; the largest finite one across."""
    first, second = local_array((LINES, ROWS), c.dtype), local_array((LINES, ROWS), c.dtype)
    per_normal_force(pressing, A, mu, 0, 0, first)
    per_normal_force(pressing, A, mu, 1, 2, second)
    scale = 0.0
    for i in range(GRID + 1):
        for j in range(GRID + 1):
            N0, N1 = load[0], load[1]
            if pressing:
                det = first[i, 0] * second[j, 3] - second[j, 0] * first[i, 3]
                N0 = (c[3] * second[j, 0] - c[0] * second[j, 3]) / det
                N1 = (c[0] * first[i, 3] - c[3] * first[i, 0]) / det
            place = i * (GRID + 1) + j
            for q in range(2):
                a1 = c[3 * q + 1] + N0 * first[i, 3 * q + 1] + N1 * second[j, 3 * q + 1]
                a2 = c[3 * q + 2] + N0 * first[i, 3 * q + 2] + N1 * second[j, 3 * q + 2]
                w1 = CIRCLES[i, 0] if q == 0 else CIRCLES[j, 2]
                w2 = CIRCLES[i, 1] if q == 0 else CIRCLES[j, 3]
                turns = w1 * a2 - w2 * a1
                values[q, place] = turns
                values[2 + q, place] = w1 * a1 + w2 * a2
                scale = max(scale, abs(turns)) if abs(turns) < math.inf else scale
    return scale


@compiled
def ways_of_both(pressing, c, A, mu, load, guess, guessed, ways):
    """The pairs of directions that repel (others may be among them): ways[i] = w_0 (2), w_1 (2), rho_0, rho_1, N_0, N_1; how many. `guess`: two angles to begin with, if guessed."""
    x = local_array(ROWS, c.dtype)
    w, rates = local_array(4, c.dtype), local_array(4, c.dtype)
    angles = local_array(2, c.dtype)
    values = local_array((4, CORNERS), c.dtype)
    step = 2.0 * math.pi / GRID
    scale = on_grid(pressing, c, A, mu, load, values)
    count = 0
    if guessed:
        angles[0], angles[1] = guess[0], guess[1]
        if refined(pressing, c, A, mu, load, angles, x, w, rates, scale):
            count = keep(pressing, ways, count, angles, rates, w, x)
    for i in range(GRID):
        for j in range(GRID):
            place = i * (GRID + 1) + j
            both = True
            for q in range(2):
                a, b = values[q, place], values[q, place + 1]
                d, e = values[q, place + GRID + 1], values[q, place + GRID + 2]
                both = both and not ((a > 0.0) == (b > 0.0) and (b > 0.0) == (d > 0.0) and (d > 0.0) == (e > 0.0))
                if both:
                    a, b = values[2 + q, place], values[2 + q, place + 1]
                    d, e = values[2 + q, place + GRID + 1], values[2 + q, place + GRID + 2]
                    both = max(max(a, b), max(d, e)) > 0.0
            if both:
                angles[0], angles[1] = (i + 0.13) * step, (j + 0.09) * step
                if refined(pressing, c, A, mu, load, angles, x, w, rates, scale):
                    count = keep(pressing, ways, count, angles, rates, w, x)
    return count


@compiled
def signs_of_both(pressing, c, A, mu, load, ways):
    """The same where slip has one component: four pairs of signs."""
    x = local_array(ROWS, c.dtype)
    w, rates = local_array(4, c.dtype), local_array(4, c.dtype)
    for i in range(4):
        rates[i] = 0.0
    count = 0
    for first in (1.0, -1.0):
        for second in (1.0, -1.0):
            w[0], w[1], w[2], w[3] = first, 0.0, second, 0.0
            slip_accelerations(1, pressing, c, A, mu, load, x, w, rates)
            ways[count, 0], ways[count, 1], ways[count, 2], ways[count, 3] = first, 0.0, second, 0.0
            ways[count, 4], ways[count, 5] = rates[0] * first, rates[2] * second
            ways[count, 6], ways[count, 7] = x[0], x[3]
            count += 1
    return count
