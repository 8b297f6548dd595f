"""The mass of a body file: `[mass]`, given directly, as a uniform solid that fills the shape, or from parts with masses or densities.

mass = "1 kg", inertia = [I1, I2, I3] or a 3x3 matrix about the mass centre, centre = [x, y, z]
mass or density, inertia = "solid"
[[mass.parts]] kind = a function of `rollick.mechanics.mass.primitives` or "mesh", mass or density, at, turn, subtract
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...kernel.names import InputError
from ..mass import primitives
from ..mass.mesh import mesh_mass
from ..mass.properties import MassProperties, body, impossible_inertia
from ..shapes.convex import Cylinder, Ellipsoid, Rim, Sphere, Torus
from ..shapes.triangles import surface
from .fields import Fields
from .shapes import mesh_triangles, rotation

PARTS: dict[str, Callable[..., MassProperties]] = {
    name: function
    for name, function in vars(primitives).items()
    if inspect.isfunction(function) and not name.startswith("_") and "mass" in inspect.signature(function).parameters
}
PI = math.pi
# What a density is measured by: volume, area or length of a part from its numbers, and the unit of the density.
VOLUME, AREA, LENGTH = "kg/m^3", "kg/m^2", "kg/m"
MEASURES: dict[str, tuple[Callable[..., float], str]] = {
    "solid_ellipsoid": (lambda a, b, c: 4 * PI * a * b * c / 3, VOLUME),
    "solid_sphere": (lambda radius: 4 * PI * radius**3 / 3, VOLUME),
    "hollow_sphere": (lambda radius, inner=None: 4 * PI * (radius**2 if inner is None else (radius**3 - inner**3) / 3), AREA),
    "half_ellipsoid": (lambda a, b, c: 2 * PI * a * b * c / 3, VOLUME),
    "solid_cylinder": (lambda radius, height: PI * radius**2 * height, VOLUME),
    "hollow_cylinder": (
        lambda radius, height, inner=None: PI * height * (2 * radius if inner is None else radius**2 - inner**2), AREA,
    ),
    "disk": (lambda radius: PI * radius**2, AREA),
    "hoop": (lambda radius: 2 * PI * radius, LENGTH),
    "solid_torus": (lambda R, r: 2 * PI**2 * R * r**2, VOLUME),
    "hollow_torus": (lambda R, r: 4 * PI**2 * R * r, AREA),
    "box": (lambda x, y, z: x * y * z, VOLUME),
    "hollow_box": (lambda x, y, z: 2 * (x * y + y * z + z * x), AREA),
    "rod": (lambda length: length, LENGTH),
    "solid_cone": (lambda radius, height: PI * radius**2 * height / 3, VOLUME),
}  # fmt: skip


def read_mass(f: Fields, shape: Any, shape_fields: Fields) -> MassProperties:
    """Mass, mass centre and inertia of a table, in the axes of the shape."""
    ways = [name for name in ("inertia", "parts") if name in f]
    if len(ways) != 1:
        told = "both are given; keep one" if ways else "neither is given"
        raise InputError(f'{f.path} needs inertia (moments, a matrix or "solid") or parts; {told}.')
    if ways == ["parts"]:
        found = from_parts(f)
    elif f.values["inertia"] == "solid":
        f.given("inertia")
        found = solid(f, shape, shape_fields)
    else:
        found = direct(f)
    f.done()
    return found


def direct(f: Fields) -> MassProperties:
    """From mass, inertia about the mass centre and mass centre."""
    mass, centre = f.number("mass", "kg", above=0.0), f.vector("centre", "m", (0.0, 0.0, 0.0))
    if isinstance(f.values["inertia"], str):
        raise InputError(f'{f.at("inertia")} = {f.values["inertia"]!r} must be three moments, a 3x3 matrix, or "solid".')
    inertia = f.array("inertia", ((3,), (3, 3)), "kg m^2")
    problem = impossible_inertia(mass, np.diag(inertia) if inertia.ndim == 1 else inertia)
    if problem:
        raise InputError(f"{f.at('inertia')} = {f.values['inertia']!r} belongs to no body: {problem}")
    return body(mass, inertia, centre)


def weight(f: Fields, measure: float, unit: str) -> float:
    """The mass of a thing, given or from its density."""
    if ("mass" in f) == ("density" in f):
        told = "both are given" if "mass" in f else "neither is given"
        raise InputError(f"{f.path} needs either mass or density (in {unit}); {told}.")
    if "mass" in f:
        f.given("density", None)
        return f.number("mass", "kg", above=0.0)
    f.given("mass", None)
    return measure * f.number("density", unit, above=0.0)


def solid(f: Fields, shape: Any, shape_fields: Fields) -> MassProperties:
    """A uniform solid that fills the shape; a mesh is filled itself, not its convex hull."""
    exact = {
        Sphere: lambda s: primitives.solid_sphere(1.0, s.radius),
        Ellipsoid: lambda s: primitives.solid_ellipsoid(1.0, *s),
        Torus: lambda s: primitives.solid_torus(1.0, *s),
        Rim: lambda s: primitives.disk(1.0, s.R),
        Cylinder: lambda s: primitives.solid_cylinder(1.0, s.R, s.h),
    }
    if type(shape) in exact:
        unit = AREA if isinstance(shape, Rim) else VOLUME
        names = {
            Sphere: "solid_sphere",
            Ellipsoid: "solid_ellipsoid",
            Torus: "solid_torus",
            Rim: "disk",
            Cylinder: "solid_cylinder",
        }
        return exact[type(shape)](shape).scaled(weight(f, MEASURES[names[type(shape)]][0](*shape), unit))
    mesh = shape_fields.values.get("kind") == "mesh"
    triangles = mesh_triangles(shape_fields) if mesh else sampled(shape)
    found = f.said(lambda: mesh_mass(triangles, density=1.0))
    if mesh:  # the file's own axes, turned and moved as the shape was
        turn, shift = rotation(shape_fields), shape_fields.vector("shift", "m", (0.0, 0.0, 0.0))
        found = (found.rotated(turn) if turn is not None else found).shifted(shift)
    return found.scaled(weight(f, found.mass, VOLUME))


def sampled(shape: Any) -> np.ndarray:
    """The surface of a shape as triangles: exact for flat faces, good to about a part in a thousand for round ones."""
    mesh = surface(shape, 192)
    return mesh.vertices[mesh.triangles]


def from_parts(f: Fields) -> MassProperties:
    """Parts put together; `mass` beside them is the total, to which they are scaled."""
    total: MassProperties | None = None
    for part in f.tables("parts"):
        one = read_part(part)
        total = one if total is None else total + one
    assert total is not None
    if total.mass <= 0.0:
        raise InputError(f"{f.at('parts')}: what is subtracted weighs more than the rest ({total.mass:.6g} kg in all).")
    if "mass" in f:
        total = total.scaled(f.number("mass", "kg", above=0.0))
    f.given("mass", None)
    total = placed(f, total)
    problem = impossible_inertia(total.mass, total.inertia)
    if problem:
        raise InputError(f"{f.at('parts')} make no body that can exist: {problem}")
    return total


def placed(f: Fields, part: MassProperties) -> MassProperties:
    """A part turned about its origin, then moved."""
    turn, at = rotation(f), f.vector("at", "m", (0.0, 0.0, 0.0))
    return (part.rotated(turn) if turn is not None else part).shifted(at)


def read_part(f: Fields) -> MassProperties:
    """One part: a primitive, or the solid inside a mesh; negative if it is subtracted."""
    kind = f.word("kind", [*PARTS, "mesh"])
    if kind == "mesh":
        triangles = mesh_triangles(f)
        found = f.said(lambda: mesh_mass(triangles, density=1.0))
        found = found.scaled(weight(f, found.mass, VOLUME))
    elif kind == "point":
        found = primitives.point(f.number("mass", "kg", above=0.0))
    else:
        sizes = {n: f.number(n, "m", *((None,) if p.default is None else ()), above=0.0) for n, p in lengths(kind)}
        measure, unit = MEASURES[kind]
        unit = VOLUME if sizes.get("inner") is not None else unit
        hollow = f.said(lambda: PARTS[kind](1.0, **sizes))  # refuses sizes that do not fit before they are weighed
        found = hollow.scaled(weight(f, measure(**sizes), unit))
    found = placed(f, found)
    subtracted = f.yes("subtract")
    f.done()
    return -found if subtracted else found


def lengths(kind: str) -> list[tuple[str, inspect.Parameter]]:
    """The sizes of a primitive."""
    return [(n, p) for n, p in inspect.signature(PARTS[kind]).parameters.items() if n != "mass"]
