"""Bodies with two contacts: what they do next by the theory of dual-point rolling, and what they then do.

python examples/two_contacts.py             all of them
python examples/two_contacts.py corner      one of: corner, groove, cone, step, bottle
"""

import math
import sys

import numpy as np

from rollick import Body, Ellipsoid, Plane, Sphere, Torus, simulate
from rollick.analysis.dual_point import dual_point, two_contacts
from rollick.mechanics.contact import gap
from rollick.mechanics.laws import Coulomb
from rollick.mechanics.mass.primitives import solid_sphere
from rollick.mechanics.sliding import sliding
from rollick.mechanics.surfaces import Funnel, Rail, wall

r = 0.1
ball = Body.from_parts(solid_sphere(1.0, r), Sphere(r))


def corner():
    """A ball spins on a floor against a wall: friction at the floor presses it on."""
    system = sliding(ball, on=[Plane(), wall((1, 0, 0))], law=Coulomb(0.3))
    return system, [r, 0, r, 1, 0, 0, 0, 0, 0.5, 0, 3, -20, 1]


def groove():
    """A ball in a groove of 80 degrees, pushed along it: it slips on both sides, then rolls."""
    half = math.radians(40.0)
    sides = [wall((math.cos(half), 0, math.sin(half))), wall((-math.cos(half), 0, math.sin(half)))]
    return sliding(ball, on=sides, law=Coulomb(0.2)), [0, 0, r / math.sin(half), 1, 0, 0, 0, 0, 1.0, 0, 0, 0, 0]


def cone():
    """A ball runs round in a cone, between its wall and a post in the middle (in the cone alone it has one contact, or a whole circle)."""
    half, post = math.radians(50.0), 0.05
    far = post + r
    height = (r + math.cos(half) * far) / math.sin(half)
    system = sliding(ball, on=[Funnel(half), Rail(post, (0, 0, 1))], law=Coulomb(0.2))
    return system, [far, 0, height, 1, 0, 0, 0, 0, 0.4, 0, 0, 0, 0]


def step():
    """A cylinder (its face a little crowned) spins against a step 3 cm high, the edge rounded by 5 mm: does it climb?"""
    height, edge = 0.03, 0.005
    below = height - edge  # the middle of the rounding
    ahead = math.sqrt((r + edge) ** 2 - (r - below) ** 2)
    cylinder = Body.from_inertia(2.0, (7e-3, 7e-3, 1e-2), Torus(0.02, 0.08))
    system = sliding(cylinder, on=[Plane(), Rail(edge, (0, 1, 0), (ahead, 0, below))], law=Coulomb(0.6))
    lying = math.sqrt(0.5)  # the axis e3 along y
    return system, [0, 0, r, lying, -lying, 0, 0, 0, 0, 0, 0, 0, 30]


def bottle():
    """A bottle (an ellipsoid that is heavy below) leans between floor and wall."""
    shape = Ellipsoid(0.04, 0.04, 0.12)
    glass = Body.from_inertia(0.7, (2.5e-3, 2.5e-3, 5e-4), shape, (0, 0, -0.03))
    system = sliding(glass, on=[Plane(), wall((1, 0, 0))], law=Coulomb(0.35))
    y = np.array([0.0, 0, 0, math.cos(0.35), 0, -math.sin(0.35), 0, 0, 0, 0, 0, 0, 0])
    y[2] -= float(gap(system, 0.0, y[:7], 0))
    y[0] -= float(gap(system, 0.0, y[:7], 1))
    return system, y


if __name__ == "__main__":
    machines = {f.__name__: f for f in (corner, groove, cone, step, bottle)}
    for name in sys.argv[1:] or machines:
        system, start = machines[name]()
        print(f"{name}: {machines[name].__doc__}")
        print(two_contacts(dual_point(system, start)))
        motion = simulate(system, start, 0.5, method="event-driven", progress=False)
        modes = [mode for mode, _ in motion.provenance["methods"]]
        lost = motion["energy"][0] - motion["energy"][-1]
        print(
            f"then, from event to event: {', '.join(modes[:6])}{' ...' if len(modes) > 6 else ''}; {motion.status}, {lost:.4g} J lost\n"
        )
