"""Many drops of one plate in compiled code: how each ended, and the exponent c of E ~ (t_f - t)^c (section 4.3).

The time left is the sum of the later flights, never the difference to an assumed t_f; ln E after the impacts is fitted by a line in its
logarithm over the middle of the sequence.
"""

from __future__ import annotations

import math

import numpy as np

from ...kernel.compiled import compiled
from ...motion.impacts.loop import BEFORE as LAST_BUT_ONE
from ...motion.impacts.loop import COLUMNS, EDGE, FULL, INTEGERS, LABELS, LAST, LEAVES, PAIR, ZENO, collisions
from ...motion.impacts.settle import settle_pair

LN2 = math.log(2.0)

# How a run ended: all impacts made; accumulation at one point, at two points; left (gravity too weak to matter); at rest; or all impacts
# made, but the time left did not fall by two decades over the part that is fitted, so that there is no exponent yet.
RATTLES, ONE_POINT, TWO_POINTS, LEFT, RESTS, UNDECIDED = range(6)
ENDINGS = ("rattles on", "one point accumulates", "two points accumulate", "leaves", "rests", "undecided")
LEAST = 2.0  # decades of the time left that a fit must span

# What is told of a run: ending, impacts, c, rms misfit of ln E, decades of the time left in the fit, shares of steps 0, +1, -1, period of steps.
WHAT = ("ending", "impacts", "c", "misfit", "decades", "same", "forward", "backward", "period")
LONGEST = 24  # of the words of steps that are looked for
TAIL = 96  # steps at the end that must repeat


@compiled
def line_through(x, y, first, last):
    """Slope and rms misfit of the line through (x, y), entries first .. last - 1."""
    count = last - first
    mx, my = 0.0, 0.0
    for i in range(first, last):
        mx += x[i]
        my += y[i]
    mx, my = mx / count, my / count
    xx, xy, yy = 0.0, 0.0, 0.0
    for i in range(first, last):
        xx += (x[i] - mx) * (x[i] - mx)
        xy += (x[i] - mx) * (y[i] - my)
        yy += (y[i] - my) * (y[i] - my)
    slope = xy / xx if xx > 0.0 else math.nan
    return slope, math.sqrt(max(yy - slope * xy, 0.0) / count)


@compiled
def repeated_period(labels, made, n):
    """The shortest period (up to LONGEST) of the last TAIL steps from point to point; zero if there is none."""
    if made < TAIL + 1:
        return 0
    begin = made - TAIL
    for period in range(1, LONGEST + 1):
        good = True
        for i in range(begin + period, made):
            here = (labels[i, 0] - labels[i - 1, 0]) % n
            there = (labels[i - period, 0] - labels[i - period - 1, 0]) % n
            if here != there:
                good = False
                break
        if good:
            return period
    return 0


@compiled
def points_of_late(labels, made):
    """How many points the last TAIL impacts hit: 1, 2, or 3 for more."""
    a, b = labels[made - 1, 0], -1
    for i in range(max(0, made - TAIL), made):
        if labels[i, 0] != a:
            if b >= 0 and labels[i, 0] != b:
                return 3
            b = labels[i, 0]
    return 1 if b < 0 else 2


@compiled
def drop_runs(f, w, theta, gamma, g, starts, most, low, high, out):
    """Follow the plate from each of `starts` (q, p) through at most `most` impacts; `out` gets one row of WHAT each."""
    values, labels = np.empty((most, COLUMNS)), np.empty((most, LABELS), np.int64)
    s, k = np.empty(7), np.empty(INTEGERS, np.int64)
    energy, left = np.empty(most), np.empty(most)
    n = f.shape[0]
    for run in range(starts.shape[0]):
        for i in range(6):
            s[i] = starts[run, i]
        s[6] = 0.0
        for i in range(INTEGERS):
            k[i] = 0
        k[LAST] = -1
        k[LAST_BUT_ONE] = -1
        made, ending = 0, RATTLES
        while True:
            before = k[4]
            code = collisions(f, w, gamma, g, s, k, most - made, math.inf, -1.0, True, values[made:], labels[made:])
            made += k[4] - before
            if code == PAIR:
                g_now = math.ldexp(g, int(k[0] - 2 * k[1]))
                done, _, _, _ = settle_pair(f, w, gamma, g_now, (s[0], s[1], s[2]), (s[3], s[4], s[5]), k[LAST], k[LAST_BUT_ONE])
                if not done and made < most:
                    continue
                ending = TWO_POINTS if done else RATTLES
            elif code == ZENO:
                ending = ONE_POINT
            elif code == EDGE:
                ending = TWO_POINTS
            elif code == LEAVES:
                ending = LEFT
            elif code != FULL:
                ending = RESTS
            break
        for i in range(9):
            out[run, i] = math.nan
        period = repeated_period(labels, made, n)
        if ending == RATTLES:  # bounces that have shrunk to rounding, too close to another point for the loop to decide
            busy = points_of_late(labels, made)
            ending = ONE_POINT if busy == 1 else TWO_POINTS if busy == 2 else RATTLES
        out[run, 0], out[run, 1], out[run, 8] = ending, made, period
        if made > 1:
            same, forward, backward = 0, 0, 0
            for i in range(1, made):
                step = (labels[i, 0] - labels[i - 1, 0]) % n
                same += step == 0
                forward += step == 1
                backward += step == n - 1
            out[run, 5], out[run, 6], out[run, 7] = same / (made - 1), forward / (made - 1), backward / (made - 1)
        if made < 20:
            continue
        total = -math.inf  # ln of the time left, summed from the end in logarithms
        for i in range(made - 1, -1, -1):
            left[i] = total
            kinetic = theta[0] * values[i, 7] ** 2 + theta[1] * values[i, 8] ** 2 + theta[2] * values[i, 9] ** 2
            height = math.ldexp(theta[2] * g * values[i, 3], int(labels[i, 1] - 2 * labels[i, 2]))
            energy[i] = math.log(0.5 * kinetic + height) + 2.0 * LN2 * labels[i, 2]
            flight = math.log(values[i, 0]) + LN2 * (labels[i, 1] - labels[i, 2]) if values[i, 0] > 0.0 else -math.inf
            big, small = max(total, flight), min(total, flight)
            if big > -math.inf:
                total = big + math.log1p(math.exp(small - big))
        first, last = int(low * made), int(high * made)
        out[run, 2], out[run, 3] = line_through(left, energy, first, last)
        out[run, 4] = (left[first] - left[last - 1]) / math.log(10.0)
        if ending == RATTLES and not out[run, 4] >= LEAST:
            out[run, 0] = UNDECIDED
