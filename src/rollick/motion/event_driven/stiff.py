"""Stiff stretches of a motion from event to event: steps by Radau IIA, until the motion is stiff no more or another mode begins.

Imported only where a motion may be stiff.
"""

from __future__ import annotations

from ...kernel.compiled import compiled
from ...kernel.derivative import EPS, rate_jacobian
from ...kernel.system import dim, rate
from ..ode import control as c
from ..ode.implicit import advance_implicit
from ..ode.radau_step import RadauWork, radau_work
from ..ode.steppers import FORGET
from .follow import begin_mode, follow_modes, make_step, renew_rate, while_stiff
from .held_body import AccountedBody, held_rate

__all__ = ["hand_over", "radau_work"]


@compiled
def hand_over(s, of, to):
    """Let the other method go on from here: it is given the rate, and forgets what the control record holds of the one before."""
    for i in range(of.size):
        to[i] = of[i]
    for i in range(len(FORGET)):
        s[FORGET[i]] = 0.0


@make_step.register(RadauWork)
def _(work, body, s, y, tolerance, step):
    return advance_implicit(body, s, y, work, tolerance, step)


@renew_rate.register(RadauWork)
def _(work, body, t, y):
    rate(body, t, y, work.f0)


@begin_mode.register(RadauWork)
def _(work, body, guards, m, s, y, tolerance, step, options):
    return c.SMOOTH


@while_stiff.register(RadauWork)
def _(work, k, body, code, m, log, s, y, tolerance, step, block, options):
    hand_over(s, k[0], work.f0)
    why = c.FULL
    while why == c.FULL:
        m.logged = 0.0
        why = follow_modes(body, code, m, log, s, y, work, tolerance, step, block, options)
    hand_over(s, work.f0, k[0])
    return c.FULL if why == c.SMOOTH else why


@rate_jacobian.register(AccountedBody)
def _(body, t, y, z, f, out):
    n = dim(body.system)
    for i in range(y.size):
        z[i] = y[i]
        for j in range(n, y.size):
            out[i, j] = 0.0  # nothing depends on the account; and steps need not know how it depends on states
            out[j, i] = 0.0
    for j in range(n):
        z[j] = complex(y[j], EPS)
        held_rate(body.system, body.choice, t, z[:n], f[:n])
        z[j] = y[j]
        for i in range(n):
            out[i, j] = f[i].imag / EPS
