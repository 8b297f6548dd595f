"""Surfaces that are known by their distance only, as something to look at: a patch around where a body moves.

A grid on the tangent plane is brought onto the surface along its normals, p <- p - d(p) n(p), a few times; what does not arrive, or turns its
back, is left out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..mechanics.shapes.triangles import Surface
from ..mechanics.surfaces.distance import distance, normal

LINES = 41  # of the grid, each way
ROUNDS = 8
SAMPLES = 60  # places of the body that are looked at
MOST = 12.0  # of the body's size, how far a patch reaches beyond its first place


def each_surface(on: Any) -> list[Any]:
    """The surfaces of a system, one by one."""
    found = []
    while hasattr(on, "first") and hasattr(on, "rest"):
        found.append(on.first)
        on = on.rest
    return [*found, on]


def level(surface: Any, t: float) -> float | None:
    """The height of a level plane; None for other surfaces."""
    heights = []
    for p in ((0.0, 0.0, 1.0), (0.3, -0.2, 2.0), (-1.0, 0.7, 0.5)):
        if np.abs(np.subtract(normal(surface, t, p), (0.0, 0.0, 1.0))).max() > 1e-9:
            return None
        heights.append(p[2] - float(distance(surface, t, p)))
    return heights[0] if np.ptp(heights) < 1e-9 else None


def patch(surface: Any, t: float, places: np.ndarray, size: float) -> Surface | None:
    """The part of a surface around the places (n, 3) of a body; None if none is found."""
    some = places[np.unique(np.linspace(0, len(places) - 1, SAMPLES).astype(int))]
    gaps = [float(distance(surface, t, tuple(map(float, p)))) for p in some]
    middle = onto(surface, t, some[int(np.argmin(np.abs(gaps)))])
    if middle is None:
        return None
    n0 = np.array(normal(surface, t, tuple(map(float, middle + 1e-6 * size))), float)
    u = np.cross(n0, (0.0, 0.0, 1.0) if abs(n0[2]) < 0.9 else (1.0, 0.0, 0.0))
    u /= np.linalg.norm(u)
    v = np.cross(n0, u)
    reach = min(float(np.abs((some - middle) @ np.stack([u, v], axis=1)).max()) + 2.5 * size, MOST * size)
    steps = np.linspace(-reach, reach, LINES)
    points, normals, good = np.zeros((LINES, LINES, 3)), np.zeros((LINES, LINES, 3)), np.zeros((LINES, LINES), bool)
    for i, a in enumerate(steps):
        for j, b in enumerate(steps):
            found = onto(surface, t, middle + a * u + b * v)
            if found is not None:
                n = np.array(normal(surface, t, tuple(map(float, found))), float)
                points[i, j], normals[i, j], good[i, j] = found, n, bool(np.all(np.isfinite(n)) and n @ n0 > -0.2)
    wide = 4.0 * (steps[1] - steps[0])
    triangles = []
    for i in range(LINES - 1):
        for j in range(LINES - 1):
            for three in (((i, j), (i + 1, j), (i + 1, j + 1)), ((i, j), (i + 1, j + 1), (i, j + 1))):
                corners = np.array([points[k] for k in three])
                if all(good[k] for k in three) and np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).max() < wide:
                    triangles.append([k[0] * LINES + k[1] for k in three])
    return Surface(points.reshape(-1, 3), np.array(triangles), normals.reshape(-1, 3)) if triangles else None


def onto(surface: Any, t: float, p: Any) -> np.ndarray | None:
    """The point of a surface that a point comes to along the normals; None if it does not arrive."""
    at = np.array(p, float)
    for _ in range(ROUNDS):
        d = float(distance(surface, t, tuple(at.tolist())))
        n = np.array(normal(surface, t, tuple(at.tolist())), float)
        if not (np.isfinite(d) and np.all(np.isfinite(n))):
            return None
        at = at - d * n
        if abs(d) < 1e-9:
            return at
    return at if abs(d) < 1e-4 else None
