"""A motion through modes as one of many: the solver called by compiled loops over motions.

The solver is large, and code that calls it would contain it once more. So it is called by its address, which is that of the machine code that one motion uses, too: many
motions are computed by the very same instructions, and nothing but a small loop is compiled for them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from ...kernel.compiled import compiled
from ...kernel.erased import address_of, call_whole, intrinsic
from ..ode import control as c
from ..ode.block import Block, Tolerance
from .by_address import FormAt
from .changing import start
from .memory import LOG_ROWS, SPAN, memory, memory_kind
from .stepper import FIRST, set_options
from .through import advance_modes


class Solver(NamedTuple):
    """The memory of one thread: addresses of `start` and `advance_modes`; a form, of which members have other data; the memory of the solver, its bytes, and
    those of one that nothing happened in yet; the control record, the state, the block of steps, tolerances; longest step, most steps, most changes of mode."""

    start: int
    advance: int
    form: Any
    memory: Any
    bytes: np.ndarray
    fresh: np.ndarray
    s: np.ndarray
    y: np.ndarray
    block: Block
    tolerance: Tolerance
    limits: np.ndarray


def fresh_memory(n: int, options: Any, rows: int = LOG_ROWS) -> np.ndarray:
    """A memory in which nothing happened yet, as an array of one; options: those of the method."""
    choices = tuple(options.choices)
    given, room = memory(n, choices, rows), np.zeros(1, memory_kind(n, len(choices), rows))
    set_options(given.record, options, False)
    room[0] = given
    return room


def make_solver(form: Any, options: Any, block: Block, tolerance: Tolerance, max_steps: float) -> Solver:
    """A solver for systems of one type; options: those of the method."""
    room = fresh_memory(form.n, options)
    m, whole = room.view(np.recarray)[0], room.view(np.uint8)
    s, y = np.zeros(c.SIZE), np.zeros(form.n)
    limits = np.array([float(options.max_step), float(max_steps), float(options.max_changes)])
    return Solver(
        address_of(start, types.int64, form, m, 0.0),
        address_of(advance_modes, types.int64, form, s, y, m, tolerance, block, 0.0),
        form, m, whole, whole.copy(), s, y, block, tolerance, limits,
    )  # fmt: skip


@intrinsic
def _at_start(typingctx, address, form, m, t):
    return call_whole(types.int64, (form, m, t))


@intrinsic
def _at_advance(typingctx, address, form, s, y, m, tolerance, block, most_changes):
    return call_whole(types.int64, (form, s, y, m, tolerance, block, most_changes))


@compiled
def form_of(solver, address):
    """The form of the member whose system lies at an address."""
    f = solver.form
    return FormAt(address, f.see, f.move, f.hold, f.n, f.steady, f.total, f.size, f.pressing, f.code)


@compiled
def before_start(m, s, y, y0, span, limits):
    """A motion from a state over a span of time, in a fresh memory; limits: longest step, most steps."""
    for i in range(s.size):
        s[i] = 0.0
    s[c.TIME], s[c.END], s[c.MOST_STEP], s[c.LEFT] = span[0], span[1], limits[0], limits[1]
    m.record[SPAN] = abs(span[1] - span[0])
    for i in range(y.size):
        y[i] = m.state[i] = y0[i]


@compiled
def after_start(m, s, y):
    """The state after `start`, and the first step."""
    m.logged[0] = 0.0
    for i in range(y.size):
        y[i] = m.state[i]
    s[c.STEP] = min(FIRST * m.record[SPAN], s[c.MOST_STEP]) if m.record[SPAN] > 0.0 else 0.0


@compiled
def begin_motion(solver, form, y0, span):
    """The start of a motion, as `ThroughModes` has it."""
    for i in range(solver.bytes.size):
        solver.bytes[i] = solver.fresh[i]
    before_start(solver.memory, solver.s, solver.y, y0, span, solver.limits)
    _at_start(solver.start, form, solver.memory, span[0])
    after_start(solver.memory, solver.s, solver.y)


@compiled
def go_on_with(solver, form):
    """A block of steps; why it ended. What is logged of changes of mode is dropped."""
    why = _at_advance(solver.advance, form, solver.s, solver.y, solver.memory, solver.tolerance, solver.block, solver.limits[2])
    solver.memory.logged[0] = 0.0
    return why
