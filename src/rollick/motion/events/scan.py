"""The zeros of an event in a block of steps."""

from __future__ import annotations

import math

from ...kernel.compiled import compiled
from ..ode.dense import copy
from .probe import COMPONENT, COUNT, DENSE, END, HERE, LENGTH, NEW, OLD, TIME, value_at
from .roots import ALL, BAD, zeros_in_step

AT_ONCE = 1e-12  # a zero within this fraction of a step is at its start, or at its end
NO_ROOM = 3  # beside ALL, CROWDED and BAD: more zeros than rows to write them to


@compiled
def enter(p, t, y, f, t_new, y_new):
    """Make a step the one that is looked at; only the states and integrals of y count."""
    p.note[TIME], p.note[LENGTH], p.note[END] = t, t_new - t, t_new
    for i in range(p.box.shape[1]):
        p.box[OLD, i] = y[i]
        p.box[NEW, i] = y_new[i]
        for j in range(NEW - DENSE):
            p.box[DENSE + j, i] = f[j, i]


@compiled
def scan(p, ts, ys, fs, steps, latest, direction, touches, out, places, tables):
    """Find the zeros of an event in `steps` steps; each row of out becomes (t, component, kind, step, x), of places the state there.

    `latest`, kept from block to block: the fraction of the last step at which each component had its latest zero; 1: the start of the next
    step is as good as zero and has been reported, so that a zero that g heads for from the very start is the same. `direction`: +1 rising, -1 falling, 0 both; a touch counts as the direction of its approach.
    Returns a status, how many zeros, and the step and the fraction of it up to which all are known.
    """
    found = 0
    for i in range(steps):
        enter(p, ts[i], ys[i], fs[i], ts[i + 1], ys[i + 1])
        status, reached = ALL, 1.0
        for component in range(p.g.size):
            p.note[COMPONENT] = component
            g_start = value_at(p, 0.0)
            if not math.isfinite(g_start):
                return BAD, found, i, 0.0
            ended, x = zeros_in_step(p, tables)
            if ended != ALL and x < reached:
                status, reached = ended, x
            fired = latest[component] == 1.0
            latest[component] = 0.0
            for j in range(int(p.note[COUNT])):
                x, kind = p.zeros[0, j], p.zeros[1, j]
                latest[component] = x
                if fired and j == 0 and (x < AT_ONCE or abs(value_at(p, 0.5 * x)) <= abs(g_start)):
                    continue
                if direction * kind < 0.0 or (abs(kind) < 1.0 and not touches):
                    continue
                if found == out.shape[0]:
                    return NO_ROOM, found, i, 0.0
                out[found, 0] = ts[i + 1] if x == 1.0 else ts[i] + x * p.note[LENGTH]
                out[found, 1] = component
                out[found, 2] = kind
                out[found, 3] = i
                out[found, 4] = x
                value_at(p, x)
                copy(p.box[HERE], places[found])
                found += 1
        if status != ALL:
            return status, found, i, reached
    return ALL, found, steps, 0.0
