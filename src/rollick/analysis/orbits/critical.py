"""What is critical about an orbit on a curve of folds, period doublings or tori: a number g that vanishes there, and the vectors that belong to it.

M is the map over a period, its trivial multipliers (along the orbit, along free and turning directions, with right eigenvectors V) moved to zero:
M -> M - V V^+. The others stay as they are. Then, with b and c renewed from the singular vectors along the curve,

    [ A   b ] [ v ]   [ 0 ]         A = M - 1 (fold),  A = M + 1 (period doubling):
    [ c^T 0 ] [ g ] = [ 1 ],        g = 0 exactly where A is singular,

(W. Govaerts, Numerical Methods for Bifurcations of Dynamical Equilibria, 2000), and for a torus g = mu_1 mu_2 - 1 of a pair of multipliers. The product and the sum
of a pair are smooth functions of M also where the pair meets on the real axis, at 1 and at -1: there the curve goes on as one of neutral saddles.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np


class Pair(NamedTuple):
    """Two multipliers: their sum and product, and the others."""

    sum: float
    product: float
    rest: np.ndarray


def reduced_map(equations: Any, x: np.ndarray, p: float) -> np.ndarray:
    """M without its trivial multipliers."""
    _, U, _, _, links = equations.linked(x, p)
    closure = equations.closure
    M = np.eye(equations.n)
    for G in equations.factors(x, p):
        M = G @ M
    trivial = []
    if equations.period.unknown:
        trivial.append(links.rates[0])
    trivial += [np.eye(equations.n)[k] for k in closure.free]
    if closure.turning:
        trivial.append(closure.generator() @ U[0])
    if trivial:
        V = np.column_stack(trivial)
        M = M - V @ np.linalg.pinv(V)
    return M


def pair_of(M: np.ndarray, total: float) -> Pair:
    """The two multipliers, conjugate or both real, whose sum is nearest to `total` among those with a product near 1."""
    values = np.linalg.eigvals(M).astype(complex)
    best, found = np.inf, Pair(np.nan, np.nan, values)
    for i in range(values.size):
        for j in range(i):
            s, m = values[i] + values[j], values[i] * values[j]
            if abs(s.imag) > 1e-9 * (1.0 + abs(s)) or abs(m.imag) > 1e-9 * (1.0 + abs(m)):
                continue
            off = abs(s.real - total) + abs(m.real - 1.0)
            if off < best:
                best, found = off, Pair(float(s.real), float(m.real), np.delete(values, [i, j]))
    return found


class Border:
    """b and c, which make A regular where it is singular."""

    def __init__(self) -> None:
        self.b = self.c = np.zeros(0)

    def renew(self, A: np.ndarray) -> None:
        """From the singular vectors of A; on the side of the old ones, so that signs are kept."""
        U, _, Vt = np.linalg.svd(A)
        b, c = U[:, -1], Vt[-1]
        if self.b.size == b.size:
            b, c = b * (np.sign(b @ self.b) or 1.0), c * (np.sign(c @ self.c) or 1.0)
        self.b, self.c = b, c

    def solve(self, A: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
        """v and w (right and left null vectors where g = 0), of length one, and g."""
        n = len(A)
        bordered = np.zeros((n + 1, n + 1))
        bordered[:n, :n], bordered[:n, n], bordered[n, :n] = A, self.b, self.c
        last = np.append(np.zeros(n), 1.0)
        v, w = np.linalg.solve(bordered, last), np.linalg.solve(bordered.T, last)
        return v[:n] / np.linalg.norm(v[:n]), w[:n] / np.linalg.norm(w[:n]), float(v[n])


def passes(values: np.ndarray, at: float) -> float:
    """prod (mu - at)/(1 + |mu|): changes its sign where a real multiplier passes `at`."""
    return float(np.prod((values - at) / (1.0 + np.abs(values))).real)


def passes_circle(values: np.ndarray) -> float:
    """prod_{i<j} (mu_i mu_j - 1)/(1 + |mu_i mu_j|): changes its sign where a pair passes the unit circle."""
    i, j = np.triu_indices(values.size, 1)
    pairs = values[i] * values[j]
    return float(np.prod((pairs - 1.0) / (1.0 + np.abs(pairs))).real)


def complex_pair_on_circle(values: np.ndarray, near: float = 1e-4) -> float | None:
    """The angle of the pair nearest to the unit circle, None if it is a pair of real multipliers."""
    i, j = np.triu_indices(values.size, 1)
    best = int(np.argmin(np.abs(values[i] * values[j] - 1.0)))
    mu = values[i[best]]
    return float(abs(np.angle(mu))) if abs(mu.imag) > 1e-8 and abs(abs(mu) - 1.0) < near else None
