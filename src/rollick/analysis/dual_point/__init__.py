"""A body with two contacts at an instant: frames, quasi-velocities, the four cases of slip and rolling, and what happens next."""

from .cases import Case, Counts, case, directed, mode_of
from .contact import Contact
from .fields import double_switching, static_forces
from .from_system import dual_point
from .openings import Opening, openings
from .point import DualPoint, moving
from .report import TwoContacts, two_contacts

__all__ = [
    "Case",
    "Contact",
    "Counts",
    "DualPoint",
    "Opening",
    "TwoContacts",
    "case",
    "directed",
    "double_switching",
    "dual_point",
    "mode_of",
    "moving",
    "openings",
    "static_forces",
    "two_contacts",
]
