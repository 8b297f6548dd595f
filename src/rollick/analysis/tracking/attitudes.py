"""Attitudes as matrices R (body to space) and the vectors between them.

    exp(v) = 1 + sin|v|/|v| [v] + (1 - cos|v|)/|v|^2 [v]^2,      log its inverse, |log R| <= pi

A small change of attitude is R exp(d), d in body axes. The change of v = log(A^T R) that it makes is  dv = J_r(v)^-1 d,

    J_r(v)^-1 = 1 + [v]/2 + (1/|v|^2 - (1 + cos|v|)/(2 |v| sin|v|)) [v]^2.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

SMALL = 1e-4  # rad: below, series


def exponential(v: np.ndarray) -> np.ndarray:
    """The rotation matrices of rotation vectors, one per row."""
    v = np.asarray(v, float)
    size2 = np.einsum("...i,...i->...", v, v)
    size = np.sqrt(size2)
    small = size < SMALL
    safe = np.where(small, 1.0, size)
    a = np.where(small, 1.0 - size2 / 6.0, np.sin(safe) / safe)
    b = np.where(small, 0.5 - size2 / 24.0, 2.0 * (np.sin(0.5 * safe) / safe) ** 2)
    V = cross_matrix(v)
    return np.eye(3) + a[..., None, None] * V + b[..., None, None] * (V @ V)


def logarithm(R: np.ndarray) -> np.ndarray:
    """The rotation vectors of rotation matrices; nan where a matrix is.

    axial(R) = n sin, trace R = 1 + 2 cos: good but near half a turn, where a quaternion serves.
    """
    R = np.asarray(R, float)
    a = axial(R)
    s = np.sqrt(np.einsum("...i,...i->...", a, a))
    c = 0.5 * (R[..., 0, 0] + R[..., 1, 1] + R[..., 2, 2] - 1.0)
    angle = np.arctan2(s, c)
    found = np.where(s < SMALL, 1.0 + s * s / 6.0, angle / np.where(s < SMALL, 1.0, s))[..., None] * a
    turned = (c < -0.9) & np.isfinite(s)
    if np.any(turned):
        found[turned] = Rotation.from_matrix(R[turned]).as_rotvec()
    return found


def cross_matrix(v: np.ndarray) -> np.ndarray:
    """[v]: [v] w = v x w."""
    x, y, z = np.moveaxis(np.asarray(v), -1, 0)
    zero = np.zeros_like(x)
    return np.stack(
        [np.stack([zero, -z, y], axis=-1), np.stack([z, zero, -x], axis=-1), np.stack([-y, x, zero], axis=-1)], axis=-2
    )


def axial(S: np.ndarray) -> np.ndarray:
    """The vector of the antisymmetric part of matrices: axial([v]) = v."""
    return 0.5 * np.stack([S[..., 2, 1] - S[..., 1, 2], S[..., 0, 2] - S[..., 2, 0], S[..., 1, 0] - S[..., 0, 1]], axis=-1)


def log_slope(v: np.ndarray) -> np.ndarray:
    """J_r(v)^-1, one matrix per row."""
    size = np.linalg.norm(v, axis=-1)
    safe = np.where(size < SMALL, 1.0, size)
    factor = np.where(
        size < SMALL, 1.0 / 12.0 + size**2 / 720.0, 1.0 / safe**2 - (1.0 + np.cos(safe)) / (2.0 * safe * np.sin(safe))
    )
    V = cross_matrix(v)
    return np.eye(3) + 0.5 * V + factor[..., None, None] * (V @ V)


def nearest_attitude(M: np.ndarray) -> np.ndarray:
    """The rotation matrices nearest to matrices (in the sum of squares of their entries)."""
    U, _, Vt = np.linalg.svd(M)
    sign = np.linalg.det(U @ Vt)
    U = U.copy()
    U[..., :, 2] *= sign[..., None]
    return U @ Vt


def quaternions(R: np.ndarray) -> np.ndarray:
    """Unit quaternions (scalar first) of rotation matrices, each on the side of the one before it; nan where a matrix is."""
    found = np.full((len(R), 4), np.nan)
    good = np.isfinite(R).all(axis=(1, 2))
    if good.any():
        q = np.roll(Rotation.from_matrix(R[good]).as_quat(), 1, axis=1)
        turned = np.sign(np.einsum("ij,ij->i", q[1:], q[:-1]))
        q[1:] *= np.cumprod(np.where(turned < 0.0, -1.0, 1.0))[:, None]
        found[good] = q
    return found


def unwrapped(angles: np.ndarray, period: float = 2.0 * np.pi) -> np.ndarray:
    """Angles along time without jumps by a period; gaps (nan) stay gaps, and are stepped over to the nearest turn."""
    found = np.array(angles, float)
    good = np.isfinite(found)
    found[good] = np.unwrap(found[good], period=period)
    return found
