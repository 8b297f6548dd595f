"""The slow rotation during the descent (thesis 6.3.1): the Sun goes round the lander's z axis.

From row 13 (legs unfolded) to row 213 (the last before the first touchdown) the lander turns about its z axis, and the Sun stands at

    s(t) = (r cos(alpha_0 - Phi(t)), r sin(alpha_0 - Phi(t)), z_0),   r^2 + z_0^2 = 1,   Phi' = omega.

The fit minimises E_DF = 1/2 mean(1 - s(t_i).s_i) (6.15) over the coefficients of omega(t) = omega_0 + omega_1 t + omega_2 t^2 + ... and, if
the start is free, over alpha_0 and z_0; otherwise these are those of row 13.

The coefficients printed in the thesis fit the data only if they are read as those of Phi(t)/t, the mean angular velocity since row 13:
then Phi = omega_0 t + omega_1 t^2 + omega_2 t^3 + omega_3 t^4 and E_DF is 0.005 instead of 0.13 (E20).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...archetypes.lander.sun import find_sun
from ...archetypes.lander.telemetry import FIRST_UNFOLDED, LAST_BEFORE_TD1, powers, seconds
from ...kernel.names import InputError

PRINTED = (0.01216, 5.161e-8, -3.189e-12, 3.013e-17)


def descent_suns() -> tuple[np.ndarray, np.ndarray]:
    """Times in s after row 13, and the directions found from there to row 213."""
    rows = slice(FIRST_UNFOLDED - 1, LAST_BEFORE_TD1)
    sun, _ = find_sun(powers()[rows])
    good = np.isfinite(sun[:, 0])
    return seconds(FIRST_UNFOLDED)[rows][good], sun[good]


def turned(coefficients: Any, t: np.ndarray, mean: bool = False) -> np.ndarray:
    """The angle Phi(t) of a polynomial angular velocity; `mean`: the polynomial is Phi(t)/t."""
    c = np.asarray(coefficients, float)
    powers_of_t = np.arange(1, len(c) + 1)
    return (c if mean else c / powers_of_t) @ t[None, :] ** powers_of_t[:, None]


def angular_velocity(coefficients: Any, t: np.ndarray, mean: bool = False) -> np.ndarray:
    """omega(t) of the polynomial; `mean`: the polynomial is Phi(t)/t."""
    c = np.asarray(coefficients, float)
    n = np.arange(len(c))
    return (c * (n + 1) if mean else c) @ t[None, :] ** n[:, None]


def direct_misfit(coefficients: Any, alpha_0: float | None = None, z_0: float | None = None, mean: bool = False) -> float:
    """E_DF (6.15) of a polynomial rotation; without alpha_0 and z_0 the Sun starts where it was seen at row 13."""
    t, s = descent_suns()
    start = np.arctan2(s[0, 1], s[0, 0]) if alpha_0 is None else alpha_0
    z = s[0, 2] if z_0 is None else z_0
    angle = start - turned(coefficients, t, mean)
    r = np.sqrt(1.0 - z * z)
    simulated = np.stack([r * np.cos(angle), r * np.sin(angle), np.full_like(t, z)], axis=1)
    return float(0.5 * np.mean(1.0 - np.sum(simulated * s, axis=1)))


@dataclass(frozen=True)
class Descent:
    """A fitted rotation: the coefficients of omega(t) (t in s after row 13), the start of the Sun, E_DF, and the residual azimuths."""

    coefficients: np.ndarray
    alpha_0: float
    z_0: float
    misfit: float
    residual: np.ndarray  # rad

    def speeds(self) -> tuple[float, float, float]:
        """omega at row 13, its largest value, and omega at row 213."""
        t = np.linspace(0.0, descent_suns()[0][-1], 2000)
        w = angular_velocity(self.coefficients, t)
        return float(w[0]), float(w.max()), float(w[-1])


def constant_speeds(window: float = 3600.0, step: float = 2400.0) -> np.ndarray:
    """omega from short windows, each with a speed of its own: rows of (middle of the window, omega, coherence). No polynomial enters."""
    t, s = descent_suns()
    azimuth = np.arctan2(s[:, 1], s[:, 0])
    trial = np.linspace(0.008, 0.016, 8001)
    found = []
    for low in np.arange(0.0, t[-1] - 0.5 * window, step):
        inside = (t >= low) & (t < low + window)
        if inside.sum() >= 8:
            coherence = np.abs(np.exp(1j * (azimuth[inside, None] + trial * t[inside, None])).mean(axis=0))
            found.append((float(t[inside].mean()), trial[coherence.argmax()], coherence.max()))
    return np.array(found)


def fit_descent(degree: int = 3, free_start: bool = True) -> Descent:
    """The best polynomial of a degree, grown degree by degree from a parabola through the speeds of the windows, so that no turn is miscounted."""
    from scipy.optimize import least_squares

    if not 1 <= degree <= 8:
        raise InputError(f"degree = {degree} must lie between 1 and 8.")
    t, s = descent_suns()
    span = t[-1]
    alpha_0, z_0 = float(np.arctan2(s[0, 1], s[0, 0])), float(s[0, 2])

    def left_over(p: np.ndarray) -> np.ndarray:
        # |a - b|^2 = 2 (1 - a.b) for unit vectors: the sum of squares is 4 n E_DF
        alpha, z = (p[0], np.clip(p[1], -0.999, 0.999)) if free_start else (alpha_0, z_0)
        c = p[2:] if free_start else p
        angle = alpha - turned(c / span ** np.arange(len(c)), t)
        r = np.sqrt(1.0 - z * z)
        return np.concatenate([r * np.cos(angle) - s[:, 0], r * np.sin(angle) - s[:, 1], z - s[:, 2]])

    windows = constant_speeds()
    lowest = min(degree, 2)
    guess = np.polynomial.polynomial.polyfit(windows[:, 0] / span, windows[:, 1], lowest)
    p = np.concatenate([[alpha_0, z_0], guess]) if free_start else guess
    for order in range(lowest, degree + 1):
        if order > lowest:
            p = np.append(p, 0.0)
        scale = np.array(([0.1, 0.05] if free_start else []) + [1e-5] * (order + 1))
        p = least_squares(left_over, p, x_scale=scale, xtol=1e-14, ftol=1e-14, gtol=1e-14, max_nfev=2000).x
    alpha, z = (float(p[0]), float(p[1])) if free_start else (alpha_0, z_0)
    c = (p[2:] if free_start else p) / span ** np.arange(degree + 1)
    residual = np.angle(np.exp(1j * (np.arctan2(s[:, 1], s[:, 0]) - alpha + turned(c, t))))
    return Descent(c, alpha, z, direct_misfit(c, alpha, z), residual)
