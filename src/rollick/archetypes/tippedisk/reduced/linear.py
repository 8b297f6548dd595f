"""Small deviations from spinning about a vertical axis through S: eight eigenvalues of the full model, three of Model 1.4, and the critical speed in closed form.

Full model (Sailer (4.16), (4.17)), deviations (xb, yb, beta', gamma') from inverted spinning; with S below, e changes its sign:

    M z'' + (G + D_C) z' + (K_h + K_f + B_C) z = 0

D_C and B_C are printed with leading minus signs (E8), which would make friction push: `printed=True` has them, to show eigenvalues of +150.

Model 1.4 (4.47)-(4.58), deviations (beta', gamma', y), d = mu m g/eps:

    beta'' = ...:  rows (0, 0, 1), (Omega, 0, 0), (m g (r + e)/Bb - Omega^2, -d e (r + e) Omega/Bb, -d (r + e)^2/Bb)

Its characteristic polynomial s^3 + a s^2 + b s + c has a pair on the imaginary axis where a b = c, which is Omega_c^2 = (r + e)^2 m g/(r Bb): neither mu nor eps
enters.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.optimize import brentq

from ....kernel.names import InputError
from ..specimens import Disk

G = 9.81


def eccentricity(disk: Disk, inverted: bool) -> float:
    """e, or -e with S below."""
    return disk.e if inverted else -disk.e


def full_matrices(
    disk: Disk, Omega: float, mu: float = 0.3, eps: float = 0.1, g: float = G, inverted: bool = True, printed: bool = False
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """M, the matrix of velocities G + D_C, and that of positions K_h + K_f + B_C, of (4.16)."""
    r, m, A, B, C = disk.r, disk.m, disk.A, disk.B, disk.C
    e = eccentricity(disk, inverted)
    d, O, D = mu * m * g / eps, Omega, A - B - C
    M = np.array([[m, 0, 0, -m * e], [0, m, -m * e, 0], [0, -m * e, B, 0], [-m * e, 0, 0, C]])
    gyro = O * np.array([[0, -2 * m, 2 * m * e, 0], [2 * m, 0, 0, -2 * m * e], [-2 * m * e, 0, 0, -D], [0, 2 * m * e, D, 0]])
    K_h = O**2 * np.array([[-m, 0, 0, m * e], [0, -m, m * e, 0], [0, m * e, A - C, 0], [m * e, 0, 0, A - B]])
    K_f = -np.diag([0.0, 0.0, m * g * (r + e), m * g * e])
    sign = -1.0 if printed else 1.0
    D_C = sign * d * np.array([[1, 0, 0, r], [0, 1, r, 0], [0, r, r**2, 0], [r, 0, 0, r**2]])
    B_C = sign * d * O * np.array([[0, -1, -r, 0], [1, 0, 0, 0], [r, 0, 0, 0], [0, -r, -(r**2), 0]])
    return M, gyro + D_C, K_h + K_f + B_C


def full_jacobian(disk: Disk, Omega: float, **options: Any) -> np.ndarray:
    """The first-order matrix (8 x 8) of (xb, yb, beta', gamma') and their rates."""
    M, velocities, positions = full_matrices(disk, Omega, **options)
    J = np.zeros((8, 8))
    J[:4, 4:] = np.eye(4)
    J[4:] = -np.linalg.solve(M, np.hstack([positions, velocities]))
    return J


def full_eigenvalues(disk: Disk, Omega: Any, **options: Any) -> np.ndarray:
    """Eight eigenvalues for each Omega, (..., 8), by falling real part."""
    speeds = np.atleast_1d(np.asarray(Omega, float))
    found = np.linalg.eigvals(np.stack([full_jacobian(disk, float(O), **options) for O in speeds]))
    order = np.argsort(-found.real, axis=-1, kind="stable")
    found = np.take_along_axis(found, order, axis=-1)
    return found if np.ndim(Omega) else found[0]


def full_critical_speeds(disk: Disk, between: tuple[float, float] = (15.0, 45.0), **options: Any) -> tuple[float, ...]:
    """Speeds at which a pair of the eight crosses the imaginary axis, rising: of V1 Omega_c1 (drift) and Omega_c2 (inversion).

    A pair +- i w solves det(A - w^2 M + i w V) = 0. Crossings are looked for on 600 speeds, as changes of how many eigenvalues (without the marginal pair) grow.
    """

    def grows(O: float) -> np.ndarray:
        values = full_eigenvalues(disk, O, **options)
        marginal = np.argsort(np.abs(values.real) + np.minimum(np.abs(values.imag - O), np.abs(values.imag + O)))[:2]
        return np.delete(values, marginal)

    speeds = np.linspace(*between, 601)
    count = np.array([int((grows(O).real > 0.0).sum()) for O in speeds])
    found = []
    for k in np.flatnonzero(np.diff(count)):

        def nearest(O: float, k: int = int(k)) -> float:
            low = grows(float(speeds[k]))
            values = grows(O)
            pair = low[np.argmin(np.abs(low.real))]
            return float(values[np.argmin(np.abs(values - pair))].real)

        found.append(float(brentq(nearest, speeds[k], speeds[k + 1], xtol=1e-12, rtol=1e-14)))
    return tuple(found)


def reduced_jacobian(
    disk: Disk, Omega: float, mu: float = 0.3, eps: float = 0.1, g: float = G, inverted: bool = True
) -> np.ndarray:
    """(4.47): the matrix of (beta', gamma', y)."""
    e, O = eccentricity(disk, inverted), Omega
    s = disk.r + e
    sign = 1.0 if inverted else -1.0  # cos gamma = -+ gamma'
    weight, d = disk.m * g, mu * disk.m * g / eps
    friction = [-d * disk.e * sign * s * O / disk.Bb, -d * s * s / disk.Bb]
    return np.array([[0.0, 0.0, 1.0], [O, 0.0, 0.0], [weight * s / disk.Bb - O * O, *friction]])


def reduced_eigenvalues(disk: Disk, Omega: Any, **options: Any) -> np.ndarray:
    """sigma_1, sigma_2, sigma_3 for each Omega, by falling real part."""
    speeds = np.atleast_1d(np.asarray(Omega, float))
    found = np.linalg.eigvals(np.stack([reduced_jacobian(disk, float(O), **options) for O in speeds]))
    found = np.take_along_axis(found, np.lexsort((-found.imag, -found.real), axis=-1), axis=-1)
    return found if np.ndim(Omega) else found[0]


def critical_speed(disk: Disk, g: float = G) -> float:
    """Omega_c in closed form, (4.55): above it inverted spinning is stable."""
    return (disk.r + disk.e) * math.sqrt(disk.m * g / (disk.r * disk.Bb))


def critical_speed_by_eigenvalues(disk: Disk, jacobian: Callable[[float], np.ndarray] | None = None, g: float = G) -> float:
    """Omega_c as the zero of the largest real part of the complex pair of a 3 x 3 matrix J(Omega); default: `reduced_jacobian`."""
    matrix = jacobian or (lambda O: reduced_jacobian(disk, O, g=g))
    middle = critical_speed(disk, g)

    def growth(O: float) -> float:
        values = np.linalg.eigvals(matrix(O))
        pair = values[np.abs(values.imag) > 0.0]
        if pair.size != 2:
            raise InputError(
                f"no complex pair at Omega = {O:.6g} rad/s: friction is too strong or too weak for a Hopf point there."
            )
        return float(pair[0].real)

    return float(brentq(growth, 0.9 * middle, 1.1 * middle, xtol=1e-13, rtol=1e-15))


def hopf_frequency(disk: Disk, g: float = G) -> float:
    """The angular frequency at Omega_c, (4.58): sqrt(e/(r + e)) Omega_c."""
    return math.sqrt(disk.e / (disk.r + disk.e)) * critical_speed(disk, g)


def fast_rate(disk: Disk, mu: float = 0.3, eps: float = 0.1, g: float = G, inverted: bool = True) -> float:
    """sigma_3 for small eps, (4.52)."""
    s = disk.r + eccentricity(disk, inverted)
    return -mu * disk.m * g * s * s / (eps * disk.Bb)


def slow_pair(disk: Disk, Omega: float, mu: float = 0.3, eps: float = 0.1, g: float = G) -> np.ndarray:
    """sigma_1, sigma_2 for small eps: the roots of s^2 + b s + c."""
    r, e = disk.r, disk.e
    c = e * Omega**2 / (r + e)
    b = -eps / mu * (1.0 / (r + e) - r * disk.Bb * Omega**2 / (disk.m * g * (r + e) ** 3))
    return np.roots([1.0, b, c])


def merging_speed(disk: Disk, mu: float = 0.3, eps: float = 0.1, g: float = G) -> float:
    """Omega_1, where sigma_1 and sigma_2 meet and leave the real axis: the discriminant of the cubic vanishes (E21: 12.51, not 13.61)."""

    def discriminant(O: float) -> float:
        _, a, b, c = np.poly(reduced_jacobian(disk, O, mu, eps, g))
        return a * a * b * b - 4.0 * b**3 - 4.0 * a**3 * c - 27.0 * c * c + 18.0 * a * b * c

    top = critical_speed(disk, g)
    speeds = np.linspace(1e-3 * top, top, 2001)
    values = np.array([discriminant(O) for O in speeds])
    last = np.flatnonzero(values[:-1] * values[1:] < 0.0)
    if not last.size:
        raise InputError("sigma_1 and sigma_2 do not meet below Omega_c.")
    return float(brentq(discriminant, speeds[last[-1]], speeds[last[-1] + 1], xtol=1e-12))


def saddle_speed(disk: Disk, g: float = G) -> float:
    """Omega at which the saddle quantity of non-inverted spinning vanishes on the slow manifold: omega = 1 - kappa (section 6.2)."""
    return (disk.r - disk.e) * math.sqrt(disk.m * g / (disk.r * disk.Bb))


def slow_matrix(kappa: float, omega: float, delta: float, inverted: bool = True) -> np.ndarray:
    """The linearised slow flow without dimensions, section 6.2: a11, a12 and (1, 0), time Omega t."""
    s = 1.0 + kappa if inverted else 1.0 - kappa
    a12 = -kappa / s if inverted else kappa / s
    return np.array([[-delta * (omega**2 - s**2) / s**3, a12], [1.0, 0.0]])


def saddle_quantity(kappa: float, omega: float, delta: float) -> float:
    """The sum of the two eigenvalues of non-inverted spinning: negative, and the loop attracts from inside, where omega > 1 - kappa."""
    return float(np.trace(slow_matrix(kappa, omega, delta, inverted=False)))
