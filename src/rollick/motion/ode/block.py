"""A block of steps: what the compiled part of every integrator is given, and where it writes.

The stepping contract. An integrator is compiled code

    advance(system, s, y, work, tolerance, block) -> why the block ended (`control`)

that goes on from the time s[TIME] and the state y until s[END], or until the block is full, or for another reason of its own. `s` is the
control record, so that a block can be resumed exactly; `work` is the integrator's own memory. Between blocks Python looks for events, keeps
what was computed, shows progress and notices Ctrl-C, the clock and the step budget (`motion.integrate`): so none of this is written twice.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .dense import ROWS
from .later import ROWS as LATER


class Tolerance(NamedTuple):
    """Local error per step: at most absolute[i] + relative |y_i|."""

    relative: float
    absolute: Any


class Block(NamedTuple):
    """Where steps go: their ends in ts, ys (slot 0 is the block's start) if `store`, their dense output in fs if `dense`; the states at the
    requested times `at` go to at_out. `watch`: stop when another integrator would suit the motion better."""

    ts: Any
    ys: Any
    fs: Any
    at: Any
    at_out: Any
    store: bool
    dense: bool
    watch: bool


def empty_block(
    steps: int, n: int, at: np.ndarray, at_out: np.ndarray, store: bool, dense: bool, watch: bool, later: bool = False
) -> Block:
    """Room for a block of so many steps of n components; `later`: DOP853 may put off its dense output (see `later`)."""
    ys = np.empty((steps + 1 if store else 1, n))
    fs = np.empty((steps, LATER if later else ROWS, n) if dense else (1, ROWS, n))
    return Block(np.empty(steps + 1), ys, fs, at, at_out, store, dense, watch)
