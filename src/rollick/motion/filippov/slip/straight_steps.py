"""Steps of slip that goes straight (`straight`), and how they come to the end of slip: DOP853 with directions held, for which u = 0 is a place like any other.

A step is aimed at the end of slip, and may go beyond it: where slip ends is found on its dense output, close to the end of the step, or anywhere in a step that is good enough.
"""

from __future__ import annotations

import math

from ....kernel.compiled import compiled
from ...ode.control import END, EVALUATIONS, LAST_REJECTED, LEFT, MOST_STEP, REJECTED, STEP
from ...ode.dense import interpolate
from ..algebra.forces import SLIP
from ..by_address import field, see_again, slip_rates
from ..memory import BENT, GIVEN, SCALE
from ..steps import make_dense, make_step
from .slips import none, speed
from .straight import (
    PATIENCE,
    ROUNDING,
    begin_noting_slips,
    hold_directions,
    let_go,
    stayed_straight,
    went_against,
    zero_of_cubic,
)

TAKEN, TOO_LONG, NOT_GOOD, NOT_STRAIGHT = range(4)  # what became of a step
SOON = 4.0  # times the next step: slip that would end so soon, at its present rate, is asked when it will
REACH = 1.5  # times the next step: how far away the end of slip may be that a step goes for
NEARLY = 0.9  # of the time until slip ends: the longest step otherwise
TRIES = 4
UNKNOWN = 0.5  # of a step in which slip ended, and began again: where it may end
CLOSELY = 0.05  # of a step: so close to its end its dense output is as good as the step is
WELL = 1e-2  # of the tolerance: a step that good has a dense output as good as a shorter step, all along
MANY, AWAY = 12, 0.2  # secants, and how far one may go
IN_TIME = 1e-3  # of the relative tolerance, of a step: how well the end of slip is found


@compiled
def rate_ahead(form, modes, contact, t, y, after, m, F, U):
    """The rate at which the slip of a contact along its direction, which is held, grows after a time in which rates change by m.arrival.dF; rates and slip rates into F and U."""
    for i in range(y.size):
        m.y[i] = y[i] + after * (m.k[0, i] + 0.5 * after * m.arrival.dF[i])
    field(form, modes, m.record[GIVEN : GIVEN + 6], t + after, m.y, m.here, F)
    slip_rates(form, modes, m.here, U)
    return m.here.w[2 * contact] * U[2 * contact] + m.here.w[2 * contact + 1] * U[2 * contact + 1]


@compiled
def soonest_end(form, modes, begins, m):
    """(contact, how long) of the slip that would end next at its present rate; -1: none."""
    here, contact, soonest = m.here, -1, math.inf
    for k in range(form.total):
        if modes[k] == SLIP and begins[k] == 0.0:
            radial = here.w[2 * k] * m.U[2 * k] + here.w[2 * k + 1] * m.U[2 * k + 1]
            if radial < 0.0 and speed(here, k) < -radial * soonest:
                soonest, contact = speed(here, k) / -radial, k
    return contact, soonest


@compiled
def end_ahead(form, modes, begins, t, y, h, reach, room, m):
    """(contact, how long) of the slip that ends next, if a step of length `reach` can go there, -1 otherwise; and the longest step. By Simpson's mean of its rates until it would end."""
    contact, soonest = soonest_end(form, modes, begins, m)
    if contact < 0 or soonest > SOON * h or soonest > SOON * room:
        return -1, 0.0, math.inf
    F, U, r = m.arrival.F1, m.arrival.U1, speed(m.here, contact)
    for i in range(y.size):
        m.arrival.dF[i] = 0.0
    R0 = -r / soonest
    mean = 0.5 * (R0 + rate_ahead(form, modes, contact, t, y, soonest, m, F, U))
    if not mean < 0.0:
        return -1, 0.0, math.inf
    lasts = r / -mean
    for i in range(y.size):  # how rates change
        m.arrival.dF[i] = (F[i] - m.k[0, i]) / soonest
    middle = rate_ahead(form, modes, contact, t, y, 0.5 * lasts, m, F, U)
    mean = (R0 + 4.0 * middle + rate_ahead(form, modes, contact, t, y, lasts, m, F, U)) / 6.0
    if mean < 0.0:
        lasts = r / -mean
    return (contact, lasts, math.inf) if lasts <= reach and lasts < room else (-1, 0.0, NEARLY * lasts)


