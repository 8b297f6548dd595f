"""Branch points: located by a regular system, and the tangents of the two curves that meet there.

At a simple branch point F_z has rank n - 1. It solves (Moore's system)

    F(z) + w psi = 0,   F_z(z)^T psi = 0,   psi.psi = 1          in (z, w, psi), with w = 0,

which is regular there although F_z is not. With the null vectors phi1, phi2 of F_z, tangents alpha phi1 + beta phi2 solve the algebraic branching equation

    c11 alpha^2 + 2 c12 alpha beta + c22 beta^2 = 0,     cij = psi . F_zz[phi_i, phi_j];

two real solutions: two curves cross. E. Allgower and K. Georg, Numerical Continuation Methods (1990), section 8.3.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from scipy.sparse import issparse

STEP = 1e-3  # of the differences of exact Jacobians, in the problem's scales; extrapolated three times
LARGEST = 200  # unknowns for which Moore's system is solved


def dense(J: Any) -> np.ndarray:
    """A Jacobian as a plain array."""
    return J.toarray() if issparse(J) else np.asarray(J, float)


def directional(problem: Any, z: np.ndarray, v: np.ndarray, step: float = STEP) -> np.ndarray:
    """d/ds F_z(z + s v) at s = 0: central differences of the exact Jacobian, extrapolated (Romberg, three steps)."""
    table = []
    for k in range(3):
        h = step / 2**k
        table.append((dense(problem.jacobian(z + h * v)) - dense(problem.jacobian(z - h * v))) / (2.0 * h))
    first = [(4.0 * b - a) / 3.0 for a, b in itertools.pairwise(table)]
    return (16.0 * first[1] - first[0]) / 15.0


def polished(problem: Any, z: np.ndarray, scale: np.ndarray, limit: int = 12) -> np.ndarray | None:
    """The branch point near z by Newton's method on Moore's system; None if there is none near."""
    n = z.size - 1
    if n > LARGEST:
        return None
    psi = np.linalg.svd(dense(problem.jacobian(z)) * scale)[0][:, -1]
    x = np.concatenate([z, [0.0], psi])
    size = np.inf
    for _ in range(limit):
        z_, w, psi = x[: n + 1], x[n + 1], x[n + 2 :]
        F, J = problem.evaluate(z_)
        J = dense(J)
        right = np.concatenate([F + w * psi, J.T @ psi, [psi @ psi - 1.0]])
        A = np.zeros((2 * n + 2, 2 * n + 2))
        A[:n, : n + 1], A[:n, n + 1], A[:n, n + 2 :] = J, psi, w * np.eye(n)
        for j in range(n + 1):
            e = np.zeros(n + 1)
            e[j] = scale[j]
            A[n : 2 * n + 1, j] = directional(problem, z_, e).T @ psi / scale[j]
        A[n : 2 * n + 1, n + 2 :] = J.T
        A[-1, n + 2 :] = 2.0 * psi
        try:
            step = np.linalg.solve(A, -right)
        except np.linalg.LinAlgError:
            return None
        x += step
        new = float(np.max(np.abs(step[: n + 1] / scale)))
        if not np.isfinite(new) or (new > size and new > 1e-3):
            return None
        if new < 1e-13 or (new >= size and new < 1e-10):  # at rounding
            break
        size = new
    else:
        return None
    w = abs(x[n + 1])
    return x[: n + 1] if w < 1e-8 and float(np.max(np.abs((x[: n + 1] - z) / scale))) < 0.1 else None


def branch_tangents(problem: Any, z: np.ndarray, tangent: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The unit tangents of the curves through a branch point, the present one first, and the coefficients c11, c12, c22.

    One row where the branching equation has no two real solutions (an isolated point), or two that agree.
    """
    scale = 1.0 / np.sqrt(weights)
    J = dense(problem.jacobian(z))
    U, _, Vt = np.linalg.svd(J * scale)
    psi, null = U[:, -1], scale[:, None] * Vt[-2:].T
    # phi1: the part of the present tangent within the null space; phi2 orthogonal to it (in the problem's scales)
    a = null.T @ (weights * tangent)
    a /= np.linalg.norm(a)
    phi1, phi2 = null @ a, null @ np.array([-a[1], a[0]])
    B1, B2 = directional(problem, z, phi1), directional(problem, z, phi2)
    c11, c12, c22 = float(psi @ B1 @ phi1), float(psi @ B1 @ phi2), float(psi @ B2 @ phi2)
    numbers = np.array([c11, c12, c22])
    size = max(abs(c11), abs(c12), abs(c22), 1e-300)
    inner = c12 * c12 - c11 * c22
    if inner <= 1e-10 * size * size:
        return phi1[None, :], numbers
    # alpha : beta of both solutions, without cancellation
    q = -(c12 + np.copysign(np.sqrt(inner), c12))
    pairs = [(q, c11), (c22, q)]  # c11 a^2 + 2 c12 a b + c22 b^2 = 0: a/b = q/c11 and c22/q
    tangents = []
    for alpha, beta in pairs:
        t = alpha * phi1 + beta * phi2
        t /= np.sqrt(np.sum(weights * t * t))
        tangents.append(t * np.sign(np.sum(weights * t * tangent) or 1.0))
    tangents.sort(key=lambda t: -abs(float(np.sum(weights * t * tangent))))
    return np.array(tangents), numbers
