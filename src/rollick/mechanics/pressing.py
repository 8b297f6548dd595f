"""Does a normal force fall to zero between the ends of a step? Steps of a smooth motion may be longer than a contact needs to open and to close again.

The force N is known at the ends of steps. A step is looked at if N there is not much larger than what its bend over the neighbours, h^2/8 |N''|, can take away; then the cubic
with the values and slopes of N at both ends decides whether N may come near zero, and only then the step is integrated anew in short steps (Runge and Kutta's of order 4), which
tells; if these miss the end of the step, because the motion is stiff, the cubic has the word.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..kernel.system import rate

BEND = 4.0  # times what the bend of N can take away from it: beyond that a step is not looked at
NEAR = 0.25  # of the larger force at the ends: where the cubic stays above, the force does not vanish
SHORT = 32  # steps into which a doubtful step is divided
MISSED = 0.01  # of what the states change in a step: short steps that miss its end by more are not believed
SHIFT = 1e-4  # of a step: how far the state is moved along its rate for the slope of N
FRACTIONS = np.linspace(0.0, 1.0, 17)[1:-1]

Forces = Callable[[np.ndarray, np.ndarray], np.ndarray]


def not_pressing(system: Any, t: np.ndarray, y: np.ndarray, forces: Forces) -> np.ndarray:
    """For each of the states at the ends of steps: whether the force does not press there, or did not in the step before it."""
    force = forces(t, y)
    bad = ~(force > 0.0)
    stop = int(np.argmax(bad)) if bad.any() else len(t)
    for i in np.flatnonzero(_doubtful(t[:stop], force[:stop])):
        if _vanishes(system, t[i : i + 2], y[i : i + 2], forces):
            bad[i + 1] = True
            break
    return bad


def _doubtful(t: np.ndarray, force: np.ndarray) -> np.ndarray:
    """The steps in which the bend of the force, estimated from its values around, could bring it to zero."""
    if len(t) < 2:
        return np.zeros(0, bool)
    h = np.diff(t)
    bend = np.full(len(t), np.inf)  # |N''| at the ends of steps; not known at the first and the last
    if len(t) > 2:
        slopes = np.diff(force) / h
        bend[1:-1] = 2.0 * np.abs(np.diff(slopes) / (h[1:] + h[:-1]))
    most = np.maximum(bend[1:], bend[:-1])
    return ~(np.minimum(force[1:], force[:-1]) > BEND * 0.125 * h**2 * most)


def _vanishes(system: Any, t: np.ndarray, y: np.ndarray, forces: Forces) -> bool:
    """Whether the force falls to zero in a step."""
    h = t[1] - t[0]
    slopes, rates, moved = np.empty(2), np.empty(y.shape[1]), SHIFT * h
    for k in range(2):
        rate(system, float(t[k]), np.ascontiguousarray(y[k]), rates)
        beside = forces(t[k] + np.array([-moved, moved]), np.array([y[k] - moved * rates, y[k] + moved * rates]))
        slopes[k] = (beside[1] - beside[0]) / (2.0 * moved)
    ends, x = forces(t, y), FRACTIONS
    cubic = (
        ends[0] * (1.0 + 2.0 * x) * (1.0 - x) ** 2
        + ends[1] * x**2 * (3.0 - 2.0 * x)
        + h * x * (1.0 - x) * (slopes[0] * (1.0 - x) - slopes[1] * x)
    )
    if cubic.min() > NEAR * ends.max():
        return False
    states = _in_short_steps(system, float(t[0]), np.array(y[0], float), h / SHORT)
    missed = float(np.max(np.abs(states[-1] - y[1])))
    if not missed <= MISSED * float(np.max(np.abs(y[1] - y[0]))):
        return bool(cubic.min() <= 0.0)  # too stiff for short explicit steps
    return not bool(np.all(forces(t[0] + h / SHORT * np.arange(1, SHORT + 1), states)[:-1] > 0.0))


def _in_short_steps(system: Any, t: float, y: np.ndarray, h: float) -> np.ndarray:
    """The states after each of SHORT steps of Runge and Kutta."""
    found, k = np.empty((SHORT, y.size)), np.empty((4, y.size))
    for i in range(SHORT):
        at = t + i * h
        rate(system, at, y, k[0])
        rate(system, at + 0.5 * h, y + 0.5 * h * k[0], k[1])
        rate(system, at + 0.5 * h, y + 0.5 * h * k[1], k[2])
        rate(system, at + h, y + h * k[2], k[3])
        y = y + h / 6.0 * (k[0] + 2.0 * k[1] + 2.0 * k[2] + k[3])
        found[i] = y
    return found
