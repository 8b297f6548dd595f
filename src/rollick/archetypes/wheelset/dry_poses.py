"""Where the wheelset with friction is, to draw it on its rails. Its model is linear in the displacements and knows no profiles: the rails' heads are arcs, the treads cones of the
equivalent conicity r omega_L/(eta v), and the contacts stay at the distances +-b on the wheels. It rolls about its run only if the model tells how (`LoadedWheelset.roll`).
"""

from __future__ import annotations

import numpy as np

from ...mechanics.poses import poses
from ..filippov.poses import run_of
from .creep import CreepWheelset
from .drawn import on_rails, track_bays, wheels_of
from .dry import DryWheelset
from .geometry import Geometry
from .irregularity import Sinusoidal, alignment
from .load_transfer import LoadedWheelset
from .profiles_analytic import arc, cone

RAIL = 0.3  # m, radius of the rail's head as it is drawn
STEEPEST = 0.1  # slope of a tread as it is drawn


@poses.register(CreepWheelset)
@poses.register(LoadedWheelset)
@poses.register(DryWheelset)
def _(system, t, y, q):
    w = system if isinstance(system, DryWheelset) else system.wheels
    times = np.asarray(t, float)
    h = min(max(w.r * w.omega_L / (w.eta * w.v), 0.01), STEEPEST) if w.v > 0.0 else 0.05
    g = Geometry(cone(h), arc(h, RAIL), w.b, w.r)
    way, psi = w.v * times, y[:, 1] / w.b
    theta = (system.roll if isinstance(system, LoadedWheelset) else 0.0) * y[:, 0]
    spin = run_of(times, (w.v - 0.5 * (y[:, 2] + y[:, 3])) / w.r)  # u1 = v - r phi' on either side, +- what yaw adds
    feet = [np.tile((0.0, s * w.b, -w.r), (len(times), 1)) for s in (1.0, -1.0)]
    rise = np.zeros(len(times))
    straight = isinstance(w.track, Sinusoidal) and w.track.amplitude == 0.0
    placed = on_rails(wheels_of(g), way, y[:, 0], rise, psi, theta, spin, feet)
    return placed._replace(bays=track_bays(g.rail, w.b, way, None if straight else lambda s: float(alignment(w.track, s)[0])))
