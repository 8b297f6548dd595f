"""Steps of slip that goes straight (`straight`), and how they come to the end of slip: DOP853 with directions held, again with a better length until it ends just before a slip does.

The little that is left of slip then is one step of Heun's method.
"""

from __future__ import annotations

import math

from ...kernel.compiled import compiled
from ..ode.control import END, EVALUATIONS, LAST_REJECTED, LEFT, MOST_STEP, REJECTED, STEP
from .by_address import add_up, aim, forces_here, see_again, slip_rates
from .forces import SLIP
from .memory import BENT, GIVEN
from .slips import speed
from .steps import make_step
from .straight import PATIENCE, begin_noting_slips, hold_directions, let_go, stayed_straight, went_against, zero_of_cubic

TAKEN, TOO_LONG, NOT_GOOD, NOT_STRAIGHT = range(4)  # what became of a step
SOON = 4.0  # times the next step: slip that would end so soon, at its present rate, is asked when it will
REACH = 1.5  # times the next step: how far away the end of slip may be that a step goes for
NEARLY = 0.9  # of the time until slip ends: the longest step otherwise
TRIES = 4
AT_END = 12  # the row of DOP853 for the rate at the end of a step
JUST_BEFORE = 1.0  # times the cubic root of the tolerance, of a step: what may be left until the end of slip
BEFORE = 1e-3  # of a step that went beyond the end of slip: how much before that end the next one ends


@compiled
def rate_ahead(form, modes, contact, w1, w2, t, y, after, m, F, U):
    """The rate at which the slip of a contact along w grows, after a time in which rates change by m.arrival.dF; rates and slip rates into F and U."""
    here = m.here
    for i in range(y.size):
        m.y[i] = y[i] + after * (m.k[0, i] + 0.5 * after * m.arrival.dF[i])
    see_again(form, modes, t + after, m.y, here)
    aim(form, modes, m.record[GIVEN : GIVEN + 6], here)
    here.w[2 * contact], here.w[2 * contact + 1] = w1, w2
    forces_here(form, modes, here)
    add_up(form, modes, here, F)
    slip_rates(form, modes, here, U)
    return w1 * U[2 * contact] + w2 * U[2 * contact + 1]


@compiled
def end_ahead(form, modes, t, y, h, reach, room, m):
    """(contact, how long) of the slip that ends next, if a step of length `reach` can go there, -1 otherwise; and the longest step. By Simpson's mean of its rates until it would end."""
    here, contact, soonest = m.here, -1, math.inf
    for k in range(form.total):
        if modes[k] == SLIP and m.record[GIVEN + 4 + k] == 0.0:
            radial = here.w[2 * k] * m.U[2 * k] + here.w[2 * k + 1] * m.U[2 * k + 1]
            if radial < 0.0 and speed(here, k) < -radial * soonest:
                soonest, contact = speed(here, k) / -radial, k
    if contact < 0 or soonest > SOON * h or soonest > SOON * room:
        return -1, 0.0, math.inf
    w1, w2, r = here.w[2 * contact], here.w[2 * contact + 1], speed(here, contact)
    F, U = m.arrival.F1, m.arrival.U1
    for i in range(y.size):
        m.arrival.dF[i] = 0.0
    R0 = -r / soonest
    mean = 0.5 * (R0 + rate_ahead(form, modes, contact, w1, w2, t, y, soonest, m, F, U))
    if not mean < 0.0:
        return -1, 0.0, math.inf
    lasts = r / -mean
    for i in range(y.size):  # how rates change
        m.arrival.dF[i] = (F[i] - m.k[0, i]) / soonest
    middle = rate_ahead(form, modes, contact, w1, w2, t, y, 0.5 * lasts, m, F, U)
    mean = (R0 + 4.0 * middle + rate_ahead(form, modes, contact, w1, w2, t, y, lasts, m, F, U)) / 6.0
    if mean < 0.0:
        lasts = r / -mean
    return (contact, lasts, math.inf) if lasts <= reach and lasts < room else (-1, 0.0, NEARLY * lasts)


