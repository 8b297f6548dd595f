"""What the stiff method decides between its steps: the next step length, and how long a Jacobian and its factors serve.

Hairer, Wanner, *Solving Ordinary Differential Equations II*, sec. IV.8: the error estimate is of order 3, so that the step goes
with its fourth root; Gustafsson's predictive controller continues the trend of the last two errors,

    h_new = 0.9 h (1/error)^(1/4) (h/h_old) (error_old/error)^(1/4),

and the shorter of the two proposals is taken. While the Newton iteration contracts faster than `THETA_KEEP` the Jacobian is kept,
and with it the step, unless a much longer one is possible. After a failure the Jacobian is taken at the present point.
"""

from __future__ import annotations

import math

from ...kernel.compiled import compiled
from ...kernel.scalar import sqrt
from .control import (
    ACCEPTED,
    CONTRACTION,
    FACTORED,
    FACTORISATIONS,
    FRESH,
    JACOBIANS,
    KEEP,
    LAST_ERROR,
    LAST_REJECTED,
    LAST_STEP,
    MOST_STEP,
    NORM,
    NOT_STIFF,
    REJECTED,
    STEP,
)
from .radau_step import EPS, MOST_NEWTON, THETA_KEEP, WEIGHT, radau_factor, radau_predict, spectral_bound

SAFETY = 0.9
GROW, SHRINK = 8.0, 0.2
LITTLE = 1.2  # a step is not lengthened by less than this while its factors still serve
SMOOTH_LIMIT, SMOOTH_STEPS = 2.0, 20  # |h| rho(J) below this for so many steps: an explicit method would do


@compiled
def take_jacobian(s, k, watch):
    """Note a new Jacobian. An entry that is not finite (the rate has a corner or a root there) counts as zero.

    The Jacobian decides only how fast the Newton iteration converges, not what it converges to.
    """
    n = k.f0.size
    for i in range(n):
        for j in range(n):
            if not math.isfinite(k.jac[i, j]):
                k.jac[i, j] = 0.0
    s[JACOBIANS] += 1.0
    s[KEEP] = s[FRESH] = 1.0
    s[FACTORED] = 0.0
    s[NORM] = spectral_bound(k.jac, k.lu, k.pair) if watch else -1.0


@compiled
def prepare(s, y, h, k, rtol, atol):
    """The weights of the norm, the factors for the step h and starting values of its stages; False if a matrix is singular."""
    for i in range(y.size):
        k.rows[WEIGHT, i] = atol[i] + rtol * abs(y[i])
    if s[FACTORED] != h:
        s[FACTORISATIONS] += 1.0
        s[FACTORED] = h if radau_factor(h, k.jac, k.lu, k.pair, k.pivots) else 0.0
    if s[LAST_STEP] == 0.0:
        s[CONTRACTION] = 1.0
    radau_predict(h / s[LAST_STEP] if s[LAST_STEP] != 0.0 else 0.0, k.p, k.rows)
    return s[FACTORED] != 0.0


@compiled
def newton_tolerance(rtol):
    """How exactly the stages are solved for, in units of the tolerances; not more exactly than rounding allows."""
    return max(10.0 * EPS / rtol, min(0.03, sqrt(rtol))) if rtol > 0.0 else 0.03


@compiled
def quotient(error, iterations):
    """The step over the step that the error would allow; the more iterations were needed, the more cautious."""
    return error**0.25 / (SAFETY * (2 * MOST_NEWTON + 1) / (2 * MOST_NEWTON + iterations))


@compiled
def reject(s, h, factor):
    """Note a failed attempt; the next one has the step h * factor, and a Jacobian of this very point."""
    s[REJECTED] += 1.0
    s[LAST_REJECTED] = 1.0
    s[STEP] = h * factor
    s[KEEP] = s[FRESH]


@compiled
def accept(s, h, error, iterations, theta):
    """Note an accepted step, choose the length of the next, and whether the Jacobian is kept for it."""
    error = max(error, 1e-10)
    ratio = quotient(error, iterations)
    if s[LAST_STEP] != 0.0:
        ratio = max(ratio, s[LAST_STEP] / h * (error * error / s[LAST_ERROR]) ** 0.25 / SAFETY)
    factor = 1.0 / max(1.0 / GROW, min(1.0 / SHRINK, ratio))
    if s[LAST_REJECTED] > 0.0:
        factor = min(factor, 1.0)
    s[ACCEPTED] += 1.0
    s[LAST_STEP] = h
    s[LAST_ERROR] = max(1e-2, error)
    s[LAST_REJECTED] = 0.0
    s[FRESH] = 0.0
    s[KEEP] = 1.0 if theta <= THETA_KEEP else 0.0
    if s[KEEP] > 0.0 and 1.0 <= factor <= LITTLE:
        factor = 1.0
    s[STEP] = math.copysign(min(abs(h) * factor, s[MOST_STEP]), h)


@compiled
def is_smooth(s, h):
    """Whether an explicit method would do by now: |h| rho(J) has been below SMOOTH_LIMIT for SMOOTH_STEPS steps."""
    below = s[NORM] >= 0.0 and abs(h) * s[NORM] < SMOOTH_LIMIT
    s[NOT_STIFF] = s[NOT_STIFF] + 1.0 if below else 0.0
    if s[NOT_STIFF] >= SMOOTH_STEPS:
        s[NOT_STIFF] = 0.0
        return True
    return False
