"""Chatter without gravity (a thesis on sequences of collisions, chapter 3): the rod and regular polygons."""

from ..study import Study
from .figures import FIGURES
from .targets import TARGETS

SHOWS = {
    "3_1": ("A1", "A3", "A4"),
    "3_2": ("A2",),
    "3_4": ("B4",),
    "3_5": ("B4",),
    "3_6": ("B4",),
    "3_7": ("B1", "B4", "B6"),
    "3_8": ("B1", "B7", "B8", "B10"),
    "3_9": ("B4", "B9"),
    "3_10": ("B6", "B9"),
}
STUDY = Study("chatter", "sequences of collisions: chatter of the rod and of polygons", TARGETS, FIGURES, shows=SHOWS)
