"""Principal radii of curvature of a convex shape, from the derivative of its support map.

Where the outward normal is n, dp = p'(n) dn maps the tangent plane to itself: it is the inverse of the Weingarten map, symmetric, and its
eigenvalues are the principal radii r1 <= r2. Their product is the reciprocal of the Gauss curvature.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kernel.names import InputError, array_of, called
from .convex import Cylinder, Ellipsoid, Rim, Sphere, Sum, Superellipsoid, Torus, Turned, support, support_rate
from .hull import corners

CONVEX = (Sphere, Ellipsoid, Torus, Rim, Cylinder, Superellipsoid)  # convex by what they are
SAMPLES = 200


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


def directions(count: int = 400) -> np.ndarray:
    """Unit vectors spread directions over the sphere (a Fibonacci lattice), one per row."""
    k = np.arange(count) + 0.5
    z, turn = 1.0 - 2.0 * k / count, np.pi * (1.0 + 5.0**0.5) * k
    s = np.sqrt(1.0 - z * z)
    return np.stack([s * np.cos(turn), s * np.sin(turn), z], axis=1)


def tangents(n: Any) -> tuple[np.ndarray, np.ndarray]:
    """Two unit vectors perpendicular to n and to each other."""
    n = np.asarray(n, float)
    helper = np.eye(3)[np.argmin(np.abs(n))]
    u = np.cross(n, helper)
    u /= np.linalg.norm(u)
    return u, np.cross(n, u)


def principal_radii(shape: Any, n: Any) -> PrincipalRadii:
    """The principal radii of curvature of a shape where its outward normal is n (of any length); refused where it touches in more than one point."""
    given = array_of(n, "n")
    if given.shape != (3,) or not 0.0 < np.linalg.norm(given) < np.inf:
        raise InputError(f"n = {n!r} must be a direction: three finite numbers, not all zero.")
    n = given / np.linalg.norm(given)
    count = touching_corners(shape, n)
    found = radii_at(shape, n)
    if count > 1 or not np.isfinite(found.r2):
        where = f"in {count} corners, along an edge or a face" if count else "along a circle"
        raise InputError(
            f"a plane with the normal {tuple(round(x, 6) for x in n.tolist())} touches this {called(shape)} {where}: there is no radius of curvature; "
            f"turn the normal a little."
        )
    return found


def radii_at(shape: Any, n: np.ndarray) -> PrincipalRadii:
    """The principal radii where the outward unit normal is n; NaN where the derivative of the support map is not finite."""
    u, v = tangents(n)
    normal = tuple(map(float, n))
    try:
        du, dv = (np.array(support_rate(shape, normal, tuple(map(float, d)))) for d in (u, v))
    except ZeroDivisionError:
        du = dv = np.full(3, np.nan)
    if not (np.all(np.isfinite(du)) and np.all(np.isfinite(dv))):
        return PrincipalRadii(np.nan, np.nan, u, v)
    mixed = 0.5 * (du @ v + dv @ u)
    values, vectors = np.linalg.eigh(np.array([[du @ u, mixed], [mixed, dv @ v]]))
    first, second = (vectors[0, k] * u + vectors[1, k] * v for k in (0, 1))
    return PrincipalRadii(float(values[0]), float(values[1]), first, second)


def touching_corners(shape: Any, n: np.ndarray) -> int:
    """How many corners of a shape with flat faces a plane with the outward normal n touches; 0 for other shapes."""
    angular = corners(shape)
    if angular is None:
        return 0
    along = angular[0] @ n
    return int(np.sum(along > along.max() - 1e-12 * float(np.ptp(along))))


def convex_by_construction(shape: Any) -> bool:
    """Whether a shape is convex by what it is: a shape of the package, or one made of such."""
    if isinstance(shape, Sum):
        return convex_by_construction(shape.first) and convex_by_construction(shape.second)
    if isinstance(shape, Turned):
        return convex_by_construction(shape.shape)
    return isinstance(shape, CONVEX) or type(shape).__module__.startswith("rollick.mechanics.shapes.")


def not_convex(shape: Any, samples: int = SAMPLES) -> str:
    """Why a shape is not a smooth convex one, from its radii of curvature in some directions, as a sentence; "" if it seems to be.

    Where a radius is negative the surface told by the support map folds back: such a body has no single contact point to roll on.
    """
    if convex_by_construction(shape):
        return ""
    size, least, where = 0.0, np.inf, (0.0, 0.0, 1.0)
    for n in map(tuple, directions(samples).tolist()):
        point = np.array(support(shape, n), float)
        if not np.all(np.isfinite(point)):
            return f"its support map is not finite in the direction {tuple(round(x, 3) for x in n)}."
        size = max(size, float(np.linalg.norm(point)))
        radius = radii_at(shape, np.array(n)).r1
        if not radius >= least:
            least, where = radius, n
    if least < -1e-9 * size or not np.isfinite(least):
        return (
            f"it is not convex: its least radius of curvature is {least:.4g} m, in the direction {tuple(round(x, 3) for x in where)}; "
            f"there the surface folds back. Take a convex shape, or round this one: Sum(shape, Sphere({max(-1.1 * least, 0.0):.2g}))."
        )
    return ""
