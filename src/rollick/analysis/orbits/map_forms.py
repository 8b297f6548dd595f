"""Coefficients of the normal forms of a map xi -> A xi + B(xi, xi)/2 + C(xi, xi, xi)/6 + ... at its critical fixed points.

Yu. A. Kuznetsov, Elements of Applied Bifurcation Theory (3rd ed., 2004), section 5.4. With A q = mu q, A^T p = conj(mu) p, |q| = 1:

    fold (mu = 1)             b = 1/2 <p, B(q, q)>                                                        (5.39, 5.63)
    flip (mu = -1)            c = 1/6 <p, C(q, q, q) + 3 B(q, (1 - A)^-1 B(q, q))>                        (5.67)
    torus (mu = exp(i theta)) d = 1/2 Re exp(-i theta) [<p, C(q, q, q*)> + 2 <p, B(q, (1 - A)^-1 B(q, q*))>
                                  + <p, B(q*, (exp(2 i theta) - A)^-1 B(q, q))>]                          (5.74)

Of the first two p is a unit vector whose sign is carried along a curve, not one with <p, q> = 1: so they stay finite at strong resonances, where <p, q> = 0.
b = 0: a cusp of cycles; c = 0: a generalised period doubling; d = 0: Chenciner's point. c > 0, d < 0 (with <p, q> = 1): what branches off is stable.
"""

from __future__ import annotations

import numpy as np

from .return_map import ReturnMap


def fold_coefficient(P: ReturnMap, q: np.ndarray, p: np.ndarray) -> float:
    """b."""
    return 0.5 * float(p @ P.forms(q)[0] @ q)


def flip_coefficient(P: ReturnMap, q: np.ndarray, p: np.ndarray) -> float:
    """c."""
    B, C = P.forms(q)
    inner = np.linalg.solve(np.eye(q.size) - P.centre, B @ q)
    return float(p @ (C @ q + 3.0 * B @ inner)) / 6.0


def torus_coefficient(P: ReturnMap, theta: float) -> float:
    """d."""
    A = P.centre
    values, right = np.linalg.eig(A)
    q = right[:, int(np.argmin(np.abs(values - np.exp(1j * theta))))]
    values, left = np.linalg.eig(A.T)
    p = left[:, int(np.argmin(np.abs(values - np.exp(-1j * theta))))]
    q = q / np.linalg.norm(q)
    p = p / np.conj(np.vdot(p, q))  # <p, q> = conj(p).q = 1
    a, b = q.real, q.imag
    (Ba, Ca), (Bb, Cb) = P.forms(a), P.forms(b)
    # q q* = a a + b b,  q q = a a - b b + 2 i a b
    even, square = Ba @ a + Bb @ b, Ba @ a - Bb @ b + 2j * (Ba @ b)
    steady = np.linalg.solve(np.eye(q.size) - A, even)
    double = np.linalg.solve(np.exp(2j * theta) * np.eye(q.size) - A, square)
    total = np.vdot(p, (Ca + Cb) @ q)  # C(q, q, q*) = C(a, a, q) + C(b, b, q)
    total += 2.0 * np.vdot(p, (Ba + 1j * Bb) @ steady)
    total += np.vdot(p, (Ba - 1j * Bb) @ double)
    return 0.5 * float((np.exp(-1j * theta) * total).real)
