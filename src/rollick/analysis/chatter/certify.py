"""A proof, in floating point with outward rounding, that a polygon is an effectively invariant cone.

All numbers are intervals [low, high]; every operation is rounded outward to the next double, so that the true value is inside whatever the
rounding does. Parameters rho, gamma and the vertices of the polygon are the doubles they are. Sines and cosines are widened by two units in
the last place. Clipped points are kept as positive combinations of vertices, without division. Where a sign is not certain, a point counts
as inside: the clipped set can only become larger, so that the proof stays one.
"""

from __future__ import annotations

import math

import numpy as np

from .succession import half_spaces

Interval = tuple[np.ndarray, np.ndarray]


def _down(x: np.ndarray) -> np.ndarray:
    return np.nextafter(x, -np.inf)


def _up(x: np.ndarray) -> np.ndarray:
    return np.nextafter(x, np.inf)


def exact(x) -> Interval:
    """A double as an interval."""
    x = np.asarray(x, float)
    return x, x


def widened(x, units: int = 2) -> Interval:
    """A value known to some units in the last place."""
    low = high = np.asarray(x, float)
    for _ in range(units):
        low, high = _down(low), _up(high)
    return low, high


def add(a: Interval, b: Interval) -> Interval:
    """a + b."""
    return _down(a[0] + b[0]), _up(a[1] + b[1])


def negative(a: Interval) -> Interval:
    """-a."""
    return -a[1], -a[0]


def times(a: Interval, b: Interval) -> Interval:
    """a b."""
    products = np.stack(np.broadcast_arrays(a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1]))
    return _down(products.min(axis=0)), _up(products.max(axis=0))


def divide(a: Interval, b: Interval) -> Interval:
    """a/b, b above zero."""
    quotients = np.stack(np.broadcast_arrays(a[0] / b[0], a[0] / b[1], a[1] / b[0], a[1] / b[1]))
    return _down(quotients.min(axis=0)), _up(quotients.max(axis=0))


def dot(a: Interval, b: Interval) -> Interval:
    """Sum of products along the last axis."""
    terms = times(a, b)
    total: Interval = (terms[0][..., 0], terms[1][..., 0])
    for k in range(1, terms[0].shape[-1]):
        total = add(total, (terms[0][..., k], terms[1][..., k]))
    return total


def _row(*parts: Interval) -> Interval:
    return np.stack([p[0] for p in parts]), np.stack([p[1] for p in parts])


def _cosine(n: int, k: float) -> Interval:
    """cos(2 pi k/n), exactly where it is 0 or +-1/2 or +-1."""
    special = {0.0: 1.0, 1 / 6: 0.5, 1 / 4: 0.0, 1 / 3: -0.5, 1 / 2: -1.0, 2 / 3: -0.5, 3 / 4: 0.0, 5 / 6: 0.5}
    part = (k / n) % 1.0
    if part in special:
        return exact(special[part])
    # The angle is right to three units of 2 pi, and cos changes no faster than its argument.
    value = math.cos(2.0 * math.pi * part)
    slack = 4e-15
    return np.asarray(value - slack), np.asarray(value + slack)


def map_interval(n: int, rho: float, gamma: float, j: int) -> Interval:
    """U_0 R^-j as an interval matrix."""
    r2 = times(exact(rho), exact(rho))
    k = divide(add(exact(1.0), exact(gamma)), add(exact(1.0), r2))
    c, s = _cosine(n, j), _cosine(n, j - n / 4)  # sin(a) = cos(a - 90 deg)
    zero, one = exact(0.0), exact(1.0)
    kr = times(k, r2)
    # R^-j = [[c, s, 0], [-s, c, 0], [0, 0, 1]];  U_0 = [[1,0,0], [0,1-k,k], [0,k r2,1-k r2]]
    first = _row(c, s, zero)
    turned = (negative(s), c)
    second = _row(times(add(one, negative(k)), turned[0]), times(add(one, negative(k)), turned[1]), k)
    third = _row(times(kr, turned[0]), times(kr, turned[1]), add(one, negative(kr)))
    return np.stack([first[0], second[0], third[0]]), np.stack([first[1], second[1], third[1]])


