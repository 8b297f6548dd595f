"""A motion from event to event, whole, in compiled code: mode after mode by DOP853, as `hybrid.automaton.follow` follows it for Python. Its end is what comes back.

Each step is looked at before the next one is made. What cannot be decided here (`changes`), and whatever goes wrong, is told as ASK: Python follows such a motion again, and says why.
"""

from __future__ import annotations

import math

from ...kernel.apart import apart
from ...kernel.compiled import compiled
from ...kernel.local_array import float64, local_array
from ...kernel.system import dim, rate
from ...mechanics.contact import contact_count, gap, positions
from ..contact.event_driven import CROWD, SAME
from ..ode import control as c
from ..ode.around_step import all_finite
from ..ode.block import Block, Tolerance
from ..ode.control import SIZE
from ..ode.dense import ROWS as DENSE
from ..ode.dense import copy, interpolate
from ..ode.dop853 import ROWS as STAGES
from ..ode.explicit import advance_explicit, first_step
from .changes import after, begin
from .guards import Guards, first_ending, guards_at
from .held_body import HeldBody
from .one_closed import ASK, TAKEN

ORDER = 8.0  # of DOP853
# options: how well states are known, longest step, most steps, most changes of mode, how far below a surface no step may end, whether stiffness is looked for
RTOL, MAX_STEP, MAX_STEPS, MAX_CHANGES, DEEPEST, STIFF, OPTIONS = range(7)
END_TIME, STEPS, CHANGES, TOLD = range(4)  # what is told of a motion besides its end


@compiled
def least_gap(system, t, y):
    """The least gap of all contacts."""
    least = math.inf
    for k in range(contact_count(system)):
        least = min(least, gap(system, t, y[: positions(system)], k))
    return least


@compiled
def through_mode(system, code, m, s, y, k, tolerance, block, options):
    """A mode until a guard ends it, or the motion reaches its end: the number of the guard, -1: the end, -2: something else."""
    apart()
    body, guards = HeldBody(system, m.choice), Guards(system, m, code)
    rate(body, s[c.TIME], y, k[0])
    if not all_finite(k[0], y.size):
        return -2
    s[c.STEP] = first_step(body, s[c.TIME], y, s[c.END], ORDER, options[MAX_STEP], k, tolerance.relative, tolerance.absolute)
    guards_at(guards, s[c.TIME], y, m.values[0])
    why, is_first = c.FULL, True
    while why == c.FULL:
        why = advance_explicit(body, s, y, k, tolerance, block)
        if s[c.STORED] == 0.0:
            break
        t = block.ts[0]
        x, which = first_ending(guards, t, block.ys[0], block.ts[1] - t, block.fs[0], is_first)
        is_first = False
        if which >= 0 and x < 1.0:
            s[c.TIME] = t + x * (block.ts[1] - t)
            interpolate(x, block.ys[0], block.fs[0], y)
        guards_at(guards, s[c.TIME], y, m.values[0])
        if which >= 0:
            return which
        if not least_gap(system, s[c.TIME], y) >= -options[DEEPEST]:
            return -2
    return -1 if why == c.REACHED else -2


@compiled
def follow_from(system, code, m, s, y, tolerance, options, told):
    """The motion from (s[TIME], y) until s[END]; TAKEN if it got there, else ASK."""
    apart()
    k, none = local_array((STAGES, dim(system)), float64), local_array((1, 1), float64)
    block = Block(
        local_array(2, float64), local_array((2, dim(system)), float64), local_array((1, DENSE, dim(system)), float64), none[0, :0], none, True, True,
        options[STIFF] > 0.0,
    )  # fmt: skip
    if begin(system, code, m, s[c.TIME], y, options[RTOL]) != TAKEN:
        return ASK
    crowd, instant = 0, -math.inf
    while s[c.END] > s[c.TIME]:
        which = through_mode(system, code, m, s, y, k, tolerance, block, options)
        if which < 0:
            break
        crowd = crowd + 1 if s[c.TIME] - instant <= SAME else 1
        instant = s[c.TIME] if crowd == 1 else instant
        told[CHANGES] += 1.0
        if crowd > CROWD or told[CHANGES] >= options[MAX_CHANGES] or s[c.LEFT] <= 0.0:
            return ASK
        if after(system, code, m, which, s[c.TIME], y, options[RTOL]) != TAKEN:
            return ASK
        s[c.STORED] = s[c.LAST_REJECTED] = s[c.STIFF] = s[c.NOT_STIFF] = 0.0
    told[END_TIME], told[STEPS] = s[c.TIME], s[c.ACCEPTED]
    return TAKEN if s[c.TIME] == s[c.END] and least_gap(system, s[c.TIME], y) >= -options[DEEPEST] else ASK


@compiled
def follow_contacts(system, code, m, start, span, tolerances, options, end, told):
    """The end of a motion over a span of time into `end`, and what is told of it; TAKEN, or ASK. code: where the algebra of its contacts is (`filippov.code`); m: memory;
    tolerances: the relative one, then one for each state."""
    apart()
    s, atol, y = local_array(SIZE, float64), local_array(dim(system), float64), local_array(dim(system), float64)
    for i in range(SIZE):
        s[i] = 0.0
    for i in range(dim(system)):
        y[i], atol[i] = start[i], tolerances[1 + i]
    for i in range(told.size):
        told[i] = 0.0
    s[c.TIME], s[c.END], s[c.MOST_STEP], s[c.LEFT] = span[0], span[1], options[MAX_STEP], options[MAX_STEPS]
    status = follow_from(system, code, m, s, y, Tolerance(tolerances[0], atol), options, told)
    copy(y, end)
    return status
