"""The drop test in three dimensions: a box or any polyhedron with a component in it, dropped in any orientation.

The thesis names this as the next step (sec. 5.6). SI units. The body falls freely between impacts of its vertices; see `polyhedron.py`
for the flight, the impact law and its friction. R compares, as (5.22), with an oscillator that is stopped at once from the fall's speed.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...kernel.names import InputError, number, numbers
from ...mechanics.mass.mesh import mesh_mass, read_mesh
from ...mechanics.mass.properties import MassProperties, rotation_matrix
from ...mechanics.shapes.hull import convex_hull
from ...mechanics.shapes.triangles import triangulated
from .bouncing import FOUND, IMPACT_COLUMNS, IMPACTS, PEAK, BounceRules, run_polyhedron
from .convergence import Convergence
from .oscillator import reference_peak, resting_peak
from .polyhedron import Component, Polyhedron, Solid
from .solid_result import SolidDrop


def solid(vertices: Any, properties: MassProperties | None = None, mass: Any = None) -> Solid:
    """A body from the vertices it touches with and its mass properties, in the same axes; with a mass instead, it fills their hull evenly."""
    from scipy.spatial import ConvexHull, QhullError

    points = np.atleast_2d(np.asarray(vertices, float))
    if points.ndim != 2 or points.shape[1] != 3 or len(points) < 1 or not np.all(np.isfinite(points)):
        raise InputError(f"vertices must be finite points of shape (n, 3), not {points.shape}.")
    if (properties is None) == (mass is None):
        raise InputError(
            "give either the mass properties of the body, or the mass of a body that fills the hull of its vertices."
        )
    if properties is None:
        skin = triangulated(convex_hull(points), 0)
        properties = mesh_mass(skin.vertices[skin.triangles], mass=number(mass, "mass", "kg"))
    properties.checked()
    moments, axes = properties.principal()
    if moments[0] <= 0.0:
        raise InputError("the body needs three principal moments above zero; give a thin body a small thickness.")
    least = 0.0
    try:
        hull = ConvexHull(points)
        points = points[np.sort(hull.vertices)]
        least = float(-(hull.equations[:, :3] @ properties.centre + hull.equations[:, 3]).max())
        if least < 0.0:
            raise InputError("the mass centre lies outside the hull of the vertices; check the mass properties.")
    except QhullError:
        pass  # flat bodies, rods: their mass centre may come down to the floor
    local = np.ascontiguousarray((points - properties.centre) @ axes)
    return Solid(
        Polyhedron(properties.mass, (float(moments[0]), float(moments[1]), float(moments[2])), local),
        axes,
        properties.centre,
        least,
    )


def box(a: Any, b: Any, c: Any, mass: Any = 1.0) -> Solid:
    """A homogeneous box with edges a, b, c along the axes."""
    sides = np.array([number(x, name, "m") for x, name in zip((a, b, c), "abc")])
    m = number(mass, "mass", "kg")
    if sides.min() <= 0.0:
        raise InputError(f"the edges {sides.tolist()} of a box must be above zero.")
    corners = 0.5 * sides * np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)])
    inertia = m / 12.0 * np.diag((sides**2).sum() - sides**2)
    return solid(corners, MassProperties(m, np.zeros(3), inertia))


def from_mesh(source: Any, mass: Any = 1.0, unit: Any = 1.0) -> Solid:
    """A homogeneous body from a closed mesh (an STL or OBJ file, or triangles); it touches with the corners of its hull."""
    triangles = np.asarray(source, float) if isinstance(source, (np.ndarray, list)) else read_mesh(source, unit)
    return solid(triangles.reshape(-1, 3), mesh_mass(triangles, mass=number(mass, "mass", "kg")))


def component(
    of: Solid, at: Any, along: Any, frequency: Any = 200.0, damping_ratio: Any = 0.05, centrifugal: bool = True
) -> Component:
    """A light oscillator at a point of the body that moves along a direction, both in the axes of its user; frequency in Hz."""
    place, way = numbers(at, "at", "m"), numbers(along, "along")
    size = float(np.linalg.norm(way))
    if place.shape != (3,) or way.shape != (3,) or not size > 0.0 or not np.all(np.isfinite(place)):
        raise InputError("a component needs a point (three finite numbers) and a direction that is not zero.")
    off = outside(of, place)
    if off > 0.0:
        low, high = (of.body.vertices @ of.axes.T + of.centre).min(axis=0), (of.body.vertices @ of.axes.T + of.centre).max(axis=0)
        reach = ", ".join(f"{a:.4g} .. {b:.4g}" for a, b in zip(low, high))
        raise InputError(
            f"the component at ({', '.join(f'{x:g}' for x in place)}) m lies {off:.3g} m outside the body, which reaches over {reach} m; put it inside."
        )
    f, zeta = number(frequency, "frequency", "Hz"), number(damping_ratio, "damping_ratio")
    if not f > 0.0 or zeta < 0.0:
        raise InputError(f"frequency = {f:g} Hz must be above zero and damping_ratio = {zeta:g} not negative.")
    a, d = of.axes.T @ (place - of.centre), of.axes.T @ way / size
    Omega = 2.0 * math.pi * f
    return Component(tuple(a.tolist()), tuple(d.tolist()), Omega, zeta * Omega, 1.0 if centrifugal else 0.0)


def outside(of: Solid, place: np.ndarray) -> float:
    """How far [m] a point, in the axes of the user, lies outside the hull of the vertices; zero inside.

    The distance is that to the farthest of the planes of the hull, or, for bodies without volume, beyond the farthest vertex.
    """
    from scipy.spatial import ConvexHull, QhullError

    local = of.axes.T @ (place - of.centre)
    size = float(np.linalg.norm(of.body.vertices, axis=1).max())
    try:
        faces = ConvexHull(of.body.vertices).equations
        off = float((faces[:, :3] @ local + faces[:, 3]).max())
    except (QhullError, ValueError):
        off = float(np.linalg.norm(local)) - size
    return off if off > 1e-9 * size else 0.0


def attitude(of: Solid, orientation: Any) -> np.ndarray:
    """The quaternion of the principal axes for an orientation: a body direction that points down, (axis, angle), or a rotation matrix."""
    if isinstance(orientation, tuple) and len(orientation) == 2:
        rotation = rotation_matrix(orientation)
    elif np.shape(orientation) == (3,):
        rotation = pointing_down(np.asarray(orientation, float))
    else:
        rotation = rotation_matrix(orientation)
    from scipy.spatial.transform import Rotation

    x, y, z, w = Rotation.from_matrix(rotation @ of.axes).as_quat()
    return np.array([w, x, y, z])


def pointing_down(down: np.ndarray) -> np.ndarray:
    """A rotation that takes a body direction to the downward vertical."""
    size = np.linalg.norm(down)
    if not size > 0.0:
        raise InputError("the direction that points down must not be zero.")
    n = -down / size
    side = np.cross([0.0, 1.0, 0.0] if abs(n[1]) < 0.9 else [1.0, 0.0, 0.0], n)
    side /= np.linalg.norm(side)
    return np.array([side, np.cross(n, side), n])  # rows: the inertial axes seen from the body


def bounce_rules(of: Solid, gamma: Any, mu: Any, g: Any, eps: Any, until: Any, max_impacts: int) -> BounceRules:
    """Checked rules."""
    values = [number(g, "g", "m/s^2"), number(gamma, "gamma"), number(mu, "mu"), number(eps, "eps", "m/s")]
    if not values[0] > 0.0 or not 0.0 <= values[1] <= 1.0 or values[2] < 0.0 or not 1e-9 <= values[3] <= 0.1:
        raise InputError(
            f"g = {values[0]:g} must be above zero, gamma = {values[1]:g} between 0 and 1, mu = {values[2]:g} not negative, "
            f"eps = {values[3]:g} between 1e-9 and 0.1."
        )
    return BounceRules(values[0], values[1], values[2], values[3], number(until, "until", "s"), int(max_impacts))


def drop_solid(
    of: Solid,
    part: Component,
    orientation: Any = (0.0, 0.0, -1.0),
    height: Any = 1.0,
    *,
    gamma: Any = 0.3,
    mu: Any = 0.0,
    g: Any = 9.81,
    spin: Any = (0.0, 0.0, 0.0),
    velocity: Any = (0.0, 0.0, 0.0),
    eps: Any = 1e-6,
    until: Any = 30.0,
    max_impacts: int = 20_000,
    report: bool = True,
) -> SolidDrop:
    """Drop a body with its mass centre at a height [m] and follow it to rest; with friction until impacts accumulate at a vertex.

    Parameters
    ----------
    orientation: the body direction that points down, or (axis, angle), or a rotation matrix from body to room.
    gamma, mu: restitution and friction of the impacts.
    spin, velocity: at the start, in the room's axes [rad/s], [m/s].
    eps: the speed, in units of sqrt(g x size of the body), below which a vertex on the floor counts as at rest.
    report: whether to repeat the drop with other tolerances, to tell how many digits of R are certain.
    """
    rules = bounce_rules(of, gamma, mu, g, eps, until, max_impacts)
    y = np.zeros(15)
    y[2] = number(height, "height", "m")
    y[3:6] = np.asarray(velocity, float)
    y[6:10] = attitude(of, orientation)
    turn = body_to_room(y)
    y[10:13] = turn.T @ np.asarray(spin, float)
    low = y[2] + (of.body.vertices @ turn[2]).min()
    if low < 0.0:
        raise InputError(f"height = {y[2]:g} m puts a vertex {-low:.3g} m below the floor; take at least {y[2] - low:.6g} m.")
    start = y.copy()
    found = np.empty(FOUND)
    room = 400
    while True:
        impacts = np.empty((room, len(IMPACT_COLUMNS)))
        y = start.copy()
        run_polyhedron(of.body, part, rules, y, impacts, found)
        if found[IMPACTS] <= room:
            break
        room = int(found[IMPACTS]) + 10
    speed = math.sqrt(2.0 * rules.g * start[2] + start[5] ** 2)
    reference = float(reference_peak(speed, part.delta, part.Omega))
    convergence = None
    if report:
        levels = [e for e in (1e-2, 1e-3, 1e-4, 1e-5) if e > 1.5 * rules.eps] + [rules.eps, 0.1 * rules.eps, 0.01 * rules.eps]
        ratios = tuple(shock_ratio(of, part, rules._replace(eps=e), start, reference) for e in levels)
        convergence = Convergence(tuple(levels), ratios, rules.eps, 1e-6)
    return SolidDrop(
        of, part, rules, start, y, speed, reference, impacts[: int(found[IMPACTS])].copy(), found.copy(), convergence
    )


def shock_ratio(of: Solid, part: Component, rules: BounceRules, start: np.ndarray, reference: float) -> float:
    """R alone."""
    y, found = start.copy(), np.empty(FOUND)
    run_polyhedron(of.body, part, rules, y, np.empty((0, len(IMPACT_COLUMNS))), found)
    ring = resting_peak(y[13], y[14], 0.0, part.delta, part.Omega**2)[0]
    return float(max(found[PEAK], ring) / reference)


def body_to_room(y: np.ndarray) -> np.ndarray:
    """The rotation matrix of a state."""
    from ...kernel.quaternion import quaternion_matrix

    return np.array(quaternion_matrix(tuple(y[6:10].tolist())))
