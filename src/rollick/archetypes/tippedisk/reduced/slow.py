"""The dynamics on the slow manifold, two states (Sailer (5.24)), and the same without dimensions (section 6.1).

    beta' = h_c + eps h_1,    gamma' = -Omega cos beta

eps = 0 is pure rolling, a Hamiltonian system: the height of S, (r + e sin gamma) sin beta, is conserved. Only eps/mu matters; without dimensions delta =
eps/(Omega r mu). Friction is linear here (both laws have the same h_1). Higher orders: `manifold.slow_flow`.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ....kernel.names import InputError
from ....kernel.scalar import sincos
from ....kernel.system import describe, rate, signals, validate
from ....mechanics.laws.limits import check_not_negative, check_positive
from .spinning import ANGLES, PLOT, RATIOS, check_ratios
from .terms import first_correction, rolling_rate


class TippediskSlow(NamedTuple):
    """A tippedisk on its slow manifold, to first order in eps: inclination and rolling angle."""

    disk: Any
    Omega: float
    mu: float = 0.3
    eps: float = 0.1
    g: float = 9.81


class TippediskSlowNormalised(NamedTuple):
    """The same without dimensions, in the time Omega t."""

    kappa: float
    zeta: float
    omega: float
    delta: float = 0.2


@rate.register(TippediskSlow)
def _(s, t, y, out):
    d = s.disk
    sb, cb = sincos(y[0])
    sg, cg = sincos(y[1])
    h1 = first_correction(d.r, d.e, d.A, d.B - d.m * d.e * d.e, d.m * s.g, sb, cb, sg, cg, s.Omega)
    out[0] = rolling_rate(d.r, d.e, sb, sg, cg, s.Omega) + s.eps / s.mu * h1
    out[1] = -s.Omega * cb


@rate.register(TippediskSlowNormalised)
def _(s, t, y, out):
    sb, cb = sincos(y[0])
    sg, cg = sincos(y[1])
    h1 = first_correction(1.0, s.kappa, s.zeta, 1.0, 1.0 / (s.omega * s.omega), sb, cb, sg, cg, 1.0)
    out[0] = rolling_rate(1.0, s.kappa, sb, sg, cg, 1.0) + s.delta * h1
    out[1] = -cb


@signals.register(TippediskSlow)
def _(s, t, y, out):
    sb, cb = sincos(y[0])
    sg, _cg = sincos(y[1])
    rs = s.disk.r + s.disk.e * sg
    out[0] = rs * sb
    out[1] = -s.Omega * rs * rs * cb


@signals.register(TippediskSlowNormalised)
def _(s, t, y, out):
    sb, cb = sincos(y[0])
    sg, _cg = sincos(y[1])
    q = 1.0 + s.kappa * sg
    out[0] = q * sb
    out[1] = -q * q * cb


@validate.register(TippediskSlow)
def _(s):
    check_positive(s, "mu", "g")
    check_not_negative(s, "eps")
    if s.Omega == 0.0 or not math.isfinite(s.Omega):
        raise InputError(f"Omega = {s.Omega!r} must be a spin speed other than zero.")


@validate.register(TippediskSlowNormalised)
def _(s):
    check_ratios(s)
    check_not_negative(s, "delta")


describe(
    TippediskSlow,
    ANGLES,
    {"z_S": ("m", "height of the mass centre"), "rho": ("m^2/s", "momentum (r + e sin gamma)^2 gamma'")},
    parameters={
        "Omega": ("rad/s", "spin speed"),
        "eps": ("m/s", "smoothing velocity"),
        "g": "m/s^2",
        "mu": ("", "coefficient of friction"),
    },
    plot=PLOT,
)
describe(
    TippediskSlowNormalised,
    ANGLES,
    {"z_S": ("", "height of the mass centre over r"), "rho": ("", "momentum q^2 gamma'")},
    parameters={**RATIOS, "delta": ("", "eps/(Omega r mu)")},
    plot=PLOT,
)
