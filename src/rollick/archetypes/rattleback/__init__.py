"""The rattleback of T. R. Kane and D. A. Levinson (1982): rolls without slipping, reverses its spin."""

from .equations import AsPrinted
from .limit_tori import LimitTorus, limit_tori
from .model import MODEL
from .quaternion_form import QuaternionRattleback, quaternion_form
from .reversals import Reversal, reversals
from .spinning import (
    chirality,
    critical_spin,
    divergence_spins,
    eigenvalues,
    frozen_eigenvalues,
    frozen_growth_rate,
    growth_rate,
    principal_radii,
    quartic,
    stable_ranges,
    stable_sense,
)
from .steady_spin import RestMode, SteadySpin, rest_frequencies, rest_modes, steady_spin
from .stone import Rattleback, UnusualBody, misalignment, principal_moments, rattleback, statically_stable

__all__ = [
    "MODEL",
    "AsPrinted",
    "LimitTorus",
    "QuaternionRattleback",
    "Rattleback",
    "RestMode",
    "Reversal",
    "SteadySpin",
    "UnusualBody",
    "chirality",
    "critical_spin",
    "divergence_spins",
    "eigenvalues",
    "frozen_eigenvalues",
    "frozen_growth_rate",
    "growth_rate",
    "limit_tori",
    "misalignment",
    "principal_moments",
    "principal_radii",
    "quartic",
    "quaternion_form",
    "rattleback",
    "rest_frequencies",
    "rest_modes",
    "reversals",
    "stable_ranges",
    "stable_sense",
    "statically_stable",
    "steady_spin",
]
