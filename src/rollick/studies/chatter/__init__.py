"""Chatter without gravity (a thesis on sequences of collisions, chapter 3): the rod and regular polygons."""

from ..study import Study
from .figures import FIGURES
from .targets import TARGETS

STUDY = Study("chatter", "sequences of collisions: chatter of the rod and of polygons", TARGETS, FIGURES)
