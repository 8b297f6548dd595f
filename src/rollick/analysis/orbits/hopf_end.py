"""Where a branch of periodic orbits shrinks onto an equilibrium: the Hopf point it ends in.

At amplitude zero the equations of an orbit are solved by the equilibrium with any period: corrections along T and along the parameter p are lost there, of first order in the amplitude a, and
beyond it the same orbits come again, begun half a period later. So near it (a small beside the widest orbit of the branch, or the rate at the start turned round from one point to the next)
the Hopf point is computed by itself,

    f(y, p) = 0,      Re lambda(y, p) = 0,      lambda near 2 pi i/T,

and the branch ends there, if the orbit before it lies on the parabola that ends there: with the growth Re lambda = alpha (p - p_H) its second multiplier is exp(-2 alpha (p - p_H) T) there. If it
is not (near a generalised Hopf point a fold is between both), the branch is followed farther.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...kernel.evaluate import rate_at
from ..continuation.corrector import NoConvergence
from ..continuation.point import Point
from ..continuation.problem import Finding
from ..jacobian_along import JacobianAlong
from .harmonic import HarmonicEquations
from .orbit import ON_CIRCLE

SHRUNK = 1e-2  # of the widest orbit of a branch; nearer, the second multiplier, 1 - O(a^2), is not told from the trivial one
SHORTEST = 1e-3  # of the widest orbit: how far a branch is followed that does not come to the Hopf point as a parabola
PARABOLA = 0.3  # relative: how well the multiplier of the last orbit is that of a parabola
PERIODS = 0.1  # relative: how well the period of the last orbit is that of the Hopf point
NEWTON, SECANT = 12, 20
CLOSE = 1e-13  # relative: of Newton's last step
ROUNDING = 1e-13  # numbers below are zero
SLOPE = 1e-5  # of differences of Re lambda in p, relative


def hopf_between(problem: Any, here: Point, point: Point) -> tuple[np.ndarray, Finding] | None:
    """The Hopf point that a branch has come to from `here` to `point`: z of the orbit of amplitude zero, and what it is; None if there is none."""
    e = problem.equations
    if not e.period.unknown or e.closure.extra:
        return None
    before, after = wide(problem, here), wide(problem, point)
    turned = turned_round(e, point.z) and min(before, after) < 0.5 * problem.widest
    if not (turned or (after < SHRUNK * problem.widest and after < before)):
        return None
    near = here if turned and before < after else point
    T = float(near.measures["period"])
    y = np.array([0.5 * (near.measures[f"min_{q.name}"] + near.measures[f"max_{q.name}"]) for q in problem.states])
    width = float(np.abs(here.z[-1] - point.z[-1]))
    found = hopf_point(e.at, y, float(near.z[-1]), 2.0 * math.pi / T, width)
    if found is None:
        return None
    state, p, omega, alpha = found
    if before > SHORTEST * problem.widest and bends_away(problem, here, p, alpha):
        if turned:
            raise NoConvergence("the step passes an amplitude of zero, and a fold may be before it")
        return None
    reach = 3.0 * max(before, after)
    if abs(omega * T / (2.0 * math.pi) - 1.0) > PERIODS or float(np.abs(state - y).max()) > reach:
        return None
    nodes = len(e.parts) if isinstance(e, HarmonicEquations) else e.pieces
    z = np.append(e.pack(np.tile(state, (nodes, 1)), 2.0 * math.pi / omega), p)
    told = f"the orbits shrink onto an equilibrium, of the period {2.0 * math.pi / omega:.9g}: a Hopf point"
    return z, Finding("H", told, {"period": 2.0 * math.pi / omega, "omega": omega}, {"state": state})


def bends_away(problem: Any, here: Point, p: float, alpha: float) -> bool:
    """Whether an orbit does not lie on the parabola that ends in the Hopf point at p, by its multipliers."""
    values = here.measures["multipliers"][: problem.n - problem.trivial_count]
    expected = -2.0 * alpha * (float(here.z[-1]) - p) * float(here.measures["period"])
    logs = np.log(np.maximum(np.abs(values), 1e-300))
    found = float(logs[np.argmin(np.abs(logs - expected))])
    return abs(found - expected) > PARABOLA * max(abs(found), abs(expected)) + ON_CIRCLE


def turned_round(e: Any, z: np.ndarray) -> bool:
    """Whether an orbit begins with a rate against that of its neighbour: it is begun at another half, beyond the amplitude zero."""
    if isinstance(e, HarmonicEquations) or e.reference is None:
        return False
    return float(np.sum(e.linked(z[:-1], z[-1])[4].rates * e.reference.rates)) < 0.0


def wide(problem: Any, point: Point) -> float:
    """The largest extent of a state over an orbit."""
    return float(max(point.measures[f"max_{q.name}"] - point.measures[f"min_{q.name}"] for q in problem.states))


def hopf_point(at: Any, y: np.ndarray, p: float, omega: float, width: float) -> tuple[np.ndarray, float, float, float] | None:
    """Equilibrium, parameter, frequency and d Re lambda/dp of the Hopf point near a guess, by the secant method in p; `at(p)`: the system there."""

    def growth(p: float, y: np.ndarray) -> tuple[float, np.ndarray, float] | None:
        jacobian = JacobianAlong(at(p))
        f = np.empty(y.size)
        for _ in range(NEWTON):
            rate_at(jacobian.erased, 0.0, np.ascontiguousarray(y), f)
            step = np.linalg.solve(jacobian(0.0, y), f)
            y = y - step
            if np.abs(step).max() <= CLOSE * (1.0 + np.abs(y).max()):
                break
        else:
            return None
        values = np.linalg.eigvals(jacobian(0.0, y))
        one = values[np.argmin(np.abs(values - 1j * omega))]
        return float(one.real), y, float(one.imag)

    try:
        a, b = p, p + max(width, 1e-6 * (1.0 + abs(p)))
        first, second = growth(a, y), growth(b, y)
        for _ in range(SECANT):
            if first is None or second is None or second[0] == first[0]:
                break
            a, b, first = b, b - second[0] * (b - a) / (second[0] - first[0]), second
            second = growth(b, second[1])
            if second is not None and abs(b - a) <= CLOSE * (1.0 + abs(b)):
                break
        if second is None:
            return None
        h = SLOPE * (1.0 + abs(b))
        above, below = (growth(b + d, second[1]) for d in (h, -h))
    except (np.linalg.LinAlgError, ArithmeticError):
        return None
    if above is None or below is None or abs(second[0]) > 1e-9 * (1.0 + abs(second[2])) or second[2] <= 0.0:
        return None
    alpha = (above[0] - below[0]) / (2.0 * h)
    return np.where(np.abs(second[1]) < ROUNDING, 0.0, second[1]), b if abs(b) >= ROUNDING else 0.0, second[2], alpha
