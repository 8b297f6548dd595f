"""J. Koiller, Conformally symplectic Chaplygin reduction in rubber rolling of surfaces of revolution over the plane."""

from ..study import Study
from .figures import FIGURES
from .targets import TARGETS

SHOWS = {
    "fig6": ("Q2", "Q3"),
    "torus_atlas": ("Q4", "Q5", "Q6", "Q7", "Q8"),
    "bodies": ("Q4", "Q5"),
    "beside_marble": ("Q10",),
    "chaos": ("Q9",),
}
STUDY = Study(
    "rubber",
    "J. Koiller, Conformally symplectic Chaplygin reduction in rubber rolling of surfaces of revolution over the plane",
    TARGETS,
    FIGURES,
    shows=SHOWS,
)
