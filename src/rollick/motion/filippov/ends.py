"""Where a mode ends: quantities that are positive while it goes on, and their first zero inside a step.

    stops      slip along its direction (if it has one component)         breaks     the margin of what rolls
    lifts      a normal force of a contact that slips                     jams       `drive`: slip loses its unique normal force (Painleve)
    shuts      the gap of a contact that is open

And where rolling, though it can go on, ceases to be the only future.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ...kernel.apart import apart
from ...kernel.bracket import value_of, zero_between
from ...kernel.compiled import compiled
from ..ode.dense import interpolate
from .by_address import aim, forces_here, see_again
from .changing import BREAKS, JAMS, LIFTS, SHUTS, STOPS, find
from .code import DRIVE, MARGIN, judge
from .code import PACE as FORCE_PACE
from .code import SIZE as FORCE_SIZE
from .cones import FAR, rolling_margin, slack
from .fixed import fixed_forces, fixed_size, is_fixed
from .forces import OPEN, ROLL, SLIP
from .futures import force_scale
from .held import is_held, missing_in
from .memory import CLOSED, FORKED, FOUND, GIVEN
from .records import WATCHED
from .slips import none, speed
from .straight import HELD

EDGE = 1e-6  # of `drive`: closer to zero, the normal force of slip has no limit
BELOW = 1e-7  # relative: a force that far outside what the mode allows at its very start ends it
UNLOADED = 1e-11  # of the forces at hand: a contact that neither presses nor pulls has a normal force of that size, by rounding
PLACES = 5  # where in a step it is asked whether the mode has ended, its start among them
NEAR_ZERO = 0.3  # of its values around: a dip that goes so deep is looked at closely
CLEARLY = 1.0  # times its variation within a step: a quantity that stays so large does not vanish in it
SHARPLY, BEYOND = 1e-13, 1.01  # of a step: how well the end of a mode is found; times a step of Newton's method
ASKED = 4  # where in a step it is asked whether rolling is the only future
CALM = 0.05  # of the accelerations at hand: if they change by less, that is asked at the end of the step only
# of the forces at hand: unless the margin of what rolls is less, for there another future may come and go within a step
SAFE = 0.01


@compiled
def judge_here(form, modes, here):
    """What there is to watch, at the instant that `here` holds with its forces."""
    if not is_held(modes, here):
        judge(
            form.code, form.total, form.size, form.pressing != 0, modes, here.c, here.A, here.mu, here.load, here.w, here.x, here.null, here.told
        )  # fmt: skip
        return
    missing, loose = missing_in(modes, here), here.loose[3 * modes[0] + modes[1]]
    here.told[MARGIN], here.fixed[2] = rolling_margin(form.total, form.size, modes, here.x, loose, missing, here.mu)
    if is_fixed(here):
        here.told[FORCE_SIZE] = fixed_size(form, modes, here)
        return
    here.told[FORCE_PACE], here.told[FORCE_SIZE] = force_scale(
        form.total, form.size, form.pressing != 0, modes, here.c, here.A, here.load
    )  # fmt: skip


@compiled
def watched_here(form, modes, given, here, out):
    """What is positive while a mode goes on, at the instant that `here` holds with its forces."""
    apart()
    judge_here(form, modes, here)
    size = here.told[FORCE_SIZE] if here.told[FORCE_SIZE] > 0.0 else 1.0
    for i in range(WATCHED):
        out[i] = 1.0
    for k in range(form.total):
        if modes[k] == SLIP:
            if form.size == 1:
                out[STOPS + k] = given[2 * k] * here.slip[2 * k]
            if form.pressing:
                out[LIFTS + k] = here.x[3 * k] / size + UNLOADED
        elif modes[k] == OPEN:
            out[SHUTS + k] = here.gaps[k] + CLOSED
    out[BREAKS] = min(here.told[MARGIN] / size, 1e3)
    out[JAMS] = here.told[DRIVE] - EDGE


@compiled
def aim_within(form, modes, given, m):
    """The directions of slip within a step: slip that began with it has the direction it was given only as long as it counts as none, unless that is held."""
    here = m.here
    aim(form, modes, given, here)
    if here.straight[0] == HELD:
        return
    for k in range(form.total):
        if form.size == 2 and modes[k] == SLIP and given[4 + k] > 0.0:
            size = speed(here, k)
            if size > none(m, k):
                here.w[2 * k], here.w[2 * k + 1] = here.slip[2 * k] / size, here.slip[2 * k + 1] / size


@compiled
def watched_at(form, modes, given, t, y, m, out):
    """The same at any state within a step."""
    apart()
    see_again(form, modes, t, y, m.here)
    if is_fixed(m.here):
        fixed_forces(m.here)
    else:
        aim_within(form, modes, given, m)
        if is_held(modes, m.here):  # else `judge` finds them
            forces_here(form, modes, m.here)
    watched_here(form, modes, given, m.here, out)


@compiled
def begin_noting(here, values):
    """From now on what is watched is noted at some of the stages of DOP853, from its values at the start of the step on."""
    here.seen[0], here.seen[1] = 0.0, 1.0
    for i in range(WATCHED):
        here.low[i] = here.high[i] = values[i]


@compiled
def note_value(here, i, value):
    """Note a value of a watched quantity."""
    here.low[i], here.high[i] = min(here.low[i], value), max(here.high[i], value)


@compiled
def note_fixed(form, modes, here):
    """Note what is watched, where forces are linear in c and no contact is open: normal forces of what slips, and a lower bound of the margin of what rolls, which is the margin
    itself unless both do (then for the tau of the start of the step)."""
    size, margin = fixed_size(form, modes, here), FAR
    per = 1.0 / size if size > 0.0 else 1.0
    loose, tau = here.loose[3 * modes[0] + modes[1]], here.fixed[2]
    for k in range(form.total):
        if modes[k] == SLIP:
            note_value(here, LIFTS + k, here.x[3 * k] * per + UNLOADED)
        else:
            margin = min(margin, slack(here.x, loose, here.mu, form.size, k, tau))
    note_value(here, BREAKS, min(margin * per, 1e3))


@compiled
def note_stage(form, modes, given, here, values):
    """Note what is watched at a stage of DOP853: at those at 0.25, 0.333, 0.6, 0.857 of the step, and at its end. `values`: memory."""
    here.seen[0] += 1.0
    stage = here.seen[0]
    if stage == 5.0 or stage == 6.0 or stage == 9.0 or stage == 10.0 or stage == 12.0:
        if is_fixed(here) and form.size == 2 and modes[0] != OPEN and (form.total == 1 or modes[1] != OPEN):
            note_fixed(form, modes, here)
            return
        watched_here(form, modes, given, here, values)
        for i in range(WATCHED):
            note_value(here, i, values[i])


@compiled
def far_from_end(here):
    """Whether what was noted at the stages of a step stays so far above zero, compared with how much it varies, that the mode does not end in it."""
    for i in range(WATCHED):
        if not here.low[i] > CLEARLY * (here.high[i] - here.low[i]):
            return False
    return True


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
def can_end(form, modes):
    """Whether a mode can end otherwise than by the end of slip of two components (`arrival`): not if known loads slip at all contacts."""
    rolls_or_opens = modes[0] != SLIP or (form.total == 2 and modes[1] != SLIP)
    return form.size == 1 or form.pressing != 0 or rolls_or_opens


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


@compiled
def futures_on(form, modes, x, t, y, h, m):
    """How many futures a state of rolling inside a step has."""
    apart()
    here = m.here
    interpolate(x, y, m.dense, m.y)
    see_again(form, modes, t + x * h, m.y, here)
    aim_within(form, modes, m.record[GIVEN : GIVEN + 6], m)
    return find(form, modes, (modes[0] == ROLL, modes[1] == ROLL), m)


@compiled
def forks_are_asked(form, modes, m):
    """Whether it is asked if rolling is the only future."""
    asked = form.pressing != 0 and (modes[0] == ROLL or modes[1] == ROLL) and m.chosen_from[0] == 0.0
    return asked and math.isnan(m.record[FORKED])


@compiled
def hardly_changed(form, here):
    """Whether c at the instant that `here` holds is nearly that of the start of the step, in a form of which nothing else changes."""
    most, off = 0.0, 0.0
    for i in range(3 * form.total):
        most, off = max(most, abs(here.c[i])), max(off, abs(here.c[i] - here.c_before[i]))
    return form.steady != 0 and off <= CALM * most


@compiled
def first_fork(form, modes, upto, t, y, h, m):
    """Where in a step, until the fraction `upto`, rolling ceases to be the only future, -1: it does not (or that is not asked)."""
    if not forks_are_asked(form, modes, m):
        return -1.0
    low, high = 0.0, upto
    forked = futures_on(form, modes, upto, t, y, h, m) > 1
    if m.values[0, BREAKS] < SAFE or not hardly_changed(form, m.here):
        for place in range(1, ASKED):
            between = upto * place / ASKED
            if futures_on(form, modes, between, t, y, h, m) > 1:
                high, forked = between, True
                break
            low = between
    if not forked:
        return -1.0
    for _ in range(40):
        middle = 0.5 * (low + high)
        if futures_on(form, modes, middle, t, y, h, m) > 1:
            high = middle
        else:
            low = middle
    m.record[FOUND] = futures_on(form, modes, high, t, y, h, m)
    return high
