"""Model 1.2 at a held spin: four states, slip along the rim as well as across it, with pivoting and contour friction, or with Contensou's law for slow slip.

S stays above one point, the disk turns about the vertical with the constant speed Omega; speeds are y = beta' and z = gamma'. In body axes the angular velocity is w = (Omega
sb sg + y cg, Omega sb cg - y sg, Omega cb + z), the twist about the vertical omega_n = Omega + z cb, and S moves with z_S' = e sb cg z + rs cb y. Slip of C1:

    gamma_x = rs (z + Omega cb),    gamma_y = rs sb y - e cg (Omega + cb z)

Kane's equations, with moments A, Bb, Cb about S:

    A w_x' cg - Bb w_y' sg + (Cb - Bb) w_y w_z cg - (A - Cb) w_z w_x sg + m (g + z_S'') rs cb  =  lambda_y rs sb
    Cb w_z' + (Bb - A) w_x w_y + m (g + z_S'') e sb cg  =  lambda_x rs - lambda_y e cb cg + couple cb - r lambda_R

Friction with the weight as its load: lambda = -mu m g gamma/(eps + spot |omega_n| + kink |gamma|); couple = -mu_tau m g radius w/(|w| + eps_tau), w = radius omega_n; lambda_R = -mu_R m g
c/(eps_R + kink |c|), c = -r z. `spot` is the radius of contact over the slope of Contensou's reservoir: that law at slow slip (`more_friction.contensou_slipping`).

Neither the twist nor the way of C1 along the rim depends on y where gamma' = -Omega cos beta: in Model 1.4 pivoting and contour friction act on nothing but the spin.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ....kernel.names import InputError
from ....kernel.scalar import absolute, real, sincos, sqrt
from ....kernel.system import describe, rate, signals, validate
from ....mechanics.laws.limits import check_not_negative, check_positive
from .spinning import ANGLES, FRICTION, PLOT, check_kink


class TippediskSlipping(NamedTuple):
    """A tippedisk that spins in place with constant speed and slips along its rim, too."""

    disk: Any
    Omega: float
    mu: float = 0.3
    eps: float = 0.1
    g: float = 9.81
    kink: float = 1.0
    mu_tau: float = 0.0
    radius: float = 2.9e-3
    eps_tau: float = 1e-3
    mu_R: float = 0.0
    eps_R: float = 1e-2
    spot: float = 0.0


@rate.register(TippediskSlipping)
def _(s, t, y, out):
    d = s.disk
    r, e, m, A = d.r, d.e, d.m, d.A
    Bb, Cb, weight, O = d.B - m * e * e, d.C - m * e * e, m * s.g, s.Omega
    sb, cb = sincos(y[0])
    sg, cg = sincos(y[1])
    v, z = y[2], y[3]
    rs, twist = r + e * sg, O + z * cb
    wx, wy, wz = O * sb * sg + v * cg, O * sb * cg - v * sg, O * cb + z
    along, across = rs * (z + O * cb), rs * sb * v - e * cg * twist
    size = sqrt(along * along + across * across) if real(along) != 0.0 or real(across) != 0.0 else 0.0 * across
    push = -s.mu * weight / (s.eps + s.spot * absolute(twist) + s.kink * size)
    w = s.radius * twist
    couple = -s.mu_tau * weight * s.radius * (w / (absolute(w) + s.eps_tau))
    contour = -s.mu_R * weight * r * r * z / (s.eps_R + s.kink * absolute(r * z))  # -r lambda_R
    ax = O * cb * v * sg + z * wy  # w_x', w_y' without y'
    ay = O * cb * v * cg - z * wx
    up = m * (s.g - e * sg * sb * z * z + 2.0 * e * cg * cb * v * z - rs * sb * v * v)
    m11 = A * cg * cg + Bb * sg * sg + m * rs * rs * cb * cb
    m12 = m * rs * cb * e * cg * sb
    m22 = Cb + m * e * e * cg * cg * sb * sb
    f1 = push * across * rs * sb - A * cg * ax + Bb * sg * ay - (Cb - Bb) * wy * wz * cg + (A - Cb) * wz * wx * sg - rs * cb * up
    f2 = push * (along * rs - across * e * cb * cg) + couple * cb + contour
    f2 += Cb * O * sb * v - (Bb - A) * wx * wy - e * cg * sb * up
    det = m11 * m22 - m12 * m12
    out[0] = v
    out[1] = z
    out[2] = (m22 * f1 - m12 * f2) / det
    out[3] = (m11 * f2 - m12 * f1) / det


@signals.register(TippediskSlipping)
def _(s, t, y, out):
    sb, cb = sincos(y[0])
    sg, cg = sincos(y[1])
    rs, twist = s.disk.r + s.disk.e * sg, s.Omega + y[3] * cb
    out[0] = rs * sb
    out[1] = rs * (y[3] + s.Omega * cb)
    out[2] = rs * sb * y[2] - s.disk.e * cg * twist
    out[3] = twist


@validate.register(TippediskSlipping)
def _(s):
    check_positive(s, "g", "radius", "eps_tau", "eps_R")
    check_not_negative(s, "mu", "mu_tau", "mu_R", "eps", "spot")
    check_kink(s)
    if not s.eps + s.spot > 0.0:
        raise InputError(
            "eps = 0 and spot = 0: without smoothing and without a spot of contact this law jumps; give one of them."
        )
    if s.Omega == 0.0 or not math.isfinite(s.Omega):
        raise InputError(f"Omega = {s.Omega!r} must be a spin speed other than zero.")


describe(
    TippediskSlipping,
    {**ANGLES, "beta_rate": "rad/s", "gamma_rate": "rad/s"},
    {
        "z_S": ("m", "height of the mass centre"),
        "slip_x": ("m/s", "slip along the rim"),
        "slip_y": ("m/s", "lateral slip"),
        "twist": ("rad/s", "angular velocity about the vertical"),
    },
    parameters={
        "Omega": ("rad/s", "spin speed"),
        "eps": ("m/s", "smoothing velocity"),
        "g": "m/s^2",
        **FRICTION,
        "mu_tau": ("", "coefficient of pivoting friction"),
        "radius": ("m", "radius of contact of pivoting friction"),
        "eps_tau": ("m/s", "smoothing velocity of pivoting friction"),
        "mu_R": ("", "coefficient of contour friction"),
        "eps_R": ("m/s", "smoothing velocity of contour friction"),
        "spot": ("m", "radius of contact over the slope of Contensou's reservoir"),
    },
    plot=PLOT,
)
