"""Steps in which an event function plainly keeps its sign, told from states of order 6, before there is a dense output.

Chebyshev points of a step, 3 of them, then 5, then 9, give the coefficients c0, c1, ... of g there; g keeps its sign if c0 is much larger than the others.
How much larger is chosen such that whoever searches the dense output finds no zero either:

* three points, for states and for signals that are as smooth (`describe(..., smooth=...)`): |c0| at least `QUICK` (|c1| + |c2|);
* five points, for the same: |c0| - |c1| at least 2 |c2| + 4 |c3| + 16 |c4| and a tenth of |c1| + |c2|;
* nine points, for any function (it may have narrow peaks, or depend on time): the hull of `shape`, kept away from by a tenth of the largest value.

The first two rely on steps that are short for what moves: the state half-way must be where the cubic of both ends has it, to a fraction `SHORT` (`LONG`) of
the way. For an oscillation that is about 1.3 (2.3) radians a step, so that a polynomial of degree 8 (5) in the states cannot swing unseen between the samples.
"""

from __future__ import annotations

import math
from typing import Any

from ...kernel.compiled import compiled
from ...kernel.dispatch import generic
from ...kernel.system import description
from ..ode.dense import copy
from ..ode.later import END, FIRST, LAST, LENGTH, Later, Made, is_put_off, make, state_inside
from .functions import SignalLevel, StateLevel, switch_values
from .probe import EPS, HERE, OF_FUNCTION, OF_SIGNAL, OF_STATE, SAMPLES, SORT
from .shape import DEGREE, POINTS, shape_of
from .standing import FRACTION, HELD, MADE, NEAR, OF_TIME, TIMED, TIMELESS, UNKNOWN, VALUE

QUICK = 4.0
SHORT, LONG = 0.01, 0.05
AWAY = 0.1
EVERY = 16  # steps between two looks whether a signal depends on the time


def sort_of(switch: Any, system: Any) -> int:
    """Which sort of event function this is: signals count as such if their system says that they are smooth."""
    if isinstance(switch, StateLevel):
        return OF_STATE
    if isinstance(switch, SignalLevel):
        about = description(system)
        return OF_SIGNAL if about.signals[switch.place].name in about.smooth else OF_FUNCTION
    return OF_FUNCTION


@compiled
def bent(p, f, y):
    """How far the state half-way (the row HERE becomes it) is from the cubic of both ends: 0 a little, 1 somewhat, 2 far."""
    h, found = f[LENGTH, 0], 0
    here = p.box[HERE]
    state_inside(f, y, 4, here)
    for i in range(here.size):
        a, b = h * f[FIRST, i], h * f[LAST, i]
        off = abs(here[i] - 0.5 * (y[i] + f[END, i]) - 0.125 * (a - b)) - 16.0 * EPS * abs(y[i])
        way = max(abs(f[END, i] - y[i]), max(abs(a), abs(b)))
        if not off <= SHORT * way:
            found = max(found, 1 if off <= LONG * way else 2)
    return found


@compiled
def g_at(p, t, y):
    """The value of an event function of one component."""
    copy(y, p.box[HERE])
    switch_values(p.event, p.system, t, p.box[HERE], p.g)
    return p.g[0]


@compiled
def g_inside(p, ts, f, y, step, j, tables):
    """The same at a Chebyshev point of a step."""
    state_inside(f, y, j, p.box[HERE])
    switch_values(p.event, p.system, ts[step] + tables[POINTS, j] * (ts[step + 1] - ts[step]), p.box[HERE], p.g)


@compiled
def far_by_few(p, ts, ys, f, step, curved, last, tables, s):
    """Whether a smooth function of one component keeps its sign in a step, by three or five points; HERE holds the state half-way."""
    t, h = ts[step], ts[step + 1] - ts[step]
    switch_values(p.event, p.system, t + 0.5 * h, p.box[HERE], p.g)
    middle = p.g[0]
    first = last[VALUE] if s[HELD] == step + 1.0 else g_at(p, t, ys[step])
    end = g_at(p, ts[step + 1], ys[step + 1])
    last[VALUE], s[HELD] = end, step + 2.0
    if p.note[SORT] == OF_SIGNAL and (last[TIMED] == UNKNOWN or step % EVERY == 0):
        switch_values(p.event, p.system, t + 0.37 * h, p.box[HERE], p.g)
        last[TIMED] = TIMELESS if p.g[0] == end else OF_TIME
        if last[TIMED] == OF_TIME:
            return False
    c1, c2 = 0.5 * (end - first), 0.25 * (first - 2.0 * middle + end)
    if curved == 0 and abs(0.25 * (first + 2.0 * middle + end)) >= QUICK * (abs(c1) + abs(c2)):
        return math.isfinite(middle) and first != 0.0 and end != 0.0
    if not (first > 0.0) == (end > 0.0) == (middle > 0.0):
        return False
    g_inside(p, ts, f, ys[step], step, 2, tables)
    before = p.g[0]
    g_inside(p, ts, f, ys[step], step, 6, tables)
    after = p.g[0]
    # g = sum of c_k T_k(2x - 1) through five samples
    root = 0.7071067811865476
    c0 = (0.5 * (first + end) + before + middle + after) / 4.0
    c1 = (0.5 * (end - first) + root * (after - before)) / 2.0
    c2 = (0.5 * (first + end) - middle) / 2.0
    c3 = (0.5 * (end - first) - root * (after - before)) / 2.0
    c4 = (0.5 * (first + end) - before + middle - after) / 4.0
    away = abs(c0) - abs(c1)
    return away >= 2.0 * abs(c2) + 4.0 * abs(c3) + 16.0 * abs(c4) and away > AWAY * (abs(c1) + abs(c2)) and math.isfinite(c0)


@compiled
def far_by_many(p, ts, ys, f, step, tables):
    """Whether all components keep their signs in a step, by nine points each."""
    v = p.desk[SAMPLES]
    for component in range(p.g.size):
        for j in range(DEGREE + 1):
            if j == 0 or j == DEGREE:
                end = step + (1 if j > 0 else 0)
                g_at(p, ts[end], ys[end])
            else:
                g_inside(p, ts, f, ys[step], step, j, tables)
            v[j] = p.g[component]
            if not math.isfinite(v[j]):
                return False
            if j > 0 and (v[j] > 0.0) != (v[0] > 0.0):
                return False
        low, high, size, _, unsure, _, _, _ = shape_of(p.desk, tables, 0.0)
        if not max(low, -high) - unsure > AWAY * size:
            return False
    return True


@generic
def settled(source, p, ts, ys, fs, step, latest, tables, s):
    """Whether no component of an event function can vanish in a step whose dense output was put off; it is made if that is not plain."""


@settled.register(Made)
def _(source, p, ts, ys, fs, step, latest, tables, s):
    return False


@settled.register(Later)
def _(source, p, ts, ys, fs, step, latest, tables, s):
    if not is_put_off(fs, step):
        return False
    near = False
    for component in range(latest.shape[0]):
        near = near or latest[component, NEAR] != 0.0  # it has not left its latest zero yet
    far = False
    if not near:
        f = fs[step]
        curved = bent(p, f, ys[step])
        if curved < 2:
            if p.note[SORT] < OF_FUNCTION and latest[0, TIMED] != OF_TIME:
                far = far_by_few(p, ts, ys, f, step, curved, latest[0], tables, s)
            else:
                far = far_by_many(p, ts, ys, f, step, tables)
    if far:
        for component in range(latest.shape[0]):
            latest[component, FRACTION] = 0.0
    elif make(source, ts, ys, fs, step):
        s[MADE] += 1.0
    return far
