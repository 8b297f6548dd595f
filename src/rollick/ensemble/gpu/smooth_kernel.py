"""Smooth motions on a GPU: DOP853 with adaptive steps and measures, the same compiled functions as on a CPU, in a kernel made for the system's type.

Imported only where there is CUDA (`cuda.prepare`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cuda, float64

from ...kernel.erased import outline
from ...kernel.leaves import builder
from ...kernel.system import dim
from ...motion.events.probe import ATOL, DEPTH, RTOL, SORT, Probe
from ...motion.events.shape import TABLES
from ...motion.events.standing import COLUMNS, ENTRIES
from ...motion.ode import control as c
from ...motion.ode.block import Block, Tolerance
from ...motion.ode.dense import ROWS as DENSE
from ...motion.ode.dop853 import ROWS as STAGES
from ...motion.ode.extended import Accumulating
from ..chunks.loop import ASK, AtEnd, Desk, one_member
from ..chunks.measuring import OnTheWayInHaste
from ..chunks.prepared import Group
from ..chunks.watching import KIND, PLACE, InTable, in_table
from .cuda import kernel_of, launched

ZEROS = 16  # of a quantity in one step; more are left to the CPU
REGISTERS = 128
ROOM = np.zeros(1 << 16)  # steps at a time, where none is stored


def run_on_gpu(
    group: Group, switches: list[Any], watch: bool, tolerance: Tolerance, limits: np.ndarray, known: np.ndarray, at: np.ndarray,
    along: bool,
) -> tuple[np.ndarray, ...]:  # fmt: skip
    """Values, (time, steps), status and paths of members whose systems are of one type."""
    lead, starts = group.lead, group.starts
    template = Accumulating(lead.system) if lead.m else lead.system
    count, measures, n = len(starts), known.shape[0], starts.shape[1]
    varied = group.varied
    values, ended = np.full((count, max(1, measures)), np.nan), np.zeros((count, 2))
    status, paths = np.full(count, ASK, np.int64), np.full((count if at.size else 1, max(1, at.size), n), np.nan)
    tolerances = np.concatenate([[tolerance.relative], tolerance.absolute])
    known[:, [KIND, PLACE]], levels, signals, chain = in_table(switches)
    given = [
        group.rows[:, varied] if varied else np.zeros((1, 1)),
        starts,
        group.spans,
        tolerances,
        limits,
        known,
        levels,
        at,
        TABLES,
        ROOM,
    ]
    key = "dop853", outline(template), outline(signals), outline(chain), measures, along, at.size, varied, watch
    back = launched(
        key, lambda: dop853_kernel(template, measures, along, at.size, varied, watch), count, given,
        [values, ended, status, paths], (template, signals, chain),
    )  # fmt: skip
    return tuple(back)


def dop853_kernel(template: Any, measures: int, along: bool, times: int, varied: tuple[int, ...], watch: bool) -> Any:
    """The kernel for a type of system, some quantities and a number of output times; `varied`: the floats that differ from the template's; `watch`: stiff
    motions end early."""
    n, build, when = int(dim(template)), builder(template, varied), OnTheWayInHaste() if along else AtEnd()
    kept, few, wide = 2 if along else 1, max(1, measures), max(1, times)
    zeros, notes, deep, size = ZEROS if along else 1, SORT + 1, DEPTH + 8, c.SIZE
    box_rows, latest_row, place_size = ATOL + 1, COLUMNS, ENTRIES

    @kernel_of(REGISTERS)
    def kernel(template, signals, chain, fields, starts, spans, tolerances, limits, known, levels, at, tables, room, values, ended, status, paths):  # fmt: skip
        i: Any = cuda.grid(1)  # type: ignore[call-arg]
        if i < starts.shape[0]:
            system = build(template, fields[i % fields.shape[0]])
            box, note, atol = cuda.local.array((box_rows, n), float64), cuda.local.array(notes, float64), cuda.local.array(n, float64)  # fmt: skip
            y, at_out, ts = cuda.local.array(n, float64), cuda.local.array((wide, n), float64), cuda.local.array(2, float64)
            if not along:
                ts = room  # nothing is stored: all threads share it
            for j in range(n):
                y[j], atol[j] = starts[i, j], tolerances[1 + j]
                box[ATOL, j] = atol[j]
                for a in range(times):
                    at_out[a, j] = np.nan
            for j in range(notes):
                note[j] = 0.0
            note[RTOL] = tolerances[0]
            ys, fs = cuda.local.array((kept, n), float64), cuda.local.array((1, DENSE, n), float64)
            block = Block(ts, ys, fs, at, at_out, along, along, watch)
            found, nodes = cuda.local.array((2, zeros), float64), cuda.local.array((4, deep), float64)
            probe = Probe(None, None, box, note, cuda.local.array(1, float64), found, nodes)
            s, k, latest = cuda.local.array(size, float64), cuda.local.array((STAGES, n), float64), cuda.local.array((few, 1, latest_row), float64)  # fmt: skip
            at_zeros, places = cuda.local.array((zeros, 5), float64), cuda.local.array((zeros, n), float64)
            place, accounts, stop = cuda.local.array(place_size, float64), cuda.local.array((few, 3), float64), cuda.local.array(3, float64)  # fmt: skip
            desk = Desk(s, y, k, block, probe, latest, at_zeros, places, place, accounts, stop, tables, k)
            for m in range(few):
                for j in range(latest_row):
                    latest[m, 0, j] = 0.0
            watching, tolerance = InTable(known, levels, signals, chain), Tolerance(tolerances[0], atol)
            status[i] = one_member(system, system, desk, tolerance, limits, spans[i], known, watching, when, values[i])
            for j in range(n):
                for a in range(times):
                    paths[i, a, j] = at_out[a, j]
            ended[i, 0], ended[i, 1] = s[c.TIME], s[c.ACCEPTED]

    return kernel
