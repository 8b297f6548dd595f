"""Zero eigenvalues that a steady motion has by force, and whose they are.

If w(y) is conserved, grad w . A = 0 at a steady motion: A is singular, and the motion is one of a family. A null vector v of A belongs to such a family if
there are steady motions at x + eps v, too (found by Newton's method in the plane across v); at a fold or another bifurcation there are none.
The family is named by what changes along it, the conserved quantity by its gradient, the left null vector.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .newton import NotFound, newton

ZERO = 1e-9  # singular values below this part of the largest are zero
AWAY = (
    1e-3,
    -1e-3,
    1e-4,
    -1e-4,
)  # how far along a null vector another motion is looked for, in the size of the unknowns; nearer where equations are smooth in pieces only (tables)


@dataclass(frozen=True)
class Marginal:
    """A zero eigenvalue that symmetry or a conserved quantity forces: along which states the family goes, and the gradient of what is conserved."""

    along: dict[str, float]
    gradient: dict[str, float]

    def __str__(self) -> str:
        return f"a family of steady motions along {_words(self.along)}, for something with the gradient ({_words(self.gradient)}) is conserved"


def _words(parts: dict[str, float]) -> str:
    largest = max(map(abs, parts.values()), default=1.0)
    kept = {name: value / largest for name, value in parts.items() if abs(value) > 1e-6 * largest}
    if len(kept) == 1:
        return next(iter(kept))
    return " ".join(f"{value:+.4g} {name}" for name, value in kept.items())


def forced_zeros(equations: Any, x: np.ndarray, p: np.ndarray, scale: np.ndarray) -> list[Marginal]:
    """The null directions of A along which there are other steady motions."""
    (U, s, Vt), T, plain = _decomposed(equations, x, p, scale)
    count = _zeros(s)
    if count == 0:
        return []
    names = equations.kept_names()
    right, left = Vt[-count:], U[:, -count:].T
    if not plain:
        right, left = right @ T.T / scale, left @ T.T
        right /= np.linalg.norm(right, axis=1, keepdims=True)
    found = []
    for v, w in zip(_sparse(right), _sparse(left)):
        if any(_goes_on(equations, x, p, scale, v, away, count) for away in AWAY):
            found.append(Marginal(dict(zip(names, (scale * v).tolist())), dict(zip(names, w.tolist()))))
    return found


def _decomposed(equations: Any, x: np.ndarray, p: np.ndarray, scale: np.ndarray) -> tuple[Any, np.ndarray, bool]:
    """The singular values of A, within what constraints allow; the tangents of that; whether there are no constraints."""
    A = equations.matrix(x, p)
    T = equations.kept_tangents(x, p)
    plain = T.shape[1] == len(A)
    return np.linalg.svd(A * scale if plain else T.T @ A @ T), T, plain


def _zeros(s: np.ndarray) -> int:
    return int(np.count_nonzero(s <= ZERO * max(float(s[0]), 1e-300)))


def _goes_on(equations: Any, x: np.ndarray, p: np.ndarray, scale: np.ndarray, v: np.ndarray, away: float, count: int) -> bool:
    """Whether there is another steady motion so far along v, and A is as singular there: along a family it is, beside a pitchfork not."""
    try:
        other = newton(equations, x + away * scale * v, p, scale)
    except NotFound:
        return False
    if float(np.linalg.norm((other - x) / scale)) <= 0.5 * abs(away):
        return False
    return _zeros(_decomposed(equations, other, p, scale)[0][1]) >= count


def _sparse(basis: np.ndarray) -> np.ndarray:
    """Another basis of the same space, with as many zeros as reduction gives: easier to name."""
    rows = basis.copy()
    for k in range(len(rows)):
        pivot = int(np.argmax(np.abs(rows[k])))
        rows[k] /= rows[k, pivot]
        for i in range(len(rows)):
            if i != k:
                rows[i] -= rows[i, pivot] * rows[k]
    rows[np.abs(rows) < 1e-12] = 0.0
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)
