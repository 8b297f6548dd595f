"""Two contact points in turn: the rod, and partially complete chatter of polygons, in closed form (section 4.2 of the theory).

With v the velocity of the next point and u that of the last, an impact maps (v, u) by [[(1 + gamma) mu, 1], [-gamma, 0]], where
mu = -(f_a'Theta^-1 f_b)/(f_a'Theta^-1 f_a). With different points mu is mu_a or mu_b in turn. Both come to rest iff the eigenvalues are real
and positive: for equal points mu >= 2 sqrt(gamma)/(1 + gamma), that is gamma <= ((1 - sqrt(1 - mu^2))/mu)^2.
"""

from __future__ import annotations

import math

import numpy as np

from ...mechanics.plate import Plate
from .spectrum import check


def pair_limit(mu: float) -> float:
    """The largest gamma at which two equal points with coupling -mu come to rest by impacts in turn; nan if none (mu < 0)."""
    if mu < 0.0:
        return math.nan
    if mu >= 1.0:
        return 1.0
    return (mu / (1.0 + math.sqrt((1.0 - mu) * (1.0 + mu)))) ** 2


def general_pair_limit(mu_a: float, mu_b: float) -> float:
    """As `pair_limit` for different points: with mu_a mu_b =: mu^2, both positive.

    Two impacts have trace (1 + gamma)^2 mu_a mu_b - 2 gamma and determinant gamma^2, so that only the product matters.
    """
    if mu_a <= 0.0 or mu_b <= 0.0:
        return math.nan
    return pair_limit(math.sqrt(mu_a * mu_b))


def partial_limit(n: int, rho: float) -> float:
    """The largest gamma at which two neighbours of a regular n-gon can come to rest alone (PCC); nan if never. Only n = 3, rho^2 < 1/2."""
    check(n, rho)
    return pair_limit(-(math.cos(2.0 * math.pi / n) + rho * rho) / (1.0 + rho * rho))


def pair_limits(plate: Plate) -> np.ndarray:
    """For every pair of points of a plate the largest gamma at which both come to rest by impacts in turn (nan: never)."""
    G = plate.coupling
    n = plate.count
    return np.array([[general_pair_limit(-G[a, b], -G[b, a]) if a != b else math.nan for b in range(n)] for a in range(n)])
