"""Periodic orbits: found by shooting or collocation, with their Floquet multipliers, continued in a parameter."""

from .collocation import Collocation
from .curves import trace_cycle_curve
from .families import continue_family
from .find import find_orbit
from .follow import OrbitBranch, continue_orbit, open_orbits, orbit_problem, orbits_from_hopf, resume_orbits
from .harmonic import HarmonicBalance
from .impacts import impact_gap, impact_map
from .orbit import Orbit
from .shooting import MultipleShooting, Shooting

__all__ = [
    "Collocation",
    "HarmonicBalance",
    "MultipleShooting",
    "Orbit",
    "OrbitBranch",
    "Shooting",
    "continue_family",
    "continue_orbit",
    "find_orbit",
    "impact_gap",
    "impact_map",
    "open_orbits",
    "orbit_problem",
    "orbits_from_hopf",
    "resume_orbits",
    "trace_cycle_curve",
]
