"""M. Antali, Dynamics of Dual-Point Rolling Bodies (2017): the rolling wheelset (chapter 1), extended Filippov systems (chapter 2), the counts of chapter 3,
the flowmeter (chapter 4), the wheelset with friction (chapter 5)."""

from ..study import Study
from .figures import FIGURES
from .flowmeter import TARGETS as FLOWMETER
from .flowmeter_beyond import beyond
from .flowmeter_errata import errata as flowmeter_errata
from .flowmeter_figures import FIGURES as FLOWMETER_FIGURES
from .kinematics import KINEMATICS
from .kinematics_figures import KINEMATICS_FIGURES
from .targets import TARGETS
from .wheelset_errata import errata as wheelset_errata
from .wheelset_figures import WHEELSET_FIGURES
from .wheelset_targets import WHEELSET_TARGETS

SHOWS = {
    "fig2_3": ("E1",),
    "fig2_9": ("E3",),
    "ball_a": ("E4",),
    "fig1_4": ("KG",),
    "fig1_6": ("KG", "K7"),
    "fig1_8": ("K2", "K4", "K7"),
    "fig1_9": ("K6",),
    "fig1_10": ("K1", "K2", "K3", "K5"),
    "fig4_5": ("F2", "F7"),
    "fig4_6": ("F2", "F7"),
    "fig4_7": ("F2", "F7"),
    "fig4_9": ("F2", "F4", "F7"),
    "fig4_10": ("F4", "F7"),
    "fig4_11": ("F1", "F3"),
    "flowmeter_starts": ("FN",),
    "fig5_3": ("W7",),
    "fig5_4": ("W4",),
    "fig5_5": ("W4",),
    "fig5_6": ("W2", "W3", "W4"),
    "fig5_7": ("W1", "W2", "W3", "W4"),
    "wheelset_episodes": ("W7",),
    "wheelset_return_maps": ("WR",),
}
STUDY = Study(
    "dual_point",
    "M. Antali, Dynamics of Dual-Point Rolling Bodies, chapters 1 to 5",
    {**TARGETS, **KINEMATICS, **FLOWMETER, "FE": flowmeter_errata, "FN": beyond, **WHEELSET_TARGETS, "WE": wheelset_errata},
    {**FIGURES, **KINEMATICS_FIGURES, **FLOWMETER_FIGURES, **WHEELSET_FIGURES},
    shows=SHOWS,
)
