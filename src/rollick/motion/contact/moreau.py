"""A motion by time stepping: equal steps, or steps chosen by an error estimate; output at every so many steps, in bounded memory."""

from __future__ import annotations

import math
import time
import warnings
from typing import Any, NamedTuple

import numpy as np

from ...kernel.compiled import compiled
from ...kernel.compiling import compiling
from ...kernel.hooks import settle
from ...kernel.names import InputError, called, choose, number
from ...kernel.system import description
from ...mechanics.contact import contact_count, positions, velocities
from ..interrupt import uninterrupted
from ..progress import Progress
from ..result import outcome as o
from ..result.motion import Motion
from ..result.outcome import MotionWarning, Outcome
from ..start import as_floats, state_vector
from .accounting import write_row
from .adaptive import advance_adaptive
from .step import DEFAULT, MIDPOINT, THESIS, moreau_step
from .work import ROWS, work_for

SCHEMES = {"moreau": DEFAULT, "thesis": THESIS, "midpoint": MIDPOINT}
FACTORS = (0.1, 0.1, 0.1, 0.1, 1e-4, 1e-4)  # r_N, r_T, r_tau, r_R of the thesis
BLOCK_SECONDS = 0.2
LOST = 6


class Spare(NamedTuple):
    """Room for a state to come back to."""

    q0: Any
    u0: Any
    q1: Any
    u1: Any
    lost: Any


@compiled
def advance(system, note, q, u, dt, scheme, tol, factors, most, steps, every, lost, ts, ys, qs, w):
    """So many steps, with output after every `every`; note: [time, worst residual, its time, steps done]. Returns the rows written."""
    nq, nu = positions(system), velocities(system)
    rows = 0
    t0 = note[0]
    for k in range(steps):
        t = t0 + k * dt
        error = moreau_step(system, t, q, u, dt, scheme, tol, factors, most, lost, w)
        if error > note[1]:
            note[1] = error
            note[2] = t
        note[3] += 1.0
        if not math.isfinite(u[0] + u[nu - 1] + q[nq - 1]):
            note[0] = t + dt
            return -1
        if int(note[3]) % every == 0:
            write_row(system, t + dt, q, u, lost, scheme != THESIS, rows, ts, ys, qs, w)
            rows += 1
    note[0] = t0 + steps * dt
    return rows


