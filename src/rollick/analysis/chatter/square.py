"""The square's cone in closed form (Lemmas 5-9, Theorem 6)."""

from __future__ import annotations

import numpy as np

from ...kernel.names import InputError
from .spectrum import REFLECTION, cubic, dominance


def square_cone(rho: float, gamma: float) -> np.ndarray:
    """The rays d_1, x_2, y_2, d_3 of an effectively invariant cone of the square, one row each, v = -1.

    d_1 = (e1, -e2, -1) is the eigenvector of U_0 R for its dominant eigenvalue lambda, with
    e1 = (gamma + 1)/(lambda^2 rho^2 + lambda^2 + rho^2 - gamma), e2 = lambda e1 (3.43); x_2 = (e1, -1, -1); y_2, d_3 are mirror images.
    If all four corners start downwards, the first velocity after an impact is in it, and complete chatter follows.
    """
    polynomial = cubic(4, rho, gamma)
    if not dominance(polynomial)[0]:
        raise InputError(
            f"the square has no such cone at rho = {rho:g}, gamma = {gamma:g}: the dominant eigenvalue of U_0 R is not positive."
        )
    lam = float(np.max(np.roots(polynomial).real))
    e1 = (gamma + 1.0) / (lam**2 * rho**2 + lam**2 + rho**2 - gamma)
    d1, x2 = np.array([e1, -lam * e1, -1.0]), np.array([e1, -1.0, -1.0])
    return np.array([d1, x2, REFLECTION @ x2, REFLECTION @ d1])


def image_margin(rays: np.ndarray, rho: float, gamma: float, n: int = 4) -> float:
    """The least margin of U_0 R^-j (K n C_j) inside the cone K over `rays`, over all steps j; at least 0 for an effectively invariant cone."""
    from scipy.spatial import ConvexHull

    from .spectrum import step_map
    from .succession import half_spaces

    flat = rays[:, :2] / -rays[:, 2:]
    polygon = flat[ConvexHull(flat).vertices]
    centre = polygon.mean(axis=0)
    edges = np.roll(polygon, -1, axis=0) - polygon
    normals = np.column_stack([-edges[:, 1], edges[:, 0]])
    normals *= np.sign(np.sum(normals * (centre - polygon), axis=1))[:, None]
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    least = np.inf
    for j in range(1, n):
        part = polygon
        for c in half_spaces(n, j):
            part = _cut(part, c)
        if len(part):
            image = np.column_stack([part, -np.ones(len(part))]) @ step_map(n, rho, gamma, j).T
            if np.any(image[:, 2] >= 0.0):
                return -np.inf
            where = image[:, :2] / -image[:, 2:]
            least = min(least, float(np.min(np.einsum("psd,sd->ps", where[:, None] - polygon[None], normals))))
    return least


def _cut(polygon: np.ndarray, c: np.ndarray) -> np.ndarray:
    """Sutherland and Hodgman, for one half-plane of v = -1."""
    made = []
    side = polygon @ c[:2] - c[2]
    for i in range(len(polygon)):
        j = (i + 1) % len(polygon)
        if side[i] >= 0.0:
            made.append(polygon[i])
        if side[i] * side[j] < 0.0:
            s = side[i] / (side[i] - side[j])
            made.append(polygon[i] + s * (polygon[j] - polygon[i]))
    return np.array(made).reshape(-1, 2)
