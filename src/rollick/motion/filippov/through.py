"""Through the modes of a system with dry contacts: a block of steps, and the changes of mode between them, in compiled code.

Within a mode the steps are those of DOP853; where slip is so small that its direction is stiff, or begins, those of `directed`. Slip ends by `arrival`. Where
a mode ends otherwise (`ends`) is found on the dense output of a step, which is then repeated with the right length.
"""

from __future__ import annotations

import math

from ...kernel.compiled import compiled
from ..ode.around_step import all_finite, is_wanted, keep, next_step
from ..ode.control import (
    ACCEPTED,
    END,
    EVALUATIONS,
    FULL,
    GROW,
    LAST_REJECTED,
    LEFT,
    MOST_STEP,
    MOST_STEPS,
    NEXT_AT,
    NOT_FINITE,
    REACHED,
    REJECTED,
    STEP,
    STORED,
    TIME,
    UNDERFLOW,
    step_factor,
)
from ..ode.dense import copy, interpolate
from ..ode.dop853 import NEW, dop853_dense, dop853_step
from .arrival import last_way
from .by_address import InModes, field, keep_on, see, slip_rates
from .changing import BREAKS, JAMS, LIFTS, SHUTS, STOPS, back_to_rolling, change, moment, none, speed
from .directed import directed_dense, directed_step, slip_by_angle
from .ends import PLACES, WATCHED, can_end, first_end, first_fork, watched_here
from .forces import SLIP
from .memory import (
    CAREFUL,
    CHANGES,
    FORKED,
    FORKS,
    FOUND,
    GIVEN,
    GOES_ON,
    LOG_ROWS,
    MODE,
    MOST_CHANGES,
    POLICY,
    SCALE,
    SLAVED,
    SPAN,
    USUAL,
    WAIT,
    WHY,
    WRONG,
)

STIFF, VERY_STIFF = 3.0, 10.0  # |h lambda| of the direction of slip: where it may pay to slave it, where it must be
LONGER = 6.0  # times a step of DOP853: a slaved one that is tried instead
NEARLY = 0.9  # of the time until slip ends: the longest step
SOON = 4.0  # times the next step: slip that would end so soon is asked whether it can go straight to its end
FLOOR = 1e-2  # of the largest value of a state so far: what its error is relative to at least
TOGETHER = 1e-5  # of the slips before their last way: two slips that end so close together end at once
CLEAR = 1e-8  # of its scale: a slip whose direction is still clear
TOUCH = 1e-3  # of a moment: slip of one component that lasts no longer did not begin, rolling only touched its edge
FAR_BELOW = 1e-5  # relative: a force that far outside at the start of a step means that an end was missed


@compiled
def look_at(form, modes, t, y, here):
    """`see`, for Python."""
    see(form, modes, t, y, here)


@compiled
def tolerances(y, m, rtol, atol):
    """Absolute tolerances: those that are asked for, and a part of the relative one for states that were much larger before."""
    for i in range(y.size):
        m.largest[i] = max(m.largest[i], abs(y[i]))
        m.atol[i] = atol[i] + FLOOR * rtol * m.largest[i]


@compiled
def straight_dense(y, new, h, rate, f):
    """The dense output of the last way of slip: a parabola with the rate at its start."""
    for i in range(y.size):
        f[0, i] = new[i] - y[i]
        f[1, i] = h * rate[i] - f[0, i]
        for row in range(2, f.shape[0]):
            f[row, i] = 0.0


@compiled
def stiffness(form, modes, m):
    """The largest rate at which the direction of a slip follows, |w x du'/dphi|/|u|; m.k[0], m.U, m.here hold the present state."""
    most, here = 0.0, m.here
    for k in range(form.total):
        if modes[k] == SLIP and speed(here, k) > 0.0:
            phi = math.atan2(here.slip[2 * k + 1], here.slip[2 * k])
            d1, d2 = slip_by_angle(form, modes, k, phi, here, m.U[2 * k], m.U[2 * k + 1])
            turns = here.w[2 * k] * d2 - here.w[2 * k + 1] * d1
            most = max(most, abs(turns) / speed(here, k))
    return most


