"""Profiles of given slope and curvature at the nominal contact point: a cone, a circular arc, and an arc whose radius changes
along the axis.

With s = c'/sqrt(1 + c'^2), the sine of the slope, the definition c'' = -q^3/R, q = sqrt(1 + c'^2) (1.55) is ds/dU = -1/R(U): a
profile with the radius R(U) = R + R' U + R'' U^2/2 is

    s(U) = sin(delta) - int_0^U du/R(u),    c(U) = int_0^U s/sqrt(1 - s^2) du.

R > 0 is a hill, like a rail; R_w > 0 a hollow wheel, seen from below. R = inf is a cone.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...kernel.names import InputError
from .profiles import LOWER, POLYNOMIAL, UPPER, Profile, Section

WIDEST = 0.06  # m, how far an analytic profile reaches at most, to either side
PIECES, DEGREE = 48, 12  # of a profile whose radius changes
NODES, WEIGHTS = np.polynomial.legendre.leggauss(40)
LEFT = 0.35  # of its radius at the origin, what a changing radius may shrink to, and what 1 - s^2 may


class Curved(NamedTuple):
    """A profile of slope h and radius R + R1 U + R2 U^2/2, as data for compiled code."""

    h: float
    R: float
    R1: float
    R2: float


def cone(h: float, reach: float = WIDEST) -> Profile:
    """c = h U: a conical wheel, or a flat rail."""
    finite(h=h)
    return Profile(
        f"cone {h:g}", "a straight line", (Section(-reach, reach, POLYNOMIAL, 0.0, (0.0, h)),), Curved(h, math.inf, 0.0, 0.0)
    )


def arc(h: float, R: float, R1: float = 0.0, R2: float = 0.0, reach: float = WIDEST) -> Profile:
    """A profile of slope h and radius of curvature R at the contact point; R1 = R' and R2 = R'' let the radius change along the
    axis.
    """
    finite(h=h, R1=R1, R2=R2)
    if math.isnan(R) or R == 0.0:
        raise InputError(
            f"R = {R!r} must be a radius of curvature [m]: positive for a hill (a rail, a hollow wheel), negative for a "
            "hump the other way, not zero."
        )
    if math.isinf(R):
        if R1 or R2:
            raise InputError("a profile with R = inf is straight; its radius has no derivatives R1, R2.")
        return cone(h, reach)
    data = Curved(h, R, R1, R2)
    if R1 == 0.0 and R2 == 0.0:
        return circle(h, R, data, reach)
    low, high = (limit_of(data, side, reach) for side in (-1.0, 1.0))
    edges = np.linspace(low, high, PIECES + 1)
    centres = 0.5 * (edges[1:] + edges[:-1])
    sections = []
    for a, b, centre, height, sine in zip(edges, edges[1:], centres, height_at(data, centres), sine_at(data, centres)):
        rows = expansion(float(height), float(sine), R + R1 * centre + 0.5 * R2 * centre**2, R1 + R2 * centre, R2, DEGREE)
        sections.append(Section(float(a), float(b), POLYNOMIAL, float(centre), tuple(rows)))
    return Profile(
        f"arc h={h:g} R={R:g} R'={R1:g} R''={R2:g}",
        "radius of curvature R + R' U + R'' U^2/2, sections of degree 12",
        tuple(sections),
        data,
    )


def circle(h: float, R: float, data: Curved, reach: float) -> Profile:
    """The arc of a circle through the origin with the slope h there."""
    q = math.sqrt(1.0 + h * h)
    centre, kind = R * h / q, UPPER if R > 0.0 else LOWER
    ends = sorted(centre + side * abs(R) * math.sqrt(1.0 - LEFT) for side in (-1.0, 1.0))
    low, high = max(-reach, ends[0]), min(reach, ends[1])
    if not low < 0.0 < high:
        raise InputError(f"an arc with R = {R:g} m is too steep where h = {h:g}; take a smaller slope.")
    return Profile(f"arc h={h:g} R={R:g}", "the arc of a circle", (Section(low, high, kind, centre, (-R / q, abs(R))),), data)


def sine_at(p: Curved, u: np.ndarray) -> np.ndarray:
    """s(U), by Gauss' rule with 40 points: 1/R is analytic there, and the integral good to rounding."""
    at = 0.5 * u[..., None] * (NODES + 1.0)
    return p.h / math.sqrt(1.0 + p.h**2) - 0.5 * u * ((1.0 / (p.R + p.R1 * at + 0.5 * p.R2 * at * at)) @ WEIGHTS)


def height_at(p: Curved, u: np.ndarray) -> np.ndarray:
    """c(U), likewise."""
    s = sine_at(p, 0.5 * u[..., None] * (NODES + 1.0))
    return 0.5 * u * ((s / np.sqrt(1.0 - s * s)) @ WEIGHTS)


def limit_of(p: Curved, side: float, reach: float) -> float:
    """How far it goes: its radius keeps a third of its size, and its slope stays moderate."""
    u = np.linspace(0.0, side * reach, 601)[1:]
    radius = (p.R + p.R1 * u + 0.5 * p.R2 * u * u) / p.R
    with np.errstate(divide="ignore"):
        steep = 1.0 - sine_at(p, u) ** 2 < LEFT
    bad = ~(radius > LEFT) | steep
    return float(u[np.argmax(bad)]) if bad.any() else side * reach


def expansion(c0: float, s0: float, R: float, R1: float, R2: float, degree: int) -> list[float]:
    """The Taylor coefficients of c about a point with height c0 and sine of slope s0 there, from those of R.

    1/R = k: R k = 1; s' = -k; t = c': t (1 - s^2)^(1/2) = s, differentiated: t' = s'/(1 - s^2)^(3/2); all as power series by
    recursion.
    """
    n = degree
    k, s, g, w = np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n)
    r = (R, R1, 0.5 * R2)
    for i in range(n):
        k[i] = ((1.0 if i == 0 else 0.0) - sum(r[j] * k[i - j] for j in range(1, min(i, 2) + 1))) / R
    s[0] = s0
    for i in range(1, n):
        s[i] = -k[i - 1] / i
    g[0] = 1.0 - s0 * s0
    for i in range(1, n):
        g[i] = -sum(s[j] * s[i - j] for j in range(i + 1))
    w[0] = g[0] ** -0.5  # w = g^(-1/2): g w' = -(1/2) g' w
    for i in range(1, n):
        w[i] = sum((-0.5 * j - (i - j)) * g[j] * w[i - j] for j in range(1, i + 1)) / (i * g[0])
    t = [sum(s[j] * w[i - j] for j in range(i + 1)) for i in range(n)]
    return [c0, *(t[i] / (i + 1) for i in range(n))]


def finite(**numbers: float) -> None:
    """Refuse what is not a number."""
    for name, value in numbers.items():
        if not math.isfinite(value):
            raise InputError(f"{name} = {value!r} of a profile must be a finite number.")
