"""A wheelset and its track to look at. Treads and rail heads are the profiles themselves; what is below the head of a rail (the web and the
foot of UIC 60), the axle, the sleepers, and the flange of a profile that has none are there for the picture only.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ...mechanics.body import Body
from ...mechanics.poses import Poses, matrices
from ...mechanics.scenery import Bays, Piece, Small, rotation_vectors, swept
from ...mechanics.shapes.convex import Sphere
from ...mechanics.shapes.triangles import Surface, joined, lattice, triangulated
from .geometry import Geometry

HEAD = 0.036  # m, half the width of a rail's head
BELOW_HEAD = (
    (0.036, -0.038),
    (0.00825, -0.051),
    (0.00825, -0.135),
    (0.075, -0.16),
    (0.075, -0.172),
)  # of UIC 60: m from its middle, m from its top
FLANGE = (
    (-0.0365, 0.004),
    (-0.039, 0.012),
    (-0.044, 0.025),
    (-0.053, 0.03),
    (-0.062, 0.026),
    (-0.068, 0.012),
)  # U and what its radius exceeds r by
BAY, SLEEPER, THICK = 0.6, 0.26, 0.14  # m, of sleepers: distance, width, height
GROUND = -0.172 - 0.6 * THICK
TREAD, ROUND_OFF = 25, math.radians(25.0)  # points of a tread; corners of the wheels that are less bent than this look round
AROUND = 40  # bays known beyond the ends of a motion, so many as a page shows to either side


class Wheels(NamedTuple):
    """Two wheels about e2, on an axle: to be drawn only. tread: (U, radius) from the inner side, U outward from the point at b; r: the rolling radius."""

    b: float
    r: float
    tread: tuple[tuple[float, float], ...]


def wheels_of(g: Geometry) -> Wheels:
    """The wheels of a geometry; with a flange where its profile has none."""
    low, high = max(g.wheel.low, -0.075), min(g.wheel.high, 0.065)
    flanged = low < -0.05 and float(np.nanmin(g.wheel.height(np.linspace(low, 0.0, 400)))) < -0.02
    u = np.linspace(low if flanged else max(low, -0.034), high, TREAD)
    tread = np.stack([u, g.r - g.wheel.height(u)], axis=1)
    if not flanged:
        start = tread[0, 1]
        tread = np.vstack([[(at, max(start, g.r + more)) for at, more in FLANGE[::-1]], tread])
    return Wheels(g.b, g.r, tuple(map(tuple, tread[np.isfinite(tread[:, 1])].tolist())))


@triangulated.register(Wheels)
def _(shape, fineness):
    r, b = shape.r, shape.b
    inner, outer = shape.tread[0][0], shape.tread[-1][0]
    # (distance from the middle, radius) from the middle outward: axle, back, tread, face, axle
    half = [(0.0, 0.2 * r), (b + inner - 0.012, 0.2 * r), (b + inner, 0.75 * r), *((b + u, rho) for u, rho in shape.tread)]
    half += [
        (b + outer + 0.004, 0.8 * r),
        (b + outer - 0.012, 0.3 * r),
        (b + outer + 0.048, 0.17 * r),
        (b + outer + 0.14, 0.17 * r),
        (b + outer + 0.14, 1e-4),
    ]
    line = np.array([(-x, rho) for x, rho in half[::-1]] + half[1:])
    turn = 2.0 * np.pi * np.arange(fineness) / fineness
    around = np.stack([np.sin(turn), np.zeros(fineness), np.cos(turn)], axis=1)  # about e2
    out = np.stack([-np.diff(line[:, 1]), np.diff(line[:, 0])], axis=1)
    out /= np.linalg.norm(out, axis=1, keepdims=True)  # (along e2, outward), of the edges
    bent = np.abs(np.diff(np.unwrap(np.arctan2(out[:, 1], out[:, 0]))))
    bands: list[Surface] = []
    cuts = [0, *(1 + np.flatnonzero(bent > ROUND_OFF)), len(out)]
    for first, last in pairwise(cuts):  # edges first .. last - 1 make one smooth band
        n = np.vstack([out[first : first + 1], 0.5 * (out[first : last - 1] + out[first + 1 : last]), out[last - 1 : last]])
        rows = [
            (rho * around + np.array([0.0, x, 0.0]), a * around + np.array([0.0, e, 0.0]))
            for (x, rho), (e, a) in zip(line[first : last + 1], n)
        ]
        points, normals = (np.stack(some[::-1]) for some in zip(*rows))
        bands.append(lattice(points, normals / np.linalg.norm(normals, axis=2, keepdims=True)))
    return joined(*bands)


def rail_line(rail: Any) -> np.ndarray:
    """The section of the left rail (U, height), counter-clockwise seen against the run: its head by its profile, outward to the left."""
    u = np.linspace(max(rail.low, -HEAD), min(rail.high, HEAD), 25)
    head = np.stack([u, rail.height(u)], axis=1)
    head = head[np.isfinite(head[:, 1])]
    top = float(head[:, 1].max())
    middle = 0.5 * (head[0, 0] + head[-1, 0])
    side = np.array([(x, z + top) for x, z in BELOW_HEAD])
    inner, outer = side * (-1.0, 1.0) + (middle, 0.0), np.add(side[::-1], (middle, 0.0))
    return np.vstack([head[::-1], inner, outer])  # over the head to the inner side, down, along the foot, up the outer side


def straight_track(rail: Any, b: float) -> tuple[Piece, ...]:
    """One bay of the track: both rails, and a sleeper in its middle."""
    line = rail_line(rail)
    left = np.add(line, (b, 0.0))
    right = (line * (-1.0, 1.0) - (b, 0.0))[::-1]
    reach, low = b + 0.55, -0.172 + float(line[:, 1].max())
    box = np.array([(-reach, low - THICK), (reach, low - THICK), (reach, low), (-reach, low)])
    sides = swept(box, SLEEPER)
    corners = np.array([(x, y, z) for x in (0.0, SLEEPER) for y, z in box])
    ends = Surface(
        corners, np.array([[0, 2, 1], [0, 3, 2], [4, 5, 6], [4, 6, 7]]), np.repeat([(-1.0, 0.0, 0.0), (1.0, 0.0, 0.0)], 4, axis=0)
    )
    sleeper = joined(sides, ends)
    placed = sleeper._replace(vertices=sleeper.vertices + np.array([0.5 * (BAY - SLEEPER), 0.0, 0.0]))
    return Piece(joined(swept(left, BAY), swept(right, BAY)), "metal"), Piece(placed, "wood")


def track_bays(rail: Any, b: float, way: np.ndarray, aside: Any = None) -> Bays:
    """The track along a way; aside(s): lateral displacement of the rails at the place s (None: straight)."""
    pieces = straight_track(rail, b)
    if aside is None:
        return Bays(pieces, BAY)
    first, last = math.floor(float(way.min()) / BAY) - AROUND, math.ceil(float(way.max()) / BAY) + AROUND + 1
    return Bays(pieces, BAY, first, np.array([aside(BAY * k) for k in range(first, last + 1)]))


def product(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Products of quaternions, scalar first, one row each."""
    a, u, b, v = p[:, :1], p[:, 1:], q[:, :1], q[:, 1:]
    return np.concatenate([a * b - np.einsum("ij,ij->i", u, v)[:, None], a * v + b * u + np.cross(u, v)], axis=1)


