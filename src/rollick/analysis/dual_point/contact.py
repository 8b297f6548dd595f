"""One of the two contacts of a body at an instant: where it is, its normal, its friction, the curvatures there, how the surface moves.

How it goes on (Montana's equations): with the body's material velocity V at the contact point, the surface's w and spin omega, g = V - w, and c_b, c_s the
velocities of the contact point over the body and over the surface,

    c_s = c_b + g,     n' = Omega x n + d,     c_b = -R_b d,     (1 + K_s R_b) d = (omega - Omega) x n + K_s g,

R_b the body's radii of curvature (a tensor; zero: a vertex), K_s the surface's curvature (zero: a plane; positive: a dome). Then r' = Omega x r + c_b, and
w' = (the acceleration of the surface's material) + omega x c_s.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ...kernel.names import InputError

UNIT = 1e-9  # how far from one the length of a normal may be: it is then made one


class ContactRates(NamedTuple):
    """How a contact goes on: r', n', and the rate of the surface's velocity at the contact point."""

    r: np.ndarray
    n: np.ndarray
    velocity: np.ndarray


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a x b of two vectors (many times faster than that of NumPy)."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def three(given: Any, what: str) -> np.ndarray:
    """A vector of three finite numbers."""
    try:
        made = np.array(given, float)
    except (TypeError, ValueError):
        raise InputError(f"{what} must be three numbers, not {given!r}.") from None
    if made.shape != (3,) or not np.all(np.isfinite(made)):
        raise InputError(f"{what} must be three finite numbers, not {given!r}.")
    return made


def tensor(given: Any, n: np.ndarray, what: str) -> np.ndarray:
    """A symmetric tensor across n: a number stands for the same in all directions across n, zero included."""
    try:
        made = np.array(given, float)
    except (TypeError, ValueError):
        raise InputError(f"{what} must be a number or a symmetric 3 x 3 matrix, not {given!r}.") from None
    if not np.all(np.isfinite(made)) or made.shape not in ((), (3, 3)):
        raise InputError(
            f"{what} must be a finite number or a symmetric 3 x 3 matrix, not {given!r}; a flat body touches along a line."
        )
    across = np.eye(3) - np.outer(n, n)
    if made.shape == ():
        return float(made) * across
    size = float(np.abs(made).max())
    if np.abs(made - made.T).max() > 1e-9 * size or np.abs(made @ n).max() > 1e-9 * size:
        raise InputError(f"{what} must be symmetric and act across the normal only: {made.tolist()} times n must be zero.")
    return 0.5 * (made + made.T)


@dataclass(frozen=True)
class Contact:
    """A contact, `Contact(r, n, mu)`: r from the mass centre (m), the unit normal n into the body, Coulomb's mu; all vectors in space axes.

    radii: the body's radius of curvature there (a number, or a tensor across n; 0: a vertex). curvature: of the surface (1/m; 0: flat, positive:
    a dome, negative: a vessel). velocity, spin, acceleration: of the surface's material at the contact point, if it moves.
    """

    r: Any
    n: Any
    mu: float
    radii: Any = 0.0
    curvature: Any = 0.0
    velocity: Any = (0.0, 0.0, 0.0)
    spin: Any = (0.0, 0.0, 0.0)
    acceleration: Any = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        for name in ("r", "n", "velocity", "spin", "acceleration"):
            object.__setattr__(self, name, three(getattr(self, name), name))
        length = float(np.linalg.norm(self.n))
        if abs(length - 1.0) > UNIT:
            raise InputError(f"n = {self.n.tolist()} must be of length one, not {length:.6g}.")
        object.__setattr__(self, "n", self.n / length)
        if not (isinstance(self.mu, (int, float)) and 0.0 <= self.mu < np.inf):
            raise InputError(f"mu = {self.mu!r} must be a number from zero on.")
        object.__setattr__(self, "radii", tensor(self.radii, self.n, "radii"))
        object.__setattr__(self, "curvature", tensor(self.curvature, self.n, "curvature"))
        fit = np.eye(3) + self.curvature @ self.radii
        if np.linalg.svd(fit, compute_uv=False)[-1] < 1e-9:
            raise InputError(
                f"the body is as round as the surface at r = {self.r.tolist()}: it touches along a line, and how the contact point moves is not defined."
            )

    @cached_property
    def fit(self) -> np.ndarray:
        """(1 + K_s R_b)^-1."""
        return np.linalg.inv(np.eye(3) + self.curvature @ self.radii)

    def rates(self, slip: np.ndarray, omega: np.ndarray) -> ContactRates:
        """How the contact goes on when the body's material slips with `slip` over the surface and the body turns with omega."""
        d = self.fit @ (cross(self.spin - omega, self.n) + self.curvature @ slip)
        over_body = -self.radii @ d
        return ContactRates(
            cross(omega, self.r) + over_body,
            cross(omega, self.n) + d,
            self.acceleration + cross(self.spin, over_body + slip),
        )
