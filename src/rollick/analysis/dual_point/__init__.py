"""A body with two contacts at an instant: frames, quasi-velocities, the four cases of slip and rolling, and what happens next."""

from .cases import Case, Counts, case, directed, mode_of
from .contact import Contact
from .fields import double_switching, static_forces
from .from_system import dual_point
from .point import DualPoint, moving

__all__ = [
    "Case",
    "Contact",
    "Counts",
    "DualPoint",
    "case",
    "directed",
    "double_switching",
    "dual_point",
    "mode_of",
    "moving",
    "static_forces",
]
