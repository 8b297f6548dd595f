"""Many contact points: why the critical radius of gyration tends to 1/sqrt(11), by averaging over impacts.

Write phi = r (cos theta, sin theta) for the tilt and z = h - r for the height of a true disk above the plane. With delta = 2 pi/n, the point
at the angle u from the lowest place has the height z + r u^2/2. All below is to leading order in delta; kappa = (1 - gamma)/(1 + gamma).

Fast: between impacts z'' = -a with a = g + r theta'^2 (straight motion of phi, fall of h). Impacts follow each other after T = delta/theta', each at
the same u_0, with z' = -a T/2 before and a T/2 after. Newton's law gives u_0 = kappa a T/(2 r theta') and the loss kappa m_e a^2 T^2/2 per impact,
m_e = rho^2/(1 + rho^2). A disturbance of (u, z') is multiplied per impact by the roots of
    lambda^2 - (1 + gamma^2 - (1 + gamma)^2/(1 + rho^2)) lambda + gamma^2 = 0,                           both within the unit circle.
The point hit before clears the plane if u_0 <= delta/2; in rolling, where g = rho^2 r theta'^2, this means gamma >= rho^2/(2 + rho^2).

Slow: the mean force N = m_e a acts at u_0 ahead of the lowest place and turns the angular momentum l = rho^2 r^2 theta' down,
    l' = -(delta kappa/2) D,   D = m_e a^2/theta'^2,        (1 + rho^2) r'' = l^2/(rho^2 r^3) - g.
Rolling has l^2 = g rho^2 r^3. About it r swings (nutation) with w^2 = 3 rho^2/(1 + rho^2) theta'^2, and three things change the amplitude A/r:
the adiabatic invariant w A^2 (A'/A = r'/4r), the shrinking of r (r'/r = 2 l'/3 l), and the loss that varies along the swing, which gives
A'/A = -(l'/l)(r D_r/D)/3 with r D_r/D = 4 - 6/(1 + rho^2) at fixed l. The sum is
    (A/r)'/(A/r) = -(l'/2l)(1 + 2 (r D_r/D)/3) = -(l'/2l)(11/3 - 4/(1 + rho^2)),           zero at rho^2 = 1/11, whatever gamma is.
Per impact -l'T/l = (kappa delta^2/2)(1 + rho^2), hence
    ln beta = -kappa delta^2 (1 + rho^2)/6,       ln growth = kappa delta^2 (11 rho^2 - 1)/12.
Without rebound each point stays in contact from u = delta/2 to -delta/2, D = m_e r^2 theta'^2 with kappa = 1, r D_r/D = -2, and
    ln beta = -delta^2/(6 (1 + rho^2)),           ln growth = -delta^2/(12 (1 + rho^2)),        stable for every rho.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from .disk import Disk

CRITICAL = 1.0 / math.sqrt(11.0)


class LargeN(NamedTuple):
    """Leading orders for many points: ln beta, ln of the growth of nutation, and its phase, per impact; the fast pair (empty for gamma = 0)."""

    log_beta: float
    log_growth: float
    phase: float
    fast: tuple[complex, ...]


def large_n(d: Disk) -> LargeN:
    """What averaging says of a disk with many contact points."""
    step, stiff = d.turn**2, 1.0 + d.rho**2
    phase = d.turn * math.sqrt(3.0 * d.rho**2 / stiff)
    if d.gamma == 0.0:
        return LargeN(-step / (6.0 * stiff), -step / (12.0 * stiff), phase, ())
    kappa = (1.0 - d.gamma) / (1.0 + d.gamma)
    fast = np.roots([1.0, -(1.0 + d.gamma**2 - (1.0 + d.gamma) ** 2 / stiff), d.gamma**2])
    return LargeN(-kappa * step * stiff / 6.0, kappa * step * (11.0 * d.rho**2 - 1.0) / 12.0, phase, tuple(map(complex, fast)))


def gamma_min_limit(rho: float) -> float:
    """The limit of gamma_min(n, rho) for many points: rho^2/(2 + rho^2)."""
    return rho**2 / (2.0 + rho**2)


def averaged(d: Disk, t: float, y: np.ndarray, g: float = 1.0) -> tuple[float, float, float, float]:
    """Rates of (r, r', l, theta) of the averaged motion, gamma > 0 or = 0."""
    r, dr, l, _ = y
    turn = l / (d.rho**2 * r**2)
    m_e = d.rho**2 / (1.0 + d.rho**2)
    if d.gamma == 0.0:
        kappa, D = 1.0, m_e * r**2 * turn**2
    else:
        kappa, D = (1.0 - d.gamma) / (1.0 + d.gamma), m_e * (g + r * turn**2) ** 2 / turn**2
    return dr, (l**2 / (d.rho**2 * r**3) - g) / (1.0 + d.rho**2), -0.5 * d.turn * kappa * D, turn


def extrapolated(values: np.ndarray, steps: np.ndarray) -> tuple[float, float]:
    """The limit for step -> 0 of values with an expansion in step^2 (Richardson, by Neville's scheme), and the last change of it."""
    x = np.asarray(steps, float) ** 2
    table = [np.asarray(values, float)]
    for k in range(1, len(x)):
        last = table[-1]
        table.append((x[:-k] * last[1:] - x[k:] * last[:-1]) / (x[:-k] - x[k:]))
    return float(table[-1][0]), float(abs(table[-1][0] - table[-2][-1]))