@compiled
def straight_to_the_end(form, modes, t, y, m, h, room, rtol):
    """(contact, how long) of a slip that can go straight to its end from here, -1 if none can; and the longest step otherwise.

    The state at the end is in m.arrival.y.
    """
    longest, here = math.inf, m.here
    soonest, contact = math.inf, -1
    for k in range(form.total):
        if modes[k] == SLIP and m.record[GIVEN + 4 + k] == 0.0:
            radial = here.w[2 * k] * m.U[2 * k] + here.w[2 * k + 1] * m.U[2 * k + 1]
            if radial < 0.0:
                left = speed(here, k) / -radial
                longest = min(longest, NEARLY * left)
                if left < soonest:
                    soonest, contact = left, k
    if contact < 0 or soonest > SOON * h or soonest > room:
        return -1, 0.0, longest
    floor = none(m, contact)
    if m.record[CAREFUL] > 0.0:  # but not so far that the direction of slip is lost in rounding
        floor = max(floor, CLEAR * m.record[SCALE + contact])
    tiny = speed(here, contact) <= floor
    if m.record[CAREFUL] > 0.0 and not tiny:
        return -1, 0.0, longest
    lasts, fine = last_way(form, modes, contact, t, y, m.k[0], m.U, here, m.arrival, floor, rtol, m.atol)
    if fine and not tiny:
        watched_here(form, modes, m.record[GIVEN : GIVEN + 6], m, m.values[PLACES])
        for i in range(2, WATCHED):
            fine = fine and m.values[PLACES, i] > 0.0
    return (contact if fine and 0.0 < lasts <= room else -1), lasts, longest


@compiled
def make_step(form, modes, slaved, t, y, h, m, rtol):
    """Try a step of length h from y, where m.k[0], m.U are the rates; the new state in m.k[NEW]. Its error."""
    given = m.record[GIVEN : GIVEN + 6]
    if not slaved:
        return dop853_step(InModes(form, modes, given, m.here), t, y, h, m.k, rtol, m.atol)
    d = m.directed
    copy(m.k[0], d.F[0])
    copy(m.U, d.U[0])
    angles = (math.atan2(given[1], given[0]), math.atan2(given[3], given[2]))
    if given[4] == 0.0:
        angles = (math.atan2(m.u0[1], m.u0[0]), angles[1])
    if given[5] == 0.0:
        angles = (angles[0], math.atan2(m.u0[3], m.u0[2]))
    return directed_step(form, modes, t, y, m.u0, angles, h, m.here, d, rtol, m.atol, m.k[NEW])


@compiled
def make_dense(form, modes, slaved, t, y, h, m):
    """The dense output of the step just made, into m.dense."""
    if slaved:
        directed_dense(y, m.k[NEW], h, m.directed, m.dense)
    else:
        dop853_dense(InModes(form, modes, m.record[GIVEN : GIVEN + 6], m.here), t, y, h, m.k, m.dense)


@compiled
def accept(form, modes, s, y, new, h, new_time, m, block):
    """Take over the new state; write what is wanted of the step."""
    while is_wanted(s, block.at, new_time, h):
        j = int(s[NEXT_AT])
        if block.at[j] == new_time:
            copy(new, block.at_out[j])
        else:
            interpolate((block.at[j] - s[TIME]) / h, y, m.dense, block.at_out[j])
        keep_on(form, modes, block.at_out[j])
        s[NEXT_AT] += 1.0
    if block.dense:
        f = block.fs[int(s[STORED])]
        for row in range(f.shape[0]):
            copy(m.dense[row], f[row])
    copy(new, y)
    keep_on(form, modes, y)
    s[TIME] = new_time
    s[STORED] += 1.0
    s[ACCEPTED] += 1.0
    if block.store:
        keep(s, y, block.ts, block.ys)


