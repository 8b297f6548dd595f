"""A ball on the bottom of a pool (section 2.4.1): spatial Coulomb friction and a viscous force; an extended Filippov system."""

from __future__ import annotations

import numpy as np

from ...kernel.names import InputError
from ...motion.filippov.extended import ExtendedSwitching
from ...motion.filippov.points import positive


def critical_speed(m: float = 1.0, K: float = 0.5, mu: float = 0.1, g: float = 9.81) -> float:
    """7 mu g m/(2K) (2.43): a faster ball cannot roll."""
    return 7.0 * mu * g * m / (2.0 * K)


def pool_ball(
    m: float = 1.0, K: float = 0.5, mu: float = 0.1, g: float = 9.81, flow: tuple[float, float] = (0.0, 0.0)
) -> ExtendedSwitching:
    """x = (u_y, u_z, v_y, v_z): slip at the bottom and velocity of the centre (2.39); the water flows with the velocity `flow`.

    u' = -(7/2) mu g u/|u| - (K/m)(v - flow), v' = -mu g u/|u| - (K/m)(v - flow). It rolls, u = 0, while |v - flow| < 7 mu g m/(2K) (2.43), with
    F_s = (0, 0, -5K(v - flow)/(7m)) (2.45).
    """
    for name, value in {"m": m, "K": K, "mu": mu, "g": g}.items():
        positive(value, name)
    water = np.array(flow, float)
    if water.shape != (2,) or not np.all(np.isfinite(water)):
        raise InputError(f"flow is the velocity of the water, two numbers, not {flow!r}.")

    def of_direction(x: np.ndarray, u: np.ndarray) -> np.ndarray:
        drag = -(K / m) * (x[2:4] - water)
        return np.concatenate([drag - 3.5 * mu * g * u, drag - mu * g * u])

    def field(x: np.ndarray) -> np.ndarray:
        return of_direction(x, x[:2] / np.sqrt(x[0] * x[0] + x[1] * x[1]))

    return ExtendedSwitching(
        field,
        lambda x: x[0],
        lambda x: x[1],
        gradients=lambda x: np.eye(2, len(x)),
        limit=lambda x, phi: of_direction(x, np.array([np.cos(phi), np.sin(phi)])),
        names=("u_y", "u_z", "v_y", "v_z"),
    )
