"""Profiles of new wheels and rails as they are published: the wheel S1002 and the head of the rail UIC 60 (60E1).

*S1002*: the polynomials and arcs of the ORE S1002 profile, with the coefficients of UIC 510-2 / EN 13715 as they are circulated
in mm with nine digits (given there with thanks to H. Netter, DLR). Depth F(S) over the axial coordinate S from the tape circle,
outward; c = -F. Sections A (cone 1:15) to H (back of the flange).

*UIC 60*: the head of UIC 861-3 / EN 13674-1 (60E1): arcs of 300, 80 and 13 mm, which meet 20.456/2 and 52.053/2 mm from the axis,
flanks 1:20. It is built here from these numbers: the arcs touch without a kink by construction; that the head is then 72 mm wide,
14.3 mm below its top, as the drawing says, is a check (see the tests).

`Profile.jumps` tells how far the sections of S1002 miss each other as published.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ...kernel.names import InputError
from .profiles import LOWER, POLYNOMIAL, UPPER, Profile, Section

S1002_SOURCE = "ORE S1002, UIC 510-2 / EN 13715, coefficients in mm as circulated by DLR (H. Netter)"
UIC60_SOURCE = "UIC 861-3 / EN 13674-1 (60E1): radii 300, 80, 13 mm meeting at 20.456/2 and 52.053/2 mm, flanks 1:20"

# S1002, in mm: from, to, kind, and of polynomials the coefficients of S^k, of arcs (middle S, middle F, radius, +1 where F is the larger root)
S1002_BREAKS = (-70.0, -62.764705882, -49.662510381, -39.764473993, -38.426669071, -35.0, -26.0, 32.15796, 60.0)
S1002_B = (
    0.0,
    -3.358537058e-02,
    1.565681624e-03,
    -2.810427944e-05,
    5.844240864e-08,
    -1.562379023e-08,
    5.309217349e-15,
    -5.957839843e-12,
    2.646656573e-13,
)
S1002_C = (
    -4.320221063e03,
    -1.038384026e03,
    -1.065501873e02,
    -6.051367875,
    -2.054332446e-01,
    -4.169739389e-03,
    -4.687195829e-05,
    -2.252755540e-07,
)
S1002_ARCS = {
    0: (-49.5, 9.519259302, 20.5, 1),
    1: (-55.0, 16.0, 12.0, 1),
    2: (-58.558326413, 8.834924130, 20.0, 1),
    4: (-26.210665, 16.446, 13.0, -1),
}
S1002_LINES = {3: (-93.576667419, -2.747477419), 5: S1002_C, 6: S1002_B, 7: (1.364323640, -0.066666667)}

UIC60_RADII = (300.0, 80.0, 13.0)  # mm
UIC60_HALVES = (20.456 / 2.0, 52.053 / 2.0)  # mm
UIC60_FLANK = 20.0  # slope of the sides


class S1002Wheel(NamedTuple):
    """S1002 with its origin at the axial coordinate `at` [m], where its height is `down`: data for compiled code."""

    at: float
    down: float

    def placed(self, at: float, down: float) -> S1002Wheel:
        """The same with another origin."""
        return S1002Wheel(self.at + at, self.down + down)


class RailHead(NamedTuple):
    """Five arcs of a rail's head, inner one first: middles (lateral, height), radii, and where they meet [m]: data for compiled
    code.
    """

    middles: tuple[float, ...]
    heights: tuple[float, ...]
    radii: tuple[float, ...]
    meets: tuple[float, ...]

    def placed(self, at: float, down: float) -> RailHead:
        """The same with another origin."""
        lateral = lambda values: tuple(x - at for x in values)
        return RailHead(lateral(self.middles), tuple(z - down for z in self.heights), self.radii, lateral(self.meets))


def s1002(flange: bool = False) -> Profile:
    """The wheel profile S1002, its origin at the tape circle. Without the tip and the back of the flange, which no rail touches."""
    mm = 1e-3
    sections = []
    for k, (low, high) in enumerate(pairwise(S1002_BREAKS)):
        if k in S1002_ARCS:
            middle, F, radius, root = S1002_ARCS[k]
            sections.append(Section(mm * low, mm * high, LOWER if root > 0 else UPPER, mm * middle, (-mm * F, mm * radius)))
        else:
            scaled = tuple(-mm * a * mm**-i for i, a in enumerate(S1002_LINES[k]))
            sections.append(Section(mm * low, mm * high, POLYNOMIAL, 0.0, scaled))
    return Profile("S1002", S1002_SOURCE, tuple(sections if flange else sections[2:]), S1002Wheel(0.0, 0.0))


def uic60(inclination: float = 1.0 / 40.0) -> Profile:
    """The head of the rail UIC 60 (60E1), leaning inward by the inclination (the tangent of its angle), its origin at its highest
    point.
    """
    if not (math.isfinite(inclination) and 0.0 <= inclination <= 0.2):
        raise InputError(
            f"inclination = {inclination!r} of a rail is the tangent of its lean towards the middle of the track: 0 .. "
            "0.2, usually 1/40 or 1/20."
        )
    arcs = head_arcs()
    angle = math.atan(inclination)  # leaning inward: the outward coordinate of the top moves inward, seen from the foot
    lean = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    turned = [(lean @ np.array(middle), radius, np.array(meet)) for middle, radius, meet in arcs]
    edges = [lean @ meet for _, _, meet in turned]
    lows, highs = [-np.inf, *(float(e[0]) for e in edges[:-1])], [*(float(e[0]) for e in edges[:-1]), np.inf]
    (top,) = (
        m + np.array([0.0, radius]) for (m, radius, _), a, b in zip(turned, lows, highs) if a <= m[0] < b
    )  # the arc that is level somewhere
    middles = [m - top for m, _, _ in turned]
    meets = [float((edge - top)[0]) for edge in edges[:-1]]
    radii = [radius for _, radius, _ in turned]
    steepest = 0.9995 * radii[0]
    ends = (middles[0][0] - steepest, middles[4][0] + steepest)
    sections = tuple(
        Section(float(a), float(b), UPPER, float(m[0]), (float(m[1]), radius))
        for a, b, m, radius in zip([ends[0], *meets], [*meets, ends[1]], middles, radii)
    )
    data = RailHead(tuple(float(m[0]) for m in middles), tuple(float(m[1]) for m in middles), tuple(radii), tuple(meets))
    return Profile(f"UIC 60, inclined {inclination:.4g}", UIC60_SOURCE, sections, data)


def head_arcs() -> list[tuple[tuple[float, float], float, tuple[float, float]]]:
    """Middle, radius and outer end of the five arcs of the upright head, from inside to outside, in metres from the summit."""
    (R1, R2, R3), (x1, x2) = (1e-3 * r for r in UIC60_RADII), (1e-3 * x for x in UIC60_HALVES)
    s1 = x1 / R1  # sine of the slope where the first two arcs meet
    c1 = math.sqrt(1.0 - s1 * s1)
    m1 = (0.0, -R1)
    m2 = (m1[0] + (R1 - R2) * s1, m1[1] + (R1 - R2) * c1)
    s2 = (x2 - m2[0]) / R2
    c2 = math.sqrt(1.0 - s2 * s2)
    m3 = (m2[0] + (R2 - R3) * s2, m2[1] + (R2 - R3) * c2)
    flank = math.atan(UIC60_FLANK)
    end = (m3[0] + R3 * math.sin(flank), m3[1] + R3 * math.cos(flank))
    p1, p2 = (x1, m1[1] + R1 * c1), (x2, m2[1] + R2 * c2)
    mirror = lambda p: (-p[0], p[1])
    return [(mirror(m3), R3, mirror(p2)), (mirror(m2), R2, mirror(p1)), (m1, R1, p1), (m2, R2, p2), (m3, R3, end)]


def gauge_offset(inclination: float = 1.0 / 40.0, depth: float = 0.014) -> float:
    """How far the rail's highest point is outside of its gauge face, 14 mm below it [m]."""
    rail = uic60(inclination)
    inner = rail.sections[0]
    below = -depth - inner.coefficients[0]
    radius = inner.coefficients[1]
    if below < 0.0:  # below the middle of the corner: on the flank
        angle = math.atan(UIC60_FLANK) - math.atan(inclination)
        face = inner.origin - radius * math.sin(angle)
        return -(face + (below - radius * math.cos(angle)) / math.tan(angle))
    return -(inner.origin - math.sqrt(radius**2 - below**2))
