"""Through the modes of a system with dry contacts: a block of steps, and the changes of mode between them, in compiled code.

Within a mode the steps are those of `steps`. Slip ends by `slip.arrival`, or if it keeps its direction, by `slip.straight_steps`. Where a mode ends otherwise (`ends`) is found on the
dense output of a step, which is cut there if it is good enough, and else made again with the right length.
"""

from __future__ import annotations

import math

from ...kernel.bracket import value_of
from ...kernel.compiled import compiled
from ..ode.around_step import is_wanted, next_step
from ..ode.control import (
    END,
    EVALUATIONS,
    FULL,
    LEFT,
    MOST_STEP,
    MOST_STEPS,
    NOT_FINITE,
    REACHED,
    REJECTED,
    STEP,
    STORED,
    TIME,
    UNDERFLOW,
)
from ..ode.dense import copy, interpolate, shorten
from ..ode.dop853 import NEW
from .algebra.forces import SLIP
from .changing import BREAKS, FORK, JAMS, LIFTS, STOPS, back_to_rolling, change, moment
from .ends import BELOW, PLACES, OnStep, first_end
from .forks import NO_FORK, first_fork, forks_are_asked, leave_band
from .memory import (
    BENT,
    CAREFUL,
    CHANGES,
    FOUND,
    GIVEN,
    GOES_ON,
    MODE,
    MOST_CHANGES,
    SCALE,
    USUAL,
    WHY,
    WRONG,
)
from .records import WATCHED, put_state
from .slip.arrival import last_way
from .slip.slips import none, speed
from .slip.straight import PATIENCE, may_be_straight
from .slip.straight_steps import NOT_STRAIGHT, TOO_LONG, WELL, straight_step
from .steady import is_held
from .steps import (
    accept,
    begin_step,
    growth,
    keep_state,
    make_dense,
    make_step,
    new_start,
    reject,
    stiffness,
    straight_dense,
    take_over,
    which_step,
)
from .watched import can_end, far_from_end, watched_at, watched_here

NEARLY = 0.9  # of the time until slip ends: the longest step
SOON = 4.0  # times the next step: slip that would end so soon is asked whether it can go straight to its end
TOGETHER = 1e-5  # of the slips before their last way: two slips that end so close together end at once
CLEAR = 1e-8  # of its scale: a slip whose direction is still clear
TOUCH = 1e-3  # of a moment: slip of one component that lasts no longer did not begin, rolling only touched its edge
SHARP = 3  # times that the end of a slaved step is made better
SAME_STEP, AWAY = 1e-13, 0.1  # of a step: a change of its length that is none, one that is not believed
AGAIN, MADE, ARRIVES, CHANGED, ENDED, HOPELESS = range(6)  # what became of a step
FAR_BELOW = 1e-5  # relative: a force that far outside at the start of a step means that an end was missed


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
    if fine:  # nothing else has ended the mode before; of a trace of slip only what is clear counts
        watched_here(form, modes, m.record[GIVEN : GIVEN + 6], here, m.values[PLACES])
        for i in range(LIFTS, WATCHED):
            fine = fine and m.values[PLACES, i] > (-BELOW if tiny else 0.0)
    return (contact if fine and 0.0 < lasts <= room else -1), lasts, longest


@compiled
def change_here(form, m, why, contact, s, y, block, little, most_changes):
    """A change of mode at the end of a step, whose state is then that after it; whether the motion goes on."""
    if m.record[CHANGES] >= most_changes:
        m.record[WHY] = MOST_CHANGES
        return False
    result = change(form, m, why, contact, s[TIME], y, little)
    keep_state(s, y, block)
    return result == GOES_ON


@compiled
def nothing_missed(m):
    """Whether no force is far outside what the mode allows, at the start of a step."""
    for i in range(LIFTS, JAMS):
        if m.values[0, i] < -FAR_BELOW:
            m.record[WHY] = WRONG
            return False
    return True


@compiled
def fastest(m):
    """The largest slip at the start of a step."""
    u = m.u0
    return math.sqrt(max(u[0] * u[0] + u[1] * u[1], u[2] * u[2] + u[3] * u[3]))


