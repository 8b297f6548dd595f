"""What surrounds a body on its picture, and displacements so small that a picture shows them enlarged.

A track is one bay, repeated: rails between two sleepers. `Small` tells how much of a body's place and attitude is a small displacement from
a nominal one; a picture may then show (with the factor f)

    place + (f - 1) shift,        exp((f - 1) turn) attitude,

which is the body as it is for f = 1, and in its nominal place for f = 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .shapes.triangles import Surface


class Piece(NamedTuple):
    """A surface in the plane's frame, and what it is made of, by which it is coloured: "metal" or "wood"."""

    surface: Surface
    made_of: str


class Bays(NamedTuple):
    """Pieces that repeat along x: bay k is shown at k length, for all k around the body.

    aside: (m,) lateral displacements where bays meet, at x = (first + i) length; bays between them are sheared. None: straight
    """

    pieces: tuple[Piece, ...]
    length: float
    first: int = 0
    aside: np.ndarray | None = None


class Small(NamedTuple):
    """Small displacements of a body at n instants: of its origin, shift (n, 3), and rotation vectors (n, 3) of what turns its nominal attitude into the true one."""

    shift: np.ndarray
    turn: np.ndarray


def rotation_vectors(attitude: np.ndarray) -> np.ndarray:
    """Axis times angle of unit quaternions (scalar first), the shorter way round."""
    q = np.where(attitude[:, :1] < 0.0, -attitude, attitude)
    sine = np.linalg.norm(q[:, 1:], axis=1)
    angle = 2.0 * np.arctan2(sine, q[:, 0])
    return q[:, 1:] * np.divide(angle, sine, out=np.full(len(q), 2.0), where=sine > 0.0)[:, None]


def swept(line: np.ndarray, length: float) -> Surface:
    """A closed line (k, 2) in the plane of y and z, counter-clockwise seen against x, swept from x = 0 to the length; flat between its corners, open at its ends."""
    parts = []
    for (y0, z0), (y1, z1) in zip(line, np.roll(line, -1, axis=0)):
        size = np.hypot(y1 - y0, z1 - z0)
        if size == 0.0:
            continue
        corners = np.array([(0.0, y0, z0), (length, y0, z0), (length, y1, z1), (0.0, y1, z1)])
        normal = np.array([0.0, (z1 - z0) / size, -(y1 - y0) / size])
        parts.append((corners, normal))
    quad = np.array([[0, 3, 2], [0, 2, 1]])
    return Surface(
        np.vstack([corners for corners, _ in parts]),
        np.vstack([quad + 4 * k for k in range(len(parts))]),
        np.vstack([np.tile(normal, (4, 1)) for _, normal in parts]),
    )
