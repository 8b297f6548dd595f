"""A shape with a skin: it touches like the shape, and is drawn as a mesh. A body from a mesh touches with its convex hull, or
with a smooth shape near it, and looks like itself."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .convex import Turned, support, support_rate
from .hull import convex_hull, corners
from .smooth_fit import smooth_fit
from .triangles import Surface, triangulated

MOST_TRIANGLES = 20_000  # of a skin; meshes with more are drawn as their convex hull
FLAT = 0.87  # cosine of the bend (30 deg) up to which neighbouring triangles look like one smooth surface
FINEST = 1e-6  # of its size, what a skin is rounded to


class Skinned(NamedTuple):
    """A shape, and what is drawn in its place: vertices (n, 3) and faces (m, 3), counter-clockwise seen from outside; made by `from_triangles`."""

    shape: Any
    vertices: Any
    faces: Any


@support.register(Skinned)
def _(shape, n):
    return support(shape.shape, n)


@support_rate.register(Skinned)
def _(shape, n, dn):
    return support_rate(shape.shape, n, dn)


@corners.register(Skinned)
def _(shape):
    return corners(shape.shape)


def from_triangles(triangles: Any, smooth: Any = False) -> Any:
    """The shape of a mesh, triangles of shape (n, 3, 3): its convex hull, with the mesh as its skin unless that has very many triangles.

    smooth: True, or the greatest distance allowed: a smooth convex shape fitted to the hull in its place, see `smooth_fit`.
    """
    t = np.asarray(triangles, float)
    touches: Any = convex_hull(t.reshape(-1, 3))
    if smooth is not False:
        touches = smooth_fit(touches, smooth)
    if len(t) > MOST_TRIANGLES:
        return touches
    grain = FINEST * float(np.ptp(t.reshape(-1, 3), axis=0).max())
    vertices, names = np.unique(np.round(t.reshape(-1, 3) / grain), axis=0, return_inverse=True)
    faces = names.reshape(-1, 3)
    whole = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
    return Skinned(touches, np.ascontiguousarray(vertices * grain), np.ascontiguousarray(faces[whole].astype(np.int64)))


def has_skin(shape: Any) -> bool:
    """Whether a shape is drawn as a mesh of its own."""
    return isinstance(shape, Skinned) or (isinstance(shape, Turned) and has_skin(shape.shape))


@triangulated.register(Skinned)
def _(shape, fineness):
    # A corner of a triangle has the mean normal of those triangles around its vertex that are bent by little against it.
    corners_ = np.array(shape.vertices, float)[np.array(shape.faces)]
    large = np.cross(corners_[:, 1] - corners_[:, 0], corners_[:, 2] - corners_[:, 0])
    flat = large / np.maximum(np.linalg.norm(large, axis=1, keepdims=True), 1e-300)
    around: list[list[int]] = [[] for _ in range(len(shape.vertices))]
    for k, face in enumerate(np.array(shape.faces).tolist()):
        for vertex in face:
            around[vertex].append(k)
    normals = np.empty_like(corners_)
    for k, face in enumerate(np.array(shape.faces).tolist()):
        for j, vertex in enumerate(face):
            near = np.array(around[vertex])
            mean = large[near[flat[near] @ flat[k] >= FLAT]].sum(axis=0)
            size = np.linalg.norm(mean)
            normals[k, j] = mean / size if size > 0.0 else flat[k]
    return Surface(corners_.reshape(-1, 3), np.arange(3 * len(corners_)).reshape(-1, 3), normals.reshape(-1, 3))
