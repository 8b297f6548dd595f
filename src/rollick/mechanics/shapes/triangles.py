"""The visible surface of a shape as triangles: to draw it, or to weigh it (`rollick.mechanics.mass.mesh.mesh_mass`).

    surface(shape)            vertices (n, 3), triangles (m, 3) counter-clockwise seen from outside, and the normals at the vertices (n, 3)

A convex shape is sampled with its support map over a sphere of normals, so that a shape of one's own needs nothing more. The normals are
spread so that neither long facets nor sharp bends are left: half by length along the surface, half by the turn of the normal. Where the
support map does not tell the visible body, `triangulated` has a version of its own: the hole of a torus, a thin disk. `Half` and `Ring` are
there to be drawn only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...kernel.dispatch import generic
from ...kernel.names import InputError
from .convex import Cylinder, Rim, Torus, Turned, support

AXIS = 1e-6  # rad, how near the normals come to e3, where the support map of an edge is not defined
FLATNESS = 0.004  # half the thickness of a disk over its radius
HOLE = 0.9  # the inner radius of a ring over its outer one


class Surface(NamedTuple):
    """A closed mesh in the axes of the shape. Vertices on an edge may be there twice, once with the normal of either side."""

    vertices: np.ndarray
    triangles: np.ndarray
    normals: np.ndarray


class Half(NamedTuple):
    """The half of a shape on the side of +e3, under a flat lid: to draw a stone. The shape must be symmetric about the plane e3 = 0."""

    shape: Any


class Ring(NamedTuple):
    """A flat ring with its edge at the radius R about e3: to draw a hoop."""

    R: float


def surface(shape: Any, fineness: int = 96) -> Surface:
    """The surface of a shape, with `fineness` vertices around it."""
    if isinstance(fineness, bool) or not isinstance(fineness, (int, np.integer)) or not 8 <= fineness <= 2000:
        raise InputError(f"fineness = {fineness!r} must be a whole number from 8 to 2000: how many vertices go around the body.")
    return triangulated(shape, int(fineness))


@generic
def triangulated(shape, fineness):
    """The `Surface` of a shape with so many vertices around it. Runs in Python."""


@triangulated.otherwise
def _(shape, fineness):
    if not support.knows(type(shape)):
        raise InputError(support.complaint(type(shape)))
    normals = normal_grid(shape, fineness)
    points = support_points(shape, normals.reshape(-1, 3)).reshape(normals.shape)
    top, bottom = cap(points[0], (0.0, 0.0, 1.0)), cap(points[-1], (0.0, 0.0, -1.0))
    return joined(top, lattice(points, normals), bottom)


@triangulated.register(Half)
def _(half, fineness):
    normals = normal_grid(half.shape, fineness)
    normals = normals[: len(normals) // 2 + 1]
    points = support_points(half.shape, normals.reshape(-1, 3)).reshape(normals.shape)
    return joined(cap(points[0], (0.0, 0.0, 1.0)), lattice(points, normals), cap(points[-1], (0.0, 0.0, -1.0)))


@triangulated.register(Turned)
def _(shape, fineness):
    inner = triangulated(shape.shape, fineness)
    r = np.array(shape.rotation)
    return Surface(inner.vertices @ r.T + np.array(shape.shift), inner.triangles, inner.normals @ r.T)


@triangulated.register(Torus)
def _(shape, fineness):
    around = circle(fineness)
    rows = fineness // 2
    v = (
        2.0 * np.pi * (np.arange(rows + 1) % rows) / rows - np.pi
    )  # around the tube: from the hole over the top and back to the hole
    out, up = np.cos(v)[:, None, None], np.sin(v)[:, None]
    normals = np.concatenate([out * around[None, :, :2], -np.broadcast_to(up[..., None], (rows + 1, fineness, 1))], axis=2)
    return lattice(shape.R * around[None] + shape.r * normals, normals)


@triangulated.register(Rim)
def _(shape, fineness):
    # Two cones base to base, so flat that they pass for a disk, and with the edge where the support map says it is.
    edge = shape.R * circle(fineness)
    height = FLATNESS * shape.R
    return joined(cap(edge, (0.0, 0.0, 1.0), height), cap(edge, (0.0, 0.0, -1.0), height))


@triangulated.register(Cylinder)
def _(shape, fineness):
    around = circle(fineness)
    top, bottom = (shape.R * around + (0.0, 0.0, z) for z in (0.5 * shape.h, -0.5 * shape.h))
    side = lattice(np.stack([bottom, top]), np.stack([around, around]))
    return joined(side, cap(top, (0.0, 0.0, 1.0), 0.0), cap(bottom, (0.0, 0.0, -1.0), 0.0))


@triangulated.register(Ring)
def _(shape, fineness):
    # A wedge: the edge outside, a narrow cylinder inside.
    edge, height = shape.R * circle(fineness), FLATNESS * shape.R
    upper, lower = HOLE * edge + (0.0, 0.0, height), HOLE * edge - (0.0, 0.0, height)
    up = np.broadcast_to((0.0, 0.0, 1.0), edge.shape)
    faces = ((upper, edge, up), (edge, lower, -up), (lower, upper, -circle(fineness)))
    return joined(*(lattice(np.stack([first, second]), np.stack([normal, normal])) for first, second, normal in faces))


def support_points(shape: Any, normals: np.ndarray) -> np.ndarray:
    """The points of a shape with given outward normals, one row each."""
    return np.array([support(shape, (x, y, z)) for x, y, z in np.asarray(normals, float).tolist()], float).reshape(-1, 3)


def circle(count: int) -> np.ndarray:
    """Points evenly spread over the unit circle about e3."""
    turn = 2.0 * np.pi * np.arange(count) / count
    return np.stack([np.cos(turn), np.sin(turn), np.zeros(count)], axis=1)


def normals_at(polar: Any, azimuth: Any) -> np.ndarray:
    """Unit vectors from their angle against e3 and their azimuth."""
    polar, azimuth = np.broadcast_arrays(polar, azimuth)
    s = np.sin(polar)
    return np.stack([s * np.cos(azimuth), s * np.sin(azimuth), np.cos(polar)], axis=-1)


def normal_grid(shape: Any, fineness: int) -> np.ndarray:
    """Normals in rows from +e3 over the horizon (the middle row) to -e3, and in columns around e3."""
    rows = max(4, fineness // 4)
    horizon = 0.5 * np.pi
    azimuths = spread(lambda v: support_points(shape, normals_at(horizon, v)), 0.0, 2.0 * np.pi, fineness)[:-1]
    columns = []
    for azimuth in azimuths:
        along = lambda polar, azimuth=azimuth: support_points(shape, normals_at(polar, azimuth))
        upper, lower = spread(along, AXIS, horizon, rows), spread(along, horizon, np.pi - AXIS, rows)
        columns.append(normals_at(np.concatenate([upper, lower[1:]]), azimuth))
    return np.stack(columns, axis=1)


def spread(along: Callable[[np.ndarray], np.ndarray], low: float, high: float, count: int) -> np.ndarray:
    """count + 1 angles from low to high between which a curve has equal shares of length and of turn."""
    angles = np.linspace(low, high, 2 * count + 1)
    for intervals in (2 * count, count):
        lengths = np.linalg.norm(np.diff(along(angles), axis=0), axis=1)
        shares = np.diff(angles) / (high - low) + lengths / max(float(lengths.sum()), 1e-300)
        measure = np.concatenate([[0.0], np.cumsum(shares)])
        angles = np.interp(np.linspace(0.0, measure[-1], intervals + 1), measure, angles)
    return angles


def lattice(points: np.ndarray, normals: np.ndarray) -> Surface:
    """The band of triangles over a grid of points: rows from +e3 to -e3 on the outside, columns counter-clockwise, closed around e3."""
    rows, columns = points.shape[:2]
    i, j = np.meshgrid(np.arange(rows - 1), np.arange(columns), indexing="ij")
    here, beside = i * columns + j, i * columns + (j + 1) % columns
    quads = np.stack([here, here + columns, beside + columns, here, beside + columns, beside], axis=-1)
    return Surface(points.reshape(-1, 3), quads.reshape(-1, 3), normals.reshape(-1, 3))


def cap(ring: np.ndarray, normal: tuple[float, float, float], height: float = 0.0) -> Surface:
    """A fan that closes a ring, from a point above (along the normal) its middle; its normals are those of a plane."""
    n = np.array(normal)
    count = len(ring)
    j = np.arange(count)
    k = (j + 1) % count
    fan = np.stack([j, k, np.full(count, count)] if normal[2] > 0.0 else [k, j, np.full(count, count)], axis=1)
    return Surface(np.vstack([ring, ring.mean(axis=0) + height * n]), fan, np.tile(n, (count + 1, 1)))


def joined(*parts: Surface) -> Surface:
    """Several pieces as one."""
    first = np.cumsum([0, *(len(p.vertices) for p in parts)])
    triangles = [p.triangles + start for p, start in zip(parts, first)]
    return Surface(np.vstack([p.vertices for p in parts]), np.vstack(triangles), np.vstack([p.normals for p in parts]))
