"""The ordinary steps: no zero, or crossings between which g is plainly monotone. Everything else is left to the careful search (`roots`).

Most events never need more, and it compiles in half the time. Where it gives an answer, that is the careful search's answer: the same
samples, the same hulls, the same root finder (on narrower brackets around extrema).
"""

from __future__ import annotations

import math

from ...kernel.bracket import zero_between
from ...kernel.compiled import compiled
from .kinds import FALLING, RISING
from .probe import ALL, COUNT, ENDED, EPS, FULL, LEFT, NOISY, REACHED, RIGHT, SAMPLES, resolution, value_at
from .shape import DEGREE, POINTS, shape_of

SHORT = 0.1  # below this fraction of a step, what is not resolved may be noise
PLAIN = 1e-3  # above this fraction of its largest value in the step, g is plainly no noise, and has a sign


@compiled
def alike(a, b):
    """Whether two numbers are both positive or both negative (their product may underflow)."""
    return (a > 0.0 and b > 0.0) or (a < 0.0 and b < 0.0)


@compiled
def polish(p, a, ga, b, gb):
    """The zero between a and b, where g has opposite signs, to the last digit."""
    a, ga, b, gb = zero_between(p, a, ga, b, gb, 0.0)
    # Report the end at which the crossing has taken place or is closest.
    return b if abs(gb) <= abs(ga) else a


@compiled
def take_samples(p, tables, left, right):
    """Fill the row SAMPLES with the values of g at the points of an interval; whether all of them are finite."""
    v = p.desk[SAMPLES]
    finite = True
    for j in range(DEGREE + 1):
        v[j] = value_at(p, right if j == DEGREE else left + tables[POINTS, j] * (right - left))
        finite = finite and math.isfinite(v[j])
    return finite


@compiled
def halved(p, top, left, right):
    """Put both halves of an interval onto the pile of those to look at, the left one on top; how many lie there."""
    middle = 0.5 * (left + right)
    p.desk[LEFT, top], p.desk[RIGHT, top] = middle, right
    p.desk[LEFT, top + 1], p.desk[RIGHT, top + 1] = left, middle
    return top + 2


@compiled
def simple_zeros(p, tables):
    """The zeros of one component in a step, in order, as `roots.zeros_in_step` leaves them; False if that must be asked."""
    v, lefts, rights = p.desk[SAMPLES], p.desk[LEFT], p.desk[RIGHT]
    p.note[COUNT], p.note[FULL], p.note[NOISY], p.note[ENDED], p.note[REACHED] = 0.0, 0.0, 0.0, ALL, 1.0
    lefts[0], rights[0] = 0.0, 1.0
    top, scale = 1, 0.0
    while top > 0:
        top -= 1
        left, right = lefts[top], rights[top]
        if not take_samples(p, tables, left, right):
            return False
        low, high, size, resolved, unsure, monotone, _, near = shape_of(p.desk, tables, 0.0)
        margin = max(low, -high) - unsure  # by which g keeps away from zero
        scale = max(scale, size)
        if not resolved and 0.0 < size <= PLAIN * scale:
            return False
        if 0.0 < margin <= 0.1 * scale:
            margin -= resolution(p, left + tables[POINTS, max(1, min(DEGREE - 1, near))] * (right - left))[1] + 8.0 * EPS * scale
            if margin <= 0.0:
                return False
        if size == 0.0 or margin > 0.0:
            continue
        g_left, g_right = v[0], v[DEGREE]
        if not (resolved and monotone):
            if right - left < 2.0 * SHORT:
                return False
            top = halved(p, top, left, right)
            continue
        if min(abs(g_left), abs(g_right)) <= PLAIN * scale:
            return False
        if not alike(g_left, g_right):
            p.zeros[0, int(p.note[COUNT])] = polish(p, left, g_left, right, g_right)
            p.zeros[1, int(p.note[COUNT])] = RISING if g_left < 0.0 else FALLING
            p.note[COUNT] += 1.0
    return True
