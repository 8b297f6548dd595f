"""Curves of Hopf points in two parameters, by the minimally augmented system with two borders (MatCont):

    F(x; alpha, beta) = 0,  two of the four g_ij = 0,    [A^2 + kappa I  W] [v]   [0]
                                                          [V^T            0] [g] = [I],      kappa = omega^2.

A^2 + kappa I has rank n - 2 at a Hopf point, and also where two real eigenvalues add up to zero (kappa < 0, a neutral saddle), so that the curve goes
smoothly through Bogdanov-Takens points. g_z = -w_i . (A^2 + kappa I)_z v_j; of the four equations those two are taken whose derivatives are most
independent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.linalg import polar, qr

from ..continuation import Branch, PseudoArclength, Special
from .curve import CriticalCurve, traced
from .equilibria import EquilibriumProblem
from .forms import NotAnalytic
from .normal_forms import Hopf
from .spectrum import ordered, pair_sums

PAIRS = ((0, 0), (0, 1), (1, 0), (1, 1))


class HopfCurve(CriticalCurve):
    """Hopf points of steady motions along two parameters. Tests: BT, GH (generalised Hopf), ZH, HH (Hopf-Hopf)."""

    what = "Hopf points"
    kind = "H"

    def __init__(self, problem: EquilibriumProblem, special: Special, second: str, scales: Mapping[str, float] | None = None):
        super().__init__(problem, special, second, scales)
        self.kappa = float(special.numbers["omega"]) ** 2
        x, p = self.split(self.start())
        U, _, Vt = np.linalg.svd(self.square(self.equations.matrix(x, p), self.kappa))
        self.W, self.V = U[:, -2:].copy(), Vt[-2:].T.copy()
        self.chosen: tuple[int, ...] = (0, 1)
        self.choose(self.start())

    def extra(self) -> tuple[str, ...]:
        """kappa = omega^2."""
        return ("kappa",)

    def start(self) -> np.ndarray:
        """z where the curve begins."""
        return np.concatenate([self.begin, [self.kappa, self.own_second()]])

    @staticmethod
    def square(A: np.ndarray, kappa: float) -> np.ndarray:
        """A^2 + kappa I."""
        return A @ A + kappa * np.eye(len(A))

    def vectors(self, A: np.ndarray, kappa: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """v (n, 2), w (n, 2) and g (2, 2)."""
        n = self.n
        M = np.zeros((n + 2, n + 2))
        M[:n, :n], M[:n, n:], M[n:, :n] = self.square(A, kappa), self.W, self.V.T
        right = np.vstack([np.zeros((n, 2)), np.eye(2)])
        v, w = np.linalg.solve(M, right), np.linalg.solve(M.T, right)
        return v[:n], w[:n], v[n:]

    def all_rows(self, z: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """F, F_z, the four g_ij and their derivatives."""
        e, n = self.equations, self.n
        x, p = self.split(z)
        kappa = float(z[n + 1])
        F, J = e.with_slopes(x, p)
        wide = np.zeros((n, n + 3))
        wide[:, : n + 1], wide[:, n + 2] = J[:, : n + 1], J[:, n + 1]
        if not np.all(np.isfinite(J)):
            return np.full(n, np.nan), wide, np.full(4, np.nan), np.zeros((4, n + 3))
        A = J[:, :n]
        v, w, g = self.vectors(A, kappa)
        size = e.state_size(x)
        along = [e.matrix_along(x, p, v[:, j], size) for j in (0, 1)]
        along_A = [e.matrix_along(x, p, A @ v[:, j], size) for j in (0, 1)]
        slopes = [e.matrix_slope(x, p, k) for k in (0, 1)]
        rows = np.empty((4, n + 3))
        for row, (i, j) in zip(rows, PAIRS):
            wi, vj = w[:, i], v[:, j]
            row[:n] = -(wi @ along_A[j] + (A.T @ wi) @ along[j])
            row[n], row[n + 2] = (-wi @ (slope @ A + A @ slope) @ vj for slope in slopes)
            row[n + 1] = -wi @ vj
        return F, wide, np.array([g[i, j] for i, j in PAIRS]), rows

    def evaluate(self, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(F, two of g) and their derivatives."""
        F, J, g, rows = self.all_rows(z)
        kept = list(self.chosen)
        return np.append(F, g[kept]), np.vstack([J, rows[kept]])

    def choose(self, z: np.ndarray) -> None:
        """The two equations whose derivatives, beside those of F, are most independent."""
        _, J, _, rows = self.all_rows(z)
        Q = qr(J.T, mode="economic")[0]
        rest = rows - (rows @ Q) @ Q.T
        self.chosen = tuple(sorted(int(k) for k in qr(rest.T, pivoting=True)[2][:2]))

    def update(self, z: np.ndarray, tangent: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Renew the borders, and the choice."""
        v, w, _ = self.vectors(self.equations.matrix(*self.split(z)), float(z[self.n + 1]))
        self.V, self.W = polar(v)[0], polar(w)[0]
        self.choose(z)
        return z, tangent

    def memory(self) -> dict[str, np.ndarray]:
        """The borders and the choice."""
        return {"V": self.V, "W": self.W, "chosen": np.array(self.chosen, float)}

    def recall(self, memory: dict[str, np.ndarray]) -> None:
        """The same again."""
        self.V, self.W = (np.asarray(memory[name], float) for name in ("V", "W"))
        self.chosen = tuple(int(k) for k in memory["chosen"])

    def others(self, A: np.ndarray, kappa: float) -> np.ndarray:
        """The eigenvalues besides the critical pair."""
        values = np.linalg.eigvals(A).astype(complex)
        root = np.sqrt(complex(-kappa))
        for target in (root, -root):
            values = np.delete(values, int(np.argmin(np.abs(values - target))))
        return values

    def first_coefficient(self, z: np.ndarray) -> float:
        """l1; nan at a neutral saddle, and where derivatives do not settle."""
        e = self.equations
        if e.not_conserved():
            return float("nan")
        x, p = self.split(z)
        A, kappa = e.matrix(x, p), float(z[self.n + 1])
        if kappa <= 1e-10 * float(np.max(np.abs(A))) ** 2:
            return float("nan")
        try:
            return Hopf(A, self.equations.forms(x, p), float(np.sqrt(kappa))).l1
        except (NotAnalytic, np.linalg.LinAlgError):
            return float("nan")

    def tests(self, z: np.ndarray, J: Any, tangent: np.ndarray) -> dict[str, float]:
        """BT: kappa; GH: l1; ZH: the product of the other eigenvalues; HH: sums of pairs of them."""
        x, p = self.split(z)
        A, kappa = self.equations.matrix(x, p), float(z[self.n + 1])
        found = {"BT": kappa / max(float(np.max(np.abs(A))) ** 2, 1e-300), "GH": self.first_coefficient(z)}
        others = self.others(A, kappa)
        if others.size:
            found["ZH"] = float(np.prod(others / max(float(np.max(np.abs(A))), 1e-300)).real)
        if others.size > 1:
            found["HH"] = pair_sums(others)
        return found

    def measures(self, z: np.ndarray, J: Any) -> dict[str, Any]:
        """omega (nan at neutral saddles), l1, and the eigenvalues."""
        kappa = float(z[self.n + 1])
        values = ordered(np.linalg.eigvals(self.equations.matrix(*self.split(z))))
        omega = float(np.sqrt(kappa)) if kappa > 0.0 else float("nan")
        return {"omega": omega, "l1": self.first_coefficient(z), "eigenvalues": values}


def trace_hopfs(
    problem: EquilibriumProblem,
    special: Special,
    second: str,
    bounds: Any = None,
    steps: PseudoArclength | None = None,
    scales: Mapping[str, float] | None = None,
    **options: Any,
) -> Branch:
    """The curve of Hopf points through a Hopf point (H) of a branch, along a second parameter of the system; bounds are of the second."""
    return traced(HopfCurve(problem, special, second, scales), bounds, steps, options)
