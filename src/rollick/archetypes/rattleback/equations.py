"""Kane and Levinson's equations of motion, in their symbols and with their equation numbers.

States: alpha, beta, gamma (successive rotations gamma about r3, alpha about r1, beta about r2 bring the body from r_k = n_k to its attitude;
n3 points vertically down) and omega1, omega2, omega3 (body components of the angular velocity). Equation (32) is misprinted in the paper:
its first bracket must read v3 - x3'. `AsPrinted` keeps the misprint, to show what it does.
"""

from __future__ import annotations

from typing import NamedTuple

from ...kernel.compiled import inlined
from ...kernel.hooks import diagnose
from ...kernel.scalar import absolute, atan2, sincos, sqrt
from ...kernel.system import describe, integrals, rate, rate_with_integrals, signals
from .stone import PARAMETERS, Rattleback

STATES = {
    "alpha": ("rad", "rotation about r1 (roll about the long axis)"),
    "beta": ("rad", "rotation about r2 (pitch)"),
    "gamma": ("rad", "rotation about r3, unwrapped"),
    "omega1": ("rad/s", "angular velocity along r1"),
    "omega2": ("rad/s", "angular velocity along r2"),
    "omega3": ("rad/s", "angular velocity along r3; negative: counter-clockwise seen from above"),
}
SIGNALS = {
    "delta": ("rad", "wobble: the angle between n3 and r3"),
    "gamma_rate": ("rad/s", "rate of gamma; its zeros are reversals of the rotation"),
    "energy": ("J", "kinetic and potential energy"),
    "height": ("m", "height of the mass centre above the plane"),
    "normal_force": ("N", "force of the plane, upward"),
    "friction_force": ("N", "magnitude of the force of the plane along it"),
    "friction_demand": ("", "coefficient of friction that rolling needs"),
    "lift_off_margin": ("", "normal force over weight; the stone would lift off at zero"),
    "contact1": ("m", "contact point along X1, from the ellipsoid's centre"),
    "contact2": ("m", "contact point along X2"),
    "contact3": ("m", "contact point along X3"),
}
INTEGRALS = {
    "x": ("m", "track of the contact point on the plane, along n1"),
    "y": ("m", "track of the contact point on the plane, along n2"),
    "dissipated": ("J", "energy taken by the damping couple"),
}


@inlined
def vertical(sa, ca, sb, cb):
    """n3 in body axes."""
    return -ca * sb, sa, ca * cb  # (37)


@inlined
def contact(s, mu1, mu2, mu3, w1, w2, w3):
    """The contact point x, measured from O in body axes, and its rate."""
    aa, bb, cc = s.a * s.a, s.b * s.b, s.c * s.c
    eps = sqrt(aa * mu1 * mu1 + bb * mu2 * mu2 + cc * mu3 * mu3)  # (16)
    r = 1.0 / eps
    x1, x2, x3 = aa * mu1 * r, bb * mu2 * r, cc * mu3 * r  # (17), (18)
    dmu1, dmu2, dmu3 = w3 * mu2 - w2 * mu3, w1 * mu3 - w3 * mu1, w2 * mu1 - w1 * mu2  # (23)
    q = (x1 * dmu1 + x2 * dmu2 + x3 * dmu3) * r  # eps'/eps, (19)
    dx1, dx2, dx3 = aa * dmu1 * r - q * x1, bb * dmu2 * r - q * x2, cc * dmu3 * r - q * x3  # (20)
    return x1, x2, x3, dx1, dx2, dx3


