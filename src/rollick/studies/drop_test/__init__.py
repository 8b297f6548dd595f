"""The dropped device (a thesis on sequences of collisions, chapter 5)."""

from ..study import Study
from .figures import FIGURES
from .targets import TARGETS

SHOWS = {
    "fig5_2": ("O2", "O3"),
    "fig5_3": ("O4",),
    "fig5_4": ("O1",),
    "fig5_7": ("O7",),
    "fig5_8": ("O8",),
    "fig5_9": ("O8",),
    "fig5_10": ("O8",),
    "fig5_11": ("O8",),
    "fig5_12": ("O1", "O6", "O8"),
    "drop_tolerance": ("O5", "O6"),
}
STUDY = Study("drop_test", "sequences of collisions: the dropped device", TARGETS, FIGURES, shows=SHOWS)
