"""All zeros of a function inside one step, crossings and touches, found on the dense output.

The event function g is sampled at nine equidistant points of an interval; the Bernstein coefficients of the polynomial of degree 8
through them enclose it (convex hull). An interval is settled when

* its coefficients keep one sign by more than the polynomial's uncertainty: no zero;
* they are monotone: at most one zero, bracketed by the ends;
* they are convex or concave: one extremum, hence two zeros, a touch, or none;

and halved otherwise, with fresh samples. So a function that crosses twice within a step, or only touches zero, is found, and what
is far from zero costs nine evaluations. Zeros are polished on g itself to the last digit of the step fraction x.

A *touch* is an extremum whose |g| is at most what g changes when each state moves by ten times its tolerance: the motion touches as
far as the integrator can know. A stretch where g vanishes identically (a sticking phase) is no event. Intervals are half open: a zero
at the start of a step belongs to the step before.
"""

from __future__ import annotations

import math

import numpy as np

from ..kernel.compiled import compiled
from .dense import interpolate
from .switch import switch_values

DEGREE = 8
RISING, FALLING, TOUCH = 1.0, -1.0, 0.0
DEPTH = 40  # halvings of a step before a function is taken as not smooth
BUDGET = 2000  # intervals looked at per step and function
NOISE = 1e-13
EPS = 2.220446049250313e-16


def _bernstein() -> np.ndarray:
    """The matrix from nine equidistant samples to the Bernstein coefficients of their polynomial, and to two measures of its last terms.

    The last rows are the eighth and seventh differences, scaled to the size of the Chebyshev terms of those degrees.
    """
    x = np.arange(DEGREE + 1) / DEGREE
    basis = [[math.comb(DEGREE, k) * u**k * (1.0 - u) ** (DEGREE - k) for k in range(DEGREE + 1)] for u in x]
    eighth = [math.comb(8, j) * (-1.0) ** j for j in range(9)]
    seventh = [math.comb(7, j) * (-1.0) ** (j + 1) for j in range(8)] + [0.0]
    scale8 = 8.0**8 / math.factorial(8) / 2.0**15
    scale7 = 8.0**7 / math.factorial(7) / 2.0**13
    return np.vstack([np.linalg.inv(np.array(basis)), scale8 * np.array(eighth), scale7 * np.array(seventh)])


BERNSTEIN = _bernstein()


@compiled
def value_at(event, system, component, x, step, y, g):
    """g at the fraction x of a step; `step` = (t, h, y_old, coefficients, y_new, g at the start), y and g are work arrays."""
    t, h, old, f, new, g_start = step
    if x == 0.0:
        return g_start
    if x == 1.0:
        for i in range(y.size):
            y[i] = new[i]
    else:
        interpolate(x, old, f, y)
    switch_values(event, system, t + x * h, y, g)
    return g[component]


@compiled
def resolution(event, system, component, x, step, y, g, rtol, atol):
    """How far g moves when every state moves by ten times its tolerance, at the fraction x: what a touch may miss zero by."""
    here = value_at(event, system, component, x, step, y, g)
    if x == 0.0:
        for i in range(y.size):
            y[i] = step[2][i]
    t = step[0] + x * step[1]
    total = NOISE * abs(here)
    for i in range(atol.size):
        kept = y[i]
        y[i] = kept + 10.0 * (atol[i] + rtol * abs(kept))
        switch_values(event, system, t, y, g)
        if math.isfinite(g[component]):
            total += abs(g[component] - here)
        y[i] = kept
    return total


@compiled
def polish(event, system, component, a, ga, b, gb, step, y, g):
    """The zero between a and b, where g has opposite signs: bisection guarding the method of Illinois, to the last digit."""
    side = 0
    for _ in range(200):
        width = b - a
        if width <= 2.0 * EPS * max(abs(a), abs(b)) or width < 1e-300:
            break
        x = b - gb * (b - a) / (gb - ga)
        if not (a < x < b):
            x = 0.5 * (a + b)
            if not (a < x < b):
                break
        gx = value_at(event, system, component, x, step, y, g)
        if gx == 0.0:
            return x
        if (gx > 0.0) == (gb > 0.0):
            b, gb = x, gx
            if side == 1:
                ga *= 0.5
            side = 1
        else:
            a, ga = x, gx
            if side == -1:
                gb *= 0.5
            side = -1
        if b - a > 0.5 * width:  # slow: halve as well
            x = 0.5 * (a + b)
            gx = value_at(event, system, component, x, step, y, g)
            if gx == 0.0:
                return x
            if (gx > 0.0) == (gb > 0.0):
                b, gb = x, gx
            else:
                a, ga = x, gx
            side = 0
    # Report the end at which the crossing has taken place or is closest.
    return b if abs(gb) <= abs(ga) else a


@compiled
def extremum(event, system, component, a, b, up, step, y, g):
    """The smallest (up) or largest value of g in [a, b] by golden section: the place and the value."""
    ratio = 0.6180339887498949
    sign = 1.0 if up else -1.0
    c = b - ratio * (b - a)
    d = a + ratio * (b - a)
    gc = sign * value_at(event, system, component, c, step, y, g)
    gd = sign * value_at(event, system, component, d, step, y, g)
    for _ in range(80):
        if b - a <= 1e-9 * (abs(a) + abs(b)) or gc * gd == 0.0 or gc < 0.0 or gd < 0.0:
            break
        if gc < gd:
            b, d, gd = d, c, gc
            c = b - ratio * (b - a)
            gc = sign * value_at(event, system, component, c, step, y, g)
        else:
            a, c, gc = c, d, gd
            d = a + ratio * (b - a)
            gd = sign * value_at(event, system, component, d, step, y, g)
    if gc < gd:
        return c, sign * gc
    return d, sign * gd


