"""Self-similar motion: impacts at 0, 1, 2, .. with states before them that repeat, turned and shrunk (section 4.2).

    p_i = beta_p^i R^i p_0,   q_i = beta_q^i R^i q_0,   tau_i = beta_t^i tau_0,   beta_q = beta_p beta_t            (4.10)-(4.13)

Without gravity beta_p and beta_q are two positive eigenvalues of R^-1 U_0, and q_0 follows from (4.28). With gravity beta_q = beta_p^2 (4.26)
and p_0, q_0 follow from (4.21), (4.22); what is left is the equation f_0.q_0(beta) = 0. Multiplied by det(beta I - R^-1 U_0) and
det(beta^2 I - R^-1) it is a polynomial of degree 7 in beta (E10: not 9), which has no poles and can be scanned for its roots.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from .disk import Disk, acceleration, energy, functionals, impact, rotation

REAL = 1e-9  # an eigenvalue with a smaller relative imaginary part counts as real
SLACK = 1e-12  # of |q_0|: a point that is lower than this below the plane makes a motion infeasible
_NEAR, _SMALL = np.geomspace(1e-9, 0.05, 400), np.geomspace(1e-3, 0.0099, 20)
SCAN = np.concatenate([_NEAR, np.linspace(0.05, 0.99, 400)[1:], 1.0 - _SMALL[::-1]])  # 1 - beta


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
    good = [(v.real, w.real) for v, w in zip(values, vectors.T) if v.real > 0.0 and abs(v.imag) <= REAL * abs(v)]
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


def coefficients(d: Disk) -> np.ndarray:
    """pi of (4.27) in powers of x = 1 - beta, lowest first: f_0.q_0 times both determinants, for g = tau_0 = 1.

    With A = I - R^-1 U_0 and B = I - R^-1 the two matrices are A - x I and B - y I, y = 2 x - x^2, and adj(A - x I) = adj A + x (A - tr A) + x^2.
    pi = f_0.adj(B - y I) R^-1 (U_0 adj(A - x I) R^-1 a_0 + det(A - x I) a_0/2) is of degree 4 + 3 = 7 (E10).
    """
    Rt, U, a, one = rotation(d).T, impact(d), acceleration(d), np.eye(3)
    h, s = 2.0 * math.sin(0.5 * d.turn) ** 2, math.sin(d.turn)
    B = np.array([[h, -s, 0.0], [s, h, 0.0], [0.0, 0.0, 0.0]])
    A = B + Rt @ (one - U)
    ra = Rt @ a
    vectors = [adjugate(A) @ ra, (A - np.trace(A) * one) @ ra, ra, np.zeros(3)]
    determinant = (float(A[0] @ adjugate(A)[:, 0]), -float(np.trace(adjugate(A))), float(np.trace(A)), -1.0)
    inner = [Rt @ U @ v + 0.5 * e * ra for v, e in zip(vectors, determinant)]
    f0 = np.array([0.0, -1.0, 1.0])
    rows = (f0 @ adjugate(B), f0 @ (B - np.trace(B) * one), f0)  # in powers of y
    found = np.zeros(8)
    for k, power in enumerate(([1.0], [0.0, 2.0, -1.0], [0.0, 0.0, 4.0, -4.0, 1.0])):  # 1, y, y^2 in powers of x
        for i, y in enumerate(power):
            for j, v in enumerate(inner):
                found[i + j] += y * float(rows[k] @ v)
    return found


def adjugate(M: np.ndarray) -> np.ndarray:
    """adj M = det(M) M^-1 of a 3x3 matrix."""
    return np.column_stack([np.cross(M[1], M[2]), np.cross(M[2], M[0]), np.cross(M[0], M[1])])


def with_gravity(d: Disk, g: float = 1.0) -> list[SelfSimilar]:
    """All roots beta in (0, 1) of f_0.q_0(beta) = 0, as motions, feasible or not; the largest beta first."""
    from scipy.optimize import brentq

    high_first = coefficients(d)[::-1].tolist()

    def pi(x: float) -> float:
        total = 0.0
        for c in high_first:
            total = total * x + c
        return total

    values = np.polyval(high_first, SCAN)
    found = []
    for i in np.flatnonzero(values[:-1] * values[1:] < 0.0):
        low, high = float(SCAN[i]), float(SCAN[i + 1])
        if pi(low) * pi(high) < 0.0:
            beta = 1.0 - brentq(pi, low, high, xtol=1e-17, rtol=8.9e-16)
            found.append(SelfSimilar(d, g, beta, beta**2, *state_of(d, beta, g)))
    return found


def rolling_down(d: Disk, g: float = 1.0) -> SelfSimilar | None:
    """The feasible self-similar motion with gravity; the one nearest to feasible if there is none; None without any root."""
    found = with_gravity(d, g)
    return max(found, key=lambda s: (s.feasible, s.approach > 0.0, s.clearance), default=None)
