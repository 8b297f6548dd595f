"""Derivatives of any order of a field along given directions: the multilinear forms B, C, D, E of normal forms.

    f(x + sum v) = f(x) + A v + 1/2 B(v, v) + 1/6 C(v, v, v) + 1/24 D(v, v, v, v) + ...

Machine code runs on complex numbers, so that Cauchy's integral over a circle in the complex plane of s gives d^k f(x + s v)/ds^k to nearly the last digit: with m points
r e^(i phi) and the discrete Fourier transform of f on them, coefficient k times k!/r^k. What is wrong is of the order (r/R)^m, R the radius of
convergence, and eps/r^k; so the circle may be wide. Two radii are compared, and the narrower is taken until they agree. The forms follow by polarisation,

    K(v1..vk) = 1/(2^(k-1) k!) sum over signs e2..ek of e2...ek d^k f(x + s (v1 + e2 v2 + ... + ek vk))/ds^k,

also for complex directions.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np

POINTS = 32
RADII = (0.4, 0.2, 0.1, 0.05, 0.02, 0.005, 1e-3)  # in the size of the state
AGREE = 1e-9
WORST = 1e-6  # difference of two radii beyond which nothing is told
ROUNDING = 1e-14  # of the largest value on the circle


class NotAnalytic(ArithmeticError):
    """Derivatives that do not settle: the field is not smooth enough there."""


class Forms:
    """The multilinear forms of a field at a point. `rates(Z)`: the field at complex states, one in each row; `size`: of what changes the field."""

    def __init__(self, rates: Callable[[np.ndarray], np.ndarray], x: np.ndarray, size: float = 1.0):
        self.rates, self.x, self.size = rates, np.asarray(x, float), size
        self.circle = np.exp(2j * np.pi * np.arange(POINTS) / POINTS)
        self.error = 0.0  # the largest relative difference between two radii that was accepted
        self._known: dict[bytes, np.ndarray] = {}

    def _along(self, v: np.ndarray, order: int, radius: float) -> tuple[np.ndarray, float]:
        """d^order f(x + s v)/ds^order at s = 0, from a circle of a radius, and how large rounding may be in it."""
        values = self.rates(self.x + (radius * self.circle)[:, None] * v)
        factor = math.factorial(order) / radius**order
        rounding = ROUNDING * float(np.max(np.abs(values))) * factor
        return factor * (np.conj(self.circle) ** order @ values) / POINTS, rounding

    def along(self, v: np.ndarray, order: int) -> np.ndarray:
        """d^order f(x + s v)/ds^order at s = 0."""
        length = float(np.linalg.norm(v))
        if length == 0.0:
            return np.zeros(self.x.size, complex)
        v = v / length
        key = v.tobytes() + bytes([order])
        if key not in self._known:
            self._known[key] = self._settled(v, order)
        return self._known[key] * length**order

    def _settled(self, v: np.ndarray, order: int) -> np.ndarray:
        best, least, before, noise = None, np.inf, None, 0.0
        for fraction in RADII:
            with np.errstate(all="ignore"):
                value, rounding = self._along(v, order, fraction * self.size)
            if not np.all(np.isfinite(value)):
                before = None
                continue
            if before is not None:
                off = float(np.max(np.abs(value - before)))
                size = max(float(np.max(np.abs(value))), float(np.max(np.abs(before))))
                difference = max(0.0, off - rounding - noise) / size if size else 0.0
                if difference < least:
                    best, least = before, difference  # the wider circle: less rounding
                if difference < AGREE:
                    break
            before, noise = value, rounding
        if best is None or least > WORST:
            raise NotAnalytic(
                f"the derivative of order {order} does not settle on circles of radius {RADII[0] * self.size:.2g} to {RADII[-1] * self.size:.2g} "
                f"(they differ by {least:.1g}); the equations are not smooth enough there"
            )
        self.error = max(self.error, least)
        return best

    def __call__(self, *vectors: np.ndarray) -> np.ndarray:
        """The form of as many vectors as are given; complex."""
        order = len(vectors)
        vs = [np.asarray(v, complex) for v in vectors]
        if all(v is vectors[0] for v in vectors[1:]):
            return self.along(vs[0], order)
        lengths = [float(np.linalg.norm(v)) for v in vs]
        if min(lengths) == 0.0:
            return np.zeros(self.x.size, complex)
        units = [v / length for v, length in zip(vs, lengths)]
        total = np.zeros(self.x.size, complex)
        for signs in itertools.product((1.0, -1.0), repeat=order - 1):
            v = units[0] + sum(e * u for e, u in zip(signs, units[1:]))
            total += math.prod(signs) * self.along(v, order)
        return total * math.prod(lengths) / (2 ** (order - 1) * math.factorial(order))
