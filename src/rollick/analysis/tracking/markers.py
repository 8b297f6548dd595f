"""The pose of a rigid body from points on it: least squares over rotations and displacements (Kabsch; Horn).

Points p_k of the body are seen at m_k. Of all R and r, those with least  sum |m_k - r - R p_k|^2  are: with the cross-covariance
H = sum (p_k - p)(m_k - m)^T = U S V^T about the means, R = V diag(1, 1, det(V U^T)) U^T, r = m - R p.

Errors of variance s^2 in each coordinate of the m_k make errors (e, d) of r and R with the covariance s^2 N^-1,
N = sum A_k^T A_k,  A_k = (1, -R [p_k]). The residuals of a frame with K points have 3 K - 6 degrees of freedom, from which s follows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ...kernel.names import InputError
from .attitudes import cross_matrix

FLAT = 1e-3  # of the largest spread of points: a second spread below this is a line
OFF = 0.1  # of the largest distance of two markers: a distance that is off by more belongs to another body
FAR = 5.0  # marker residuals beyond so many standard deviations are left out
LEAST = 3


class Placed(NamedTuple):
    """Poses of frames (nan where too few points were seen), N^-1 of each, residual vectors of the points, sigma of a coordinate, points left out."""

    position: np.ndarray
    attitude: np.ndarray
    shape: np.ndarray
    residuals: np.ndarray
    sigma: float
    left_out: list[tuple[int, str]]


def kabsch(p: np.ndarray, m: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """r (n, 3) and R (n, 3, 3) for points p (k, 3) seen at m (n, k, 3)."""
    mean_p, mean_m = p.mean(axis=0), m.mean(axis=1)
    H = np.einsum("ka,nkb->nab", p - mean_p, m - mean_m[:, None])
    U, _, Vt = np.linalg.svd(H)
    V, Ut = np.swapaxes(Vt, 1, 2).copy(), np.swapaxes(U, 1, 2)
    V[:, :, 2] *= np.linalg.det(V @ Ut)[:, None]
    R = V @ Ut
    return mean_m - R @ mean_p, R


def _normal(p: np.ndarray, R: np.ndarray) -> np.ndarray:
    """N of each frame."""
    A = np.zeros((len(R), len(p), 3, 6))
    A[..., :3] = np.eye(3)
    A[..., 3:] = -np.einsum("nij,kjl->nkil", R, cross_matrix(p))
    return np.einsum("nkai,nkaj->nij", A, A)


def on_a_line(p: np.ndarray) -> bool:
    """Whether points lie on one line (or are fewer than three), so that a rotation about it is not seen."""
    if len(p) < LEAST:
        return True
    spread = np.linalg.svd(p - p.mean(axis=0), compute_uv=False)
    return bool(spread[1] <= FLAT * spread[0])


def fit_markers(points: Mapping[str, Any], seen: Mapping[str, np.ndarray], sigma: float | None = None) -> Placed:
    """Poses from markers.

    points: body coordinates of each marker [m]; seen: what was measured of each, (n, 3), nan where it was hidden; sigma: the standard deviation of a
    coordinate, estimated from the residuals if it is not given. A marker that disagrees with the others of its frame by more than five sigma
    is left out of that frame.
    """
    names = [name for name in points if name in seen]
    if len(names) < LEAST:
        raise InputError(
            f"an attitude needs {LEAST} markers or more whose places on the body are given; of {', '.join(seen) or 'none'} there are {', '.join(names) or 'none'}."
        )
    p = np.array([np.asarray(points[name], float) for name in names])
    if p.shape != (len(names), 3) or not np.isfinite(p).all():
        raise InputError("markers must be given as {name: (x, y, z)}, in metres and body axes.")
    if on_a_line(p):
        raise InputError(f"the markers {', '.join(names)} lie on one line: a turn about it cannot be seen. Add one beside it.")
    m = np.stack([np.asarray(seen[name], float) for name in names], axis=1)
    used = np.isfinite(m).all(axis=2)
    _check_body(names, p, m, used)
    left_out: list[tuple[int, str]] = []
    while True:
        r, R, N, e = _all(p, m, used)
        freedom = np.maximum(3 * used.sum(axis=1) - 6, 0)
        scale = sigma if sigma is not None else _scatter(e, used, freedom)
        size = np.linalg.norm(np.where(used[..., None], e, 0.0), axis=2)
        worst = size.argmax(axis=1)
        # With the residuals of K points sharing 3 K - 6 degrees of freedom, sigma sqrt((3 K - 6)/K) is the expected length of one
        expected = scale * np.sqrt(np.maximum(freedom, 1) / np.maximum(used.sum(axis=1), 1))
        bad = np.flatnonzero((freedom > 0) & (size[np.arange(len(m)), worst] > FAR * np.maximum(expected, 1e-300)))
        bad = bad[used[bad].sum(axis=1) > LEAST] if scale > 0.0 else bad[:0]
        if not bad.size:
            break
        for i in bad:
            k = _culprit(p, m[i], used[i])
            used[i, k] = False
            left_out.append((int(i), names[k]))
    return Placed(r, R, N, e, float(scale), left_out)


def _check_body(names: list[str], p: np.ndarray, m: np.ndarray, used: np.ndarray) -> None:
    """Refuse markers that are no part of this body: distances between them do not depend on the pose, nor does their handedness."""
    largest, ratios, wrong = max(float(np.linalg.norm(a - b)) for a in p for b in p), [], []
    for i in range(len(p)):
        for j in range(i):
            rows = used[:, i] & used[:, j]
            seen, own = np.linalg.norm(m[rows, i] - m[rows, j], axis=1), float(np.linalg.norm(p[i] - p[j]))
            if not rows.any() or own <= 0.0:
                continue
            middle = float(np.median(seen))
            error = 1.4826 * float(np.median(np.abs(seen - middle))) / np.sqrt(rows.sum())
            ratios.append(middle / own)
            if abs(middle - own) > OFF * largest + FAR * error:
                wrong.append(
                    f"{names[j]} and {names[i]} are {1e3 * own:.4g} mm apart on the body, and seen {1e3 * middle:.4g} mm apart"
                )
    if wrong and max(ratios) < 1.1 * min(ratios):
        raise InputError(
            f"the markers do not belong to this body: all their distances are seen {np.median(ratios):.4g} times as large ({wrong[0]}). Check the units of both."
        )
    if wrong:
        raise InputError(
            f"the markers do not belong to this body: {wrong[0]}. Check their names (two may be exchanged), their places on the body and the units."
        )
    whole = used.all(axis=1)
    if whole.any() and np.linalg.matrix_rank(p - p.mean(axis=0), tol=OFF * largest) == 3:
        H = np.einsum("ka,nkb->nab", p - p.mean(axis=0), m[whole] - m[whole].mean(axis=1)[:, None])
        if np.mean(np.linalg.det(H) < 0.0) > 0.8:
            raise InputError(
                "the markers are seen as in a mirror: the tracker's space, or the places of the markers on the body, are left-handed. Turn the sign of one axis."
            )


def _all(p: np.ndarray, m: np.ndarray, used: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    n = len(m)
    r, R, shape = np.full((n, 3), np.nan), np.full((n, 3, 3), np.nan), np.full((n, 6, 6), np.nan)
    patterns, which = np.unique(used, axis=0, return_inverse=True)
    for k, pattern in enumerate(patterns):
        rows = np.flatnonzero(which.ravel() == k)
        if on_a_line(p[pattern]):
            continue
        r[rows], R[rows] = kabsch(p[pattern], m[rows][:, pattern])
        shape[rows] = np.linalg.inv(_normal(p[pattern], R[rows]))
    e = m - r[:, None] - np.einsum("nij,kj->nki", R, p)
    e[~used] = np.nan
    return r, R, shape, e


def _culprit(p: np.ndarray, m: np.ndarray, used: np.ndarray) -> int:
    """The marker without which the others agree best."""
    best, which = np.inf, -1
    for k in np.flatnonzero(used):
        rest = used.copy()
        rest[k] = False
        if on_a_line(p[rest]):
            continue
        r, R = kabsch(p[rest], m[None, rest])
        left = float(np.sum((m[rest] - r - p[rest] @ R[0].T) ** 2))
        if left < best:
            best, which = left, int(k)
    return which if which >= 0 else int(np.flatnonzero(used)[0])


def _scatter(e: np.ndarray, used: np.ndarray, freedom: np.ndarray) -> float:
    """sigma of a coordinate: from the median over frames of the sum of squares, whose distribution is chi-square."""
    from scipy.stats import chi2

    total = np.where(used[..., None], e, 0.0)
    squares = np.sum(total**2, axis=(1, 2))
    rows = (freedom > 0) & np.isfinite(squares)
    if not rows.any():
        return 0.0
    return float(np.sqrt(np.median(squares[rows] / chi2.ppf(0.5, freedom[rows]))))
