"""Connections as a boundary-value problem on a finite interval, with projection conditions (Beyn 1990).

    x' = f(x, p) on [0, T],   P_s(p) (x(0) - a(p)) = 0,   P_u(p) (x(T) - b(p)) = 0,   v.(x(0) - a) = delta

P_s are the left eigenvectors of the stable eigenvalues of the source: x(0) is on its unstable subspace; P_u those of the unstable ones of the target. The last
condition fixes the phase. Gauss collocation with four points on each interval (order eight where intervals meet), Newton on all unknowns and p at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.linalg import spsolve

from ...kernel.names import InputError
from ..rates import Formula
from .saddle import Saddle, saddle_near

POINTS = 4


def _gauss(points: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Nodes c, weights b and matrix a of the Gauss method on [0, 1]."""
    c, b = np.polynomial.legendre.leggauss(points)
    c, b = 0.5 * (c + 1.0), 0.5 * b
    powers = np.vander(c, points, increasing=True)
    integrals = np.stack([c ** (k + 1) / (k + 1) for k in range(points)], axis=1)
    return c, b, integrals @ np.linalg.inv(powers)


C, B, A = _gauss(POINTS)


@dataclass(frozen=True)
class BoundaryProblem:
    """The field, states near the equilibria, and the reference subspaces, to which bases at other parameters are aligned."""

    rates: Formula
    source: np.ndarray
    target: np.ndarray
    left: np.ndarray
    right: np.ndarray
    v: np.ndarray
    delta: float

    def conditions(self, x0: np.ndarray, x1: np.ndarray, p: float) -> np.ndarray:
        """The n + 1 conditions at both ends."""
        a, b = self.saddles(p)
        left, right = a.annihilator(True), b.annihilator(False)
        if left.shape != self.left.shape or right.shape != self.right.shape:
            raise InputError(
                f"the boundary-value problem of the connection strayed to p = {p:.6g}, where the equilibria have other numbers of unstable directions: the guess is too far off."
            )
        left = np.linalg.solve(left @ self.left.T, left)  # does not depend on which basis eig returned
        right = np.linalg.solve(right @ self.right.T, right)
        return np.concatenate([left @ (x0 - a.x), right @ (x1 - b.x), [self.v @ (x0 - a.x) - self.delta]])

    def saddles(self, p: float) -> tuple[Saddle, Saddle]:
        """Both equilibria."""
        return saddle_near(self.rates, self.source, p, "source"), saddle_near(self.rates, self.target, p, "target")


def boundary_problem(rates: Formula, a: Saddle, b: Saddle, start: np.ndarray) -> BoundaryProblem:
    """The problem for a connection that begins near `start`."""
    n = a.x.size
    left, right = a.annihilator(True), b.annihilator(False)
    if left.shape[0] + right.shape[0] != n:
        raise InputError(
            f"the source has {a.unstable} unstable directions and the target {n - b.unstable} stable ones, of {n}: a connection along one parameter needs "
            f"their sum to be {n}. With more it exists for a range of parameters, with fewer it needs several."
        )
    off = start - a.x
    off = off - left.T @ np.linalg.solve(left @ left.T, left @ off)  # on the unstable subspace, as the solution will be
    delta = float(np.linalg.norm(off))
    return BoundaryProblem(rates, a.x, b.x, left, right, off / delta, delta)


class _Entries:
    """The entries of a sparse matrix, block by block."""

    def __init__(self) -> None:
        self.rows: list[np.ndarray] = []
        self.columns: list[np.ndarray] = []
        self.values: list[np.ndarray] = []

    def put(self, row: Any, column: Any, value: Any) -> None:
        """Entries at places that are broadcast."""
        for to, block in zip((self.rows, self.columns, self.values), np.broadcast_arrays(row, column, value)):
            to.append(block.ravel())

    def matrix(self, size: int) -> Any:
        """All of them."""
        places = np.concatenate(self.rows), np.concatenate(self.columns)
        return coo_matrix((np.concatenate(self.values), places), shape=(size, size)).tocsc()


