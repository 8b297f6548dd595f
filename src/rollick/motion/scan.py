"""The events in a block of steps."""

from __future__ import annotations

import math

import numpy as np

from ..kernel.compiled import compiled
from .roots import TOUCH, resolution, value_at, zeros_in_step
from .switch import switch_values

FOUND, CROWDED, BAD = 0, 1, 2  # all is well; more zeros than there is room for; g is not finite
MOST = 4096  # zeros per step and component


@compiled
def scan(event, system, size, ts, ys, fs, steps, first, final, rtol, atol, direction, touches, out, places, matrix):
    """Find the zeros of an event in `steps` steps; each row of out becomes (t, component, kind, step), of places the state there.

    `first`: the block starts the motion, `final`: it ends it. A function that is zero (to tolerance) at the very start of the motion
    has already fired and is silent there; one that is zero at the very end is reported at the end. `direction`: +1 rising, -1 falling,
    0 both; a touch counts as the direction of its approach. Returns (status, how many, time of the last step looked at).
    """
    n = ys.shape[1]
    y = np.empty(n)
    g = np.empty(size)
    g_new = np.empty(size)
    g_old = np.empty(size)
    xs = np.empty(MOST)
    kinds = np.empty(MOST)
    stack = np.empty((256, 2))
    v = np.empty(9)
    b = np.empty(11)
    tally = np.zeros(1, np.int64)
    found = 0
    switch_values(event, system, ts[0], ys[0], g_old)
    for i in range(steps):
        switch_values(event, system, ts[i + 1], ys[i + 1], g_new)
        h = ts[i + 1] - ts[i]
        for component in range(size):
            step = (ts[i], h, ys[i], fs[i], ys[i + 1], g_old[component])
            if not (math.isfinite(g_old[component]) and math.isfinite(g_new[component])):
                return BAD, found, ts[i]
            if first and i == 0:
                if abs(g_old[component]) <= resolution(event, system, component, 0.0, step, y, g, rtol, atol):
                    step = (ts[i], h, ys[i], fs[i], ys[i + 1], 0.0)  # silent at the start
            if not zeros_in_step(event, system, component, step, y, g, rtol, atol, xs, kinds, tally, stack, v, b, matrix):
                return BAD, found, ts[i]
            count = tally[0]
            if count == MOST:
                return CROWDED, found, ts[i]
            if final and i == steps - 1 and g_old[component] != 0.0 and (count == 0 or xs[count - 1] < 1.0 - 1e-6):
                if abs(g_new[component]) <= resolution(event, system, component, 1.0, step, y, g, rtol, atol):
                    if abs(g_new[component]) < abs(g_old[component]):
                        xs[count] = 1.0
                        kinds[count] = 1.0 if g_old[component] < 0.0 else -1.0
                        count += 1
            for j in range(count):
                approach = kinds[j]
                if approach == TOUCH:
                    if not touches:
                        continue
                    back = max(0.0, xs[j] - 1e-3)
                    approach = 1.0 if value_at(event, system, component, back, step, y, g) < 0.0 else -1.0
                if direction * approach < 0.0:
                    continue
                if found == out.shape[0]:
                    return CROWDED, found, ts[i]
                x = xs[j]
                out[found, 0] = ts[i + 1] if x == 1.0 else ts[i] + x * h
                out[found, 1] = component
                out[found, 2] = kinds[j]
                out[found, 3] = i
                value_at(event, system, component, x, step, y, g)
                for m in range(n):
                    places[found, m] = ys[i, m] if x == 0.0 else y[m]
                found += 1
        for component in range(size):
            g_old[component] = g_new[component]
    return FOUND, found, ts[steps]
