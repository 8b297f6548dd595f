"""`smooth_fit`: a smooth convex body near one with flat faces, corners and edges, with its greatest distance from it.

1. The body is brought near to a ball: c is its Steiner point (the mean of 3 h n), A^2 the matrix Q with h^2 = n.Q n in the least squares.
2. The support function of what is left is expanded in spherical harmonics up to a degree L (sums over a grid of Gauss and Legendre).
3. Where the radii of curvature of the sum are not all positive, high degrees are damped by 1/(1 + s (l (l + 1))^2), with the least s that makes them so.
   Between the nodes of a grid they are bounded by Bernstein's inequality: along a great circle a radius is a trigonometric polynomial of degree L + 4.
4. The Hausdorff distance of two convex bodies is the greatest difference of their support functions; it is taken over a fine grid and the normals of
   all faces, and looked for ever closer around the largest ones.

L grows until the distance does not get smaller any more, or until the distance that is asked for is reached. Bodies fitted so roll: the support map is
analytic and every radius of curvature is bounded, above and below.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kernel.names import InputError, number
from .convex import support
from .fitted import Fitted
from .hull import corners, quick_hull
from .triangles import support_points

DEGREES = (2, 4, 6, 8, 10, 12)
ROUND = 0.02  # the least radius of curvature, when the body has been brought near to a ball of radius 1
BETTER = 0.8  # a higher degree is taken where it makes the distance this much smaller
FARTHEST = 0.05  # of half the largest width: what is farther away is not taken unless somebody asks for it
FINE = 64  # rows of the grid that expands the support function and looks for the greatest distance
EPS = 1e-30
AT_ONCE = 2000  # directions


class Nodes(NamedTuple):
    """Unit vectors (3, k) and their weights (k): sums over them are integrals over the sphere."""

    n: np.ndarray
    weight: np.ndarray


def nodes(rows: int) -> Nodes:
    """The grid that integrates spherical harmonics up to the degree 2 rows - 1."""
    z, w = np.polynomial.legendre.leggauss(rows)
    turn = np.pi * np.arange(2 * rows) / rows
    s = np.sqrt(1.0 - z * z)
    n = np.stack([np.outer(s, np.cos(turn)), np.outer(s, np.sin(turn)), np.outer(z, np.ones(2 * rows))])
    return Nodes(n.reshape(3, -1), np.repeat(w, 2 * rows) * np.pi / rows)


def recurrence(degree: int) -> np.ndarray:
    """Rows (a_lm, b_lm) of P_lm = a_lm z P_l-1,m - b_lm P_l-2,m for m = 0, 1, ... and l = m, m + 1, ...; (P_mm, 0) where l = m. Orthonormal."""
    found = []
    first = 1.0 / np.sqrt(4.0 * np.pi)
    for m in range(degree + 1):
        if m > 0:
            first *= np.sqrt((2 * m + 1) / (2 * m)) * (np.sqrt(2.0) if m == 1 else 1.0)
        found.append((first, 0.0))
        for l in range(m + 1, degree + 1):
            a = np.sqrt((4 * l * l - 1) / (l * l - m * m))
            found.append((a, a * np.sqrt(((l - 1) ** 2 - m * m) / (4 * (l - 1) ** 2 - 1)) if l > m + 1 else 0.0))
    return np.array(found)


def harmonics(degree: int, n: np.ndarray) -> np.ndarray:
    """The spherical harmonics at unit vectors (3, k), real or complex, one row each: those with (x + i y)^m's real part, then those with its imaginary part."""
    x, y, z = n
    steps, row = recurrence(degree), 0
    real, imaginary = [], []
    re, im = np.ones_like(x), np.zeros_like(x)
    for m in range(degree + 1):
        before, here = np.zeros_like(x), np.full_like(x, steps[row, 0])
        for l in range(m, degree + 1):
            if l > m:
                before, here = here, steps[row, 0] * z * here - steps[row, 1] * before
            real.append(here * re)
            imaginary.append(here * im)
            row += 1
        re, im = x * re - y * im, x * im + y * re
    return np.stack(real + imaginary, axis=-1)


def degrees(degree: int) -> np.ndarray:
    """The degree l of each spherical harmonic."""
    listed = [l for m in range(degree + 1) for l in range(m, degree + 1)]
    return np.array(listed + listed)


