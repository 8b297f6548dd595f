"""Equivalent conicity as rail engineers quote it: from the rolling-radius difference Delta r(y) (UIC 519; EN 15302), by
integration, by the harmonic method and by regression.

Delta r(y) belongs to the wheelset at rest at y without yaw, exactly, roll included. Then, with e = 2b the distance of the contact
points and r the rolling radius,

* *integration* (EN 15302, Annex B; (1.4) of the thesis): y'' + (2/(e r)) (Delta r(y)/2) = 0 over the way; its orbit of amplitude
  a has the wavelength lambda = 4 int_0^a dy/sqrt((2/(e r)) int_y^a Delta r), and h* = (2 pi/lambda)^2 e r/2;
* *harmonic* (quasi-linear): h* = (1/(pi a)) int_0^{2 pi} (Delta r(a sin s)/2) sin s ds, the first harmonic of a sine;
* *regression* (EN 15302, Annex C): the straight line through Delta r/2 over -a .. a with least squares;
* *exact*: h* = b r omega_N(a)^2/v^2 (1.12) of the oscillation with yaw and three-dimensional contact, where the contact does not
  jump.

UIC 519 and EN 15302 name these methods; they are written down here from their mathematics, not copied. Wavelengths are 2 pi
sqrt(b r/h*).
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from scipy.interpolate import PPoly, make_interp_spline

from ...kernel.names import InputError
from .contact import iterate
from .geometry import Geometry
from .locus import LEAST, STEEP, Doubled, doubled, rest

COARSE, FINE = 121, 101  # displacements to find jumps; further ones in each smooth part
GAUSS = np.polynomial.legendre.leggauss(24)


class RadiusDifference:
    """Delta r(y) = r_left - r_right for 0 <= y <= reach, odd in y: an interpolating spline in each part between jumps of the
    contact.
    """

    def __init__(self, g: Geometry, reach: float) -> None:
        if not (math.isfinite(reach) and 0.0 < reach < 0.1):
            raise InputError(f"the largest amplitude {reach!r} must be a lateral displacement between 0 and 0.1 m.")
        y = np.linspace(0.0, reach, COARSE)
        c = rest(g, y)
        self.geometry, self.reach = g, reach
        self.jumps: list[Doubled] = [d for d in doubled(g, y, c) if d.y > 0.0]
        edges = [0.0, *(d.y for d in self.jumps), reach]
        self.parts: list[PPoly] = []
        degree = 5 if smooth(g) else 3
        for low, high in pairwise(edges):
            at = 0.5 * (low + high) - 0.5 * (high - low) * np.cos(np.pi * np.arange(FINE) / (FINE - 1))  # dense at its ends
            middle = (y >= low) & (y <= high)
            start = c.unknowns[:, middle] if middle.any() else rest(g, np.array([0.5 * (low + high)])).unknowns
            base = y[middle] if middle.any() else np.array([0.5 * (low + high)])
            nearest = np.abs(at[:, None] - base[None, :]).argmin(axis=1)
            x, good = iterate(g, at, np.zeros(FINE), start[:, nearest])
            value = g.wheel.height(x[5]) - g.wheel.height(x[4])
            expected = np.stack([np.interp(at, base, row) for row in start[4:6]])
            beyond = np.maximum(base[0] - at, 0.0) + np.maximum(at - base[-1], 0.0)  # towards a jump
            keep = good & (np.abs(x[4:6] - expected).max(axis=0) < LEAST + STEEP * beyond)
            if not keep.all():  # Newton's method strayed: these are searched for, off the jumps
                inner = np.clip(at[~keep], low + 1e-8 * (low > 0.0), high - 1e-8 * (high < reach))
                value[~keep] = rest(g, inner).radius_difference
            self.parts.append(PPoly.from_spline(make_interp_spline(at, value, degree)))
        self.edges = np.array(edges)
        self.integrals = [part.antiderivative() for part in self.parts]
        sums = [float(i(b) - i(a)) for i, a, b in zip(self.integrals, edges, edges[1:])]
        self.start = np.concatenate([[0.0], np.cumsum(sums)])

    def part(self, y: np.ndarray) -> np.ndarray:
        """In which smooth part y >= 0 is."""
        return np.clip(np.searchsorted(self.edges, y, side="right") - 1, 0, len(self.parts) - 1)

    def __call__(self, y: Any) -> np.ndarray:
        y = np.asarray(y, float)
        size, found = np.abs(y), np.zeros(y.shape)
        which = self.part(size)
        for k, p in enumerate(self.parts):
            found = np.where(which == k, p(size), found)
        return np.sign(y) * found

    def integral(self, y: Any) -> np.ndarray:
        """int_0^y Delta r."""
        size, which = np.abs(np.asarray(y, float)), self.part(np.abs(np.asarray(y, float)))
        found = np.zeros(size.shape)
        for k, i in enumerate(self.integrals):
            found = np.where(which == k, self.start[k] + i(size) - i(self.edges[k]), found)
        return found


def smooth(g: Geometry) -> bool:
    """Whether both profiles have a continuous curvature wherever sections meet."""
    return all(abs(j.curvature) < 1e-3 for p in (g.wheel, g.rail) for j in p.jumps())


class Conicity(NamedTuple):
    """Of amplitudes [m]: equivalent conicities by three methods, wavelength by integration [m], and Delta r at the amplitude [m]."""

    amplitude: np.ndarray
    integration: np.ndarray
    harmonic: np.ndarray
    regression: np.ndarray
    wavelength: np.ndarray
    radius_difference: np.ndarray


def panels(edges: np.ndarray, a: float) -> np.ndarray:
    """Angles s, y = a sin s, from 0 to pi/2, that begin anew where Delta r is not smooth."""
    inner = edges[(edges > 0.0) & (edges < a)]
    return np.concatenate([[0.0], np.arcsin(inner / a), [0.5 * math.pi]])


def nodes(edges: np.ndarray, a: float) -> tuple[np.ndarray, np.ndarray]:
    """Points and weights of Gauss' rule in s over these panels, each halved twice."""
    ends = np.concatenate([np.linspace(x, y, 5)[:-1] for x, y in pairwise(edges)] + [edges[-1:]])
    half, middle = 0.5 * np.diff(ends), 0.5 * (ends[1:] + ends[:-1])
    return (middle[:, None] + half[:, None] * GAUSS[0]).ravel(), (half[:, None] * GAUSS[1]).ravel()


