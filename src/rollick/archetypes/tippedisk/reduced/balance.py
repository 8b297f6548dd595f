"""Harmonic balance about the Hopf point in closed form (Sailer, section 4.4): as printed, and with the term that the printed one leaves out.

beta' = C sin(w t), gamma' = -(C Omega/w) cos(w t) with linear friction and equations up to third order:

    C^2 = 4 e/(r + e) (m g (r + e)^2 - Bb r Omega^2)/(chi Omega^2 + m g e (r + e)),     w^2 = Omega^2 (e/(r + e) - rho C^2/(8 (r + e)))

    printed     chi = A (r - 2 e) - Bb (2 r^2 + e (r + e))/(2 (r + e)),     rho = r - e        (4.70)-(4.75)
    corrected   chi = A (r - 2 e) - Bb r (2 r + e)/(2 (r + e)),             rho = r            (E16)

The printed one drops the cubic term of gamma' = Omega sin beta', which is of the order of those kept. The corrected one has the exact first derivatives of C^2 and w^2 at
Omega_c. The Hopf point is supercritical where the denominator is positive at Omega_c: zeta > zeta*(kappa).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..specimens import Disk
from .linear import G


def chi(disk: Disk, printed: bool = False) -> float:
    """(4.73), or corrected."""
    r, e, A, Bb = disk.r, disk.e, disk.A, disk.Bb
    bent = 2.0 * r * r + e * (r + e) if printed else r * (2.0 * r + e)
    return A * (r - 2.0 * e) - Bb * bent / (2.0 * (r + e))


def amplitude(disk: Disk, Omega: Any, printed: bool = False, g: float = G) -> np.ndarray:
    """C, the amplitude of beta' (rad); nan where there is no cycle."""
    O = np.asarray(Omega, float)
    r, e, weight = disk.r, disk.e, disk.m * g
    square = 4.0 * e / (r + e) * _ratio(disk, O, printed, weight)
    return np.sqrt(np.where(square >= 0.0, square, np.nan))


def _ratio(disk: Disk, O: np.ndarray, printed: bool, weight: float) -> np.ndarray:
    r, e = disk.r, disk.e
    return (weight * (r + e) ** 2 - disk.Bb * r * O**2) / (chi(disk, printed) * O**2 + weight * e * (r + e))


def frequency(disk: Disk, Omega: Any, printed: bool = False, g: float = G) -> np.ndarray:
    """w (rad/s), (4.75) or corrected; nan where there is no cycle."""
    O = np.asarray(Omega, float)
    r, e = disk.r, disk.e
    rho = r - e if printed else r
    ratio = _ratio(disk, O, printed, disk.m * g)
    inside = np.where(ratio >= 0.0, 1.0 - 0.5 * rho / (r + e) * ratio, np.nan)
    return O * np.sqrt(e / (r + e) * np.where(inside > 0.0, inside, np.nan))


def rolling_amplitude(disk: Disk, Omega: Any, printed: bool = False, g: float = G) -> np.ndarray:
    """The amplitude of gamma', C Omega/w."""
    return amplitude(disk, Omega, printed, g) * np.asarray(Omega, float) / frequency(disk, Omega, printed, g)


def criticality_boundary(kappa: Any, printed: bool = False) -> Any:
    """zeta*: the Hopf point is supercritical for zeta > zeta*. Printed: zeta = 1 (the plane Lambda, leading order in kappa; E22)."""
    k = np.asarray(kappa, float)
    found = np.ones_like(k) if printed else (2.0 - k) / (2.0 * (1.0 + k) * (1.0 - 2.0 * k))
    return found if np.ndim(kappa) else float(found)


def third_boundary(kappa: Any) -> np.ndarray:
    """zeta between the types v1 and v3, in closed form: omega_h = 1 - kappa."""
    k = np.asarray(kappa, float)
    return (15.0 * ((1.0 + k) / (1.0 - k)) ** 2 - 7.0) / 8.0


def hopf_period(disk: Disk, g: float = G) -> float:
    """T_c = 2 pi/w at Omega_c."""
    from .linear import hopf_frequency

    return 2.0 * math.pi / hopf_frequency(disk, g)
