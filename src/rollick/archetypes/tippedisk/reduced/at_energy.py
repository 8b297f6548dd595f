"""Model 1.3 at a fixed total energy: three states as in Model 1.4, with the energy E as the parameter instead of the spin speed (Sailer, sections 4.2 and 8.2).

Model 1.4 holds the spin, which feeds energy in as S rises. Here the spin is free, and a couple about the vertical returns what friction takes, so that E stays: tau alpha' =
-lambda_y gamma_y. With S at rest and no slip along the rim gamma' = -alpha' cos beta; in body axes the angular velocity is (w_x, w_y, 0):

    w_x = alpha' sb sg + y cg,    w_y = alpha' sb cg - y sg,    v = rs y - e alpha' sb cg,    gamma_y = sb v,    z_S' = cb v
    E = (A w_x^2 + Bb w_y^2 + m cb^2 v^2)/2 + m g rs sb

which is a quadratic equation for alpha' (its root > 0). Kane's equations for the speeds (y, alpha'):

    A w_x' cg    - Bb w_y' sg    + m (g + z_S'') rs cb       =  lambda_y rs sb
    A w_x' sb sg + Bb w_y' sb cg - m (g + z_S'') e sb cb cg  = -lambda_y e sb^2 cg + tau
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ....kernel.compiled import inlined
from ....kernel.names import InputError
from ....kernel.scalar import absolute, sincos, sqrt
from ....kernel.system import describe, rate, signals, validate
from ....mechanics.laws.limits import check_not_negative, check_positive
from .spinning import ANGLES, FRICTION, PLOT, check_kink


class TippediskAtEnergy(NamedTuple):
    """A tippedisk that spins in place with the total energy E [J]: inclination, rolling angle and the rate of inclination."""

    disk: Any
    E: float
    mu: float = 0.3
    eps: float = 0.1
    g: float = 9.81
    kink: float = 1.0


@inlined
def spin_at(r, e, m, A, Bb, weight, E, sb, cb, sg, cg, y):
    """alpha' > 0 with which the disk has the energy E."""
    rs = r + e * sg
    a = 0.5 * sb * sb * (A * sg * sg + Bb * cg * cg + m * cb * cb * e * e * cg * cg)
    b = y * sb * cg * ((A - Bb) * sg - m * cb * cb * rs * e)
    c = 0.5 * (A * cg * cg + Bb * sg * sg + m * rs * rs * cb * cb) * y * y + weight * rs * sb - E
    return (sqrt(b * b - 4.0 * a * c) - b) / (2.0 * a)


@inlined
def accelerations(r, e, m, A, Bb, g, sb, cb, sg, cg, y, spin, lateral, couple):
    """y' and alpha'' of Model 1.3 under a lateral force and a couple about the vertical."""
    rs = r + e * sg
    roll = -spin * cb
    wx, wy, v = spin * sb * sg + y * cg, spin * sb * cg - y * sg, rs * y - e * spin * sb * cg
    ax = spin * cb * y * sg + roll * wy  # w_x', w_y', v' without y' and alpha''
    ay = spin * cb * y * cg - roll * wx
    av = e * cg * roll * y - e * spin * (cb * y * cg - sb * sg * roll)
    up = m * (g - sb * y * v + cb * av)
    m11 = A * cg * cg + Bb * sg * sg + m * rs * rs * cb * cb
    m12 = sb * cg * ((A - Bb) * sg - m * rs * cb * cb * e)
    m22 = sb * sb * (A * sg * sg + Bb * cg * cg + m * cb * cb * e * e * cg * cg)
    f1 = lateral * rs * sb - A * cg * ax + Bb * sg * ay - rs * cb * up
    f2 = couple - lateral * e * sb * sb * cg - sb * (A * sg * ax + Bb * cg * ay) + e * sb * cb * cg * up
    det = m11 * m22 - m12 * m12
    return (m22 * f1 - m12 * f2) / det, (m11 * f2 - m12 * f1) / det


@rate.register(TippediskAtEnergy)
def _(s, t, y, out):
    d = s.disk
    Bb = d.B - d.m * d.e * d.e
    sb, cb = sincos(y[0])
    sg, cg = sincos(y[1])
    spin = spin_at(d.r, d.e, d.m, d.A, Bb, d.m * s.g, s.E, sb, cb, sg, cg, y[2])
    slip = sb * ((d.r + d.e * sg) * y[2] - d.e * spin * sb * cg)
    push = -s.mu * d.m * s.g * slip / (s.eps + s.kink * absolute(slip))
    bent, _turned = accelerations(d.r, d.e, d.m, d.A, Bb, s.g, sb, cb, sg, cg, y[2], spin, push, -push * slip / spin)
    out[0] = y[2]
    out[1] = -spin * cb
    out[2] = bent


@signals.register(TippediskAtEnergy)
def _(s, t, y, out):
    d = s.disk
    sb, cb = sincos(y[0])
    sg, cg = sincos(y[1])
    rs = d.r + d.e * sg
    spin = spin_at(d.r, d.e, d.m, d.A, d.B - d.m * d.e * d.e, d.m * s.g, s.E, sb, cb, sg, cg, y[2])
    out[0] = rs * sb
    out[1] = sb * (rs * y[2] - d.e * spin * sb * cg)
    out[2] = spin


@validate.register(TippediskAtEnergy)
def _(s):
    check_positive(s, "eps", "g", "E")
    check_not_negative(s, "mu")
    check_kink(s)
    least = s.disk.m * s.g * (s.disk.r + s.disk.e)
    if not least < s.E:
        raise InputError(
            f"E = {s.E!r} J must exceed m g (r + e) = {least:.6g} J, the weight lifted to the top; energies above count the height of S from the plane."
        )


describe(
    TippediskAtEnergy,
    {**ANGLES, "beta_rate": "rad/s"},
    {"z_S": ("m", "height of the mass centre"), "slip_y": ("m/s", "lateral slip"), "spin": ("rad/s", "alpha'")},
    parameters={"E": ("J", "total energy"), "eps": ("m/s", "smoothing velocity"), "g": "m/s^2", **FRICTION},
    plot=PLOT,
)
