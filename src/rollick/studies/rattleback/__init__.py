"""T. R. Kane and D. A. Levinson, Realistic mathematical modeling of the rattleback (1982)."""

from ..study import Study
from .figures import FIGURES
from .targets import TARGETS

STUDY = Study(
    "rattleback",
    "T. R. Kane and D. A. Levinson, Realistic mathematical modeling of the rattleback (1982)",
    TARGETS,
    FIGURES,
)
