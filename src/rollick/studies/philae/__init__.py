"""The landing of Philae (a thesis on sequences of collisions, chapter 6): what the tables of the landing decide, and the targets of the work.

The body itself, its equations and its tables are `rollick.archetypes.lander`.
"""

from ..study import Study
from .candidates import along, at_touchdown, on_printed_lines, printed_line, speeds_at_touchdown
from .crater import Crater, crater
from .descent import Descent, direct_misfit, fit_descent
from .figures import FIGURES
from .fit import Line, accepted, count_test, fit_line, fit_lines, fit_map, minima, refine, sampling_spread
from .patterns import Violation, possible, violations
from .sun_track import SunTrack, sun_track
from .targets import TARGETS
from .uncertainty import power_noise, spreads

SHOWS = {
    "philae_sun": ("P4",),
    "philae_sky": ("P4",),
    "philae_run_down": ("P5", "P6"),
    "philae_sensitivity": ("P3",),
    "philae_descent": ("P11",),
    "philae_emd": ("P10",),
    "philae_touchdown": ("P9", "P11"),
    "philae_precession": ("P11",),
    "philae_crater": ("P12",),
}
STUDY = Study("philae", "sequences of collisions: the landing of Philae", TARGETS, FIGURES, shows=SHOWS)

__all__ = [
    "STUDY",
    "Crater",
    "Descent",
    "Line",
    "SunTrack",
    "Violation",
    "accepted",
    "along",
    "at_touchdown",
    "count_test",
    "crater",
    "direct_misfit",
    "fit_descent",
    "fit_line",
    "fit_lines",
    "fit_map",
    "minima",
    "on_printed_lines",
    "possible",
    "power_noise",
    "printed_line",
    "refine",
    "sampling_spread",
    "speeds_at_touchdown",
    "spreads",
    "sun_track",
    "violations",
]
