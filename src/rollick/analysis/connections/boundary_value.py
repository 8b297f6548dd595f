"""Connections as a boundary-value problem on a finite interval, with projection conditions (Beyn 1990).

    x' = f(x, p) on [0, T],   P_s(p) (x(0) - a(p)) = 0,   P_u(p) (x(T) - b(p)) = 0,   v.(x(0) - a) = delta

P_s are the left eigenvectors of the stable eigenvalues of the source: x(0) is on its unstable subspace; P_u those of the unstable ones of the target. The last
condition fixes the phase. Gauss collocation with four points on each interval (order eight where intervals meet), Newton on all unknowns and p at once.
"""

from __future__ import annotations

from dataclasses import dataclass

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


def solve(problem: BoundaryProblem, t: np.ndarray, x: np.ndarray, p: float, steps: int = 30) -> tuple[np.ndarray, float, float]:
    """States (n, mesh) on the mesh t and the parameter, by Newton's method from a guess: (x, p, size of the last step)."""
    n, N = x.shape[0], t.size - 1
    h = np.diff(t)
    scale = np.abs(x - problem.source[:, None]).max(axis=1) + 1e-300
    X = x[:, :-1, None] + C * np.diff(x, axis=1)[:, :, None]  # stages (n, N, POINTS)
    x = x.copy()
    mesh = lambda i, j: i * N_all + j  # place of state i at mesh point j
    N_all = N + 1
    stage0 = n * N_all
    places = stage0 + np.arange(n * N * POINTS).reshape(n, N, POINTS)
    last = stage0 + n * N * POINTS
    size = np.inf
    for _ in range(steps):
        f, J = problem.rates(X, p), problem.rates.slopes(X, p)
        fp = problem.rates.parameter_slope(X, p)
        R_stage = X - x[:, :-1, None] - h[:, None] * np.einsum("jk,ink->inj", A, f)
        R_next = x[:, 1:] - x[:, :-1] - h * np.einsum("k,ink->in", B, f)
        ends = problem.conditions(x[:, 0], x[:, -1], p)
        rows, columns, values = [], [], []

        def put(r, c, v, rows=rows, columns=columns, values=values):
            r, c, v = np.broadcast_arrays(r, c, v)
            rows.append(r.ravel())
            columns.append(c.ravel())
            values.append(v.ravel())

        i_, n_, j_ = np.arange(n)[:, None, None], np.arange(N)[None, :, None], np.arange(POINTS)
        eq_stage = places - stage0
        put(eq_stage, places, 1.0)
        put(eq_stage, mesh(i_, n_) + 0 * j_, -1.0)
        # d stage eq (i, m, j) / d X (l, m, k) = -h_m A_jk J_il(m, k)
        block = -h[None, None, :, None, None] * A[None, None, None] * J[:, :, :, None, :]
        put(eq_stage[:, None, :, :, None], places[None, :, :, None, :], block)
        put(eq_stage, last, -h[:, None] * np.einsum("jk,ink->inj", A, fp))
        offset = n * N * POINTS
        eq_next = offset + np.arange(n * N).reshape(n, N)
        put(eq_next, mesh(np.arange(n)[:, None], np.arange(1, N + 1)), 1.0)
        put(eq_next, mesh(np.arange(n)[:, None], np.arange(N)), -1.0)
        put(eq_next[:, None, :, None], places[None], -h[None, None, :, None] * B * J)
        put(eq_next, last, -h * np.einsum("k,ink->in", B, fp))
        offset += n * N
        eq_ends = offset + np.arange(n + 1)
        for l in range(n):
            for which, place in ((0, mesh(l, 0)), (1, mesh(l, N))):
                move = np.zeros(n)
                move[l] = scale[l]
                at = lambda s, move=move, which=which: problem.conditions(
                    x[:, 0] + (s * move if which == 0 else 0.0), x[:, -1] + (s * move if which == 1 else 0.0), p
                )
                put(eq_ends, place, (at(1.0) - at(-1.0)) / (2.0 * scale[l]))  # linear in the states
        dp = 1e-6 * max(abs(p), 1e-3)
        put(
            eq_ends,
            last,
            (problem.conditions(x[:, 0], x[:, -1], p + dp) - problem.conditions(x[:, 0], x[:, -1], p - dp)) / (2.0 * dp),
        )
        total = last + 1
        matrix = coo_matrix(
            (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))), shape=(total, total)
        ).tocsc()
        residual = np.concatenate([R_stage.ravel(), R_next.ravel(), ends])
        step = spsolve(matrix, -residual)
        if not np.all(np.isfinite(step)):
            break
        dx, dX = step[:stage0].reshape(n, N_all), step[stage0:last].reshape(X.shape)
        before, size = size, max(float((np.abs(dx) / scale[:, None]).max()), abs(step[last]) / max(abs(p), 1.0))
        damp = min(1.0, 0.5 / size) if size > 0.0 else 1.0
        x, X, p = x + damp * dx, X + damp * dX, p + damp * float(step[last])
        if size < 1e-12 or (size < 1e-8 and size > 0.5 * before):
            return x, p, size
    raise InputError(
        f"the boundary-value problem of the connection did not converge: the last Newton step was {size:.2g} (of its size), at p = {p:.9g}."
    )
