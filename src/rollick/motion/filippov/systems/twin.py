"""The regularised twin of a system with dry contacts: friction along u/sqrt(|u|^2 + eps^2), a smooth and stiff ODE that shares no mode with the solver.

As eps -> 0 its motions come to those of the Filippov system wherever these are unique; what is rolling there is slow slip of the size of eps here. Results
for eps, eps/2 and eps/4 are extrapolated: the difference of the last two extrapolations is its error.
"""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np

from ....kernel.compiled import compiled
from ....kernel.local_array import local_array
from ....kernel.scalar import sqrt
from ....kernel.system import described_through, dim, integral_count, project, rate, signal_count, signals
from ...result.checks import digits_left
from ...result.outcome import MotionWarning
from ...result.trust import Check
from ..algebra.code import Code, contact_code, solve_forces
from ..algebra.forces import OPEN, ROWS, SLIP
from .form import contact_form, contact_total, grip_and_load, hold, presses, slip_size

OWN_ERROR = 100.0  # times the error of its extrapolation the twin may be away
AGREE = 1e-6  # of the largest value of each state: as good as the same
CAUSE = "A motion that leaves its regularised neighbour is one of several: the future is not unique somewhere on the way (`what_follows`), or a mode is wrong."


class Twin(NamedTuple):
    """A system with its friction smoothed over slips of the size eps; all contacts closed."""

    system: Any
    eps: float
    code: Code


described_through[Twin] = "system"


@dim.register(Twin)
def _(twin):
    return dim(twin.system)


@integral_count.register(Twin)
def _(twin):
    return 0


@signal_count.register(Twin)
def _(twin):
    return signal_count(twin.system)


@signals.register(Twin)
def _(twin, t, y, out):
    signals(twin.system, t, y, out)


@compiled
def smooth_rate(code, system, eps, t, y, out):
    """dy/dt with friction along u/sqrt(|u|^2 + eps^2)."""
    n = dim(system)
    push, c = local_array((ROWS, n), y.dtype), local_array(ROWS, y.dtype)
    A, slip = local_array((ROWS, ROWS), y.dtype), local_array(4, y.dtype)
    mu, load = local_array(2, y.dtype), local_array(2, y.dtype)
    w, x, null = local_array(4, y.dtype), local_array(ROWS, y.dtype), local_array(ROWS, y.dtype)
    modes = (SLIP, SLIP if contact_total(system) == 2 else OPEN)
    contact_form(system, modes, t, y, out, push, c, A, slip)
    for k in range(contact_total(system)):
        mu[k], load[k] = grip_and_load(system, t, y, k)
        total = eps * eps + slip[2 * k] * slip[2 * k]
        if slip_size(system) == 2:
            total += slip[2 * k + 1] * slip[2 * k + 1]
        size = sqrt(total)
        for i in range(slip_size(system)):
            w[2 * k + i] = slip[2 * k + i] / size
    solve_forces(code, contact_total(system), slip_size(system), presses(system), modes, c, A, mu, load, w, x, null)
    for k in range(contact_total(system)):
        for i in range(0 if presses(system) else 1, 1 + slip_size(system)):
            for j in range(n):
                out[j] += push[3 * k + i, j] * x[3 * k + i]


@rate.register(Twin)
def _(twin, t, y, out):
    smooth_rate(twin.code, twin.system, twin.eps, t, y, out)


@project.register(Twin)
def _(twin, y):
    return hold(twin.system, (SLIP, SLIP if contact_total(twin.system) == 2 else OPEN), y)


def twin_at(motion: Any, simulate: Any, eps: float, times: np.ndarray, rtol: float = 1e-10) -> tuple[np.ndarray, np.ndarray]:
    """States of the twin at some times from the start of a motion, extrapolated from eps, eps/2, eps/4; and the error of that."""
    start = np.array(list(motion.provenance["start"].values()))
    seen = []
    for e in (eps, 0.5 * eps, 0.25 * eps):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MotionWarning)
            run = simulate(
                Twin(motion.system, e, contact_code()),
                start,
                float(times[-1]),
                since=motion.provenance["since"],
                method="auto",
                rtol=rtol,
                at=times,
                progress=False,
            )
        seen.append(np.full((len(times), start.size), np.nan))
        seen[-1][: len(run.y)] = run.y[: len(times)]
    first, second = 2.0 * seen[1] - seen[0], 2.0 * seen[2] - seen[1]
    return second, np.abs(second - first)


def compared_with_twin(motion: Any, simulate: Any) -> list[Check]:
    """For `verify`: how far the twin is from the motion at the end of each mode, and how far it may be by its own error."""
    modes = motion.provenance["methods"]
    begins = [t for _, t in modes[1:]] + [motion.end_time]
    times = np.array(sorted({t for t in begins if t > motion.provenance["since"]}))
    if not times.size:
        return []
    slip = max(1e-12, float(motion.provenance.get("slip_scale") or 0.0))
    states, errors = twin_at(motion, simulate, 1e-3 * slip, times)
    events = {e.t: e.state for e in motion.events}
    mine = []
    for t in times:
        near = min(events, key=lambda s: abs(s - t), default=None)
        mine.append(
            motion.end_state if t == motion.end_time else events[near] if near is not None and abs(near - t) < 1e-12 else None
        )
    n = len(motion.about.states)
    scale = np.maximum(np.abs(motion.y).max(axis=0), np.abs(motion.end_state))[:n]
    scale = np.where(scale > 1e-14 * scale.max(initial=0.0), scale, 1.0)  # a state that is zero but for rounding: as it is
    told, worst, explained = [], 0.0, np.inf
    for i, (t, state) in enumerate(zip(times, mine)):
        name = [m for m, since in modes if since < t][-1]
        if state is not None:
            off, error = float((np.abs(states[i] - state)[:n] / scale).max()), float((errors[i][:n] / scale).max())
            told.append(f"{name} until {t:.6g}: {off:.1e} (extrapolated to {error:.1e})")
            own = OWN_ERROR * error + AGREE
            if not told[1:] or not off / own <= worst / explained:  # the instant that says most against the motion
                worst, explained = off, own
    if not told:
        return []
    text = f"the regularised twin, relative to the largest value of each state: {'; '.join(told)}"
    if not np.isfinite(worst):  # the twin did not get that far
        return [Check("regularised twin", text, 0.0, np.inf)]
    digits = digits_left(worst) if worst > explained else 16.0
    return [Check("regularised twin", text, worst, explained, digits, CAUSE)]
