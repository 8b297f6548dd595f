"""The coefficients a_ij, b_ij of (1.32) from the geometry: Newton's method for the contact in the ring of power series in (y,
psi), cut off beyond a degree.

A series knows its terms up to the degree exactly (to rounding): no step sizes. The Jacobian at the origin suffices for Newton's
iteration, which then gains one degree each time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .geometry import Geometry

DEGREE = 5


class Series:
    """A polynomial in y and psi up to a total degree: c[i, j] belongs to y^i psi^j."""

    __slots__ = ("c",)
    __array_ufunc__ = None  # numbers of NumPy leave the arithmetic to the series

    def __init__(self, c: np.ndarray) -> None:
        self.c = c

    @property
    def degree(self) -> int:
        """The highest total degree that is kept."""
        return len(self.c) - 1

    def __add__(self, other: Any) -> Series:
        if isinstance(other, Series):
            return Series(self.c + other.c)
        c = self.c.copy()
        c[0, 0] += other
        return Series(c)

    def __neg__(self) -> Series:
        return Series(-self.c)

    def __sub__(self, other: Any) -> Series:
        return self + (-other)

    def __rsub__(self, other: Any) -> Series:
        return (-self) + other

    def __mul__(self, other: Any) -> Series:
        if not isinstance(other, Series):
            return Series(self.c * other)
        n = self.degree
        c = np.zeros_like(self.c)
        for i in range(n + 1):
            for j in range(n + 1 - i):
                if self.c[i, j] != 0.0:
                    c[i:, j:] += self.c[i, j] * other.c[: n + 1 - i, : n + 1 - j]
        c[np.add.outer(np.arange(n + 1), np.arange(n + 1)) > n] = 0.0
        return Series(c)

    def __truediv__(self, other: Any) -> Series:
        return self * (inverse(other) if isinstance(other, Series) else 1.0 / other)

    __radd__, __rmul__ = __add__, __mul__


def variables(degree: int = DEGREE) -> tuple[Series, Series]:
    """y and psi."""
    y, psi = np.zeros((2, degree + 1, degree + 1))
    y[1, 0], psi[0, 1] = 1.0, 1.0
    return Series(y), Series(psi)


def composed(taylor: Sequence[float], x: Series) -> Series:
    """f(x) from the Taylor coefficients of f about the constant term of x, by Horner's scheme."""
    small = x - float(x.c[0, 0])
    found = small * 0.0 + float(taylor[-1])
    for a in reversed(list(taylor[:-1])):
        found = found * small + float(a)
    return found


def sine(x: Series) -> Series:
    """sin x."""
    return composed([math.sin(x.c[0, 0] + 0.5 * math.pi * k) / math.factorial(k) for k in range(x.degree + 1)], x)


def cosine(x: Series) -> Series:
    """cos x."""
    return composed([math.cos(x.c[0, 0] + 0.5 * math.pi * k) / math.factorial(k) for k in range(x.degree + 1)], x)


def power(x: Series, p: float) -> Series:
    """x^p about a constant term above zero."""
    a = float(x.c[0, 0])
    taylor, factor = [], a**p
    for k in range(x.degree + 1):
        taylor.append(factor)
        factor *= (p - k) / (k + 1.0) / a
    return composed(taylor, x)


def inverse(x: Series) -> Series:
    """1/x."""
    a = float(x.c[0, 0])
    return composed([(-1.0) ** k / a ** (k + 1) for k in range(x.degree + 1)], x)


class Wheel(NamedTuple):
    """Three equations of a wheel as series, and its contact from the centre."""

    residuals: tuple[Series, Series, Series]
    W: Series
    Y: Series
    Z: Series


