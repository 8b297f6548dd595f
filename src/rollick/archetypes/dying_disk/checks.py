"""Checks of self-similar motion: against the event simulation, and its polynomial against the product it stands for."""

from __future__ import annotations

import math

import numpy as np

from ...motion.impacts.collide import collide
from .disk import Disk, rotation
from .polynomial import both_forms
from .selfsimilar import SelfSimilar, state_of, turned

NODES = np.cos(np.pi * (np.arange(15) + 0.5) / 15)


def in_simulation(s: SelfSimilar, impacts: int = 40) -> float:
    """How far `collide` from the computed state departs from p_i = beta^i R^i p_0, q_i = beta^2i R^i q_0 and tau_i = beta^i, relatively."""
    found = collide(s.disk.plate, s.disk.gamma, s.start, g=s.g, max_impacts=impacts)
    if not np.array_equal(found.point, np.arange(len(found)) % s.disk.n):
        return math.inf
    R, worst, turn = rotation(s.disk), 0.0, np.eye(3)
    for i in range(len(found)):
        worst = max(worst, float(np.max(np.abs(found.p_before[i] / s.beta_p**i - turn @ s.p))) / float(np.linalg.norm(s.p)))
        worst = max(worst, float(np.max(np.abs(found.q[i] / s.beta_q**i - turn @ s.q))) / float(np.linalg.norm(s.q)))
        if i > 0:
            worst = max(worst, abs(float(found.flight[i]) / s.beta_t ** (i - 1) - 1.0))
        turn = R @ turn
    return worst


def polynomial_check(d: Disk) -> tuple[float, float]:
    """f_0.q_0 times both determinants at 15 nodes: its Chebyshev terms above degree 7, and its distance from `both_forms`, relatively."""
    found = []
    for x in 0.5 + 0.3 * NODES:
        beta, one = 1.0 - x, np.eye(3)
        q = state_of(d, beta)[1]
        found.append((q[2] - q[1]) * np.linalg.det(beta * one - turned(d)) * np.linalg.det(beta**2 * one - rotation(d).T))
    terms = np.abs(np.polynomial.chebyshev.chebfit(NODES, found, 14))
    off = np.abs(np.polyval(both_forms(d)[1][::-1], 0.5 + 0.3 * NODES) - found)
    return float(terms[8:].max() / terms.max()), float(off.max() / np.abs(found).max())
