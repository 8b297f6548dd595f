"""The reservoirs of Coulomb-Contensou friction: exact for a pressure on a disk, and the polynomial of T(3.32) (errata E4, E24).

With the slip v of the middle of the disk, the angular velocity omega and u = |v|/(R |omega|), the mean over the disk of the
local slip speed is R |omega| Phi(u), and

    xi = |lambda_T|/(mu N) = Phi'(u),    eta = |lambda_tau|/(mu N) = Phi - u Phi',    lambda_tau = couple/R.

The circle of radius s alone has, with m = 4 u s/(u + s)^2 and the complete elliptic integrals K and E of parameter m,

    Phi = (2/pi)(u + s) E,    Phi' = ((u + s) E + (u - s) K)/(pi u),    Phi'' + Phi'/u = 2 K/(pi (u + s)),

and a pressure p(s) weighs the circles by s p(s). For a Hertz pressure the result is elementary, see `hertz`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...kernel.names import choose

XI, ETA = 9.0 * math.pi / 32.0, 9.0 * math.pi / 128.0  # xi*, eta* of T(3.32): the Hertz surface at u = 1
INTERVALS = 512
FAR, TERMS = 4.0, 16  # beyond u = FAR a series of so many terms takes over
PRESSURES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "hertz": lambda s: np.sqrt(1.0 - s * s),
    "uniform": lambda s: np.ones_like(s),
    "parabolic": lambda s: 1.0 - s * s,
}


def hertz(u: Any) -> tuple[np.ndarray, np.ndarray]:
    """(xi, eta) of the Hertz pressure p ~ sqrt(1 - s^2) at u = |v|/(R |omega|), in closed form.

    Since the Laplacian of |x| in the plane is 1/|x|, Phi'' + Phi'/u is the elastic displacement of Hertz' problem; integrated
    twice,

        u <= 1:  xi = (3 pi/8)(u - u^3/4),                                 eta = (3 pi/16)(1 - u^2 + 3 u^4/8)
        u > 1:   xi = (3/4)[(u - u^3/4) A + (1/2 + u^2/4) q/u],            A = asin(1/u), q = sqrt(u^2 - 1)
                 eta = (3/4)[(1/2 - u^2/2 + 3 u^4/16) A + (3/8 - 3 u^2/16) q].

    The second form cancels as u grows; beyond u = 4 the series of Phi in 1/u^2 is summed to the last digit, see `far_hertz`.
    """
    u = np.asarray(u, float)
    inner, outer = np.minimum(u, 1.0), np.clip(u, 1.0, FAR)
    A, q = np.arcsin(1.0 / outer), np.sqrt(outer**2 - 1.0)
    xi = 0.75 * ((outer - outer**3 / 4.0) * A + (0.5 + outer**2 / 4.0) * q / outer)
    eta = 0.75 * ((0.5 - outer**2 / 2.0 + 3.0 * outer**4 / 16.0) * A + (0.375 - 3.0 * outer**2 / 16.0) * q)
    away = far_hertz(np.maximum(u, FAR))
    return (
        np.where(u <= 1.0, 3.0 * np.pi / 8.0 * (inner - inner**3 / 4.0), np.where(u <= FAR, xi, away[0])),
        np.where(u <= 1.0, 3.0 * np.pi / 16.0 * (1.0 - inner**2 + 3.0 * inner**4 / 8.0), np.where(u <= FAR, eta, away[1])),
    )


def far_hertz(u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same for u > 1 from Phi = u sum_n binom(1/2, n)^2 m_n u^(-2n), m_n = <s^(2n)> = m_(n-1) n/(n + 3/2) the moments of the pressure."""
    xi, eta, term, power = np.ones_like(u), np.zeros_like(u), 1.0, np.ones_like(u)
    for n in range(1, TERMS):
        term *= ((1.5 - n) / n) ** 2 * n / (n + 1.5)
        power = power / (u * u)
        xi = xi + (1.0 - 2.0 * n) * term * power
        eta = eta + 2.0 * n * term * power * u
    return xi, eta


