"""The rest positions of a body with flat faces on a level plane, from its corners alone.

The height h(n) of the mass centre is the largest (v - c).n of the corners v. It is least, and the body stable, on a face into which the mass
centre projects; an edge onto whose inside it projects is a saddle, if the edge is lowest there; a corner is a maximum, if it is lowest when right below the mass
centre. faces - edges + corners = 2 counts them. Corners rounded with a radius r raise the height by r and change nothing else.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..facets import hull_faces


class Balance(NamedTuple):
    """A rest position: the outward normal at the contact, the height, and on how many corners it stands (1: corner, 2: edge, more: face)."""

    normal: np.ndarray
    height: float
    stands_on: int


def lowest(points: np.ndarray, n: np.ndarray, slack: float) -> np.ndarray:
    """The corners farthest along n."""
    along = points @ n
    return np.flatnonzero(along > along.max() - slack)


def balances(corners: np.ndarray, centre: np.ndarray, radius: float = 0.0) -> tuple[list[Balance], bool]:
    """All rest positions on faces, edges and corners, and whether their count closes."""
    points = corners - centre
    size = float(np.linalg.norm(points, axis=1).max())
    slack = 1e-10 * size
    found: list[Balance] = []
    edges: dict[tuple[int, int], None] = {}
    for face in hull_faces(points):
        names = [int(np.argmin(np.linalg.norm(points - corner, axis=1))) for corner in face]
        for i, j in zip(names, [*names[1:], names[0]]):
            edges[min(i, j), max(i, j)] = None
        normal = np.cross(face[1] - face[0], face[2] - face[1])
        normal /= np.linalg.norm(normal)
        foot = float(face[0] @ normal) * normal  # the mass centre over the face
        sides = np.cross(np.roll(face, -1, axis=0) - face, foot - face) @ normal
        if np.all(sides > 0.0):
            found.append(Balance(normal, float(face[0] @ normal) + radius, len(face)))
    for i, j in edges:
        along = points[j] - points[i]
        share = -float(points[i] @ along) / float(along @ along)
        if 0.0 < share < 1.0:
            foot = points[i] + share * along
            n = foot / np.linalg.norm(foot)
            if set(lowest(points, n, slack)) == {i, j}:
                found.append(Balance(n, float(np.linalg.norm(foot)) + radius, 2))
    for k, corner in enumerate(points):
        n = corner / np.linalg.norm(corner)
        if list(lowest(points, n, slack)) == [k]:
            found.append(Balance(n, float(np.linalg.norm(corner)) + radius, 1))
    signs = {1: 1, 2: -1}
    return found, sum(signs.get(b.stands_on, 1) for b in found) == 2
