"""The rod slips with one end on the floor: (5.13)-(5.16) with h = -(-1)^i sin(phi), until the other end hits or the contact force vanishes.

The angle moves by itself and drives the oscillator. Both are integrated together, as a phase of `motion.hybrid.phase`, which also finds the
turns of the oscillator.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ...kernel.compiled import compiled, inlined
from ...kernel.local_array import float64, local_array
from ...kernel.system import describe, rate
from ...motion.hybrid.phase import ending, guard_value, longest_step, run_phase, watched

OTHER_END, LIFT_OFF = 1, 2  # what ends the phase
RTOL = 1e-12
LONGEST = 0.05


class Slip(NamedTuple):
    """Data of the phase. `sigma` = +-1 is the sign of the slipping end's height sigma sin(phi); `sign` = cos(true phi)/cos(phi) = +-1.

    The angle phi is reckoned without half turns; the true one is phi + k pi, and sign = (-1)^k.
    """

    rho2: float
    r: float
    K: float
    delta: float
    centrifugal: float
    sigma: float
    sign: float


@inlined
def contact_force(sigma, rho2, phi, w):
    """eta (5.16)."""
    c = math.cos(phi)
    return (1.0 + sigma * w * w * math.sin(phi)) / (1.0 + c * c / rho2)


@rate.register(Slip)
def _(s, t, y, out):
    phi, w, u, du = y[0], y[1], y[2], y[3]
    c = math.cos(phi)
    eta = contact_force(s.sigma, s.rho2, phi, w)
    dw = s.sigma * eta * c / s.rho2  # (5.14)
    out[0] = w
    out[1] = dw
    out[2] = du
    out[3] = s.centrifugal * u * w * w - s.sign * c * eta - s.r * dw - s.K * u - 2.0 * s.delta * du  # (5.15), h'' + 1 = eta


describe(Slip, states={"phi": "rad", "w": "", "u": "", "du": ""}, about="a rod that slips with one end on the floor")


@inlined
def other_height(sigma, phi):
    """Height of the other end over the slipping one, halved: zero when both touch."""
    return -sigma * math.sin(phi)


@longest_step.register(Slip)
def _(s, y):
    return min(LONGEST, 0.3 / (abs(y[1]) + 1.0))


@ending.register(Slip)
def _(s, y):
    if other_height(s.sigma, y[0]) <= 0.0:
        return OTHER_END
    return LIFT_OFF if 1.0 + s.sigma * y[1] * y[1] * math.sin(y[0]) < 0.0 else 0


@guard_value.register(Slip)
def _(s, y, guard):
    """What vanishes at the end of the phase: the other end's height, or the contact force."""
    if guard == OTHER_END:
        return other_height(s.sigma, y[0])
    return 1.0 + s.sigma * y[1] * y[1] * math.sin(y[0])


@watched.register(Slip)
def _(s):
    return 2


@compiled
def slide(s, y, room, scale):
    """Slip from the state y (overwritten) for at most the time `room`: (why it ended, duration, largest |u|, when).

    `scale` is the displacement that counts as large, for the absolute tolerances. Short phases begin with short steps.
    """
    atol = local_array(4, float64)
    atol[0], atol[1] = 1e-15, 1e-14
    atol[2], atol[3] = 1e-12 * scale, 1e-12 * scale * math.sqrt(s.K)
    return run_phase(s, y, room, min(1e-3, 0.1 / (math.sqrt(s.K) + s.delta)), RTOL, atol)
