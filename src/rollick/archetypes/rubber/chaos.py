"""Rubber bodies that are not of revolution: two degrees of freedom, and only the energy conserved (Koiller, section 5.3).

A section at fixed energy: psi = 0 with psi increasing, that is, gamma1 = 0 rising; a point of it is (theta, theta'), psi' > 0 follows
from the energy and phi' from the absence of twist. On a body of revolution its points lie on curves l = const; without that symmetry
some of them dissolve into a chaotic sea, and the largest Lyapunov exponent is positive there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...analysis.lyapunov import Exponent, largest_exponent
from ...analysis.section import poincare
from ...kernel.names import InputError
from ...kernel.palette import COLOURS, WARM
from ...kernel.system import description, signals
from ...mechanics.rolling import Rubber
from .start import full_start

REGULAR = tuple(colour for colour in COLOURS if colour != WARM)


@dataclass(frozen=True)
class SectionOrbit:
    """One motion on a section: where it starts, its crossings (theta, theta'), and its largest Lyapunov exponent if that was asked for."""

    theta: float
    theta_rate: float
    points: np.ndarray
    exponent: Exponent | None


def energy_of(system: Rubber, state: np.ndarray) -> float:
    """The energy of a state of the full body."""
    about = description(system).signals
    out = np.empty(len(about))
    signals(system, 0.0, state, out)
    return float(out[[q.name for q in about].index("energy")])


def start_on_section(system: Rubber, energy: float, theta: float, theta_rate: float) -> np.ndarray:
    """The state with psi = phi = 0, the given theta and theta', and the psi' > 0 that the energy asks for.

    The kinetic energy is a quadratic form in (theta', psi'): three values of it give its coefficients.
    """
    rest = energy_of(system, full_start(theta, 0.0, 0.0))
    k11 = energy_of(system, full_start(theta, 1.0, 0.0)) - rest
    k22 = energy_of(system, full_start(theta, 0.0, 1.0)) - rest
    k12 = energy_of(system, full_start(theta, 1.0, 1.0)) - rest - k11 - k22
    left = energy - rest - k11 * theta_rate**2
    square = (k12 * theta_rate) ** 2 + 4.0 * k22 * left
    if square < 0.0:
        raise InputError(f"theta = {theta:g}, theta' = {theta_rate:g} cannot be reached with the energy {energy:g} J.")
    return full_start(theta, theta_rate, (-k12 * theta_rate + math.sqrt(square)) / (2.0 * k22))


def sections(
    system: Rubber,
    energy: float,
    thetas: Any,
    theta_rate: float = 0.0,
    returns: int = 200,
    exponent_time: float = 0.0,
    chunk: float = 20.0,
) -> list[SectionOrbit]:
    """Sections of the motions that start at the given thetas, all with one energy; with `exponent_time` their Lyapunov exponents as well."""
    found = []
    for theta in np.atleast_1d(np.asarray(thetas, float)):
        start = start_on_section(system, energy, float(theta), theta_rate)
        points = poincare(system, start, "gamma1", ("theta", "theta_rate"), returns, chunk=chunk)
        exponent = largest_exponent(system, start, exponent_time) if exponent_time > 0.0 else None
        found.append(SectionOrbit(float(theta), float(theta_rate), points, exponent))
    return found


def section_picture(orbits: list[SectionOrbit], ax: Any = None) -> Any:
    """Sections drawn with one colour per motion; those with a positive exponent in orange, which no other has. Returns the figure."""
    from .pictures import new_axes

    ax = ax or new_axes()
    for k, o in enumerate(orbits):
        chaotic = o.exponent is not None and o.exponent.chaotic
        colour = WARM if chaotic else REGULAR[k % len(REGULAR)]
        ax.plot(np.degrees(o.points[:, 0]), o.points[:, 1], ".", markersize=2.0, color=colour)
    ax.set_xlabel(r"$\theta$ [deg]")
    ax.set_ylabel(r"$\dot\theta$ [rad/s]")
    return ax.figure
