"""Compiled systems with slow and fast states, and the same as formulas."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rollick.kernel import describe, rate, sincos


class Slaved(NamedTuple):
    """x1' = -w x2, x2' = w x1, eps y' = x1^2 + k sin(phi) - y, phi' = y: with k = 0 the slow manifold is

    y = (x1^2 + x2^2)/2 + (c + 2 eps w s)/(2 + 8 eps^2 w^2),  c = x1^2 - x2^2, s = 2 x1 x2.
    """

    w: float = 1.3
    eps: float = 0.05
    k: float = 0.0


@rate.register(Slaved)
def _(s, t, y, out):
    sn, _ = sincos(y[3])
    out[0] = -s.w * y[1]
    out[1] = s.w * y[0]
    out[2] = (y[0] * y[0] + s.k * sn - y[2]) / s.eps
    out[3] = y[2]


describe(Slaved, states={"x1": "", "x2": "", "y": "", "phi": "rad"})


def slaved_closed_form(system, x):
    """y on the slow manifold."""
    c, s, e = x[0] ** 2 - x[1] ** 2, 2 * x[0] * x[1], system.eps * system.w
    return (x[0] ** 2 + x[1] ** 2) / 2 + (c + 2 * e * s) / (2 + 8 * e**2)


class ThreeStates(NamedTuple):
    """The tippedisk of three states, normalised (Sailer, section 6.1), with linear friction."""

    kappa: float = 0.05
    zeta: float = 1.2
    psi: float = 0.9
    omega: float = 1.05
    mu: float = 0.3
    eps: float = 0.02


def three_state_terms(s, beta, gamma, y, sin, cos):
    """(g0, g1) of eps y' = g0 + eps g1."""
    sb, cb, sg, cg = sin(beta), cos(beta), sin(gamma), cos(gamma)
    q = 1.0 + s.kappa * sg
    inertia = s.zeta * cg * cg + sg * sg
    M = inertia + s.psi * q * q * cb * cb
    g0 = -s.mu * q * sb * sb * (q * y - s.kappa * sb * cg) / (M * s.omega * s.omega)
    more = q * q * y * y * sb + s.kappa * q * sb * cb * cb * sg - s.kappa * q * (3.0 * sb * sb - 2.0) * y * cg
    g1 = cb / M * (inertia * sb - 2.0 * (s.zeta - 1.0) * y * sg * cg + s.psi * more - q / (s.omega * s.omega))
    return g0, g1


@rate.register(ThreeStates)
def _(s, t, y, out):
    sb, cb = sincos(y[0])
    sg, cg = sincos(y[1])
    q = 1.0 + s.kappa * sg
    inertia = s.zeta * cg * cg + sg * sg
    M = inertia + s.psi * q * q * cb * cb
    g0 = -s.mu * q * sb * sb * (q * y[2] - s.kappa * sb * cg) / (M * s.omega * s.omega)
    more = q * q * y[2] * y[2] * sb + s.kappa * q * sb * cb * cb * sg - s.kappa * q * (3.0 * sb * sb - 2.0) * y[2] * cg
    g1 = cb / M * (inertia * sb - 2.0 * (s.zeta - 1.0) * y[2] * sg * cg + s.psi * more - q / (s.omega * s.omega))
    out[0] = y[2]
    out[1] = -cb
    out[2] = g0 / s.eps + g1


describe(ThreeStates, states={"beta": "rad", "gamma": "rad", "y": ""})


def three_state_formulas(s):
    """The same as formulas of (x, y, p, eps)."""
    slow = lambda x, y: (y[0], -np.cos(x[0]))

    def fast(x, y, p, eps):
        g0, g1 = three_state_terms(s, x[0], x[1], y[0], np.sin, np.cos)
        return (g0 + eps * g1,)

    return slow, fast


class Relaxation(NamedTuple):
    """x' = -y, eps y' = x + y - y^3/3: folds at x = 2/3, y = -1 and x = -2/3, y = 1."""

    eps: float = 0.01


@rate.register(Relaxation)
def _(s, t, y, out):
    out[0] = -y[1]
    out[1] = (y[0] + y[1] - y[1] * y[1] * y[1] / 3.0) / s.eps


describe(Relaxation, states={"x": "", "y": ""})
