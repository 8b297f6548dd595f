"""Numbers measured along a motion while it is computed: zeros, extremes and means of quantities, step by step on dense output, in compiled code."""

from __future__ import annotations

import math
from typing import NamedTuple

from ...kernel.compiled import compiled
from ...kernel.dispatch import generic
from ...motion.events.at_ends import arrives, is_zero
from ...motion.events.probe import END, LENGTH, NEW, TIME, value_at
from ...motion.events.roots import zeros_in_step
from ...motion.events.scan import CAREFUL, begin_block, begin_scanning, longest_of, scan
from ...motion.events.standing import FRACTION, NEAR
from ...motion.ode.later import Later, Made, is_put_off
from ..keep import COUNT, FINAL, FIRST, GREATEST, LAST, LEAST, MEAN, RMS

# Entries of the account of a measure: the value; for means the sum so far; whether there is a value.
VALUE, SUM, KNOWN = range(3)
POINTS = 9  # samples of a step, for extremes
HALVINGS = 34  # golden sections: 0.618^34 = 8e-8 of an interval, and an extreme is flat
GOLDEN = 0.6180339887498949
# Gauss-Legendre, five points in [0, 1]
NODES = (0.046910077030668, 0.23076534494715845, 0.5, 0.7692346550528415, 0.953089922969332)
WEIGHTS = (0.11846344252809454, 0.23931433524968324, 0.28444444444444444, 0.23931433524968324, 0.11846344252809454)


class OnTheWay(NamedTuple):
    """Something is measured on the way: steps are kept with their dense output."""


class OnTheWayInHaste(NamedTuple):
    """The same, without the careful search for zeros where a step is not plain (it does not suit a GPU): such a member is asked for elsewhere."""


@generic
def search_carefully(when, p, tables):
    """The careful search for zeros in the present step; whether it was made."""


@search_carefully.register(OnTheWay)
def _(when, p, tables):
    zeros_in_step(p, tables)
    return True


@search_carefully.register(OnTheWayInHaste)
def _(when, p, tables):
    return False


@generic
def source_of(when, system, work):
    """What makes dense output that was put off."""


@source_of.register(OnTheWay)
def _(when, system, work):
    return Later(system, work)


@source_of.register(OnTheWayInHaste)
def _(when, system, work):
    return Made()


@compiled
def zeros_of(when, source, p, block, steps, first, direction, latest, out, places, tables, place):
    """All zeros of a quantity in a block of steps, as `scan` writes them; ALL, or why they are not known."""
    if first:
        begin_scanning(p, block.ts, block.ys, block.fs, latest)
        if is_zero(p, 0, 0.0):
            latest[0, FRACTION] = 1.0
    begin_block(p, latest, place)
    status = CAREFUL
    while status == CAREFUL:
        status = scan(source, p, block.ts, block.ys, block.fs, steps, latest, direction, True, out, places, tables, place)
        if status == CAREFUL and not search_carefully(when, p, tables):
            return status
    return status


@compiled
def arriving(p, block, steps, direction, latest):
    """Whether the quantity comes to zero at the very end of the motion."""
    if latest[0, NEAR] != 0.0 or is_put_off(block.fs, steps - 1):
        return False
    kind = arrives(p, 0, latest[0, FRACTION], longest_of(block.ts, steps))
    return kind != 0 and kind * direction >= 0


@compiled
def note_zero(code, t, account):
    """Take a zero into account."""
    if code == COUNT:
        account[VALUE] = account[VALUE] + 1.0 if account[KNOWN] > 0.0 else 1.0
    elif code == LAST or (code == FIRST and account[KNOWN] == 0.0):
        account[VALUE] = t
    account[KNOWN] = 1.0


@compiled
def extreme(p, a, b, sign):
    """The greatest of sign*g between the fractions a and b of a step, by golden sections."""
    c, d = b - GOLDEN * (b - a), a + GOLDEN * (b - a)
    at_c, at_d = sign * value_at(p, c), sign * value_at(p, d)
    for _ in range(HALVINGS):
        if at_c > at_d:
            b, d, at_d = d, c, at_c
            c = b - GOLDEN * (b - a)
            at_c = sign * value_at(p, c)
        else:
            a, c, at_c = c, d, at_d
            d = a + GOLDEN * (b - a)
            at_d = sign * value_at(p, d)
    return max(at_c, at_d)


@compiled
def over_step(p, code, upto, account):
    """Extremes and means of a quantity in the present step, up to a fraction of it."""
    if code in (GREATEST, LEAST):
        sign = 1.0 if code == GREATEST else -1.0
        best = sign * account[VALUE] if account[KNOWN] > 0.0 else -math.inf
        before, here = math.inf, sign * value_at(p, 0.0)
        most = max(best, here)
        for j in range(1, POINTS + 1):
            x = upto * (0.5 - 0.5 * math.cos(math.pi * j / (POINTS - 1))) if j < POINTS else 0.0
            after = sign * value_at(p, x) if j < POINTS else math.inf
            if here >= before and here >= after:  # a summit between the neighbours
                left = upto * (0.5 - 0.5 * math.cos(math.pi * (j - 2) / (POINTS - 1)))
                most = max(most, extreme(p, left, x, sign))
            if j < POINTS:
                most = max(most, after)
            before, here = here, after
        account[VALUE], account[KNOWN] = sign * most, 1.0
    else:
        total = 0.0
        for j in range(5):
            g = value_at(p, upto * NODES[j])
            total += WEIGHTS[j] * (g * g if code == RMS else g)
        account[SUM] += total * upto * p.note[LENGTH]
        account[KNOWN] = 1.0


@compiled
def conclude(p, code, t0, t, y, account):
    """The value of a measure at the end of the motion, at the time t in the state y."""
    if code == FINAL:
        for i in range(p.box.shape[1]):
            p.box[NEW, i] = y[i]
        p.note[TIME], p.note[LENGTH], p.note[END] = t, 0.0, t
        return value_at(p, 1.0)
    if code == COUNT:
        return account[VALUE] if account[KNOWN] > 0.0 else 0.0
    if account[KNOWN] == 0.0:
        return math.nan
    if code == MEAN:
        return account[SUM] / (t - t0)
    if code == RMS:
        return math.sqrt(max(0.0, account[SUM] / (t - t0)))
    return account[VALUE]
