"""The convex hull of points: a box, a polyhedron, the hull of a mesh. It touches with its corners.

The support map is the corner farthest along n; it jumps from corner to corner, so that such a body does not roll smoothly: it rocks, slides and
tumbles on its corners (`sliding`). `Sum(ConvexHull(...), Sphere(r))` is the same body with its corners and edges rounded; its faces remain flat.
`smooth_fit` makes a body without them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kernel.dispatch import generic
from ...kernel.names import InputError, array_of
from ...kernel.scalar import real
from ...kernel.vector import Vector, dot, scale
from .convex import Sphere, Sum, Turned, support, support_rate
from .triangles import Surface, triangulated

MOST_CORNERS = 20_000


class ConvexHull(NamedTuple):
    """The convex hull of points, rows of three; made by `convex_hull`."""

    points: Any


@support.register(ConvexHull)
def _(shape: ConvexHull, n: Vector) -> Vector:
    best, most = 0, -1e300
    for k in range(shape.points.shape[0]):
        along = shape.points[k, 0] * real(n[0]) + shape.points[k, 1] * real(n[1]) + shape.points[k, 2] * real(n[2])
        if along > most:
            best, most = k, along
    zero = 0.0 * dot(n, n)
    return shape.points[best, 0] + zero, shape.points[best, 1] + zero, shape.points[best, 2] + zero


# To a type checker the result of a compiled or generic function is Any; so is that of a function which hands it on.
@support_rate.register(ConvexHull)
def _(shape: ConvexHull, n: Vector, dn: Vector) -> Any:
    return scale(0.0, dn)


@generic
def corners(shape: Any) -> Any:
    """(corners, radius): the corners of a shape with flat faces, rows of three, and the radius they are rounded with; None for other shapes.

    Runs in Python.
    """


@corners.otherwise
def _(shape: Any) -> None:
    return None


@corners.register(ConvexHull)
def _(shape: ConvexHull) -> tuple[np.ndarray, float]:
    return np.array(shape.points, float), 0.0


@corners.register(Sum)
def _(shape: Sum) -> tuple[np.ndarray, float] | None:
    for solid, ball in ((shape.first, shape.second), (shape.second, shape.first)):
        inner = corners(solid)
        if inner is not None and isinstance(ball, Sphere):
            return inner[0], inner[1] + ball.radius
    first, second = corners(shape.first), corners(shape.second)
    if first is None or second is None or len(first[0]) * len(second[0]) > MOST_CORNERS:
        return None
    points = (first[0][:, None] + second[0][None]).reshape(-1, 3)
    return points[np.sort(quick_hull(points).vertices)], first[1] + second[1]


@corners.register(Turned)
def _(shape: Turned) -> tuple[np.ndarray, float] | None:
    inner = corners(shape.shape)
    return None if inner is None else (inner[0] @ np.array(shape.rotation).T + np.array(shape.shift), inner[1])


def quick_hull(points: np.ndarray) -> Any:
    """SciPy's convex hull of points that span a solid."""
    from scipy.spatial import ConvexHull as Hull
    from scipy.spatial import QhullError

    try:
        return Hull(points)
    except QhullError:
        raise InputError(f"the {len(points)} points do not span a solid: they lie in a plane; give points all around.") from None


def convex_hull(points: Any) -> ConvexHull:
    """The convex hull of points (rows of three): only its corners are kept."""
    given = array_of(points, "points")
    if given.ndim != 2 or given.shape[1] != 3 or len(given) < 4 or not np.all(np.isfinite(given)):
        raise InputError(
            f"a convex hull needs four or more points of three finite numbers each; got an array of shape {given.shape}."
        )
    hull = quick_hull(given)
    if len(hull.vertices) > MOST_CORNERS:
        raise InputError(f"the convex hull has {len(hull.vertices)} corners, more than {MOST_CORNERS}; make the mesh coarser.")
    return ConvexHull(np.ascontiguousarray(given[np.sort(hull.vertices)]))


def box_corners(x: float, y: float, z: float) -> np.ndarray:
    """The corners of a box with edges x, y, z about the origin."""
    return np.array([(i * x / 2, j * y / 2, k * z / 2) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)])


@triangulated.register(ConvexHull)
def _(shape: ConvexHull, fineness: int) -> Surface:
    hull = quick_hull(np.array(shape.points, float))
    faces, outward = hull.points[hull.simplices], hull.equations[:, :3]
    inward = np.einsum("ij,ij->i", np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0]), outward) < 0.0
    faces[inward] = faces[inward][:, ::-1]
    return Surface(faces.reshape(-1, 3), np.arange(faces.shape[0] * 3).reshape(-1, 3), np.repeat(outward, 3, axis=0))
