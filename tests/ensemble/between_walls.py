"""A ball that touches two walls, as a body: for the simulator of GPUs and for a GPU."""

import math

from rollick import Body, Coulomb, Sphere, sliding
from rollick.mechanics.mass.primitives import solid_sphere
from rollick.mechanics.surfaces import wall

BETWEEN = [0, 0, 0.1 * math.sqrt(2.0), 1, 0, 0, 0, 0, -1.0, 0, 3.0, -4.0, -2.0]


def ball_between_walls():
    """A ball that touches two walls at right angles, as a body."""
    a = math.pi / 4.0
    walls = [(wall((s * math.cos(a), 0.0, math.sin(a)), (0, 0, 0)), Coulomb(0.3), 0.0) for s in (1.0, -1.0)]
    return sliding(Body.from_parts(solid_sphere(1.0, 0.1), Sphere(0.1)), on=walls)
