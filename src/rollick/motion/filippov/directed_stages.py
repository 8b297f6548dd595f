"""The rates at a place of a slaved step, with slips along given angles: what `directed` iterates, and the memory it does so in."""

from __future__ import annotations

import math

import numpy as np

from ...kernel.compiled import compiled
from .by_address import add_up, forces_here, see_again, slip_rate, slip_rates
from .collocation import RADAU, STAGES
from .forces import SLIP
from .records import fields

NUDGE = 1e-6  # rad: for differences with respect to an angle, which only have to make Newton's method converge
LENGTH, END, STIFF, FACTORS, ERROR = range(
    5
)  # of the step before: length (0: it was none of these) and end; how long steps are for which states need Newton's method; the step that J is for; error
FAR_TURN = 0.5  # rad: the most that an angle is changed by at once
FEW = 8  # states: up to so many, Newton's method may be taken for all unknowns of a step
NODES, WEIGHTS = RADAU[:2]


def directed_kind(n: int) -> np.dtype:
    """Memory for n states: rates F (start and stages), slip rates U, their derivatives by angles and by states (K, L), angles and their directions, residuals R, Newton's matrix (its factors, and
    their pivots) and right-hand side, one state, one rate, and what is known from the step before."""
    s = STAGES
    most = s * (n + 2) if n <= FEW else 2 * s  # unknowns
    return fields(
        F=(s + 1, n), U=(s + 1, 4), dF=(s, 2, n), dU=(s, 2, 4), K=(n, n), L=(4, n), phi=(s, 2), w=(s, 4), R=(s, n), J=(most * most,), pivots=np.dtype((np.int64, (most,))),
        before=(5,), b=(most,), Y=(n,), f=(n,), u=(4,), rates=(4,),
    )  # fmt: skip


@compiled
def along(form, modes, phi0, phi1, t, y, here, out, rates):
    """dy/dt and the slip rates, with slips along given angles."""
    see_again(form, modes, t, y, here)
    if modes[0] == SLIP:
        here.w[0], here.w[1] = math.cos(phi0), math.sin(phi0)
    if modes[1] == SLIP:
        here.w[2], here.w[3] = math.cos(phi1), math.sin(phi1)
    forces_here(form, modes, here)
    add_up(form, modes, here, out)
    slip_rates(form, modes, here, rates)


@compiled
def nudge(form, modes, k, phi, here):
    """The forces for an angle of contact k that is a little larger."""
    here.w[2 * k], here.w[2 * k + 1] = math.cos(phi + NUDGE), math.sin(phi + NUDGE)
    forces_here(form, modes, here)


@compiled
def by_angle(form, modes, k, phi, here, base, rates, dF, dU):
    """The derivatives of rate and slip rates by the angle of contact k, at the instant that `here` holds."""
    w1, w2 = here.w[2 * k], here.w[2 * k + 1]
    nudge(form, modes, k, phi, here)
    add_up(form, modes, here, dF)
    slip_rates(form, modes, here, dU)
    for i in range(dF.size):
        dF[i] = (dF[i] - base[i]) / NUDGE
    for i in range(4):
        dU[i] = (dU[i] - rates[i]) / NUDGE
    here.w[2 * k], here.w[2 * k + 1] = w1, w2


@compiled
def slip_by_angle(form, modes, k, phi, here, rate1, rate2):
    """The derivative of the slip rate (rate1, rate2) of contact k by its angle; the forces in `here` are then those of the angle a little larger."""
    w1, w2 = here.w[2 * k], here.w[2 * k + 1]
    nudge(form, modes, k, phi, here)
    d1 = (slip_rate(form, modes, here, 3 * k + 1) - rate1) / NUDGE
    d2 = (slip_rate(form, modes, here, 3 * k + 2) - rate2) / NUDGE
    here.w[2 * k], here.w[2 * k + 1] = w1, w2
    return d1, d2


@compiled
def slip_at_node(i, k, u0, h, d):
    """u_i of contact k."""
    u, v = u0[2 * k], u0[2 * k + 1]
    for j in range(STAGES):
        u += h * WEIGHTS[i, j] * d.U[j + 1, 2 * k]
        v += h * WEIGHTS[i, j] * d.U[j + 1, 2 * k + 1]
    return u, v


@compiled
def state_at(j, y, h, d):
    """Y_j, into d.Y."""
    for i in range(y.size):
        total = 0.0
        for q in range(STAGES):
            total += WEIGHTS[j, q] * d.F[q + 1, i]
        d.Y[i] = y[i] + h * total
