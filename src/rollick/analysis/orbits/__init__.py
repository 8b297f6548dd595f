"""Periodic orbits: found by shooting or collocation, with their Floquet multipliers, continued in a parameter."""

from .collocation import Collocation
from .find import find_orbit
from .orbit import Orbit
from .shooting import MultipleShooting, Shooting

__all__ = ["Collocation", "MultipleShooting", "Orbit", "Shooting", "find_orbit"]