def gradients(degree: int, n: np.ndarray, power: int) -> list[np.ndarray]:
    """The derivatives of |x|^power Y(x/|x|) along e1, e2, e3 at unit vectors, by complex step."""
    found = []
    for i in range(3):
        x = n.astype(complex)
        x[i] += 1j * EPS
        length = np.sqrt((x * x).sum(axis=0))
        found.append((length**power * harmonics(degree, x / length).T).T.imag / EPS)
    return found


class Workshop:
    """What is needed to tell the points and the radii of curvature of a body with a support function of some degree."""

    def __init__(self, degree: int):
        self.degree, self.rows = degree, 4 * degree + 16
        self.at = nodes(self.rows)
        self.to_points = gradients(degree, self.at.n, 1)
        self.point_harmonics = harmonics(degree + 1, self.at.n)
        self.to_radii = gradients(degree + 1, self.at.n, 0)

    def points(self, c: np.ndarray) -> list[np.ndarray]:
        """The coefficients of the three components of q, of one degree more."""
        return [self.point_harmonics.T @ (self.at.weight * (g @ c)) for g in self.to_points]

    def second(self, q: list[np.ndarray]) -> np.ndarray:
        """Q at the nodes, (k, 3, 3), from the coefficients of q."""
        return np.array([[g @ component for g in self.to_radii] for component in q]).transpose(2, 0, 1)

    def bounds(self, second: np.ndarray) -> tuple[float, float]:
        """Bounds of the radii of curvature everywhere, from Q at the nodes.

        At its least value a radius r has no slope, and |r''| <= (L + 4)^2 max |r - mean|; the next node is at most pi/(rows sqrt 2) away.
        """
        trace = np.trace(second, axis1=1, axis2=2)
        apart = np.sqrt(np.maximum(2.0 * np.einsum("kij,kji->k", second, second) - trace**2, 0.0))
        least, greatest, mean = float((trace - apart).min()) / 2.0, float((trace + apart).max()) / 2.0, float(trace.mean()) / 2.0
        slack = 0.25 * ((self.degree + 4) * np.pi / self.rows) ** 2 * max(greatest - mean, mean - least)
        return least - slack, greatest + slack


def support_function(shape: Any) -> tuple[Any, np.ndarray]:
    """h as a function of unit vectors (3, k), and the normals (3, m) of the faces of a shape, if it has some."""
    angular = corners(shape)
    if angular is None:
        return lambda n: np.einsum("ik,ki->k", n, support_points(shape, n.T)), np.empty((3, 0))
    points, radius = angular
    faces = quick_hull(points).equations[:, :3].T

    def h(n: np.ndarray) -> np.ndarray:
        parts = [(points @ n[:, k : k + AT_ONCE]).max(axis=0) for k in range(0, n.shape[1], AT_ONCE)]
        height: np.ndarray = np.concatenate(parts) + radius
        return height

    return h, faces


def near_ball(h: np.ndarray, at: Nodes) -> tuple[np.ndarray, np.ndarray]:
    """c and A: the Steiner point, and the square root of Q with (h - c.n)^2 = n.Q n in the least squares."""
    centre = 3.0 / (4.0 * np.pi) * (at.n * (at.weight * h)).sum(axis=1)
    x, y, z = at.n
    left, w = (h - centre @ at.n) ** 2, np.sqrt(at.weight)
    columns = np.stack([x * x, y * y, z * z, 2.0 * x * y, 2.0 * x * z, 2.0 * y * z], axis=1)
    q = np.linalg.lstsq(columns * w[:, None], left * w, rcond=None)[0]
    values, axes = np.linalg.eigh(np.array([[q[0], q[3], q[4]], [q[3], q[1], q[5]], [q[4], q[5], q[2]]]))
    values = np.maximum(values, 1e-6 * values.max())  # a needle or a leaf has no ellipsoid of its own
    return centre, (axes * np.sqrt(values)) @ axes.T


def coefficients(degree: int, g: np.ndarray, at: Nodes, shop: Workshop) -> tuple[np.ndarray, bool]:
    """The coefficients of a convex body whose support function is near g, and whether high degrees had to be damped for that."""
    exact = harmonics(degree, at.n).T @ (at.weight * g)
    damping = (degrees(degree) * (degrees(degree) + 1.0)) ** 2

    def least(s: float) -> float:
        return float(shop.bounds(shop.second(shop.points(exact / (1.0 + s * damping))))[0])

    if least(0.0) >= ROUND:
        return exact, False
    low, high = -8.0, 3.0  # powers of ten; at the upper end a ball is left
    for _ in range(12):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if least(10.0**middle) >= ROUND else (middle, high)
    return exact / (1.0 + 10.0**high * damping), True