@compiled
def arrive(form, modes, contact, lasts, s, y, m, block, most_changes):
    """The last way of a slip, whose end is in m.arrival.y, and the change of mode there (another slip that is hardly any ends with it); what became of the step."""
    copy(m.arrival.y, m.k[NEW])
    straight_dense(y, m.k[NEW], lasts, m.k[0], m.dense)
    s[LEFT] -= 1.0
    accept(form, modes, s, y, m.k[NEW], lasts, s[TIME] + lasts, m, block)
    if not change_here(form, m, STOPS, contact, s, y, block, TOGETHER * fastest(m), most_changes):
        return ENDED
    new_start(m, s, lasts)
    return CHANGED


@compiled
def end_of_mode(form, modes, slaved, h, stops, at, s, y, m, block):
    """Where in the step just made the mode ends, or rolling forks: (fraction of the step, which quantity ends it, FORK, -1: none). m.dense is made if it is needed.

    stops: the contact whose slip, with its direction held, ends at the fraction `at`, if any; then m.dense is there already.
    """
    t = s[TIME]
    x, which = 1.0, -1
    ends = can_end(form, modes)
    if ends and not slaved and is_held(modes, m.here):  # noted at the stages of the step
        ends = not far_from_end(m.here)
    if stops >= 0:
        x, which = at, STOPS + stops
    elif ends or block.dense or is_wanted(s, block.at, t + h if h < s[END] - t else s[END], h) or forks_are_asked(form, modes, m):
        make_dense(form, modes, slaved, t, y, h, m)
    if ends:
        place, what = first_end(form, modes, t, y, h, m)
        s[EVALUATIONS] += 5.0
        if what >= 0 and place < x:
            x, which = place, what
    if which >= 0 and which < LIFTS and x == 0.0:
        return x, which
    forks = first_fork(form, modes, min(x, 1.0), t, y, h, m)
    if forks != NO_FORK:
        return forks, FORK
    if which < 0:
        leave_band(form, modes, t + h, m.k[NEW], m)
    return x, which


@compiled
def sharpened(form, modes, which, t, y, h, x, m, rtol):
    """The length of a slaved step at whose end a watched quantity vanishes, from that on its dense output (h, the fraction x of the step it is of), by Newton's
    method: where slip is small the dense output does not know its direction as well as the step does. The step is made with it."""
    given, last = m.record[GIVEN : GIVEN + 6], m.values[PLACES]
    on = OnStep(form, modes, t, h / x, y, m, which)
    slope = (value_of(on, x) - value_of(on, 0.9 * x)) / (0.1 * h)
    for _ in range(SHARP):
        watched_at(form, modes, given, t + h, m.k[NEW], m, last)
        by = -last[which] / slope
        if not slope < 0.0 or not SAME_STEP * h < abs(by) < AWAY * h:
            break
        if not make_step(form, modes, True, t, y, h + by, m, rtol) < math.inf:
            make_step(form, modes, True, t, y, h, m, rtol)
            break
        h += by
    return h


@compiled
def contact_of(which):
    """(what ended a mode, contact) of a watched quantity."""
    if which < LIFTS:
        return STOPS, which - STOPS
    if which < BREAKS:
        return LIFTS, which - LIFTS
    if which == FORK:
        return FORK, 0
    return which, 0


@compiled
def advance_modes(form, s, y, m, tolerance, block, most_changes):
    """Go on from (s[TIME], y) until s[END], or until the block is full; why it ended. UNDERFLOW: record[WHY] says why."""
    put_state(m, y)
    why = go_on(form, s, m.state, m, tolerance, block, most_changes)
    copy(m.state, y)
    return why


@compiled
def try_step(form, modes, h, s, y, m, rtol):
    """A step of about length h: (what became of it, error, length, whether slaved, contact whose slip ends, about where in the step it does).

    ARRIVES: slip goes straight to its end, in m.arrival.y, which takes as long as the length says.
    """
    r, t = m.record, s[TIME]
    slaved, lambda_, stops, at = False, 0.0, -1, 0.0
    begins = r[GIVEN + 4] > 0.0 or r[GIVEN + 5] > 0.0
    slips = form.size == 2 and (modes[0] == SLIP or modes[1] == SLIP)
    if slips and may_be_straight(form, modes, m):
        result, error, h, stops, at = straight_step(form, modes, t, y, h, s, m, rtol)
        if result in (NOT_STRAIGHT, TOO_LONG):
            if h < TOUCH * moment(m):
                r[BENT] = PATIENCE
            return AGAIN, error, h, slaved, stops, at
    else:
        if slips:
            lambda_ = stiffness(form, modes, m)
            contact, lasts, longest = straight_to_the_end(form, modes, t, y, m, h, s[END] - t, rtol)
            if contact >= 0:
                return ARRIVES, 0.0, lasts, slaved, contact, 1.0
            h, slaved = which_step(r, h, longest, lambda_, begins)
            h = min(h, s[END] - t)
        error = make_step(form, modes, slaved, t, y, h, m, rtol)
        s[EVALUATIONS] += 12.0
        s[LEFT] -= 1.0
    if not error <= 1.0:
        return (AGAIN if reject(m, s, h, error, slaved, begins, lambda_) else HOPELESS), error, h, slaved, stops, at
    return MADE, error, h, slaved, stops, at


