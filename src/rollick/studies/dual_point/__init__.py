"""M. Antali, Dynamics of Dual-Point Rolling Bodies (2017): extended Filippov systems (chapter 2), the counts of chapter 3, the flowmeter (chapter 4)."""

from ..study import Study
from .figures import FIGURES
from .flowmeter import TARGETS as FLOWMETER
from .flowmeter_beyond import beyond
from .flowmeter_errata import errata
from .flowmeter_figures import FIGURES as FLOWMETER_FIGURES
from .targets import TARGETS

STUDY = Study(
    "dual_point",
    "M. Antali, Dynamics of Dual-Point Rolling Bodies, chapters 2 to 4",
    {**TARGETS, **FLOWMETER, "FE": errata, "FN": beyond},
    {**FIGURES, **FLOWMETER_FIGURES},
)
