"""The zeros of an event in a block of steps."""

from __future__ import annotations

import math

import numpy as np

from ...kernel.compiled import compiled
from ..ode.dense import copy
from .kinds import TOUCH, joined, may_be_one
from .probe import (
    ALL,
    BAD,
    COMPONENT,
    COUNT,
    DENSE,
    END,
    ENDED,
    HERE,
    LENGTH,
    NEW,
    NOISY,
    OLD,
    REACHED,
    STRAIGHT,
    TIME,
    nearness,
    stays_near,
    value_at,
)
from .simple import simple_zeros
from .skim import settled
from .standing import ASKED, ENTRIES, FOUND, FRACTION, KIND, NEAR, NOISE, ROW, STATUS, STEP, TOLD, UNTOLD, UPTO

AT_ONCE = 1e-12  # a zero within this fraction of a step is at its start, or at its end
NO_ROOM, CAREFUL = (
    3.0,
    4.0,
)  # beside ALL, CROWDED and BAD: more zeros than rows to write them to; a step that needs the careful search
SUDDENLY = 1e-3  # of what it was: what is left of a function that comes to rest within a step
STILL = 1e-3  # of what it may miss zero by: what changes its sign below that stands still, and its signs are those of rounding


def begin(p, latest):
    """A scan at its beginning: where it stands."""
    latest[latest[:, ROW] >= 0.0, ROW] = TOLD
    p.note[COMPONENT] = 0.0
    return np.zeros(ENTRIES)


@compiled
def begin_block(p, latest, place):
    """The same in compiled code, for one component: a scan of a block of steps at its beginning, of which `place` tells where it stands."""
    if latest[0, ROW] >= 0.0:
        latest[0, ROW] = TOLD
    p.note[COMPONENT] = 0.0
    for j in range(place.size):
        place[j] = 0.0


@compiled
def begin_scanning(p, ts, ys, fs, latest):
    """No zero of a component is known yet; its first step is the one that is looked at."""
    enter(p, ts, ys, fs, 0)
    for j in range(latest.shape[1]):
        latest[0, j] = 0.0
    latest[0, ROW] = TOLD


@compiled
def longest_of(ts, steps):
    """The longest step of a block."""
    longest = 0.0
    for i in range(steps):
        longest = max(longest, abs(ts[i + 1] - ts[i]))
    return longest


@compiled
def enter(p, ts, ys, fs, step):
    """Make a step of a block the one that is looked at; only the states and integrals count."""
    p.note[TIME], p.note[LENGTH], p.note[END] = ts[step], ts[step + 1] - ts[step], ts[step + 1]
    for i in range(p.box.shape[1]):
        p.box[OLD, i] = ys[step, i]
        p.box[NEW, i] = ys[step + 1, i]
        for j in range(NEW - DENSE):
            p.box[DENSE + j, i] = fs[step, j, i]


@compiled
def remember(p, last, x, kind):
    """Remember the latest zero of a component, and whether g stays near zero from it to the end of the step."""
    near = nearness(p, x)
    stays = stays_near(p, x, 1.0, near) and abs(value_at(p, 1.0)) <= 10.0 * near
    last[FRACTION], last[NEAR], last[KIND], last[NOISE] = x, near if stays else 0.0, kind, p.note[NOISY]


@compiled
def goes_on(p, last, x, kind, g_start):
    """Whether the first zero in a step is the latest one of the steps before.

    So it is if g was zero at the start of the step, and is no farther from it on the way, as far as can be known *there*: the direction of a slip that begins is hardly known at
    first, and what depends on it may be zero or not; a moment later it is known.
    """
    if last[FRACTION] == 1.0:
        between = abs(value_at(p, 0.5 * x))
        if x < AT_ONCE or (between <= abs(g_start) and between <= 10.0 * nearness(p, 0.5 * x)):
            return True
    if last[KIND] == 0.0 or last[NEAR] == 0.0:  # it stood at zero at the very start; or it has left zero
        return False
    return may_be_one(last[NOISE] + p.note[NOISY], kind, last[KIND]) and stays_near(p, 0.0, x, last[NEAR])


@compiled
def still_near(p, last):
    """How near to its latest zero g stays through a step, no more than can be known at the end of it; 0: it has left."""
    if last[NEAR] == 0.0 or not stays_near(p, 0.0, 1.0, last[NEAR]):
        return 0.0
    near = min(last[NEAR], nearness(p, 1.0) + last[NOISE])
    return near if abs(value_at(p, 1.0)) <= 10.0 * near else 0.0


