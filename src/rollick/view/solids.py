"""Surfaces that are there to be looked at: a box with round edges, a top with its stem, the wall of a vessel, flat plates."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..mechanics.shapes.triangles import Surface, cap, circle, joined, lattice


def rounded_box(x: float, y: float, z: float, radius: float, fineness: int = 8) -> Surface:
    """A box with the half-edges x, y, z, all of it thickened by a ball of this radius: flat faces, round edges."""
    quarter = np.linspace(0.0, 0.5 * np.pi, fineness)
    azimuth = np.concatenate([quarter + 0.5 * np.pi * k for k in range(4)])
    corner = np.repeat([(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)], fineness, axis=0) * (x, y)
    polar = np.concatenate([quarter, quarter + 0.5 * np.pi])
    height = np.repeat([z, -z], fineness)
    s = np.sin(polar)[:, None]
    normals = np.stack([s * np.cos(azimuth), s * np.sin(azimuth), np.cos(polar)[:, None] + 0.0 * s * azimuth], axis=2)
    inner = np.empty_like(normals)
    inner[:, :, :2], inner[:, :, 2] = corner, height[:, None]
    points = inner + radius * normals
    return joined(cap(points[0], (0.0, 0.0, 1.0)), lattice(points, normals), cap(points[-1], (0.0, 0.0, -1.0)))


def top_with_stem(radius: float, tip: float, at: float, fineness: int) -> Surface:
    """A ball of this radius, and on its axis e3 a stem that ends in a smaller ball (radius `tip`) at the height `at`."""
    width = 0.72 * tip
    meets, joins = (
        math.asin(min(1.0, width / radius)),
        math.pi - math.asin(width / tip),
    )  # where the stem leaves the ball, and meets the smaller one
    shaft = [(width, at + tip * math.cos(joins), 1.0, 0.0), (width, radius * math.cos(meets), 1.0, 0.0)]
    if shaft[0][1] <= shaft[1][1]:  # so short that the balls cut one another: there is no shaft
        height = (at * at + radius * radius - tip * tip) / (2.0 * at)
        meets, joins, shaft = math.acos(height / radius), math.acos((height - at) / tip), []
    small, large = np.linspace(1e-6, joins, fineness // 4), np.linspace(meets, np.pi - 1e-6, fineness // 2)
    rows = [(tip * np.sin(a), at + tip * np.cos(a), np.sin(a), np.cos(a)) for a in small] + shaft
    rows += [(radius * np.sin(a), radius * np.cos(a), np.sin(a), np.cos(a)) for a in large]
    around = circle(fineness)
    up = np.array([0.0, 0.0, 1.0])
    points = np.stack([out * around + z * up for out, z, _, _ in rows])
    normals = np.stack([n * around + u * up for _, _, n, u in rows])
    return joined(cap(points[0], (0.0, 0.0, 1.0)), lattice(points, normals), cap(points[-1], (0.0, 0.0, -1.0)))


def wall(radius: float, low: float, high: float, fineness: int = 72) -> Surface:
    """A cylinder about z, open at both ends."""
    around, up = circle(fineness), np.array([0.0, 0.0, 1.0])
    return lattice(np.stack([radius * around + high * up, radius * around + low * up]), np.stack([around, around]))


def ball(radius: float, at: Any, fineness: int = 16) -> Surface:
    """A ball."""
    polar = np.linspace(1e-6, np.pi - 1e-6, fineness // 2 + 1)[:, None, None]
    normals = np.sin(polar) * circle(fineness) + np.cos(polar) * np.array([0.0, 0.0, 1.0])
    return lattice(np.asarray(at, float) + radius * normals, normals)


def plate(corners: Any) -> Surface:
    """A flat face, its corners in order."""
    points = np.asarray(corners, float)
    normal = np.cross(points[1] - points[0], points[2] - points[1])
    fan = np.array([[0, i, i + 1] for i in range(1, len(points) - 1)])
    return Surface(points, fan, np.tile(normal / np.linalg.norm(normal), (len(points), 1)))


def along(axis: Any, surface: Surface, at: Any) -> Surface:
    """A surface made about e3, turned so that e3 points along an axis, and moved to a place."""
    n = np.asarray(axis, float) / np.linalg.norm(axis)
    u = np.cross(n, (1.0, 0.0, 0.0) if abs(n[0]) < 0.9 else (0.0, 1.0, 0.0))
    u /= np.linalg.norm(u)
    r = np.stack([u, np.cross(n, u), n], axis=1)
    return Surface(surface.vertices @ r.T + np.asarray(at, float), surface.triangles, surface.normals @ r.T)
