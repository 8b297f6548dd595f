"""Bodies that fall on a flat face with n corners: regular plates and polyhedra by name, and any body from a mesh.

rho is the radius of gyration about a horizontal axis through the mass centre, over the distance of the corners of the face from its centre.
Homogeneous plates are thin, polyhedra are solid.
"""

from __future__ import annotations

import itertools
import math
from typing import Any, NamedTuple

import numpy as np

from ..kernel.names import InputError, choose, number, whole
from ..kernel.renamed import new_names
from ..mechanics.facets import hull_faces
from ..mechanics.mass.mesh import mesh_mass
from ..mechanics.plate import Plate, plate, regular
from .models import Model, Parameter, read_parameters


class Named(NamedTuple):
    """A body by name: corners of its face, rho in closed form, and what it is."""

    n: int
    rho: float
    about: str


GOLDEN = 0.5 * (1.0 + math.sqrt(5.0))

BODIES = {
    "rod": Named(2, math.sqrt(1.0 / 3.0), "homogeneous rod on its two ends (E14b)"),
    "triangular plate": Named(3, math.sqrt(1.0 / 8.0), "thin equilateral plate"),
    "square plate": Named(4, math.sqrt(1.0 / 6.0), "thin square plate (E5)"),
    "pentagonal plate": Named(5, math.sqrt((2.0 + math.cos(2.0 * math.pi / 5)) / 12.0), "thin regular pentagon"),
    "hexagonal plate": Named(6, math.sqrt(2.5 / 12.0), "thin regular hexagon"),
    "disc on three feet": Named(3, 0.5, "thin homogeneous disc on three points of its rim"),
    "disc on four feet": Named(4, 0.5, "thin homogeneous disc on four points of its rim"),
    "tetrahedron": Named(3, math.sqrt(0.15), "solid regular tetrahedron on a face"),
    "octahedron": Named(3, math.sqrt(0.3), "solid regular octahedron on a face"),
    "cube": Named(4, math.sqrt(1.0 / 3.0), "solid cube on a face"),
    # I/m = (39 phi + 28)/150 a^2 with edge a; a = 2 sin(36 deg) times the radius of the face
    "dodecahedron": Named(
        5, 2.0 * math.sin(math.pi / 5.0) * math.sqrt((39.0 * GOLDEN + 28.0) / 150.0), "solid regular dodecahedron on a face"
    ),
    "icosahedron": Named(
        3, math.sqrt(3.0 * GOLDEN**2 / 10.0), "solid regular icosahedron on a face"
    ),  # I/m = phi^2 a^2/10, a = sqrt(3)
    # sqrt of the mean horizontal moment over the mass, over the mean distance of the feet from the axis (Tab. 6.1)
    "Philae": Named(
        3,
        math.sqrt(0.5 * (13.905 + 12.603) / 97.63)
        / (sum(map(math.hypot, (1.4780, -0.7784, -0.7784), (0.0118, 1.3775, -1.3539))) / 3),
        "the lander, its feet taken as a regular triangle (chapter 6)",
    ),
}


def named(name: str, mass: float = 1.0) -> Plate:
    """A body by name (see `BODIES`) as a plate, the corners of its face at distance one."""
    body = BODIES[choose(name.replace("_", " "), BODIES, "body")]
    return plate([(1.0, 0.0), (-1.0, 0.0)], body.rho, mass=mass) if body.n == 2 else regular(body.n, body.rho, mass)


def from_mesh(triangles: Any, direction: Any = (0.0, 0.0, -1.0), mass: float = 1.0) -> Plate:
    """A homogeneous body from a closed mesh (see `mechanics/mass/mesh.py`), on the face of its convex hull that looks along `direction`.

    The inertia is that of the mesh, cavities and all; contact is that of the hull. The points are about the mass centre, in principal axes.
    """
    triangles = np.asarray(triangles, float)
    properties = mesh_mass(triangles, mass=mass)
    down = np.asarray(direction, float)
    if down.shape != (3,) or not np.linalg.norm(down) > 0.0:
        raise InputError(f"direction = {direction!r} must be three numbers, not all zero.")
    down = down / np.linalg.norm(down)
    faces = hull_faces(triangles.reshape(-1, 3))
    normals = [np.cross(f[1] - f[0], f[2] - f[1]) for f in faces]
    normals = [n / np.linalg.norm(n) for n in normals]
    best = int(np.argmax([float(n @ down) for n in normals]))
    if float(normals[best] @ down) < 0.999:
        raise InputError(
            f"no face of the body looks along {tuple(np.round(down, 4))}: the nearest normal is {tuple(np.round(normals[best], 4))}; give that as direction."
        )
    face, z = faces[best], -normals[best]
    x = face[0] - face.mean(axis=0)
    x = x / np.linalg.norm(x)
    axes = np.stack([x, np.cross(z, x), z])  # rows: the face's own axes
    points = (face - properties.centre) @ axes.T
    inertia = axes @ properties.inertia @ axes.T
    return plate(points[:, :2], inertia=inertia[:2, :2], mass=mass)


