"""Many motions through modes (`motion.filippov`), one after the other in compiled code; what is kept of them is measured on the way.

Each motion is computed exactly as `simulate` computes it, by the same machine code. The loop comes back to Python for every member that did not reach its end: why that is,
the memory of the solver tells, until it is used for the next one.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import types

from ...kernel.compiled import compiled
from ...kernel.erased import address_of, call_whole, intrinsic
from ...motion.events.erased import SwitchAt
from ...motion.events.probe import Probe, value_at
from ...motion.events.probe import probe as make_probe
from ...motion.events.scan import ALL, enter
from ...motion.events.search_at import NOWHERE, SearchAt, begin_search, comes_to_zero, search_at, zeros_in_block
from ...motion.events.shape import TABLES
from ...motion.events.standing import COLUMNS, ENTRIES, FOUND
from ...motion.filippov.one_of_many import begin_motion, form_of, go_on_with
from ...motion.ode import control as c
from ...motion.ode.block import Block, Tolerance
from ...motion.ode.dense import copy, interpolate
from ...motion.ode.dop853 import ROWS as STAGES
from ...motion.ode.erased import NO_SYSTEM
from ...motion.ode.later import Later
from ..keep import FINAL, OF_ZEROS
from .loop import MOST_ZEROS
from .measuring import conclude, note_zero, over_step
from .watching import CODE, DIRECTION, KIND, OF_STATE, PLACE, STOP, ByAddress, looking_at

BLOCK = 256  # steps with their dense output
UNTIL_LOOKED = 8192  # steps without
STOPPED, ASK = -1, -2  # beside the reasons of `control`: at a zero that stops the motion; in a way that has to be asked for


class Notes(NamedTuple):
    """What is measured on the way, and the memory of it: see `loop.Desk`. levels: of quantities that stop a motion; search: addresses of the search for zeros,
    which counts touches; over: of `over_step`; at: the times of a Path; seen: how many of
    the times are behind, and whether a step was made."""

    known: np.ndarray
    levels: np.ndarray
    probe: Probe
    latest: np.ndarray
    zeros: np.ndarray
    places: np.ndarray
    place: np.ndarray
    accounts: np.ndarray
    tables: np.ndarray
    source: Later
    search: SearchAt
    over: int
    at: np.ndarray
    seen: np.ndarray


def make_notes(n: int, known: np.ndarray, levels: np.ndarray, at: np.ndarray, tolerance: Tolerance, block: Block) -> Notes:
    """Memory for members of n states."""
    look = make_probe(SwitchAt(0, 0), None, 1, tolerance.relative, np.array(tolerance.absolute[:n]))
    latest, zeros, places = np.zeros((len(known), 1, COLUMNS)), np.empty((MOST_ZEROS, 5)), np.empty((MOST_ZEROS, n))
    place, accounts = np.zeros(ENTRIES), np.zeros((len(known), 3))
    source = Later(NO_SYSTEM, np.zeros((STAGES, n)))  # as in a single motion: this method makes its dense output at once
    search, over = NOWHERE, address_of(over_step, types.none, look, FINAL, 1.0, np.zeros(3))
    if any(code in OF_ZEROS for code in known[:, CODE].tolist()):
        search = search_at(source, look, block, np.zeros((1, COLUMNS)), zeros, places, TABLES, place)
    return Notes(known, levels, look, latest, zeros, places, place, accounts, TABLES, source, search, over, at, np.zeros(2))


@compiled
def run_to_ends(solver, addresses, starts, spans, first, out):
    """Members one after the other, from the place `first` on; the place after the last one that was computed. out = (ends, times, steps, why they ended)."""
    ends, times, steps, whys = out
    for i in range(first, addresses.size):
        whys[i] = ASK
        form = form_of(solver, addresses[i])
        begin_motion(solver, form, starts[i], spans[i])
        why = c.FULL
        while why == c.FULL:
            why = go_on_with(solver, form)
        copy(solver.y, ends[i])
        times[i], steps[i], whys[i] = solver.s[c.TIME], solver.s[c.ACCEPTED], why
        if why != c.REACHED:
            return i + 1
    return addresses.size


@intrinsic
def _at_over_step(typingctx, address, p, code, upto, account):
    return call_whole(types.none, (p, code, upto, account))


@compiled
def note_zeros(notes, watching, m, solver, steps, ending):
    """The zeros of a quantity in a block of steps: ALL, or why they are not known; STOPPED if one of them stops the motion, whose time and state are then those of it."""
    block, s, known = solver.block, solver.s, notes.known[m]
    direction, latest = known[DIRECTION], notes.latest[m]
    p = looking_at(notes.probe, None, watching, m)
    if notes.seen[1] == 0.0:
        begin_search(notes.search, p, block, latest, False)
    status = zeros_in_block(
        notes.search, notes.source, p, block, steps, latest, direction, notes.zeros, notes.places, notes.tables, notes.place
    )
    if status != ALL:
        return status
    for j in range(int(notes.place[FOUND])):
        note_zero(known[CODE], notes.zeros[j, 0], notes.accounts[m])
        if known[STOP]:
            s[c.TIME] = notes.zeros[j, 0]
            copy(notes.places[j], solver.y)
            if known[KIND] == OF_STATE and abs(notes.zeros[j, 2]) >= 1.0:  # not where it only touches the level
                solver.y[known[PLACE]] = notes.levels[m]
            return float(STOPPED)
    if ending and comes_to_zero(notes.search, p, block, steps, direction, latest):
        note_zero(known[CODE], block.ts[steps], notes.accounts[m])
        if known[STOP]:
            s[c.TIME] = block.ts[steps]
            copy(block.ys[steps], solver.y)
            if known[KIND] == OF_STATE:
                solver.y[known[PLACE]] = notes.levels[m]
            return float(STOPPED)
    return ALL


@compiled
def note_path(notes, block, steps, path):
    """The states at those of the times that lie in a block of steps."""
    i = 0
    while notes.seen[0] < notes.at.size and notes.at[int(notes.seen[0])] <= block.ts[steps]:
        j = int(notes.seen[0])
        t = notes.at[j]
        while i < steps and block.ts[i + 1] <= t:
            i += 1
        if t == block.ts[i]:
            copy(block.ys[i], path[j])
        elif t > block.ts[i]:
            interpolate((t - block.ts[i]) / (block.ts[i + 1] - block.ts[i]), block.ys[i], block.fs[i], path[j])
        notes.seen[0] += 1.0


@compiled
def note_steps(notes, watching, solver, y0, why, path):
    """Take a block of steps into account; why it ended, STOPPED or ASK."""
    block, steps = solver.block, int(solver.s[c.STORED])
    if steps == 0:
        return why
    stopped = False
    for m in range(notes.known.shape[0]):
        if notes.known[m, CODE] in OF_ZEROS:
            status = note_zeros(notes, watching, m, solver, steps, why != c.FULL)
            stopped = stopped or status == STOPPED
            if status != ALL and status != STOPPED:
                return ASK
    if stopped:
        return STOPPED
    if notes.seen[1] == 0.0:
        copy(y0, block.ys[0])  # a motion begins with the start that it was given
    notes.seen[1] = 1.0
    note_path(notes, block, steps, path)
    for m in range(notes.known.shape[0]):
        code = notes.known[m, CODE]
        if code not in OF_ZEROS and code != FINAL:
            p = looking_at(notes.probe, None, watching, m)
            for i in range(steps):
                enter(p, block.ts, block.ys, block.fs, i)
                if not math.isfinite(value_at(p, 0.0)):
                    return ASK
                _at_over_step(notes.over, p, code, 1.0, notes.accounts[m])
    return why


@compiled
def begin_notes(notes, t0, y0, path):
    """Nothing is known yet but the start."""
    for m in range(notes.accounts.shape[0]):
        for j in range(3):
            notes.accounts[m, j] = 0.0
    notes.seen[0] = notes.seen[1] = 0.0
    while notes.seen[0] < notes.at.size and notes.at[int(notes.seen[0])] <= t0:
        if notes.at[int(notes.seen[0])] == t0:
            copy(y0, path[int(notes.seen[0])])
        notes.seen[0] += 1.0


@compiled
def run_measured(solver, notes, data, codes, given, addresses, starts, spans, first, out, values, paths):
    """As `run_to_ends`; data, codes: addresses of the quantities that are measured; given: the starts as they were given. Values are written for all members,
    also for those that broke down."""
    ends, times, steps, whys = out
    for i in range(first, addresses.size):
        whys[i] = ASK
        form, watching = form_of(solver, addresses[i]), ByAddress(data[i], codes)
        begin_notes(notes, spans[i, 0], given[i], paths[i])
        begin_motion(solver, form, starts[i], spans[i])
        why = c.FULL
        while why == c.FULL:
            why = note_steps(notes, watching, solver, given[i], go_on_with(solver, form), paths[i])
        copy(solver.y, ends[i])
        times[i], steps[i], whys[i] = solver.s[c.TIME], solver.s[c.ACCEPTED], why
        for m in range(notes.known.shape[0]):
            code = notes.known[m, CODE]
            if code != FINAL:
                p = looking_at(notes.probe, None, watching, m)
                values[i, m] = conclude(p, code, spans[i, 0], times[i], solver.y, notes.accounts[m])
        if why != c.REACHED and why != STOPPED:
            return i + 1
    return addresses.size
