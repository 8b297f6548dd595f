"""The limit vector field F*(phi) around a point of a discontinuity of codimension two (2.18, 2.24).

F*(phi) = lim F(x0 + eps n(phi)) as eps -> 0+, n(phi) = cos(phi) n1 + sin(phi) n2 with orthonormal normals n1, n2 of the set.
G(phi) = (<F*, n1>, <F*, n2>) is its normal part, R = <F*, n(phi)> the radial and V = <F*, n(phi + pi/2)> the circumferential speed:
near x0 r' = R(phi), phi' = V(phi)/r.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ....kernel.names import InputError
from .derivative import extrapolated

COUNT = 720  # samples of the circle
RATIO = 3.0
LEVELS = 7


class Harmonic(NamedTuple):
    """F* = mean + cos(phi) cosine + sin(phi) sine: the field of every Coulomb contact."""

    mean: np.ndarray
    cosine: np.ndarray
    sine: np.ndarray


@dataclass(frozen=True)
class LimitField:
    """F*(phi) at a point: `star(phi)` for an array of angles gives one row per angle; `error` bounds what extrapolation left."""

    x: np.ndarray
    normals: np.ndarray
    star: Callable[[np.ndarray], np.ndarray]
    error: float = 0.0

    def normal_part(self, phi: np.ndarray | float) -> np.ndarray:
        """G(phi), one row per angle."""
        return self.star(np.atleast_1d(np.asarray(phi, float))) @ self.normals.T

    def radial(self, phi: np.ndarray | float) -> np.ndarray:
        """R(phi)."""
        phi = np.atleast_1d(np.asarray(phi, float))
        g = self.normal_part(phi)
        return np.cos(phi) * g[:, 0] + np.sin(phi) * g[:, 1]

    def circumferential(self, phi: np.ndarray | float) -> np.ndarray:
        """V(phi)."""
        phi = np.atleast_1d(np.asarray(phi, float))
        g = self.normal_part(phi)
        return np.cos(phi) * g[:, 1] - np.sin(phi) * g[:, 0]

    @cached_property
    def angles(self) -> np.ndarray:
        """The angles of the samples; they start beside zero, so that the zeros of symmetric systems are not among them."""
        return 2.0 * np.pi * (np.arange(COUNT) + 0.38196601125) / COUNT

    @cached_property
    def samples(self) -> np.ndarray:
        """F* at the sampled angles, one row each."""
        values = np.asarray(self.star(self.angles), float)
        if values.shape != (COUNT, self.x.size) or not np.all(np.isfinite(values)):
            raise InputError(f"the limit field at x = {self.x.tolist()} must be {self.x.size} finite numbers for every angle.")
        return values

    @cached_property
    def scale(self) -> float:
        """The largest |G| on the circle."""
        return float(np.linalg.norm(self.samples @ self.normals.T, axis=1).max())

    @cached_property
    def harmonic(self) -> Harmonic | None:
        """Mean, cosine and sine part, if nothing else is in F* (to 1e-10 of its size, or to the error of the limit)."""
        cos, sin = np.cos(self.angles), np.sin(self.angles)
        mean = self.samples.mean(axis=0)
        cosine, sine = 2.0 * (cos @ self.samples) / COUNT, 2.0 * (sin @ self.samples) / COUNT
        rest = self.samples - mean - np.outer(cos, cosine) - np.outer(sin, sine)
        size = float(np.abs(self.samples).max())
        return Harmonic(mean, cosine, sine) if np.abs(rest).max() <= max(1e-10 * size, 4.0 * self.error) else None

    @cached_property
    def normal_harmonic(self) -> tuple[np.ndarray, np.ndarray] | None:
        """c and M of G = c + M (cos, sin), if the field is harmonic."""
        h = self.harmonic
        if h is None:
            return None
        return self.normals @ h.mean, np.stack([self.normals @ h.cosine, self.normals @ h.sine], axis=1)


def harmonic_field(c: np.ndarray, M: np.ndarray) -> LimitField:
    """The limit field G = c + M (cos, sin) of a plane system, given by its coefficients."""
    c, M = np.asarray(c, float), np.asarray(M, float)
    if c.shape != (2,) or M.shape != (2, 2):
        raise InputError(
            f"a harmonic field of the plane has a vector c of 2 and a matrix M of 2 x 2, not {c.shape} and {M.shape}."
        )
    return LimitField(np.zeros(2), np.eye(2), lambda phi: c + np.stack([np.cos(phi), np.sin(phi)], axis=-1) @ M.T)


def orthonormal(g1: np.ndarray, g2: np.ndarray) -> np.ndarray:
    """n1 along the first gradient, n2 perpendicular to it in the plane of both (rows)."""
    one = np.linalg.norm(g1)
    if one == 0.0:
        raise InputError("the gradient of H1 vanishes: H1 = H2 = 0 is no smooth set of codimension two there.")
    n1 = g1 / one
    rest = g2 - (g2 @ n1) * n1
    two = np.linalg.norm(rest)
    if two <= 1e-10 * np.linalg.norm(g2) or two == 0.0:
        raise InputError("the gradients of H1 and H2 are parallel: H1 = H2 = 0 is no smooth set of codimension two there.")
    rest = rest - (rest @ n1) * n1  # once more: perpendicular to rounding
    return np.stack([n1, rest / np.linalg.norm(rest)])


def limit_along(f: Callable[[float], np.ndarray], step: float, tolerance: float, what: str) -> tuple[np.ndarray, float]:
    """lim f(eps) as eps -> 0+ by Richardson's extrapolation from eps = step, step/3, ..., and its error; refused if there is none."""
    values = [np.asarray(f(step / RATIO**k), float) for k in range(LEVELS)]
    value, error = extrapolated(values, 1, RATIO)
    size = max(float(np.abs(v).max()) for v in values)
    if not error <= tolerance * size:
        raise InputError(
            f"{what} has no limit to the tolerance {tolerance:g}: extrapolation left {error:.3g} of {size:.3g}. Give the limit itself "
            "(`limit=`), a smaller `scale` (the distance over which the field varies), or a larger `limit_tolerance`."
        )
    return value, error