@compiled
def cut(form, modes, slaved, x, which, h, good, s, y, m, block, rtol):
    """Let the step just made end at its fraction x; its length. good: by its dense output, else it is made again."""
    t, h = s[TIME], x * h
    if good:
        interpolate(x, y, m.dense, m.k[NEW])
        if block.dense or is_wanted(s, block.at, t + h, h):
            shorten(x, y, m.dense, m.spare)
    elif h > 0.0:
        make_step(form, modes, slaved, t, y, h, m, rtol)
        if slaved and LIFTS <= which < FORK:
            h = sharpened(form, modes, which, t, y, h, x, m, rtol)
        if block.dense or is_wanted(s, block.at, t + h, h):
            make_dense(form, modes, slaved, t, y, h, m)
    return h


@compiled
def finish_step(form, modes, slaved, h, error, stops, at, s, y, m, block, rtol, most_changes):
    """Take over the step just made, or its part until the mode ends, and go over to what follows; what became of it."""
    r, t = m.record, s[TIME]
    factor = growth(s, error, slaved, h, m)
    x, which = end_of_mode(form, modes, slaved, h, stops, at, s, y, m, block)
    if which >= 0 and which < LIFTS and x == 0.0:  # slip of one component, just begun: look closer
        s[STEP] = 0.25 * h
        if s[STEP] < TOUCH * moment(m):
            back_to_rolling(form, m, which, t, y)
            new_start(m, s, 0.0)
        return AGAIN
    final = x == 1.0 and not h < s[END] - t
    if x != 1.0:
        good = not slaved and (error <= WELL or (stops >= 0 and which == STOPS + stops))
        h = cut(form, modes, slaved, x, which, h, good, s, y, m, block, rtol)
    little = TOGETHER * fastest(m) if which >= 0 and which < LIFTS and form.size == 2 else 0.0
    if h > 0.0:
        take_over(form, modes, slaved, s, y, h, s[END] if final else t + h, m, block)
    if which < 0:
        r[USUAL] = max(r[USUAL], h)
        s[STEP] = min(h * factor, s[MOST_STEP])
        return MADE
    why, contact = contact_of(which)
    if not change_here(form, m, why, contact, s, y, block, little, most_changes):
        return ENDED
    new_start(m, s, h)
    s[REJECTED] += 1.0 if h == 0.0 else 0.0
    return CHANGED


@compiled
def go_on(form, s, y, m, tolerance, block, most_changes):
    """The same, with the state in its record."""
    r, rtol = m.record, tolerance.relative
    s[STORED] = 0.0
    keep_state(s, y, block)
    while s[END] > s[TIME]:
        if r[WHY] != GOES_ON:
            return UNDERFLOW
        if s[STORED] == block.ts.size - 1 or m.logged[0] == m.log.shape[0]:
            return FULL
        if s[LEFT] <= 0.0:
            return MOST_STEPS
        modes = (int(r[MODE]), int(r[MODE + 1]))
        if not begin_step(form, modes, s, y, m, tolerance):
            return NOT_FINITE
        h, _ = next_step(s)
        if h == 0.0 or not nothing_missed(m):
            return UNDERFLOW
        result, error, h, slaved, contact, at = try_step(form, modes, h, s, y, m, rtol)
        if result == HOPELESS:
            return NOT_FINITE
        if result == ARRIVES:
            result = arrive(form, modes, contact, h, s, y, m, block, most_changes)
        elif result == MADE:
            result = finish_step(form, modes, slaved, h, error, contact, at, s, y, m, block, rtol, most_changes)
        if result == ENDED:
            return UNDERFLOW
        if result == CHANGED and r[FOUND] > 1.0 and s[END] > s[TIME]:
            return FULL  # so that its futures can be told
    return REACHED
