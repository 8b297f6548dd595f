"""Time stepping as a stepper of the common loop: equal steps.

The state is (q, u, sums): positions, velocities, and what the accounting adds up. Between the ends of a step the motion is taken as straight,
which is as good as the scheme itself; events and output at chosen times come from there.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ...kernel.compiled import compiled, inlined
from ...kernel.names import called
from ...mechanics.contact import contact_count, positions, velocities
from ..ode.control import (
    ACCEPTED,
    END,
    FULL,
    LEFT,
    MOST_STEPS,
    NEXT_AT,
    NOT_FINITE,
    REACHED,
    RESIDUAL,
    RESIDUAL_TIME,
    STEP,
    STORED,
    TIME,
    UNDERFLOW,
)
from ..ode.dense import copy
from ..result import outcome as o
from ..result.outcome import Outcome
from .accounting import make_consistent
from .by_address import STEPS, ByAddress
from .gathering import THESIS
from .halving import MOST, careful_step
from .step import accepted
from .work import (
    ADJUSTED,
    DRAGGED,
    FALLBACKS,
    FALSE_WORK,
    HALVED_STEPS,
    HIT,
    IMPULSE,
    LOWERED,
    PIVOTED,
    ROLLED,
    SINKING,
    SLID,
    SUPPLIED,
    TURNED_STEPS,
    work_for,
)

LOST = 6  # how many sums the accounting keeps
SAME = 1e-9  # of a step: output times this near to its end are at its end
# Entries of the settings: step, scheme, tolerance of the contact problem, sweeps, output after so many steps, first time, number of steps.
DT, SCHEME, TOL, SWEEPS, EVERY, FIRST, TOTAL, SETTINGS = range(8)


class StepWork(NamedTuple):
    """The memory of a run: the step's own arrays, fixed factors, settings, the state before a step."""

    w: Any
    factors: Any
    settings: Any
    old: Any


@compiled
def output_row(system, t, y, consistent, w, out):
    """The state y at time t as output: with velocities that the contacts allow, if `consistent`."""
    nq, nu = positions(system), velocities(system)
    copy(y, out)
    if consistent:
        make_consistent(system, t, out[:nq], out[nq : nq + nu], w)


@compiled
def straight(old, new, f):
    """The dense output of a step that is taken as straight."""
    for i in range(new.size):
        f[0, i] = new[i] - old[i]
        for j in range(1, f.shape[0]):
            f[j, i] = 0.0


@compiled
def finish_step(system, s, y, k, t, new_time, row, block):
    """Write what is wanted of an accepted step from (t, k.old) to (new_time, y): its end to a row (-1: none), and states at requested times."""
    consistent = int(k.settings[SCHEME]) != THESIS
    if row >= 0 and block.store:
        block.ts[row] = new_time
        output_row(system, new_time, y, consistent, k.w, block.ys[row])
        if block.dense:
            straight(block.ys[row - 1], block.ys[row], block.fs[row - 1])
    h = new_time - t
    while s[NEXT_AT] < block.at.size and block.at[int(s[NEXT_AT])] <= new_time + SAME * h:
        j = int(s[NEXT_AT])
        if block.at[j] >= new_time - SAME * h:
            output_row(system, new_time, y, consistent, k.w, block.at_out[j])
        else:
            for i in range(y.size):
                block.at_out[j, i] = k.old[i] + (block.at[j] - t) / h * (y[i] - k.old[i])
        s[NEXT_AT] += 1.0


@inlined
def is_due(s, new_time, h, at):
    """Whether a requested output time lies in the step of length h that ends at new_time."""
    return s[NEXT_AT] < at.size and at[int(s[NEXT_AT])] <= new_time + SAME * h


@inlined
def note_residual(s, error, t):
    """Remember the worst residual of the contact problems, and when it was."""
    if error > s[RESIDUAL]:
        s[RESIDUAL] = error
        s[RESIDUAL_TIME] = t


