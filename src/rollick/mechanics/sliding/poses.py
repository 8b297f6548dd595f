"""Where a body with friction is, on the plane or in the air, and what is drawn of it.

The track of the contact point exists only while the body touches (gap below `NEAR`), and it is cut where the contact changes from one foot to
another. The drawn shape is that of the body, with three exceptions: an eccentric disk gets a hole opposite to its mass centre, or a plug on its
side (`Drilled`); feet that span a solid are drawn as that solid, and other feet are joined to the shape (`Hull`).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..body import Body
from ..poses import Poses, matrices, poses, unit_quaternions, upward, visible_part
from ..shapes.convex import Rim, Sphere
from ..shapes.skin import has_skin
from ..shapes.triangles import Surface, cap, circle, joined, lattice, support_points, surface, triangulated
from .equations import Sliding
from .feet import Feet

NEAR = 1e-5  # m: below this gap a body counts as touching
CHANGE = 1e-6  # m: by so much another foot must be lower before the track goes over to it
LEAP = 0.5  # of the body's size: a contact point that moves by more from one instant to the next has changed place
AXIS = 1e-12  # a rim has no lowest point when it lies flat; one at this angle is taken
# Of a disk's radius: the width of its bevel and half its thickness. It then touches with its edge as long as it leans by 27 deg or more.
BEVEL, HALF = 0.08, 0.04
DISTANCE = 4.0 / 9.0  # of a disk's radius: from its centre to the hole


class Drilled(NamedTuple):
    """A disk with its edge at the radius R about e3, and at (x, y) a hole of radius a (a = 0: none) or a plug that stands out: to be drawn."""

    R: float
    x: float
    y: float
    a: float
    plug: bool


class Hull(NamedTuple):
    """The convex hull of points (rows of three): to be drawn."""

    points: Any


def drilled(R: float, centre: Any, along: float, across: float) -> Drilled:
    """The disk to draw for a rim with an eccentric mass centre: its hole is where a hole moves the mass centre to just there.

    along, across: the moments about the axis through both centres and about that across it. A hole takes more from the second; if it is
    the larger one, mass was added, and a plug is drawn on the side of the mass centre.
    """
    e = math.hypot(centre[0], centre[1])
    if e < 1e-9 * R:
        return Drilled(R, 0.0, 0.0, 0.0, False)
    plug = across > along
    distance = DISTANCE * R if plug else -DISTANCE * R
    a = R / 3.0 if plug else min(R * math.sqrt(e / (DISTANCE * R + e)), 0.45 * R)  # e = b a^2 / (R^2 - a^2)
    return Drilled(R, distance * centre[0] / e, distance * centre[1] / e, a, plug)


@triangulated.register(Drilled)
def _(shape, fineness):
    around = circle(fineness)
    up, half = np.array([0.0, 0.0, 1.0]), HALF * shape.R
    at = np.array([shape.x, shape.y, 0.0])
    outer, edge = (1.0 - BEVEL) * shape.R * around, shape.R * around
    slope = (HALF * around + BEVEL * up) / math.hypot(HALF, BEVEL)
    rims = [band(outer + half * up, edge, slope), band(edge, outer - half * up, slope * (1.0, 1.0, -1.0))]
    if shape.plug or shape.a == 0.0:
        lids = [cap(outer + half * up, (0.0, 0.0, 1.0)), cap(outer - half * up, (0.0, 0.0, -1.0))]
        return joined(*lids, *rims, *([cylinder(at, shape.a, 2.0 * half, fineness)] if shape.plug else []))
    hole = at + shape.a * around
    ups = np.broadcast_to(up, around.shape)
    faces = [band(hole + half * up, outer + half * up, ups), band(outer - half * up, hole - half * up, -ups)]
    return joined(*faces, *rims, band(hole - half * up, hole + half * up, -around))


def band(first: np.ndarray, second: np.ndarray, normals: np.ndarray) -> Surface:
    """The strip between two rings."""
    return lattice(np.stack([first, second]), np.stack([normals, normals]))


def cylinder(at: np.ndarray, radius: float, half: float, fineness: int) -> Surface:
    """A cylinder about e3 through a point, of so much height on either side of it."""
    around, up = circle(fineness), np.array([0.0, 0.0, half])
    ring = at + radius * around
    return joined(cap(ring + up, (0.0, 0.0, 1.0)), band(ring + up, ring - up, around), cap(ring - up, (0.0, 0.0, -1.0)))


@triangulated.register(Hull)
def _(shape, fineness):
    from scipy.spatial import ConvexHull

    hull = ConvexHull(np.array(shape.points, float))
    corners = hull.points[hull.simplices]
    outward = hull.equations[:, :3]
    turned = np.einsum("ij,ij->i", np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), outward) < 0.0
    corners[turned] = corners[turned][:, ::-1]
    return Surface(corners.reshape(-1, 3), np.arange(corners.shape[0] * 3).reshape(-1, 3), np.repeat(outward, 3, axis=0))


def drawn(body: Body, feet: Any) -> Any:
    """The shape to draw."""
    if has_skin(body.shape):
        return body.shape
    if isinstance(feet, Feet):
        points = [np.array([p[:3]]) if p[3] == 0.0 else p[:3] + surface(Sphere(p[3]), 24).vertices for p in feet.places]
        corners = np.vstack(points)
        spread = np.linalg.svd(corners - corners.mean(axis=0), compute_uv=False)
        solid = len(corners) > 3 and spread[2] > 1e-6 * spread[0]
        inside = np.empty((0, 3)) if solid else surface(body.shape, 48).vertices
        return Hull(tuple(map(tuple, np.vstack([corners, inside]).tolist())))
    whole = visible_part(body)
    if not isinstance(whole, Rim) or math.hypot(body.centre[0], body.centre[1]) < 1e-9 * whole.R:
        return whole
    c = np.array(body.centre[:2]) / math.hypot(body.centre[0], body.centre[1])
    moments = np.array(body.inertia)[:2, :2]
    side = np.array([-c[1], c[0]])
    return drilled(whole.R, body.centre, float(c @ moments @ c), float(side @ moments @ side))


def lowest_feet(feet: Feet, normals: np.ndarray) -> np.ndarray:
    """The lowest of some feet at each instant, from the origin of the shape; the same as before while no other is clearly lower."""
    places = np.array(feet.places, float)
    points = places[None, :, :3] - places[None, :, 3:] * normals[:, None, :]
    heights = np.einsum("nkj,nj->nk", points, normals)
    made = np.empty((len(normals), 3))
    k = int(np.argmin(heights[0]))
    for i, row in enumerate(heights):
        if row[k] > row.min() + CHANGE:
            k = int(np.argmin(row))
        made[i] = points[i, k]
    return made


def pieces(gaps: np.ndarray, footprint: np.ndarray) -> np.ndarray:
    """The piece of the track to which each instant belongs, from 1; 0 in the air."""
    on = gaps < NEAR
    size = float(np.linalg.norm(footprint, axis=1).max())
    leaps = np.linalg.norm(np.diff(footprint, axis=0), axis=1) > LEAP * size
    begins = on & np.concatenate([[True], leaps | ~on[:-1]])
    return np.where(on, np.cumsum(begins), 0)


def free_poses(body: Body, attitude: np.ndarray, centre: np.ndarray, feet: Any, gravity: Any, visible: Any) -> Poses:
    """The poses of a body that may be in the air, from its attitudes and the positions of its mass centre."""
    q = unit_quaternions(attitude)
    r = matrices(q)
    normals = r[:, 2].copy()
    if isinstance(feet, Feet):
        footprint = lowest_feet(feet, normals)
    else:
        normals[np.hypot(normals[:, 0], normals[:, 1]) < AXIS, 0] = AXIS
        footprint = support_points(body.shape, -normals)
    contact = centre + np.einsum("nij,nj->ni", r, footprint - np.array(body.centre))
    return Poses(body, visible, q, np.array(centre), contact, footprint, upward(gravity), pieces(contact[:, 2], footprint))


@poses.register(Sliding)
def _(system, t, y, q):
    return free_poses(system.body, y[:, 3:7], y[:, :3], system.feet, system.gravity, drawn(system.body, system.feet))
