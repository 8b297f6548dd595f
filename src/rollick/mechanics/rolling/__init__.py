"""A convex body rolling on a plane: its equations, how it starts, and what is worth saying about its motion."""

from . import checks, start  # they register themselves for the systems below
from . import summary as words  # they register themselves for the systems below
from .equations import Marble, Rubber, constrained, contact, dynamics, inertia_at, moment, rolling
from .turns import Turns, turns

__all__ = [
    "Marble",
    "Rubber",
    "Turns",
    "checks",
    "constrained",
    "contact",
    "dynamics",
    "inertia_at",
    "moment",
    "rolling",
    "start",
    "turns",
    "words",
]
