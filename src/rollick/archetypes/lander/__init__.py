"""The lander Philae: Sun directions from solar panels, a gyrostat with bearing friction, sticking impacts, and what the data decide."""

from .candidates import along, at_touchdown, on_printed_lines, printed_line, speeds_at_touchdown
from .crater import Crater, crater
from .descent import Descent, direct_misfit, fit_descent
from .equations import facing, state
from .fit import Line, accepted, count_test, fit_line, fit_lines, fit_map, minima, refine, sampling_spread
from .flight import Flight, fly
from .impact import Impact, sticking_impact
from .lander import WHEEL_SPEED, Lander, inertia, lander
from .patterns import Violation, possible, violations
from .sun import angle_between, find_sun, reconstructible
from .sun_track import SunTrack, sun_track
from .telemetry import philae_data
from .tracks import states_along, suns
from .tumbling import judge, seen_after_td1
from .two_body import TwoBodies
from .uncertainty import power_noise, spreads

__all__ = [
    "WHEEL_SPEED",
    "Crater",
    "Descent",
    "Flight",
    "Impact",
    "Lander",
    "Line",
    "SunTrack",
    "TwoBodies",
    "Violation",
    "accepted",
    "along",
    "angle_between",
    "at_touchdown",
    "count_test",
    "crater",
    "direct_misfit",
    "facing",
    "find_sun",
    "fit_descent",
    "fit_line",
    "fit_lines",
    "fit_map",
    "fly",
    "inertia",
    "judge",
    "lander",
    "minima",
    "on_printed_lines",
    "philae_data",
    "possible",
    "power_noise",
    "printed_line",
    "reconstructible",
    "refine",
    "sampling_spread",
    "seen_after_td1",
    "speeds_at_touchdown",
    "spreads",
    "state",
    "states_along",
    "sticking_impact",
    "sun_track",
    "suns",
    "violations",
]
