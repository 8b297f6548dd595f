"""Creep coefficients of an elastic wheel on an elastic rail: Hertz's ellipse, and Kalker's table reduced to a formula.

kappa_1 = C11 G a c, kappa_2 = C22 G a c, kappa_3 = C23 G (a c)^(3/2), with half axes a (along the rail) and c (across) and the shear modulus G. C_ij: J. J. Kalker,
Three-Dimensional Elastic Bodies in Rolling Contact (1990), appendix E (linear theory, from his thesis of 1967), for Poisson's ratio 1/4, at
a/c = 0.1, ..., 0.9, 1 and c/a = 0.9, ..., 0.1. Between them a spline in log(a/c), which meets the limits of a line contact, pi^2/(4(1 - nu)) and pi^2/4 for C11 and C22,
to 1 and 3 per cent at its end.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.optimize import brentq
from scipy.special import ellipe, ellipk

from ...kernel.names import InputError

RATIOS = np.array(
    [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, *(1.0 / np.array([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1]))]
)  # a/c
TABLE = np.array(
    [
        [3.31, 3.37, 3.44, 3.53, 3.62, 3.72, 3.81, 3.91, 4.01, 4.12, 4.22, 4.36, 4.54, 4.78, 5.10, 5.57, 6.34, 7.78, 11.7],
        [2.52, 2.63, 2.75, 2.88, 3.01, 3.14, 3.28, 3.41, 3.54, 3.67, 3.81, 3.99, 4.21, 4.50, 4.90, 5.48, 6.40, 8.14, 12.8],
        [0.473, 0.603, 0.715, 0.823, 0.929, 1.03, 1.14, 1.25, 1.36, 1.47, 1.59, 1.75, 1.95, 2.23, 2.62, 3.24, 4.32, 6.63, 14.6],
    ]
)  # C11, C22, C23 for nu = 1/4
_SPLINE = CubicSpline(np.log(RATIOS), np.log(TABLE).T, bc_type="natural")


class Patch(NamedTuple):
    """Half axes of the ellipse of contact along the rail and across (m), and the largest pressure (Pa)."""

    a: float
    c: float
    pressure: float


class Coefficients(NamedTuple):
    """Creep coefficients along and across (N), of spin (N m), and the ellipse."""

    kappa_1: float
    kappa_2: float
    kappa_3: float
    patch: Patch


def kalker_table(ratio: float) -> tuple[float, float, float]:
    """(C11, C22, C23) at a/c, from 0.1 to 10."""
    if not 0.1 <= ratio <= 10.0:
        raise InputError(f"a/c = {ratio!r} of the ellipse must lie between 0.1 and 10, where Kalker's table is.")
    c11, c22, c23 = np.exp(_SPLINE(np.log(ratio)))
    return float(c11), float(c22), float(c23)


def hertz(load: float, along: float, across: float, E: float = 2.1e11, nu: float = 0.25) -> Patch:
    """Hertz's ellipse of two bodies of one material: load (N), the sums of curvatures along the rail and across (1/m; a wheel of 0.46 m: 1/0.46 along)."""
    for name, x in (("load", load), ("along", along), ("across", across), ("E", E)):
        if not 0.0 < x < np.inf:
            raise InputError(f"{name} = {x!r} of the contact must be above zero.")
    if along > across:  # a below c: the larger half axis lies along the smaller curvature
        turned = hertz(load, across, along, E, nu)
        return Patch(turned.c, turned.a, turned.pressure)
    stiff = E / (2.0 * (1.0 - nu**2))  # E* of two equal bodies

    def curvatures(k: float) -> tuple[float, float]:
        """Integrals whose ratio is that of the curvatures, for axes c = k a, k <= 1."""
        m = 1.0 - k * k
        if m < 1e-12:
            return np.pi / 4.0, np.pi / 4.0
        K, L = float(ellipk(m)), float(ellipe(m))
        return (K - L) / m, (L - k * k * K) / (k * k * m)

    def off(k: float) -> float:
        low, high = curvatures(k)
        return float(np.log(high / low) - np.log(across / along))

    k = 1.0 if across == along else float(brentq(off, 1e-6, 1.0, xtol=1e-15))
    low, _ = curvatures(k)
    a = float((3.0 * load * low / (np.pi * stiff * along)) ** (1.0 / 3.0))
    return Patch(a, k * a, 1.5 * load / (np.pi * k * a * a))


def kalker(load: float, along: float, across: float, E: float = 2.1e11) -> Coefficients:
    """Creep coefficients of a contact with Hertz's ellipse, for Poisson's ratio 1/4; divide by the mass of the wheelset for `creep_wheelset`."""
    patch = hertz(load, along, across, E, 0.25)
    G = E / (2.0 * 1.25)
    c11, c22, c23 = kalker_table(patch.a / patch.c)
    area = patch.a * patch.c
    return Coefficients(c11 * G * area, c22 * G * area, c23 * G * area**1.5, patch)
