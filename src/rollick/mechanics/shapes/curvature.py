"""Principal radii of curvature of a convex shape, from the derivative of its support map.

Where the outward normal is n, dp = p'(n) dn maps the tangent plane to itself: it is the inverse of the Weingarten map, symmetric, and its
eigenvalues are the principal radii r1 <= r2. Their product is the reciprocal of the Gauss curvature.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .convex import support_rate


class PrincipalRadii(NamedTuple):
    """The principal radii of curvature r1 <= r2 at a point, and the directions (unit vectors in the axes of the shape) they belong to."""

    r1: float
    r2: float
    direction1: np.ndarray
    direction2: np.ndarray

    @property
    def curvatures(self) -> tuple[float, float]:
        """1/r1 >= 1/r2; infinite on an edge."""
        return (np.inf if self.r1 == 0.0 else 1.0 / self.r1), (np.inf if self.r2 == 0.0 else 1.0 / self.r2)


def tangents(n: Any) -> tuple[np.ndarray, np.ndarray]:
    """Two unit vectors perpendicular to n and to each other."""
    n = np.asarray(n, float)
    helper = np.eye(3)[np.argmin(np.abs(n))]
    u = np.cross(n, helper)
    u /= np.linalg.norm(u)
    return u, np.cross(n, u)


def principal_radii(shape: Any, n: Any) -> PrincipalRadii:
    """The principal radii of curvature of a shape where its outward normal is n (of any length)."""
    n = np.asarray(n, float) / np.linalg.norm(n)
    u, v = tangents(n)
    normal = tuple(map(float, n))
    du, dv = (np.array(support_rate(shape, normal, tuple(map(float, d)))) for d in (u, v))
    mixed = 0.5 * (du @ v + dv @ u)
    values, vectors = np.linalg.eigh(np.array([[du @ u, mixed], [mixed, dv @ v]]))
    first, second = (vectors[0, k] * u + vectors[1, k] * v for k in (0, 1))
    return PrincipalRadii(float(values[0]), float(values[1]), first, second)
