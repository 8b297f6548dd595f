"""Model 1.4 with linear friction as a slow-fast system in NumPy formulas: its slow manifold to any order, its Hamiltonian limit, branches of cycles at leading order.

    x = (beta, gamma):  x' = (y, -Omega cos beta),      eps y' = g_0 + eps g_1,    g_0 = -mu m g w_y gamma_y/M,  g_1 = (h + f_g)/M

Critical manifold y = h_c (pure rolling), attracting: dg_0/dy = -mu m g rs^2 sb^2/M < 0. The height of S is its first integral: H = (rs sb)^2 (Sailer (5.29)-(5.36), up to
the factor -Omega^2/2). The parameter p of all formulas is Omega. The formulas are those that the compiled rates use (`terms`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ....analysis.melnikov import CycleBranch, HamiltonianLimit, cycle_branch
from ....analysis.slow_fast import SlowFast, SlowManifold, TabulatedFlow, slow_manifold
from ....kernel.compiled import interpreted
from ..specimens import Disk
from . import terms
from .linear import G, critical_speed

inertia, forces, lateral_slip, lever, rolling_rate, first_correction = (
    interpreted(f)
    for f in (terms.inertia, terms.forces, terms.lateral_slip, terms.lever, terms.rolling_rate, terms.first_correction)
)
CENTRE = (0.5 * math.pi, 0.5 * math.pi)
SADDLE = (0.5 * math.pi, -0.5 * math.pi)
OTHER_SADDLE = (0.5 * math.pi, 1.5 * math.pi)


def slow_fast(disk: Disk, mu: float = 0.3, g: float = G) -> SlowFast:
    """Model 1.4 with linear friction, split; the parameter is Omega."""
    r, e, m, A, Bb = disk.r, disk.e, disk.m, disk.A, disk.Bb

    def fast(x: Any, y: Any, p: Any, eps: Any) -> tuple:
        sb, cb, sg, cg = np.sin(x[0]), np.cos(x[0]), np.sin(x[1]), np.cos(x[1])
        push = -mu * m * g * lever(r, e, sb, sg) * lateral_slip(r, e, sb, sg, cg, y[0], p)
        return ((push + eps * forces(r, e, m, A, Bb, m * g, sb, cb, sg, cg, y[0], p)) / inertia(r, e, m, A, Bb, cb, sg, cg),)

    return SlowFast(lambda x, y, p: (y[0], -p * np.cos(x[0])), fast, ("beta", "gamma"), ("beta_rate",))


def manifold(disk: Disk, order: int = 1, Omega: float = 30.0, mu: float = 0.3, g: float = G) -> SlowManifold:
    """The slow manifold to an order in eps (Taylor arithmetic; order 1 is (5.23))."""
    return slow_manifold(slow_fast(disk, mu, g), near=[0.0], order=order, p=Omega)  # one sheet: g_0 is linear in y


def slow_flow(
    disk: Disk, order: int, Omega: float, mu: float = 0.3, eps: float = 0.1, g: float = G, lean: float = 0.75, nodes: int = 48
) -> Callable:
    """The flow on the slow manifold to any order as a formula f(x, Omega) for `find_connection` and others: Chebyshev polynomials, checked.

    lean: how far beta may be from pi/2; gamma goes from below -pi/2 to above 3 pi/2.
    """
    box = ((0.5 * math.pi - lean, 0.5 * math.pi + lean), (-0.5 * math.pi - 0.3, 1.5 * math.pi + 0.3))
    table = TabulatedFlow(manifold(disk, order, Omega, mu, g), box, nodes, 1e-9)
    return lambda x, p: table(x, eps, p)


def first_order_flow(disk: Disk, mu: float = 0.3, eps: float = 0.1, g: float = G) -> Callable:
    """(5.24) as a formula f(x, Omega)."""
    r, e = disk.r, disk.e

    def flow(x: Any, p: Any) -> tuple:
        sb, cb, sg, cg = np.sin(x[0]), np.cos(x[0]), np.sin(x[1]), np.cos(x[1])
        h1 = first_correction(r, e, disk.A, disk.Bb, disk.m * g, sb, cb, sg, cg, p)
        return rolling_rate(r, e, sb, sg, cg, p) + eps / mu * h1, -p * cb

    return flow


def rolling_limit(disk: Disk) -> HamiltonianLimit:
    """eps = 0: pure rolling, which keeps the height of S; the energy is -Omega^2 H/2 in canonical coordinates gamma, rho = rs^2 gamma'."""
    r, e = disk.r, disk.e

    def field(x: Any, p: Any) -> tuple:
        sb, cb, sg, cg = np.sin(x[0]), np.cos(x[0]), np.sin(x[1]), np.cos(x[1])
        return rolling_rate(r, e, sb, sg, cg, p), -p * cb

    return HamiltonianLimit(lambda x: ((r + e * np.sin(x[1])) * np.sin(x[0])) ** 2, field, ("beta", "gamma"))


def rolling_energy(disk: Disk, gamma: Any, rho: Any, Omega: float) -> Any:
    """H(gamma, rho) = rho^2/(2 rs^2) - rs^2 Omega^2/2, (5.35)."""
    rs = disk.r + disk.e * np.sin(gamma)
    return rho**2 / (2.0 * rs**2) - rs**2 * Omega**2 / 2.0


def upper_separatrix(disk: Disk, gamma: Any) -> np.ndarray:
    """beta_c = pi - asin((r - e)/rs): from non-inverted spinning to itself, a turn later."""
    return np.pi - np.arcsin(np.clip((disk.r - disk.e) / (disk.r + disk.e * np.sin(gamma)), -1.0, 1.0))


def leading_cycles(disk: Disk, mu: float = 0.3, g: float = G, count: int = 200) -> CycleBranch:
    """The branch of cycles for eps -> 0 by the general tool: cycle integrals of the first correction along orbits of pure rolling, over Omega.

    `cycle_integral` computes the same without dimensions by a quadrature of its own.
    """
    r, e = disk.r, disk.e

    def correction(x: Any, p: Any) -> tuple:
        sb, cb, sg, cg = np.sin(x[0]), np.cos(x[0]), np.sin(x[1]), np.cos(x[1])
        return first_correction(r, e, disk.A, disk.Bb, disk.m * g, sb, cb, sg, cg, p) / mu, 0.0 * cb

    top = critical_speed(disk, g)
    return cycle_branch(rolling_limit(disk), correction, CENTRE, SADDLE, (0.95 * top, top), count, "Omega")
