"""A ladder slides down a wall without friction: it leaves the wall at two thirds of its first height."""

import math

import numpy as np

from rollick import Body, Ellipsoid, Plane, simulate
from rollick.mechanics.laws import Viscous
from rollick.mechanics.sliding import sliding
from rollick.mechanics.surfaces import wall

L, first = 1.0, math.radians(70.0)
rod = Body.from_inertia(1.0, (L * L / 12.0, L * L / 12.0, 1e-3), Ellipsoid(0.02, 0.02, 0.6))
ladder = sliding(rod, on=[Plane(), wall((1, 0, 0))], law=Viscous(0.0), feet=[(0, 0, L / 2), (0, 0, -L / 2)])
lean = 0.25 * math.pi - 0.5 * first
start = {
    "q0": math.cos(lean), "q2": -math.sin(lean), "x": 0.5 * L * math.cos(first), "z": 0.5 * L * math.sin(first),
    "vx": 0.0, "vy": 0.0, "vz": 0.0,
}  # fmt: skip
print(
    f"by theory: off the wall at 0.6667 of its height, then {math.sqrt(9.81 * L * math.sin(first) ** 3) / 3.0:.5f} m/s sideways"
)
for dt in (1e-3, 1e-4):
    m = simulate(ladder, start, 0.5, method="moreau", dt=dt, every=1)
    top = m["z"] + 0.5 * L * np.cos(m["theta"])
    at_wall = np.flatnonzero(m["x"] - 0.5 * L * np.sin(m["theta"]) < 1e-9)
    print(f"dt = {dt:g} s: off the wall at {top[at_wall[-1]] / top[0]:.4f} of its height, then {m['vx'][-1]:.5f} m/s sideways")
