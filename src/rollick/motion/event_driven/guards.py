"""What ends a mode: quantities that are positive while it goes on, and the first place in a step at which one of them falls through zero.

    lands[k]     the gap of an open contact above its level: 0, or a little below where it has just lifted off
    nets[k]      the same far enough below that an impact must have been missed
    leaves[k]    what is left until the gap of a contact that has just lifted off is more than noise
    idles        how far contacts that others keep closed may still be off
    stops        slip above what counts as none
    lifts        the least normal force            breaks     the least room in the cones of contacts that stick
    jams, frees  `drive` above its edge, or below: slip loses its unique normal force (Painleve)

These are the endings of `contact.transitions`. They are asked for at a few places of each step, on its dense output; where one is below zero after it was above, or dips below between
two places, its zero is found to rounding.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...kernel.apart import apart
from ...kernel.bracket import value_of, zero_between
from ...kernel.compiled import compiled
from ...kernel.dispatch import constant
from ...kernel.local_array import float64, local_array
from ...mechanics.contact import contact_count, gap, positions
from ..contact.held import FAR, IDLE, OPEN
from ..contact.transitions import EDGE
from ..ode.dense import interpolate
from .held_body import DRIVE, IDLE_GAP, LEAST_SLIP, MARGIN, NORMAL, is_any_held, tell_signals

PER_CONTACT = 3  # lands, nets, leaves
IDLES, STOPS, LIFTS, JAMS, FREES, BREAKS = range(6)  # after those of the contacts
PLACES = 6  # at which a step is looked at after its start
CLOSE = 26  # more of them in the first step of a mode, each twice as far from its start: a rebound may be over long before the step is
ROWS = 5  # guards at the start of a step, at three places, and at any other
DEEP = 0.5  # of its values around: a dip that goes so deep is looked at closely
HALVINGS = 40


@constant
def guard_count(system):
    """The number of guards: a constant of the type."""


@guard_count.otherwise
def _(system):
    return PER_CONTACT * int(contact_count(system)) + 6


class Guards(NamedTuple):
    """A body in modes, and its memory (`memory`)."""

    system: Any
    m: Any


class OnStep(NamedTuple):
    """One of the guards along the dense output of a step, a function of the fraction of the step."""

    guards: Any
    t: float
    h: float
    y: Any
    f: Any
    which: int


# levels: how far a gap that is noise reaches, how far below a surface an impact was missed, what slip counts as none; and how much later what follows is asked for (`changes`)
ABOVE, NET, NO_SLIP, LATER, LEVELS = range(5)


@compiled
def guards_at(guards, t, y, out):
    """All guards at a state; FAR for those that there are not in these modes."""
    apart()
    system, modes, levels = guards.system, guards.m.choice.modes, guards.m.levels
    nq, last = positions(system), PER_CONTACT * contact_count(system)
    told = local_array(5, float64)
    for i in range(out.size):
        out[i] = FAR
    idle = False
    for k in range(contact_count(system)):
        idle = idle or modes[k] == IDLE
        if modes[k] == OPEN:
            height = gap(system, t, y[:nq], k)
            out[PER_CONTACT * k] = height + (levels[ABOVE] if guards.m.lifted[k] > 0.0 else 0.0)
            out[PER_CONTACT * k + 1] = height + levels[NET]
            if guards.m.lifted[k] > 0.0:
                out[PER_CONTACT * k + 2] = levels[ABOVE] - height
    if is_any_held(modes):
        tell_signals(system, guards.m.choice, t, y, told)
        if idle:
            out[last + IDLES] = levels[NET] - told[IDLE_GAP]
        if told[LEAST_SLIP] < FAR:
            out[last + STOPS] = told[LEAST_SLIP] - levels[NO_SLIP]
        if told[DRIVE] < FAR:
            out[last + JAMS], out[last + FREES] = told[DRIVE] - EDGE, -EDGE - told[DRIVE]
        out[last + LIFTS], out[last + BREAKS] = told[NORMAL], told[MARGIN]


@value_of.register(OnStep)
def _(on, x):
    guards = on.guards
    interpolate(x, on.y, on.f, guards.m.y)
    row = guards.m.values[ROWS - 1]
    guards_at(guards, on.t + x * on.h, guards.m.y, row)
    return row[on.which]


@compiled
def place_of(q, is_first):
    """The q-th place at which a step is looked at, as a fraction of it; `is_first`: it is the first of its mode."""
    if not is_first:
        return q / PLACES
    return 2.0 ** (q - CLOSE - 3) if q <= CLOSE else (q - CLOSE) / PLACES


@compiled
def dips(x0, a, x1, b, x2, c):
    """Whether a guard that is above zero at three places may be below between them: the parabola through them has its vertex there, and deep."""
    left, right = (b - a) / (x1 - x0), (c - b) / (x2 - x1)
    bend = (right - left) / (x2 - x0)
    if not bend > 0.0:
        return False
    at = 0.5 * (x0 + x1) - 0.5 * left / bend
    return x0 < at < x2 and a + left * (at - x0) + bend * (at - x0) * (at - x1) < DEEP * min(a, min(b, c))


@compiled
def bottom(on, low, middle, high, value):
    """A place at which a guard is below zero between two at which it is not, by halving towards where it is least; -1: there is none."""
    for _ in range(HALVINGS):
        left, right = 0.5 * (low + middle), 0.5 * (middle + high)
        a = value_of(on, left)
        if a < 0.0:
            return left
        b = value_of(on, right)
        if b < 0.0:
            return right
        if a < value and a <= b:
            middle, high, value = left, middle, a
        elif b < value:
            low, middle, value = middle, right, b
        else:
            low, high = left, right
    return -1.0


@compiled
def falls_between(guards, i, x0, a, x1, b, x2, c, on):
    """Where a guard falls through zero between the places x1 and x2, or x0 and x2 if it dips there; 2: nowhere. a, b, c: its values (x0 < 0: there is no first place)."""
    if not b > 0.0 or b >= FAR:
        return 2.0
    if c > 0.0:
        if x0 < 0.0 or not a > 0.0 or not dips(x0, a, x1, b, x2, c):
            return 2.0
        low = bottom(on, x0, x1, x2, b)
        if low < 0.0:
            return 2.0
        if low < x1:
            return zero_between(on, x0, a, low, value_of(on, low), 1e-15)[2]
        x2, c = low, value_of(on, low)
    return zero_between(on, x1, b, x2, c, 1e-15)[2]


@compiled
def first_ending(guards, t, y, h, f, is_first):
    """(fraction of the step from (t, y) on with the dense output f, which guard, -1: none) of the first guard that falls through zero; guards.m.values[0]: those at its start."""
    apart()
    values, found, which = guards.m.values, 2.0, -1
    older, before, here = 3, 0, 1  # rows: at three places, one after the other
    x0, x1 = -1.0, 0.0
    for q in range(1, PLACES + 1 + (CLOSE if is_first else 0)):
        x2 = place_of(q, is_first)
        interpolate(x2, y, f, guards.m.y)
        guards_at(guards, t + x2 * h, guards.m.y, values[here])
        for i in range(values.shape[1]):
            on = OnStep(guards, t, h, y, f, i)
            zero = falls_between(guards, i, x0, values[older, i], x1, values[before, i], x2, values[here, i], on)
            if zero < found:
                found, which = zero, i
        if which >= 0:
            return found, which
        older, before, here = before, here, 1 + q % 3
        x0, x1 = x1, x2
    return 1.0, -1
