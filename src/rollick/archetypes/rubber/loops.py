"""Curves on the sphere of contact normals, cut into smooth panels: what the holonomy of a rolling body is computed along.

A curve is told in the coordinates (theta, psi) of the normals, as a pair of functions of s in [0, 1] or as the corners of a
polygon whose sides are straight in (theta, psi). Each panel carries the values at Gauss nodes; derivatives are those of the
polynomial through them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.polynomial import legendre

from ...kernel.names import InputError

NODES = 16
MOST_PANELS = 1024
LONGEST_SIDE = 0.25  # rad, of a panel of a polygon


def _matrices() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Gauss nodes on (0, 1); matrices that integrate from 0 to each node and differentiate at the nodes; weights."""
    x, w = legendre.leggauss(NODES)
    back = np.linalg.inv(legendre.legvander(x, NODES - 1))
    whole = np.eye(NODES)
    integrate = 0.5 * np.stack([legendre.legval(x, legendre.legint(e, lbnd=-1.0)) for e in whole], axis=1) @ back
    differentiate = 2.0 * np.stack([legendre.legval(x, legendre.legder(e)) for e in whole], axis=1) @ back
    return 0.5 * (x + 1.0), integrate, differentiate, 0.5 * w


POINTS, INTEGRATE, DIFFERENTIATE, WEIGHTS = _matrices()


@dataclass(frozen=True)
class Panels:
    """theta, psi and their derivatives by s at the nodes (panel, node), the panels' widths in s, the turns about the axis."""

    s: np.ndarray
    theta: np.ndarray
    psi: np.ndarray
    dtheta: np.ndarray
    dpsi: np.ndarray
    width: np.ndarray
    turns: int


def _closed(first: np.ndarray, last: np.ndarray) -> int:
    """How often the curve goes round the axis; refused if it does not close."""
    turns = (last[1] - first[1]) / (2.0 * math.pi)
    if abs(last[0] - first[0]) > 1e-9 or abs(turns - round(turns)) > 1e-9:
        raise InputError(
            f"the curve must close: it begins at (theta, psi) = ({first[0]:.9g}, {first[1]:.9g}) and ends at "
            f"({last[0]:.9g}, {last[1]:.9g}); theta must return, and psi up to multiples of 2 pi."
        )
    return round(turns)


def _check(theta: np.ndarray, psi: np.ndarray) -> None:
    if not (np.all(np.isfinite(theta)) and np.all(np.isfinite(psi))):
        raise InputError("the curve has values that are not finite; give finite angles theta and psi.")
    if theta.min() <= 0.0 or theta.max() >= math.pi:
        raise InputError(
            f"theta runs from {theta.min():.6g} to {theta.max():.6g} along the curve, and must stay strictly between 0 and pi, "
            f"where psi is defined."
        )


def _of_functions(theta: Callable, psi: Callable, count: int) -> Panels:
    edges = np.linspace(0.0, 1.0, count + 1)
    width = np.diff(edges)
    s = edges[:-1, None] + width[:, None] * POINTS
    t = np.array([[float(theta(v)) for v in row] for row in s])
    p = np.array([[float(psi(v)) for v in row] for row in s])
    _check(t, p)
    ends = [np.array([float(theta(v)), float(psi(v))]) for v in (0.0, 1.0)]
    turns = _closed(*ends)
    return Panels(s, t, p, t @ DIFFERENTIATE.T / width[:, None], p @ DIFFERENTIATE.T / width[:, None], width, turns)


def _of_corners(corners: np.ndarray, finer: int) -> Panels:
    gap = corners[-1] - corners[0]
    if abs(gap[0]) > 1e-12 or abs(gap[1] / (2 * math.pi) - round(gap[1] / (2 * math.pi))) > 1e-12:
        corners = np.concatenate([corners, corners[:1]])  # the last side
    turns = _closed(corners[0], corners[-1])
    starts, sides, first, width = [], [], [], []
    total = len(corners) - 1
    for k, (a, b) in enumerate(itertools.pairwise(corners)):
        pieces = finer * max(1, math.ceil(float(np.abs(b - a).max()) / LONGEST_SIDE))
        for i in range(pieces):
            starts.append(a + (b - a) * i / pieces)
            sides.append((b - a) * total)
            first.append((k + i / pieces) / total)
            width.append(1.0 / (pieces * total))
    start, slope, w, s0 = np.array(starts), np.array(sides), np.array(width), np.array(first)
    step = w[:, None] * POINTS
    theta, psi = (start[:, k, None] + slope[:, k, None] * step for k in (0, 1))
    _check(corners[:, 0], corners[:, 1])
    flat = np.ones(NODES)
    return Panels(s0[:, None] + step, theta, psi, slope[:, :1] * flat, slope[:, 1:] * flat, w, turns)


