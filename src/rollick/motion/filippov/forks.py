"""Where rolling, though it can go on, ceases to be the only future, inside a step.

Such a fork is the edge of a band of states. It is a change of mode like any other: choices and the policy say what follows. If rolling is chosen, the motion is inside the
band until rolling is the only future again; the next band is the next fork.
"""

from __future__ import annotations

import math

from ...kernel.apart import apart
from ...kernel.compiled import compiled
from ..ode.dense import interpolate
from .algebra.forces import ROLL
from .by_address import see_again
from .changing import BREAKS, find
from .memory import FORKED, FOUND, GIVEN
from .watched import aim_within

NO_FORK = -1.0
ASKED = 4  # where in a step it is asked whether rolling is the only future
CALM = 0.05  # of the accelerations at hand: if they change by less, that is asked at the end of the step only
# of the forces at hand: unless the margin of what rolls is less, for there another future may come and go within a step
SAFE = 0.01


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
    """Whether it is asked if rolling is the only future: it rolls, and is not inside a band of forks already."""
    return rolls_under_load(form, modes) and math.isnan(m.record[FORKED])


@compiled
def rolls_under_load(form, modes):
    """Whether a contact rolls whose normal force depends on the motion."""
    return form.pressing != 0 and (modes[0] == ROLL or modes[1] == ROLL)


@compiled
def leave_band(form, modes, t, y, m):
    """Note if rolling at (t, y), which was not the only future since record[FORKED], is so again."""
    apart()
    if not rolls_under_load(form, modes) or math.isnan(m.record[FORKED]):
        return
    see_again(form, modes, t, y, m.here)
    aim_within(form, modes, m.record[GIVEN : GIVEN + 6], m)
    if find(form, modes, (modes[0] == ROLL, modes[1] == ROLL), m) <= 1:
        m.record[FORKED] = math.nan


@compiled
def hardly_changed(form, here):
    """Whether c at the instant that `here` holds is nearly that of the start of the step, in a form of which nothing else changes."""
    most, off = 0.0, 0.0
    for i in range(3 * form.total):
        most, off = max(most, abs(here.c[i])), max(off, abs(here.c[i] - here.c_before[i]))
    return form.steady != 0 and off <= CALM * most


@compiled
def first_fork(form, modes, upto, t, y, h, m):
    """Where in a step, until the fraction `upto`, rolling ceases to be the only future; NO_FORK: it does not (or that is not asked). record[FOUND]: how many there are."""
    if not forks_are_asked(form, modes, m):
        return NO_FORK
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
        return NO_FORK
    for _ in range(40):
        middle = 0.5 * (low + high)
        if futures_on(form, modes, middle, t, y, h, m) > 1:
            high = middle
        else:
            low = middle
    m.record[FOUND] = futures_on(form, modes, high, t, y, h, m)
    return high
