"""Where a rolling wheelset is, to draw it: two wheels with flanges on an axle, at its true displacements (millimetres: the
numbers beside it tell more).
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ...mechanics.body import Body
from ...mechanics.poses import Poses, poses, unit_quaternions
from ...mechanics.shapes.convex import Sphere
from ...mechanics.shapes.triangles import Surface, joined, lattice, triangulated
from .rolling import WheelsetRolling, geometry_of


class Wheels(NamedTuple):
    """Two wheels of radius r at the distances +-b along e2, on an axle: to be drawn only."""

    b: float
    r: float
    h: float


@triangulated.register(Wheels)
def _(shape, fineness):
    r, b = shape.r, shape.b
    # (distance from the middle, radius) of an outline from the middle outward: axle, back, flange, tread, face, axle
    half = [
        (0.0, 0.2 * r), (b - 0.08, 0.2 * r), (b - 0.068, 0.75 * r), (b - 0.068, r + 0.02), (b - 0.055, r + 0.03), (b - 0.042, r + 0.02), (b - 0.032, r + 0.004),
        (b - 0.02, r + 0.02 * shape.h), (b + 0.062, r - 0.062 * shape.h), (b + 0.066, 0.8 * r), (b + 0.05, 0.3 * r), (b + 0.11, 0.17 * r), (b + 0.2, 0.17 * r), (b + 0.2, 1e-4),
    ]  # fmt: skip
    line = np.array([(-x, rho) for x, rho in half[::-1]] + half[1:])
    turn = 2.0 * np.pi * np.arange(fineness) / fineness
    around = np.stack([np.sin(turn), np.zeros(fineness), np.cos(turn)], axis=1)  # about e2
    bands: list[Surface] = []
    for (x0, r0), (x1, r1) in pairwise(line):
        edge = np.array([x1 - x0, r1 - r0])
        out = np.array([-edge[1], edge[0]]) / np.linalg.norm(edge)  # (along e2, outward)
        points = np.stack([rho * around + (0.0, x, 0.0) for x, rho in ((x1, r1), (x0, r0))])
        normal = out[1] * around + (0.0, out[0], 0.0)
        bands.append(lattice(points, np.stack([normal, normal])))
    return joined(*bands)


def product(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Products of quaternions, scalar first, one row each."""
    a, u, b, v = p[:, :1], p[:, 1:], q[:, :1], q[:, 1:]
    return np.concatenate([a * b - np.einsum("ij,ij->i", u, v)[:, None], a * v + b * u + np.cross(u, v)], axis=1)


def about(axis: int, angle: np.ndarray) -> np.ndarray:
    """Turns about an axis."""
    q = np.zeros((len(angle), 4))
    q[:, 0], q[:, 1 + axis] = np.cos(0.5 * angle), np.sin(0.5 * angle)
    return q


@poses.register(WheelsetRolling)
def _(system, t, y, q):
    """R_x(theta) R_z(psi) R_y(phi) (1.15); the floor of the picture is at the height of the nominal contact points, and the left
    contact is marked.
    """
    g = geometry_of(system)
    attitude = unit_quaternions(product(product(about(0, y[:, 3]), about(2, y[:, 1])), about(1, y[:, 2])))
    A = g.wheel.height(y[:, 4]) - system.r
    S = -g.wheel.at(y[:, 4], 1)[1] * np.tan(y[:, 1])
    zeta = np.arcsin(S) - y[:, 2]  # the angle V_w of the contact on the wheel
    foot = np.stack([A * np.sin(zeta), system.b + y[:, 4], A * np.cos(zeta)], axis=1)
    turn = rotations(attitude)
    way = system.v * np.asarray(t)
    lever = np.einsum("nij,nj->ni", turn, foot)
    centre = np.stack([way, y[:, 0], np.zeros(len(way))], axis=1)
    contact = centre + lever
    contact[:, 2] = 0.0
    centre = contact - lever
    body = Body.from_inertia(1.0, [system.r**2] * 3, Sphere(system.r))
    return Poses(body, Wheels(system.b, system.r, g.h), attitude, centre, contact, foot, (0.0, 0.0, 1.0))


def rotations(attitude: np.ndarray) -> np.ndarray:
    """Rotation matrices."""
    from ...mechanics.poses import matrices

    return matrices(attitude)
