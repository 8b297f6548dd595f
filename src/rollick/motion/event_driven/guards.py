"""What ends a mode: quantities that are positive while it goes on, and the first place in a step at which one of them falls through zero.

    lands[k]     the gap of an open contact above its level: 0, or a little below where it has just lifted off
    nets[k]      the same far enough below that an impact must have been missed
    leaves[k]    what is left until the gap of a contact that has just lifted off is more than noise
    idles        how far contacts that others keep closed may still be off
    stops        slip above what counts as none
    lifts        the least normal force            breaks     the least room in the cones of contacts that stick
    jams, frees  `drive` above its edge, or below: slip loses its unique normal force (Painleve)
    forks        1 where what sticks is the only future, else -1; the other way round where it is not, and was chosen (`in_band`)

They are asked for at a few places of each step, on its dense output, and at more where one comes so near to zero that it might be
below between them; where one is below after it was above, its zero is found to rounding. How fast surfaces move, the steps of a body in the air do not know: the rates of the gaps
say where to look more closely then. A step that asks for too many places is cut where the search has come to.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...kernel.apart import apart
from ...kernel.bracket import value_of, zero_between
from ...kernel.compiled import compiled
from ...kernel.local_array import float64, local_array
from ...kernel.system import dim
from ...mechanics.contact import (
    contact_count,
    contact_rows,
    contacts_move,
    gap,
    positions,
    rows_per_contact,
    surface_velocity,
    velocities,
)
from ..contact.held import FAR, IDLE, OPEN
from ..contact.uniqueness import is_only_future
from ..ode.dense import copy, interpolate
from .held_body import DRIVE, IDLE_GAP, LEAST_SLIP, MARGIN, NORMAL, is_any_held, tell_signals
from .thresholds import DRIVE_EDGE

PER_CONTACT = 3  # lands, nets, leaves
IDLES, STOPS, LIFTS, JAMS, FREES, BREAKS, FORKS, OTHERS = range(8)  # after those of the contacts
PLACES = 3  # between which a step is looked at
CLOSE = 26  # more of them in the first step of a mode, each twice as far from its start: a rebound may be over long before the step is
DEPTH = 12  # how often what is not plain between two places is halved
MOST = 400  # places of a step at most: it is cut there
CUT = -2  # instead of a guard: none falls up to where a step is cut
MIDDLE = 0.47  # not quite half: what swings is seen
# rows of guards: 0 at the start of a step, at the left end of what is looked at, then at its right ends, one inside the other, and at any other place
BEFORE, FIRST = 1, 2
ROWS = FIRST + DEPTH + 3
DEEPER = DEPTH + 1


class Guards(NamedTuple):
    """A body in modes, its memory (`memory`), and where the algebra of its contacts is (`filippov.algebra.code`)."""

    system: Any
    m: Any
    code: Any


class OnStep(NamedTuple):
    """One of the guards along the dense output of a step, a function of the fraction of the step."""

    guards: Any
    t: float
    h: float
    y: Any
    f: Any
    which: int


# levels: how far a gap that is noise reaches, how far below a surface an impact was missed, what slip counts as none; how much later what follows is asked for (`changes`);
# the size of the body, the largest gap of contacts that take part in an impact, and the largest that may be rounding
ABOVE, NET, NO_SLIP, LATER, BODY_SIZE, CLOSED_GAP, ROUNDED, LEVELS = range(8)


@compiled
def gap_rate(system, t, y, k):
    """How fast the gap of contact k grows."""
    nq = positions(system)
    W, w = local_array((6, velocities(system)), float64), local_array(6, float64)
    contact_rows(system, t, y[:nq], k, W[: rows_per_contact(system)])
    surface_velocity(system, t, y[:nq], k, w)
    total = -w[0]
    for j in range(velocities(system)):
        total += W[0, j] * y[nq + j]
    return total


@compiled
def guards_at(guards, t, y, out):
    """All guards at a state, FAR for those that there are not in these modes; where surfaces move, the rates of the gaps behind them."""
    apart()
    system, modes, levels = guards.system, guards.m.choice.modes[:], guards.m.levels
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
            if contacts_move(system):
                out[last + OTHERS + k] = gap_rate(system, t, y, k)
    if is_any_held(modes):
        tell_signals(system, guards.m.choice, t, y, told)
        if idle:
            out[last + IDLES] = levels[NET] - told[IDLE_GAP]
        if told[LEAST_SLIP] < FAR:
            out[last + STOPS] = told[LEAST_SLIP] - levels[NO_SLIP]
        if told[DRIVE] < FAR:
            out[last + JAMS], out[last + FREES] = told[DRIVE] - DRIVE_EDGE, -DRIVE_EDGE - told[DRIVE]
        out[last + LIFTS], out[last + BREAKS] = told[NORMAL], told[MARGIN]
        if told[MARGIN] < FAR:
            alone = is_only_future(system, guards.code, modes, t, y)
            out[last + FORKS] = 1.0 if alone != (guards.m.in_band > 0.0) else -1.0


@compiled
def look_at(guards, t, y, h, f, x, row):
    """The guards at a place of a step, into a row."""
    state = guards.m.y[: dim(guards.system)]
    interpolate(x, y, f, state)
    guards_at(guards, t + x * h, state, row)


@value_of.register(OnStep)
def _(on, x):
    guards = on.guards
    row = guards.m.values[ROWS - 1]
    look_at(guards, on.t, on.y, on.h, on.f, x, row)
    return row[on.which]


@compiled
def place_of(q, is_first):
    """The q-th place at which a step is looked at, as a fraction of it; `is_first`: it is the first of its mode."""
    if not is_first:
        return q / PLACES
    return 2.0 ** (q - CLOSE - 2) if q <= CLOSE else (q - CLOSE) / PLACES


@compiled
def count_of_guards(system):
    """How many guards there are."""
    return PER_CONTACT * contact_count(system) + OTHERS


@compiled
def is_told(values, left, right, height, rate, duration):
    """Whether a gap that is open at the left is told by its values and rates at the ends of a time: it does not close between them, or it comes down nearly straight."""
    a, b, rise = values[left, height], values[right, height], values[left, rate] * duration
    off = max(abs(b - a - rise), abs(b - a - values[right, rate] * duration))
    return min(a, b) > off or rise > off if b > 0.0 else a - b > 2.0 * off


@compiled
def gaps_are_told(system, values, middle, right, duration, rounded):
    """Whether values and rates tell all gaps of open contacts over a time, in which surfaces may move up and down; but for gaps that are no more than rounding at its start."""
    for k in range(contact_count(system)):
        height, rate = PER_CONTACT * k, count_of_guards(system) + k
        if rounded < values[BEFORE, height] < FAR:
            if not is_told(values, BEFORE, middle, height, rate, MIDDLE * duration):
                return False
            if values[middle, height] > 0.0 and not is_told(values, middle, right, height, rate, (1.0 - MIDDLE) * duration):
                return False
    return True


@compiled
def is_plain(values, middle, right, count, gaps, rounded):
    """Whether no guard that is above zero (the first `gaps` of them: above rounding) at three places is likely to be below between them: straight lines through two neighbours stay above zero beyond them, and it is off a
    straight line by less than it is away from zero.

    The lines make it certain for what bends upwards throughout, or consists of two straight pieces (a ball that flies past a dome).
    """
    beyond = (1.0 - MIDDLE) / MIDDLE
    for i in range(count):
        a, b, c = values[BEFORE, i], values[middle, i], values[right, i]
        if (rounded if i < gaps else 0.0) < a < FAR and b > 0.0 and c > 0.0:
            on_lines = min(b + (b - a) * beyond, b - (c - b) / beyond)
            off = abs(b - a - MIDDLE * (c - a))
            if not (on_lines > 0.0 and min(a, min(b, c)) > off):
                return False
    return True


@compiled
def first_between(guards, t, y, h, f, x0, x1, middle, x2, right):
    """(place, guard) of the first guard that falls through zero between x0 and x2, of which the rows BEFORE, middle (at x1) and right are known; (2, -1): none does.

    A gap that has not been above rounding yet does not fall: a contact has just left.
    """
    values, found, which = guards.m.values, 2.0, -1
    gaps = PER_CONTACT * contact_count(guards.system)
    for i in range(count_of_guards(guards.system)):
        a, b, c = values[BEFORE, i], values[middle, i], values[right, i]
        least = guards.m.levels[ROUNDED] if i < gaps else 0.0
        if not least < a < FAR or (b > 0.0 and c > 0.0):
            continue
        on = OnStep(guards, t, h, y, f, i)
        zero = zero_between(on, x1, b, x2, c, 1e-15)[2] if b > 0.0 else zero_between(on, x0, a, x1, b, 1e-15)[2]
        if zero < found:
            found, which = zero, i
    return found, which


@compiled
def first_ending(guards, t, y, h, f, is_first):
    """(fraction of the step from (t, y) on with the dense output f, which guard) of the first guard that falls through zero; m.values[0]: those at its start.

    The guard is -1 where none does; CUT: none does so far, and the rest of the step is not looked at.
    """
    apart()
    values, ends, count = guards.m.values, local_array(DEEPER, float64), count_of_guards(guards.system)
    gaps, rounded = PER_CONTACT * contact_count(guards.system), guards.m.levels[ROUNDED]
    x0, left = 0.0, MOST
    copy(values[0], values[BEFORE])
    for q in range(1, PLACES + 1 + (CLOSE if is_first else 0)):
        ends[0], top = place_of(q, is_first), 0
        look_at(guards, t, y, h, f, ends[0], values[FIRST])
        while top >= 0:
            x2, right, middle = ends[top], FIRST + top, FIRST + top + 1
            x1 = x0 + MIDDLE * (x2 - x0)
            look_at(guards, t, y, h, f, x1, values[middle])
            left -= 1
            plain = is_plain(values, middle, right, count, gaps, rounded)
            if plain and contacts_move(guards.system):
                plain = gaps_are_told(guards.system, values, middle, right, (x2 - x0) * h, rounded)
            if top < DEPTH and not plain:
                top += 1
                ends[top] = x1
                continue
            found, which = first_between(guards, t, y, h, f, x0, x1, middle, x2, right)
            if which >= 0:
                return found, which
            copy(values[right], values[BEFORE])
            x0 = x2
            top -= 1
            if left <= 0 and x0 < 1.0:
                return x0, CUT
    return 1.0, -1
