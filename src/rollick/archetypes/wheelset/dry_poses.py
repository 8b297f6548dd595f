"""The wheelset to look at: seen from the vehicle, lateral displacement, yaw and roll magnified, without its spin (a hundred turns a second are no picture)."""

from __future__ import annotations

import numpy as np

from ...mechanics.facets import Facets, hovering, hull_faces
from ...mechanics.poses import poses
from .creep import CreepWheelset
from .dry import DryWheelset
from .load_transfer import LoadedWheelset

MAGNIFIED = 30.0  # times the displacements
SIDES = 40


def prism(radius: float, low: float, high: float, outer: float | None = None) -> list[np.ndarray]:
    """The faces of a disk about the axle (y) from low to high, of another radius at `high` if it is a cone."""
    turn = 2.0 * np.pi * np.arange(SIDES) / SIDES
    ring = lambda R, y: np.stack([R * np.cos(turn), np.full(SIDES, y), R * np.sin(turn)], axis=1)
    return hull_faces(np.vstack([ring(radius, low), ring(radius if outer is None else outer, high)]))


def wheelset_shape(b: float, r: float) -> Facets:
    """Two coned wheels with flanges inside, and the axle."""
    faces = prism(0.18 * r, -1.25 * b, 1.25 * b)
    for side in (1.0, -1.0):
        tread, flange = sorted((side * 0.93 * b, side * 1.07 * b)), sorted((side * 0.89 * b, side * 0.93 * b))
        inner, outer = (1.015 * r, 0.985 * r) if side > 0.0 else (0.985 * r, 1.015 * r)
        faces += prism(inner, tread[0], tread[1], outer)
        faces += prism(1.06 * r, flange[0], flange[1])
    return Facets(tuple(faces))


@poses.register(CreepWheelset)
@poses.register(LoadedWheelset)
@poses.register(DryWheelset)
def _(system, t, y, q):
    w = system if isinstance(system, DryWheelset) else system.wheels
    half = 0.5 * MAGNIFIED * y[:, 1] / w.b
    zero = np.zeros(len(t))
    attitude = np.stack([np.cos(half), zero, zero, np.sin(half)], axis=1)
    return hovering(wheelset_shape(w.b, w.r), attitude, np.stack([zero, MAGNIFIED * y[:, 0], np.full(len(t), w.r)], axis=1))
