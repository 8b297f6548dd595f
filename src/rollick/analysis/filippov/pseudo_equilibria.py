"""Pseudo-equilibria of Filippov systems of codimension one: points of the surface where the sliding field vanishes.

There F1 and F2 are parallel. Admissible if the point slides (weights between 0 and 1); else virtual. Its eigenvalues on the surface are
those of T^T DF_s T with an orthonormal basis T of the tangent plane.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .box import zeros_in
from .theory.derivative import jacobian_of
from .theory.switching import Switching, SwitchingPoint


@dataclass(frozen=True)
class PseudoEquilibrium:
    """A zero of the sliding field: the state, what the surface does there, its eigenvalues on the surface, the residual.

    admissible: it slides there. stability: `stable`, `unstable` or `centre or degenerate` within the surface; of an attracting surface only.
    """

    x: np.ndarray
    point: SwitchingPoint
    eigenvalues: np.ndarray
    admissible: bool
    stability: str
    residual: float


def pseudo_equilibria(system: Switching, box: Sequence[tuple[float, float]], count: int = 64) -> list[PseudoEquilibrium]:
    """The pseudo-equilibria in a box of states, from `count` starts; virtual ones too."""

    def residual(x: np.ndarray) -> np.ndarray:
        return np.append(system.sliding_vector(x), float(system.H(x)))

    return [_described(system, x, residual(x)) for x in zeros_in(residual, box, count)]


def _described(system: Switching, x: np.ndarray, rest: np.ndarray) -> PseudoEquilibrium:
    point = system.at(system.on_surface(x))
    tangents = np.linalg.svd(point.normal[None, :])[2][1:].T
    matrix = tangents.T @ jacobian_of(system.sliding_vector, point.x)[0] @ tangents
    values = np.linalg.eigvals(matrix) if matrix.size else np.array([])
    size = max(float(np.abs(values).max()), 1e-300) if values.size else 1.0
    if values.size == 0 or np.all(values.real < -1e-8 * size):
        stability = "stable"
    else:
        stability = "unstable" if np.any(values.real > 1e-8 * size) else "centre or degenerate"
    if point.kind == "repelling sliding":
        stability = "unstable"
    return PseudoEquilibrium(point.x, point, values, point.slides, stability, float(np.abs(rest).max()))
