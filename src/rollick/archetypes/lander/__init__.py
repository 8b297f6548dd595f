"""The lander Philae as a body: a gyrostat with bearing friction, sticking impacts, its panels in the Sun, and the tables of the landing.

What the tables tell of the landing is the study `rollick.studies.philae`.
"""

from .equations import facing, state
from .flight import Flight, fly
from .impact import Impact, sticking_impact
from .lander import WHEEL_SPEED, Lander, inertia, lander
from .sun import angle_between, find_sun, reconstructible
from .telemetry import philae_data
from .tracks import states_along, suns
from .tumbling import judge, seen_after_td1
from .two_body import TwoBodies

__all__ = [
    "WHEEL_SPEED",
    "Flight",
    "Impact",
    "Lander",
    "TwoBodies",
    "angle_between",
    "facing",
    "find_sun",
    "fly",
    "inertia",
    "judge",
    "lander",
    "philae_data",
    "reconstructible",
    "seen_after_td1",
    "state",
    "states_along",
    "sticking_impact",
    "suns",
]
