"""A level E of the reduced energy: where theta turns back on it, and E - V(theta) without loss of digits.

Near steady rolling, at a turning point and next to a barrier E - V is the small difference of large numbers. It keeps its digits if it is
built from the curvature V'', which does not cancel. With c a critical point of V (a steady rolling), V'(c) = 0,

    V(c + x) - V(c)  =  x^2 int_0^1 (1 - s) V''(c + s x) ds,        V'(c + x)  =  x int_0^1 V''(c + s x) ds,
    V(e) - V(e + d)  =  -d int_0^1 V'(e + s d) ds                    (e a turning point),

each by eight Gauss points over lengths short against the distance from the axis, where V has its poles. So the nutation is known down to
zero amplitude, and up to the separatrices as closely as E itself is known. Elsewhere E - V is what it is.

The critical points come first: between two of them V is monotone, so that no barrier is stepped over.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from ...kernel.compiled import compiled
from ...kernel.names import InputError
from ...kernel.scalar import sin
from .body import RubberBody, potential, reduced_only
from .equilibria import equilibrium_angles, slope_table

_x, _w = np.polynomial.legendre.leggauss(8)
POINTS = tuple((0.5 * (_x + 1.0)).tolist())
WEIGHTS = tuple((0.5 * _w).tolist())
SHORT = 0.4  # of the distance from the axis: so far eight Gauss points integrate V'' to rounding
ROUNDING = 8.0 * np.finfo(float).eps  # of E - V, relative to the energies that make it up
CLOSE = 1e-14  # relative distance in energy below which a motion counts as being on a separatrix


@compiled
def bend(body, ell, c, x):
    """The mean of V'' between c and c + x; times x it is V'(c + x) if c is a critical point."""
    total = 0.0
    for i in range(8):
        total += WEIGHTS[i] * potential(body, ell, c + POINTS[i] * x)[2]
    return total


@compiled
def rise(body, ell, c, x):
    """V(c + x) - V(c), c a critical point."""
    total = 0.0
    for i in range(8):
        total += WEIGHTS[i] * (1.0 - POINTS[i]) * potential(body, ell, c + POINTS[i] * x)[2]
    return x * x * total


@compiled
def mean_slope(body, ell, end, amp, d, centre, a):
    """The mean of V' between `end` and end + amp d, over amp; `centre` = end - amp a is a critical point nearby, or NaN."""
    total = 0.0
    for i in range(8):
        if centre == centre:
            x = a + POINTS[i] * d
            total += WEIGHTS[i] * x * bend(body, ell, centre, amp * x)
        else:
            total += WEIGHTS[i] * potential(body, ell, end + POINTS[i] * amp * d)[1] / amp
    return total


@compiled
def noise(scale, slope):
    """How far E - V(theta) may be off as a plain difference: rounding of the energies, and of theta."""
    return ROUNDING * (scale + 3.0 * abs(slope))


@compiled
def within_reach(a, b):
    """Whether two angles are close to each other, against their distances from the axis."""
    return abs(a - b) <= SHORT * min(sin(a), sin(b))


@compiled
def gap_at(body, ell, energy, scale, angles, above, theta):
    """E - V(theta), by way of the nearest critical point if that is in reach; `above` holds E - V at the critical points `angles`."""
    V, slope, _ = potential(body, ell, theta)
    plain = energy - V
    near = -1
    for k in range(angles.size):
        if within_reach(angles[k], theta) and (near < 0 or abs(angles[k] - theta) < abs(angles[near] - theta)):
            near = k
    if near < 0:
        return plain
    fine = above[near] - rise(body, ell, angles[near], theta - angles[near])
    return fine if abs(fine - plain) <= noise(scale, slope) else plain


@dataclass(frozen=True)
class Level:
    """An energy at a given l: the critical points of V in order, how far E lies above V there, and how well that is known.

    `scale` is the size of the energies; where |above| <= doubt the motion cannot be told from one on the separatrix.
    """

    body: RubberBody
    ell: float
    energy: float
    scale: float
    angles: np.ndarray
    above: np.ndarray
    doubt: np.ndarray

    def gap(self, theta: float) -> float:
        """E - V(theta)."""
        return float(gap_at(self.body, self.ell, self.energy, self.scale, self.angles, self.above, float(theta)))


@dataclass(frozen=True)
class Ends:
    """The turning points around a place: low <= high, half their distance, and for each the critical point nearby it is known from.

    A turning point is `centre` + amp `offset`; without a critical point nearby `centre` is NaN and `offset` 0. `walls` are the indices of
    the barriers of finite height among the critical points that end the motion, -1 for the axis.
    """

    low: float
    high: float
    amp: float
    centres: tuple[float, float]
    offsets: tuple[float, float]
    walls: tuple[int, int]


@reduced_only
def energy_level(body: RubberBody, ell: float, energy: float) -> Level:
    """The level with the energy E."""
    angles = np.array(equilibrium_angles(body, ell, slope_table(body)))
    heights = np.array([potential(body, ell, float(t))[0] for t in angles])
    scale = abs(energy) + float(np.abs(heights).max(initial=0.0))
    return Level(body, float(ell), float(energy), scale, angles, energy - heights, np.full(angles.size, CLOSE * scale))