def about(axis: int, angle: np.ndarray) -> np.ndarray:
    """Turns about an axis."""
    q = np.zeros((len(angle), 4))
    q[:, 0], q[:, 1 + axis] = np.cos(0.5 * angle), np.sin(0.5 * angle)
    return q


def on_rails(
    wheels: Wheels,
    way: np.ndarray,
    aside: np.ndarray,
    rise: np.ndarray,
    psi: np.ndarray,
    theta: np.ndarray,
    spin: np.ndarray,
    feet: Any,
) -> Poses:
    """The poses of a wheelset: R_x(theta) R_z(psi) R_y(spin) (1.15), its centre at (way, aside, r + rise); feet: the contacts on both wheels, left first, without spin."""
    attitude = product(about(0, theta), about(2, psi))
    turn = matrices(attitude)
    zero = np.zeros(len(way))
    centre = np.stack([way, aside, wheels.r + rise], axis=1)
    left, right = (centre + np.einsum("nij,nj->ni", turn, foot) for foot in feet)
    body = Body.from_inertia(1.0, [wheels.r**2] * 3, Sphere(wheels.r))
    small = Small(np.stack([zero, aside, rise], axis=1), rotation_vectors(attitude))
    return Poses(
        body, wheels, attitude, centre, left, feet[0], (0.0, 0.0, 1.0), second=right, spin=spin, ground=GROUND, small=small
    )