@compiled
def advance_equal(system, s, y, k, tolerance, block):
    """Steps of equal length until the end, or until the block is full; why it ended. A row of the block is written after every so many steps."""
    nq, nu = positions(system), velocities(system)
    n = nq + nu
    dt, scheme, total = k.settings[DT], int(k.settings[SCHEME]), k.settings[TOTAL]
    tol, sweeps, first = k.settings[TOL], int(k.settings[SWEEPS]), k.settings[FIRST]
    w, factors, old, at = k.w, k.factors, k.old, block.at
    enough = accepted(scheme, tol)
    stride = 1 if block.dense else int(k.settings[EVERY])
    room = block.ts.size - 1
    rows = 0
    s[STORED] = 0.0
    s[STEP] = dt
    if block.store:
        block.ts[0] = s[TIME]
        output_row(system, s[TIME], y, scheme != THESIS and s[ACCEPTED] > 0.0, k.w, block.ys[0])
    for _ in range(room * stride):
        if s[ACCEPTED] >= total:
            return REACHED
        if rows == room:
            return FULL
        if s[LEFT] <= 0.0:
            return MOST_STEPS
        t = first + s[ACCEPTED] * dt
        copy(y, old)
        error = careful_step(system, t, y, dt, scheme, tol, factors, sweeps, w)
        note_residual(s, error, t)
        s[LEFT] -= 1.0
        if not math.isfinite(y[nq] + y[n - 1] + y[nq - 1]):
            copy(old, y)
            return NOT_FINITE
        if not error <= enough:
            copy(old, y)
            return UNDERFLOW
        s[ACCEPTED] += 1.0
        new_time = s[END] if s[ACCEPTED] >= total else first + s[ACCEPTED] * dt
        s[TIME] = new_time
        row = -1
        if int(s[ACCEPTED]) % stride == 0 or s[ACCEPTED] >= total:
            rows += 1
            row = rows
        if row >= 0 or is_due(s, new_time, dt, at):  # a call with so many arrays costs as much as the step
            finish_step(system, s, y, k, t, new_time, row, block)
            s[STORED] = rows if block.store else 0.0
    return REACHED if s[ACCEPTED] >= total else FULL


class EqualSteps:
    """Moreau's time stepping, or one of its variants, with equal steps."""

    straight = True  # what is watched between two steps, see `events.probe`
    advice = "or take a larger dt"

    def __init__(self, name: str, system: Any, settings: np.ndarray, factors: Any):
        nq, nu, contacts = (int(f(system)) for f in (positions, velocities, contact_count))
        self.name = name
        self.by_address = ByAddress(system, STEPS)
        size = nq + nu + LOST
        self.work = StepWork(
            work_for(nq, nu, contacts),
            np.array([*factors, 1.0, 0.0], float),
            settings,
            np.empty(size),
        )

    def advance(self, system: Any, s: np.ndarray, y: np.ndarray, tolerance: Any, block: Any) -> int:
        """A block of steps; why it ended."""
        return advance_equal(self.by_address.body, s, y, self.work, tolerance, block)

    def failure(self, status: int, run: Any, s: np.ndarray) -> Outcome:
        """What to say when a step did not give finite numbers, or its contact problem could not be solved."""
        if s[RESIDUAL] > accepted(int(self.work.settings[SCHEME]), self.work.settings[TOL]) or not math.isfinite(s[RESIDUAL]):
            message = (
                f"{called(run.system)} cannot go on at t = {s[TIME]:.10g}: the contact problem of the next step has no solution that could be found "
                f"(residual {s[RESIDUAL]:.1e}), not even with a step 2^{MOST} times as short. Look at the state there: contacts that contradict each "
                f"other, a law that does not dissipate, or masses of very different size do this. The motion until then is kept."
            )
            return Outcome(o.UNSOLVED, message)
        message = (
            f"{called(run.system)} broke down at t = {s[TIME]:.6g}: a velocity is not finite after the next step; take a smaller dt. "
            f"The motion until then is kept."
        )
        return Outcome(o.NOT_FINITE, message)

    def account(self) -> dict[str, Any]:
        """What was counted in a run, and the sums of each contact, for the provenance."""
        last = self.work.w.last
        total = last[-1]
        places = {"impulse": IMPULSE, "sliding": SLID, "pivoting": PIVOTED, "contour": ROLLED, "impacts": HIT}
        return {
            "fallbacks": int(total[FALLBACKS]),
            "halved_steps": int(total[HALVED_STEPS]),
            "turned_steps": int(total[TURNED_STEPS]),
            "lowered_restitution": int(total[LOWERED]),
            "closing_gaps": float(total[ADJUSTED]),
            "false_work": float(total[FALSE_WORK]),
            "supplied": float(total[SUPPLIED]),
            "dragged": float(total[DRAGGED]),
            "sinking": float(last[:-1, SINKING].max(initial=0.0)),
            "contacts": [{name: float(row[column]) for name, column in places.items()} for row in last[:-1]],
        }