def level_through(body: RubberBody, ell: float, theta: float, kinetic: float) -> Level:
    """The level of a motion that has the kinetic energy of nutation `kinetic` at theta: exact for small nutations too."""
    here, slope, _ = potential(body, ell, theta)
    level = energy_level(body, ell, kinetic + here)
    above, doubt = level.above.copy(), level.doubt.copy()
    for k, c in enumerate(level.angles):
        x = theta - float(c)
        fine = float(rise(body, ell, float(c), x))
        if within_reach(float(c), theta) and abs(fine - (here - potential(body, ell, float(c))[0])) <= noise(level.scale, slope):
            above[k] = kinetic + fine
            doubt[k] = 100.0 * np.finfo(float).eps * (abs(2.0 * fine) * math.pi / max(abs(x), 1e-16) + kinetic)
    return Level(body, level.ell, level.energy, level.scale, level.angles, above, doubt)


def around(level: Level, inside: float) -> Ends:
    """The turning points of the motion on a level through the angle `inside`."""
    count = level.angles.size
    if not 0.0 < inside < math.pi:
        raise InputError(f"theta = {inside:.9g} must lie strictly between 0 and pi.")
    V, slope, _ = potential(level.body, level.ell, float(inside))
    if not level.gap(inside) >= -noise(level.scale, slope):
        raise InputError(
            f"at theta = {inside:.9g} the energy {level.energy:.12g} lies below the potential by {V - level.energy:.3g}; "
            f"the motion cannot be there."
        )
    # Between two critical points V is monotone, so that the lower end of the stretch around `inside` belongs to the motion too.
    k = int(np.searchsorted(level.angles, inside))
    sides = [j for j in (k - 1, k) if 0 <= j < count]
    seed = max(sides, key=lambda j: float(level.above[j]))
    if level.above[seed] <= 0.0:  # the bottom of a well, up to rounding: steady rolling
        c = float(level.angles[seed])
        return Ends(c, c, 0.0, (c, c), (-1.0, 1.0), (-1, -1))
    (low, c_low, x_low, wall_low), (high, c_high, x_high, wall_high) = (walk(level, seed, side) for side in (-1, 1))
    amp = 0.5 * (x_high - x_low) if c_low == c_high else 0.5 * (high - low)
    if not amp > 0.0:
        return Ends(low, low, 0.0, (low, low), (-1.0, 1.0), (-1, -1))
    return Ends(low, high, amp, (c_low, c_high), (x_low / amp, x_high / amp), (wall_low, wall_high))


def walk(level: Level, seed: int, side: int) -> tuple[float, float, float, int]:
    """From a critical point below E towards smaller (side = -1) or larger theta to where V = E.

    theta, a critical point nearby it is known from (or NaN) and the distance from it, and the index of the barrier (-1: the axis).
    """
    count = level.angles.size
    inner = seed
    while 0 <= inner + side < count and level.above[inner + side] > 0.0:
        inner += side
    wall = inner + side if 0 <= inner + side < count else -1
    return (*_turning_point(level, inner, wall if wall >= 0 else None, side), wall)


def _turning_point(level: Level, inner: int, outer: int | None, side: int) -> tuple[float, float, float]:
    """Where V = E between two neighbouring critical points, or a critical point and the axis: theta, critical point nearby, distance."""
    start = float(level.angles[inner])
    if outer is not None:
        stop = float(level.angles[outer])
        if level.above[outer] == 0.0:
            return stop, stop, 0.0
    else:
        pole = 0.0 if side < 0 else math.pi
        stop = start
        for _ in range(60):
            stop = pole + 0.5 * (stop - pole)
            if level.gap(stop) < 0.0:
                break
        else:
            raise InputError(
                f"with l = {level.ell:g} and E = {level.energy:g} the body reaches theta = {pole:.4g}: the barrier l^2/(2 sin^2) is too weak "
                f"to be resolved; choose |l| above {math.sqrt(2 * abs(level.energy)) * 1e-15:.1g}, or treat l = 0 as planar rolling."
            )
    if level.gap(stop) * level.gap(start) > 0.0:  # as flat as rounding
        theta = stop
    else:
        theta = float(brentq(level.gap, start, stop, xtol=1e-16, rtol=4 * np.finfo(float).eps))
    near = [k for k in (inner, outer) if k is not None and within_reach(float(level.angles[k]), theta)]
    if not near:
        return theta, math.nan, 0.0
    k = min(near, key=lambda k: abs(float(level.angles[k]) - theta))
    c = float(level.angles[k])
    x = _offset(level, k, theta - c, side if k == inner else -side)
    return (c + x, c, x) if x is not None else (theta, math.nan, 0.0)


def _offset(level: Level, k: int, guess: float, sign: int) -> float | None:
    """The distance of a turning point from a critical point nearby, by Newton's method on `rise`; None where `rise` does not hold."""
    body, ell, c, above = level.body, level.ell, float(level.angles[k]), float(level.above[k])
    bent = float(potential(body, ell, c)[2])
    x = guess
    if abs(guess) < 1e-6 and above * bent > 0.0:
        x = sign * math.sqrt(2.0 * above / bent)
    for _ in range(12):
        slope = x * float(bend(body, ell, c, x))
        if slope == 0.0:
            break
        change = (above - float(rise(body, ell, c, x))) / slope
        x += change
        if abs(change) <= 2e-16 * abs(x):
            break
    if not (within_reach(c, c + x) and sign * x > 0.0):
        return None
    V, slope, _ = potential(body, ell, c + x)
    return x if abs(float(rise(body, ell, c, x)) - (V - potential(body, ell, c)[0])) <= noise(level.scale, slope) else None


@reduced_only
def turning_points(body: RubberBody, ell: float, energy: float, inside: float) -> tuple[float, float]:
    """The ends of the interval around `inside` in which V <= E."""
    ends = around(energy_level(body, ell, energy), inside)
    return ends.low, ends.high
