"""What a profile is: the height c(U) of a wheel's or a rail's surface over its axial coordinate, in sections, with its
derivatives.

U is measured outward, away from the middle of the track, and c upward, both in metres, from the nominal contact point: c(0) = 0,
c'(0) = h (1.54). A section is a polynomial about its origin or an arc of a circle, so that the published profiles of wheels and
rails are exact, and a spline through measured points is one as well. Everything takes arrays, and complex numbers (sections are
chosen by the real part): derivatives and Taylor coefficients of what is computed from profiles are then exact to rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import comb
from typing import Any, NamedTuple

import numpy as np

from ...kernel.names import InputError

POLYNOMIAL, UPPER, LOWER = 0, 1, -1  # kinds of sections; an upper arc is the upper half of its circle: a hill


class Section(NamedTuple):
    """One piece of a profile from `low` to `high`: a polynomial in U - origin, or half a circle.

    kind 0: c = sum of coefficients[k] (U - origin)^k; kind +1 or -1: c = coefficients[0] + kind sqrt(coefficients[1]^2 - (U -
    origin)^2).
    """

    low: float
    high: float
    kind: int
    origin: float
    coefficients: tuple[float, ...]


class Jump(NamedTuple):
    """How far two sections miss each other where they meet: in height [m], slope, and curvature c'' [1/m]."""

    at: float
    height: float
    slope: float
    curvature: float


@dataclass(frozen=True, eq=False)
class Profile:
    """The profile of a wheel or a rail; see the module's text.

    name and source say what it is and where it is published; `data` is the same profile for compiled code, where there is one;
    `fit` tells how a measured one was smoothed.
    """

    name: str
    source: str
    sections: tuple[Section, ...]
    data: Any = None
    fit: Any = None
    _tables: tuple[np.ndarray, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not self.sections:
            raise InputError(f"the profile {self.name} has no sections.")
        width = max(len(s.coefficients) for s in self.sections)
        rows = np.zeros((len(self.sections), max(width, 2)))
        for row, s in zip(rows, self.sections):
            row[: len(s.coefficients)] = s.coefficients
        edges = np.array([s.low for s in self.sections[1:]])
        kinds, origins = np.array([s.kind for s in self.sections]), np.array([s.origin for s in self.sections])
        object.__setattr__(self, "_tables", (edges, kinds, origins, rows))

    @property
    def low(self) -> float:
        """Where it begins, at the inner side."""
        return self.sections[0].low

    @property
    def high(self) -> float:
        """Where it ends, at the outer side."""
        return self.sections[-1].high

    def inside(self, u: Any) -> np.ndarray:
        """Where it is defined."""
        return (np.real(u) >= self.low) & (np.real(u) <= self.high)

    def at(self, u: Any, order: int = 2) -> np.ndarray:
        """c, c', c'', ... up to this order at u, along a new first axis. Beyond its ends the last sections are continued."""
        u = np.asarray(u)
        edges, kinds, origins, rows = self._tables
        flat = u.reshape(-1)
        found = np.empty((order + 1, flat.size), np.result_type(u.dtype, float))
        which = np.searchsorted(edges, flat.real, side="right") if len(edges) else np.zeros(flat.size, int)
        x, kind = flat - origins[which], kinds[which]
        straight = kind == POLYNOMIAL
        if straight.all():
            found[:] = polynomial(rows[which], x, order)
        else:
            found[:, straight] = polynomial(rows[which[straight]], x[straight], order)
            arcs = ~straight
            row = rows[which[arcs]]
            found[:, arcs] = kind[arcs] * half_circle(x[arcs], row[:, 1], order)
            found[0, arcs] += row[:, 0]
        return found.reshape(order + 1, *u.shape)

    def height(self, u: Any) -> np.ndarray:
        """c(u)."""
        return self.at(u, 0)[0]

    def placed(self, at: float) -> Profile:
        """The same profile with its origin in its point over U = at."""
        at = float(at)
        down = float(self.height(at))
        moved = []
        for s in self.sections:
            first, *rest = s.coefficients
            moved.append(Section(s.low - at, s.high - at, s.kind, s.origin - at, (first - down, *rest)))
        return replace(
            self, sections=tuple(moved), data=self.data.placed(at, down) if hasattr(self.data, "placed") else self.data
        )

    def jumps(self) -> list[Jump]:
        """What is not continuous where sections meet."""
        found = []
        for left, right in zip(self.sections, self.sections[1:]):
            a, b = (Profile("", "", (s,)).at(right.low, 2) for s in (left, right))
            found.append(Jump(right.low, *(float(x) for x in b - a)))
        return found


def polynomial(rows: np.ndarray, x: np.ndarray, order: int) -> np.ndarray:
    """The polynomials with these coefficients (one row each) at x, and their derivatives, by Horner's scheme."""
    found = np.zeros((order + 1, x.size), np.result_type(x.dtype, float))
    top = rows.shape[1] - 1
    for n in range(min(order, top) + 1):
        value = np.zeros_like(found[0])
        for k in range(top, n - 1, -1):
            factor = 1.0
            for j in range(n):
                factor *= k - j
            value = value * x + factor * rows[:, k]
        found[n] = value
    return found


def half_circle(x: np.ndarray, radius: np.ndarray, order: int) -> np.ndarray:
    """f = sqrt(R^2 - x^2) and its derivatives: f f = g, so that by Leibniz' rule 2 f f^(n) = g^(n) - sum of C(n, k) f^(k)
    f^(n-k), 0 < k < n.
    """
    found = np.zeros((order + 1, x.size), np.result_type(x.dtype, float))
    with np.errstate(invalid="ignore"):
        found[0] = np.sqrt(radius * radius - x * x)
    g = {1: -2.0 * x, 2: -2.0 + 0.0 * x}
    for n in range(1, order + 1):
        rest = sum((comb(n, k) * found[k] * found[n - k] for k in range(1, n)), np.zeros_like(found[0]))
        with np.errstate(divide="ignore", invalid="ignore"):
            found[n] = (g.get(n, 0.0) - rest) / (2.0 * found[0])
    return found


def sections_of(
    breaks: Sequence[float], kinds: Sequence[int], origins: Sequence[float], rows: Sequence[Sequence[float]]
) -> tuple[Section, ...]:
    """Sections from tables."""
    return tuple(
        Section(float(a), float(b), int(kind), float(o), tuple(float(x) for x in row))
        for a, b, kind, o, row in zip(breaks, breaks[1:], kinds, origins, rows)
    )
