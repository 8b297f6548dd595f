"""A body that may touch a plane at finitely many points of one flat face, seen to leading order in its tilt.

Coordinates q = (phi_x, phi_y, h): small rotations about the horizontal axes and the height of the mass centre above its place when the
face lies flat; velocities p = (omega_x, omega_y, v). Contact point i at (x_i, y_i) of the face has the functional f_i = (y_i, -x_i, 1):
its height is f_i.q, its vertical velocity f_i.p. The mass matrix is Theta = m diag(rho_x^2, rho_y^2, 1), in principal axes, thesis (2.28).
An impact at i changes p by a multiple of w_i = Theta^-1 f_i / (f_i' Theta^-1 f_i), so that f_i.w_i = 1.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..kernel.names import InputError, array_of, number, numbers


class Plate(NamedTuple):
    """Contact points (x_i, y_i) about the mass centre, radii of gyration about the x and y axes, mass. Lengths in any one unit."""

    x: tuple[float, ...]
    y: tuple[float, ...]
    rho_x: float
    rho_y: float
    mass: float = 1.0

    @property
    def count(self) -> int:  # type: ignore[override]
        """The number of contact points."""
        return len(self.x)

    @property
    def theta(self) -> np.ndarray:
        """The diagonal of Theta."""
        return self.mass * np.array([self.rho_x**2, self.rho_y**2, 1.0])

    @property
    def f(self) -> np.ndarray:
        """The contact functionals, one row each."""
        return np.column_stack([self.y, -np.asarray(self.x), np.ones(self.count)])

    @property
    def effective_mass(self) -> np.ndarray:
        """1/(f_i' Theta^-1 f_i): the mass that an impact at i feels."""
        masses: np.ndarray = 1.0 / np.sum(self.f**2 / self.theta, axis=1)
        return masses

    @property
    def w(self) -> np.ndarray:
        """The changes of p that change the velocity of their own point by one, one row each."""
        changes: np.ndarray = self.effective_mass[:, None] * self.f / self.theta
        return changes

    @property
    def coupling(self) -> np.ndarray:
        """G[i, j] = f_j.w_i: how the velocity of point j follows that of point i in an impact at i."""
        coupling: np.ndarray = self.w @ self.f.T
        return coupling

    @property
    def encloses_centre(self) -> bool:
        """Whether the mass centre stands above the polygon (or the segment) of its contact points."""
        return _inside(np.column_stack([self.x, self.y]))

    def impact_map(self, i: int, gamma: float) -> np.ndarray:
        """U_i = I - (1 + gamma) w_i f_i' (2.44)."""
        return np.eye(3) - (1.0 + gamma) * np.outer(self.w[i], self.f[i])


def is_possible(plate: Plate) -> bool:
    """Whether a plate has two or more contact points, and radii of gyration and a mass above zero, all of them finite."""
    numbers = np.array([*plate.x, *plate.y, *plate[2:]], float)
    return 2 <= len(plate.x) == len(plate.y) and bool(np.all(np.isfinite(numbers))) and bool(numbers[-3:].min() > 0.0)


def plate(points: Any, rho: Any = None, *, inertia: Any = None, mass: Any = 1.0) -> Plate:
    """A plate from contact points (pairs about the mass centre) and its radii of gyration, or its central inertia.

    `rho` is one number (equal about all horizontal axes) or a pair (about x, about y). `inertia` is the horizontal 2x2 block of the
    central inertia tensor; then the points are turned into principal axes.
    """
    xy = array_of(points, "points")
    m = number(mass, "mass", "kg")
    if m <= 0.0:
        raise InputError(f"mass = {mass!r} must be above zero.")
    if xy.ndim != 2 or xy.shape[1] != 2 or xy.shape[0] < 2 or not np.all(np.isfinite(xy)):
        raise InputError("contact points must be at least two pairs (x, y) of finite numbers about the mass centre.")
    if (rho is None) == (inertia is None):
        raise InputError(
            "give either rho (one radius of gyration, or one about x and one about y) or inertia (2x2), not both or none."
        )
    if inertia is not None:
        block = array_of(inertia, "inertia")
        if block.shape != (2, 2) or abs(block[0, 1] - block[1, 0]) > 1e-12 * np.abs(block).max():
            raise InputError("inertia must be the symmetric horizontal 2x2 block of the central inertia tensor.")
        moments, axes = np.linalg.eigh(0.5 * (block + block.T))
        axes *= np.sign(np.linalg.det(axes))
        xy, radii = xy @ axes, np.sqrt(np.maximum(moments, 0.0) / m)
    else:
        try:
            radii = np.broadcast_to(numbers(rho, "rho", "m"), (2,))
        except ValueError:
            raise InputError(f"rho = {rho!r} must be one number, or one about x and one about y.") from None
    size = float(np.abs(xy).max())
    if not np.all(np.isfinite(radii)) or np.any(radii <= 1e-6 * size) or np.any(radii >= 1e6 * size):
        raise InputError(
            f"the radii of gyration {radii.tolist()} must be above zero, and between a millionth and a million times the distance of the points."
        )
    if xy.shape[0] > 2 and not _convex(xy):
        raise InputError(
            "contact points must be the corners of a convex polygon, in order (either way round); leave out points inside their hull."
        )
    if xy.shape[0] == 2 and np.array_equal(xy[0], xy[1]):
        raise InputError("the two contact points coincide; a rod needs two different ends.")
    return Plate(tuple(map(float, xy[:, 0])), tuple(map(float, xy[:, 1])), float(radii[0]), float(radii[1]), m)


def regular(n: int, rho: float, mass: float = 1.0) -> Plate:
    """A regular n-gon of contact points on the unit circle, the first at (1, 0), with equal radii of gyration (section 3.2)."""
    if not math.isfinite(n) or int(n) != n or n < 3:
        raise InputError(f"n = {n!r} must be a whole number, 3 or more; a rod has two contact points.")
    turn = 2.0 * math.pi * np.arange(int(n)) / int(n)
    xy = np.column_stack([np.cos(turn), np.sin(turn)])
    xy[np.abs(xy) < 1e-15] = 0.0
    return plate(xy, number(rho, "rho"), mass=mass)


def _turns(xy: np.ndarray) -> np.ndarray:
    a = np.roll(xy, -1, axis=0) - xy
    b = np.roll(a, -1, axis=0)
    turns: np.ndarray = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    return turns


def _convex(xy: np.ndarray) -> bool:
    """Whether the points are the corners of a convex polygon in order: every turn has one sign, and they go round once."""
    turns = _turns(xy)
    if not (np.all(turns > 0.0) or np.all(turns < 0.0)):
        return False
    centre = xy - xy.mean(axis=0)
    angle = np.unwrap(np.arctan2(centre[:, 1], centre[:, 0]), period=2 * math.pi)
    return bool(abs(angle[-1] - angle[0]) < 2 * math.pi)


def _inside(xy: np.ndarray) -> bool:
    if len(xy) == 2:
        a, b = xy
        along = float(np.dot(a, b))
        return along < 0.0 and abs(a[0] * b[1] - a[1] * b[0]) <= 1e-12 * (np.dot(a, a) + np.dot(b, b))
    nxt = np.roll(xy, -1, axis=0)
    cross = xy[:, 0] * nxt[:, 1] - xy[:, 1] * nxt[:, 0]
    return bool(np.all(cross > 0.0) or np.all(cross < 0.0))
