"""Members of an ensemble eight abreast: a loop that keeps eight places filled, each with a motion of its own, which take their steps together.

Each motion has its own time, step, rejections and end; only the arithmetic of the stages is shared, lane by lane. A place whose motion has ended is given to the
next member; places that nobody takes stand still as copies of another. So the numbers of a member do not depend on which others go with it, how many
they are, and where it goes. Against a motion by itself (`simulate`) sums are rounded otherwise (`kernel.abreast`).

For systems whose rate has no branches (`describe(..., abreast=True)`), of which only ends are asked. Whether members go so is decided by the call and the type
of the system, never by their number: else results would depend on the size of chunks.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.core.errors import NumbaError

from ...kernel.abreast import LANES, WIDTH
from ...kernel.compiled import DISABLED, compiled
from ...kernel.erased import REALS
from ...kernel.scalar import sqrt
from ...kernel.system import description, project, rate
from ...motion.ode import control as c
from ...motion.ode.abreast import SPOILED, TOTAL3, TOTAL5, abreast_entry, call_abreast
from ...motion.ode.around_step import all_finite, next_step
from ...motion.ode.dense import copy
from ...motion.ode.dop853 import NEW, TWELFTH, error_of
from ...motion.ode.dop853 import ROWS as STAGES
from ...motion.ode.erased import Erased
from ...motion.ode.explicit import accept, first_step, is_stiff, reject
from .loop import ASK, DONE, ORDER, concluded
from .watching import ByAddress

STIFF = -2.0  # what `good` is of a place whose motion turned out to be stiff


class Ranks(NamedTuple):
    """The memory of eight members abreast; the last axis is the place."""

    s: np.ndarray  # the control records
    t: np.ndarray
    h: np.ndarray
    y: np.ndarray
    k: np.ndarray
    sums: np.ndarray
    addresses: np.ndarray
    member: np.ndarray  # which member has a place; -1: none
    good: np.ndarray  # 1.0 where a step was accepted


def make_ranks(n: int) -> Ranks:
    """Memory for members of n components."""
    return Ranks(
        np.zeros((WIDTH, c.SIZE)), aligned(WIDTH), aligned(WIDTH), aligned(n, WIDTH), aligned(STAGES, n, WIDTH), aligned(3, WIDTH),
        np.zeros(WIDTH, np.int64), np.full(WIDTH, -1), aligned(WIDTH),
    )  # fmt: skip


def aligned(*shape: int) -> np.ndarray:
    """Zeros in memory as vectors of the processor want it."""
    size, bytes_ = int(np.prod(shape)), 8 * WIDTH
    raw = np.zeros(size + WIDTH)
    begin = (-raw.ctypes.data % bytes_) // 8
    return raw[begin : begin + size].reshape(shape)


def can_go_abreast(system: Any, integrals: int) -> bool:
    """Whether members with this system may: its rate has no branches, and nothing is projected or integrated besides."""
    return not DISABLED and not integrals and description(system).abreast and not project.knows(type(system))


def step_abreast(systems: Any, system: Any) -> int:
    """The address of the step of eight systems of the type of these; 0 if it cannot be compiled: members then go one after the other."""
    if type(system) in _refused:
        return 0
    try:
        return systems.entry(abreast_entry, LANES, LANES, LANES, LANES, types.float64, REALS, LANES)
    except NumbaError:
        _refused.add(type(system))
        return 0


_refused: set[type] = set()  # types whose rate has branches, whatever they say


@compiled
def take_place(j, system, ranks, desk, start, span, limits, tolerance):
    """Begin a motion at a place, as `loop.one_member` does; False if its rate is not finite."""
    s, y, k = ranks.s[j], desk.y, desk.k
    for a in range(s.size):
        s[a] = 0.0
    s[c.TIME], s[c.END], s[c.MOST_STEP], s[c.LEFT] = span[0], span[1], limits[0], limits[1]
    copy(start, y)
    rate(system, span[0], y, k[0])
    if not all_finite(k[0], y.size):
        return False
    if span[1] != span[0]:
        s[c.STEP] = first_step(system, span[0], y, span[1], ORDER, limits[0], k, tolerance.relative, tolerance.absolute)
    for i in range(y.size):
        ranks.y[i, j] = y[i]
        ranks.k[0, i, j] = k[0, i]
    ranks.addresses[j] = system.data
    return True


@compiled
def stiffness_of(j, h, k):
    """`dop853_stiffness` of one place."""
    top = 0.0
    bottom = 0.0
    for i in range(k.shape[1]):
        top += (k[12, i, j] - k[11, i, j]) ** 2
        bottom += (k[NEW, i, j] - k[TWELFTH, i, j]) ** 2
    return abs(h) * sqrt(top / bottom) if bottom > 0.0 else 0.0


@compiled
def go_together(step, ranks, tolerance, watch):
    """One step of all places, accepted or rejected each by itself; whether a motion has ended, or cannot go on (its `good` is then negative)."""
    s, n, over = ranks.s, ranks.y.shape[0], False
    for j in range(ranks.h.size):  # not WIDTH: unrolled, each place would have machine code, and roundings, of its own
        ranks.good[j], ranks.h[j] = 0.0, 0.0
        if ranks.member[j] >= 0:
            left = s[j, c.END] - s[j, c.TIME]
            h = next_step(s[j])[0] if left != 0.0 else 0.0
            ranks.t[j], ranks.h[j] = s[j, c.TIME], h
            if s[j, c.LEFT] <= 0.0 or h == 0.0:
                ranks.good[j], over = -1.0, True
    if over:
        return True
    call_abreast(
        step, ranks.addresses.ctypes.data, ranks.t, ranks.y, ranks.h, ranks.k, tolerance.relative, tolerance.absolute, ranks.sums
    )
    for j in range(ranks.h.size):
        if ranks.member[j] < 0:
            continue
        own, h = s[j], ranks.h[j]
        forward = 1.0 if own[c.END] >= own[c.TIME] else -1.0
        error = error_of(n, h, ranks.sums[TOTAL3, j], ranks.sums[TOTAL5, j], ranks.sums[SPOILED, j])
        if not error <= 1.0:
            reject(own, h, error, math.isfinite(error))
        else:
            ranks.good[j] = 1.0
            final = next_step(own)[1]
            own[c.TIME] = own[c.END] if final else own[c.TIME] + h
            accept(own, h, error, forward)
            over = over or (own[c.END] - own[c.TIME]) * forward <= 0.0
            if watch and is_stiff(own, stiffness_of(j, h, ranks.k), tolerance.relative):
                ranks.good[j], over = STIFF, True
        own[c.LEFT] -= 1.0
    for i in range(n):
        for j in range(WIDTH):
            ranks.y[i, j] = ranks.k[NEW, i, j] if ranks.good[j] > 0.0 else ranks.y[i, j]
            ranks.k[0, i, j] = ranks.k[12, i, j] if ranks.good[j] > 0.0 else ranks.k[0, i, j]
    return over


@compiled
def run_abreast(template, step, addresses, ranks, desk, starts, spans, tolerance, limits, known, data, codes, watch, out):
    """All members; out = (values, times, steps, status)."""
    values, times, steps, status = out
    waiting, busy = 0, 1
    while busy > 0:
        busy = 0
        for j in range(WIDTH):
            i = ranks.member[j]
            if i >= 0 and (ranks.good[j] == STIFF or (ranks.good[j] < 0.0 and ranks.s[j, c.TIME] != ranks.s[j, c.END])):
                status[i], ranks.member[j] = ASK, -1  # it cannot go on like this
            elif i >= 0 and ranks.s[j, c.TIME] == ranks.s[j, c.END]:
                for a in range(desk.y.size):
                    desk.y[a] = ranks.y[a, j]
                concluded(desk, None, known, ByAddress(data[i], codes), spans[i][0], ranks.s[j, c.TIME], values[i])
                status[i], times[i], steps[i], ranks.member[j] = DONE, ranks.s[j, c.TIME], ranks.s[j, c.ACCEPTED], -1
            while ranks.member[j] < 0 and waiting < addresses.size:
                system = Erased(
                    addresses[waiting], template.states, template.rate, template.project, template.step, template.jacobian
                )
                if take_place(j, system, ranks, desk, starts[waiting], spans[waiting], limits, tolerance):
                    ranks.member[j] = waiting
                else:
                    status[waiting] = ASK
                waiting += 1
            if ranks.member[j] >= 0:
                busy += 1
        if busy > 0:
            fill_up(ranks)
            while not go_together(step, ranks, tolerance, watch):
                pass


@compiled
def fill_up(ranks):
    """Let empty places stand still where a busy one is."""
    some = 0
    for j in range(WIDTH):
        if ranks.member[j] >= 0:
            some = j
    for j in range(WIDTH):
        if ranks.member[j] < 0:
            ranks.addresses[j], ranks.t[j] = ranks.addresses[some], ranks.s[some, c.TIME]
            for i in range(ranks.y.shape[0]):
                ranks.y[i, j], ranks.k[0, i, j] = ranks.y[i, some], ranks.k[0, i, some]
