"""The dying disk (a thesis on sequences of collisions, chapter 4 and appendix B)."""

from ..study import Study
from .figures import FIGURES
from .targets import TARGETS

SHOWS = {
    "disk_fig4_3": ("C1", "C2", "C3", "C5"),
    "disk_fig4_4": ("C6", "C7", "C8"),
    "disk_fig4_5": ("C9", "C10"),
    "disk_fig4_6": ("C8", "C18"),
    "disk_fig4_7": ("C11", "C12", "C13", "C15"),
    "disk_fig4_8": ("C4", "C12", "C13"),
    "disk_figB_1": ("C16",),
    "disk_many_points": ("C17",),
    "disk_mechanisms": ("C11", "C14"),
}
STUDY = Study("dying_disk", "sequences of collisions: the dying disk", TARGETS, FIGURES, shows=SHOWS)
