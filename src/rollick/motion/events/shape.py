"""The shape of a function in an interval, from nine samples of it: does it keep its sign, is it monotone, does it bend one way?

The polynomial of degree 8 through the samples at the Chebyshev points lies in the hull of its Bernstein coefficients.
"""

from __future__ import annotations

import math

import numpy as np

from ...kernel.compiled import compiled
from .probe import COEFFICIENTS, SAMPLES

DEGREE = 8
RESOLVED = 1e-9  # a polynomial this certain, relative to g, is believed
NOISE = 1e-12  # of the coefficients of a polynomial, relative to its samples
AMPLIFIED = 300.0  # the noise of differences of coefficients, relative to that of samples


def _tables() -> np.ndarray:
    """Rows 0-8: from samples at the Chebyshev points to the Bernstein coefficients of their polynomial.

    Rows 9-11: its Chebyshev coefficients of degree 8, 7 and 6. Row 12: the points themselves, in [0, 1].
    """
    angle = np.pi * np.arange(DEGREE + 1) / DEGREE
    x = 0.5 - 0.5 * np.cos(angle)
    basis = [[math.comb(DEGREE, k) * u**k * (1.0 - u) ** (DEGREE - k) for k in range(DEGREE + 1)] for u in x]
    weight = np.array([0.5, *[1.0] * (DEGREE - 1), 0.5]) / DEGREE
    last = [weight * np.cos(8 * angle), 2.0 * weight * np.cos(7 * angle), 2.0 * weight * np.cos(6 * angle)]
    return np.vstack([np.linalg.inv(np.array(basis)), *last, x])


TABLES = _tables()
POINTS = 12  # the row of the sampling points


@compiled
def shape_of(desk, tables, noise):
    """From nine samples, each as uncertain as `noise`: the Bernstein coefficients of their polynomial, how well it stands for g, and its shape.

    Returns the least and the largest coefficient, the largest |sample|, whether the polynomial can be believed (`RESOLVED`), by how
    much g may leave its hull, whether the coefficients are monotone, +1 if they are convex, -1 if concave, 0 if neither, and which
    sample is closest to zero.
    """
    v, b = desk[SAMPLES], desk[COEFFICIENTS]
    for k in range(POINTS):
        total = 0.0
        for j in range(DEGREE + 1):
            total += tables[k, j] * v[j]
        b[k] = total
    size, near = 0.0, 0
    for j in range(DEGREE + 1):
        size = max(size, abs(v[j]))
        near = j if abs(v[j]) < abs(v[near]) else near
    slack = max(NOISE * size, AMPLIFIED * noise)
    c8, c7, c6 = abs(b[9]), abs(b[10]), abs(b[11])
    resolved = c8 + 0.1 * c7 <= max(RESOLVED * size, 2.0 * noise)
    unsure = c8 + 0.1 * c7 + slack if resolved else 2.0 * (c8 + c7) + c6 + slack
    low, high = b[0], b[0]
    rises, falls, convex, concave = True, True, True, True
    before = 0.0
    for k in range(1, DEGREE + 1):
        low, high = min(low, b[k]), max(high, b[k])
        slope = b[k] - b[k - 1]
        rises = rises and slope >= -slack
        falls = falls and slope <= slack
        if k > 1:
            convex = convex and slope >= before - slack
            concave = concave and slope <= before + slack
        before = slope
    bend = 0.0
    if convex != concave:
        bend = 1.0 if convex else -1.0
    return low, high, size, resolved, unsure, rises or falls, bend, near
