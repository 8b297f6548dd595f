"""Model 1.4 as an ODE of three states (Sailer (4.39)-(4.44)), and the same without dimensions (section 6.1).

Friction across the rim is lambda_y = -mu m g gamma_y/(eps + kink |gamma_y|): `kink` = 1 is the regularised law (3.33), once differentiable; `kink` = 0 the linear
law (4.61), for which normal forms and harmonic balance are made (note i of the digest); between them one goes over into the other.

The field is odd about inverted spinning: (beta, gamma) -> (pi - beta, pi - gamma) with the rates turned, too.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ....kernel.compiled import inlined
from ....kernel.names import InputError
from ....kernel.scalar import absolute, sincos
from ....kernel.system import describe, rate, signals, validate
from ....mechanics.laws.limits import check_not_negative, check_positive
from .terms import forces, inertia, lateral_slip, lever


class TippediskReduced(NamedTuple):
    """A tippedisk that spins in place with constant speed: inclination, rolling angle and the rate of inclination."""

    disk: Any
    Omega: float
    mu: float = 0.3
    eps: float = 0.1
    g: float = 9.81
    kink: float = 1.0


class TippediskNormalised(NamedTuple):
    """The same without dimensions, in the time Omega t: kappa = e/r, zeta = A/Bb, psi = m r^2/Bb, epsilon = eps/(Omega r), omega = Omega sqrt(Bb/(m g r))."""

    kappa: float
    zeta: float
    psi: float
    omega: float
    mu: float = 0.3
    epsilon: float = 0.06
    kink: float = 0.0


@inlined
def acceleration(r, e, m, A, Bb, weight, mu, eps, kink, Omega, sb, cb, sg, cg, y):
    """y' of Model 1.4."""
    v = lateral_slip(r, e, sb, sg, cg, y, Omega)
    push = -mu * weight * v / (eps + kink * absolute(v))
    total = forces(r, e, m, A, Bb, weight, sb, cb, sg, cg, y, Omega) + lever(r, e, sb, sg) * push
    return total / inertia(r, e, m, A, Bb, cb, sg, cg)


@rate.register(TippediskReduced)
def _(s, t, y, out):
    d = s.disk
    Bb = d.B - d.m * d.e * d.e
    sb, cb = sincos(y[0])
    sg, cg = sincos(y[1])
    out[0] = y[2]
    out[1] = -s.Omega * cb
    out[2] = acceleration(d.r, d.e, d.m, d.A, Bb, d.m * s.g, s.mu, s.eps, s.kink, s.Omega, sb, cb, sg, cg, y[2])


@rate.register(TippediskNormalised)
def _(s, t, y, out):
    sb, cb = sincos(y[0])
    sg, cg = sincos(y[1])
    out[0] = y[2]
    out[1] = -cb
    weight = 1.0 / (s.omega * s.omega)
    out[2] = acceleration(1.0, s.kappa, s.psi, s.zeta, 1.0, weight, s.mu, s.epsilon, s.kink, 1.0, sb, cb, sg, cg, y[2])


@signals.register(TippediskReduced)
def _(s, t, y, out):
    sb, cb = sincos(y[0])
    sg, cg = sincos(y[1])
    out[0] = (s.disk.r + s.disk.e * sg) * sb
    out[1] = lateral_slip(s.disk.r, s.disk.e, sb, sg, cg, y[2], s.Omega)
    out[2] = -s.Omega * cb


@signals.register(TippediskNormalised)
def _(s, t, y, out):
    sb, cb = sincos(y[0])
    sg, cg = sincos(y[1])
    out[0] = (1.0 + s.kappa * sg) * sb
    out[1] = lateral_slip(1.0, s.kappa, sb, sg, cg, y[2], 1.0)
    out[2] = -cb


def check_kink(s):
    """`kink` lies between the linear and the regularised law."""
    if not 0.0 <= s.kink <= 1.0:
        raise InputError(f"kink = {s.kink!r} must lie between 0 (linear friction) and 1 (regularised Coulomb friction).")


def check_ratios(s):
    """kappa and zeta of a disk."""
    if not 0.0 < s.kappa < 1.0:
        raise InputError(
            f"kappa = {s.kappa!r} must lie between 0 and 1: the mass centre is inside the rim, and not in its middle."
        )
    check_positive(s, "zeta", "omega")


@validate.register(TippediskReduced)
def _(s):
    check_positive(s, "eps", "g")
    check_not_negative(s, "mu")
    check_kink(s)
    if s.Omega == 0.0 or not math.isfinite(s.Omega):
        raise InputError(f"Omega = {s.Omega!r} must be a spin speed other than zero.")


@validate.register(TippediskNormalised)
def _(s):
    check_ratios(s)
    check_positive(s, "psi", "epsilon")
    check_not_negative(s, "mu")
    check_kink(s)


ANGLES = {"beta": ("rad", "inclination angle"), "gamma": ("rad", "rolling angle")}
FRICTION = {"mu": ("", "coefficient of friction"), "kink": ("", "1: regularised Coulomb friction, 0: linear friction")}
RATIOS = {"kappa": ("", "e/r"), "zeta": ("", "A/Bb"), "omega": ("", "spin speed over sqrt(m g r/Bb)")}
PLOT = ("beta", "gamma", "z_S")
describe(
    TippediskReduced,
    {**ANGLES, "beta_rate": "rad/s"},
    {"z_S": ("m", "height of the mass centre"), "slip_y": ("m/s", "lateral slip"), "gamma_rate": "rad/s"},
    parameters={"Omega": ("rad/s", "spin speed"), "eps": ("m/s", "smoothing velocity"), "g": "m/s^2", **FRICTION},
    plot=PLOT,
)
describe(
    TippediskNormalised,
    {**ANGLES, "beta_rate": ("", "d beta/d(Omega t)")},
    {"z_S": ("", "height of the mass centre over r"), "slip_y": ("", "lateral slip over Omega r"), "gamma_rate": ""},
    parameters={**RATIOS, **FRICTION, "psi": ("", "m r^2/Bb"), "epsilon": ("", "eps/(Omega r)")},
    plot=PLOT,
)
