"""All zeros of a function inside one step, crossings and touches, found on the dense output: the careful search.

Most steps are settled by the quick one (`simple`); this one is compiled when the first step needs it.

The event function g is sampled at the nine Chebyshev points of an interval; the Bernstein coefficients of the polynomial of degree 8
through them enclose it (convex hull), its last Chebyshev coefficients tell how well it stands for g. An interval is settled when

* its coefficients keep one sign by more than the polynomial's uncertainty: no zero;
* they are monotone: at most one zero, bracketed by the ends, or a touch at the right end;
* they are convex or concave: one extremum, hence two zeros, a touch, or none;

and halved otherwise, with fresh samples. So a function that crosses twice within a step, or only touches zero, is found, and what
is far from zero costs nine evaluations. Zeros are polished on g itself to the last digit of the step fraction x.

A *touch* is an extremum whose |g| is at most what g changes when each state moves by ten times its tolerance: the motion touches as
far as the integrator can know. A stretch where g vanishes identically (a sticking phase) is no event, only its beginning is. Intervals
are half open: a zero at the start of a step belongs to the step before.

At a zero of higher order g is flat, and may be nothing but rounding; so zeros between which g never leaves the neighbourhood of zero
that a touch is allowed are one: a crossing if the signs before and after differ, else a touch.
"""

from __future__ import annotations

from ...kernel.compiled import compiled
from .kinds import FALLING, RISING, TOUCH, joined, may_be_one
from .probe import (
    ALL,
    BAD,
    COUNT,
    CROWDED,
    DEPTH,
    ENDED,
    EPS,
    FULL,
    KNOWN,
    LEFT,
    NOISY,
    REACHED,
    RIGHT,
    SAMPLES,
    nearness,
    noise_in,
    resolution,
    stays_near,
    value_at,
)
from .shape import DEGREE, NOISE, POINTS, RESOLVED, shape_of
from .simple import alike, halved, polish, take_samples

BUDGET = 50_000  # intervals looked at per step and function
LOST = 3000.0  # what is smaller than so many times its noise is nothing but noise
NOISY_BELOW = 1e-3  # below this fraction of its largest value in the step, g may be rounding noise
ABOUT = 1.01  # times its doubt: where g is about as large as that, and its rounding decides which of them is larger, it is as small as that
LITTLE = 1e-6  # how far beyond an interval to look, in lengths of it, to see where g goes


@compiled
def extremum(p, a, b, sign):
    """The least (sign = 1) or largest (-1) value of g in [a, b] by golden section, or any value beyond zero.

    Returns its place, the value, and how much g varies over the last bracket.
    """
    ratio = 0.6180339887498949
    x = b - ratio * (b - a)
    gx = sign * value_at(p, x)
    vary = 0.0
    for _ in range(80):
        if b - a <= 1e-9 * (abs(a) + abs(b)) or gx < 0.0:
            break
        other = a + ratio * (b - a) if x - a < b - x else b - ratio * (b - a)
        g_other = sign * value_at(p, other)
        vary = abs(g_other - gx)
        if (g_other < gx) == (other < x):
            b = max(x, other)
        else:
            a = min(x, other)
        if g_other < gx:
            x, gx = other, g_other
    return x, sign * gx, 4.0 * vary


@compiled
def record(p, x, kind):
    """Append a zero, or join it with the last one; without room for it, note[FULL] is set."""
    count = int(p.note[COUNT])
    if count > 0:
        before, kind_before = p.zeros[0, count - 1], p.zeros[1, count - 1]
        if may_be_one(p.note[NOISY], kind, kind_before) and stays_near(p, before, x, max(nearness(p, x), nearness(p, before))):
            closer = abs(value_at(p, x)) < abs(value_at(p, before))
            if abs(kind) > abs(kind_before) or (abs(kind) == abs(kind_before) and closer):
                p.zeros[0, count - 1] = x
            p.zeros[1, count - 1] = joined(kind_before, kind)
            return
    if count < p.zeros.shape[1]:
        p.zeros[0, count] = x
        p.zeros[1, count] = kind
        p.note[COUNT] = count + 1
    else:
        p.note[FULL] = 1.0


@compiled
def turns_back(p, b, gb, side, size, reach):
    """Whether g, which comes from `side` and is gb at b, goes back to that side beyond b.

    It looks as far ahead as it takes to tell (the dense output goes on smoothly beyond the step).
    """
    after = gb
    for _ in range(8):
        after = value_at(p, b + reach)
        if abs(after - gb) > NOISE * size:
            break
        reach *= 4.0  # little by little: there may be another zero beyond
    return alike(after, side) and abs(after) >= abs(gb)


@compiled
def crossing(p, a, ga, b, gb):
    """Record the crossing in (a, b], if the signs at its ends say that there is one; a zero at b itself counts, one at a does not."""
    if ga != 0.0 and not alike(ga, gb):
        kind = RISING if ga < 0.0 else FALLING
        if gb == 0.0:
            x = b
            kind *= TOUCH if turns_back(p, b, gb, ga, abs(ga), LITTLE * (b - a)) else 1.0
        else:
            x = polish(p, a, ga, b, gb)
        record(p, x, kind)


@compiled
def doubtful_sign(p, x, g, scale):
    """The rounding noise of g at x if it may have changed the sign of g there, else 0."""
    if abs(g) > RESOLVED * scale:
        return 0.0
    rounding = 4.0 * noise_in(p, max(0.0, x - LITTLE), min(1.0, x + LITTLE))
    if abs(g) > rounding:
        return 0.0
    p.note[NOISY] = max(p.note[NOISY], rounding)
    return rounding