def body_of(c: np.ndarray, shop: Workshop, centre: np.ndarray, stretch: np.ndarray, distance: float, size: float) -> Fitted:
    """The shape with these coefficients."""
    top = shop.degree + 2
    q = shop.points(c)
    second = shop.second(q)
    all_harmonics = harmonics(top, shop.at.n)
    pairs = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
    table = np.zeros((all_harmonics.shape[1], 9))
    table[degrees(top) < top, :3] = np.array(q).T  # q is of one degree less, in the same order
    table[:, 3:] = np.array([all_harmonics.T @ (shop.at.weight * second[:, i, j]) for i, j in pairs]).T
    least, greatest = shop.bounds(second)
    axes = np.linalg.eigvalsh(stretch)  # the stretched ball has radii from axes[0]^2/axes[2] to axes[2]^2/axes[0]
    cosine, sine = (np.ascontiguousarray(half) for half in np.split(table, 2))
    return Fitted(
        tuple(map(float, centre)),
        tuple(tuple(map(float, row)) for row in stretch),
        top,
        recurrence(top),
        cosine,
        sine,
        distance,
        size,
        least * float(axes[0] ** 2 / axes[2]),
        greatest * float(axes[2] ** 2 / axes[0]),
    )


def greatest(apart: Any, n: np.ndarray) -> float:
    """The greatest value of a function of unit vectors (3, k), looked for ever closer around the ten largest."""
    values = apart(n)
    around, spread = np.random.default_rng(0).normal(size=(3, 1, 50)), np.pi / FINE
    for _ in range(6):
        worst = np.argsort(values)[-10:]
        near = (n[:, worst, None] + spread * around).reshape(3, -1)
        n = np.hstack([n[:, worst], near / np.linalg.norm(near, axis=0)])
        values, spread = apart(n), 0.4 * spread
    return float(values.max())


def smooth_fit(shape: Any, within: Any = True) -> Fitted:
    """A smooth convex shape near one with flat faces, such as the convex hull of a mesh; its `distance` is the greatest from it.

    within: the greatest distance allowed, e.g. "0.2mm"; the lowest degree that keeps it is taken. True: the distance is made as small as it
    gets, and refused if it exceeds 5 % of half the largest width.
    """
    if not (isinstance(shape, tuple) and support.knows(type(shape))):
        raise InputError(f"shape = {shape!r} is not a shape such as convex_hull(points).")
    bound = None if within is True else number(within, "smooth", "m")
    if bound is not None and not bound > 0.0:
        raise InputError(f'smooth = {within!r} must be a distance above zero, e.g. "0.2mm", or True for the nearest fit.')
    h, faces = support_function(shape)
    at = nodes(FINE)
    values = h(at.n)
    opposite = np.roll(values.reshape(FINE, 2 * FINE)[::-1], FINE, axis=1).ravel()  # h(-n)
    size = 0.5 * float((values + opposite).max())
    centre, stretch = near_ball(values, at)
    normals = np.linalg.solve(stretch, at.n)
    lengths = np.linalg.norm(normals, axis=0)
    g = lengths * (h(normals / lengths) - centre @ (normals / lengths))
    everywhere = np.hstack([at.n, faces])
    best: Fitted | None = None
    idle = 0
    for degree in DEGREES:
        shop = Workshop(degree)
        c, damped = coefficients(degree, g, at, shop)

        def apart(n: np.ndarray, degree: int = degree, c: np.ndarray = c) -> np.ndarray:
            m = stretch @ n
            long = np.linalg.norm(m, axis=0)
            distance: np.ndarray = np.abs(centre @ n + long * (harmonics(degree, m / long) @ c) - h(n))
            return distance

        distance = greatest(apart, everywhere)
        if best is None or distance < BETTER * best.distance:
            best, idle = body_of(c, shop, centre, stretch, distance, size), 0
        else:
            idle += 1
        if damped or idle == 2 or (bound is not None and best.distance <= bound):
            break
    assert best is not None
    allowed = FARTHEST * size if bound is None else bound
    if best.distance > allowed:
        percent = 100.0 * best.distance / size
        raise InputError(
            f"the nearest smooth shape is {best.distance:.3g} m ({percent:.2g} % of half its largest width) away, more than {allowed:.3g} m: flat faces and "
            f'sharp edges are not nearly round. Allow that distance, smooth = "{1e3 * best.distance * 1.01:.3g}mm", or let the body slide and rock on its corners.'
        )
    return best
