"""The shape of a body file: `[shape]` with its kind, and whatever the kind needs; any of them rounded, turned, moved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...kernel.names import InputError
from ..mass.mesh import UNITS, read_mesh
from ..shapes.convex import Cylinder, Ellipsoid, Rim, Sphere, Sum, Superellipsoid, Torus, impossible_shape, turned
from ..shapes.hull import box_corners, convex_hull
from ..shapes.revolution import from_points
from ..shapes.skin import from_triangles
from .fields import Fields


def _lengths(make: Callable[..., Any]) -> Callable[[Fields], Any]:
    """A shape whose fields are lengths."""
    return lambda f: make(*(f.number(name, "m", above=0.0) for name in make._fields))  # type: ignore[attr-defined]


def _superellipsoid(f: Fields) -> Superellipsoid:
    a, b, c = (f.number(n, "m", above=0.0) for n in "abc")
    return Superellipsoid(a, b, c, f.number("p", "", above=1.0, most=2.0))


def _revolution(f: Fields) -> Any:
    points = f.array("points", ((None, 2),), "m")
    return f.said(lambda: from_points(points[:, 0], points[:, 1]))


def _box(f: Fields) -> Any:
    return convex_hull(box_corners(*(f.number(n, "m", above=0.0) for n in "xyz")))


def _hull(f: Fields) -> Any:
    points = f.array("points", ((None, 3),), "m")
    return f.said(lambda: convex_hull(points))


def mesh_triangles(f: Fields) -> np.ndarray:
    """The triangles of the mesh file that a table names, in metres."""
    named = f.given("unit", None)
    unit: Any = named if isinstance(named, str) and named in UNITS else f.number("unit", "m", 1.0, above=0.0)
    path = f.file("file")
    return f.said(lambda: read_mesh(path, unit))


def _mesh(f: Fields) -> Any:
    triangles, wanted = mesh_triangles(f), f.given("smooth", False)
    smooth = wanted if isinstance(wanted, bool) else f.number("smooth", "m", above=0.0)
    return f.said(lambda: from_triangles(triangles, smooth))


def _sum(f: Fields) -> Any:
    terms = [read_shape(term) for term in f.tables("of")]
    if len(terms) < 2:
        raise InputError(f"{f.at('of')} must list two or more shapes, [[{f.at('of')}]] for each.")
    total = terms[0]
    for term in terms[1:]:
        total = Sum(total, term)
    return total


KINDS: dict[str, Callable[[Fields], Any]] = {
    "sphere": _lengths(Sphere),
    "ellipsoid": _lengths(Ellipsoid),
    "torus": _lengths(Torus),
    "rim": _lengths(Rim),
    "cylinder": _lengths(Cylinder),
    "superellipsoid": _superellipsoid,
    "revolution": _revolution,
    "box": _box,
    "hull": _hull,
    "mesh": _mesh,
    "sum": _sum,
}


def rotation(f: Fields, name: str = "turn") -> tuple[tuple[float, ...], float] | None:
    """(axis, angle) of a field such as turn = {axis = [0, 0, 1], angle = "5deg"}; None if there is none."""
    if name not in f:
        f.given(name, None)
        return None
    table = f.table(name)
    axis, angle = table.vector("axis", ""), table.number("angle", "rad")
    table.done()
    if not any(axis):
        raise InputError(f"{table.at('axis')} = {table.values['axis']!r} must not be zero; give e.g. [0, 0, 1].")
    return axis, angle


def read_shape(f: Fields) -> Any:
    """The shape of a table."""
    shape = KINDS[f.word("kind", KINDS)](f)
    radius = f.number("rounding", "m", 0.0, least=0.0)
    if radius > 0.0:
        shape = Sum(shape, Sphere(radius))
    turn, shift = rotation(f), f.vector("shift", "m", (0.0, 0.0, 0.0))
    if turn is not None or any(shift):
        shape = turned(shape, turn, shift) if turn is not None else turned(shape, shift=shift)
    f.done()
    problem = impossible_shape(shape)
    if problem:
        raise InputError(f"{f.path}: this shape cannot exist: {problem}")
    return shape
