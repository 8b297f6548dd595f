"""A body of one's own as a system of the studio: a shape, a mass, an offset of the mass centre, what it touches with, and how it is let go.

It is written as a body file (docs/body_file.md) and read by the same code as one. The inertia is that of a uniform solid of the shape, moved along with
the mass centre. A mesh is a file that was uploaded into the studio's own folder, named by a hash of its contents; no other file is ever read.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import numpy as np

from ..archetypes.models import Model, Parameter, read_parameters
from ..kernel.names import InputError
from ..mechanics.bodyfile.fields import Fields
from ..mechanics.bodyfile.mass import read_mass
from ..mechanics.bodyfile.read import understood
from ..mechanics.bodyfile.shapes import read_shape
from ..mechanics.shapes.convex import Turned
from ..mechanics.shapes.skin import Skinned, has_skin
from ..mechanics.sliding import Feet, Sliding

BODY = "body"
FOLDER = "ROLLICK_STUDIO_FOLDER"  # the environment variable that tells workers where uploaded meshes are
MESH = re.compile(r"[0-9a-f]{16}\.(stl|obj|glb|gltf)")
SHAPES = ("ellipsoid", "sphere", "box", "torus", "disk", "mesh")
PARAMETERS = {
    "shape": Parameter("ellipsoid", "", "its shape; a mesh is uploaded first", SHAPES),
    "a": Parameter(0.08, "m", "semi-axis along e1; radius of a sphere, a disk and of a torus's circle; half an edge of a box", positive=True),
    "b": Parameter(0.05, "m", "semi-axis along e2; half an edge of a box; radius of a torus's tube", positive=True),
    "c": Parameter(0.03, "m", "semi-axis along e3; half an edge of a box", positive=True),
    "rounding": Parameter(0.0, "m", "radius by which edges and corners are rounded, outwards", low=0.0),
    "mass": Parameter(1.0, "kg", "mass", positive=True),
    "offset_1": Parameter(0.0, "m", "mass centre along e1, from that of the uniform solid"),
    "offset_2": Parameter(0.0, "m", "mass centre along e2"),
    "offset_3": Parameter(0.0, "m", "mass centre along e3"),
    "contact": Parameter("sliding", "", "sliding (it falls, bounces, slips), marble (rolls without slip) or rubber (nor twist)", ("sliding", "marble", "rubber")),
    "law": Parameter("coulomb", "", "friction law, where it slides", ("coulomb", "regularised")),
    "mu": Parameter(0.3, "", "coefficient of friction", low=0.0),
    "eps": Parameter(0.01, "m/s", "smoothing velocity of regularised friction", positive=True),
    "restitution": Parameter(0.3, "", "Newton's coefficient of restitution", low=0.0, high=1.0),
    "tilt": Parameter(0.0, "rad", "inclination of the plane", low=0.0, high=1.2),
    "g": Parameter(9.81, "m/s^2", "gravity", low=0.0),
    "mesh": Parameter("", "", "an uploaded file"),
    "mesh_unit": Parameter("mm", "", "unit of the numbers in the mesh", ("mm", "cm", "m")),
    "mesh_touches": Parameter("hull", "", "a mesh touches with its convex hull, or with a smooth shape fitted to it, which rolls", ("hull", "smooth")),
}  # fmt: skip
ROUND = (8, 16, 32)  # feet of bodies with corners
DROPPED = ("gap", "vx", "vy", "vz")  # numbers of a start that only a body with friction has
START: dict[str, str | float] = {
    "gap": 0.1,
    "alpha": "20deg",
    "beta": "10deg",
    "omega1": 0.0,
    "omega2": 0.0,
    "omega3": 8.0,
    "vx": 0.0,
    "vy": 0.3,
}


def folder() -> Path:
    """Where uploaded meshes are."""
    return Path(os.environ.get(FOLDER, "."))


def mesh_path(name: str) -> Path:
    """The file of an uploaded mesh; every other name is refused."""
    if not MESH.fullmatch(name):
        raise InputError("no mesh is there yet: upload an STL, OBJ or glTF file first, or choose another shape.")
    path = folder() / name
    if not path.is_file():
        raise InputError("this mesh is not in the studio any more; upload the file again.")
    return path


def shape_table(v: dict[str, Any]) -> dict[str, Any]:
    """The [shape] of a body file."""
    kinds: dict[str, dict[str, Any]] = {
        "ellipsoid": {"kind": "ellipsoid", "a": v["a"], "b": v["b"], "c": v["c"]},
        "sphere": {"kind": "sphere", "radius": v["a"]},
        "box": {"kind": "box", "x": 2.0 * v["a"], "y": 2.0 * v["b"], "z": 2.0 * v["c"]},
        "torus": {"kind": "torus", "R": v["a"], "r": v["b"]},
        "disk": {"kind": "rim", "R": v["a"]},
    }
    if v["shape"] == "mesh":
        mesh = {"kind": "mesh", "file": mesh_path(v["mesh"]).name, "unit": f"1{v['mesh_unit']}"}
        return {**mesh, "smooth": True} if v["mesh_touches"] == "smooth" else mesh
    found = kinds[v["shape"]]
    return {**found, "rounding": v["rounding"]} if v["rounding"] > 0.0 else found


def tables(given: dict[str, Any]) -> dict[str, Any]:
    """The tables of the body file, with the numbers of its inertia."""
    v = read_parameters(PARAMETERS, given, "a body")
    shape = shape_table(v)
    solid = {key: value for key, value in shape.items() if key not in ("rounding", "smooth")} if v["shape"] == "mesh" else shape
    fields = Fields({"shape": solid, "mass": {"inertia": "solid", "mass": v["mass"]}}, "", folder())
    made_of = fields.table("shape")
    uniform = read_mass(fields.table("mass"), read_shape(made_of), made_of)
    centre = [(float(c) if abs(c) > 1e-15 else 0.0) + v[f"offset_{k}"] for k, c in enumerate(uniform.centre, 1)]
    mass = {"mass": v["mass"], "inertia": np.asarray(uniform.inertia, float).tolist(), "centre": centre}
    contact: dict[str, Any] = {"how": v["contact"]}
    if v["contact"] == "sliding":
        law = {"kind": v["law"], "mu": v["mu"]} | ({"eps": v["eps"]} if v["law"] == "regularised" else {})
        contact |= {"law": law, "restitution": v["restitution"]}
    made: dict[str, Any] = {"gravity": v["g"], "shape": shape, "mass": mass, "contact": contact}
    return {**made, "surface": [{"kind": "plane", "tilt": v["tilt"]}]} if v["tilt"] > 0.0 else made


def own_body(**given: Any) -> Any:
    """The system, of few types: without the skin of a mesh (`skin_of`), and with feet in round numbers.

    What is compiled knows how many feet a body has. Feet are added inside of the body, where they never touch anything: all bodies of up to 8 corners are
    then alike to the compiler, and those of up to 16, and of up to 32.
    """
    system = understood(folder() / "body.toml", tables(given)).system
    if not isinstance(system, Sliding):
        return system
    bare = system._replace(body=system.body._replace(shape=without_skin(system.body.shape)))
    if not isinstance(bare.feet, Feet) or len(bare.feet.places) < 4:
        return bare
    places = bare.feet.places
    inside = tuple(float(v) for v in np.mean([place[:3] for place in places], axis=0))
    count = next((n for n in ROUND if n >= len(places)), len(places))
    return bare._replace(feet=Feet((*places, *[(*inside, 0.0)] * (count - len(places)))))


def without_skin(shape: Any) -> Any:
    """A shape as it touches, whatever it looks like."""
    if isinstance(shape, Turned):
        return shape._replace(shape=without_skin(shape.shape))
    return shape.shape if isinstance(shape, Skinned) else shape


def skin_of(given: dict[str, Any]) -> Any:
    """What a body from a mesh looks like; None for others."""
    if given.get("shape") != "mesh":
        return None
    shape = understood(folder() / "body.toml", tables(given)).system.body.shape
    return shape if has_skin(shape) else None


def start_of(given: dict[str, Any], start: dict[str, Any]) -> dict[str, Any]:
    """What of a start a body with this contact understands."""
    slides = given.get("contact", "sliding") == "sliding"
    return {name: value for name, value in start.items() if slides or name not in DROPPED}


def toml_of(state: Any) -> str:
    """The body file of a state."""
    made = tables(state.set)
    lines = ['title = "a body of my own"', f"gravity = {made['gravity']!r}"]
    made["start"] = start_of(state.set, state.starts())
    for name in ("shape", "mass", "contact", "start"):
        lines += ["", f"[{name}]", *(f"{key} = {toml_text(value)}" for key, value in made[name].items())]
    for surface in made.get("surface", ()):
        lines += ["", "[[surface]]", *(f"{key} = {toml_text(value)}" for key, value in surface.items())]
    return "\n".join([*lines, "", "[simulate]", f"until = {state.lasts!r}"]) + "\n"


def toml_text(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {toml_text(inside)}" for key, inside in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(toml_text, value)) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else repr(float(value))


MODEL = Model(
    name=BODY,
    title="a body of your own: choose a shape, a mass, an offset, and drop it",
    source="mechanics of Rollick: convex shapes, friction laws, time stepping or rolling (docs/body_file.md)",
    parameters=PARAMETERS,
    make=own_body,
    start=START,
    until=2.0,
    about="A uniform solid whose mass centre may be moved; it falls on a plane, bounces, slips and rolls.",
)
