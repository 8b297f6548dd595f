"""The spectrum of U_0 R: does a regular n-gon chatter in the order 0, 1, 2, ...? (3.4.3, section 4.3 of the theory)

With the points relabelled before each impact so that point 0 is always hit, an impact one step further is p -> U_0 R^-1 p, with R the
rotation by 2 pi/n about the vertical. Criterion (iii): the dominant eigenvalue of U_0 R is real and positive.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ...kernel.names import InputError


def impact(rho: float, gamma: float) -> np.ndarray:
    """U_0 = I - k [[0,0,0],[0,1,-1],[0,-rho^2,rho^2]], k = (1 + gamma)/(1 + rho^2), for the point at (1, 0)."""
    k = (1.0 + gamma) / (1.0 + rho * rho)
    return np.array([[1.0, 0.0, 0.0], [0.0, 1.0 - k, k], [0.0, k * rho * rho, 1.0 - k * rho * rho]])


def rotation(n: int, steps: int = 1) -> np.ndarray:
    """R^steps: the rotation by 2 pi steps/n about the vertical."""
    angle = 2.0 * math.pi * steps / n
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


REFLECTION = np.diag([-1.0, 1.0, 1.0])  # T: the mirror image that leaves point 0 in its place


def step_map(n: int, rho: float, gamma: float, step: int) -> np.ndarray:
    """U_0 R^-step: an impact `step` points further (3.26)."""
    return impact(rho, gamma) @ rotation(n, -step)


def hub_map(rho: float, gamma: float) -> np.ndarray:
    """A T A, A = U_0 R, n = 3: two impacts of the hub sequence 0, 2, 0, 1, 0, 2, 0, 1, ..., up to a reflection."""
    A = step_map(3, rho, gamma, -1)
    return A @ REFLECTION @ A


def cubic(n: int, rho: float, gamma: float) -> np.ndarray:
    """The characteristic polynomial of U_0 R, highest power first: l^3 - (D - kappa) l^2 + (kappa - gamma D) l + gamma."""
    c = math.cos(2.0 * math.pi / n)
    D, kappa = 1.0 + 2.0 * c, (1.0 + gamma) * (c + rho * rho) / (1.0 + rho * rho)
    return np.array([1.0, -(D - kappa), kappa - gamma * D, gamma])


def characteristic(M: np.ndarray) -> np.ndarray:
    """The characteristic polynomial of a 3x3 matrix, highest power first."""
    minors = sum(M[i, i] * M[j, j] - M[i, j] * M[j, i] for i, j in ((0, 1), (0, 2), (1, 2)))
    return np.array([1.0, -np.trace(M), minors, -np.linalg.det(M)])


def discriminant(a: np.ndarray) -> float:
    """Of a cubic: positive for three different real roots, negative for a complex pair."""
    _, b, c, d = a
    return float(18 * b * c * d - 4 * b**3 * d + b * b * c * c - 4 * c**3 - 27 * d * d)


def dominance(a: np.ndarray) -> tuple[bool, float]:
    """Whether the dominant root of a cubic is real and positive, and a margin: how far it leads, or falls behind, relative to it.

    Where all roots are real the margin is the gap of the largest two of them (it vanishes where they merge and turn complex).
    """
    roots = np.roots(a)
    if discriminant(a) >= 0.0:
        real = np.sort(roots.real)[::-1]
        top = real[0]
        good = top > 0.0 and top >= -real[-1]
        return bool(good), float(min(top - real[1], top + real[-1]) / abs(real).max())
    single = roots[np.argmin(np.abs(roots.imag))].real
    pair = np.abs(roots[np.argmax(np.abs(roots.imag))])
    lead = (single - pair) / max(abs(single), pair)
    return bool(single > 0.0 and lead >= 0.0), float(lead)


def limit_in_gamma(holds: Callable[[float], bool]) -> float:
    """The upper end of the first range of gamma in 0 .. 1 in which a criterion holds, by bisection; nan if there is none."""
    low, high = math.nan, 1.0
    for gamma in (1e-300, *np.geomspace(1e-8, 1e-2, 25), *np.linspace(0.0, 1.0, 401)[5:]):
        if holds(float(gamma)):
            low = float(gamma)
        elif not math.isnan(low):
            high = float(gamma)
            break
    if math.isnan(low) or low == 1.0:
        return low
    for _ in range(70):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def upper_end(holds: Callable[[float], bool], gamma: float) -> float:
    """The upper end of the range of gamma, at most 1, in which a criterion holds that holds at `gamma`, by growing steps and bisection."""
    low, step = gamma, 1e-6
    while True:
        high = min(low + step, 1.0)
        if not holds(high):
            break
        if high == 1.0:
            return 1.0
        low, step = high, min(1.5 * step, 1e-3)
    while high - low > 1e-15:
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def regular_limit(n: int, rho: float) -> float:
    """The largest gamma with a real positive dominant eigenvalue of U_0 R: chatter in the order 0, 1, 2, ...; nan if there is none."""
    check(n, rho)
    return limit_in_gamma(lambda gamma: dominance(cubic(n, rho, gamma))[0])


def hub_limit(rho: float) -> float:
    """The largest gamma for which the hub sequence of a triangle chatters; for n = 3 this is the true limit of chatter."""
    check(3, rho)
    return limit_in_gamma(lambda gamma: dominance(characteristic(hub_map(rho, gamma)))[0])


def rho_max(n: int) -> float:
    """The largest rho for which a regular n-gon chatters in the order 0, 1, 2, ... at any restitution (gamma -> 0)."""
    check(n, 1.0)
    c, d = math.cos(2.0 * math.pi / n), (2.0 * math.cos(math.pi / n) - 1.0) ** 2
    return math.sqrt((d - c) / (1.0 - d))


def check(n: int, rho: float, gamma: float = 0.0) -> None:
    """Refuse parameters that no polygon has."""
    if not math.isfinite(n) or int(n) != n or n < 3:
        raise InputError(
            f"n = {n!r} must be a whole number, 3 or more (2, the rod, has a theory of its own: rollick.archetypes.rod)."
        )
    if not (math.isfinite(rho) and 1e-6 <= rho <= 1e6):
        raise InputError(
            f"rho = {rho!r} must be a number above zero (1e-6 .. 1e6): the radius of gyration over the radius of the polygon."
        )
    if not 0.0 <= gamma <= 1.0:
        raise InputError(f"gamma = {gamma!r} must lie between 0 (no rebound) and 1 (no loss).")
