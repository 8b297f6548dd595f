"""Maps of what happens over a plane of states or parameters, with the boundaries as curves.

The kind of every grid point is asked for; between neighbours of different kind a boundary passes. What vanishes on it is a smooth equation: a normal
speed (codimension one); G(phi) = 0 in the unknowns (phi, p, q), a fold of directions V = V' = 0, or the circulation (codimension two); G(phi+, phi-) = 0, the rate of
leaving, or the static margin (codimension three). The one that has a zero there is followed as a curve. What fits none is told in `loose`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ...kernel.names import InputError
from .curves import Curve, polished, trace
from .equations import equations
from .plane import Plane, system_at
from .theory.double import DoubleSwitching
from .theory.extended import ExtendedSwitching
from .theory.switching import Switching
from .theory.what_next import what_next

KINDS = (Switching, ExtendedSwitching, DoubleSwitching)


class Loose(NamedTuple):
    """A change of kind between two neighbours that no equation explains: where, and which kinds."""

    p: float
    q: float
    kinds: tuple[str, str]


@dataclass(frozen=True)
class RegionMap:
    """Kinds at the grid points (`kinds[i, j]` at x[i], y[j]), the boundaries (points (p, q)), and changes of kind without one."""

    plane: Plane
    x: np.ndarray
    y: np.ndarray
    kinds: np.ndarray
    boundaries: tuple[Curve, ...]
    loose: tuple[Loose, ...]


def kind_at(system: Any, plane: Plane, p: float, q: float) -> str:
    """What happens at a point of the plane: the kind, or for two contacts the mode that follows."""
    here = system_at(system, KINDS, p, q)
    x = plane.state(p, q)
    return what_next(here, x).mode if isinstance(here, DoubleSwitching) else here.at(x).kind


def region_map(system: Any, plane: Plane, count: int = 25, boundaries: bool = True) -> RegionMap:
    """The kinds on a grid of `count` x `count` points, and the curves between them."""
    if count < 3:
        raise InputError(f"a map needs at least 3 points along each axis, not {count}.")
    xs, ys = plane.grid(count)
    kinds = np.array([[kind_at(system, plane, float(p), float(q)) for q in ys] for p in xs], dtype=object)
    curves: list[Curve] = []
    loose: list[Loose] = []
    if boundaries:
        cell = plane.spans / (count - 1)
        for a, b, pair in _changes(xs, ys, kinds):
            middle = _bisected(system, plane, a, b, pair)
            if any(_near(curve, middle, 0.15 * cell) for curve in curves):
                continue
            curve = _boundary(system, plane, middle, pair, cell)
            if curve is None:
                loose.append(Loose(float(middle[0]), float(middle[1]), pair))
            else:
                curves.append(curve)
    return RegionMap(plane, xs, ys, kinds, tuple(curves), tuple(loose))


def _changes(xs: np.ndarray, ys: np.ndarray, kinds: np.ndarray) -> list[tuple[np.ndarray, np.ndarray, tuple[str, str]]]:
    """Pairs of neighbours of different kind."""
    pairs = []
    for i in range(xs.size):
        for j in range(ys.size):
            for k, m in ((i + 1, j), (i, j + 1)):
                if k < xs.size and m < ys.size and kinds[i, j] != kinds[k, m]:
                    pairs.append((np.array([xs[i], ys[j]]), np.array([xs[k], ys[m]]), (kinds[i, j], kinds[k, m])))
    return pairs


def _bisected(system: Any, plane: Plane, a: np.ndarray, b: np.ndarray, pair: tuple[str, str], steps: int = 6) -> np.ndarray:
    """Where the kind changes between two neighbours, to a part of their distance (the change from the first kind, if there are several)."""
    for _ in range(steps):
        middle = 0.5 * (a + b)
        if kind_at(system, plane, *middle) == pair[0]:
            a = middle
        else:
            b = middle
    return 0.5 * (a + b)


def _near(curve: Curve, point: np.ndarray, cell: np.ndarray) -> bool:
    """Whether a point is within a cell's length of a curve, measured to its segments."""
    z = curve.points / cell
    p = point / cell
    a, d = z[:-1], np.diff(z, axis=0)
    t = np.clip(((p - a) * d).sum(axis=1) / np.maximum((d * d).sum(axis=1), 1e-300), 0.0, 1.0)
    return bool(len(z) > 1 and np.linalg.norm(a + t[:, None] * d - p, axis=1).min() < 1.0)


def _boundary(system: Any, plane: Plane, middle: np.ndarray, pair: tuple[str, str], cell: np.ndarray) -> Curve | None:
    """The curve through a change of kind, by the first equation with a zero there."""
    for equation in equations(system, plane, middle, pair):
        angles = equation.start.size - 2
        scales = np.concatenate([np.full(angles, 2.0 * np.pi), plane.spans])
        start = polished(equation.residual, equation.start, scales)
        if start is None or np.abs((start[-2:] - middle) / cell).max() > 0.2:
            continue
        low, high = np.array([plane.x[0], plane.y[0]]) - 0.5 * cell, np.array([plane.x[1], plane.y[1]]) + 0.5 * cell
        inside = lambda z, low=low, high=high: bool(np.all(z[-2:] >= low) and np.all(z[-2:] <= high))
        step = 0.4 * float((cell / plane.spans).min())
        return _in_plane(
            trace(
                equation.residual, start.tolist(), scales.tolist(), step=step, inside=inside, label=equation.label, angles=angles
            )
        )
    return None


def _in_plane(curve: Curve) -> Curve:
    return replace(curve, points=curve.points[:, -2:])


def boundary_by_bisection(
    system: Any, plane: Plane, inside: tuple[float, float], outside: tuple[float, float], tolerance: float = 1e-12
) -> np.ndarray:
    """Where the kind changes between two points of the plane, by bisection on the kind alone: a second route to every boundary."""
    a, b = np.asarray(inside, float), np.asarray(outside, float)
    first, last = kind_at(system, plane, *a), kind_at(system, plane, *b)
    if first == last:
        raise InputError(f"both points are of the kind {first!r}: bisection needs two kinds.")
    while np.abs((b - a) / plane.spans).max() > tolerance:
        middle = 0.5 * (a + b)
        if np.all((middle == a) | (middle == b)):
            break
        a, b = (middle, b) if kind_at(system, plane, *middle) == first else (a, middle)
    return 0.5 * (a + b)
