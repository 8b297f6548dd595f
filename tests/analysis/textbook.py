"""Textbook systems with closed forms, compiled: what the tools of analysis are tried on.

Yu. A. Kuznetsov, Elements of Applied Bifurcation Theory (3rd ed., 2004), in its symbols where it has them.
"""

from __future__ import annotations

from typing import NamedTuple

from rollick.kernel import cos, describe, rate


class Polynomial(NamedTuple):
    """x' = a0 + a1 x + a2 x^2 + a3 x^3: fold (a0, with a2 = 1), transcritical (a1, a2 = -1), pitchfork (a1, a3 = -1), cusp (a0 and a1, a3 = -1)."""

    a0: float = 0.0
    a1: float = 0.0
    a2: float = 0.0
    a3: float = 0.0


@rate.register(Polynomial)
def _(s, t, y, out):
    x = y[0]
    out[0] = s.a0 + x * (s.a1 + x * (s.a2 + x * s.a3))


describe(Polynomial, states={"x": ""})


class Bautin(NamedTuple):
    """z' = (mu + i omega) z + sigma z |z|^2 + kappa z |z|^4 in x and y: the Hopf normal form (kappa = 0) and Bautin's.

    l1 = 2 sigma/omega for critical eigenvectors of length one (p.q = 1), l2 = 4 kappa/omega where sigma = 0; cycles of radius r with mu + sigma r^2 + kappa r^4 = 0, period 2 pi/omega, Floquet multiplier
    exp(2 pi (2 sigma r^2 + 4 kappa r^4)/omega); they fold at mu = sigma^2/(4 kappa), r^2 = -sigma/(2 kappa).

    alpha and gamma bend the coordinates (X = x + alpha y^2, Y = y + gamma X^2 are the states): coefficients of normal forms do not change.
    """

    mu: float = 0.1
    omega: float = 1.0
    sigma: float = -1.0
    kappa: float = 0.0
    alpha: float = 0.0
    gamma: float = 0.0


@rate.register(Bautin)
def _(s, t, y, out):
    w = y[1] - s.gamma * y[0] * y[0]
    x = y[0] - s.alpha * w * w
    r2 = x * x + w * w
    growth = s.mu + r2 * (s.sigma + s.kappa * r2)
    dx, dw = growth * x - s.omega * w, s.omega * x + growth * w
    out[0] = dx + 2.0 * s.alpha * w * dw
    out[1] = dw + 2.0 * s.gamma * y[0] * out[0]


describe(Bautin, states={"x": "", "y": ""})


class Brusselator(NamedTuple):
    """x' = A - (B + 1) x + x^2 y, y' = B x - x^2 y: the equilibrium (A, B/A) has a Hopf point at B = 1 + A^2 with omega = A."""

    A: float = 1.0
    B: float = 3.0


@rate.register(Brusselator)
def _(s, t, y, out):
    x, w = y[0], y[1]
    out[0] = s.A - (s.B + 1.0) * x + x * x * w
    out[1] = s.B * x - x * x * w


describe(Brusselator, states={"x": "", "y": ""})


class VanDerPol(NamedTuple):
    """x' = v, v' = mu (1 - x^2) v - x; period 6.6632868593 at mu = 1, 8.8590954997 at mu = 3 (1.6137 mu for large mu)."""

    mu: float = 1.0


@rate.register(VanDerPol)
def _(s, t, y, out):
    x, v = y[0], y[1]
    out[0] = v
    out[1] = s.mu * (1.0 - x * x) * v - x


describe(VanDerPol, states={"x": "", "v": ""})


class Duffing(NamedTuple):
    """x'' + delta x' + alpha x + beta x^3 = gamma cos(omega t)."""

    delta: float = 0.2
    alpha: float = 1.0
    beta: float = 1.0
    gamma: float = 0.3
    omega: float = 1.2


@rate.register(Duffing)
def _(s, t, y, out):
    x, v = y[0], y[1]
    out[0] = v
    out[1] = s.gamma * cos(s.omega * t) - s.delta * v - x * (s.alpha + s.beta * x * x)


describe(Duffing, states={"x": "", "v": ""})


class Rossler(NamedTuple):
    """x' = -y - z, y' = x + a y, z' = b + z (x - c)."""

    a: float = 0.2
    b: float = 0.2
    c: float = 5.7


@rate.register(Rossler)
def _(s, t, y, out):
    x, w, z = y[0], y[1], y[2]
    out[0] = -w - z
    out[1] = x + s.a * w
    out[2] = s.b + z * (x - s.c)


describe(Rossler, states={"x": "", "y": "", "z": ""})


class BogdanovTakens(NamedTuple):
    """u' = v, v' = beta1 + beta2 u + a u^2 + b u v (Kuznetsov (8.50)): Bogdanov-Takens at beta1 = beta2 = 0.

    Folds at beta1 = beta2^2/(4 a); Hopf points at u = 0, beta1 = 0, beta2 < 0. alpha and gamma bend the coordinates as in `Bautin`.
    """

    beta1: float = -0.1
    beta2: float = -0.5
    a: float = 1.0
    b: float = -1.0
    alpha: float = 0.0
    gamma: float = 0.0