@compiled
def conclude(p, left, g_left, right, g_right, bend, size, scale, noise):
    """Record the zeros in (left, right], where g has at most one extremum: two crossings, one, a touch, or none.

    `bend`: +1 if it is a minimum, -1 a maximum; 0 if g is monotone, and may at most turn back at the right end. `size` and `scale`
    are the largest |g| in the interval and in the step; what is smaller than `noise` has no sign. If all of the step is as good as
    zero, a touch is none.
    """
    reach = max(LITTLE * (right - left), 1e-14)
    x, gx, vary = right, g_right, 0.0
    if bend != 0.0:
        x, gx, vary = extremum(p, left, right, bend)
    noise = max(
        noise, doubtful_sign(p, left, g_left, scale), doubtful_sign(p, right, g_right, scale), doubtful_sign(p, x, gx, scale)
    )
    if alike(g_left, g_right) and (abs(gx) <= noise or alike(g_left, gx)):
        if bend == 0.0 and not (abs(gx) < min(abs(g_left), 1e-3 * scale) and turns_back(p, x, gx, g_left, size, reach)):
            return
        near = nearness(p, x) + vary
        if abs(gx) <= near and scale > near and x > p.note[KNOWN]:
            record(p, x, TOUCH if g_left < 0.0 else -TOUCH)
            p.note[KNOWN] = x + reach
        return
    if g_right == 0.0 and alike(g_left, gx):
        x, gx = left, g_left
    for _ in range(2):
        crossing(p, left, g_left, x, gx)
        left, g_left, x, gx = x, gx, right, g_right


@compiled
def zeros_in_step(p, tables):
    """All zeros of one component of an event function in a step, in order.

    They go to p.zeros; note[ENDED] becomes ALL, or why the search ended (CROWDED, BAD), note[REACHED] the fraction before which all are known.
    """
    v, lefts, rights = p.desk[SAMPLES], p.desk[LEFT], p.desk[RIGHT]
    p.note[COUNT], p.note[FULL], p.note[KNOWN], p.note[NOISY] = 0.0, 0.0, -1.0, 0.0
    p.note[ENDED], p.note[REACHED] = ALL, 1.0
    lefts[0], rights[0] = 1.0, 1.0  # the end of the step, for a stretch of noise that lasts until there
    lefts[1], rights[1] = 0.0, 1.0
    top = 2
    looked, scale = 0, 0.0
    rough, g_rough = -1.0, 0.0  # where a stretch began in which g is as small as its noise or its doubt: only its ends count
    while top > 0 and p.note[FULL] == 0.0:
        top -= 1
        left, right = lefts[top], rights[top]
        if left == 1.0 and rough < 0.0:
            break
        looked += 1
        if looked > BUDGET:
            p.note[ENDED], p.note[REACHED] = CROWDED, left
            return
        last = right - left < 2.0**-DEPTH
        finite = take_samples(p, tables, left, right)
        if last and not finite:
            p.note[ENDED], p.note[REACHED] = BAD, left
            return
        low, high, size, resolved, unsure, monotone, bend, near = shape_of(p.desk, tables, 0.0)
        margin = max(low, -high) - unsure  # by which g keeps away from zero
        if finite:
            scale = max(scale, size)
            doubt = 0.0
            if 0.0 < margin <= 0.1 * scale or (not resolved and right - left < 0.1):
                x = left + tables[POINTS, max(1, min(DEGREE - 1, near))] * (right - left)
                doubt = resolution(p, x)[1] + 8.0 * EPS * scale
                margin -= doubt
            if not resolved and max(8.0 * EPS * scale, doubt) < size <= NOISY_BELOW * scale:
                rounding = noise_in(p, left, right)
                if rounding > 0.01 * RESOLVED * size:  # that is why it is not resolved
                    p.note[NOISY] = max(p.note[NOISY], LOST * rounding)
                    low, high, size, resolved, unsure, monotone, bend, near = shape_of(p.desk, tables, rounding)
                    margin = max(low, -high) - unsure - doubt
                    doubt = max(doubt, LOST * rounding)
                    resolved = resolved and abs(v[0]) > doubt and abs(v[DEGREE]) > doubt
            if not resolved and size <= max(8.0 * EPS * scale, ABOUT * doubt):
                if rough < 0.0:
                    rough, g_rough = left, v[0]
                continue
        away = finite and (margin > 0.0 or size == 0.0)
        lost = rough >= 0.0 and 0.0 < abs(v[0]) <= p.note[NOISY]  # the stretch of noise has not ended yet
        if not last and (lost or not (away or (resolved and (monotone or bend != 0.0)))):
            top = halved(p, top, left, right)
            continue
        g_left, g_right, noise = v[0], v[DEGREE], 0.0
        if rough >= 0.0:  # a stretch has ended: conclude it, and look at the present interval again
            lefts[top], rights[top] = left, right
            top += 1
            left, g_left, right, g_right = rough, g_rough, left, g_left
            rough, noise = -1.0, max(NOISE * scale, p.note[NOISY])
        elif away or (not resolved and near == 0 and alike(g_left, g_right)):
            continue
        if noise > 0.0 or not resolved:  # at most one zero: in noise, at a corner, at a jump
            straight = not alike(g_left, g_right) or (noise == 0.0 and near == DEGREE)
            bend = 0.0 if straight else 1.0 if g_left > 0.0 else -1.0
        elif monotone:
            bend = 0.0
        conclude(p, left, g_left, right, g_right, bend, size, scale, noise)
    if p.note[FULL] > 0.0:
        p.note[ENDED], p.note[REACHED] = CROWDED, p.zeros[0, p.zeros.shape[1] - 1]
