"""What a real toy needs to invert: the smallest spin of a launch, over the ratio of the hole, the thickness and the density of what fills it.

A toy is a disk (radius r, thickness h) with a hole of radius a filled by a plug of the same thickness and `fill` times its density (0: an open hole, above 1: a heavy plug). The wanted eccentricity
kappa = e/r (S rises by 2 e) tells where the hole must be: b = e (r^2 - a^2 (1 - fill))/(a^2 |1 - fill|). The density of the disk itself cancels. Per area, with f = 1 - fill, a in r, k = h/r:

    M = 1 - f a^2,   A = (1 - f a^4)/4 + M k^2/12,   B = A - f a^2 b^2,   Bb = B - M kappa^2,   zeta = A/Bb,   psi = M/Bb,   b = kappa M/(a^2 |f|)

The launch is that of `climb`, integrated backwards from the top: with x = 2 (E - c)/(zeta c^2), x_c its value on the cycle through the height c = 1 + kappa cos Gamma, and D = x - x_c, the square W = D^2 has
a smooth rate, dW/dGamma = 2 D (dx/dGamma - dx_c/dGamma), since D dx/dc = -(c^2 zeta/2)^-1 (<lambda^2> x^(1/2)/I_1 + D (1 + zeta c x)). The independent variable is Gamma. Being a system with numbers for its
parameters, it has exact derivatives, and `optimise` finds the best toy.
"""

from __future__ import annotations

import math
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from ....analysis.design import optimise
from ....kernel.compiled import compiled
from ....kernel.names import InputError
from ....kernel.scalar import sincos, sqrt
from ....kernel.system import describe, rate, signals, validate
from ....mechanics.laws.limits import check_not_negative, check_positive
from ..specimens import Disk, tippedisk_body
from .climb import OFFSET
from .cycle_integral import _nodes
from .linear import G

NODES = 32
TURN, WEIGHTS = (np.ascontiguousarray(v) for v in _nodes(NODES))
FIRST = 0.05  # Gamma at which a launch counts as on top
MARGIN = 1e-8  # W there
STEP = 1e-3  # of differences of order six in Gamma
GRID = 4  # values of each number that are tried first
RIM = 0.03  # of r that must stand between hole and rim


class ToyLaunch(NamedTuple):
    """The launch of a toy, over the amplitude Gamma of its orbits, from the top (0) to the bottom (pi)."""

    hole: float = 1.0 / 3.0  # a/r
    thickness: float = 2.0 / 9.0  # h/r
    fill: float = 0.0
    kappa: float = 1.0 / 18.0
    r: float = 0.045
    g: float = 9.81


@compiled
def ratios(s):
    """zeta and psi of a toy."""
    f = 1.0 - s.fill
    a2 = s.hole * s.hole
    M = 1.0 - f * a2
    b = s.kappa * M / (a2 * sqrt(f * f))
    A = 0.25 * (1.0 - f * a2 * a2) + M * s.thickness * s.thickness / 12.0
    Bb = A - f * a2 * b * b - M * s.kappa * s.kappa
    return A / Bb, M / Bb


@compiled
def sums(K, z, Gamma):
    """I_1, I_2 and the three coefficients of <lambda^2> x^(1/2) = L0 + L1 x + L2 x^2, at energy held (`rolling_integrals`)."""
    k, k1 = sincos(0.5 * Gamma)
    c = 1.0 + K * (k1 * k1 - k * k)
    I1, I2, L0, L1, L2 = 0.0 * c, 0.0 * c, 0.0 * c, 0.0 * c, 0.0 * c
    for i in range(TURN.size):
        s, c_ = math.cos(TURN[i]), math.sin(TURN[i])
        cos_half = sqrt(k1 * k1 + k * k * (c_ * c_))
        sg, cg = 1.0 - 2.0 * k * k * s * s, -2.0 * k * s * cos_half
        q = 1.0 + K * sg
        J = z * (sg + K) * (sg + K) + cg * cg
        l = -(z * (sg + K) * cg - cg * sg) / J
        B = z * cg * (l * (sg + K) + cg) - sg * (l * cg - sg)
        spin = q * q * sqrt(z / J)
        w = WEIGHTS[i] * c_ * c_ * sqrt(q + c) / (q * cos_half)
        lift = w * q / (c * c)  # 1/(q sb^2), sb = c/q
        need = spin * spin * c * B / (q * q)
        I1 += lift * need / spin
        I2 += lift * q / spin
        loss = w / (c * c * spin)
        L0 += loss * q * q
        L1 -= loss * 2.0 * q * need
        L2 += loss * need * need
    return I1, I2, L0, L1, L2


@compiled
def balance_at(K, z, Gamma):
    """x_c = I_2/I_1."""
    I1, I2, _L0, _L1, _L2 = sums(K, z, Gamma)
    return I2 / I1


