"""The dying disk (a thesis on sequences of collisions, chapter 4 and appendix B)."""

from ..study import Study
from .figures import FIGURES
from .targets import TARGETS

STUDY = Study("dying_disk", "sequences of collisions: the dying disk", TARGETS, FIGURES)
