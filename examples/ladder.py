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
    sine = (m["z"] + 0.5 * L * np.cos(m["theta"])) / L
    leaning = (
        0.5 * L * sine * np.sqrt(np.maximum(3.0 * 9.81 / L * (math.sin(first) - sine), 0.0))
    )  # as long as it leans on the wall
    off = np.flatnonzero(m["vx"] - leaning > 1e-2)[0]
    print(f"dt = {dt:g} s: {m['vx'][-1]:.5f} m/s sideways; clearly off the wall at {sine[off] / sine[0]:.4f} of its height")