@compiled
def next_end(form, modes, m, h, aimed):
    """(fraction of the step just made, contact) at which the first slip ends, its direction held, by cubics; beyond the step, only that of `aimed`. -1: none does."""
    here, first, contact, rates = m.here, math.inf, -1, m.arrival.U1
    slip_rates(form, modes, here, rates)
    for k in range(form.total):
        if modes[k] == SLIP and (k == aimed or went_against(m, k)):
            w1, w2 = here.w[2 * k], here.w[2 * k + 1]
            r0, R0 = w1 * m.u0[2 * k] + w2 * m.u0[2 * k + 1], w1 * m.U[2 * k] + w2 * m.U[2 * k + 1]
            r1, R1 = w1 * here.slip[2 * k] + w2 * here.slip[2 * k + 1], w1 * rates[2 * k] + w2 * rates[2 * k + 1]
            at = math.inf
            if went_against(m, k):
                crosses = r1 < 0.0 and (r0 > 0.0 or (r0 == 0.0 and R0 > 0.0))
                at = zero_of_cubic(r0, h * R0, r1, h * R1) if crosses else UNKNOWN
            elif R1 < 0.0:
                at = 1.0 + max(r1, 0.0) / (-R1 * h)
            if at < first:
                first, contact = at, k
    return first, contact


@compiled
def end_of_slip(form, modes, k, t, y, h, x, m, rtol):
    """Where in a step, as a fraction, the slip of contact k along its direction vanishes, from about x, on the dense output m.dense: secants, until the time or the slip is known
    as well as it needs to be, or as rounding lets it. -1: it does not, close to x."""
    w1, w2, here = m.record[GIVEN + 2 * k], m.record[GIVEN + 2 * k + 1], m.here
    slope, before, value_before = h * (w1 * m.arrival.U1[2 * k] + w2 * m.arrival.U1[2 * k + 1]), x, math.inf
    for i in range(MANY):
        interpolate(x, y, m.dense, m.y)
        see_again(form, modes, t + x * h, m.y, here)
        value = w1 * here.slip[2 * k] + w2 * here.slip[2 * k + 1]
        if abs(value) <= ROUNDING * m.record[SCALE + k]:
            return x
        if i > 1 and not abs(value) < 0.5 * abs(value_before):
            return x if abs(value) <= none(m, k) else -1.0
        if i > 0 and x != before:
            slope = (value - value_before) / (x - before)
        by = -value / slope
        before, value_before = x, value
        if not abs(by) <= AWAY:
            return -1.0
        x += by
        if abs(by) <= IN_TIME * rtol:
            return x
    return -1.0


@compiled
def made_straight(form, modes, aimed, t, y, h, room, m, rtol):
    """Try a step, all directions held, to the end of the slip of contact `aimed`, if any: (what became of it, error, length, tries, contact that stops, where in the step it does).

    room: the longest step. TOO_LONG: it went beyond the end of a slip, and the length is that of the next try. Where slip stops m.dense is made.
    """
    error, tries = 0.0, 0
    while tries < TRIES:
        tries += 1
        begin_noting_slips(m.here)
        error = make_step(form, modes, False, t, y, h, m, rtol)
        stayed = stayed_straight(form, modes, m, rtol)
        if not (error <= 1.0 and stayed):
            return NOT_STRAIGHT if error <= 1.0 else NOT_GOOD, error, h, tries, -1, 0.0
        at, contact = next_end(form, modes, m, h, aimed)
        if contact < 0 or at > 1.0 + CLOSELY:
            return TAKEN, error, h, tries, -1, 0.0
        if error <= WELL or at >= 1.0 - CLOSELY:
            make_dense(form, modes, False, t, y, h, m)
            place = end_of_slip(form, modes, contact, t, y, h, at, m, rtol)
            if 0.0 < place * h < room:
                return TAKEN, error, h, tries, contact, place
            if place >= 1.0:
                return TAKEN, error, h, tries, -1, 0.0
            if place < 0.0:
                at *= NEARLY
        h, aimed = at * h, contact
    return TOO_LONG, error, h, tries, -1, 0.0


@compiled
def straight_step(form, modes, t, y, h, s, m, rtol):
    """Try a step of length h, or to the next end of a slip: (what became of it, error, length, contact that stops in it, where it does).

    If it is taken directions stay held, until it is taken over.
    """
    begins = hold_directions(form, modes, m)
    room = min(s[END] - t, s[MOST_STEP])
    reach = h if s[LAST_REJECTED] > 0.0 else REACH * h  # what was too long is not tried again
    aimed, lasts, longest = end_ahead(form, modes, begins, t, y, h, reach, room, m)
    first = lasts if aimed >= 0 else min(h, longest)
    result, error, h, tries, stops, at = made_straight(form, modes, aimed, t, y, first, room, m, rtol)
    s[EVALUATIONS] += 12.0 * tries
    s[LEFT] -= tries
    s[REJECTED] += tries - 1.0
    if result != TAKEN:
        let_go(m, begins)
    if result in (NOT_STRAIGHT, TOO_LONG):
        s[REJECTED] += 1.0
        s[STEP] = h
        if result == NOT_STRAIGHT:
            m.record[BENT] = PATIENCE
    return result, error, h, stops, at
