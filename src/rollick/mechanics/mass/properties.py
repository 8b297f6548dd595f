"""Mass properties: mass, mass centre and inertia of bodies made of parts.

    stone = solid_ellipsoid(1.0, 0.20, 0.03, 0.02) + point(0.05, (0.1, 0.01, 0.0)) - solid_cylinder(0.02, 0.004, 0.03)

A part may be subtracted (a hole: negative mass), shifted and rotated. The inertia matrix is about the mass centre, in the axes of the
body; its off-diagonal entries are the matrix entries (minus the products of inertia). What is not a real body is refused with the
violated inequality.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...kernel.names import InputError, number, numbers

SLACK = 1e-9  # relative, for rounding in sums of large terms


@dataclass(frozen=True, eq=False)
class MassProperties:
    """Mass, mass centre and inertia matrix about the mass centre."""

    mass: float
    centre: np.ndarray
    inertia: np.ndarray

    def about(self, point: Any) -> np.ndarray:
        """The inertia matrix about another point (Huygens-Steiner)."""
        d = self.centre - np.asarray(point, float)
        return self.inertia + self.mass * (d @ d * np.eye(3) - np.outer(d, d))

    def shifted(self, by: Any) -> MassProperties:
        """The same body moved."""
        return MassProperties(self.mass, self.centre + numbers(by, "shift", "m"), self.inertia)

    def rotated(self, rotation: Any) -> MassProperties:
        """The same body turned about the origin by a rotation matrix, or by (axis, angle)."""
        r = rotation_matrix(rotation)
        return MassProperties(self.mass, r @ self.centre, r @ self.inertia @ r.T)

    def scaled(self, mass: float) -> MassProperties:
        """The same distribution with another total mass."""
        factor = number(mass, "mass", "kg") / self.mass
        return MassProperties(self.mass * factor, self.centre, self.inertia * factor)

    def __neg__(self) -> MassProperties:
        return MassProperties(-self.mass, self.centre, -self.inertia)

    def __add__(self, other: MassProperties) -> MassProperties:
        mass = self.mass + other.mass
        if mass == 0.0:
            raise InputError("the masses of the parts add up to zero: there is no mass centre; change one of them.")
        centre = (self.mass * self.centre + other.mass * other.centre) / mass
        return MassProperties(mass, centre, self.about(centre) + other.about(centre))

    def __sub__(self, other: MassProperties) -> MassProperties:
        return self + (-other)

    def principal(self) -> tuple[np.ndarray, np.ndarray]:
        """The principal moments, ascending, and the principal axes as columns of a right-handed rotation matrix."""
        moments, axes = np.linalg.eigh(self.inertia)
        if np.linalg.det(axes) < 0.0:
            axes[:, 0] *= -1.0
        return moments, axes

    def checked(self) -> MassProperties:
        """The body itself, if it can exist; otherwise an error with the violated inequality."""
        problem = impossible_inertia(self.mass, self.inertia)
        if problem:
            raise InputError(f"these mass properties belong to no body: {problem}")
        return self

    def __repr__(self) -> str:
        rows = "; ".join(" ".join(f"{v:.6g}" for v in row) for row in self.inertia)
        return f"mass {self.mass:.6g} kg, centre ({', '.join(f'{v:.6g}' for v in self.centre)}) m, inertia [{rows}] kg m^2"


def impossible_inertia(mass: float, inertia: np.ndarray) -> str:
    """Why no body has this mass and inertia; "" if one has."""
    inertia = np.asarray(inertia, float)
    if not np.all(np.isfinite(inertia)) or not np.isfinite(mass):
        return "not all numbers are finite."
    if mass <= 0.0:
        return f"the mass {mass:g} must be above zero."
    if inertia.shape != (3, 3):
        return f"the inertia must be a 3x3 matrix, not of shape {inertia.shape}."
    size = np.abs(inertia).max()
    if np.abs(inertia - inertia.T).max() > SLACK * size:
        return "the inertia matrix is not symmetric."
    low, middle, high = np.linalg.eigvalsh(inertia)
    if low < -SLACK * size:
        return f"the inertia matrix is not positive definite: its least principal moment is {low:.6g}."
    if low + middle < high * (1.0 - SLACK):
        return f"the principal moments violate the triangle inequality: {low:.6g} + {middle:.6g} < {high:.6g}."
    return ""


def rotation_matrix(rotation: Any) -> np.ndarray:
    """A rotation matrix from a matrix, or from (axis, angle)."""
    if isinstance(rotation, (tuple, list)) and len(rotation) == 2:
        axis = numbers(rotation[0], "axis")
        if axis.shape != (3,):
            raise InputError(f"the axis {rotation[0]!r} of a rotation must be three numbers, e.g. (0, 0, 1).")
        size = np.linalg.norm(axis)
        if size == 0.0:
            raise InputError("the axis of a rotation must not be zero; give e.g. (0, 0, 1).")
        x, y, z = axis / size
        angle = number(rotation[1], "angle", "rad")
        k = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        return np.eye(3) + np.sin(angle) * k + (1.0 - np.cos(angle)) * k @ k
    try:
        r = np.asarray(rotation, float)
    except (TypeError, ValueError):  # a text, or rows of different lengths
        r = np.empty(0)
    if r.shape != (3, 3) or not np.abs(r @ r.T - np.eye(3)).max() <= 1e-9 or np.linalg.det(r) < 0.0:
        given = f", not {rotation!r}" if r.shape != (3, 3) else ""
        raise InputError(
            f'a rotation is a 3x3 orthogonal matrix with determinant 1, or (axis, angle){given}; write e.g. ((0, 0, 1), "30deg").'
        )
    return r


def body(mass: float, inertia: Any, centre: Any = (0.0, 0.0, 0.0)) -> MassProperties:
    """Mass properties from numbers: the inertia about the mass centre as a matrix or as three principal moments; checked."""
    matrix = numbers(inertia, "inertia", "kg m^2")
    if matrix.shape == (3,):
        matrix = np.diag(matrix)
    return MassProperties(number(mass, "mass", "kg"), numbers(centre, "centre", "m"), matrix).checked()
