"""Branches of limit cycles by shooting and arclength, from the Hopf point to next to the heteroclinic connection, with Floquet multipliers, periods and folds.

The field is odd about inverted spinning, and so are the cycles: X(T/2) = -X(0) about it. Half of each is computed.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....analysis.continuation import PseudoArclength
from ....analysis.orbits import OrbitBranch, orbits_from_hopf
from ..specimens import Disk
from .at_energy import TippediskAtEnergy
from .climb import spin_energy
from .linear import G, critical_speed
from .manifold import CENTRE
from .more_friction import Resistance
from .more_friction import critical_speed as critical_speed_with
from .slipping import TippediskSlipping
from .slow import TippediskSlow, TippediskSlowNormalised
from .spinning import TippediskReduced

STEPS = PseudoArclength(ds=0.01, ds_max=0.05, max_points=400, tol=1e-10)


def cycles_of(
    system: Any, parameter: str, bounds: tuple[float, float], steps: PseudoArclength | None = None, **options: Any
) -> OrbitBranch:
    """The cycles that begin at the Hopf point of inverted spinning; the system must be at that point."""
    rates = {TippediskSlow: 0, TippediskSlowNormalised: 0, TippediskSlipping: 2}.get(type(system), 1)
    state = (*CENTRE, *(0.0,) * rates)
    odd = {"symmetry": "all", "advance": {"beta": math.pi, "gamma": math.pi}}  # about the centre
    return orbits_from_hopf(system, state, parameter, bounds, steps=steps or STEPS, progress=False, **{**odd, **options})


def spinning_cycles(
    disk: Disk,
    mu: float = 0.3,
    eps: float = 0.1,
    g: float = G,
    linear: bool = False,
    steps: PseudoArclength | None = None,
    **options: Any,
) -> OrbitBranch:
    """Cycles of Model 1.4 over Omega."""
    top = critical_speed(disk, g)
    system = TippediskReduced(disk, top, mu, eps, g, 0.0 if linear else 1.0)
    return cycles_of(system, "Omega", (0.95 * top, 1.08 * top), steps, **options)


def slow_cycles(
    disk: Disk, mu: float = 0.3, eps: float = 0.1, g: float = G, steps: PseudoArclength | None = None, **options: Any
) -> OrbitBranch:
    """Cycles of the slow flow over Omega."""
    top = critical_speed(disk, g)
    return cycles_of(TippediskSlow(disk, top, mu, eps, g), "Omega", (0.95 * top, 1.08 * top), steps, **options)


def normalised_cycles(
    kappa: float, zeta: float, delta: float = 0.2, steps: PseudoArclength | None = None, **options: Any
) -> OrbitBranch:
    """Cycles of the slow flow without dimensions over omega."""
    top = 1.0 + kappa
    return cycles_of(TippediskSlowNormalised(kappa, zeta, top, delta), "omega", (0.8 * top, 1.2 * top), steps, **options)


def energy_cycles(
    disk: Disk,
    mu: float = 0.3,
    eps: float = 0.1,
    g: float = G,
    linear: bool = True,
    steps: PseudoArclength | None = None,
    **options: Any,
) -> OrbitBranch:
    """Cycles at fixed energy, over E [J]."""
    top = float(spin_energy(disk, critical_speed(disk, g), True, g))
    system = TippediskAtEnergy(disk, top, mu, eps, g, 0.0 if linear else 1.0)
    return cycles_of(system, "E", (0.8 * top, 1.1 * top), steps, **options)


def slipping_cycles(
    disk: Disk, law: Resistance, g: float = G, linear: bool = True, steps: PseudoArclength | None = None, **options: Any
) -> OrbitBranch:
    """Cycles of Model 1.2 at a held spin over Omega, with pivoting, contour or Contensou friction."""
    top = critical_speed_with(disk, law, g, "1.2")
    system = law.of(disk, top, g, 0.0 if linear else 1.0)
    return cycles_of(system, "Omega", (0.85 * top, 1.15 * top), steps, **options)


def amplitudes(branch: OrbitBranch) -> np.ndarray:
    """The amplitude of gamma, max gamma - pi/2, along a branch (as in Fig. 5.8)."""
    return np.asarray(branch["max_gamma"], float) - 0.5 * math.pi
