"""Profiles inside compiled code: height, slope and second derivative of the data types of analytic and published profiles,
written again from their definitions.

`profiles.py` evaluates the same profiles by sections, for arrays; the two share numbers, not formulas, and are compared by the
tests.
"""

from __future__ import annotations

import math

from ...kernel.compiled import compiled
from ...kernel.dispatch import generic
from ...kernel.scalar import real, sqrt
from .profiles import UPPER, Profile, Section
from .profiles_analytic import Curved, arc
from .profiles_published import S1002_ARCS, S1002_B, S1002_BREAKS, S1002_C, S1002_LINES, UIC60_SOURCE, RailHead, S1002Wheel, s1002

# Gauss' rule with 12 points on 0 .. 1
NODES = (
    0.009219682876640375, 0.047941371814762571, 0.115048662902847656, 0.206341022856691276, 0.316084250500909904, 0.437383295744265542,
    0.562616704255734458, 0.683915749499090096, 0.793658977143308724, 0.884951337097152344, 0.952058628185237429, 0.990780317123359625,
)  # fmt: skip
WEIGHTS = (
    0.023587668193255914, 0.053469662997659215, 0.080039164271673113, 0.101583713361532961, 0.116746268269177404, 0.124573522906701393,
    0.124573522906701393, 0.116746268269177404, 0.101583713361532961, 0.080039164271673113, 0.053469662997659215, 0.023587668193255914,
)  # fmt: skip
F_ARC, G_LINE, D_ARC, A_LINE = S1002_ARCS[2], S1002_LINES[3], S1002_ARCS[4], S1002_LINES[7]


@generic
def profile_at(profile, u):
    """(c, c', c'') of a profile at u."""


@compiled
def sine_of_slope(p, s0, u):
    """s = s0 - int_0^u du/R."""
    total = 0.0 * u
    for i in range(12):
        x = NODES[i] * u
        total += WEIGHTS[i] / (p.R + p.R1 * x + 0.5 * p.R2 * x * x)
    return s0 - u * total


@compiled
def slope_from_sine(s):
    """c' = s/sqrt(1 - s^2)."""
    return s / sqrt(1.0 - s * s)


@compiled
def polynomial(a, x):
    """Value and two derivatives of a polynomial, by Horner's scheme."""
    c, c1, c2 = 0.0 * x, 0.0 * x, 0.0 * x
    for k in range(len(a) - 1, -1, -1):
        c2 = c2 * x + 2.0 * c1
        c1 = c1 * x + c
        c = c * x + a[k]
    return c, c1, c2


@profile_at.register(Curved)
def _(p, u):
    s0 = p.h / math.sqrt(1.0 + p.h * p.h)
    c0 = math.sqrt(1.0 - s0 * s0)
    if p.R1 == 0.0 and p.R2 == 0.0:
        s = s0 - u / p.R
        q = sqrt(1.0 - s * s)
        return u * (s0 + s) / (q + c0), s / q, -1.0 / (p.R * q * q * q)
    height = 0.0 * u
    for i in range(12):
        height += WEIGHTS[i] * slope_from_sine(sine_of_slope(p, s0, NODES[i] * u))
    s = sine_of_slope(p, s0, u)
    q = sqrt(1.0 - s * s)
    return u * height, s / q, -1.0 / ((p.R + p.R1 * u + 0.5 * p.R2 * u * u) * q * q * q)


@profile_at.register(S1002Wheel)
def _(p, u):
    S = 1e3 * (u + p.at)
    x = real(S)
    if x >= S1002_BREAKS[7]:
        F, F1, F2 = A_LINE[0] + A_LINE[1] * S, A_LINE[1] + 0.0 * S, 0.0 * S
    elif x >= S1002_BREAKS[6]:
        F, F1, F2 = polynomial(S1002_B, S)
    elif x >= S1002_BREAKS[5]:
        F, F1, F2 = polynomial(S1002_C, S)
    elif x >= S1002_BREAKS[4]:
        d = S - D_ARC[0]
        q = sqrt(D_ARC[2] * D_ARC[2] - d * d)
        F, F1, F2 = D_ARC[1] - q, d / q, D_ARC[2] * D_ARC[2] / (q * q * q)
    elif x >= S1002_BREAKS[3]:
        F, F1, F2 = G_LINE[0] + G_LINE[1] * S, G_LINE[1] + 0.0 * S, 0.0 * S
    else:
        d = S - F_ARC[0]
        q = sqrt(F_ARC[2] * F_ARC[2] - d * d)
        F, F1, F2 = F_ARC[1] + q, -d / q, -F_ARC[2] * F_ARC[2] / (q * q * q)
    return -1e-3 * F - p.down, -F1, -1e3 * F2


@profile_at.register(RailHead)
def _(p, u):
    x, k = real(u), 0
    for i in range(4):
        if x >= p.meets[i]:
            k = i + 1
    R, d = p.radii[k], u - p.middles[k]
    q = sqrt(R * R - d * d)
    return p.heights[k] + q, -d / q, -R * R / (q * q * q)


def profile_of(data) -> Profile:
    """The profile for arrays that belongs to data of compiled code."""
    if isinstance(data, Curved):
        return arc(data.h, data.R, data.R1, data.R2)
    if isinstance(data, S1002Wheel):
        return s1002().placed(data.at)
    reach = 0.9995 * data.radii[0]
    edges = (data.middles[0] - reach, *data.meets, data.middles[4] + reach)
    sections = tuple(
        Section(a, b, UPPER, m, (z, R)) for a, b, m, z, R in zip(edges, edges[1:], data.middles, data.heights, data.radii)
    )
    return Profile("UIC 60", UIC60_SOURCE, sections, data)
