"""Closed triangle meshes (STL, OBJ): volume, mass centre and inertia by the divergence theorem.

Each triangle spans a signed tetrahedron with the origin; for vertices a, b, c of determinant d = a . (b x c),

    volume d/6,    integral of x dV = d/24 (a + b + c),    integral of x x^T dV = d/120 (a a^T + b b^T + c c^T + s s^T),  s = a + b + c.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np

from ...kernel.names import InputError, number
from .properties import MassProperties


def mesh_mass(triangles: Any, mass: float | None = None, density: float | None = None) -> MassProperties:
    """Mass properties of the solid inside a closed mesh: triangles of shape (n, 3, 3), outward by the right-hand rule.

    Give the total mass or the density. Open or inside-out meshes are refused.
    """
    t = np.asarray(triangles, float)
    if t.ndim != 3 or t.shape[1:] != (3, 3):
        raise InputError(f"triangles must have the shape (n, 3, 3), not {t.shape}.")
    if (mass is None) == (density is None):
        raise InputError("give either the mass or the density of the solid.")
    gap = open_edges(t)
    if gap:
        raise InputError(
            f"the mesh is not closed: {gap} edges belong to one triangle only, or are run through twice the same way; repair it first."
        )
    origin = t.reshape(-1, 3).mean(axis=0)  # a nearby origin loses the fewest digits
    a, b, c = (t[:, i] - origin for i in range(3))
    d = np.einsum("ij,ij->i", a, np.cross(b, c))
    volume = d.sum() / 6.0
    if volume <= 0.0:
        raise InputError(
            "the mesh is inside out: its triangles must be ordered counter-clockwise seen from outside; reverse them."
        )
    s = a + b + c
    first = (d[:, None] * s).sum(axis=0) / 24.0
    second = np.zeros((3, 3))
    for v in (a, b, c, s):
        second += np.einsum("i,ij,ik->jk", d, v, v) / 120.0
    rho = number(mass, "mass", "kg") / volume if mass is not None else number(density, "density", "kg/m^3")
    centre = first / volume
    spread = second - volume * np.outer(centre, centre)
    inertia = rho * (np.trace(spread) * np.eye(3) - spread)
    return MassProperties(float(rho * volume), centre + origin, inertia)


def open_edges(triangles: np.ndarray) -> int:
    """How many edges are not shared by exactly two triangles that run along them in opposite directions."""
    points = triangles.reshape(-1, 3)
    size = np.ptp(points, axis=0).max()
    keys = np.round((points - points.min(axis=0)) / (size * 1e-9 if size > 0 else 1.0)).astype(np.int64)
    _, names = np.unique(keys, axis=0, return_inverse=True)
    faces = names.reshape(-1, 3)
    faces = faces[(faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])]
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    forward, counts = np.unique(edges, axis=0, return_counts=True)
    there = set(map(tuple, forward.tolist()))
    return int(sum((j, i) not in there for i, j in there) + (counts > 1).sum())


def read_mesh(path: Any, scale: float = 1.0) -> np.ndarray:
    """The triangles of an STL (text or binary) or OBJ file, times a scale (1e-3 for millimetres)."""
    file = Path(path)
    if not file.is_file():
        raise InputError(f"there is no file {file}.")
    kind = file.suffix.lower()
    if kind not in (".stl", ".obj"):
        raise InputError(f"{file}: meshes are read from .stl or .obj files.")
    try:
        triangles = _read_obj(file) if kind == ".obj" else _read_stl(file)
    except (ValueError, IndexError, struct.error) as error:
        raise InputError(f"{file} is not a valid {kind[1:].upper()} file ({error}).") from None
    if not len(triangles):
        raise InputError(f"{file} holds no triangles.")
    return scale * triangles


def _read_stl(file: Path) -> np.ndarray:
    raw = file.read_bytes()
    if len(raw) >= 84:
        (count,) = struct.unpack("<I", raw[80:84])
        if len(raw) == 84 + 50 * count:  # binary: a count that fits the size, whatever the header says
            kind = np.dtype([("normal", "<f4", 3), ("vertices", "<f4", (3, 3)), ("attribute", "<u2")])
            return np.frombuffer(raw, kind, count, 84)["vertices"].astype(float)
    vertices = [
        [float(x) for x in line.split()[1:4]]
        for line in raw.decode("ascii", "replace").splitlines()
        if line.split()[:1] == ["vertex"]
    ]
    return np.array(vertices, float).reshape(-1, 3, 3)


def _read_obj(file: Path) -> np.ndarray:
    vertices: list[list[float]] = []
    triangles = []
    for line in file.read_text(errors="replace").splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            vertices.append([float(x) for x in words[1:4]])
        elif words[:1] == ["f"]:
            found = []
            for word in words[1:]:
                index = int(word.partition("/")[0])
                found.append(vertices[index - 1 if index > 0 else index])
            triangles += [[found[0], found[i], found[i + 1]] for i in range(1, len(found) - 1)]  # polygons as fans
    return np.array(triangles, float).reshape(-1, 3, 3)
