"""Limit cycles at leading order from one quadrature, without dimensions: the whole branch from the Hopf point to the heteroclinic connection.

In pure rolling the height of S is conserved, q sin beta = c, q = 1 + kappa sin gamma. The orbit with the amplitude Gamma of gamma - pi/2 has c = 1 + kappa cos Gamma. Along
it the first correction h_1 of the slow manifold changes c by delta (omega^2 I_1 - I_2) times a factor; a cycle survives where that vanishes:

    omega^2(Gamma) = I_2/I_1,    I_1 = int cb/q^2 [zeta cg^2 (1 - kappa sg - 2 kappa^2) + sg (sg + kappa + kappa cg^2)] dgamma,    I_2 = int cb q^2/c dgamma

Gamma -> 0 is the Hopf point, omega = 1 + kappa. Gamma = pi is the separatrix, for which this is Melnikov's condition (5.48). Extrema are folds. Branches are stable where
omega falls with Gamma. With gamma - pi/2 = 2 asin(k sin phi), k = sin(Gamma/2), the integrands are smooth in phi; I_1 = Z zeta + N is linear in zeta. Everything is an array over
kappa, zeta and Gamma at once.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from .balance import criticality_boundary

NODES = 48


class Integrals(NamedTuple):
    """I_1 = Z zeta + N and I_2 along orbits."""

    Z: np.ndarray
    N: np.ndarray
    I2: np.ndarray


@functools.cache
def _nodes(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Gauss-Legendre on u in [0, 1], graded towards u = 1, where orbits next to the separatrix turn: phi = pi/2 (1 - (1 - u)^3)."""
    x, w = np.polynomial.legendre.leggauss(count)
    v = 0.5 * (1.0 - x)
    return 0.5 * np.pi * v**3, 0.5 * np.pi * 0.5 * w * 3.0 * v**2


def integrals(kappa: Any, Gamma: Any, nodes: int = NODES) -> Integrals:
    """The integrals over a quarter of an orbit, which all have the factor 2 sqrt(2 kappa) sin^2(Gamma/2) left out: it cancels."""
    turn, weights = _nodes(nodes)  # turn = pi/2 - phi
    K, G = (np.asarray(v, float)[..., None] for v in np.broadcast_arrays(kappa, Gamma))
    half = 0.5 * G
    k, k1 = np.sin(half), np.cos(half)
    s, c_ = np.cos(turn), np.sin(turn)  # sin phi and cos phi
    cos_half = np.sqrt(k1 * k1 + (k * c_) ** 2)  # cos of half of gamma - pi/2
    sg = 1.0 - 2.0 * (k * s) ** 2  # sin gamma = cos(gamma - pi/2)
    cg2 = (2.0 * k * s * cos_half) ** 2
    q, c = 1.0 + K * sg, 1.0 + K * np.cos(G)
    # cb = -sqrt((q - c)(q + c))/q with q - c = 2 kappa k^2 cos^2 phi; dgamma = 2 k cos phi/cos_half dphi
    common = weights * c_ * c_ * np.sqrt(q + c) / (q * cos_half)
    Z = np.sum(common * cg2 * (1.0 - K * sg - 2.0 * K * K) / (q * q), axis=-1)
    N = np.sum(common * sg * (sg + K + K * cg2) / (q * q), axis=-1)
    return Integrals(Z, N, np.sum(common * q * q / c, axis=-1))


def omega_of_amplitude(kappa: Any, zeta: Any, Gamma: Any, nodes: int = NODES) -> np.ndarray:
    """omega of the cycle with the amplitude Gamma of gamma - pi/2, 0 < Gamma <= pi."""
    i = integrals(kappa, Gamma, nodes)
    return np.sqrt(i.I2 / (i.Z * np.asarray(zeta, float) + i.N))


def omega_heteroclinic(kappa: Any, zeta: Any) -> np.ndarray:
    """omega_h by the whole Melnikov integral, (5.48)."""
    return omega_of_amplitude(kappa, zeta, np.pi)


def nu_first(kappa: Any, zeta: Any) -> np.ndarray:
    """nu = (Omega_h/Omega_c)^2 to first order in kappa, (5.56)."""
    k, z = np.asarray(kappa, float), np.asarray(zeta, float)
    return (8.0 + 28.0 * k / 3.0) / ((1.0 + k) ** 2 * ((56.0 / 15.0 - 116.0 * k / 35.0) + (64.0 / 15.0 - 352.0 * k / 105.0) * z))


