"""The dying disk: a flat n-gon of contact points on the unit circle that rattles round its edge, thesis chapter 4.

Many points (n >> 3) stand for a disk that is not quite round, three for a rough floor. Everything is told to leading order in the tilt:
coordinates q = (phi_x, phi_y, h), velocities p = (omega_x, omega_y, v), contact functionals f_i = R^i f_0 with f_0 = (0, -1, 1), mass one,
radius one. The homogeneous disk has rho = 1/2.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ...analysis.chatter import spectrum
from ...kernel.names import InputError, number, whole
from ...mechanics.plate import Plate, regular

MOST_POINTS = 10_000


class Disk(NamedTuple):
    """Number of contact points, radius of gyration about a diameter over the radius, coefficient of restitution."""

    n: int
    rho: float
    gamma: float

    @property
    def turn(self) -> float:
        """The angle from one point to the next, 2 pi/n."""
        return 2.0 * math.pi / self.n

    @property
    def plate(self) -> Plate:
        """The body that `collide` takes."""
        return regular(self.n, self.rho)


def disk(n: Any, rho: Any, gamma: Any) -> Disk:
    """A checked disk."""
    count = whole(n, "n", 3)
    if count > MOST_POINTS:
        raise InputError(
            f"n = {n!r} is more than {MOST_POINTS}, where rounding hides what is looked for; see `limit.py` for many points."
        )
    radius, bounce = number(rho, "rho"), number(gamma, "gamma")
    if not 1e-6 <= radius <= 1e3:
        raise InputError(f"rho = {rho!r} must be above zero (1e-6 .. 1e3); a homogeneous disk has 0.5, a hoop 0.7071.")
    if not 0.0 <= bounce < 1.0:
        raise InputError(f"gamma = {gamma!r} must lie between 0 (no rebound) and below 1 (with no loss nothing ends).")
    return Disk(count, radius, bounce)


def rotation(d: Disk) -> np.ndarray:
    """R: by 2 pi/n about the third axis (2.14)."""
    return spectrum.rotation(d.n)


def functionals(d: Disk) -> np.ndarray:
    """f_i = (sin(2 pi i/n), -cos(2 pi i/n), 1), one row each."""
    angle = d.turn * np.arange(d.n)
    return np.column_stack([np.sin(angle), -np.cos(angle), np.ones(d.n)])


def impact(d: Disk) -> np.ndarray:
    """U_0 = I - k [[0, 0, 0], [0, 1, -1], [0, -rho^2, rho^2]], k = (1 + gamma)/(1 + rho^2) (2.44)."""
    return spectrum.impact(d.rho, d.gamma)


def acceleration(d: Disk, g: float = 1.0) -> np.ndarray:
    """a_0 after an impact at point 0: free flight for gamma > 0 (4.14), slip on point 0 for gamma = 0 (4.15) with (2.35)."""
    down = np.array([0.0, 0.0, -g])
    if d.gamma > 0.0:
        return down
    eta = g * d.rho**2 / (1.0 + d.rho**2)
    return down + eta * np.array([0.0, -1.0 / d.rho**2, 1.0])


def energy(d: Disk, p: np.ndarray, q: np.ndarray, g: float = 1.0) -> float:
    """E = g h + p'Theta p/2 for mass one, (4.37) corrected (E13b)."""
    return float(g * q[2] + 0.5 * (d.rho**2 * (p[0] ** 2 + p[1] ** 2) + p[2] ** 2))
