"""M. Antali, Dynamics of Dual-Point Rolling Bodies (2017): extended Filippov systems (chapter 2), and the counts of chapter 3."""

from ..study import Study
from .figures import FIGURES
from .targets import TARGETS

STUDY = Study(
    "dual_point",
    "M. Antali, Dynamics of Dual-Point Rolling Bodies, chapters 2 and 3",
    TARGETS,
    FIGURES,
)