def clipped(rays: Interval, c: Interval) -> Interval:
    """Rays whose cone holds the part with c.p >= 0 of the cone of `rays` (in cyclic order)."""
    side = dot(rays, (c[0][None], c[1][None]))
    low, high = [], []
    count = len(side[0])
    for i in range(count):
        j = (i + 1) % count
        if side[1][i] >= 0.0:  # inside, or not certainly outside
            low.append(rays[0][i])
            high.append(rays[1][i])
        for a, b in ((i, j), (j, i)):
            if side[1][b] < 0.0 and side[1][a] > 0.0:  # b certainly outside, a perhaps inside: the crossing a (-c.b) + b (c.a)
                weight_a = (-side[1][b], -side[0][b])
                weight_b = (max(side[0][a], 0.0), side[1][a])
                ray_a, ray_b = (rays[0][a], rays[1][a]), (rays[0][b], rays[1][b])
                crossing = add(times(exact_pair(weight_a), ray_a), times(exact_pair(weight_b), ray_b))
                low.append(crossing[0])
                high.append(crossing[1])
    return np.array(low).reshape(-1, 3), np.array(high).reshape(-1, 3)


def exact_pair(pair: tuple[float, float]) -> Interval:
    """Two doubles as an interval."""
    return np.asarray(pair[0]), np.asarray(pair[1])


def facets(polygon: np.ndarray) -> Interval:
    """Inward normals of the cone over a counter-clockwise polygon in v = -1, one row per side: c.p >= 0 inside.

    For neighbours (x, y) and (X, Y) the side is (Y - y)(.) ...: c = (-(Y - y), X - x, -(X y - x Y)) up to the sign of v.
    """
    x, y = exact(polygon[:, 0]), exact(polygon[:, 1])
    X, Y = exact(np.roll(polygon[:, 0], -1)), exact(np.roll(polygon[:, 1], -1))
    a, b = add(y, negative(Y)), add(X, negative(x))
    # inside: a (px - x) + b (py - y) >= 0 at v = -1; homogeneous: a px + b py + (a x + b y) v >= 0
    third = add(times(a, x), times(b, y))
    return np.stack([a[0], b[0], third[0]], axis=1), np.stack([a[1], b[1], third[1]], axis=1)


def certified(n: int, rho: float, gamma: float, polygon: np.ndarray, start: np.ndarray) -> bool:
    """Whether it is proven that the cone over `polygon` (counter-clockwise, v = -1) is effectively invariant and holds `start`."""
    if len(polygon) < 3:
        return False
    sides = facets(polygon)
    corners = exact(np.column_stack([polygon, -np.ones(len(polygon))]))
    # convex: every corner on the inner side of every facet, the facet's own two excepted
    inner = dot((sides[0][:, None], sides[1][:, None]), (corners[0][None], corners[1][None]))[0]
    own = np.eye(len(polygon), dtype=bool) | np.roll(np.eye(len(polygon), dtype=bool), 1, axis=1)
    if np.any(inner[~own] < 0.0):
        return False
    if np.any(dot(sides, exact(np.array([start[0], start[1], -1.0])[None]))[0] < 0.0):
        return False
    for j in range(1, n):
        rays = corners
        for c in half_spaces(n, j):
            slack = 1e-14 + 1e-16 * n  # the half-spaces are right to rounding; leaning them outward by more keeps the set larger
            rays = clipped(rays, (c - slack, c + slack))
            if not len(rays[0]):
                break
        if not len(rays[0]):
            continue
        M = map_interval(n, rho, gamma, j)
        images = dot((M[0][None], M[1][None]), (rays[0][:, None], rays[1][:, None]))
        if np.any(images[1][:, 2] >= 0.0):
            return False
        if np.any(dot((sides[0][None], sides[1][None]), (images[0][:, None], images[1][:, None]))[0] < 0.0):
            return False
    return True
