"""Limit tori: a stone that spins too slowly for steady spin rocks once in a turn, and its contact point runs along its own closed curve.

At the critical spin a pair of eigenvalues of steady spin is +- i Omega (`spinning`). A family of periodic motions of (alpha, beta, omega1, omega2, omega3) begins there:
relative periodic orbits, since gamma advances by an angle that is not quite a full turn; with gamma, a torus. The undamped stone keeps its energy, so that
there is one such torus for each energy near it, and it attracts or repels the motions of that energy: the equations of rolling do not preserve volume.

Each is found by shooting with gamma free, with the roll alpha at the start held: this says which one of the family. Two multipliers are 1, along the orbit and to another energy; the other
three, those on its level of energy, are the orbit's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...analysis.orbits import find_orbit
from ...kernel.derivative import system_jacobian
from ...kernel.names import InputError, number
from .spinning import chirality, critical_spin

TILTS = [0, 1, 3, 4]  # alpha, beta, omega1, omega2 among the states
SPIN = 5
STEP = 0.05  # rad: the longest way from one torus to the guess of the next
FIRST = 0.01  # rad: the largest roll at which the first orbit is guessed from the linear theory


class LimitTorus(NamedTuple):
    """A torus: roll at the start, energy, period of the rocking, angle gamma in a period, mean spin, multipliers on its level of energy, what rolling needs."""

    roll: float
    energy: float
    period: float
    turn: float
    spin: float
    multipliers: np.ndarray
    friction_demand: float
    orbit: Any

    @property
    def stability(self) -> str:
        """ "stable" if motions of the same energy come to it, "unstable" if some leave."""
        return "stable" if np.all(np.abs(self.multipliers) < 1.0) else "unstable"


def limit_tori(stone: Any, rolls: Sequence[Any]) -> list[LimitTorus]:
    """The tori with these rolls at the start (rising, in rad), beginning at the critical spin of an undamped stone."""
    values = [number(one, "roll", "rad") for one in rolls]
    critical = critical_spin(stone)
    if critical is None or stone.sigma != 0.0:
        why = "is damped" if stone.sigma != 0.0 else "has no critical spin (see steady_spin)"
        raise InputError(f"this rattleback {why}: there is no steady spin at which limit tori begin.")
    if not values or min(values) <= 0.0 or np.any(np.diff(values) <= 0.0):
        raise InputError(f"rolls = {list(rolls)!r} must be above zero and rise.")
    y, T = small(stone, critical * chirality(stone), min(FIRST, values[0]))
    before: np.ndarray | None = None
    found: dict[float, LimitTorus] = {}
    for roll in on_the_way(min(FIRST, values[0]), values):
        orbit = find_orbit(stone, grown(y, before, roll), T, free=["gamma"], hold={"alpha": roll})
        before, y, T = (y if found else None), orbit.start, orbit.period
        found[roll] = told(orbit, roll)
    return [found[roll] for roll in values]


def on_the_way(first: float, values: Sequence[float]) -> list[float]:
    """The rolls, with others between those that are too far apart to guess one from the other."""
    steps = [first]
    for value in values:
        count = max(1, int(np.ceil((value - steps[-1]) / STEP)))
        steps += [*np.linspace(steps[-1], value, count + 1)[1:-1].tolist(), value]
    return steps


def small(stone: Any, Omega: float, roll: float) -> tuple[np.ndarray, float]:
    """A small torus by the linear theory: the eigenvector of i |Omega|, with its largest roll at the start; and the period."""
    y = np.zeros(6)
    y[SPIN] = Omega
    J = system_jacobian(stone, y)[np.ix_(TILTS, TILTS)]
    values, vectors = np.linalg.eig(J)
    v = vectors[:, int(np.argmin(np.abs(values - 1j * abs(Omega))))]
    y[TILTS] = (roll * v / v[0]).real
    return y, 2.0 * np.pi / abs(Omega)


def grown(y: np.ndarray, before: np.ndarray | None, roll: float) -> np.ndarray:
    """A guess at a larger roll: tilts in proportion, the spin along its parabola in the roll."""
    guess = y.copy()
    guess[TILTS] *= roll / y[0]
    if before is not None and before[0] != y[0]:
        guess[SPIN] += (y[SPIN] - before[SPIN]) * (roll**2 - y[0] ** 2) / (y[0] ** 2 - before[0] ** 2)
    return guess


def told(orbit: Any, roll: float) -> LimitTorus:
    """The numbers of a torus."""
    motion = orbit.motion()
    turn = orbit.advance["gamma"]
    return LimitTorus(
        roll,
        float(motion["energy"][0]),
        orbit.period,
        turn,
        turn / orbit.period,
        orbit.multipliers,
        float(motion["friction_demand"].max()),
        orbit,
    )