def step_motion(
    system: Any,
    start: Any,
    until: float | str,
    *,
    dt: float | str = 1e-4,
    scheme: str = "moreau",
    every: int | None = None,
    tol: float | None = None,
    factors: Any = FACTORS,
    most: int = 10_000,
    adapt: float | None = None,
    progress: bool | None = None,
    wall_limit: float | None = None,
) -> Motion:
    """The motion of a body with contacts by Moreau's time stepping.

    dt: the step. scheme: "moreau" (first order, contact problem solved by Newton's method, gaps closed), "midpoint" (second order where the
    motion is smooth), or "thesis" (as published: fixed factors, absolute tolerance 1e-8, no gap correction). every: output after so many
    steps (default: such that there are about 2000). tol: relative residual of the contact problem (thesis: absolute change).
    adapt: a tolerance (relative, and a thousandth of it absolute) by which steps are chosen, from dt/1000 to 100 dt; without it they are equal.
    """
    system = as_floats(system)
    if not contact_count.knows(type(system)):
        raise InputError(f"{called(system)} has no contacts to step over; time stepping needs a body such as sliding(...).")
    kind = SCHEMES[choose(scheme, SCHEMES, "scheme")]
    step, end = number(dt, "dt", "s"), number(until, "until", "s")
    if step <= 0.0 or end <= 0.0:
        raise InputError(f"dt = {dt!r} and until = {until!r} must be above zero.")
    total = max(1, round(end / step))
    step = end / total
    given_every = every
    every = max(1, total // 2000) if every is None else int(every)
    if every < 1:
        raise InputError(f"every = {every} must be at least 1.")
    tolerance = (1e-8 if kind == THESIS else 1e-12) if tol is None else number(tol, "tol")
    nq, nu = positions(system), velocities(system)
    y, settled = settle(system, state_vector(system, start))
    if settled:
        warnings.warn(settled, o.StartAdjusted, stacklevel=2)
    began = time.perf_counter()
    q, u = y[:nq].copy(), y[nq : nq + nu].copy()
    w = work_for(nq, nu, contact_count(system))
    spare = Spare(*(np.empty(k) for k in (nq, nu, nq, nu, LOST)))
    store = np.zeros((contact_count(system), ROWS + 1))
    lost, note = np.zeros(LOST), np.zeros(8)
    goal = None if adapt is None else number(adapt, "adapt")
    if goal is not None and not 0.0 < goal < 0.1:
        raise InputError(f"adapt = {adapt!r} must lie between 0 and 0.1; 1e-5 is a good start.")
    note[4:7] = step, 1e-3 * step, 100.0 * step
    if goal is not None:
        every = 1 if given_every is None else every
    used = np.array([*factors, 1.0, 0.0], float)
    outs: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = [(np.zeros(1), y[None, : nq + nu].copy(), np.zeros((1, LOST)))]
    size, outcome = 64, None
    with compiling(f"the time stepping of {called(system)}"), Progress(progress, 0.0, end) as bar:
        while outcome is None:
            steps = min(size, total - int(note[3])) if goal is None else size
            if goal is None:
                note[0] = int(note[3]) * step
            room = steps // every + 1
            ts, ys, qs = np.empty(room), np.empty((room, nq + nu)), np.empty((room, LOST))
            before = time.perf_counter()
            pressed = False
            try:
                if goal is None:
                    rows = advance(system, note, q, u, step, kind, tolerance, used, most, steps, every, lost, ts, ys, qs, w)
                else:
                    rows = advance_adaptive(
                        system, note, q, u, end, kind, tolerance, used, most, goal, 1e-3 * goal, steps, every, lost, ts, ys, qs, spare, store, w
                    )  # fmt: skip
            except KeyboardInterrupt:
                rows, pressed = 0, True
            with uninterrupted():
                if rows > 0:
                    outs.append((ts[:rows].copy(), ys[:rows].copy(), qs[:rows].copy()))
                taken = time.perf_counter() - before
                bar.update(note[0])
                if rows < 0:
                    outcome = Outcome(
                        o.NOT_FINITE,
                        f"{called(system)} broke down at t = {note[0]:.6g}: a velocity is not finite; take a smaller dt.",
                    )
                elif pressed:
                    outcome = Outcome(o.INTERRUPTED, f"interrupted at t = {note[0]:.6g}; what was computed until then is here.")
                elif (goal is None and int(note[3]) >= total) or (goal is not None and note[0] >= end):
                    outcome = Outcome(o.FINISHED, f"reached t = {end:.6g}.")
                elif wall_limit is not None and time.perf_counter() - began > wall_limit:
                    outcome = Outcome(
                        o.TIME_LIMIT,
                        f"stopped at t = {note[0]:.6g} after wall_limit = {wall_limit:g} s; what was computed is here.",
                    )
            size = min(max(64, int(size * min(8.0, BLOCK_SECONDS / max(taken, 1e-6)))), 4_000_000)
    t, states, sums = (np.concatenate([part[i] for part in outs]) for i in range(3))
    made = record(system, y[: nq + nu], end, step, scheme, tolerance, note, settled, time.perf_counter() - began)
    motion = Motion(
        system, description(system), t, states, sums, [], outcome, made, (float(note[0]), np.concatenate([q, u]), lost.copy())
    )
    if not outcome.complete:
        warnings.warn(outcome.message, MotionWarning, stacklevel=2)
    if note[1] > (1e3 if kind != THESIS else 10.0) * tolerance:
        warnings.warn(
            f"the contact problem did not converge everywhere: residual {note[1]:.1e} at t = {note[2]:.6g} (asked for {tolerance:.1e}); "
            f"take a smaller dt, or look at the motion there.",
            MotionWarning,
            stacklevel=2,
        )
    return motion


def record(
    system: Any, start: np.ndarray, end: float, dt: float, scheme: str, tol: float, note: np.ndarray, settled: str, seconds: float
) -> dict[str, Any]:
    """Where a stepped motion came from."""
    from ..result.provenance import environment, parameters, type_name

    names = [q.name for q in description(system).states]
    return {
        "system": called(system),
        "type": type_name(type(system)),
        "parameters": parameters(system),
        "since": 0.0,
        "until": end,
        "start": dict(zip(names, map(float, start))),
        "settled": settled,
        "method": scheme,
        "methods": [[scheme, 0.0]],
        "dt": dt,
        "rtol": tol,
        "atol": [0.0] * len(names),
        "max_step": dt,
        "events": [],
        "variational": False,
        "steps": int(note[3]),
        "rejected": int(note[7]) if note.size > 7 else 0,
        "evaluations": int(note[3]),
        "residual": float(note[1]),
        "jacobians": 0,
        "seconds": seconds,
        **environment(),
    }