@inlined
def spin_rates(s, mu1, mu2, mu3, w1, w2, w3, printed):
    """The angular accelerations (71), the terms zeta of the mass centre's acceleration, and contact point and rate.

    `printed`: with the misprint of (32).
    """
    M, h, A, B, C, D = s.M, s.h, s.A, s.B, s.C, s.D
    x1, x2, x3, dx1, dx2, dx3 = contact(s, mu1, mu2, mu3, w1, w2, w3)
    e = h - x3
    v1, v2, v3 = w2 * e + w3 * x2, -w3 * x1 - w1 * e, -w1 * x2 + w2 * x1  # (26)
    first = v2 if printed else v3
    z1 = w2 * (first - dx3) - w3 * (v2 - dx2)  # (32), corrected
    z2 = w3 * (v1 - dx1) - w1 * (v3 - dx3)  # (33)
    z3 = w1 * (v2 - dx2) - w2 * (v1 - dx1)  # (34)
    Mg = M * s.g
    F1 = -s.sigma * w1 + Mg * (-e * mu2 - x2 * mu3)  # (47)
    F2 = -s.sigma * w2 + Mg * (e * mu1 + x1 * mu3)  # (48)
    F3 = -s.sigma * w3 + Mg * (x2 * mu1 - x1 * mu2)  # (49)
    R1 = (D * w1 + (B - C) * w2) * w3  # (53)
    R2 = ((C - A) * w1 - D * w2) * w3  # (54)
    R3 = D * (w2 * w2 - w1 * w1) + (A - B) * w1 * w2  # (55)
    S1 = M * (e * z2 + x2 * z3)  # (64)
    S2 = M * (-e * z1 - x1 * z3)  # (65)
    S3 = M * (x1 * z2 - x2 * z1)  # (66)
    I11, I22, I33 = A + M * (x2 * x2 + e * e), B + M * (x1 * x1 + e * e), C + M * (x1 * x1 + x2 * x2)  # (58)-(60)
    I12, I23, I13 = D - M * x1 * x2, M * e * x2, M * e * x1  # (61)-(63)
    Q1, Q2, Q3 = F1 + R1 + S1, F2 + R2 + S2, F3 + R3 + S3  # (68)
    c11, c12, c13 = I22 * I33 - I23 * I23, I13 * I23 - I12 * I33, I12 * I23 - I13 * I22
    c22, c23, c33 = I11 * I33 - I13 * I13, I12 * I13 - I11 * I23, I11 * I22 - I12 * I12
    G = 1.0 / (I11 * c11 + I12 * c12 + I13 * c13)  # (69)
    dw1 = (c11 * Q1 + c12 * Q2 + c13 * Q3) * G  # (70), (71)
    dw2 = (c12 * Q1 + c22 * Q2 + c23 * Q3) * G
    dw3 = (c13 * Q1 + c23 * Q2 + c33 * Q3) * G
    return (dw1, dw2, dw3), (z1, z2, z3), (x1, x2, x3), (dx1, dx2, dx3)


@inlined
def write_rates(s, y, out, printed):
    """All six rates; returns what the integrals need: sines and cosines, and the rate of the contact point."""
    w1, w2, w3 = y[3], y[4], y[5]
    sa, ca = sincos(y[0])
    sb, cb = sincos(y[1])
    mu1, mu2, mu3 = vertical(sa, ca, sb, cb)
    dw, _, _, dx = spin_rates(s, mu1, mu2, mu3, w1, w2, w3, printed)
    turn = (w3 * cb - w1 * sb) / ca
    out[0] = w3 * sb + w1 * cb  # (40)
    out[1] = w2 - turn * sa  # (41)
    out[2] = turn  # (42)
    out[3] = dw[0]
    out[4] = dw[1]
    out[5] = dw[2]
    return sa, ca, sb, cb, dx


@inlined
def write_integrals(s, sa, ca, sb, cb, sg, cg, w1, w2, w3, dx, out):
    """The rates of the track and of the dissipated energy."""
    # P' = R x' with R = Rz(gamma) Rx(alpha) Ry(beta): the material point at the contact rests, only the shift along the surface counts.
    along = cb * dx[0] + sb * dx[2]
    across = sa * (sb * dx[0] - cb * dx[2]) + ca * dx[1]
    out[0] = cg * along - sg * across
    out[1] = sg * along + cg * across
    out[2] = s.sigma * (w1 * w1 + w2 * w2 + w3 * w3)


@rate.register(Rattleback)
def _(s, t, y, out):
    write_rates(s, y, out, False)


