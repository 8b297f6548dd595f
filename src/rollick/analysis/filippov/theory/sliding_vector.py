"""The sliding vector of a point of codimension two (Theorem 2.17): the tangent convex combinations of the limit vectors.

With the mean Fm of F* and the directions B in which F* - Fm varies (SVD): if there are two and N^T B is invertible (N = [n1, n2]),
F_s = Fm - B (N^T B)^-1 N^T Fm is the only tangent combination. It is convex, not only affine, iff 0 is in the convex hull of G(phi). With more
than two directions the tangent combinations are a convex body: its extent in each state is the value of two linear programmes over the sampled
weights.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog

from ....kernel.names import InputError
from .limit_field import LimitField


@dataclass(frozen=True)
class SlidingVector:
    """The tangent combinations of F*: `unique`, `set-valued` or `none`.

    value: F_s if unique. weights: (a, b) of F_s = Fm + a F_A + b F_B, if the field is harmonic. convex: whether the combination is convex, so
    that sliding is possible. lower, upper: extents of the set, if set-valued. rank: how many directions F* varies in.
    """

    kind: str
    value: np.ndarray | None
    weights: tuple[float, float] | None
    convex: bool
    rank: int
    lower: np.ndarray | None
    upper: np.ndarray | None
    reason: str


def surrounds_origin(points: np.ndarray) -> bool:
    """Whether 0 is in the convex hull of points of the plane: no gap between their angles exceeds half a turn."""
    if np.any(np.hypot(points[:, 0], points[:, 1]) == 0.0):
        return True
    angles = np.sort(np.arctan2(points[:, 1], points[:, 0]))
    gaps = np.diff(np.append(angles, angles[0] + 2.0 * np.pi))
    return bool(gaps.max() <= np.pi)


def sliding_vector(limit: LimitField, tolerance: float = 1e-9) -> SlidingVector:
    """The tangent combinations of the limit vectors at a point; `tolerance`: what counts as no variation, part of the largest."""
    mean = limit.samples.mean(axis=0)
    size = float(np.abs(limit.samples).max())
    spread = (limit.samples - mean) / np.sqrt(len(limit.samples))
    _, sizes, rows = np.linalg.svd(spread, full_matrices=False)
    rank = int((sizes > max(tolerance * max(size, sizes[0]), 4.0 * limit.error)).sum())
    N = limit.normals
    if rank == 0:
        raise InputError(f"the field is continuous at x = {limit.x.tolist()}: F*(phi) does not depend on phi, nothing slides.")
    if rank > 2:
        return _extent(limit, rank)
    basis = rows[:rank].T
    across = N @ basis
    if np.linalg.svd(across, compute_uv=False)[-1] <= 1e-9:
        return SlidingVector(
            "none", None, None, False, rank, None, None, "F* varies along the set: no unique tangent combination"
        )
    factors = np.linalg.lstsq(across, -(N @ mean), rcond=None)[0]
    if np.linalg.norm(across @ factors + N @ mean) > max(1e-9 * size, 4.0 * limit.error):
        return SlidingVector(
            "none", None, None, False, rank, None, None, "F* varies in one direction and misses the tangent plane"
        )
    value = mean + basis @ factors
    weights, convex = None, surrounds_origin(limit.samples @ N.T)
    if limit.normal_harmonic is not None and rank == 2:
        c, M = limit.normal_harmonic
        a, b = -np.linalg.solve(M, c)
        weights, convex = (float(a), float(b)), bool(a * a + b * b <= 1.0)
    reason = f"F* varies in {rank} directions: one tangent combination, {'convex' if convex else 'not convex'}"
    return SlidingVector("unique", value, weights, convex, rank, None, None, reason)


def _extent(limit: LimitField, rank: int) -> SlidingVector:
    """Bounds of every state's rate over the tangent convex combinations of the samples."""
    rows = np.vstack([limit.samples @ limit.normals[0], limit.samples @ limit.normals[1], np.ones(len(limit.samples))])
    scale = np.maximum(np.abs(rows).max(axis=1), 1e-300)
    right = np.array([0.0, 0.0, 1.0])
    lower, upper = np.empty(limit.x.size), np.empty(limit.x.size)
    for i in range(limit.x.size):
        for sign, out in ((1.0, lower), (-1.0, upper)):
            solved = linprog(
                sign * limit.samples[:, i], A_eq=rows / scale[:, None], b_eq=right / scale, bounds=(0.0, None), method="highs"
            )
            if solved.status == 2:
                text = f"F* varies in {rank} directions, and no convex combination of it is tangent"
                return SlidingVector("none", None, None, False, rank, None, None, text)
            if solved.status != 0:
                raise InputError(f"the linear programme for state {i} at x = {limit.x.tolist()} failed: {solved.message}")
            out[i] = sign * solved.fun
    text = f"F* varies in {rank} directions: a set of tangent combinations, its extent in every state is given"
    return SlidingVector("set-valued", None, None, True, rank, lower, upper, text)
