"""What a body touches: planes, walls, vessels, domes, rails; resting, shaken or tilting. See `distance` for what a surface is."""

from .bowl import Bowl, Dome
from .course import Ramp, Swing, speed, value
from .distance import distance, flat, hollow_radius, material_spin, material_velocity, moves, normal
from .funnel import Funnel
from .moving import Shaken, Tilting
from .pipe import Pipe, Rail
from .plane import Plane, gravity_on
from .profile import Profile, profile
from .wall import Wall, wall

__all__ = [
    "Bowl", "Dome", "Funnel", "Pipe", "Plane", "Profile", "Rail", "Ramp", "Shaken", "Swing", "Tilting", "Wall", "distance", "flat",
    "gravity_on", "hollow_radius", "material_spin", "material_velocity", "moves", "normal", "profile", "speed", "value", "wall",
]  # fmt: skip