def nu_zeroth(zeta: Any) -> np.ndarray:
    """nu for kappa -> 0, (5.57): 15/(7 + 8 zeta)."""
    return 15.0 / (7.0 + 8.0 * np.asarray(zeta, float))


def period(kappa: Any, Gamma: Any, nodes: int = 400) -> np.ndarray:
    """The period of the rolling orbit, in units of 1/Omega: int dgamma/(-cos beta)."""
    turn, weights = _nodes(nodes)
    K, G = (np.asarray(v, float)[..., None] for v in np.broadcast_arrays(kappa, Gamma))
    k, k1 = np.sin(0.5 * G), np.cos(0.5 * G)
    s, c_ = np.cos(turn), np.sin(turn)
    cos_half = np.sqrt(k1 * k1 + (k * c_) ** 2)
    q, c = 1.0 + K * (1.0 - 2.0 * (k * s) ** 2), 1.0 + K * np.cos(G)
    return 4.0 * np.sum(weights * 2.0 * q / (np.sqrt(2.0 * K * (q + c)) * cos_half), axis=-1)


class Fold(NamedTuple):
    """The extremum of omega between Hopf point and connection: its omega and amplitude; nan where the branch is monotone."""

    omega: np.ndarray
    Gamma: np.ndarray


def folds(kappa: Any, zeta: Any, scan: int = 65, steps: int = 30) -> Fold:
    """The fold of the branch for each kappa and zeta, by a scan in Gamma and golden sections, all points at once.

    A fold is there where the ends of the branch say so: it leaves the Hopf point backwards (zeta < zeta*), or the connection repels from inside (omega_h < 1 - kappa). Both
    together do not occur for kappa <= 0.3 and 0.3 <= zeta <= 4, and more than one fold is not found there (by scans).
    """
    K, z = (np.asarray(v, float) for v in np.broadcast_arrays(kappa, zeta))
    shape = K.shape
    K, z = K.ravel(), z.ravel()
    Gamma = np.pi * (1.0 - np.linspace(1.0, 0.0, scan) ** 2)
    Gamma[0] = 1e-3
    kappas, place = np.unique(K, return_inverse=True)
    Z, N, I2 = (v[place] for v in integrals(kappas[:, None], Gamma[None, :]))
    w = I2 / (Z * z[:, None] + N)
    sign = np.where(z < criticality_boundary(K), 1.0, np.where(w[:, -1] < (1.0 - K) ** 2, -1.0, 0.0))
    at = np.clip(np.argmax(sign[:, None] * w, axis=1), 1, scan - 2)
    found_omega, found_Gamma = np.full(K.size, np.nan), np.full(K.size, np.nan)
    here = np.flatnonzero(sign)
    if here.size:
        a, b = Gamma[at[here] - 1], Gamma[at[here] + 1]
        best = _golden(lambda G: sign[here] * _square(K[here], z[here], G), a, b, steps)
        found_Gamma[here], found_omega[here] = best, np.sqrt(_square(K[here], z[here], best))
    return Fold(found_omega.reshape(shape), found_Gamma.reshape(shape))


def _square(kappa: np.ndarray, zeta: np.ndarray, Gamma: np.ndarray) -> np.ndarray:
    i = integrals(kappa, Gamma)
    return i.I2 / (i.Z * zeta + i.N)


def _golden(f: Any, a: np.ndarray, b: np.ndarray, steps: int) -> np.ndarray:
    """The maximum of f between a and b, for all points at once."""
    ratio = 0.5 * (np.sqrt(5.0) - 1.0)
    x, y = b - ratio * (b - a), a + ratio * (b - a)
    fx, fy = f(x), f(y)
    for _ in range(steps):
        left = fx > fy
        b, a = np.where(left, y, b), np.where(left, a, x)
        new = np.where(left, b - ratio * (b - a), a + ratio * (b - a))
        fn = f(new)
        x, y, fx, fy = np.where(left, new, y), np.where(left, x, new), np.where(left, fn, fy), np.where(left, fx, fn)
    return 0.5 * (a + b)
