"""Rubber rolling of surfaces of revolution (J. Koiller): reduction to one degree of freedom, quadratures, equilibria, regimes."""

from .bodies import disk, hoop, profile_body, read_profile, revolution_mass, routh_sphere, spheroid, torus
from .body import RubberBody, full, rubber_body
from .equilibria import Equilibrium, critical_spins, equilibria
from .orbits import Orbit, Separatrix, closing_energy, orbit, orbit_from, separatrices
from .quadrature import Nutation, nutation, nutation_from
from .reduced import InTau, full_start, start_rolling
from .regimes import Diagram, diagram, regime_map, regime_name

__all__ = [
    "Diagram",
    "Equilibrium",
    "InTau",
    "Nutation",
    "Orbit",
    "RubberBody",
    "Separatrix",
    "closing_energy",
    "critical_spins",
    "diagram",
    "disk",
    "equilibria",
    "full",
    "full_start",
    "hoop",
    "nutation",
    "nutation_from",
    "orbit",
    "orbit_from",
    "profile_body",
    "read_profile",
    "regime_map",
    "regime_name",
    "revolution_mass",
    "routh_sphere",
    "rubber_body",
    "separatrices",
    "spheroid",
    "start_rolling",
    "torus",
]