@rate.register(BogdanovTakens)
def _(s, t, y, out):
    v = y[1] - s.gamma * y[0] * y[0]
    u = y[0] - s.alpha * v * v
    du, dv = v, s.beta1 + s.beta2 * u + s.a * u * u + s.b * u * v
    out[0] = du + 2.0 * s.alpha * v * dv
    out[1] = dv + 2.0 * s.gamma * y[0] * out[0]


describe(BogdanovTakens, states={"u": "", "v": ""})


class ZeroHopf(NamedTuple):
    """x' = beta1 + x^2 + s r^2, z' = (beta2 + i omega + theta x + cubic x^2) z with r = |z|, z = u + i v (Kuznetsov (8.81)): zero-Hopf at 0.

    Folds with x = 0, z = 0, beta1 = 0; Hopf points of z = 0 at beta2 = -theta x - cubic x^2, beta1 = -x^2. gamma bends the coordinates: X = x + gamma u^2.
    """

    beta1: float = -0.04
    beta2: float = 0.0
    omega: float = 1.0
    s: float = 1.0
    theta: float = -0.5
    cubic: float = 0.3
    gamma: float = 0.0


@rate.register(ZeroHopf)
def _(s, t, y, out):
    u, v = y[1], y[2]
    x = y[0] - s.gamma * u * u
    growth = s.beta2 + x * (s.theta + s.cubic * x)
    out[1] = growth * u - s.omega * v
    out[2] = s.omega * u + growth * v
    out[0] = s.beta1 + x * x + s.s * (u * u + v * v) + 2.0 * s.gamma * u * out[1]


describe(ZeroHopf, states={"x": "", "u": "", "v": ""})


class HopfHopf(NamedTuple):
    """z1' = (mu1 + i omega1 + p11 |z1|^2 + p12 |z2|^2) z1, z2' = (mu2 + i omega2 + p21 |z1|^2 + p22 |z2|^2) z2: Hopf-Hopf at 0.

    gamma bends the coordinates: the first state is x1 + gamma x2^2. With critical vectors of length one coefficients double.
    """

    mu1: float = -0.1
    mu2: float = -0.2
    omega1: float = 1.0
    omega2: float = 1.6180339887498949
    p11: float = -1.0
    p12: float = 0.4
    p21: float = -0.7
    p22: float = -1.5
    gamma: float = 0.0


@rate.register(HopfHopf)
def _(s, t, y, out):
    y1, x2, y2 = y[1], y[2], y[3]
    x1 = y[0] - s.gamma * x2 * x2
    r1, r2 = x1 * x1 + y1 * y1, x2 * x2 + y2 * y2
    first, second = s.mu1 + s.p11 * r1 + s.p12 * r2, s.mu2 + s.p21 * r1 + s.p22 * r2
    out[1] = s.omega1 * x1 + first * y1
    out[2] = second * x2 - s.omega2 * y2
    out[3] = s.omega2 * x2 + second * y2
    out[0] = first * x1 - s.omega1 * y1 + 2.0 * s.gamma * x2 * out[2]


describe(HopfHopf, states={"x1": "", "y1": "", "x2": "", "y2": ""})


class LagrangeTop(NamedTuple):
    """A symmetric top with a fixed point, weight m g at the distance l from it on its axis: attitude q (body to space), angular velocity in the body.

    Upright it sleeps if I3^2 omega3^2 > 4 I1 m g l; tilted by theta it precesses steadily at Omega with I1 Omega^2 cos(theta) - I3 omega3 Omega + m g l = 0.
    """

    I1: float = 1.0
    I3: float = 0.4
    mgl: float = 1.3


@rate.register(LagrangeTop)
def _(s, t, y, out):
    q0, q1, q2, q3, w1, w2, w3 = y[0], y[1], y[2], y[3], y[4], y[5], y[6]
    out[0] = 0.5 * (-q1 * w1 - q2 * w2 - q3 * w3)
    out[1] = 0.5 * (q0 * w1 + q2 * w3 - q3 * w2)
    out[2] = 0.5 * (q0 * w2 + q3 * w1 - q1 * w3)
    out[3] = 0.5 * (q0 * w3 + q1 * w2 - q2 * w1)
    up1, up2 = 2.0 * (q1 * q3 - q0 * q2), 2.0 * (q2 * q3 + q0 * q1)  # the vertical, seen from the body
    out[4] = ((s.I1 - s.I3) * w2 * w3 + s.mgl * up2) / s.I1
    out[5] = ((s.I3 - s.I1) * w3 * w1 - s.mgl * up1) / s.I1
    out[6] = 0.0 * w3


describe(LagrangeTop, states={"q0": "", "q1": "", "q2": "", "q3": "", "omega1": "rad/s", "omega2": "rad/s", "omega3": "rad/s"})


class Linear4(NamedTuple):
    """y' = (L + mu M) y - |y|^2 y in four states, L and M row by row: every bifurcation of y = 0 is an eigenvalue problem of L + mu M."""

    L: tuple[float, ...] = (0.0,) * 16
    M: tuple[float, ...] = (0.0,) * 16
    mu: float = 0.0


@rate.register(Linear4)
def _(s, t, y, out):
    size = y[0] * y[0] + y[1] * y[1] + y[2] * y[2] + y[3] * y[3]
    for i in range(4):
        total = -size * y[i]
        for j in range(4):
            total += (s.L[4 * i + j] + s.mu * s.M[4 * i + j]) * y[j]
        out[i] = total


describe(Linear4, states={"y1": "", "y2": "", "y3": "", "y4": ""})