def conicity(delta: RadiusDifference, amplitudes: Any) -> Conicity:
    """The table for these amplitudes [m]."""
    g, a = delta.geometry, np.atleast_1d(np.asarray(amplitudes, float))
    if not (np.isfinite(a).all() and (a > 0.0).all() and (a <= delta.reach * (1.0 + 1e-12)).all()):
        raise InputError(f"amplitudes must lie above 0 and not beyond {1e3 * delta.reach:g} mm.")
    found = np.zeros((4, len(a)))
    for k, top in enumerate(a):
        s, w = nodes(panels(delta.edges, top), top)
        y = top * np.sin(s)
        value = delta(y)
        left = delta.integral(top) - delta.integral(y)  # int_y^a Delta r
        if not (left > 0.0).all():
            raise InputError(
                f"at an amplitude of {1e3 * top:.4g} mm the rolling-radius difference does not steer back (its integral "
                "is not positive); there is no oscillation."
            )
        quarter = w @ (top * np.cos(s) / np.sqrt(left / (g.b * g.r)))  # 2/(e r) = 1/(b r)
        wave = 4.0 * quarter
        found[:, k] = (
            (2.0 * math.pi / wave) ** 2 * g.b * g.r,
            4.0 / (math.pi * top) * (w @ (0.5 * value * np.sin(s))),
            3.0 / top**3 * (w @ (0.5 * value * y * top * np.cos(s))),
            wave,
        )
    return Conicity(a, found[0], found[1], found[2], found[3], delta(a))


def nonlinearity_parameter(delta: RadiusDifference) -> float | None:
    """Polach's nonlinearity parameter: (h*(4 mm) - h*(2 mm))/2 mm [1/mm], by integration (EN 15302:2021); None where 4 mm are not
    reached.
    """
    if delta.reach < 0.004:
        return None
    two, four = conicity(delta, [0.002, 0.004]).integration
    return float(four - two) / 2.0
