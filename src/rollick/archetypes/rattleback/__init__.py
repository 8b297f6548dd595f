"""The rattleback of T. R. Kane and D. A. Levinson (1982): rolls without slipping, reverses its spin."""

from .equations import AsPrinted
from .quaternion_form import QuaternionRattleback, quaternion_form
from .reversals import Reversal, reversals
from .spinning import (
    SteadySpin,
    critical_spin,
    divergence_spins,
    eigenvalues,
    frozen_eigenvalues,
    growth_rate,
    principal_radii,
    quartic,
    rest_frequencies,
    stable_sense,
    steady_spin,
)
from .stone import Rattleback, UnusualBody, misalignment, principal_moments, rattleback, statically_stable

__all__ = [
    "AsPrinted",
    "QuaternionRattleback",
    "Rattleback",
    "Reversal",
    "SteadySpin",
    "UnusualBody",
    "critical_spin",
    "divergence_spins",
    "eigenvalues",
    "frozen_eigenvalues",
    "growth_rate",
    "misalignment",
    "principal_moments",
    "principal_radii",
    "quartic",
    "quaternion_form",
    "rattleback",
    "rest_frequencies",
    "reversals",
    "stable_sense",
    "statically_stable",
    "steady_spin",
]