def panels(loop: Any, count: int = 1) -> Panels:
    """A closed curve cut into panels: `count` of them for a pair of functions, `count` times as many as needed for corners."""
    if isinstance(loop, tuple) and len(loop) == 2 and all(callable(f) for f in loop):
        return _of_functions(loop[0], loop[1], count)
    try:
        corners = np.asarray(loop, float)
    except (TypeError, ValueError):
        corners = np.empty(0)
    if corners.ndim != 2 or corners.shape[1] != 2 or corners.shape[0] < 3:
        raise InputError(
            "a curve is a pair of functions (theta, psi) of s in [0, 1], or an array of at least three corners "
            f"[[theta, psi], ...]; this is {type(loop).__name__} of shape {corners.shape}."
        )
    return _of_corners(corners, count)


def settled(measure: Callable[[Panels], np.ndarray], loop: Any, tolerance: float = 1e-12) -> tuple[np.ndarray, Panels]:
    """What is measured along a curve, with ever more panels until two answers agree; and the panels of the last."""
    count = 1
    cut = panels(loop, count)
    before = measure(cut)
    while True:
        count *= 2
        cut = panels(loop, count)
        now = measure(cut)
        if np.abs(now - before).max() <= tolerance * max(1.0, np.abs(now).max()):
            return now, cut
        if count >= MOST_PANELS:
            raise InputError(
                f"the curve is not smooth enough: {count} panels still leave a change of {np.abs(now - before).max():.2g}. "
                f"Give a curve with corners as an array of its corners, or one that bends less."
            )
        before = now


def normals(theta: np.ndarray, psi: np.ndarray) -> np.ndarray:
    """Outward normals -gamma at contact, gamma = (sin theta sin psi, sin theta cos psi, cos theta) (5), along the last axis."""
    return -np.stack([np.sin(theta) * np.sin(psi), np.sin(theta) * np.cos(psi), np.cos(theta)], axis=-1)


def polygon_area(points: np.ndarray) -> float:
    """The signed area, seen from outside, of a spherical polygon: unit vectors as corners, great arcs as sides; modulo 4 pi.

    A fan of triangles about the first corner, each by tan(E/2) = a.(b x c) / (1 + a.b + b.c + c.a) (Van Oosterom and Strackee).
    """
    a, b, c = points[0], points[1:-1], points[2:]
    triple = np.cross(b, c) @ a
    return float(np.sum(2.0 * np.arctan2(triple, 1.0 + b @ a + np.sum(b * c, axis=-1) + c @ a)))


def enclosed_area(loop: Any, pieces: int = 512, levels: int = 5) -> float:
    """The signed area that the curve of outward normals encloses, seen from outside; modulo 4 pi.

    By ever finer geodesic polygons and Richardson's extrapolation; nothing here knows of rolling, or integrates -cos(theta) psi'.
    """
    functions = isinstance(loop, tuple) and len(loop) == 2 and all(callable(f) for f in loop)
    corners = None if functions else panels(loop)
    table: list[float] = []
    for level in range(levels):
        if corners is None:
            s = np.arange(pieces << level) / (pieces << level)
            theta, psi = (np.array([float(f(v)) for v in s]) for f in loop)
        else:
            part = np.arange(16 << level) / (16 << level) * corners.width[:, None]  # the sides are straight in (theta, psi)
            lead = -POINTS[0] * corners.width
            theta = (corners.theta[:, 0] + lead * corners.dtheta[:, 0])[:, None] + corners.dtheta[:, :1] * part
            psi = (corners.psi[:, 0] + lead * corners.dpsi[:, 0])[:, None] + corners.dpsi[:, :1] * part
        row = [polygon_area(normals(theta.ravel(), psi.ravel()))]
        for k, old in enumerate(table):
            row.append(row[-1] + (row[-1] - old) / (4.0 ** (k + 1) - 1.0))
        table = row
    return table[-1]
