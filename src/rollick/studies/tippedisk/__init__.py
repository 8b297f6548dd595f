"""S. Sailer, Nonlinear Dynamics of the Tippedisk (2023), first part: the full models of chapter 3."""

from ..study import Study
from .figures import FIGURES
from .targets import TARGETS

STUDY = Study(
    "tippedisk",
    "S. Sailer, Nonlinear Dynamics of the Tippedisk (2023), first part: the full models of chapter 3",
    TARGETS,
    FIGURES,
)
