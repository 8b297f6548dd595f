"""A block of Radau IIA steps: dense output, output at chosen times, and a test whether the stiffness is over."""

from __future__ import annotations

import math

from ...kernel.compiled import compiled
from ...kernel.derivative import rate_jacobian
from ...kernel.system import project, rate
from .around_step import all_finite, is_wanted, keep, next_step, write_requested
from .control import (
    CONTRACTION,
    END,
    EVALUATIONS,
    FRESH,
    FULL,
    KEEP,
    LAST_REJECTED,
    LAST_STEP,
    LEFT,
    MOST_STEPS,
    NOT_FINITE,
    REACHED,
    SMOOTH,
    STORED,
    TIME,
    UNDERFLOW,
)
from .radau_control import SHRINK, accept, is_smooth, newton_tolerance, prepare, quotient, reject, take_jacobian
from .radau_step import (
    BROKEN,
    CONVERGED,
    NEW,
    REAL_SIDE,
    F,
    Z,
    radau_dense,
    radau_dense_error,
    radau_error,
    radau_move,
    radau_stages,
    radau_work,
)

__all__ = ["advance_implicit", "radau_work"]


@compiled
def go_on(system, s, y, new_time, h, k, at, at_out):
    """Move to the end of an accepted step, writing the states at the requested times on the way."""
    radau_dense(k.rows, k.p)
    write_requested(system, s, y, k.rows[NEW], k.p, new_time, h, at, at_out)
    s[TIME] = new_time
    for i in range(y.size):
        y[i] = k.rows[NEW, i]
        k.f0[i] = k.rows[F + 2, i]
    if project(system, y):
        rate(system, new_time, y, k.f0)
        s[EVALUATIONS] += 1.0


@compiled
def copy_rows(p, f):
    """f = p, both of `dense.ROWS` rows."""
    for j in range(p.shape[0]):
        for i in range(p.shape[1]):
            f[j, i] = p[j, i]


@compiled
def step_error(system, s, y, h, k, wanted):
    """The error of a step whose stages have converged, relative to the tolerances; the new state and the rate there if it is below 1.

    If it is too large in the first step, or after a rejected one, the estimate is repeated with a rate that knows of stiff components.
    `wanted`: the dense output must be accurate, too.
    """
    t = s[TIME]
    first = s[LAST_STEP] == 0.0
    error = radau_error(h, k.f0, k.rows, k.lu, k.pivots[0])
    inside = radau_dense_error(-s[LAST_STEP] / h, k.rows, k.p) if wanted and not first else 0.0
    if error >= 1.0 and (first or s[LAST_REJECTED] > 0.0):
        radau_move(y, k.rows[REAL_SIDE], k.rows)
        rate(system, t, k.rows[NEW], k.rows[F])
        s[EVALUATIONS] += 1.0
        error = radau_error(h, k.rows[F], k.rows, k.lu, k.pivots[0])
    if max(error, inside) < 1.0:
        radau_move(y, k.rows[Z + 2], k.rows)
        rate(system, t + h, k.rows[NEW], k.rows[F + 2])
        s[EVALUATIONS] += 1.0
    return max(error, inside)


@compiled
def advance_implicit(system, s, y, k, tolerance, block):
    """Integrate from the state (s[TIME], y) until s[END], or until the block is full; why it ended.

    See `block`; k is a `RadauWork` whose f0 must hold the rate at the start. block.watch: stop when the system
    is no longer stiff, i.e. when |h| rho(J) stayed below 2 for 20 steps, rho being the `spectral_bound` of the last Jacobian. A
    step whose dense output is wanted must be accurate inside as well (`radau_dense_error`). A step that fails, for whatever reason,
    counts against s[LEFT]; s[EVALUATIONS] counts rates, without those in Jacobians.
    With s[LAST_STEP] = s[FRESH] = 0 the method starts anew, without a Jacobian or stages to extrapolate from.
    """
    rtol, atol = tolerance
    ts, ys, fs, at, at_out, store, dense, watch = block
    forward = 1.0 if s[END] >= s[TIME] else -1.0
    s[STORED] = 0.0
    if store:
        keep(s, y, ts, ys)
    if not all_finite(k.f0, y.size):
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
        s[LEFT] -= 1.0
        first = s[LAST_STEP] == 0.0
        if s[FRESH] == 0.0 and (s[KEEP] == 0.0 or first):
            rate_jacobian(system, t, y, k.complex_rows[0], k.complex_rows[1], k.jac)
            take_jacobian(s, k, watch)
        finite = True
        if not prepare(s, y, h, k, rtol, atol):
            reject(s, h, 0.5)
            continue
        end, iterations, theta, s[CONTRACTION], factor = radau_stages(system, t, y, h, k, newton_tolerance(rtol), s[CONTRACTION])
        s[EVALUATIONS] += 3.0 * iterations
        if end != CONVERGED:
            finite = end != BROKEN
            reject(s, h, factor)
            continue
        error = step_error(system, s, y, h, k, dense or is_wanted(s, at, t + h, h))
        finite = math.isfinite(error) and all_finite(k.rows[F + 2], y.size)
        if not finite or error >= 1.0:
            reject(s, h, 0.1 if first or not finite else max(SHRINK, 1.0 / quotient(error, iterations)))
            continue
        accept(s, h, error, iterations, theta)
        go_on(system, s, y, s[END] if final else t + h, h, k, at, at_out)
        if dense:
            copy_rows(k.p, fs[int(s[STORED])])
        s[STORED] += 1.0
        if store:
            keep(s, y, ts, ys)
        if watch and is_smooth(s, h):
            return SMOOTH
    return REACHED
