"""The dropped device (a thesis on sequences of collisions, chapter 5)."""

from ..study import Study
from .figures import FIGURES
from .targets import TARGETS

STUDY = Study("drop_test", "sequences of collisions: the dropped device", TARGETS, FIGURES)
