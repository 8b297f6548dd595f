"""Self-similar motion: impacts at 0, 1, 2, .. with states before them that repeat, turned and shrunk (section 4.2).

    p_i = beta_p^i R^i p_0,   q_i = beta_q^i R^i q_0,   tau_i = beta_t^i tau_0,   beta_q = beta_p beta_t            (4.10)-(4.13)

Without gravity beta_p and beta_q are two positive eigenvalues of R^-1 U_0, and q_0 follows from (4.28). With gravity beta_q = beta_p^2 (4.26)
and p_0, q_0 follow from (4.21), (4.22); what is left is the equation f_0.q_0(beta) = 0. Multiplied by det(beta I - R^-1 U_0) and
det(beta^2 I - R^-1) it is a polynomial of degree 7 in beta (E10: not 9), which has no poles and can be scanned for its roots (`polynomial.py`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from .disk import Disk, acceleration, energy, functionals, impact, rotation
from .polynomial import both_forms

REAL = 1e-9  # an eigenvalue with a smaller relative imaginary part counts as real
ZERO = 1e-14  # of the largest eigenvalue: a smaller one is zero (there is one without rebound), up to rounding
SLACK = 1e-12  # of |q_0|: a point that is lower than this below the plane makes a motion infeasible
_EVEN = np.linspace(0.05, 0.5, 200)[1:]
NEAR_ONE = np.concatenate([np.geomspace(1e-9, 0.05, 400), _EVEN])  # 1 - beta
NEAR_ZERO = np.concatenate([np.geomspace(1e-10, 0.05, 200), _EVEN])  # beta


@dataclass(frozen=True)
class SelfSimilar:
    """A self-similar motion: its factors, the state before the impact at point 0 (for tau_0 = 1), and whether it can happen."""

    disk: Disk
    g: float
    beta_p: float
    beta_q: float
    p: np.ndarray
    q: np.ndarray

    @property
    def beta_t(self) -> float:
        """The factor of the times between impacts (4.13)."""
        return self.beta_q / self.beta_p

    @property
    def exponent(self) -> float:
        """c of E ~ (t_f - t)^c: 2 with gravity (4.40), else 2 ln beta_p/ln beta_t (4.48); infinite where the times do not shrink."""
        return 2.0 * math.log(self.beta_p) / math.log(self.beta_t) if self.beta_t < 1.0 else math.inf

    @property
    def ends(self) -> float:
        """t_f - t_0 in units of tau_0 (4.36); infinite where the times do not shrink."""
        return 1.0 / (1.0 - self.beta_t) if self.beta_t < 1.0 else math.inf

    @property
    def heights(self) -> np.ndarray:
        """Heights of all points before the impact, over |q_0|; that of point 0 is zero."""
        return functionals(self.disk) @ self.q / float(np.linalg.norm(self.q))

    @property
    def clearance(self) -> float:
        """The least height of another point, over |q_0|. Without rebound the point hit before still touches and is left out."""
        others = self.heights[1:-1] if self.disk.gamma == 0.0 and self.g > 0.0 else self.heights[1:]
        return float(others.min())

    @property
    def approach(self) -> float:
        """-f_0.p_0/|p_0|: how fast point 0 comes down."""
        return float(self.p[1] - self.p[2]) / float(np.linalg.norm(self.p))

    @property
    def feasible(self) -> bool:
        """Section 4.2.2: point 0 comes down, tau_0 > 0, no point is below the plane, the factors are positive and shrink."""
        return self.approach > 0.0 and self.clearance >= -SLACK and 0.0 < self.beta_q < 1.0 and 0.0 < self.beta_p < 1.0

    @property
    def start(self) -> np.ndarray:
        """(q_0, p_0): what `collide` starts from."""
        return np.concatenate([self.q, self.p])

    @property
    def bounds(self) -> tuple[float, float]:
        """a_1 and a_2 of a_2 (t_f - t)^2 < E < a_1 (t_f - t)^2 with gravity (4.41), (4.42), where a_2 = beta_p^2 a_1."""
        a1 = energy(self.disk, self.p, self.q, self.g) / self.ends**2
        return a1, self.beta_p**2 * a1

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "n": self.disk.n,
            "rho": self.disk.rho,
            "gamma": self.disk.gamma,
            "g": self.g,
            "beta_p": self.beta_p,
            "beta_q": self.beta_q,
            "beta_t": self.beta_t,
            "exponent": self.exponent if math.isfinite(self.exponent) else None,
            "feasible": self.feasible,
            "clearance": self.clearance,
            "q": self.q.tolist(),
            "p": self.p.tolist(),
        }


def turned(d: Disk) -> np.ndarray:
    """R^-1 U_0."""
    return rotation(d).T @ impact(d)


def without_gravity(d: Disk) -> list[SelfSimilar]:
    """All pairs of distinct positive eigenvalues of R^-1 U_0: beta_p the larger one first (an end in finite time), then the smaller."""
    values, vectors = np.linalg.eig(turned(d))
    least = ZERO * float(np.abs(values).max())
    good = [(v.real, w.real) for v, w in zip(values, vectors.T) if v.real > least and abs(v.imag) <= REAL * abs(v)]
    good.sort(key=lambda e: -e[0])
    Rt, U, found = rotation(d).T, impact(d), []
    for beta_p, p in good:
        p = -p if p[2] > 0.0 else p
        for beta_q, _ in good:
            if abs(beta_q - beta_p) > 1e-12 * beta_p:
                q = np.linalg.solve(beta_q * np.eye(3) - Rt, Rt @ U @ p)  # (4.28), tau_0 = 1
                found.append(SelfSimilar(d, 0.0, float(beta_p), float(beta_q), p, q))
    return found


def state_of(d: Disk, beta: float, g: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """p_0 (4.21) and q_0 (4.22) for tau_0 = 1."""
    Rt, U, a, one = rotation(d).T, impact(d), acceleration(d, g), np.eye(3)
    p = np.linalg.solve(beta * one - Rt @ U, Rt @ a)
    return p, np.linalg.solve(beta**2 * one - Rt, Rt @ (U @ p + 0.5 * a))


def roots_within(coefficients: np.ndarray, grid: np.ndarray) -> list[float]:
    """The roots of a polynomial (lowest power first) between the first and the last of a rising grid, where it changes its sign on it."""
    from scipy.optimize import brentq

    high_first = coefficients[::-1].tolist()

    def value(x: float) -> float:
        total = 0.0
        for c in high_first:
            total = total * x + c
        return total

    values = [value(float(x)) for x in grid]
    found = [float(x) for x, v in zip(grid[:-1], values) if v == 0.0]
    for i in range(len(grid) - 1):
        if values[i] * values[i + 1] < 0.0:
            found.append(float(brentq(value, float(grid[i]), float(grid[i + 1]), xtol=1e-17, rtol=8.9e-16)))
    return sorted(found)


def with_gravity(d: Disk, g: float = 1.0) -> list[SelfSimilar]:
    """All roots beta in (0, 1) of f_0.q_0(beta) = 0, as motions, feasible or not; the largest beta first.

    Above one half they are roots in 1 - beta, below in beta, of coefficients that are right to the last digit (`polynomial.py`).
    """
    low, high = both_forms(d)
    betas = [1.0 - x for x in roots_within(high, NEAR_ONE)] + roots_within(low, NEAR_ZERO)[::-1]
    return [SelfSimilar(d, g, beta, beta**2, *state_of(d, beta, g)) for beta in betas]


def rolling_down(d: Disk, g: float = 1.0) -> SelfSimilar | None:
    """The feasible self-similar motion with gravity; the one nearest to feasible if there is none; None without any root."""
    found = with_gravity(d, g)
    return max(found, key=lambda s: (s.feasible, s.approach > 0.0, s.clearance), default=None)