def _newton_step(
    problem: BoundaryProblem, h: np.ndarray, x: np.ndarray, X: np.ndarray, p: float, scale: np.ndarray
) -> np.ndarray:
    """The Newton step of all unknowns: states between intervals x (n, N + 1), stages X (n, N, POINTS), p; in this order."""
    n, N = x.shape[0], h.size
    mesh = np.arange(n * (N + 1)).reshape(n, N + 1)
    stage = mesh.size + np.arange(X.size).reshape(X.shape)
    last = mesh.size + X.size
    f, J, fp = problem.rates(X, p), problem.rates.slopes(X, p), problem.rates.parameter_slope(X, p)
    entries = _Entries()
    # X_mj - x_m - h_m sum_k A_jk f(X_mk) = 0
    equation: np.ndarray = stage - mesh.size
    entries.put(equation, stage, 1.0)
    entries.put(equation, mesh[:, :-1, None], -1.0)
    block = -h[None, None, :, None, None] * A[None, None, None] * J[:, :, :, None, :]
    entries.put(equation[:, None, :, :, None], stage[None, :, :, None, :], block)
    entries.put(equation, last, -h[:, None] * np.einsum("jk,ink->inj", A, fp))
    inside = X - x[:, :-1, None] - h[:, None] * np.einsum("jk,ink->inj", A, f)
    # x_m+1 - x_m - h_m sum_k B_k f(X_mk) = 0
    equation = X.size + np.arange(n * N).reshape(n, N)
    entries.put(equation, mesh[:, 1:], 1.0)
    entries.put(equation, mesh[:, :-1], -1.0)
    entries.put(equation[:, None, :, None], stage[None], -h[None, None, :, None] * B * J)
    entries.put(equation, last, -h * np.einsum("k,ink->in", B, fp))
    across = x[:, 1:] - x[:, :-1] - h * np.einsum("k,ink->in", B, f)
    # both ends: linear in the states
    equation = X.size + n * N + np.arange(n + 1)
    ends = problem.conditions(x[:, 0], x[:, -1], p)
    for l, move in enumerate(np.diag(scale)):
        first = problem.conditions(x[:, 0] + move, x[:, -1], p) - problem.conditions(x[:, 0] - move, x[:, -1], p)
        other = problem.conditions(x[:, 0], x[:, -1] + move, p) - problem.conditions(x[:, 0], x[:, -1] - move, p)
        entries.put(equation, mesh[l, 0], first / (2.0 * scale[l]))
        entries.put(equation, mesh[l, N], other / (2.0 * scale[l]))
    dp = 1e-6 * max(abs(p), 1e-3)
    slope = problem.conditions(x[:, 0], x[:, -1], p + dp) - problem.conditions(x[:, 0], x[:, -1], p - dp)
    entries.put(equation, last, slope / (2.0 * dp))
    return spsolve(entries.matrix(last + 1), -np.concatenate([inside.ravel(), across.ravel(), ends]))


def solve(problem: BoundaryProblem, t: np.ndarray, x: np.ndarray, p: float, steps: int = 30) -> tuple[np.ndarray, float, float]:
    """States (n, mesh) on the mesh t and the parameter, by Newton's method from a guess: (x, p, size of the last step)."""
    h = np.diff(t)
    scale = np.abs(x - problem.source[:, None]).max(axis=1) + 1e-300
    X = x[:, :-1, None] + C * np.diff(x, axis=1)[:, :, None]  # stages (n, N, POINTS)
    x, size = x.copy(), np.inf
    for _ in range(steps):
        step = _newton_step(problem, h, x, X, p, scale)
        if not np.all(np.isfinite(step)):
            break
        dx, dX = step[: x.size].reshape(x.shape), step[x.size : -1].reshape(X.shape)
        before, size = size, max(float((np.abs(dx) / scale[:, None]).max()), abs(float(step[-1])) / max(abs(p), 1.0))
        damp = min(1.0, 0.5 / size) if size > 0.0 else 1.0
        x, X, p = x + damp * dx, X + damp * dX, p + damp * float(step[-1])
        if size < 1e-12 or (size < 1e-8 and size > 0.5 * before):
            return x, p, size
    raise InputError(
        f"the boundary-value problem of the connection did not converge: the last Newton step was {size:.2g} (of its size), at p = {p:.9g}."
    )
