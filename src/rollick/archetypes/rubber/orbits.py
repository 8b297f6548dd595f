"""What kind of motion a start leads to: steady rolling, nutation in a well, swinging over a barrier, or the approach to a separatrix.

On a level E of the reduced energy the nutation runs between turning points. If E is the energy of an unstable steady rolling that the
motion can reach, it takes infinitely long: the motion is asymptotic to it, and its track winds onto a circle, or a straight line. In all
other cases the track of the contact point stays in an annulus, or drifts away along a straight line (see `Nutation`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...kernel.compiled import compiled
from ...kernel.names import InputError
from ...kernel.scalar import sin, sqrt
from .body import RubberBody, mass_B, nose_squared, potential, reduced_only
from .equilibria import Equilibrium, equilibria, equilibrium
from .level import ROUNDING, SHORT, Level, around, energy_level, level_through, mean_slope, noise, rise, walk, within_reach
from .panels import adaptive
from .quadrature import Nutation, nutation, over_period


@dataclass(frozen=True)
class Separatrix:
    """A loop from an unstable steady rolling to itself: leaves it, turns at theta = `turn`, returns. `yaw` is the turn of its track.

    The yaw over the whole loop is finite if the steady rolling is straight (upright): the track comes from one straight line and goes into
    another, turned by `yaw`. Otherwise it unwinds from a circle and winds onto one of the same radius, and `yaw` is infinite. Where two
    unstable steady rollings have the same energy the motion goes from one to the other: `turn` is then the theta of the other.
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


@compiled
def loop_nodes(body, ell, energy, scale, saddle, turn, near, w, out):
    """-cos(theta) psi' / |theta'| times dtheta/dw at theta = turn + (saddle - turn) w^2, on the level of the saddle at pi/2.

    Regular at the turning point, where E - V ~ w^2, and at the saddle, where cos(theta) and sqrt(E - V) vanish together; `near` is a
    critical point close to the turning point, or NaN.
    """
    way = saddle - turn
    for j in range(w.size):
        d = w[j] * w[j]
        theta = turn + way * d
        x = -way * (1.0 - d)  # from the saddle
        V, slope, _ = potential(body, ell, theta)
        gap = energy - V
        if abs(x) <= SHORT * sin(theta):
            fine = -rise(body, ell, saddle, x)
        elif within_reach(turn, theta):
            a = (turn - near) / way if near == near else 0.0
            fine = -way * way * d * mean_slope(body, ell, turn, way, d, near, a)
        else:
            fine = gap
        if abs(fine - gap) <= noise(scale, slope):
            gap = fine
        n = sin(theta)
        spin = ell / (sqrt(nose_squared(body, theta)) * n * n)
        out[j, 0] = 2.0 * w[j] * abs(way) * sin(x) * spin / sqrt(2.0 * gap / mass_B(body, theta)[0])


def _loop(level: Level, saddle: Equilibrium, k: int, side: int) -> Separatrix | None:
    """The loop that leaves a saddle, the k-th critical point, towards smaller (side = -1) or larger theta."""
    if not 0 <= k + side < level.angles.size or level.above[k + side] <= 0.0:
        return None
    turn, near, _, wall = walk(level, k + side, side)
    if wall >= 0 and abs(level.above[wall]) <= level.doubt[wall]:
        return Separatrix(saddle, float(level.angles[wall]), math.inf)  # no loop: it ends at another unstable steady rolling
    if abs(math.cos(saddle.theta)) >= 1e-12:
        return Separatrix(saddle, turn, math.inf)
    numbers = level.ell, level.energy, level.scale, saddle.theta, turn, near

    def at(w: np.ndarray) -> np.ndarray:
        out = np.empty((w.size, 1))
        loop_nodes(level.body, *numbers, w, out)
        return out

    cut = adaptive(np.linspace(0.0, 1.0, 5), at, lambda table: table)
    return Separatrix(saddle, turn, 2.0 * cut.total(cut.table[..., 0]))


@reduced_only
def separatrices(body: RubberBody, ell: float) -> list[Separatrix]:
    """All separatrix loops at a given l: two for every unstable steady rolling (for the torus a figure eight)."""
    rests = equilibria(body, ell)
    found = []
    for k, e in enumerate(rests):
        if not e.stable:
            level = energy_level(body, ell, e.energy)
            level.above[k] = 0.0
            found += [loop for loop in (_loop(level, e, k, side) for side in (-1, 1)) if loop is not None]
    return found


@reduced_only
def orbit(body: RubberBody, ell: float, energy: float, inside: float) -> Orbit:
    """The kind of motion with integral l and energy E through the angle `inside`."""
    _refuse_planar(ell)
    return _kind(energy_level(body, ell, energy), float(inside))


def _refuse_planar(ell: float) -> None:
    if ell == 0.0:
        raise InputError("l = 0 is planar rolling, without a barrier at the axis; simulate full(body).")


def _kind(level: Level, inside: float) -> Orbit:
    """The kind of motion on a level through an angle."""
    body, ell, energy = level.body, level.ell, level.energy
    rests = [equilibrium(body, float(t), ell) for t in level.angles]
    on_level = [k for k in range(len(rests)) if abs(level.above[k]) <= level.doubt[k]]
    for k in on_level:
        if abs(inside - rests[k].theta) < 1e-6 and abs(level.gap(inside)) <= max(level.doubt[k], level.scale * ROUNDING):
            return Orbit("steady", "straight line" if math.isinf(rests[k].radius) else "circle", ell, energy, steady=rests[k])
    ends = around(level, inside)
    reached = [k for k in on_level if not rests[k].stable and (k in ends.walls or ends.low < rests[k].theta < ends.high)]
    if reached:
        e = min((rests[k] for k in reached), key=lambda e: abs(e.theta - inside))
        track = "asymptotic line" if math.isinf(e.radius) else "asymptotic circle"
        return Orbit("asymptotic", track, ell, energy, steady=e)
    n = over_period(level, inside)
    passed = sum(1 for e in rests if not e.stable and n.low < e.theta < n.high)
    return Orbit("swing" if passed else "nutation", n.kind, ell, energy, nutation=n, passed=passed)


@reduced_only
def orbit_from(body: RubberBody, start: np.ndarray) -> Orbit:
    """The kind of motion that starts in a reduced state."""
    theta, p, ell = (float(v) for v in start[:3])
    _refuse_planar(ell)
    return _kind(level_through(body, ell, theta, 0.5 * p * p / mass_B(body, theta)[0]), theta)


@reduced_only
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
