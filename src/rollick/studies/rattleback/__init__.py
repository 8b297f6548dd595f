"""T. R. Kane and D. A. Levinson, Realistic mathematical modeling of the rattleback (1982)."""

from ..study import Study
from .figures import FIGURES
from .targets import TARGETS

SHOWS = {
    "fig3": ("R2", "R3", "R4"),
    "fig4": ("R2", "R3", "R4"),
    "fig5": ("R2", "R3", "R4", "R5"),
    "fig6": ("R2", "R3", "R6"),
    "growth": ("R7", "R8", "R10"),
}
STUDY = Study(
    "rattleback",
    "T. R. Kane and D. A. Levinson, Realistic mathematical modeling of the rattleback (1982)",
    TARGETS,
    FIGURES,
    shows=SHOWS,
)