@rate.register(ToyLaunch)
def _(s, t, y, out):
    z, _psi = ratios(s)
    K = s.kappa
    Gamma = t + 0.0 * y[0]
    I1, I2, L0, L1, L2 = sums(K, z, Gamma)
    slope = 45.0 * (balance_at(K, z, Gamma + STEP) - balance_at(K, z, Gamma - STEP))
    slope -= 9.0 * (balance_at(K, z, Gamma + 2.0 * STEP) - balance_at(K, z, Gamma - 2.0 * STEP))
    slope += balance_at(K, z, Gamma + 3.0 * STEP) - balance_at(K, z, Gamma - 3.0 * STEP)
    slope /= 60.0 * STEP
    D = sqrt(y[0])
    x = I2 / I1 + D
    sG, cG = sincos(Gamma)
    c = 1.0 + K * cG
    down = -((L0 + L1 * x + L2 * x * x) / I1 + D * (1.0 + z * c * x)) / (0.5 * z * c * c)  # D dx/dc
    out[0] = 2.0 * (down * (-K * sG) - D * slope)


@signals.register(ToyLaunch)
def _(s, t, y, out):
    z, psi = ratios(s)
    Gamma = t + 0.0 * y[0]
    x = balance_at(s.kappa, z, Gamma) + sqrt(y[0])
    sG, cG = sincos(Gamma)
    c, top = 1.0 + s.kappa * cG, cG + s.kappa
    J = z * top * top + sG * sG
    out[0] = sqrt(psi * s.g / s.r * x * z / J) * c * c


@validate.register(ToyLaunch)
def _(s):
    check_positive(s, "hole", "thickness", "kappa", "r", "g")
    check_not_negative(s, "fill")
    toy_disk(s)


def toy_disk(toy: ToyLaunch, rho: float = 7700.0) -> Disk:
    """The disk of a toy; what cannot be drilled is refused."""
    f = 1.0 - toy.fill
    if abs(f) < 1e-9:
        raise InputError(f"fill = {toy.fill!r}: the plug has the density of the disk, so that S is in the middle; take another.")
    if not 0.0 < toy.kappa < 0.5 or not 0.0 < toy.hole < 1.0:
        raise InputError(f"kappa = {toy.kappa!r} must lie between 0 and 0.5, hole = {toy.hole!r} between 0 and 1 (both over r).")
    a, r = toy.hole, toy.r
    M = 1.0 - f * a * a
    b = toy.kappa * M / (a * a * abs(f))
    if a + b > 1.0 - RIM + 1e-12:
        raise InputError(
            f"hole = {a:.4g} with fill = {toy.fill:.4g} must be {b:.4g} r from the middle for kappa = {toy.kappa:.4g}, and would cut the rim; take a larger hole or a smaller kappa."
        )
    A = 0.25 * (1.0 - f * a**4) + M * toy.thickness**2 / 12.0
    B = A - f * a * a * b * b
    C = 0.5 * (1.0 - f * a**4) - f * a * a * b * b
    size = rho * math.pi * r * r * toy.thickness * r
    return tippedisk_body(r, toy.kappa * r, size * M, size * r * r * A, size * r * r * B, size * r * r * C)


def launch_of(toy: ToyLaunch, offset: float = OFFSET) -> float:
    """The smallest spin of a launch from gamma = -pi/2 + offset [rad/s]."""
    from ....motion.simulate import simulate

    motion = simulate(toy, {"W": MARGIN}, math.pi - offset, since=FIRST, rtol=1e-9, progress=False)
    return float(motion["launch"][-1])


def best_toy(
    kappa: float = 1.0 / 18.0,
    r: float = 0.045,
    hole: tuple[float, float] = (0.32, 0.6),
    thickness: tuple[float, float] = (0.05, 0.3),
    fill: tuple[float, float] = (0.0, 0.2),
    offset: float = OFFSET,
    g: float = G,
    starts: int = 3,
) -> Any:
    """The toy with the least launch spin at a wanted eccentricity, between bounds of a/r, h/r and the filling, by `optimise`."""
    bounds = {"hole": hole, "thickness": thickness, "fill": fill}
    first = _best_of_a_grid(bounds, ToyLaunch(0.5 * sum(hole), 0.5 * sum(thickness), 0.5 * sum(fill), kappa, r, g), offset)
    return optimise(first, {"W": MARGIN}, math.pi - offset, "launch", list(bounds), bounds, since=FIRST, starts=starts, rtol=1e-9)


def _best_of_a_grid(bounds: dict[str, tuple[float, float]], middle: ToyLaunch, offset: float) -> ToyLaunch:
    """The best toy of a coarse grid between the bounds, corners and all: there may be several minima, and part of the range may not be drillable; the middle if nothing is."""
    best, least = middle, math.inf
    for values in product(*(np.linspace(low, high, GRID).tolist() for low, high in bounds.values())):
        toy = middle._replace(**dict(zip(bounds, values)))
        try:
            launch = launch_of(toy, offset)
        except InputError:
            continue
        if launch < least:
            best, least = toy, launch
    return best


describe(
    ToyLaunch,
    {"W": ("", "(x - x_c)^2, the square of how far the spin is above that of the cycle at this height")},
    {"launch": ("rad/s", "spin with S at rest on this orbit, where it turns")},
    parameters={
        "hole": ("", "radius of the hole over r"),
        "thickness": ("", "h/r"),
        "fill": ("", "density of what fills the hole over that of the disk"),
        "kappa": ("", "e/r"),
        "r": ("m", "radius"),
        "g": "m/s^2",
    },
    plot=("launch",),
)
