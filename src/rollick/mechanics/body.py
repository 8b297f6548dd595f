"""A rigid body: mass, inertia about its mass centre, the mass centre in the axes of the shape, and the shape it touches with."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..kernel.names import InputError, number, numbers
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
    def from_inertia(cls, mass: float | str, inertia: Any, shape: Any, centre: Any = (0.0, 0.0, 0.0)) -> Body:
        """From the inertia about the mass centre (a 3x3 matrix, or three principal moments); what cannot exist is refused.

        Numbers may be texts with a unit: "250g", "2e-4 kg m^2", "3cm".
        """
        mass, shape = number(mass, "mass", "kg"), with_lengths(shape)
        matrix = numbers(inertia, "inertia", "kg m^2")
        matrix = np.diag(matrix) if matrix.shape == (3,) else matrix
        problem = impossible_inertia(mass, matrix)
        if problem:
            raise InputError(f"this body cannot exist: {problem}")
        c = tuple(numbers(centre, "centre", "m").tolist())
        if len(c) != 3:
            raise InputError(f"centre = {centre!r} must be three finite numbers, the mass centre in the axes of the shape.")
        problem = impossible_shape(shape)
        if problem:
            raise InputError(f"this shape cannot exist: {problem}")
        made = cls(mass, tuple(tuple(float(x) for x in row) for row in matrix), c, shape)
        check_centre(made)
        return made

    @classmethod
    def from_parts(cls, parts: MassProperties, shape: Any) -> Body:
        """From mass properties (see `rollick.mechanics.mass.primitives`), in the axes of the shape."""
        return cls.from_inertia(parts.mass, parts.inertia, shape, parts.centre)


def with_lengths(shape: Any) -> Any:
    """A shape whose sizes may be texts with a unit, Sphere("3cm"), with all of them in metres; the exponent p is a plain number."""
    if isinstance(shape, tuple) and hasattr(shape, "_fields"):
        return type(shape)(*(_length(name, value) for name, value in zip(shape._fields, shape)))
    return shape


def _length(name: str, value: Any) -> Any:
    return number(value, name, "" if name == "p" else "m") if isinstance(value, str) else with_lengths(value)


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
