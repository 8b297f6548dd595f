"""A block of explicit steps with step-size control, dense output, output at chosen times, and a stiffness test.

The method is told by its work: an array is that of DOP853, another type registers the four functions below (`tableau`).
"""

from __future__ import annotations

import math

from ...kernel.compiled import compiled, inlined
from ...kernel.dispatch import generic
from ...kernel.scalar import sqrt
from ...kernel.system import project, rate
from .around_step import all_finite, is_wanted, keep, next_step, write_requested
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
from .dense import ROWS as DENSE
from .dop853 import NEW, dop853_dense, dop853_stiffness, explicit_step
from .later import LENGTH, put_off


@generic
def rows_of(work):
    """The rows of a step: 0 the rate at its start, 12 that at its end, 16 the new state."""


@generic
def evaluations(work):
    """How often a step evaluates the rate."""


@generic
def try_step(work, system, t, y, h, rtol, atol):
    """Try a step of length h from (t, y); the error estimate, relative to the tolerances, as of a method of order 8: accept if it is at most 1."""


@generic
def dense_output(work, system, t, y, h, f):
    """After an accepted step: the rows of f become the coefficients of its dense output."""


@rows_of.otherwise
def _(work):
    return work


@evaluations.otherwise
def _(work):
    return 12.0


@try_step.otherwise
def _(work, system, t, y, h, rtol, atol):
    return explicit_step(system, t, y, h, work, rtol, atol)


@dense_output.otherwise
def _(work, system, t, y, h, f):
    dop853_dense(system, t, y, h, work, f)


STABILITY_LIMIT = 6.1  # |h lambda| at the edge of DOP853's stability region (Hairer)
TIGHT, TIGHT_LIMIT = (
    1e-11,
    3.5,
)  # below this tolerance the stiff part must be damped, too: steps stay well inside, and the estimate is noisy


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


@inlined
def is_stiff(s, stiffness, rtol):
    """Whether |h lambda| was beyond the edge of stability in fifteen steps, with fewer than six quiet ones in a row between them."""
    if stiffness <= (STABILITY_LIMIT if rtol >= TIGHT else TIGHT_LIMIT):
        s[NOT_STIFF] += 1.0
        if s[NOT_STIFF] >= 6.0:
            s[STIFF] = 0.0
        return False
    s[NOT_STIFF] = 0.0
    s[STIFF] += 1.0
    if s[STIFF] < 15.0:
        return False
    s[STIFF] = 0.0
    return True


@inlined
def reject(s, h, error, finite):
    """Note that a step was too long."""
    s[REJECTED] += 1.0
    s[LAST_REJECTED] = 1.0
    s[STEP] = h * step_factor(error, 1.0) if finite else 0.1 * h


@inlined
def accept(s, h, error, forward):
    """Note that a step was good, and how long the next one may be."""
    s[ACCEPTED] += 1.0
    s[STEP] = forward * min(abs(h) * step_factor(error, 1.0 if s[LAST_REJECTED] > 0.0 else GROW), s[MOST_STEP])
    s[LAST_REJECTED] = 0.0


@compiled
def advance_explicit(system, s, y, work, tolerance, block):
    """Integrate from the state (s[TIME], y) until s[END], or until the block is full; why it ended (see `block`).

    block.watch: stop when the system turns out to be stiff. Row 0 of the work must hold the rate at the start.
    """
    n, k = y.size, rows_of(work)
    rtol, atol = tolerance
    ts, ys, fs, at, at_out, store, dense, watch = block
    forward = 1.0 if s[END] >= s[TIME] else -1.0
    s[STORED] = 0.0
    later = dense and fs.shape[1] > DENSE  # dense output is made when it is asked for (see `later`)
    scratch = fs[fs.shape[0] - 1]  # the last slot serves steps whose dense output is needed but not kept
    if store:
        keep(s, y, ts, ys)
    if not all_finite(k[0], n):
        return NOT_FINITE
    finite = True
    while (s[END] - s[TIME]) * forward > 0.0:
        if s[STORED] == ts.size - 1:
            return FULL
        if s[LEFT] <= 0.0:
            return MOST_STEPS
        t = s[TIME]
        h, final = next_step(s)
        if h == 0.0:
            return UNDERFLOW if finite else NOT_FINITE
        error = try_step(work, system, t, y, h, rtol, atol)
        finite = math.isfinite(error)
        stiff = False
        if not error <= 1.0:
            reject(s, h, error, finite)
        else:
            new_time = s[END] if final else t + h
            stiffness = dop853_stiffness(n, h, k) if watch else 0.0
            wanted = is_wanted(s, at, new_time, h)
            if later and not wanted and s[ACCEPTED] > 0.0:  # in the first step of a motion, what begins at zero is told by it
                put_off(k, h, fs[int(s[STORED])])
            elif dense or wanted:
                f = fs[int(s[STORED])] if dense else scratch
                dense_output(work, system, t, y, h, f)
                s[EVALUATIONS] += 3.0
                write_requested(system, s, y, k[NEW], f, new_time, h, at, at_out)
                if later:
                    f[LENGTH, 0] = 0.0
            for i in range(n):
                y[i] = k[NEW, i]
                k[0, i] = k[12, i]
            s[TIME] = new_time
            if project(system, y):
                rate(system, new_time, y, k[0])
                s[EVALUATIONS] += 1.0
            s[STORED] += 1.0
            if store:
                keep(s, y, ts, ys)
            accept(s, h, error, forward)
            stiff = watch and is_stiff(s, stiffness, rtol)
        # One way back to the next trial, for accepted and rejected steps: threads of a GPU that run side by side meet here after each trial. With a way of its
        # own (`continue`) the compiler makes rejections an inner loop, in which all wait for the one that rejects.
        s[EVALUATIONS] += evaluations(work)
        s[LEFT] -= 1.0
        if stiff:
            return STIFFNESS
    return REACHED
