"""The rest positions of a round body on a level plane: stationary points of its height over the sphere of attitudes.

With the outward normal n at the contact, h(n) = (p(n) - c).n is the height of the mass centre c. Its gradient on the sphere is the part of
p(n) - c across n, its Hessian R - h with R the matrix of the radii of curvature (p' on the tangent plane). A minimum is stable. Newton's method
from many directions finds them; on a smooth closed surface  minima - saddles + maxima = 2  counts them (a circle of rest positions counts 0).
"""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import numpy as np

from ..body import Body
from ..shapes.convex import Turned, flat_axis, support, support_rate
from ..shapes.curvature import directions, tangents

STARTS = (60, 240, 960)  # directions to start from, more while the count does not close
STEPS = 60
LONGEST = 0.3  # rad, of one step
NEAR = (3e-3, 1e-2, 3e-2, 0.1)  # rad, around stationary points
CLOSE = 1e-5  # rad, below which two solutions are one
NEUTRAL = 1e-7  # of the body's size: radii that differ from the height by less count as equal to it


class Point(NamedTuple):
    """A stationary point: the normal at the contact, the height, the eigenvalues of R - h, and whether it is smooth there."""

    normal: np.ndarray
    height: float
    curving: np.ndarray
    flat: bool = False


def local(body: Body, n: np.ndarray) -> tuple[float, np.ndarray, np.ndarray, np.ndarray]:
    """Height, gradient and Hessian in the tangent plane at n, and the tangents (rows)."""
    u, v = tangents(n)
    normal = tuple(map(float, n))
    lever = np.array(support(body.shape, normal), float) - np.array(body.centre)
    h = float(lever @ n)
    du, dv = (np.array(support_rate(body.shape, normal, tuple(map(float, d))), float) for d in (u, v))
    mixed = 0.5 * (du @ v + dv @ u)
    hessian = np.array([[du @ u - h, mixed], [mixed, dv @ v - h]])
    return h, np.array([lever @ u, lever @ v]), hessian, np.stack([u, v])


def newton(body: Body, n: np.ndarray, size: float) -> Point | None:
    """The stationary point that Newton's method finds from n, if it finds one."""
    for _ in range(STEPS):
        try:
            h, gradient, hessian, basis = local(body, n)
        except ZeroDivisionError:  # right on the axis of a disk or torus
            return None
        if not np.all(np.isfinite(gradient)) or not np.all(np.isfinite(hessian)):
            return None
        if np.linalg.norm(gradient) < 1e-12 * size:
            return Point(n, h, np.linalg.eigvalsh(hessian))
        step = -np.linalg.lstsq(hessian, gradient, rcond=1e-10)[0]
        length = float(np.linalg.norm(step))
        if length == 0.0:
            return None
        n = n + min(1.0, LONGEST / length) * (step @ basis)
        n /= np.linalg.norm(n)
    h, gradient, hessian, _ = local(body, n)
    return Point(n, h, np.linalg.eigvalsh(hessian)) if np.linalg.norm(gradient) < 1e-9 * size else None


def family(point: Point, size: float) -> int:
    """In how many directions a rest position can be shifted without change: 0 (isolated), 1 (a circle) or 2 (every attitude)."""
    return 0 if point.flat else int(np.sum(np.abs(point.curving) < NEUTRAL * size))


def lying_flat(body: Body) -> list[Point]:
    """The two positions of a disk or torus that lies on a circle: sharp minima, if the mass centre is over the circle."""
    flat = flat_axis(body.shape)
    if flat is None:
        return []
    axis, radius = np.array(flat[0]), flat[1]
    found = []
    for n in (axis, -axis):
        near = n + 1e-9 * tangents(n)[0]
        normal = tuple(map(float, near / np.linalg.norm(near)))
        lever = np.array(support(body.shape, normal), float) - np.array(body.centre)
        across = np.array(body.centre) - (np.array(body.centre) @ axis) * axis
        if np.linalg.norm(across) < radius:
            found.append(Point(n, float(lever @ n), np.array([np.inf, np.inf]), True))
    return found


def index(point: Point, size: float) -> int:
    """What a point counts: +1 for minima and maxima, -1 for saddles; of families: a circle 0, all attitudes 2."""
    kind = family(point, size)
    return int(np.prod(np.sign(point.curving))) if kind == 0 else (0 if kind == 1 else 2)


def own_axes(shape: Any) -> np.ndarray:
    """The axes of a shape (columns), turned as it was turned: where symmetric shapes have their rest positions."""
    return np.array(shape.rotation) @ own_axes(shape.shape) if isinstance(shape, Turned) else np.eye(3)


def around(points: list[Point]) -> np.ndarray:
    """Directions near stationary points, at several distances: where other ones hide that attract few starts."""
    found = []
    for point in points:
        u, v = tangents(point.normal)
        for distance in NEAR:
            for turn in np.arange(8) * (np.pi / 4.0):
                found.append(point.normal + distance * (np.cos(turn) * u + np.sin(turn) * v))
    return np.array(found).reshape(-1, 3)


def stationary(body: Body) -> tuple[list[Point], bool]:
    """All stationary points (one for each family), and whether their count closes."""
    size = max(float(np.linalg.norm(np.array(support(body.shape, tuple(map(float, n)))) - body.centre)) for n in directions(40))
    sampled = [float((np.array(support(body.shape, tuple(map(float, n)))) - body.centre) @ n) for n in directions(400)]
    points = lying_flat(body)
    grid = np.array([n for n in itertools.product((-1.0, 0.0, 1.0), repeat=3) if any(n)])
    rounds = [lambda: np.vstack([grid @ own_axes(body.shape).T, directions(STARTS[0])]), lambda: around(points)]
    rounds += [lambda count=count: directions(count) for count in STARTS[1:]]  # type: ignore[misc]
    for starts in rounds:
        for n in starts():
            point = newton(body, n / np.linalg.norm(n), size)
            if point is not None and not known(point, points, size):
                points.append(point)
        if counted(points, min(sampled), max(sampled), size):
            return points, True
    return points, False


def counted(points: list[Point], low: float, high: float, size: float) -> bool:
    """Whether the count closes, with a minimum at least as low and a maximum at least as high as any height that was met."""
    if sum(index(p, size) for p in points) != 2:
        return False
    lowest, highest = min(points, key=lambda p: p.height), max(points, key=lambda p: p.height)
    slack = NEUTRAL * size
    rests = lowest.height <= low + slack and bool(np.all(lowest.curving > -slack))
    return rests and highest.height >= high - slack and bool(np.all(highest.curving < slack))


def known(point: Point, points: list[Point], size: float) -> bool:
    """Whether a point was found before, or belongs to a family that was."""
    kind = family(point, size)
    for other in points:
        if float(np.linalg.norm(point.normal - other.normal)) < CLOSE:
            return True
        if kind > 0 and family(other, size) == kind and abs(point.height - other.height) < 1e-7 * size:
            return True
    return False
