"""Where a rolling wheelset is, to draw it on its rails: both contacts where wheels and rails touch, at the true displacements (millimetres: a page enlarges them)."""

from __future__ import annotations

import numpy as np

from ...mechanics.poses import poses
from ...motion.filippov.algebra.forces import ROLL
from .drawn import on_rails, track_bays, wheels_of
from .rolling import WheelsetRolling, geometry_of


@poses.register(WheelsetRolling)
def _(system, t, y, q):
    """Both contacts on the wheels by (1.46): c_w(U_w) - r off the axle, at the angle V_w whose sine is -s c_w' tan psi; the height by both of them."""
    g = geometry_of(system)
    lateral, psi, phi, theta = y[:, 0], y[:, 1], y[:, 2], y[:, 3]
    feet, heights = [], []
    for s, U in ((1.0, y[:, 4]), (-1.0, y[:, 5])):
        c, slope = g.wheel.at(U, 1)
        sine = -s * slope * np.tan(psi)
        A = c - system.r
        foot = np.stack([A * sine, s * (system.b + U), A * np.sqrt(1.0 - sine * sine)], axis=1)
        # R_x(theta) R_z(psi) foot, of which the second and third coordinate tell the place on the rail
        across = foot[:, 0] * np.sin(psi) + foot[:, 1] * np.cos(psi)
        Y, Z = across * np.cos(theta) - foot[:, 2] * np.sin(theta), across * np.sin(theta) + foot[:, 2] * np.cos(theta)
        heights.append(g.rail.height(s * (lateral + Y) - system.b) - Z)
        feet.append(foot)
    way = system.v * np.asarray(t)
    rise = 0.5 * (heights[0] + heights[1]) - system.r
    placed = on_rails(wheels_of(g), way, lateral, rise, psi, theta, phi, feet)
    return placed._replace(modes=np.full((len(way), 2), ROLL), bays=track_bays(g.rail, system.b, way))
