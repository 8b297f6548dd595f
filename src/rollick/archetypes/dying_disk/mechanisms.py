"""What ends Euler's disk? Exponents c of E ~ (t_f - t)^c of other mechanisms beside impacts, and how long the end takes.

The mechanism with the lowest exponent dominates at the very end (chapter 1). Rolling friction is simulated by `archetypes/tops/finish.py`.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ...kernel.renamed import renamed
from ...motion.impacts.collide import collide
from ..tops import disk_with, energy_above_flat, euler_disk, measured, predicted, steady
from .disk import Disk

G = 9.81


class Mechanism(NamedTuple):
    """A mechanism, its exponent in theory, where it comes from, and how Rollick can measure it (a mechanism of `tops.finish`, or nothing)."""

    name: str
    c: float
    source: str
    simulated: str = ""
    strength: float = 0.0


LITERATURE = (
    Mechanism("air, viscous layer under the disk", 1 / 3, "Moffatt 2000"),
    Mechanism("air, boundary layer", 4 / 9, "Bildsten 2002"),
    Mechanism("viscous contour (rolling) friction", 1 / 2, "Leine 2009", "viscous-contour", 1e-4),
    Mechanism("dry contour (rolling) friction", 2 / 3, "Leine 2009", "contour", 5e-4),
    Mechanism("friction, another model", 2.0, "thesis, chapter 1"),
)


class Decay(NamedTuple):
    """A simulated end: the time left and the energy, both over their first values, and the fitted exponent."""

    left: np.ndarray
    energy: np.ndarray
    c: float


def rolling_friction(mechanism: str, strength: float, theta: float = 0.1, dt: float = 2e-5) -> Decay:
    """A thin disk with contour friction, from theta to near the end."""
    from ...motion.simulate import simulate

    toy = euler_disk(thickness=0.0)
    ends = predicted(toy, mechanism, strength, theta).ends
    motion = simulate(disk_with(toy, mechanism, strength), steady(toy, theta).start(), 0.97 * ends, method="midpoint", dt=dt)
    fit = measured(toy, motion)
    energy = energy_above_flat(toy, motion)
    left = fit.ends - motion.t
    use = left > 0.0
    return Decay(left[use] / left[0], energy[use] / energy[0], fit.energy)


def rolling_start(rho: float, theta: float, phase: float = 0.0) -> np.ndarray:
    """(q, p) of a round disk of radius one under g = 1 that rolls with its mass centre at rest, tilted by theta: Omega^2 = 1/(rho^2 theta)."""
    turn = math.sqrt(1.0 / (rho**2 * theta))
    c, s = math.cos(phase), math.sin(phase)
    return np.array([theta * c, theta * s, theta, -theta * turn * s, theta * turn * c, 0.0])


class End(NamedTuple):
    """How long a rattling disk takes to rest (median, seconds), the share of starts that rattle on to the end, and how many were tried."""

    median: float
    share: float
    tried: int


@renamed(most="max_impacts")
def time_to_rest(
    d: Disk, theta: float, *, radius: float = 0.05, fall: float = 0.0, tries: int = 40, max_impacts: int = 1500, seed: int = 0
) -> End:
    """The time in which a disk of this radius (m) rattles to rest from the tilt theta: rolling, or, with `fall`, also falling at this
    speed (m/s) without turning.

    Only sequences that end in complete chatter count; in the others one or two points come to lie on the plane first.
    """
    rng = np.random.default_rng(seed)
    unit = math.sqrt(radius / G)
    speed = fall * unit / radius
    times = []
    for phase in rng.uniform(0.0, 2.0 * math.pi, tries):
        start = rolling_start(d.rho, theta, phase)
        if speed > 0.0:
            start[3:] = (0.0, 0.0, -speed)
        found = collide(d.plate, d.gamma, start, g=1.0, max_impacts=max_impacts, beyond=False)
        if found.status == "CC":
            times.append(found.end_time * unit)
    return End(float(np.median(times)) if times else math.nan, len(times) / tries, tries)


def time_left(mechanism: str, strength: Any, theta: float, radius: float = 0.05) -> float:
    """The time (s) a thin homogeneous disk needs from theta to rest with rolling friction alone."""
    return predicted(euler_disk(thickness=0.0, R=radius), mechanism, strength, theta).ends


def strength_for(mechanism: str, seconds: float, theta: float, radius: float = 0.05) -> float:
    """The strength with which the disk takes so many seconds from theta to rest."""
    return time_left(mechanism, 1.0, theta, radius) / seconds
