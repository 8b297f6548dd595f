"""An event function inside one step: its value anywhere in it, and what that may be wrong by."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ...kernel.bracket import value_of
from ...kernel.compiled import compiled
from ..ode.dense import ROWS, interpolate_row
from .functions import switch_values

DEPTH = 40  # halvings of a step before a function is taken as not smooth
MOST = 4096  # zeros kept per step and component
EPS = 2.220446049250313e-16


class Probe(NamedTuple):
    """An event function inside one step. Few arrays, each of many rows: the fewer, the faster this compiles."""

    event: Any  # see `switch`
    system: Any
    box: np.ndarray  # rows of the length of the state, see below
    note: np.ndarray  # numbers, see below
    g: np.ndarray  # the values of all components
    zeros: np.ndarray  # the zeros found: row 0 their step fractions, row 1 their kinds
    desk: np.ndarray  # rows: samples, coefficients, left and right ends of the intervals to look at


# Rows of `box`: the start of the step, its dense output, its end; a state inside; the tolerances.
OLD, DENSE, NEW, HERE, ATOL = 0, 1, 1 + ROWS, 2 + ROWS, 3 + ROWS
# Entries of `note`: the component looked at; t, h and t + h; rtol; how many zeros, too many, up to where touches are known, and the rounding
# noise of g where it was met; how the search for them ended, and the fraction of the step before which all are known (see `roots`); whether
# g is taken as straight between the ends of a step: what holds at both (a closed gap, a unit quaternion) does not hold on the chord; which sort of function it
# is (see `skim`).
COMPONENT, TIME, LENGTH, END, RTOL, COUNT, FULL, KNOWN, NOISY, ENDED, REACHED, STRAIGHT, SORT = range(13)
OF_STATE, OF_SIGNAL, OF_FUNCTION = range(3)  # sorts of event functions: a state, a signal, any function
ALL, CROWDED, BAD = 0.0, 1.0, 2.0  # how a search ends: all zeros found; too many of them; g is not finite
SAMPLES, COEFFICIENTS, LEFT, RIGHT = range(4)  # rows of `desk`


def probe(
    event: Any, system: Any, size: int, rtol: float, atol: np.ndarray, straight: bool = False, sort: int = OF_FUNCTION
) -> Probe:
    """Room to look for the zeros of an event function of `size` components, which may be taken as straight in each step, of a sort."""
    box, note = np.zeros((ATOL + 1, atol.size)), np.zeros(SORT + 1)
    box[ATOL], note[RTOL], note[STRAIGHT], note[SORT] = atol, rtol, straight, sort
    return Probe(event, system, box, note, np.zeros(size), np.zeros((2, MOST)), np.zeros((4, DEPTH + 8)))


@compiled
def value_at(p, x):
    """g at the fraction x of the step; the row HERE becomes the state there."""
    f = p.box
    interpolate_row(x, f, HERE)
    t = p.note[TIME] + x * p.note[LENGTH]
    if x == 1.0:
        t = p.note[END]
        for i in range(f.shape[1]):
            f[HERE, i] = f[NEW, i]
    component = int(p.note[COMPONENT])
    if p.note[STRAIGHT] > 0.0 and x != 1.0:
        switch_values(p.event, p.system, p.note[TIME], f[OLD], p.g)
        first = p.g[component]
        if x == 0.0:
            return first
        switch_values(p.event, p.system, p.note[END], f[NEW], p.g)
        return (1.0 - x) * first + x * p.g[component]
    switch_values(p.event, p.system, t, f[HERE], p.g)
    return p.g[component]


@value_of.register(Probe)
def _(p, x):
    return value_at(p, x)


@compiled
def resolution(p, x):
    """g at x, and what it may miss zero by: what it changes if each state moves by ten times its tolerance, and the time by its rounding.

    A g that changes nothing but its sign then is a step between two values. It is never near zero.
    """
    here = value_at(p, x)
    y = p.box[HERE]
    t = p.note[END] if x == 1.0 else p.note[TIME] + x * p.note[LENGTH]
    i = int(p.note[COMPONENT])
    switch_values(p.event, p.system, t, y, p.g)
    unmoved = p.g[i]
    total, steps = 0.0, True
    for j in range(-1, y.size):  # -1: the time, 0...: the states
        kept = y[max(j, 0)]
        if j >= 0:
            y[j] = kept + 10.0 * (p.box[ATOL, j] + p.note[RTOL] * abs(kept))
        switch_values(p.event, p.system, t * (1.0 + 2.0 * EPS) if j < 0 else t, y, p.g)
        if math.isfinite(p.g[i]):
            total += abs(p.g[i] - unmoved)
            steps = steps and abs(p.g[i]) == abs(unmoved)
        y[max(j, 0)] = kept
    return here, 0.0 if steps else total


@compiled
def nearness(p, x):
    """What |g| is at most where the motion touches zero at x, as far as can be known: its doubt (`resolution`), its rounding, its noise."""
    beside = value_at(p, x - min(0.5 * x, 0.1))
    return resolution(p, x)[1] + 8.0 * EPS * abs(beside) + p.note[NOISY]


@compiled
def stays_near(p, a, b, near):
    """Whether g keeps within ten times `near` between a and b: zeros at both are then one and the same."""
    for k in range(1, 4):
        if not abs(value_at(p, a + 0.25 * k * (b - a))) <= 10.0 * near:
            return False
    return True


@compiled
def noise_in(p, left, right):
    """The noise of g in an interval: what is left of it in second differences over distances at which a smooth function is straight."""
    step = max((right - left) * 2.0**-24, 2.0**-50)
    most = 0.0
    for k in range(5):
        x = left + (0.1 + 0.175 * k) * (right - left)
        before, here = value_at(p, x), value_at(p, x + step)
        for i in range(2, 5):
            after = value_at(p, x + i * step)
            most = max(most, abs(after - 2.0 * here + before))
            before, here = here, after
    return 0.5 * most