@compiled
def comes_to_rest(p, g_start):
    """Whether g, taken as straight, comes to zero, to tolerance, within the step without crossing it: slip that ends."""
    g_end = abs(value_at(p, 1.0))
    return g_end < SUDDENLY * abs(g_start) and g_end <= nearness(p, 1.0)


@compiled
def stands_still(p, last, a, b):
    """Whether g, zero to tolerance before, has not moved from a to b by more than rounding: what is zero there is the same zero."""
    return last[NEAR] > 0.0 and abs(value_at(p, a)) <= 10.0 * STILL * last[NEAR] and stays_near(p, a, b, STILL * last[NEAR])


@compiled
def scan(source, p, ts, ys, fs, steps, latest, direction, touches, out, places, tables, s):
    """Find the zeros of an event in `steps` steps, whose dense output may be made only now, by `source`; each row of out becomes (t, component, kind, step, x), of places the state there.

    `latest`, kept from block to block: a row for each component (see above). A zero that g heads for from the very start of a step, without
    having left the neighbourhood of the zero before it, is the same. `direction`: +1 rising, -1 falling, 0 both; a touch counts as the
    direction of its approach. `s` is where the scan stands (see `begin`), so that it goes on where it left off.

    Returns ALL; or why it ended there, with s[STEP] the step and s[UPTO] the fraction of it up to which all zeros are known; or CAREFUL: the
    present component (note[COMPONENT]) must first be searched by `roots.zeros_in_step`.
    """
    while s[STEP] < steps:
        i = int(s[STEP])
        if s[ASKED] == 0.0 and p.note[COMPONENT] == 0.0:
            if settled(source, p, ts, ys, fs, i, latest, tables, s):
                s[STEP] += 1.0
                continue
            enter(p, ts, ys, fs, i)
            s[STATUS], s[UPTO] = ALL, 1.0
        for component in range(int(p.note[COMPONENT]), p.g.size):
            p.note[COMPONENT] = component
            g_start = value_at(p, 0.0)
            if not math.isfinite(g_start):
                s[UPTO] = 0.0
                return BAD
            if s[ASKED] == 0.0 and not simple_zeros(p, tables):
                s[ASKED] = 1.0
                return CAREFUL
            s[ASKED] = 0.0
            if p.note[ENDED] != ALL and p.note[REACHED] < s[UPTO]:
                s[STATUS], s[UPTO] = p.note[ENDED], p.note[REACHED]
            last, count = latest[component], int(p.note[COUNT])
            if count == 0 and p.note[STRAIGHT] > 0.0 and last[NEAR] == 0.0 and comes_to_rest(p, g_start):
                count, p.zeros[0, 0], p.zeros[1, 0] = 1, 1.0, math.copysign(TOUCH, -g_start)
            if count == 0:
                last[FRACTION], last[NEAR] = 0.0, still_near(p, last)
            for j in range(count):
                x, kind = p.zeros[0, j], p.zeros[1, j]
                if j == 0 and goes_on(p, last, x, kind, g_start):
                    kind = joined(last[KIND], kind) if last[KIND] != 0.0 else kind
                    if last[ROW] >= 0.0:
                        out[int(last[ROW]), 2] = kind
                elif stands_still(p, last, 0.0 if j == 0 else p.zeros[0, j - 1], x):
                    remember(p, last, x, last[KIND])
                    continue
                else:
                    last[ROW] = UNTOLD
                remember(p, last, x, kind)
                if last[ROW] != UNTOLD or direction * kind < 0.0 or (abs(kind) < 1.0 and not touches):
                    continue
                found = int(s[FOUND])
                if found == out.shape[0]:
                    return NO_ROOM
                last[ROW] = found
                s[FOUND] += 1.0
                out[found, 0] = ts[i + 1] if x == 1.0 else ts[i] + x * p.note[LENGTH]
                out[found, 1] = component
                out[found, 2] = kind
                out[found, 3] = i
                out[found, 4] = x
                value_at(p, x)
                copy(p.box[HERE], places[found])
        if s[STATUS] != ALL:
            return s[STATUS]
        p.note[COMPONENT] = 0.0
        s[STEP] += 1.0
    return ALL
