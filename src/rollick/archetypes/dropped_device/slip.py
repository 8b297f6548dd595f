"""The rod slips with one end on the floor: (5.13)-(5.16) with h = -(-1)^i sin(phi), until the other end hits or the contact force vanishes.

The angle moves by itself and drives the oscillator. Both are integrated together by DOP853. The end of the phase and the turns of the
oscillator are found by repeating the last step with the right length, so that both are as accurate as the steps.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ...kernel.compiled import compiled, inlined
from ...kernel.system import describe, rate
from ...motion.ode.dop853 import NEW, dop853_step

OTHER_END, LIFT_OFF, TIME_UP, STUCK = 1, 2, 3, 4
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


@compiled
def short_step(s, y, tau, k, atol):
    """The state after one step of length tau, in k[NEW]; k[0] must hold the rate at its start."""
    dop853_step(s, 0.0, y, tau, k, RTOL, atol)


@compiled
def turn_within(s, y, tau, rate_there, k, atol):
    """|u| at the instant within a step of length tau at which u' = 0 (u' changes its sign); and that instant."""
    a, fa, b, fb = 0.0, y[3], tau, rate_there
    x, most = 0.0, 0.0
    for _ in range(40):
        x = b - fb * (b - a) / (fb - fa)
        if not a < x < b:
            x = 0.5 * (a + b)
        short_step(s, y, x, k, atol)
        f = k[NEW, 3]
        most = max(most, abs(k[NEW, 2]))
        if f == 0.0 or b - a < 1e-9 * tau or abs(f) < 1e-9 * (abs(y[3]) + abs(rate_there)):
            break
        if (f > 0.0) == (fb > 0.0):
            b, fb, fa = x, f, 0.5 * fa
        else:
            a, fa, fb = x, f, 0.5 * fb
    return most, x


@inlined
def ending(s, y, kind):
    """What vanishes at the end of the phase: the other end's height, or the contact force."""
    if kind == OTHER_END:
        return other_height(s.sigma, y[0])
    return 1.0 + s.sigma * y[1] * y[1] * math.sin(y[0])


@compiled
def end_within(s, y, tau, kind, k, atol):
    """The length of the step, at most tau, at which the phase ends; the state there is in k[NEW]."""
    a, fa = 0.0, ending(s, y, kind)
    b, fb = tau, ending(s, k[NEW], kind)
    for _ in range(80):
        x = b - fb * (b - a) / (fb - fa) if fb != fa else 0.5 * (a + b)
        if not a < x < b:
            x = 0.5 * (a + b)
        short_step(s, y, x, k, atol)
        f = ending(s, k[NEW], kind)
        if f == 0.0 or b - a <= 4e-16 * tau:
            return x
        if f > 0.0:
            a, fa, fb = x, f, 0.5 * fb
        else:
            b, fb, fa = x, f, 0.5 * fa
        if b - a <= 1e-15 * tau:
            break
    short_step(s, y, b, k, atol)
    return b


@compiled
def slide(s, y, room, scale, k, atol):
    """Slip from the state y (overwritten) for at most the time `room`: (why it ended, duration, largest |u|, when).

    `scale` is the displacement that counts as large, for the absolute tolerances. Short phases begin with short steps.
    """
    atol[0], atol[1] = 1e-15, 1e-14
    atol[2], atol[3] = 1e-12 * scale, 1e-12 * scale * math.sqrt(s.K)
    t, most, when = 0.0, abs(y[2]), 0.0
    tau = min(1e-3, 0.1 / (math.sqrt(s.K) + s.delta))
    rate(s, 0.0, y, k[0])
    for _ in range(20_000_000):
        if t >= room:
            return TIME_UP, t, most, when
        tau = min(tau, LONGEST, 0.3 / (abs(y[1]) + 1.0), room - t)
        rate(s, 0.0, y, k[0])
        error = dop853_step(s, 0.0, y, tau, k, RTOL, atol)
        factor = 5.0 if error < 1e-9 else min(5.0, max(0.2, 0.9 * error ** (-0.125)))
        if not error <= 1.0:
            tau *= factor if error == error else 0.2
            if tau < 1e-18:
                return STUCK, t, most, when
            continue
        why, used = 0, tau
        if other_height(s.sigma, k[NEW, 0]) <= 0.0:
            why = OTHER_END
        elif 1.0 + s.sigma * k[NEW, 1] * k[NEW, 1] * math.sin(k[NEW, 0]) < 0.0:
            why = LIFT_OFF
        if why != 0:
            used = end_within(s, y, tau, why, k, atol)
        new0, new1, new2, new3 = k[NEW, 0], k[NEW, 1], k[NEW, 2], k[NEW, 3]
        if abs(new2) > most:
            most, when = abs(new2), t + used
        if y[3] * new3 < 0.0 and max(abs(y[2]), abs(new2)) + used * max(abs(y[3]), abs(new3)) > most:
            peak, x = turn_within(s, y, used, new3, k, atol)
            if peak > most:
                most, when = peak, t + x
        t += used
        y[0], y[1], y[2], y[3] = new0, new1, new2, new3
        if why != 0:
            return why, t, most, when
        tau *= factor
    return STUCK, t, most, when
