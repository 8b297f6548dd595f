"""Where self-similar motion exists, can happen, and is stable: the curves of Figs. 4.4 and 4.5.

For the triangle one number separates two worlds. With kappa = (1 + gamma)(cos(2 pi/3) + rho^2)/(1 + rho^2) the eigenvalues of R^-1 U_0 solve
lambda^3 + kappa lambda^2 + kappa lambda + gamma = 0, and at gamma = kappa^2 they are b, -b and b^2 with b^2 = -kappa. There, at once,
the positive pair ceases to dominate, beta_q = beta_p^2, so that (4.48) gives c = 2, and beta = b solves the problem with gravity.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from .disk import Disk
from .poincare import growth, stability
from .selfsimilar import rolling_down, with_gravity, without_gravity


def threshold(holds: Callable[[float], bool], low: float, high: float, digits: float = 1e-12) -> float:
    """Where a property that differs at both ends changes, by bisection; nan if it does not differ."""
    at_low = holds(low)
    if at_low == holds(high):
        return math.nan
    while high - low > digits:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if holds(middle) == at_low else (low, middle)
    return 0.5 * (low + high)


def triangle_limit(rho: float) -> float:
    """gamma = kappa^2 for n = 3: sqrt(gamma)/(1 + gamma) = mu with mu = (1/2 - rho^2)/(1 + rho^2); zero for rho^2 >= 1/2."""
    mu = (0.5 - rho**2) / (1.0 + rho**2)
    return ((1.0 - math.sqrt(1.0 - 4.0 * mu * mu)) / (2.0 * mu)) ** 2 if mu > 0.0 else 0.0


def existence_limit(n: int, rho: float, digits: float = 1e-12) -> float:
    """The largest gamma at which self-similar motion without gravity exists (two positive eigenvalues); nan if there is none."""
    return threshold(lambda gamma: bool(without_gravity(Disk(n, rho, gamma))), 1e-9, 0.999, digits)


def _can_happen(n: int, rho: float, gamma: float) -> bool:
    return any(s.feasible for s in with_gravity(Disk(n, rho, gamma)))


def gamma_min(n: int, rho: float, digits: float = 1e-12) -> float:
    """Self-similar motion with gravity can happen for gamma above this (C7, dotted curves of Fig. 4.4); zero if it always can."""
    if _can_happen(n, rho, 1e-9):
        return 0.0
    return threshold(lambda gamma: _can_happen(n, rho, gamma), 1e-9, 0.999, digits)


def rho_min(n: int) -> float:
    """Without rebound, self-similar motion with gravity can happen for rho above this (C9, Fig. 4.5); 1/sqrt(2) for the triangle.

    There beta goes to zero with the square root of rho - rho_min, so that the motion is hard to see close to it.
    """
    return threshold(lambda rho: _can_happen(n, rho, 0.0), 1e-3, 1.0)


def growth_at(n: int, rho: float, gamma: float) -> float:
    """The growth of perturbations per impact; nan where the motion cannot happen."""
    motion = rolling_down(Disk(n, rho, gamma))
    return stability(motion).growth if motion is not None and motion.feasible else math.nan


def rho_c(n: int, gamma: float, low: float = 0.05, high: float = 0.95) -> float:
    """The rho below which self-similar motion with gravity is stable (C8, dashed lines of Fig. 4.4); nan if it changes nowhere.

    The first change from stable to unstable, or the other way round, on a grid of rho is refined.
    """
    from scipy.optimize import brentq

    grid = np.linspace(low, high, 46)
    values = np.array([growth_at(n, rho, gamma) - 1.0 for rho in grid])
    for i in range(len(grid) - 1):
        if values[i] * values[i + 1] < 0.0:
            return float(brentq(lambda rho: growth(Disk(n, rho, gamma)) - 1.0, grid[i], grid[i + 1], xtol=1e-15, rtol=8.9e-16))
    return math.nan