@integrals.register(Rattleback)
def _(s, t, y, out):
    w1, w2, w3 = y[3], y[4], y[5]
    sa, ca = sincos(y[0])
    sb, cb = sincos(y[1])
    sg, cg = sincos(y[2])
    mu1, mu2, mu3 = vertical(sa, ca, sb, cb)
    _, _, _, dx1, dx2, dx3 = contact(s, mu1, mu2, mu3, w1, w2, w3)
    write_integrals(s, sa, ca, sb, cb, sg, cg, w1, w2, w3, (dx1, dx2, dx3), out)


@rate_with_integrals.register(Rattleback)
def _(s, t, y, out):
    w1, w2, w3 = y[3], y[4], y[5]
    sg, cg = sincos(y[2])
    sa, ca, sb, cb, dx = write_rates(s, y, out, False)
    write_integrals(s, sa, ca, sb, cb, sg, cg, w1, w2, w3, dx, out[6:])


@signals.register(Rattleback)
def _(s, t, y, out):
    w1, w2, w3 = y[3], y[4], y[5]
    sa, ca = sincos(y[0])
    sb, cb = sincos(y[1])
    mu1, mu2, mu3 = vertical(sa, ca, sb, cb)
    (dw1, dw2, dw3), (z1, z2, z3), (x1, x2, x3), _ = spin_rates(s, mu1, mu2, mu3, w1, w2, w3, False)
    e = s.h - x3
    v1, v2, v3 = w2 * e + w3 * x2, -w3 * x1 - w1 * e, -w1 * x2 + w2 * x1  # (26)
    height = x1 * mu1 + x2 * mu2 + x3 * mu3 - s.h * mu3  # eps - h mu3
    spin = s.A * w1 * w1 + s.B * w2 * w2 + s.C * w3 * w3 + 2.0 * s.D * w1 * w2
    # Contact force M (a - g n3) with the acceleration (35), split along n3 (down) and the plane.
    f1 = s.M * (dw2 * e + dw3 * x2 + z1 - s.g * mu1)
    f2 = s.M * (-dw3 * x1 - dw1 * e + z2 - s.g * mu2)
    f3 = s.M * (-dw1 * x2 + dw2 * x1 + z3 - s.g * mu3)
    N = -(f1 * mu1 + f2 * mu2 + f3 * mu3)
    t1, t2, t3 = f1 + N * mu1, f2 + N * mu2, f3 + N * mu3
    T = sqrt(t1 * t1 + t2 * t2 + t3 * t3)
    out[0] = atan2(sqrt(mu1 * mu1 + mu2 * mu2), mu3)  # (39), without the loss of digits of an arc cosine near 1
    out[1] = (w3 * cb - w1 * sb) / ca  # (42)
    out[2] = 0.5 * s.M * (v1 * v1 + v2 * v2 + v3 * v3) + 0.5 * spin + s.M * s.g * height
    out[3] = height
    out[4] = N
    out[5] = T
    out[6] = T / absolute(N)
    out[7] = N / (s.M * s.g)
    out[8] = x1
    out[9] = x2
    out[10] = x3


@diagnose.register(Rattleback)
def _(s, t, y):
    import math

    if abs(math.cos(y[0])) < 1e-3:
        return "alpha is at 90 degrees, where the angles of Kane and Levinson are singular: use the quaternion form, quaternion_form(stone)."
    return ""


class AsPrinted(NamedTuple):
    """The rattleback with equation (32) as it stands in the paper: wrong, and kept only to show how wrong."""

    stone: Rattleback


@rate.register(AsPrinted)
def _(p, t, y, out):
    write_rates(p.stone, y, out, True)


@signals.register(AsPrinted)
def _(p, t, y, out):
    signals(p.stone, t, y, out)


describe(
    Rattleback, STATES, SIGNALS, INTEGRALS, PARAMETERS, plot=("gamma", "delta", "omega3", "friction_demand"),
    smooth=("gamma_rate", "energy", "height", "contact1", "contact2", "contact3"), abreast=True,
)  # fmt: skip
describe(AsPrinted, STATES, SIGNALS, plot=("gamma", "delta"))