@compiled
def change_here(form, m, why, contact, s, y, block, little, most_changes):
    """A change of mode at the end of a step, whose state is then that after it; whether the motion goes on."""
    if m.record[CHANGES] >= most_changes:
        m.record[WHY] = MOST_CHANGES
        return False
    result = change(form, m, why, contact, s[TIME], y, little)
    if block.store:
        keep(s, y, block.ts, block.ys)
    return result == GOES_ON


@compiled
def begin_step(form, modes, s, y, m, tolerance):
    """Rates, slips and what is watched at the present state; whether they are finite."""
    given, here = m.record[GIVEN : GIVEN + 6], m.here
    field(form, modes, given, s[TIME], y, here, m.k[0])
    slip_rates(form, modes, here, m.U)
    for k in range(2):
        for i in range(2):
            m.u0[2 * k + i] = here.slip[2 * k + i] if given[4 + k] == 0.0 else 0.0
    tolerances(y, m, tolerance.relative, tolerance.absolute)
    watched_here(form, modes, given, m, m.values[0])
    s[EVALUATIONS] += 1.0
    return all_finite(m.k[0], y.size)


@compiled
def shorter(s, h, error, slaved):
    """Note a step that was not good enough, and the length of the next try."""
    s[REJECTED] += 1.0
    s[LAST_REJECTED] = 1.0
    if not math.isfinite(error):
        s[STEP] = 0.25 * h
    else:
        s[STEP] = h * (max(0.2, 0.8 * error ** (-1.0 / 6.0)) if slaved else step_factor(error, 1.0))


@compiled
def growth(s, error, slaved):
    """By how much the next step may be longer."""
    most = 1.0 if s[LAST_REJECTED] > 0.0 else GROW
    if not slaved:
        return step_factor(error, most)
    return min(most, max(0.2, 0.8 * error ** (-1.0 / 6.0))) if error > 0.0 else most


@compiled
def which_step(r, h, longest, lambda_, begins):
    """The length of the next step, and whether the direction of slip is slaved in it.

    DOP853 follows a fast direction with short steps; where these would be much shorter than what is left of slip, slaved ones are tried, and kept if they are longer.
    """
    if begins:
        return min(h, longest), True
    if r[SLAVED] > 0.0 and lambda_ * min(h, longest) > 0.1 * STIFF:
        return min(h, longest), True
    if r[WAIT] == 0.0 and h * lambda_ > 0.1 * STIFF and LONGER * h < longest and lambda_ * longest > STIFF:
        return LONGER * h, True
    return min(h, longest), min(h, longest) * lambda_ > VERY_STIFF


@compiled
def new_start(m, s, h):
    """The first step after a change of mode: about as long as the longest of late."""
    r = m.record
    if max(r[USUAL], h) > 0.0:  # else there was no step yet, and the one that was to be the first will do
        s[STEP] = min(max(r[USUAL], h), s[MOST_STEP])
    r[USUAL] = 0.5 * max(r[USUAL], h)
    r[SLAVED] = r[WAIT] = m.directed.before[0] = 0.0