def solid(name: str) -> np.ndarray:
    """The corners of a regular solid: tetrahedron, cube, octahedron, dodecahedron or icosahedron."""
    cube = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
    if name == "tetrahedron":
        return np.array([(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)], float)
    if name == "cube":
        return cube
    if name == "octahedron":
        return np.vstack([np.eye(3), -np.eye(3)])
    turns = [np.roll(np.eye(3), k, axis=1) for k in range(3)]
    if name == "icosahedron":
        base = np.array([(0.0, a, b * GOLDEN) for a in (-1, 1) for b in (-1, 1)])
        return np.vstack([base @ t for t in turns])
    if name == "dodecahedron":
        base = np.array([(0.0, a / GOLDEN, b * GOLDEN) for a in (-1, 1) for b in (-1, 1)])
        return np.vstack([cube, *(base @ t for t in turns)])
    raise InputError(f"unknown solid {name!r}; there are tetrahedron, cube, octahedron, dodecahedron, icosahedron.")


PARAMETERS = {
    "n": Parameter(4.0, "", "corners, 3 or more", low=3.0, high=1e4),
    "rho": Parameter(0.25, "", "radius of gyration over the radius of the polygon", positive=True),
    "body": Parameter("", "", "instead of n and rho: " + ", ".join(BODIES)),
    "gamma": Parameter(0.2, "", "coefficient of restitution, 0 .. 1", low=0.0, high=1.0),
    "g": Parameter(0.0, "", "gravity in radii/s^2; 0: none", low=0.0),
    "max_impacts": Parameter(1000.0, "", "end after so many impacts", low=1.0),
    "rule": Parameter("sequential", "", "for points that touch at once", ("sequential", "simultaneous", "stop")),
}


def make(**given):
    """The parameters of a polygon that collides, checked; with its plate."""
    values = read_parameters(PARAMETERS, new_names(given, {"most": "max_impacts"}), "polygon")
    values["max_impacts"] = whole(values["max_impacts"], "max_impacts", 1)
    if values["body"] and ("n" in given or "rho" in given):
        raise InputError(f"body={values['body']} has n and rho of its own; leave out n and rho, or the body.")
    values["plate"] = named(values["body"]) if values["body"] else regular(values["n"], values["rho"])
    return values


def body(values, start):
    """The polygon as a body with contacts, and its start."""
    from .falling_plate import FallingPlate, begun, refuse_stop

    refuse_stop(values["rule"])
    return FallingPlate(values["plate"], values["gamma"], values["g"]), begun(start)


def run(values, start, until=None, progress=None):
    """Collide."""
    from ..motion.impacts.collide import collide

    limit = math.inf if until is None or until == math.inf else number(until, "until", "s")
    options = {"g": values["g"], "max_impacts": values["max_impacts"], "until": limit, "rule": values["rule"]}
    begin = dict(start or MODEL.start)
    if values["plate"].count == 2 and begin == dict(MODEL.start):  # a rod does not turn about its own axis
        begin |= {"phi_x": 0.0, "omega_x": 0.0}
    return collide(values["plate"], values["gamma"], begin, **options)


MODEL = Model(
    name="polygon",
    title="a body that chatters on the corners of a face",
    source="thesis on collision sequences, 3.4 and chapter 4",
    parameters=PARAMETERS,
    make=make,
    start={"phi_x": 0.01, "phi_y": 0.02, "h": 1.0, "omega_x": 0.03, "omega_y": 0.05, "v": -1.0},
    until=math.inf,
    about="Impacts at the corners of a regular polygon, small tilt; see rollick.analysis.chatter for the theory.",
    starts="phi_x, phi_y, h, omega_x, omega_y, v",
    run=run,
    body=body,
)
