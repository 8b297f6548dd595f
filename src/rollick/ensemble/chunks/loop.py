"""Many motions by DOP853, one after the other in compiled code; what is kept of them is measured on the way.

Compiled once for all systems: a member is an address in memory (`kernel.erased`), a measure is one too. Each motion is computed exactly as `simulate` computes
it: the same first step, the same steps, the same search for zeros. A member that this loop cannot bring to its end (a stiff one, one that breaks down) is
marked `ASK`, and is then simulated by itself, which gives its reason.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...kernel.compiled import compiled
from ...kernel.dispatch import generic
from ...kernel.system import rate
from ...motion.events.erased import SwitchAt
from ...motion.events.probe import SORT, Probe, value_at
from ...motion.events.probe import probe as make_probe
from ...motion.events.scan import ALL, enter
from ...motion.events.shape import TABLES
from ...motion.events.standing import COLUMNS, ENTRIES, FOUND
from ...motion.ode import control as c
from ...motion.ode.around_step import all_finite
from ...motion.ode.block import Block, Tolerance, empty_block
from ...motion.ode.dense import copy
from ...motion.ode.dop853 import ROWS as STAGES
from ...motion.ode.erased import Erased
from ...motion.ode.explicit import advance_explicit, first_step
from ..keep import FINAL, OF_ZEROS
from .measuring import KNOWN, VALUE, OnTheWay, OnTheWayInHaste, arriving, conclude, note_zero, over_step, source_of, zeros_of
from .watching import CODE, DIRECTION, KIND, STOP, ByAddress, looking_at

DONE, STOPPED, ASK = 0, 1, 2  # how a member ended: at its time, at a zero that stops it, or in a way that has to be asked for
BLOCK, MOST_ZEROS = 256, 4096
ORDER = 8.0  # of DOP853


class Desk(NamedTuple):
    """The memory of a thread."""

    s: np.ndarray
    y: np.ndarray
    k: np.ndarray
    block: Block
    probe: Probe  # its event is exchanged
    latest: np.ndarray  # of each measure, see `scan`
    zeros: np.ndarray
    places: np.ndarray
    place: np.ndarray
    accounts: np.ndarray
    stop: np.ndarray  # time, step and fraction of the zero that stops the motion
    tables: np.ndarray
    again: np.ndarray  # stages of a step whose dense output was put off


def make_desk(n: int, measures: int, along: bool, at: np.ndarray, tolerance: Tolerance, watch: bool, later: bool) -> Desk:
    """Memory for members of n components; `along`: whether something is measured on the way; `later`: zeros only, so that dense output can wait."""
    block = empty_block(BLOCK, n, at, np.empty((at.size, n)), along, along, watch, later)
    look = make_probe(SwitchAt(0, 0), None, 1, tolerance.relative, np.array(tolerance.absolute[:n]))
    return Desk(
        np.zeros(c.SIZE), np.zeros(n), np.zeros((STAGES, n)), block, look, np.zeros((measures, 1, COLUMNS)),
        np.empty((MOST_ZEROS, 5)), np.empty((MOST_ZEROS, n)), np.zeros(ENTRIES), np.zeros((measures, 3)), np.zeros(3), TABLES,
        np.zeros((STAGES, n)),
    )  # fmt: skip


class AtEnd(NamedTuple):
    """Nothing is measured on the way."""


@generic
def measure(when, system, desk, of, known, watching, steps, first, ending, end):
    """Take a block of steps into account; end = (time, step, fraction) of the zero that stops the motion. ALL, or why it cannot be said."""


@measure.register(AtEnd)
def _(when, system, desk, of, known, watching, steps, first, ending, end):
    return ALL


@measure.register(OnTheWay)
@measure.register(OnTheWayInHaste)
def _(when, system, desk, of, known, watching, steps, first, ending, end):
    block, forward = desk.block, 1.0 if desk.s[c.END] >= desk.block.ts[0] else -1.0
    for turn in range(2):  # first what may stop the motion, then the others, up to there
        for m in range(known.shape[0]):
            code, direction = known[m, CODE], known[m, DIRECTION]
            if (known[m, STOP] != 0) != (turn == 0) or code not in OF_ZEROS:
                continue
            p = looking_at(desk.probe, of, watching, m)
            p.note[SORT] = known[m, KIND]
            status = zeros_of(
                when,
                source_of(when, system, desk.again),
                p,
                block,
                steps,
                first,
                direction,
                desk.latest[m],
                desk.zeros,
                desk.places,
                desk.tables,
                desk.place,
            )
            if status != ALL:
                return status
            found = int(desk.place[FOUND])
            for j in range(found):
                t = desk.zeros[j, 0]
                if math.isfinite(end[0]) and (t - end[0]) * forward > 0.0:
                    break
                note_zero(code, t, desk.accounts[m])
                if turn == 0:
                    end[0], end[1], end[2] = t, desk.zeros[j, 3], desk.zeros[j, 4]
                    copy(desk.places[j], desk.y)
                    break
            if ending and not math.isfinite(end[0]) and arriving(p, block, steps, direction, desk.latest[m]):
                note_zero(code, block.ts[steps], desk.accounts[m])
                if turn == 0:
                    end[0], end[1], end[2] = block.ts[steps], steps - 1.0, 1.0
    for m in range(known.shape[0]):
        if (
            known[m, STOP]
            and desk.accounts[m, KNOWN] > 0.0
            and math.isfinite(end[0])
            and (desk.accounts[m, VALUE] - end[0]) * forward > 0.0
        ):
            desk.accounts[m, KNOWN] = 0.0  # another stopped the motion before
    for m in range(known.shape[0]):
        code = known[m, CODE]
        if code in OF_ZEROS or code == FINAL:
            continue
        p = looking_at(desk.probe, of, watching, m)
        for i in range(steps):
            upto = 1.0
            if math.isfinite(end[0]) and i >= end[1]:
                upto = end[2] if i == end[1] else 0.0
            if upto > 0.0:
                enter(p, block.ts, block.ys, block.fs, i)
                if not math.isfinite(value_at(p, 0.0)):
                    return 1.0 + ALL
                over_step(p, code, upto, desk.accounts[m])
    return ALL


@compiled
def concluded(desk, of, known, watching, since, t, values):
    """The values of all measures at the end of a motion at the time t; desk.y is the state there."""
    for m in range(known.shape[0]):
        values[m] = conclude(looking_at(desk.probe, of, watching, m), known[m, CODE], since, t, desk.y, desk.accounts[m])


@compiled
def one_member(system, of, desk, tolerance, limits, span, known, watching, when, values):
    """One motion, measured on the way if `when` says so; how it ended. `of`: the system whose quantities are measured, if they do not know it themselves. desk.y holds its start, and then its end; desk.s[TIME] the time of it."""
    s, y, k = desk.s, desk.y, desk.k
    for j in range(s.size):
        s[j] = 0.0
    for m in range(known.shape[0]):
        for j in range(3):
            desk.accounts[m, j] = 0.0
    s[c.TIME], s[c.END], s[c.MOST_STEP], s[c.LEFT] = span[0], span[1], limits[0], limits[1]
    rate(system, span[0], y, k[0])
    s[c.EVALUATIONS] = 2.0
    if not all_finite(k[0], y.size):
        return ASK
    at = desk.block.at
    while s[c.NEXT_AT] < at.size and at[int(s[c.NEXT_AT])] <= span[0]:
        if at[int(s[c.NEXT_AT])] == span[0]:
            copy(y, desk.block.at_out[int(s[c.NEXT_AT])])
        s[c.NEXT_AT] += 1.0
    if span[1] != span[0]:
        s[c.STEP] = first_step(system, span[0], y, span[1], ORDER, limits[0], k, tolerance.relative, tolerance.absolute)
    why, first = c.FULL, True
    stop = desk.stop
    stop[0] = math.inf
    while why == c.FULL:
        why = advance_explicit(system, s, y, k, tolerance, desk.block)
        steps = int(s[c.STORED])
        if steps > 0:
            if measure(when, system, desk, of, known, watching, steps, first, why == c.REACHED, stop) != ALL:
                return ASK
            first = False
            if math.isfinite(stop[0]):
                break
    t = stop[0] if math.isfinite(stop[0]) else s[c.TIME]
    if not math.isfinite(stop[0]) and why != c.REACHED:
        return ASK
    s[c.TIME] = t
    concluded(desk, of, known, watching, span[0], t, values)
    return STOPPED if math.isfinite(stop[0]) else DONE


@compiled
def run_members(template, addresses, desk, starts, spans, tolerance, limits, known, data, codes, when, out):
    """Members one after the other. template: the system without its data, which lie at `addresses`; out = (values, ends, times, steps, status, paths)."""
    values, ends, times, steps, status, paths = out
    for i in range(addresses.size):
        system = Erased(addresses[i], template.states, template.rate, template.project, template.step, template.jacobian)
        copy(starts[i], desk.y)
        for j in range(desk.block.at.size):
            for a in range(desk.y.size):
                desk.block.at_out[j, a] = math.nan
        status[i] = one_member(system, None, desk, tolerance, limits, spans[i], known, ByAddress(data[i], codes), when, values[i])
        copy(desk.y, ends[i])
        times[i] = desk.s[c.TIME]
        steps[i] = desk.s[c.ACCEPTED]
        for j in range(desk.block.at.size):
            copy(desk.block.at_out[j], paths[i, j])
