"""Frequency against amplitude without approximation: the rolling equations (1.50) over a quarter of a period, for many amplitudes
at once.

With y = rho cos(alpha), psi = -kappa rho sin(alpha), kappa = omega_L/a01, a small oscillation is a circle, and alpha runs from 0
to pi/2 in a quarter of any period, as orbits are symmetric about both axes (1.25)-(1.26). So no event has to be found, and all
amplitudes share their steps:

    d(ln rho)/d(alpha) = (rho'/rho)/alpha',   d(way)/d(alpha) = 1/alpha'.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from scipy.integrate import solve_ivp

from ...kernel.names import InputError
from .contact import rolling_rates, solve
from .formulas import first_coefficients
from .geometry import Geometry
from .locus import deepest

INSIDE = 2e-8  # m, how far a wheel may be inside its rail where it is not asked to touch


class Periods(NamedTuple):
    """Amplitudes [m], wavelengths [m], and angular frequencies per speed [rad/m] of kinematic oscillations; yaw amplitude [rad]."""

    amplitude: np.ndarray
    wavelength: np.ndarray
    omega: np.ndarray
    yaw: np.ndarray


def linear_omega(g: Geometry) -> float:
    """omega_L per metre of way, exactly: sqrt(-a01 b10) (1.56)-(1.57)."""
    k = g.curvatures
    a01, b10 = first_coefficients_of(g, k)
    return math.sqrt(-a01 * b10)


class Oscillator(NamedTuple):
    """What the dynamics of chapter 5 need of the geometry: omega_L per metre of way [rad/m], and eta with a01 = omega_L eta b,
    b10 = -omega_L/(eta b).
    """

    omega: float
    eta: float


def oscillator(g: Geometry) -> Oscillator:
    """omega_L/v = sqrt(-a01 b10), eta = sqrt(-a01/b10)/b."""
    a01, b10 = first_coefficients_of(g, g.curvatures)
    return Oscillator(math.sqrt(-a01 * b10), math.sqrt(-a01 / b10) / g.b)


def first_coefficients_of(g: Geometry, k: dict[str, float]) -> tuple[float, float]:
    """a01, b10; a rail that is straight is the limit R_r to infinity."""
    if not math.isinf(k["R_r"]):
        return first_coefficients(g.h, g.b, g.r, k["R_w"], k["R_r"])
    raise InputError("the rail is straight at the contact point (R_r = inf); kinematic oscillations need a convex rail there.")


def periods(g: Geometry, amplitudes: Any, rtol: float = 1e-11) -> Periods:
    """Kinematic oscillations of these lateral amplitudes [m], started at psi = 0."""
    y = np.atleast_1d(np.asarray(amplitudes, float))
    if not (np.isfinite(y).all() and (y > 0.0).all()):
        raise InputError(f"amplitudes are lateral displacements above zero, in metres, not {amplitudes!r}.")
    a01, b10 = first_coefficients_of(g, g.curvatures)
    kappa = math.sqrt(-b10 / a01)
    n = len(y)
    memory: dict[str, Any] = {"x": solve(g, y, 0.0).unknowns}

    def rate(alpha: float, state: np.ndarray) -> np.ndarray:
        rho = y * np.exp(state[:n])
        cos, sin = math.cos(alpha), math.sin(alpha)
        contact = solve(g, rho * cos, -kappa * rho * sin, memory["x"])
        memory["x"] = contact.unknowns
        f = rolling_rates(contact)
        turn = (-cos * f.psi / kappa - sin * f.y) / rho
        grow = (cos * f.y - sin * f.psi / kappa) / rho
        return np.concatenate([grow / turn, 1.0 / turn])

    seen = np.linspace(0.0, 0.5 * math.pi, 7)
    made = solve_ivp(rate, (0.0, 0.5 * math.pi), np.zeros(2 * n), method="DOP853", t_eval=seen, rtol=rtol, atol=rtol)
    if not made.success:
        raise InputError(f"a quarter period could not be followed: {made.message}")
    check_carrying(g, y[:, None] * np.exp(made.y[:n]), seen, kappa)
    quarter = made.y[n:, -1]
    return Periods(y, 4.0 * quarter, 0.5 * math.pi / quarter, kappa * y * np.exp(made.y[:n, -1]))


def check_carrying(g: Geometry, rho: np.ndarray, alpha: np.ndarray, kappa: float) -> None:
    """Refuse orbits on which a wheel is inside its rail elsewhere, at these angles: their contact is not the one that carries."""
    y, psi = (rho * np.cos(alpha)).ravel(), (-kappa * rho * np.sin(alpha)).ravel()
    inside, where = deepest(g, y, psi, solve(g, y, psi).unknowns)
    k = int(np.argmax(inside))
    if inside[k] > INSIDE:
        raise InputError(
            f"the contact jumps below the amplitude {1e3 * rho.max():.5g} mm: at y = {1e3 * y[k]:.5g} mm a wheel would "
            f"be {1e6 * inside[k]:.3g} um inside its rail at "
            f"U_w = {1e3 * where[k]:.4g} mm; take `period_with_jumps`, or smaller amplitudes."
        )
