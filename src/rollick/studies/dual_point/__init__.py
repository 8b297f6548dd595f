"""M. Antali, Dynamics of Dual-Point Rolling Bodies (2017): the rolling wheelset (chapter 1), extended Filippov systems (chapter 2), and the counts of chapter 3."""

from ..study import Study
from .figures import FIGURES
from .kinematics import KINEMATICS
from .kinematics_figures import KINEMATICS_FIGURES
from .targets import TARGETS

STUDY = Study(
    "dual_point",
    "M. Antali, Dynamics of Dual-Point Rolling Bodies, chapters 1 to 3",
    {**TARGETS, **KINEMATICS},
    {**FIGURES, **KINEMATICS_FIGURES},
)
