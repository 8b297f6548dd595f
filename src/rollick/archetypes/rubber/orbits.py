"""What kind of motion a start leads to: steady rolling, nutation in a well, swinging over a barrier, or the approach to a separatrix.

On a level E of the reduced energy the nutation runs between turning points. If E is the energy of an unstable steady rolling that the
motion can reach, it takes infinitely long: the motion is asymptotic to it, and its track winds onto a circle, or a straight line. In all
other cases the track of the contact point stays in an annulus, or drifts away along a straight line (see `Nutation`).
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import numpy as np

from ...kernel.names import InputError
from .body import RubberBody, heights, mass_B, nose_squared, potential
from .equilibria import Equilibrium, equilibria
from .quadrature import Nutation, nutation, turning_points

CLOSE = 1e-12  # relative distance in energy at which a motion counts as being on a separatrix


@dataclass(frozen=True)
class Separatrix:
    """A loop from an unstable steady rolling to itself: leaves it, turns at theta = `turn`, returns. `yaw` is the turn of its track.

    The yaw over the whole loop is finite if the steady rolling is straight (upright): the track comes from one straight line and goes into
    another, turned by `yaw`. Otherwise it unwinds from a circle and winds onto one of the same radius, and `yaw` is infinite.
    """

    saddle: Equilibrium
    turn: float
    yaw: float

    @property
    def energy(self) -> float:
        """The energy of the loop."""
        return self.saddle.energy


@dataclass(frozen=True)
class Orbit:
    """A motion at given l and E: its kind in a word, what it does in a sentence, and the numbers behind it."""

    kind: str  # "steady", "nutation", "swing" (over a barrier) or "asymptotic"
    track: str  # "circle", "straight line", "annulus", "straight drift", "closed", "asymptotic circle" or "asymptotic line"
    ell: float
    energy: float
    nutation: Nutation | None = None
    steady: Equilibrium | None = None
    passed: int = 0  # barriers swung over


@functools.cache
def gauss() -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights of Gauss-Legendre quadrature."""
    return np.polynomial.legendre.leggauss(400)


def _loop(body: RubberBody, saddle: Equilibrium, side: float) -> Separatrix | None:
    """The loop that leaves a saddle towards smaller (side = -1) or larger theta."""
    step = 1e-3 * min(saddle.theta, math.pi - saddle.theta)
    inside = saddle.theta + side * step
    try:
        low, high = turning_points(body, saddle.ell, saddle.energy, inside)
    except InputError:
        return None
    turn = low if side < 0 else high
    upright = abs(math.cos(saddle.theta)) < 1e-12
    yaw = math.inf
    if upright:
        # phi' dt over both halves of the loop, theta = turn + (saddle - turn) w^2: regular at the turning point (E - V ~ w^2) and at the
        # saddle, where cos(theta) and sqrt(E - V) vanish together.
        x, weight = gauss()
        w = 0.5 * (x + 1.0)
        total = 0.0
        for wi, gi in zip(w, 0.5 * weight):
            theta = turn + (saddle.theta - turn) * wi * wi
            gap = 2.0 * (saddle.energy - potential(body, saddle.ell, theta)[0])
            n = math.sin(theta)
            spin = saddle.ell / (math.sqrt(nose_squared(body, theta)) * n * n)
            rate = math.sqrt(gap / mass_B(body, theta)[0])
            total += gi * 2.0 * wi * abs(saddle.theta - turn) * -math.cos(theta) * spin / rate
        yaw = 2.0 * total
    return Separatrix(saddle, turn, yaw)


def separatrices(body: RubberBody, ell: float) -> list[Separatrix]:
    """All separatrix loops at a given l: two for every unstable steady rolling (for the torus a figure eight)."""
    found = []
    for e in equilibria(body, ell):
        if not e.stable:
            found += [loop for loop in (_loop(body, e, side) for side in (-1.0, 1.0)) if loop is not None]
    return found


def orbit(body: RubberBody, ell: float, energy: float, inside: float) -> Orbit:
    """The kind of motion with integral l and energy E through the angle `inside`."""
    if ell == 0.0:
        raise InputError("l = 0 is planar rolling, without a barrier at the axis; simulate full(body).")
    scale = abs(energy) + body.m * body.g * heights(body, inside)[0]
    rests = equilibria(body, ell)
    for e in rests:
        if abs(energy - e.energy) <= CLOSE * scale and abs(inside - e.theta) < 1e-6:
            return Orbit("steady", "straight line" if math.isinf(e.radius) else "circle", ell, energy, steady=e)
    for e in rests:
        if not e.stable and abs(energy - e.energy) <= CLOSE * scale:
            between = np.linspace(inside, e.theta, 400)[:-1]
            if all(potential(body, ell, float(t))[0] < energy for t in between[1:]):
                track = "asymptotic line" if math.isinf(e.radius) else "asymptotic circle"
                return Orbit("asymptotic", track, ell, energy, steady=e)
    n = nutation(body, ell, energy, inside)
    passed = sum(1 for e in rests if not e.stable and n.low < e.theta < n.high)
    return Orbit("swing" if passed else "nutation", n.kind, ell, energy, nutation=n, passed=passed)


def orbit_from(body: RubberBody, start: np.ndarray) -> Orbit:
    """The kind of motion that starts in a reduced state."""
    theta, p, ell = (float(v) for v in start[:3])
    energy = 0.5 * p * p / mass_B(body, theta)[0] + potential(body, ell, theta)[0]
    _, slope, _ = potential(body, ell, theta)
    inside = theta - (math.copysign(1e-7, slope) if p == 0.0 and abs(slope) > 1e-9 * abs(energy) else 0.0)
    return orbit(body, ell, energy, inside)


def closing_energy(body: RubberBody, ell: float, low: float, high: float) -> float:
    """The energy between `low` and `high` at which a body symmetric under theta -> pi - theta, swinging through the upright, does not drift.

    Its track is then a closed figure eight. The drift per period from theta- is real, and changes its sign there.
    """
    from scipy.optimize import brentq

    def drift(energy: float) -> float:
        return nutation(body, ell, energy, 0.5 * math.pi).displacement.real

    a, b = drift(low), drift(high)
    if a * b > 0.0:
        raise InputError(
            f"the drift per period does not change its sign between E = {low:g} ({a:.4g} m) and E = {high:g} ({b:.4g} m)."
        )
    return float(brentq(drift, low, high, xtol=1e-13, rtol=1e-13))
