"""Tables 3.4 and 3.5 by ranks: the equations of a random body with two contacts, from Newton's and Euler's laws for all six velocities.

Unknown are the accelerations (v_C', Omega') and six contact forces. The normal components of acceleration of both contact points are given by
the geometry (two equations), the motion has six, rolling gives two more at a contact, slip gives two laws of friction instead. Counted in
quasi-velocities, which satisfy the two normal equations already, unknowns and equations are two fewer.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

MODES = ("SS", "SR", "RS", "RR")


class Ranks(NamedTuple):
    """Independent equations and unknowns in quasi-velocities, and the velocities that the constraints leave free."""

    equations: int
    unknowns: int
    free: int


def cross(r: np.ndarray) -> np.ndarray:
    """The matrix of r x."""
    return np.array([[0.0, -r[2], r[1]], [r[2], 0.0, -r[0]], [-r[1], r[0], 0.0]])


def random_ranks(rng: np.random.Generator, mode: str) -> Ranks:
    """The ranks for a random body, contacts, normals, friction and directions of slip, in a mode."""
    mass, half = rng.uniform(0.5, 2.0), rng.normal(size=(3, 3))
    inertia = half @ half.T + 0.1 * np.eye(3)
    r, n = rng.normal(size=(2, 3)), rng.normal(size=(2, 3))
    n /= np.linalg.norm(n, axis=1)[:, None]
    point = [np.hstack([np.eye(3), -cross(x)]) for x in r]  # acceleration of a contact point, from (v_C', Omega')
    weight = np.zeros((6, 6))
    weight[:3, :3], weight[3:, 3:] = mass * np.eye(3), inertia
    rows = [np.hstack([weight, -point[0].T, -point[1].T])]
    held = []
    for k, letter in enumerate(mode):
        along = np.linalg.svd(n[k][None])[2][1:]  # two directions in the tangent plane
        rows_held = np.vstack([n[k], along]) if letter == "R" else n[k][None]
        held.append(rows_held @ point[k])
        if letter == "S":
            phi, mu = rng.uniform(0.0, 2.0 * np.pi), rng.uniform(0.1, 0.6)
            law = np.zeros((2, 12))
            law[:, 6 + 3 * k : 9 + 3 * k] = along + mu * np.outer([np.cos(phi), np.sin(phi)], n[k])
            rows.append(law)
    constraints = np.vstack(held)
    rows.append(np.hstack([constraints, np.zeros((len(constraints), 6))]))
    rank = int(np.linalg.matrix_rank(np.vstack(rows), 1e-9))
    return Ranks(rank - 2, 12 - 2, 6 - int(np.linalg.matrix_rank(constraints, 1e-9)))
