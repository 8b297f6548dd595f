"""Closed triangle meshes (STL, OBJ, glTF): volume, mass centre and inertia by the divergence theorem.

Each triangle spans a signed tetrahedron with the origin; for vertices a, b, c of determinant d = a . (b x c),

    volume d/6,    integral of x dV = d/24 (a + b + c),    integral of x x^T dV = d/120 (a a^T + b b^T + c c^T + s s^T),  s = a + b + c.
"""

from __future__ import annotations

import struct
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from ...kernel.names import InputError, file_of, number
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
    inertia[np.abs(inertia) < 1e-16 * np.trace(inertia)] = 0.0  # what rounding leaves of products that vanish
    return MassProperties(float(rho * volume), centre + origin, inertia)


def open_edges(triangles: np.ndarray) -> int:
    """How many edges are not shared by exactly two triangles that run along them in opposite directions."""
    points = triangles.reshape(-1, 3)
    size = np.ptp(points, axis=0).max()
    keys = np.round((points - points.min(axis=0)) / (size * 1e-9 if size > 0 else 1.0)).astype(np.int64)
    names = np.zeros(len(keys), np.int64)
    for (
        column
    ) in keys.T:  # points in the same cell get the same number: one coordinate after the other, each a sort of whole numbers
        _, rank = np.unique(column, return_inverse=True)
        _, names = np.unique(names * (rank.max(initial=0) + 1) + rank, return_inverse=True)
    faces = names.reshape(-1, 3)
    faces = faces[(faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])]
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    count = names.max(initial=0) + 1
    forward, counts = np.unique(edges[:, 0] * count + edges[:, 1], return_counts=True)
    backward = forward % count * count + forward // count
    return int(np.isin(forward, backward, invert=True).sum() + (counts > 1).sum())


OWN, OTHERS = (".stl", ".obj"), (".glb", ".gltf", ".ply", ".off")  # read here, and by trimesh
UNITS = {"m": 1.0, "dm": 0.1, "cm": 0.01, "mm": 1e-3, "um": 1e-6, "in": 0.0254, "inch": 0.0254, "ft": 0.3048}
LARGEST_FILE = 128 * 2**20  # bytes
MOST_TRIANGLES = 1_000_000


def unit_of(given: Any) -> float:
    """What the numbers of a mesh file are multiplied by to be metres: a unit such as "mm", a length such as "1mm", or a number."""
    if isinstance(given, str) and given.strip() in UNITS:
        return UNITS[given.strip()]
    if isinstance(given, str) and not any(c.isdigit() for c in given):
        raise InputError(f"unit = {given!r} is no unit of a mesh; take one of {', '.join(UNITS)}, or a length such as '2.5mm'.")
    scale = number(given, "unit", "m")
    if not 0.0 < scale < 1e9:
        raise InputError(f"unit = {given!r} must be above zero: so many metres is one in the file.")
    return scale


def read_mesh(path: Any, unit: Any = 1.0) -> np.ndarray:
    """The triangles (n, 3, 3) of a mesh file, in metres; unit: that of the file's numbers ("mm", or 1e-3).

    STL (text or binary) and OBJ are read here; self-contained glTF (.glb, or .gltf with its buffers inside), PLY and OFF by trimesh.
    """
    file = file_of(path)
    if not file.is_file():
        raise InputError(f"there is no file {file}.")
    kind = file.suffix.lower()
    if kind not in (*OWN, *OTHERS):
        raise InputError(f"{file}: meshes are read from {', '.join((*OWN, *OTHERS))} files.")
    if (bytes_ := file.stat().st_size) > LARGEST_FILE:
        raise InputError(f"{file} has {bytes_ / 2**20:.0f} MB, more than {LARGEST_FILE // 2**20} MB; make the mesh coarser.")
    factor = unit_of(unit)
    try:
        triangles = _read_obj(file) if kind == ".obj" else _read_stl(file) if kind == ".stl" else _read_other(file)
    except InputError:
        raise
    except Exception as error:  # whatever a reader makes of a damaged file
        told = str(error).strip().splitlines()[0][:200] if str(error).strip() else type(error).__name__
        raise InputError(f"{file} is not a valid {kind[1:].upper()} file ({told}).") from None
    if not len(triangles):
        raise InputError(f"{file} holds no triangles.")
    if len(triangles) > MOST_TRIANGLES:
        raise InputError(f"{file} has {len(triangles)} triangles, more than {MOST_TRIANGLES}; make the mesh coarser.")
    if not np.all(np.isfinite(triangles)):
        raise InputError(f"{file} holds numbers that are not finite.")
    if not np.ptp(triangles.reshape(-1, 3), axis=0).max() > 0.0:
        raise InputError(f"all points of the mesh {file} are the same.")
    return factor * triangles


def _read_other(file: Path) -> np.ndarray:
    """By trimesh, from the bytes alone: what a file refers to outside of itself is not opened."""
    import io

    try:
        import trimesh
    except ImportError:
        raise InputError(
            f"{file}: {file.suffix} files are read by trimesh: pip install 'rollick[meshes]', or save the mesh as .stl or .obj."
        ) from None
    loaded = trimesh.load_scene(io.BytesIO(file.read_bytes()), file_type=file.suffix[1:].lower())
    parts = [part for part in loaded.dump() if isinstance(part, trimesh.Trimesh)]
    return np.concatenate([part.vertices[part.faces] for part in parts]).astype(float) if parts else np.empty((0, 3, 3))


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
    triangles: list[tuple[int, int, int]] = []  # the numbers of their vertices
    for line in file.read_text(errors="replace").splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            vertices.append([float(x) for x in words[1:4]])
        elif words[:1] == ["f"]:
            given = [int(word.partition("/")[0]) for word in words[1:]]
            face = [i - 1 if i > 0 else len(vertices) + i for i in given]  # negative: counted from the last vertex so far
            triangles += [(face[0], i, j) for i, j in pairwise(face[1:])]  # polygons as fans
            if len(triangles) > MOST_TRIANGLES:
                raise InputError(f"{file} has more than {MOST_TRIANGLES} triangles; make the mesh coarser.")
    corners = np.array(triangles, np.int64).reshape(-1, 3)
    if corners.size and not 0 <= corners.min() <= corners.max() < len(vertices):
        raise IndexError(f"a face names a vertex that is not there: there are {len(vertices)}")
    return np.array(vertices, float).reshape(-1, 3)[corners]