def wheel_series(g: Geometry, s: float, y: Series, psi: Series, theta: Series, z: Series, U_r: Series, U_w: Series) -> Wheel:
    """(1.46)-(1.47) of one wheel."""
    n = y.degree
    w = g.wheel.at(0.0, n + 1)
    r = g.rail.at(0.0, n + 1)
    over = [math.factorial(k) for k in range(n + 2)]
    c_w, w1 = composed([w[k] / over[k] for k in range(n + 1)], U_w), composed([w[k + 1] / over[k] for k in range(n + 1)], U_w)
    c_r, r1 = composed([r[k] / over[k] for k in range(n + 1)], U_r), composed([r[k + 1] / over[k] for k in range(n + 1)], U_r)
    sin_psi, cos_psi, sin_t, cos_t = sine(psi), cosine(psi), sine(theta), cosine(theta)
    A = c_w - g.r
    S = w1 * sin_psi / cos_psi * (-s)
    C = power(1.0 - S * S, 0.5)
    L = A * sin_psi * S + (U_w + g.b) * cos_psi * s
    W = A * cos_psi * S - (U_w + g.b) * sin_psi * s
    Y, Z = L * cos_t - A * sin_t * C, L * sin_t + A * cos_t * C
    t = sin_t / cos_t
    return Wheel((y + Y - (U_r + g.b) * s, z + Z - c_r + g.r, w1 * (r1 * t + s) + C * cos_psi * (t - r1 * s)), W, Y, Z)


def contact_series(g: Geometry, degree: int = DEGREE) -> tuple[tuple[Series, ...], tuple[Wheel, Wheel]]:
    """theta, z, U_r+, U_r-, U_w+, U_w- as series in (y, psi), and both wheels."""
    y, psi = variables(degree)
    unknowns = [y * 0.0 for _ in range(6)]
    inverse_jacobian = np.linalg.inv(jacobian_at_rest(g))
    wheels = None
    for _ in range(degree + 1):
        wheels = tuple(
            wheel_series(g, s, y, psi, unknowns[0], unknowns[1], unknowns[2 + k], unknowns[4 + k])
            for k, s in enumerate((1.0, -1.0))
        )
        left = np.stack([series.c for wheel in wheels for series in wheel.residuals])
        steps = np.tensordot(inverse_jacobian, left, 1)
        unknowns = [Series(x.c - step) for x, step in zip(unknowns, steps)]
    y_wheels = tuple(
        wheel_series(g, s, y, psi, unknowns[0], unknowns[1], unknowns[2 + k], unknowns[4 + k]) for k, s in enumerate((1.0, -1.0))
    )
    return tuple(unknowns), (y_wheels[0], y_wheels[1])


def jacobian_at_rest(g: Geometry) -> np.ndarray:
    """The derivatives of the six equations (left a, b, c, right a, b, c) by (theta, z, U_r+, U_r-, U_w+, U_w-) at the central
    position.
    """
    h, w2, r2 = g.h, float(g.wheel.at(0.0, 2)[2]), float(g.rail.at(0.0, 2)[2])
    found = np.zeros((6, 6))
    for k, s in enumerate((1.0, -1.0)):
        found[3 * k, [0, 2 + k, 4 + k]] = g.r, -s, s
        found[3 * k + 1, [0, 1, 2 + k, 4 + k]] = s * g.b, 1.0, -h, h
        found[3 * k + 2, [0, 2 + k, 4 + k]] = 1.0 + h * h, -s * r2, s * w2
    return found


class Coefficients(NamedTuple):
    """y' = v (a01 psi + a03 psi^3 + a21 y^2 psi + ...), psi' = v (b10 y + b30 y^3 + b12 y psi^2 + ...) (1.32); a and b hold all
    terms, per metre of way.
    """

    a01: float
    a03: float
    a21: float
    b10: float
    b30: float
    b12: float
    a: np.ndarray
    b: np.ndarray


def of_tables(a: np.ndarray, b: np.ndarray) -> Coefficients:
    """The named ones of tables of coefficients."""
    pick = lambda table, i, j: float(table[i, j])
    return Coefficients(pick(a, 0, 1), pick(a, 0, 3), pick(a, 2, 1), pick(b, 1, 0), pick(b, 3, 0), pick(b, 1, 2), a, b)


def coefficients(g: Geometry, degree: int = DEGREE) -> Coefficients:
    """The coefficients of (1.32), exact to rounding, for a speed of 1 m/s."""
    (theta, *_), (p, m) = contact_series(g, degree)
    D = p.Y * m.Z - m.Y * p.Z
    a = ((p.Z * m.W - m.Z * p.W) / D).c
    b = (((p.Y - m.Y) * sine(theta) - (p.Z - m.Z) * cosine(theta)) / D).c
    return of_tables(a, b)