@compiled
def advance_modes(form, s, y, m, tolerance, block, most_changes):
    """Go on from (s[TIME], y) until s[END], or until the block is full; why it ended. UNDERFLOW: record[WHY] says why."""
    r, rtol = m.record, tolerance.relative
    s[STORED] = 0.0
    if block.store:
        keep(s, y, block.ts, block.ys)
    while s[END] > s[TIME]:
        if r[WHY] != GOES_ON:
            return UNDERFLOW
        if s[STORED] == block.ts.size - 1 or m.logged[0] == LOG_ROWS:
            return FULL
        if s[LEFT] <= 0.0:
            return MOST_STEPS
        modes = (int(r[MODE]), int(r[MODE + 1]))
        t = s[TIME]
        if not begin_step(form, modes, s, y, m, tolerance):
            return NOT_FINITE
        for i in range(LIFTS, JAMS):
            if m.values[0, i] < -FAR_BELOW:
                r[WHY] = WRONG
                return UNDERFLOW
        h, final = next_step(s)
        if h == 0.0:
            return UNDERFLOW
        begins = r[GIVEN + 4] > 0.0 or r[GIVEN + 5] > 0.0
        slaved = False
        if form.size == 2 and (modes[0] == SLIP or modes[1] == SLIP):
            lambda_ = stiffness(form, modes, m)
            fastest = max(speed(m.here, 0), speed(m.here, 1))
            contact, lasts, longest = straight_to_the_end(form, modes, t, y, m, h, s[END] - t, rtol)
            if contact >= 0:
                copy(m.arrival.y, m.k[NEW])
                straight_dense(y, m.k[NEW], lasts, m.k[0], m.dense)
                s[LEFT] -= 1.0
                accept(form, modes, s, y, m.k[NEW], lasts, t + lasts, m, block)
                if not change_here(form, m, STOPS, contact, s, y, block, TOGETHER * fastest, most_changes):
                    return UNDERFLOW
                new_start(m, s, lasts)
                if r[FOUND] > 1.0 and s[END] > s[TIME]:
                    return FULL
                continue
            h, slaved = which_step(r, h, longest, lambda_, begins)
            if h < s[END] - t:
                final = False
        error = make_step(form, modes, slaved, t, y, h, m, rtol)
        s[EVALUATIONS] += 12.0
        s[LEFT] -= 1.0
        if not error <= 1.0:
            if slaved and not begins and (r[SLAVED] == 0.0 or h * lambda_ < STIFF):  # it does not pay here
                r[SLAVED], r[WAIT] = 0.0, 20.0
                s[STEP] = h / LONGER
                s[REJECTED] += 1.0
                continue
            shorter(s, h, error, slaved)
            if not math.isfinite(error) and abs(s[STEP]) < 1e-14 * r[SPAN] and not slaved:
                return NOT_FINITE
            continue
        factor = growth(s, error, slaved)
        x, which = -1.0, -1
        ends = can_end(form, modes)
        if ends or block.dense or is_wanted(s, block.at, s[END] if final else t + h, h):
            make_dense(form, modes, slaved, t, y, h, m)
        if ends:
            x, which = first_end(form, modes, t, y, h, m)
            s[EVALUATIONS] += 5.0
        if which >= 0 and which < 2 and x == 0.0:  # slip of one component, just begun: look closer
            s[STEP] = 0.25 * h
            if s[STEP] < TOUCH * moment(m):
                back_to_rolling(form, m, which, t, y)
                new_start(m, s, 0.0)
            continue
        forks = first_fork(form, modes, x if which >= 0 else 1.0, t, y, h, m)
        if forks >= 0.0:
            r[FORKED] = t + forks * h
            if r[POLICY] == 0.0:
                x, which, r[WHY] = forks, -1, FORKS
        if (which >= 0 or r[WHY] == FORKS) and x < 1.0:
            h, final = x * h, False
            if h > 0.0:
                make_step(form, modes, slaved, t, y, h, m, rtol)
                make_dense(form, modes, slaved, t, y, h, m)
        if h > 0.0:
            accept(form, modes, s, y, m.k[NEW], h, s[END] if final else t + h, m, block)
            if form.size == 2:
                r[GIVEN + 4] = r[GIVEN + 5] = 0.0
            s[LAST_REJECTED] = 0.0
            r[SLAVED] = 1.0 if slaved else 0.0
            r[WAIT] = max(0.0, r[WAIT] - 1.0)
        if r[WHY] == FORKS:
            return UNDERFLOW
        if which >= 0:
            contact = (
                which - STOPS if which < LIFTS else which - LIFTS if which < BREAKS else which - SHUTS if which >= SHUTS else 0
            )
            why = STOPS if which < LIFTS else LIFTS if which < BREAKS else SHUTS if which >= SHUTS else which
            if not change_here(form, m, why, contact, s, y, block, 0.0, most_changes):
                return UNDERFLOW
            new_start(m, s, h)
            s[REJECTED] += 1.0 if h == 0.0 else 0.0
            if r[FOUND] > 1.0 and s[END] > s[TIME]:
                return FULL  # so that its futures can be told
        else:
            r[USUAL] = max(r[USUAL], h)
            s[STEP] = min(h * factor, s[MOST_STEP])
    return REACHED