def tanh_sinh(count: int = 160, reach: float = 3.2) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Nodes x, 1 - x and weights on (0, 1) for integrands with singular ends."""
    t = np.linspace(-reach, reach, count)
    inner = np.pi * np.sinh(t)
    x, rest = 1.0 / (1.0 + np.exp(-inner)), 1.0 / (1.0 + np.exp(inner))
    return x, rest, np.pi * np.cosh(t) * x * rest * (t[1] - t[0])


def exact_values(pressure: str, theta: np.ndarray) -> np.ndarray:
    """Rows (h, h', h'') at angles theta in [0, pi/2], tan theta = u: h = xi sin + eta cos, h' = xi cos - eta sin, h'' = r - h.

    The radial integrals are split at the circle s = u, where the centre of rotation lies and K is singular. r = h + h'' is the
    radius of curvature of the surface, r = Phi''(u) (1 + u^2)^(3/2).
    """
    from scipy.special import ellipe, ellipkm1

    p = PRESSURES[pressure]
    x, rest, w = tanh_sinh()

    def mean(s: np.ndarray, weight: np.ndarray, values: Any) -> float:
        weight = weight * s * p(np.minimum(s, 1.0))
        return float((weight * values).sum() / weight.sum())

    rows = []
    for angle in theta:
        sine, cosine = math.sin(angle), math.cos(angle)
        if sine < 1e-12:  # pure pivoting
            xi, eta, r = 0.0, mean(x, w, x), 0.5 * mean(x, w, 1.0 / x)
        elif cosine < 1e-12:  # pure sliding
            xi, eta, r = 1.0, 0.0, 0.5 * mean(x, w, x**2)
        else:
            u = sine / cosine
            split = min(1.0, u)
            s = np.concatenate([split * x, split + (1.0 - split) * x])
            weight = np.concatenate([split * w, (1.0 - split) * w])
            ahead = np.concatenate([u - split + split * rest, split - u - (1.0 - split) * x])  # u - s, exact near zero
            m1 = (ahead / (u + s)) ** 2
            E, K = ellipe(1.0 - m1), ellipkm1(np.maximum(m1, 1e-300))
            xi = mean(s, weight, (u + s) * E + ahead * K) / (math.pi * u)
            eta = mean(s, weight, (u + s) * E - ahead * K) / math.pi
            r = (mean(s, weight, 2.0 * K / (math.pi * (u + s))) - xi / u) * (1.0 + u * u) ** 1.5
        h = xi * sine + eta * cosine
        rows.append((h, xi * cosine - eta * sine, r - h))
    return np.array(rows)


@functools.cache
def exact_surface(pressure: str = "hertz") -> np.ndarray:
    """The table of the reservoir of a pressure distribution (`PRESSURES`): h(theta) by quintics on equal intervals of [0, pi/2].

    Each quintic takes h, h' and h'' at both ends, so that the surface is twice differentiable, and h' = 0 exactly at theta = 0.
    """
    choose(pressure, PRESSURES, "pressure")
    theta = np.linspace(0.0, 0.5 * np.pi, INTERVALS + 1)
    h, d, e = exact_values(pressure, theta).T
    w = theta[1]
    rise, d0, d1, e0, e1 = np.diff(h), d[:-1] * w, d[1:] * w, e[:-1] * w**2, e[1:] * w**2
    scaled = [
        h[:-1],
        d0,
        0.5 * e0,
        10.0 * rise - 6.0 * d0 - 4.0 * d1 - 1.5 * e0 + 0.5 * e1,
        -15.0 * rise + 8.0 * d0 + 7.0 * d1 + 1.5 * e0 - e1,
        6.0 * rise - 3.0 * (d0 + d1) - 0.5 * (e0 - e1),
    ]
    return np.ascontiguousarray(np.array([c / w**k for k, c in enumerate(scaled)]).T)


def polynomial(xi: np.ndarray, branch: int) -> np.ndarray:
    """eta over xi on the first (xi <= xi*) or second (xi >= xi*) branch of the boundary of T(3.32)."""
    if branch == 1:
        ratio = (xi / XI) ** 2
        return ETA * np.sqrt(64.0 / 9.0 * np.maximum(0.0, 1.0 - 9.0 / 8.0 * ratio + 243.0 / 1024.0 * ratio**2))
    rest = np.clip(1.0 - xi**2, 0.0, None)  # 75/7 x^2 - 5 x + rest = 0, the smaller root x = eta^2
    return np.sqrt(2.0 * rest / (5.0 + np.sqrt(np.clip(25.0 - 300.0 / 7.0 * rest, 0.0, None))))


@functools.cache
def polynomial_surface() -> np.ndarray:
    """The reservoir of T(3.32), closed to its convex hull: as printed its branches do not meet (eta = 0.197 and 0.221 at xi*).

    Rows t, xi, eta: vertices (xi, eta) of the hull between pure pivoting and pure sliding with the angles t of their normals from
    the eta axis. The hull bridges the step with a flat piece and a corner at (xi*, 0.221); a corner stands twice, for all
    normals between.
    """
    from scipy.spatial import ConvexHull

    first, second = np.linspace(0.0, XI, 3001), XI + (1.0 - XI) * np.sin(np.linspace(0.0, 0.5 * np.pi, 3001))
    xi, eta = np.concatenate([first, second]), np.concatenate([polynomial(first, 1), polynomial(second, 2)])
    points = np.column_stack([np.concatenate([xi, xi, -xi, -xi]), np.concatenate([eta, -eta, eta, -eta])])
    quarter = points[ConvexHull(points).vertices]
    quarter = quarter[(quarter[:, 0] >= 0.0) & (quarter[:, 1] >= 0.0)]
    quarter = quarter[np.lexsort((-quarter[:, 1], quarter[:, 0]))]
    edges = np.diff(quarter, axis=0)
    angles = np.arctan2(-edges[:, 1], edges[:, 0])  # an edge (dx, dy) has the normal (-dy, dx): its angle from the eta axis
    before, after = np.concatenate([[0.0], angles]), np.concatenate([angles, [0.5 * np.pi]])
    rows: list[tuple[float, float, float]] = []
    for k, ((x, y), a, b) in enumerate(zip(quarter, before, after)):
        if k in (0, len(quarter) - 1):
            rows.append((0.0 if k == 0 else 0.5 * np.pi, x, y))
        else:
            rows += [(0.5 * (a + b), x, y)] if b - a < 0.02 else [(a, x, y), (b, x, y)]
    table = np.array(rows).T
    keep = np.concatenate([np.diff(table[0]) > 1e-13, [True]])
    return np.ascontiguousarray(table[:, keep])


def level(xi: np.ndarray, eta: np.ndarray) -> np.ndarray:
    """The left-hand side of T(3.32), 1 on its boundary."""
    first = 9.0 / 64.0 * (eta / ETA) ** 2 + 9.0 / 8.0 * (xi / XI) ** 2 - 243.0 / 1024.0 * (xi / XI) ** 4
    second = xi**2 + 5.0 * eta**2 - 75.0 / 7.0 * eta**4
    return np.where(np.abs(xi) <= XI, first, second)
