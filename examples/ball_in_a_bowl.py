"""A ball rolls near the bottom of a bowl: its period by three methods, and by theory, 2 pi sqrt(7 (R - r)/(5 g))."""

import math

import numpy as np

from rollick import Body, Sphere, simulate
from rollick.mechanics.laws import Coulomb, Regularised
from rollick.mechanics.mass.primitives import solid_sphere
from rollick.mechanics.sliding import sliding
from rollick.mechanics.surfaces import Bowl

R, r = 0.5, 0.1
ball = Body.from_parts(solid_sphere(1.0, r), Sphere(r))
theory = 2.0 * math.pi * math.sqrt(7.0 * (R - r) / (5.0 * 9.81))
times = np.linspace(0.0, 3.0, 3001)


def period(motion):
    """Twice the time between zeros of x."""
    x, t = motion["x"], motion.t
    i = np.flatnonzero(np.diff(np.sign(x)))
    return float(2.0 * np.diff(t[i] - x[i] * (t[i + 1] - t[i]) / (x[i + 1] - x[i])).mean())


print(f"by theory      {theory:.6f} s, and {(0.01 / (R - r)) ** 2 / 16.0:.1e} of it longer at 1 cm")
for name, law, options in (
    ("event-driven", Coulomb(0.5), {"method": "event-driven", "at": times}),
    ("moreau", Coulomb(0.5), {"method": "moreau", "dt": 1e-3, "every": 1}),
    ("ODE", Regularised(0.5, 1e-3), {"rtol": 1e-8, "at": times}),
):
    m = simulate(sliding(ball, on=Bowl(R), law=law), {"x": 0.01}, 3.0, **options)
    lost = (m["energy"][0] - m["energy"][-1]) / (m["energy"][0] - 9.81 * r)
    print(
        f"{name:14} {period(m):.6f} s, lost {lost:.1e} of its energy above the bottom, gap up to {np.abs(m['gap']).max():.0e} m"
    )
