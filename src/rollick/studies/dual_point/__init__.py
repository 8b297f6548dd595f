"""M. Antali, Dynamics of Dual-Point Rolling Bodies (2017): the rolling wheelset (chapter 1), extended Filippov systems (chapter 2), the counts of chapter 3,
the flowmeter (chapter 4), the wheelset with friction (chapter 5)."""

from ..study import Study
from .figures import FIGURES
from .flowmeter import TARGETS as FLOWMETER
from .flowmeter_beyond import beyond
from .flowmeter_errata import errata as flowmeter_errata
from .flowmeter_figures import FIGURES as FLOWMETER_FIGURES
from .kinematics import KINEMATICS
from .kinematics_figures import KINEMATICS_FIGURES
from .targets import TARGETS
from .wheelset_errata import errata as wheelset_errata
from .wheelset_figures import WHEELSET_FIGURES
from .wheelset_targets import WHEELSET_TARGETS

STUDY = Study(
    "dual_point",
    "M. Antali, Dynamics of Dual-Point Rolling Bodies, chapters 1 to 5",
    {**TARGETS, **KINEMATICS, **FLOWMETER, "FE": flowmeter_errata, "FN": beyond, **WHEELSET_TARGETS, "WE": wheelset_errata},
    {**FIGURES, **KINEMATICS_FIGURES, **FLOWMETER_FIGURES, **WHEELSET_FIGURES},
)
