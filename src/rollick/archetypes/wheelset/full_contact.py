"""The second route to the contact: all ten equations (1.17)-(1.18) as they stand, with rotation matrices and surfaces, and a
Jacobian by complex step.

Nothing is reduced by hand and nothing is shared with `contact.py` but the profiles. R_y(phi) as printed maps V_w to V_w + phi
(erratum 2), so that here V_w = zeta - phi.
"""

from __future__ import annotations

import numpy as np

from ...kernel.names import InputError
from .geometry import Geometry

NAMES = ("theta", "z", "U_r+", "U_r-", "V_r+", "V_r-", "U_w+", "U_w-", "V_w+", "V_w-")
STEP = 1e-30


def rail_surface(g: Geometry, s: float, U: complex, V: complex) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """f_r (1.13), and its derivatives by U_r and V_r."""
    c, c1 = g.rail.at(np.array(U), 1)
    return np.array([V, s * (g.b + U), -g.r + c]), np.array([0.0, s, c1]), np.array([1.0, 0.0, 0.0])


def wheel_surface(g: Geometry, s: float, U: complex, V: complex) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """f_w (1.14) in the wheelset's frame, and its derivatives by U_w and V_w."""
    c, c1 = g.wheel.at(np.array(U), 1)
    A, sin, cos = c - g.r, np.sin(V), np.cos(V)
    return np.array([A * sin, s * (g.b + U), A * cos]), np.array([c1 * sin, s, c1 * cos]), np.array([A * cos, 0.0, -A * sin])


def rotation(theta: complex, psi: complex, phi: complex) -> np.ndarray:
    """R_x(theta) R_z(psi) R_y(phi) (1.15)."""
    c, s = np.cos, np.sin
    x = np.array([[1.0, 0.0, 0.0], [0.0, c(theta), -s(theta)], [0.0, s(theta), c(theta)]])
    z = np.array([[c(psi), -s(psi), 0.0], [s(psi), c(psi), 0.0], [0.0, 0.0, 1.0]])
    y = np.array([[c(phi), 0.0, s(phi)], [0.0, 1.0, 0.0], [-s(phi), 0.0, c(phi)]])
    return x @ z @ y


def residual(g: Geometry, q: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The ten equations for q = (y, psi, phi, w) and the ten unknowns."""
    y, psi, phi, w = q
    turn, found = rotation(x[0], psi, phi), []
    for k, s in enumerate((1.0, -1.0)):
        rail, rail_U, rail_V = rail_surface(g, s, x[2 + k], x[4 + k])
        wheel, wheel_U, wheel_V = (turn @ part for part in wheel_surface(g, s, x[6 + k], x[8 + k]))
        normal = np.cross(wheel_U, wheel_V) / g.r
        found += [*(wheel + np.array([w, y, x[1]]) - rail), normal @ rail_U, normal @ rail_V]
    return np.array(found)


def solve_full(g: Geometry, y: float, psi: float, phi: float = 0.0, w: float = 0.0, parts: int = 4) -> np.ndarray:
    """The ten unknowns, by Newton's method along the way from the central position in so many parts."""
    x = np.array([0.0, 0.0, 0.0, 0.0, w, w, 0.0, 0.0, -phi, -phi])
    for k in range(1, parts + 1):
        q = np.array([y * k / parts, psi * k / parts, phi, w])
        for _ in range(50):
            columns = [residual(g, q, x + STEP * 1j * row).imag / STEP for row in np.eye(10)]
            step = np.linalg.solve(np.array(columns).T, -residual(g, q, x))
            x = x + step
            if np.abs(step).max() < 1e-14 * (1.0 + abs(w) + abs(phi)):
                break
        else:
            if not np.abs(step).max() < 1e-11 * (1.0 + abs(w) + abs(phi)):
                raise InputError(
                    f"the ten equations (1.17)-(1.18) have no solution near y = {1e3 * y:.6g} mm, psi = {1e3 * psi:.6g} mrad."
                )
    return x


def rolling_velocities(g: Geometry, y: float, psi: float, phi: float = 0.0, speed: float = 1.0) -> np.ndarray:
    """(theta', z', y', psi', phi') for w' = speed from v+ = v- = 0 (1.21): six equations for five unknowns, by least squares;
    they are consistent.
    """
    x = solve_full(g, y, psi, phi)
    turn, rows, right = rotation(x[0], psi, phi), [], []
    for k, s in enumerate((1.0, -1.0)):
        lever = turn @ wheel_surface(g, s, x[6 + k], x[8 + k])[0]
        # Omega (1.16) as columns of theta', psi', phi'
        axes = np.array(
            [
                [1.0, 0.0, 0.0],
                [0.0, -np.sin(x[0]), np.cos(x[0])],
                [-np.sin(psi), np.cos(psi) * np.cos(x[0]), np.cos(psi) * np.sin(x[0])],
            ]
        )
        turned = np.cross(axes, lever)
        rows += [np.stack([turned[0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0], turned[1], turned[2]], axis=1)]
        right += [np.array([-speed, 0.0, 0.0])]
    found, *_ = np.linalg.lstsq(np.vstack(rows), np.concatenate(right), rcond=None)
    off = float(np.abs(np.vstack(rows) @ found - np.concatenate(right)).max())
    if off > 1e-9 * abs(speed):
        raise InputError(f"both contacts cannot rest at y = {1e3 * y:.6g} mm: a velocity of {off:.2g} per unit of speed is left.")
    return found
