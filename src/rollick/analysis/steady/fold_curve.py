"""Curves of folds in two parameters, by the minimally augmented system (W. Govaerts, Numerical Methods for Bifurcations of Dynamical Equilibria, 2000):

    F(x; alpha, beta) = 0,   g(x; alpha, beta) = 0,    [A  b] [v]   [0]      [A^T c] [w]   [0]
                                                       [c  0] [g] = [1],     [b   0] [h] = [1],    g_z = -w . A_z v.

g vanishes where A is singular; the bordered matrix stays regular along folds, with b and c renewed from w and v at every point.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..continuation import Branch, PseudoArclength, Special
from .curve import CriticalCurve, traced
from .equilibria import EquilibriumProblem
from .spectrum import ordered, pair_sums


class FoldCurve(CriticalCurve):
    """Folds of steady motions along two parameters. Tests: CP (cusp), BT (Bogdanov-Takens), ZH (zero-Hopf)."""

    what = "folds"
    kind = "LP"

    def __init__(self, problem: EquilibriumProblem, special: Special, second: str, scales: Mapping[str, float] | None = None):
        super().__init__(problem, special, second, scales)
        A = self.equations.matrix(*self.split(self.start()))
        U, _, Vt = np.linalg.svd(A)
        self.b, self.c = U[:, -1].copy(), Vt[-1].copy()

    def start(self) -> np.ndarray:
        """z where the curve begins."""
        return np.append(self.begin, self.own_second())

    def vectors(self, A: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
        """v, w and g."""
        n = self.n
        M = np.zeros((n + 1, n + 1))
        M[:n, :n], M[:n, n], M[n, :n] = A, self.b, self.c
        last = np.append(np.zeros(n), 1.0)
        v, w = np.linalg.solve(M, last), np.linalg.solve(M.T, last)
        return v[:n], w[:n], float(v[n])

    def evaluate(self, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(F, g) and their derivatives."""
        e, n = self.equations, self.n
        x, p = self.split(z)
        F, J = e.with_slopes(x, p)
        if not np.all(np.isfinite(J)):
            return np.full(n + 1, np.nan), np.zeros((n + 1, n + 2))
        v, w, g = self.vectors(J[:, :n])
        bottom = np.empty(n + 2)
        bottom[:n] = -w @ e.matrix_along(x, p, v, e.state_size(x))
        bottom[n] = -w @ e.matrix_slope(x, p, 0) @ v
        bottom[n + 1] = -w @ e.matrix_slope(x, p, 1) @ v
        return np.append(F, g), np.vstack([J, bottom])

    def update(self, z: np.ndarray, tangent: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Renew b and c."""
        v, w, _ = self.vectors(self.equations.matrix(*self.split(z)))
        self.b, self.c = w / np.linalg.norm(w), v / np.linalg.norm(v)
        return z, tangent

    def memory(self) -> dict[str, np.ndarray]:
        """b and c."""
        return {"b": self.b, "c": self.c}

    def recall(self, memory: dict[str, np.ndarray]) -> None:
        """b and c again."""
        self.b, self.c = (np.asarray(memory[name], float) for name in ("b", "c"))

    def tests(self, z: np.ndarray, J: Any, tangent: np.ndarray) -> dict[str, float]:
        """CP: w.B(v, v); BT: w.v; ZH: sums of pairs of the other eigenvalues. v and w of length one."""
        e = self.equations
        x, p = self.split(z)
        A = e.matrix(x, p)
        v, w, _ = self.vectors(A)
        v, w = v / np.linalg.norm(v), w / np.linalg.norm(w)
        found = {"CP": float(w @ e.matrix_along(x, p, v, e.state_size(x)) @ v), "BT": float(w @ v)}
        if self.n > 2:
            values = np.linalg.eigvals(A)
            found["ZH"] = pair_sums(np.delete(values, int(np.argmin(np.abs(values)))))
        return found

    def measures(self, z: np.ndarray, J: Any) -> dict[str, Any]:
        """The eigenvalues."""
        return {"eigenvalues": ordered(np.linalg.eigvals(self.equations.matrix(*self.split(z))))}


def trace_folds(
    problem: EquilibriumProblem,
    special: Special,
    second: str,
    bounds: Any = None,
    steps: PseudoArclength | None = None,
    scales: Mapping[str, float] | None = None,
    **options: Any,
) -> Branch:
    """The curve of folds through a fold (LP) of a branch, along a second parameter of the system; bounds are of the second."""
    return traced(FoldCurve(problem, special, second, scales), bounds, steps, options)
