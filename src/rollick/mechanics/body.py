"""A rigid body: mass, inertia about its mass centre, the mass centre in the axes of the shape, and the shape it touches with."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from ..kernel.names import InputError, number, numbers
from ..kernel.sizes import out_of_range
from ..kernel.vector import dot
from .mass.properties import MassProperties, impossible_inertia
from .shapes.convex import impossible_shape, support, types_in
from .shapes.curvature import directions, not_convex


class Body(NamedTuple):
    """A rigid body of convex shape; all vectors and the inertia matrix in the axes of the shape."""

    mass: float
    inertia: tuple[tuple[float, ...], ...]
    centre: tuple[float, float, float]
    shape: Any

    @classmethod
    def from_inertia(cls, mass: float | str, inertia: Any, shape: Any, centre: Any = (0.0, 0.0, 0.0)) -> Body:
        """From the inertia about the mass centre (a 3x3 matrix, or three principal moments); what cannot exist is refused.

        Numbers may be texts with a unit: "250g", "2e-4 kg m^2", "3cm".
        """
        mass, shape = number(mass, "mass", "kg"), with_lengths(shape)
        matrix = numbers(inertia, "inertia", "kg m^2")
        matrix = np.diag(matrix) if matrix.shape == (3,) else matrix
        problem = impossible_inertia(mass, matrix) or too_large(mass, matrix)
        if problem:
            raise InputError(f"this body cannot exist: {problem}")
        c = tuple(numbers(centre, "centre", "m").ravel().tolist())
        if len(c) != 3:
            raise InputError(f"centre = {centre!r} must be three finite numbers, the mass centre in the axes of the shape.")
        problem = impossible_shape(shape) or not_convex(shape)
        if problem:
            raise InputError(f"this shape cannot exist: {problem}")
        made = cls(mass, tuple(tuple(float(x) for x in row) for row in matrix), c, shape)
        check_centre(made)
        return made

    @classmethod
    def from_parts(cls, parts: MassProperties, shape: Any) -> Body:
        """From mass properties (see `rollick.mechanics.mass.primitives`), in the axes of the shape."""
        if not isinstance(parts, MassProperties):
            raise InputError(
                f"parts = {parts!r} are no mass properties; make them with rollick.mechanics.mass.primitives, e.g. solid_sphere(1.0, 0.1), or take "
                "Body.from_inertia(mass, inertia, shape)."
            )
        return cls.from_inertia(parts.mass, parts.inertia, shape, parts.centre)

    @classmethod
    def from_mesh(cls, path: Any, *, mass: Any = None, density: Any = None, unit: Any = "m", smooth: Any = False) -> Body:
        """From a closed mesh (.stl, .obj, .glb): a uniform solid of this mass or density, which touches with its convex hull and is drawn as the mesh.

        unit: that of the file's numbers, such as "mm". The axes are the file's own.
        smooth: True, or the greatest distance allowed, such as "0.2mm": it touches with a smooth convex shape fitted to the hull (`smooth_fit`), so that it
        rolls. Mass, mass centre and inertia remain those of the mesh.
        """
        from .mass.mesh import mesh_mass, read_mesh
        from .shapes.skin import from_triangles

        triangles = read_mesh(path, unit)
        return cls.from_parts(mesh_mass(triangles, mass=mass, density=density), from_triangles(triangles, smooth))

    @classmethod
    def from_file(cls, path: Any) -> Body:
        """From the shape and mass of a body file (TOML); `rollick.mechanics.bodyfile.read_body` also reads its contact, surfaces, start and options."""
        from .bodyfile.matter import leave_the_rest, naming, read_matter, read_values

        file, values = read_values(path)
        with naming(file):
            top, parts, shape = read_matter(values, file.parent)
            leave_the_rest(top)
            return cls.from_parts(parts, shape)


def with_lengths(shape: Any) -> Any:
    """A shape whose sizes may be texts with a unit, Sphere("3cm"), with all of them in metres; the exponent p is a plain number."""
    if isinstance(shape, tuple) and hasattr(shape, "_fields"):
        return type(shape)(*(_length(name, value) for name, value in zip(shape._fields, shape)))
    return shape


def _length(name: str, value: Any) -> Any:
    return number(value, name, "" if name == "p" else "m") if isinstance(value, str) else with_lengths(value)


def too_large(mass: float, inertia: np.ndarray) -> str:
    """Why a mass or an inertia is too large or too small to compute with; "" if it is not."""
    return out_of_range(mass, "mass") or next((text for x in inertia.ravel() if (text := out_of_range(float(x), "inertia"))), "")


def impossible_body(body: Body) -> str:
    """Why a body cannot exist, or cannot be computed with, as a sentence; "" if it can. Remembered, so quick enough for every simulation."""
    try:
        return _impossible_body(body, types_in(body))
    except TypeError:  # a body with arrays cannot be remembered
        return _impossible_body.__wrapped__(body, None)


@functools.lru_cache(maxsize=256)
def _impossible_body(body: Body, types: Any) -> str:
    inertia = np.asarray(body.inertia, float)
    if not np.all(np.isfinite(np.asarray(body.centre, float))):
        return f"its mass centre {body.centre!r} is not finite."
    return (
        impossible_inertia(body.mass, inertia)
        or too_large(body.mass, inertia)
        or impossible_shape(body.shape)
        or not_convex(body.shape)
    )


def check_body(body: Body) -> None:
    """Refuse a body that cannot exist, however it was made."""
    problem = impossible_body(body)
    if problem:
        raise InputError(f"this body cannot exist: {problem}")


def distance_outside(body: Body, steps: int = 400) -> float:
    """How far the mass centre is from the shape, 0 inside: the nearest point of the convex shape, by Gilbert's algorithm.

    From a point x of the shape towards the support point p in the direction of the mass centre c: x + t (p - x) nearest to c, and again.
    """
    c = np.array(body.centre, float)
    x = np.array(support(body.shape, tuple(map(float, directions(1)[0]))), float)
    for _ in range(steps):
        away = c - x
        gap = float(np.linalg.norm(away))
        if gap == 0.0:
            return 0.0
        try:
            p = np.array(support(body.shape, tuple((away / gap).tolist())), float)
        except ZeroDivisionError:  # right on the axis of a disk or torus: a little beside it
            p = np.array(support(body.shape, tuple((away / gap + 1e-9).tolist())), float)
        step = p - x
        if not np.all(np.isfinite(step)) or float(step @ away) <= 1e-12 * gap * gap:
            return gap
        x = x + min(1.0, float(step @ away) / float(step @ step)) * step
    return float(np.linalg.norm(c - x))


def check_centre(body: Body) -> None:
    """Refuse a mass centre outside the shape: it must be below the support plane in every direction."""
    for n in directions():
        normal = tuple(float(x) for x in n)
        clearance = float(dot(support(body.shape, normal), normal) - dot(body.centre, normal))
        if clearance < 0.0:
            outside = max(distance_outside(body), -clearance)
            raise InputError(
                f"the mass centre {tuple(round(c, 9) for c in body.centre)} lies outside the shape, {outside:.3g} m from it; "
                f"a body rolls only with its mass centre inside."
            )
