"""Where a mode ends: the first zero inside a step of what is watched (`watched`), on its dense output."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kernel.apart import apart
from ...kernel.bracket import value_of, zero_between
from ...kernel.compiled import compiled
from ..ode.dense import interpolate
from .memory import GIVEN
from .records import WATCHED
from .watched import watched_at

BELOW = 1e-7  # relative: a force that far outside what the mode allows at its very start ends it
PLACES = 5  # where in a step it is asked whether the mode has ended, its start among them
NEAR_ZERO = 0.3  # of its values around: a dip that goes so deep is looked at closely
SHARPLY, BEYOND = 1e-13, 1.01  # of a step: how well the end of a mode is found; times a step of Newton's method


class OnStep(NamedTuple):
    """One of the watched quantities along the dense output of a step: a function of the fraction of the step."""

    form: Any
    modes: tuple
    t: float
    h: float
    y: np.ndarray
    m: Any
    which: int


@value_of.register(OnStep)
def _(on, x):
    interpolate(x, on.y, on.m.dense, on.m.y)
    watched_at(on.form, on.modes, on.m.record[GIVEN : GIVEN + 6], on.t + x * on.h, on.m.y, on.m, on.m.values[PLACES])
    return on.m.values[PLACES, on.which]


@compiled
def guessed_zero(m, i, q):
    """Where between the places q - 1 and q of a step a quantity vanishes, by the polynomial through its values at all five, and its derivative there; by places."""
    a, b, c, d, e = m.values[0, i], m.values[1, i], m.values[2, i], m.values[3, i], m.values[4, i]
    d1, d2, d3, d4 = b - a, 0.5 * (c - 2.0 * b + a), (d - 3.0 * (c - b) - a) / 6.0, (e - 4.0 * (d + b) + 6.0 * c + a) / 24.0
    low, high = q - 1.0, 1.0 * q
    s, slope = low + m.values[q - 1, i] / (m.values[q - 1, i] - m.values[q, i]), 0.0
    for _ in range(8):
        p1, p2, p3 = s - 1.0, s - 2.0, s - 3.0
        value = a + s * (d1 + p1 * (d2 + p2 * (d3 + p3 * d4)))
        slope = d1 + d2 * (s + p1) + d3 * (s * p1 + s * p2 + p1 * p2) + d4 * (p1 * p2 * p3 + s * (p2 * p3 + p1 * p3 + p1 * p2))
        by = value / slope if slope != 0.0 else 0.0
        if value > 0.0:
            low = s
        else:
            high = s
        s = s - by if low < s - by < high else 0.5 * (low + high)
        if abs(by) < 1e-7:
            break
    return s, slope


@compiled
def zero_in_step(on, i, q, m, left, before, right, here):
    """Where between two places of a step a watched quantity vanishes: close to where the polynomial through its values does."""
    s, slope = guessed_zero(m, i, q)
    x, per_place = s / (PLACES - 1), 1.0 / (PLACES - 1)
    for _ in range(2):  # there, and a little beyond where it vanishes from there: that should be on its other side
        if not (left < x < right and slope < 0.0):
            break
        value = value_of(on, x)
        if value > 0.0:
            left, before = x, value
        else:
            right, here = x, value
        x -= BEYOND * per_place * value / slope
    return zero_between(on, left, before, right, here, SHARPLY)[2]


@compiled
def dip(form, modes, t, y, h, m, i, left):
    """A place at which a quantity that is positive at three places from `left` on is negative between them, if it dips so deep; else -1."""
    third = 1.0 / (PLACES - 1)
    q = round(left / third)
    a, b, c = m.values[q, i], m.values[q + 1, i], m.values[q + 2, i]
    bend = a - 2.0 * b + c
    if not bend > 0.0 or min(a, min(b, c)) >= 1e2:
        return -1.0
    at = 0.5 * (a - c) / bend  # of the parabola through them, in thirds from the middle
    if not abs(at) < 1.0 or not b - 0.25 * (a - c) * at < NEAR_ZERO * min(a, min(b, c)):
        return -1.0
    on = OnStep(form, modes, t, h, y, m, i)
    low, middle, high = left, left + third, left + 2.0 * third
    fa, fb, fc = a, b, c
    for _ in range(30):
        d, e = middle - low, middle - high
        down = d * (fb - fc) - e * (fb - fa)
        x = middle - 0.5 * (d * d * (fb - fc) - e * e * (fb - fa)) / down if down != 0.0 else middle
        if not low < x < high or abs(x - middle) < 1e-3 * (high - low):
            x = 0.5 * (middle + (low if -e < d else high))
        here = value_of(on, x)
        if here < 0.0:
            return x
        if here <= fb:
            if x < middle:
                high, fc = middle, fb
            else:
                low, fa = middle, fb
            middle, fb = x, here
        elif x < middle:
            low, fa = x, here
        else:
            high, fc = x, here
        if high - low < 1e-7:
            break
    return -1.0


@compiled
def first_end(form, modes, t, y, h, m):
    """Where in a step (values[0]: at its start, m.dense: its dense output) the mode ends first, as a fraction, and by what; -1: it does not."""
    apart()
    given = m.record[GIVEN : GIVEN + 6]
    for q in range(1, PLACES):
        x = q / (PLACES - 1)
        interpolate(x, y, m.dense, m.y)
        watched_at(form, modes, given, t + x * h, m.y, m, m.values[q])
    for q in range(1, PLACES):
        best, which = 2.0, -1
        left, right = (q - 1) / (PLACES - 1), q / (PLACES - 1)
        for i in range(WATCHED):
            here, before, x = m.values[q, i], m.values[q - 1, i], right
            if here == 1.0 and before == 1.0:  # not watched in these modes
                continue
            if not here < 0.0:
                if i < 2 or not before > 0.0:
                    continue
                first = min(max(q - 2, 0), PLACES - 3)  # of three places around
                if q < PLACES - 1:
                    first = q - 1
                if not (m.values[first, i] > 0.0 and m.values[first + 1, i] > 0.0 and m.values[first + 2, i] > 0.0):
                    continue
                x = dip(form, modes, t, y, h, m, i, first / (PLACES - 1))
                if x < 0.0:
                    continue
                here, before, left = m.values[PLACES, i], m.values[first, i], first / (PLACES - 1)
            elif not before > 0.0:
                if here < -BELOW and left < best and (i >= 2 or q > 1):
                    best, which = left, i
                elif i < 2 and q == 1:  # slip of one component that has just begun, and is back already
                    best, which = 0.0, i
                continue
            if best <= left:
                continue
            on = OnStep(form, modes, t, h, y, m, i)
            if x == right:
                found = zero_in_step(on, i, q, m, left, before, right, here)
            else:
                found = zero_between(on, left, before, x, here, SHARPLY)[2]
            if found < best:
                best, which = found, i
            left = (q - 1) / (PLACES - 1)
        if which >= 0:
            return best, which
    return -1.0, -1
