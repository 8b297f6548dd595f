"""M. Antali, Dynamics of Dual-Point Rolling Bodies (2017): extended Filippov systems (chapter 2), the counts of chapter 3, the wheelset with friction (chapter 5)."""

from ..study import Study
from .figures import FIGURES
from .targets import TARGETS
from .wheelset_errata import errata
from .wheelset_figures import WHEELSET_FIGURES
from .wheelset_targets import WHEELSET_TARGETS

STUDY = Study(
    "dual_point",
    "M. Antali, Dynamics of Dual-Point Rolling Bodies, chapters 2, 3 and 5",
    {**TARGETS, **WHEELSET_TARGETS, "WE": errata},
    {**FIGURES, **WHEELSET_FIGURES},
)
