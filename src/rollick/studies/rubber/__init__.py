"""J. Koiller, Conformally symplectic Chaplygin reduction in rubber rolling of surfaces of revolution over the plane."""

from ..study import Study
from .figures import FIGURES
from .targets import TARGETS

STUDY = Study(
    "rubber",
    "J. Koiller, Conformally symplectic Chaplygin reduction in rubber rolling of surfaces of revolution over the plane",
    TARGETS,
    FIGURES,
)
