"""A rigid body: mass, inertia about its mass centre, the mass centre in the axes of the shape, and the shape it touches with."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..kernel.names import InputError
from ..kernel.vector import dot
from .mass.properties import MassProperties, impossible_inertia
from .shapes.convex import impossible_shape, support


class Body(NamedTuple):
    """A rigid body of convex shape; all vectors and the inertia matrix in the axes of the shape."""

    mass: float
    inertia: tuple
    centre: tuple
    shape: Any

    @classmethod
    def from_inertia(cls, mass: float, inertia: Any, shape: Any, centre: Any = (0.0, 0.0, 0.0)) -> Body:
        """From the inertia about the mass centre (a 3x3 matrix, or three principal moments); what cannot exist is refused."""
        matrix = np.asarray(inertia, float)
        matrix = np.diag(matrix) if matrix.shape == (3,) else matrix
        problem = impossible_inertia(float(mass), matrix)
        if problem:
            raise InputError(f"this body cannot exist: {problem}")
        c = tuple(float(x) for x in centre)
        if len(c) != 3 or not np.all(np.isfinite(c)):
            raise InputError(f"centre = {centre!r} must be three finite numbers, the mass centre in the axes of the shape.")
        problem = impossible_shape(shape)
        if problem:
            raise InputError(f"this shape cannot exist: {problem}")
        made = cls(float(mass), tuple(tuple(float(x) for x in row) for row in matrix), c, shape)
        check_centre(made)
        return made

    @classmethod
    def from_parts(cls, parts: MassProperties, shape: Any) -> Body:
        """From mass properties (see `rollick.mechanics.mass.primitives`), in the axes of the shape."""
        return cls.from_inertia(parts.mass, parts.inertia, shape, parts.centre)

    @classmethod
    def from_file(cls, path: Any) -> Body:
        """From a body file (TOML); `rollick.mechanics.bodyfile.read_body` also tells its surfaces, start and options."""
        from .bodyfile.read import read_body

        return read_body(path).body


def directions(count: int = 400) -> np.ndarray:
    """Unit vectors spread evenly over the sphere (a Fibonacci lattice)."""
    k = np.arange(count) + 0.5
    z = 1.0 - 2.0 * k / count
    turn = np.pi * (1.0 + 5.0**0.5) * k
    s = np.sqrt(1.0 - z * z)
    return np.stack([s * np.cos(turn), s * np.sin(turn), z], axis=1)


def check_centre(body: Body) -> None:
    """Refuse a mass centre outside the shape: it must be below the support plane in every direction."""
    for n in directions():
        normal = tuple(float(x) for x in n)
        clearance = float(dot(support(body.shape, normal), normal) - dot(body.centre, normal))
        if clearance < 0.0:
            raise InputError(
                f"the mass centre {tuple(round(c, 9) for c in body.centre)} lies outside the shape (by {-clearance:.3g} m in the "
                f"direction {tuple(round(x, 3) for x in normal)}); a body rolls only with its mass centre inside."
            )