@compiled
def next_end(form, modes, m, h, aimed):
    """(fraction of the step just made, contact) at which the first slip ends, its direction held; beyond the step, only that of `aimed`. -1: none does."""
    here, first, contact, rates = m.here, math.inf, -1, m.arrival.U1
    slip_rates(form, modes, here, rates)
    for k in range(form.total):
        if modes[k] == SLIP and (k == aimed or went_against(m, k)):
            w1, w2 = here.w[2 * k], here.w[2 * k + 1]
            r0, R0 = w1 * m.u0[2 * k] + w2 * m.u0[2 * k + 1], w1 * m.U[2 * k] + w2 * m.U[2 * k + 1]
            r1, R1 = w1 * here.slip[2 * k] + w2 * here.slip[2 * k + 1], w1 * rates[2 * k] + w2 * rates[2 * k + 1]
            at = math.inf
            if went_against(m, k):
                at = zero_of_cubic(r0, h * R0, r1, h * R1) if r0 > 0.0 > r1 else 0.5
            elif R1 < 0.0:
                at = 1.0 + max(r1, 0.0) / (-R1 * h)
            if at < first:
                first, contact = at, k
    return first, contact


@compiled
def made_straight(form, modes, aimed, t, y, h, most, m, rtol):
    """Try a step with all directions held, to just before the end of the slip of contact `aimed`, if any: (what became of it, error, length, tries, contact that stops, how long until it does).

    `most`: the longest step. TOO_LONG: it went beyond the end of a slip, and the length is that of the next try. If it is taken directions stay held, until it is taken over.
    """
    given, left, error, tries, at = hold_directions(form, modes, m), JUST_BEFORE * rtol ** (1.0 / 3.0), 0.0, 0, 1.0
    while tries < TRIES:
        tries += 1
        begin_noting_slips(m.here)
        error = make_step(form, modes, False, t, y, h, m, rtol)
        stayed = stayed_straight(form, modes, m, rtol)
        if not (error <= 1.0 and stayed):
            let_go(m, given)
            return NOT_STRAIGHT if error <= 1.0 else NOT_GOOD, error, h, tries, -1, 0.0
        at, contact = next_end(form, modes, m, h, aimed)
        if contact < 0 or at > REACH:
            return TAKEN, error, h, tries, -1, 0.0
        if 1.0 <= at <= 1.0 + 2.0 * left:
            return TAKEN, error, h, tries, contact, (at - 1.0) * h
        if at >= 1.0 and (tries == TRIES or (1.0 - left) * at * h > most):
            return TAKEN, error, h, tries, -1, 0.0
        h, aimed = (1.0 - left) * at * h, contact
    let_go(m, given)
    return TOO_LONG, error, (1.0 - BEFORE) * h, tries, -1, 0.0


@compiled
def straight_step(form, modes, t, y, h, s, m, rtol):
    """Try a step of length h, or to the next end of a slip: (what became of it, error, length, contact that stops at its end, how long until it does)."""
    room = min(s[END] - t, s[MOST_STEP])
    reach = h if s[LAST_REJECTED] > 0.0 else REACH * h  # what was too long is not tried again
    aimed, lasts, longest = end_ahead(form, modes, t, y, h, reach, room, m)
    first = (1.0 - JUST_BEFORE * rtol ** (1.0 / 3.0)) * lasts if aimed >= 0 else min(h, longest)
    result, error, h, tries, stops, rest = made_straight(form, modes, aimed, t, y, first, min(reach, room), m, rtol)
    s[EVALUATIONS] += 12.0 * tries
    s[LEFT] -= tries
    s[REJECTED] += tries - 1.0
    if result in (NOT_STRAIGHT, TOO_LONG):
        s[REJECTED] += 1.0
        s[STEP] = h
        if result == NOT_STRAIGHT:
            m.record[BENT] = PATIENCE
    return result, error, h, stops, rest


@compiled
def last_bit(form, modes, stops, rest, t, y, m):
    """The state at the end of a slip of which a straight step from there left little, into m.arrival.y, by Heun's method; how long it takes, and the slip of the other contact.

    The rate at (t, y) goes to m.k[0]; slip rates there are in m.arrival.U1.
    """
    r, a, here = m.record, m.arrival, m.here
    w1, w2 = r[GIVEN + 2 * stops], r[GIVEN + 2 * stops + 1]
    see_again(form, modes, t, y, here)
    other = speed(here, 1 - stops)
    left = w1 * here.slip[2 * stops] + w2 * here.slip[2 * stops + 1]
    R0 = w1 * a.U1[2 * stops] + w2 * a.U1[2 * stops + 1]
    for i in range(y.size):
        m.k[0, i], a.dF[i] = m.k[AT_END, i], 0.0
    R1 = rate_ahead(form, modes, stops, w1, w2, t, y, rest, m, a.F1, a.U)
    if not R1 < 0.0:
        return 0.0, other
    more = (left + 0.5 * rest * (R0 + R1)) / -R1
    for i in range(y.size):
        a.y[i] = y[i] + 0.5 * rest * (m.k[0, i] + a.F1[i]) + more * a.F1[i]
    return rest + more, other
