"""Bodies with flat faces: the faces of a convex hull, as a mesh to weigh and as a surface to draw."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .body import Body
from .plate import Plate
from .poses import Poses, matrices
from .shapes.triangles import Surface, joined, triangulated

EYE = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


class Facets(NamedTuple):
    """A convex body with flat faces, to draw: each face as its corners in order, counter-clockwise seen from outside."""

    faces: tuple[np.ndarray, ...]


@triangulated.register(Facets)
def _(shape, fineness):
    pieces = []
    for face in shape.faces:
        normal = np.cross(face[1] - face[0], face[2] - face[1])
        fan = np.array([[0, i, i + 1] for i in range(1, len(face) - 1)])
        pieces.append(Surface(face, fan, np.tile(normal / np.linalg.norm(normal), (len(face), 1))))
    return joined(*pieces)


def hull_faces(points: Any) -> list[np.ndarray]:
    """The faces of the convex hull of points, each as its corners in order, counter-clockwise seen from outside."""
    from scipy.spatial import ConvexHull

    points = np.asarray(points, float)
    hull = ConvexHull(points)
    size = np.ptp(points, axis=0).max()
    groups: list[tuple[np.ndarray, set[int]]] = []
    for plane, corners in zip(hull.equations, hull.simplices):
        for known, members in groups:
            if np.allclose(plane[:3], known[:3], atol=1e-9) and abs(plane[3] - known[3]) < 1e-9 * size:
                members.update(corners)
                break
        else:
            groups.append((plane, set(corners)))
    faces = []
    for plane, members in groups:
        corners = points[sorted(members)]
        centre = corners.mean(axis=0)
        u = corners[0] - centre
        u /= np.linalg.norm(u)
        w = np.cross(plane[:3], u)
        around = np.arctan2((corners - centre) @ w, (corners - centre) @ u)
        faces.append(_corners_only(corners[np.argsort(around)]))
    return faces


def _corners_only(face: np.ndarray) -> np.ndarray:
    """A face without points inside its sides."""
    before, after = face - np.roll(face, 1, axis=0), np.roll(face, -1, axis=0) - face
    turn = np.linalg.norm(np.cross(before, after), axis=1)
    return face[turn > 1e-9 * np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1)]


def hull_mesh(points: Any) -> np.ndarray:
    """The convex hull of points as triangles that look outward."""
    return np.array([[f[0], f[i], f[i + 1]] for f in hull_faces(points) for i in range(1, len(f) - 1)])


def prism(points: Any, low: float, high: float) -> Facets:
    """The prism over a convex polygon (pairs), from one height to another; over two points, a bar."""
    flat = np.asarray(points, float)
    if len(flat) == 2:
        along = flat[1] - flat[0]
        half = 0.5 * (high - low) * np.array([-along[1], along[0]]) / np.linalg.norm(along)
        flat = np.array([flat[0] + half, flat[0] - half, flat[1] - half, flat[1] + half])
    corners = np.vstack([np.column_stack([flat, np.full(len(flat), z)]) for z in (low, high)])
    return Facets(tuple(hull_faces(corners)))


def placed_plate(plate: Plate, q: np.ndarray) -> tuple[Facets, np.ndarray, np.ndarray]:
    """The shape of a plate (a prism over its contact points, or a bar), its attitudes (quaternions, scalar first) and its places at q = (phi_x, phi_y, h), the first columns."""
    half = 0.5 * np.linalg.norm(q[:, :2], axis=1)
    axis = q[:, :2] / np.maximum(2.0 * half, 1e-300)[:, None]
    attitude = np.column_stack([np.cos(half), np.sin(half)[:, None] * axis, np.zeros(len(q))])
    shape = prism(np.column_stack([plate.x, plate.y]), 0.0, 0.1 * float(np.hypot(plate.x, plate.y).max()))
    return shape, attitude, np.column_stack([np.zeros((len(q), 2)), q[:, 2]])


def hovering(shape: Facets, attitude: np.ndarray, centre: np.ndarray) -> Poses:
    """The poses of a faceted body with given attitudes and places of its origin, for pictures without a track; its lowest corner counts as contact."""
    corners = np.vstack(shape.faces)
    placed = np.einsum("tij,kj->tki", matrices(attitude), corners) + centre[:, None]
    lowest = placed[:, :, 2].argmin(axis=1)
    contact = placed[np.arange(len(attitude)), lowest]
    body = Body(1.0, EYE, (0.0, 0.0, 0.0), shape)
    return Poses(body, shape, attitude, centre, contact, corners[lowest], (0.0, 0.0, 1.0), np.zeros(len(attitude), int))
