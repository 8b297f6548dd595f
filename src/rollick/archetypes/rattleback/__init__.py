"""The rattleback of T. R. Kane and D. A. Levinson (1982): rolls without slipping, reverses its spin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...lazily import lazily
from . import model as _model  # noqa: F401  (registers itself for the stone)
from . import quaternion_form as _second_form  # noqa: F401  (registers itself for the stone)

if TYPE_CHECKING:
    from .equations import AsPrinted as AsPrinted
    from .limit_tori import LimitTorus as LimitTorus
    from .limit_tori import limit_tori as limit_tori
    from .model import MODEL as MODEL
    from .quaternion_form import QuaternionRattleback as QuaternionRattleback
    from .quaternion_form import quaternion_form as quaternion_form
    from .reversals import Reversal as Reversal
    from .reversals import reversals as reversals
    from .spinning import chirality as chirality
    from .spinning import critical_spin as critical_spin
    from .spinning import divergence_spins as divergence_spins
    from .spinning import eigenvalues as eigenvalues
    from .spinning import frozen_eigenvalues as frozen_eigenvalues
    from .spinning import frozen_growth_rate as frozen_growth_rate
    from .spinning import growth_rate as growth_rate
    from .spinning import principal_radii as principal_radii
    from .spinning import quartic as quartic
    from .spinning import stable_ranges as stable_ranges
    from .spinning import stable_sense as stable_sense
    from .steady_spin import RestMode as RestMode
    from .steady_spin import SteadySpin as SteadySpin
    from .steady_spin import rest_frequencies as rest_frequencies
    from .steady_spin import rest_modes as rest_modes
    from .steady_spin import steady_spin as steady_spin
    from .stone import Rattleback as Rattleback
    from .stone import UnusualBody as UnusualBody
    from .stone import misalignment as misalignment
    from .stone import principal_moments as principal_moments
    from .stone import rattleback as rattleback
    from .stone import statically_stable as statically_stable

lazily(__name__)
