"""The ball of the flowmeter as a generic body between a floor and the inside of a cylinder: for tests only."""

import numpy as np

from rollick import Body, Plane, Sphere, sliding
from rollick.analysis.dual_point import case, dual_point
from rollick.archetypes.flowmeter.fields import carried
from rollick.mechanics.laws import Coulomb
from rollick.mechanics.surfaces import Pipe


def generic_ball(meter, x):
    """The ball at (-d, 0, r), so that e1 = x, e2 = z, e3 = e1 x e2 = -y; the drag as a part of gravity along e3. The system, and its state."""
    u1p, u1m, u2, v = x
    ball = Body.from_inertia(meter.m, [meter.j * meter.m * meter.r**2] * 3, Sphere(meter.r))
    vessel = Pipe(meter.d + meter.r, (0.0, 0.0, 1.0))
    push = float(carried(meter, v))
    system = sliding(ball, on=[Plane(), vessel], law=Coulomb(meter.mu))._replace(gravity=(0.0, -push, -meter.g))
    omega = np.array([(v - u1p) / meter.r, -u2 / meter.r, -(v - u1m) / meter.r])  # (4.9): along x, -y, z
    return system, [-meter.d, 0.0, meter.r, 1.0, 0.0, 0.0, 0.0, 0.0, -v, 0.0, *omega]


def generic_rates(meter, mode, x):
    """(u1+', u1-', u2', v') of the generic body. In the frame that goes round, at v/d about e2: slips are v + Omega x r with e3, e1."""
    system, state = generic_ball(meter, x)
    point = dual_point(system, state)
    made = case(point, mode)
    a, alpha = made.twist_rate[:3], made.twist_rate[3:]
    v, r = x[3], meter.r
    e1, e2, e3 = np.array([1.0, 0, 0]), np.array([0, 0, 1.0]), np.array([0, -1.0, 0])
    omega = np.array(state[10:13])
    turn = v / meter.d * e2
    spin = alpha - np.cross(turn, omega)  # as seen in the frame
    v_dot = float(a @ e3)
    return np.array([v_dot - r * float(spin @ e1), v_dot + r * float(spin @ e2), r * float(spin @ e3), v_dot]), made
