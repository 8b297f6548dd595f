"""Limit directions at a double discontinuity (codimension three): slip directions along which both contacts start, or stop, to slip.

G = (F1+, F1-, Fa) of the limit field must be parallel to n(phi+, phi-). With cos(phi+) = sin(alpha), sin(phi+) = s cos(alpha), the same for phi- with
beta, and s = +-1: G1+ cos(alpha) - s sin(alpha) Ga = 0, G1- cos(beta) - s sin(beta) Ga = 0 for alpha, beta in (-pi/2, pi/2). Solved by Newton from 9 x 9
starts for each s, or, where `directed` takes arrays of angles, from 15 x 15 at once. On the edge, ua = 0, both angles are 0 or pi, F does not depend on the ratio of the slips, and Ga = 0 decides.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .at_once import many_directions, searched
from .double import DoubleSwitching, direction

STARTS, FINE = 9, 15
EDGE = 0.5 * np.pi - 1e-9


class DoubleDirection(NamedTuple):
    """A limit direction: phi+, phi-, the unit vector n in (u1+, u1-, ua), R = <G, n>, and `repels`, `attracts` or `tangent`."""

    phi_plus: float
    phi_minus: float
    normal: np.ndarray
    radial: float
    does: str


def double_directions(system: DoubleSwitching, x: np.ndarray) -> list[DoubleDirection]:
    """All limit directions of F_SS at a point of Sigma_RR.

    Where limits are extrapolated, the search takes the field at one small distance, and only what it found is polished on the limit.
    """
    x = system.rolling_state(x)
    places = list(system.index)
    G = lambda plus, minus: system.near(x, plus, minus)[places]
    rough = lambda plus, minus: system.close_by(x, plus, minus)[places]
    directions = []
    values = [G(0.5 * np.pi, 0.5 * np.pi)]
    many = many_directions(system.directed, x, places) if system.directed is not None else None
    for s in (1.0, -1.0):
        known: list[tuple[float, float]] = []
        for start in _search(_residual(rough, s)) if many is None else searched(many, s, FINE, EDGE):
            p = _newton(_residual(G, s), np.array(start), known)
            if p is None or np.abs(p).max() >= EDGE:
                continue
            known.append((float(p[0]), float(p[1])))
            plus, minus = _angles(p, s)
            n, g = direction(plus, minus), G(plus, minus)
            values.append(g)
            directions.append((plus, minus, n, float(g @ n)))
    for plus in (0.0, np.pi):
        for minus in (0.0, np.pi):
            g = G(plus, minus)
            values.append(g)
            edge = _edge(plus, minus, g, system.tolerance)
            if edge is not None:
                directions.append(edge)
    small = system.tolerance * max(float(np.linalg.norm(g)) for g in values)
    does = lambda r: "tangent" if abs(r) <= small else "repels" if r > 0.0 else "attracts"
    return [DoubleDirection(*d, does(d[3])) for d in directions]


def _residual(G: Callable, s: float) -> Callable[[np.ndarray], np.ndarray]:
    def residual(p: np.ndarray) -> np.ndarray:
        g = G(*_angles(np.clip(p, -EDGE, EDGE), s))  # beyond the square the field goes on as on its edge
        return np.array([g[0] * np.cos(p[0]) - s * np.sin(p[0]) * g[2], g[1] * np.cos(p[1]) - s * np.sin(p[1]) * g[2]])

    return residual


def _search(residual: Callable) -> list[tuple[float, float]]:
    """The zeros that Newton finds from 9 x 9 starts."""
    zeros: list[tuple[float, float]] = []
    grid = np.pi * ((np.arange(STARTS) + 0.5) / STARTS - 0.5)
    for a in grid:
        for b in grid:
            p = _newton(residual, np.array([a, b]), zeros)
            if p is not None and np.abs(p).max() < EDGE + 1e-5:
                zeros.append((float(p[0]), float(p[1])))
    return sorted(zeros)


def _angles(p: np.ndarray, s: float) -> tuple[float, float]:
    return float(np.arctan2(s * np.cos(p[0]), np.sin(p[0]))), float(np.arctan2(s * np.cos(p[1]), np.sin(p[1])))


def _edge(plus: float, minus: float, g: np.ndarray, tolerance: float) -> tuple[float, float, np.ndarray, float] | None:
    """The direction with ua = 0 and these signs of u1+ and u1-, if the field is along it."""
    size = float(np.linalg.norm(g))
    if abs(g[2]) > tolerance * size or min(abs(g[0]), abs(g[1])) <= tolerance * size:
        return None
    signs = np.array([np.cos(plus), np.cos(minus)])
    sense = signs * g[:2]
    if sense[0] * sense[1] < 0.0:
        return None
    r = size if sense[0] > 0.0 else -size
    return plus, minus, np.array([g[0], g[1], 0.0]) / r, r


def _newton(residual: Callable, p: np.ndarray, known: list[tuple[float, float]]) -> np.ndarray | None:
    """A zero of two functions of two angles; None if Newton leaves the square, stalls, or comes to a zero that is known."""
    f = residual(p)
    size, h = np.inf, 1e-6
    for _ in range(30):
        columns = [(residual(p + h * e) - residual(p - h * e)) / (2.0 * h) for e in np.eye(2)]
        J = np.stack(columns, axis=1)
        det = J[0, 0] * J[1, 1] - J[0, 1] * J[1, 0]
        if det == 0.0:
            return None
        step = np.array([J[1, 1] * f[0] - J[0, 1] * f[1], J[0, 0] * f[1] - J[1, 0] * f[0]]) / det
        size = float(np.abs(step).max())
        p = p - step * min(1.0, 0.5 / size) if size > 0.0 else p
        if np.abs(p).max() > 0.75 * np.pi:
            return None
        if size < 1e-4 and any(max(abs(a - p[0]), abs(b - p[1])) < 1e-7 for a, b in known):
            return None
        f = residual(p)
        if size <= 1e-13:
            return p
    return p if size <= 1e-9 else None
