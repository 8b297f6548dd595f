"""Bodies that fall, bounce, slide and rock, for the simulator of GPUs and for a GPU: an egg with one contact, and a box on four feet."""

import numpy as np

from rollick import Body, Coulomb, Ellipsoid, sliding
from rollick.ensemble import Samples

EGG_START = {"q0": 0.9, "q1": 0.3, "q2": -0.2, "q3": 0.1, "gap": 0.05, "vx": 0.3, "omega2": 4.0}
EGGS = {"law.sliding.mu": (0.1, 0.9), "gap": (0.0, 0.2), "vx": (-1.0, 1.0), "omega1": (-8.0, 8.0), "omega3": (-5.0, 5.0)}
BOX_START = {"q0": 0.98, "q1": 0.1, "q2": 0.05, "gap": 0.02, "vx": 0.5, "omega2": 1.0}
BOXES = {"gap": (0.0, 0.05), "vx": (-1.0, 1.0), "omega1": (-3.0, 3.0), "omega2": (-3.0, 3.0), "q1": (-0.2, 0.2)}


def egg():
    """An ellipsoid on a plane."""
    body = Body.from_inertia(1.0, (0.008, 0.007, 0.005), Ellipsoid(0.12, 0.1, 0.08))
    return sliding(body, law=Coulomb(0.3), restitution=0.5)


def box():
    """A box on the corners of its base."""
    half = np.array([0.2, 0.15, 0.3])
    inertia = 2.0 / 3.0 * np.array([half[1] ** 2 + half[2] ** 2, half[0] ** 2 + half[2] ** 2, half[0] ** 2 + half[1] ** 2])
    corners = [(sx * half[0], sy * half[1], -half[2]) for sx in (1.0, -1.0) for sy in (1.0, -1.0)]
    return sliding(
        Body.from_inertia(2.0, tuple(map(float, inertia)), Ellipsoid(*half.tolist())),
        law=Coulomb(0.4),
        feet=corners,
        restitution=0.3,
    )


def eggs(count):
    """Friction and starts of eggs."""
    return Samples(count, "sobol", seed=3, **EGGS)


def boxes(count):
    """Starts of boxes."""
    return Samples(count, "sobol", seed=5, **BOXES)
