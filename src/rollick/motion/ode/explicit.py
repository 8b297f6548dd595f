"""A block of DOP853 steps with step-size control, dense output, output at chosen times, and a stiffness test."""

from __future__ import annotations

import math

from ...kernel.compiled import compiled
from ...kernel.scalar import sqrt
from ...kernel.system import project, rate
from .control import (
    ACCEPTED,
    END,
    EVALUATIONS,
    FULL,
    GROW,
    LAST_REJECTED,
    LEFT,
    MOST_STEP,
    MOST_STEPS,
    NEXT_AT,
    NOT_FINITE,
    NOT_STIFF,
    REACHED,
    REJECTED,
    STEP,
    STIFF,
    STIFFNESS,
    STORED,
    TIME,
    UNDERFLOW,
    step_factor,
)
from .dense import copy, interpolate
from .dop853 import NEW, dop853_dense, dop853_stiffness, explicit_step

STABILITY_LIMIT = 6.1  # |h lambda| at the edge of DOP853's stability region (Hairer)
TIGHT, TIGHT_LIMIT = (
    1e-11,
    3.5,
)  # below this tolerance the stiff part must be damped, too: steps stay well inside, and the estimate is noisy
EPS = 2.220446049250313e-16


@compiled
def scaled_norm(v, y, rtol, atol):
    """The root mean square of v_i / (atol_i + rtol |y_i|)."""
    total = 0.0
    for i in range(atol.size):
        total += (v[i] / (atol[i] + rtol * abs(y[i]))) ** 2
    return sqrt(total / atol.size)


@compiled
def first_step(system, t, y, end, order, most, work, rtol, atol):
    """A first step length (Hairer, Norsett, Wanner I, sec. II.4); work[0] holds the rate at the start, rows 1 and 2 are used."""
    n = y.size
    forward = 1.0 if end >= t else -1.0
    d0 = scaled_norm(y, y, rtol, atol)
    d1 = scaled_norm(work[0], y, rtol, atol)
    h = 1e-6 if d0 < 1e-5 or d1 < 1e-5 else 0.01 * d0 / d1
    h = min(h, abs(end - t))
    for i in range(n):
        work[1, i] = y[i] + forward * h * work[0, i]
    rate(system, t + forward * h, work[1], work[2])
    for i in range(n):
        work[2, i] -= work[0, i]
    d2 = scaled_norm(work[2], y, rtol, atol) / h
    steepest = max(d1, d2)
    h1 = max(1e-6, h * 1e-3) if steepest <= 1e-15 else (0.01 / steepest) ** (1.0 / order)
    if not math.isfinite(h1):
        h1 = h
    return forward * min(min(100.0 * h, h1), min(most, abs(end - t)))


@compiled
def all_finite(v, n):
    """Whether the first n entries are finite numbers."""
    for i in range(n):
        if not math.isfinite(v[i]):
            return False
    return True


@compiled
def advance_explicit(system, s, y, k, tolerance, block):
    """Integrate from the state (s[TIME], y) until s[END], or until the block is full; why it ended (see `block`).

    block.watch: stop when the system turns out to be stiff. k[0] must hold the rate at the start.
    """
    n = y.size
    rtol, atol = tolerance
    ts, ys, fs, at, at_out, store, dense, watch = block
    forward = 1.0 if s[END] >= s[TIME] else -1.0
    room = ts.size - 1
    s[STORED] = 0.0
    scratch = fs[fs.shape[0] - 1]  # the last slot serves steps whose dense output is needed but not kept
    if store:
        ts[0] = s[TIME]
        copy(y, ys[0])
    if not all_finite(k[0], n):
        return NOT_FINITE
    last_error_finite = True
    done = 0
    while (s[END] - s[TIME]) * forward > 0.0:
        if done == room:
            return FULL
        if s[LEFT] <= 0.0:
            return MOST_STEPS
        t = s[TIME]
        h = s[STEP]
        final = abs(h) * 1.01 >= abs(s[END] - t)
        if final:
            h = s[END] - t
        elif abs(h) < 10.0 * EPS * abs(t) or abs(h) < 1e-300:
            return UNDERFLOW if last_error_finite else NOT_FINITE
        error = explicit_step(system, t, y, h, k, rtol, atol)
        s[EVALUATIONS] += 12.0
        s[LEFT] -= 1.0
        if not math.isfinite(error):
            last_error_finite = False
            s[REJECTED] += 1.0
            s[LAST_REJECTED] = 1.0
            s[STEP] = 0.1 * h
            continue
        last_error_finite = True
        if error > 1.0:
            s[REJECTED] += 1.0
            s[LAST_REJECTED] = 1.0
            s[STEP] = h * step_factor(error, 1.0)
            continue
        new_time = s[END] if final else t + h
        stiffness = dop853_stiffness(n, h, k) if watch else 0.0
        wanted = s[NEXT_AT] < at.size and (at[int(s[NEXT_AT])] - new_time) * forward <= 0.0
        if dense or wanted:
            f = fs[done] if dense else scratch
            dop853_dense(system, t, y, h, k, f)
            s[EVALUATIONS] += 3.0
            while s[NEXT_AT] < at.size and (at[int(s[NEXT_AT])] - new_time) * forward <= 0.0:
                j = int(s[NEXT_AT])
                if at[j] == new_time:
                    copy(k[NEW], at_out[j])
                else:
                    interpolate((at[j] - t) / h, y, f, at_out[j])
                project(system, at_out[j])
                s[NEXT_AT] += 1.0
        for i in range(n):
            y[i] = k[NEW, i]
            k[0, i] = k[12, i]
        s[TIME] = new_time
        if project(system, y):
            rate(system, new_time, y, k[0])
            s[EVALUATIONS] += 1.0
        done += 1
        if store:
            ts[done] = new_time
            copy(y, ys[done])
        s[STORED] = done
        s[ACCEPTED] += 1.0
        s[STEP] = forward * min(abs(h) * step_factor(error, 1.0 if s[LAST_REJECTED] > 0.0 else GROW), s[MOST_STEP])
        s[LAST_REJECTED] = 0.0
        if watch:
            if stiffness > (STABILITY_LIMIT if rtol >= TIGHT else TIGHT_LIMIT):
                s[NOT_STIFF] = 0.0
                s[STIFF] += 1.0
                if s[STIFF] >= 15.0:
                    s[STIFF] = 0.0
                    return STIFFNESS
            else:
                s[NOT_STIFF] += 1.0
                if s[NOT_STIFF] >= 6.0:
                    s[STIFF] = 0.0
    return REACHED
