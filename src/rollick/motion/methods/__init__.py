"""The methods by which motions are computed, each an object with its options. Importing this makes all of them known by name."""

from .event_driven import EventDriven
from .filippov import Filippov
from .method import METHODS, Method, has_dry_friction, method_of, refuse, register
from .smooth import DOP853, Auto, Radau
from .stepping import Midpoint, Moreau, Thesis

for _name in (
    "auto",
    "dop853",
    "radau",
    "moreau",
    "midpoint",
    "thesis",
    "event-driven",
    "filippov",
):  # the order in which they are listed
    METHODS[_name] = METHODS.pop(_name)

__all__ = [
    "DOP853", "METHODS", "Auto", "EventDriven", "Filippov", "Method", "Midpoint", "Moreau", "Radau", "Thesis", "has_dry_friction", "method_of", "refuse", "register",
]  # fmt: skip