@compiled
def record(xs, kinds, tally, x, kind):
    """Append a zero if there is room."""
    count = tally[0]
    if count < xs.size:
        xs[count] = x
        kinds[count] = kind
        tally[0] = count + 1


@compiled
def crossing(event, system, component, a, ga, b, gb, step, y, g, xs, kinds, tally):
    """Record the crossing in (a, b], if the signs at its ends say that there is one; a zero at b itself counts, one at a does not."""
    if ga == 0.0:
        return
    kind = RISING if ga < 0.0 else FALLING
    if gb == 0.0:
        ahead = min(1e-7, 1e-2 * (b - a))  # the polynomial goes on smoothly beyond the step: which way does g go?
        beyond = value_at(event, system, component, b + ahead, step, y, g)
        if beyond != 0.0 and (beyond > 0.0) == (ga > 0.0):
            kind = TOUCH
        record(xs, kinds, tally, b, kind)
    elif (ga > 0.0) != (gb > 0.0):
        record(xs, kinds, tally, polish(event, system, component, a, ga, b, gb, step, y, g), kind)


@compiled
def shape_of(v, b, matrix):
    """The Bernstein coefficients b of nine samples v, how unsure their polynomial is, and its shape.

    Returns the least and the largest coefficient, the largest |sample|, the uncertainty, whether the coefficients are monotone, and
    +1 if they are convex, -1 if concave, 0 if neither.
    """
    for k in range(b.size):
        total = 0.0
        for j in range(v.size):
            total += matrix[k, j] * v[j]
        b[k] = total
    size = 0.0
    for j in range(v.size):
        size = max(size, abs(v[j]))
    unsure = abs(b[v.size]) + 0.1 * abs(b[v.size + 1]) + NOISE * size
    low, high = b[0], b[0]
    rises, falls, convex, concave = True, True, True, True
    before = 0.0
    for k in range(1, v.size):
        low, high = min(low, b[k]), max(high, b[k])
        slope = b[k] - b[k - 1]
        rises = rises and slope >= 0.0
        falls = falls and slope <= 0.0
        if k > 1:
            convex = convex and slope >= before
            concave = concave and slope <= before
        before = slope
    bend = 0
    if convex != concave:
        bend = 1 if convex else -1
    return low, high, size, unsure, rises or falls, bend


@compiled
def settle(event, system, component, left, right, bend, size, step, y, g, rtol, atol, xs, kinds, tally, v):
    """The zeros where g is convex or concave: two crossings, one, a touch, or none."""
    x, gx = extremum(event, system, component, left, right, bend > 0, step, y, g)
    same_left = v[0] != 0.0 and gx != 0.0 and (gx > 0.0) == (v[0] > 0.0)
    same_right = v[8] == 0.0 or (gx > 0.0) == (v[8] > 0.0)
    if same_left and same_right:
        touch = resolution(event, system, component, x, step, y, g, rtol, atol) + NOISE * size
        if abs(gx) <= touch and size > touch:
            record(xs, kinds, tally, x, TOUCH)
        elif v[8] == 0.0:
            crossing(event, system, component, left, v[0], right, v[8], step, y, g, xs, kinds, tally)
    elif gx == 0.0 and v[0] * v[8] > 0.0:
        record(xs, kinds, tally, x, TOUCH)
    else:
        crossing(event, system, component, left, v[0], x, gx, step, y, g, xs, kinds, tally)
        crossing(event, system, component, x, gx, right, v[8], step, y, g, xs, kinds, tally)


@compiled
def zeros_in_step(event, system, component, step, y, g, rtol, atol, xs, kinds, tally, stack, v, b, matrix):
    """All zeros of one component of an event function in a step, in order: their fractions xs, kinds and number tally[0].

    False if g is not finite somewhere.
    """
    tally[0] = 0
    stack[0, 0], stack[0, 1] = 0.0, 1.0
    top = 1
    looked = 0
    while top > 0:
        top -= 1
        left, right = stack[top, 0], stack[top, 1]
        looked += 1
        for j in range(v.size):
            v[j] = value_at(event, system, component, right if j == DEGREE else left + 0.125 * j * (right - left), step, y, g)
            if not math.isfinite(v[j]):
                return False
        low, high, size, unsure, monotone, bend = shape_of(v, b, matrix)
        if low > unsure or high < -unsure or size == 0.0:
            continue
        resolved = unsure <= 1e-6 * size
        last = right - left < 2.0**-DEPTH or looked > BUDGET or top + 2 > stack.shape[0]
        if (resolved and monotone) or last:
            before = tally[0]
            crossing(event, system, component, left, v[0], right, v[8], step, y, g, xs, kinds, tally)
            if last and tally[0] == before and v[0] * v[8] > 0.0 and abs(v[8]) < abs(v[0]):
                near = resolution(event, system, component, right, step, y, g, rtol, atol)
                if abs(v[8]) <= near and (before == 0 or right - xs[before - 1] > 1e-9):
                    record(xs, kinds, tally, right, TOUCH)
        elif resolved and bend != 0:
            settle(event, system, component, left, right, bend, size, step, y, g, rtol, atol, xs, kinds, tally, v)
        else:
            middle = 0.5 * (left + right)
            stack[top, 0], stack[top, 1] = middle, right
            stack[top + 1, 0], stack[top + 1, 1] = left, middle
            top += 2
    return True
