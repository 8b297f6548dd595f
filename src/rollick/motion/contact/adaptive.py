"""Time stepping with steps chosen by an error estimate: each step is made once whole and once in two halves.

For a first-order scheme the difference d of the two is the local error of the halves; the next step is h min(2, max(0.3, 0.9/sqrt(d))) with d measured in
tolerances. At an impact no step is small enough for velocities that jump: steps never shrink below a floor, and are taken there as they are.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...kernel.compiled import compiled
from ...mechanics.contact import contact_count, positions, velocities
from ..ode.control import ACCEPTED, END, FULL, LEFT, MOST_STEPS, NOT_FINITE, REACHED, REJECTED, STEP, STORED, TIME, UNDERFLOW
from ..ode.dense import copy
from .gathering import THESIS
from .halving import careful_step
from .step import accepted
from .stepper import EVERY, FLOOR, GOAL, LONGEST, SCHEME, SWEEPS, TOL, EqualSteps, finish_step, note_residual, output_row
from .work import MEMORY, STUCK


@compiled
def keep_memory(system, w, store):
    """The percussions and modes of the last step, and the sums of the accounting, into `store` (one row per contact, and one)."""
    for k in range(contact_count(system)):
        store[k, MEMORY] = w.k[STUCK, k]
    for k in range(contact_count(system) + 1):
        for i in range(MEMORY):
            store[k, i] = w.last[k, i]


@compiled
def restore_memory(system, w, store):
    """The percussions and modes of the last step, back from `store`."""
    for k in range(contact_count(system)):
        w.k[STUCK, k] = int(store[k, MEMORY])
    for k in range(contact_count(system) + 1):
        for i in range(MEMORY):
            w.last[k, i] = store[k, i]


@compiled
def difference(a, b, n, rtol, atol):
    """The largest |a - b| of the first n entries in units of atol + rtol |b|."""
    worst = 0.0
    for i in range(n):
        worst = max(worst, abs(a[i] - b[i]) / (atol + rtol * abs(b[i])))
    return worst


@compiled
def part_step(system, s, t, y, h, k):
    """One step of length h from the state y, in place; its residual is noted."""
    return careful_step(system, t, y, h, int(k.settings[SCHEME]), k.settings[TOL], k.factors, int(k.settings[SWEEPS]), k.w)


@compiled
def advance_chosen(system, s, y, k, tolerance, block):
    """Steps chosen by the error estimate until the end, or until the block is full; why it ended."""
    n = positions(system) + velocities(system)
    goal = k.settings[GOAL]
    stride = 1 if block.dense else int(k.settings[EVERY])
    room = block.ts.size - 1
    rows = 0
    s[STORED] = 0.0
    if block.store:
        block.ts[0] = s[TIME]
        output_row(system, s[TIME], y, int(k.settings[SCHEME]) != THESIS and s[ACCEPTED] > 0.0, k.w, block.ys[0])
    for _ in range(room * stride):
        t = s[TIME]
        if t >= s[END]:
            return REACHED
        if rows == room:
            return FULL
        if s[LEFT] <= 0.0:
            return MOST_STEPS
        h = min(s[STEP], s[END] - t)
        last = h >= s[END] - t
        keep_memory(system, k.w, k.store)
        copy(y, k.old)
        whole = k.spare[0]
        copy(y, whole)
        part_step(system, s, t, whole, h, k)
        restore_memory(system, k.w, k.store)
        error = part_step(system, s, t, y, 0.5 * h, k)
        error = max(error, part_step(system, s, t + 0.5 * h, y, 0.5 * h, k))
        s[LEFT] -= 1.0
        d = difference(whole, y, n, goal, 1e-3 * goal)
        if not math.isfinite(d):
            copy(k.old, y)
            return NOT_FINITE
        factor = min(2.0, max(0.3, 0.9 / math.sqrt(d))) if d > 0.0 else 2.0
        if d > 1.0 and h > k.settings[FLOOR]:
            restore_memory(system, k.w, k.store)
            copy(k.old, y)
            s[STEP] = max(k.settings[FLOOR], factor * h)
            s[REJECTED] += 1.0
            continue
        note_residual(s, error, t)
        if not error <= accepted(int(k.settings[SCHEME]), k.settings[TOL]):
            copy(k.old, y)
            return UNDERFLOW
        s[TIME] = s[END] if last else t + h
        s[ACCEPTED] += 1.0
        s[STEP] = min(k.settings[LONGEST], max(k.settings[FLOOR], factor * h))
        row = -1
        if int(s[ACCEPTED]) % stride == 0 or last:
            rows += 1
            row = rows
        finish_step(system, s, y, k, t, s[TIME], row, block)
        s[STORED] = rows if block.store else 0.0
    return REACHED if s[TIME] >= s[END] else FULL


class ChosenSteps(EqualSteps):
    """Time stepping with steps chosen by an error estimate."""

    advice = "or loosen adapt"

    def advance(self, system: Any, s: np.ndarray, y: np.ndarray, tolerance: Any, block: Any) -> int:
        """A block of steps; why it ended."""
        return advance_chosen(self.by_address.body, s, y, self.work, tolerance, block)
