"""A ball on plates that move: shaken sideways it takes 2/7 of the plate's acceleration, up and down it bounces in step, tilted it rolls off."""

import math

import numpy as np

from rollick import Body, Plane, Sphere, simulate
from rollick.mechanics.laws import Coulomb
from rollick.mechanics.mass.primitives import solid_sphere
from rollick.mechanics.sliding import sliding
from rollick.mechanics.surfaces import Ramp, Shaken, Swing, Tilting

g, r = 9.81, 0.1
ball = Body.from_parts(solid_sphere(1.0, r), Sphere(r))

sideways = sliding(ball, on=Shaken(Plane(), Swing(0.01, 2.0), (1.0, 0.0, 0.0)), law=Coulomb(0.9))
m = simulate(sideways, {}, 1.0, method="event-driven")
plate = 0.01 * 4.0 * math.pi * (np.cos(4.0 * math.pi * m.t) - 1.0)
print(f"sideways: the ball takes {np.ptp(m['vx']) / np.ptp(plate):.9f} of the plate's velocity, by theory {2 / 7:.9f}")

e, f, lift = 0.8, 5.0, 0.01
U = 0.5 * g / f  # a flight of one period
phase = math.acos(U * (1.0 - e) / (1.0 + e) / (2.0 * math.pi * f * lift))
upward = sliding(ball, on=Shaken(Plane(), Swing(lift, f, phase)), law=Coulomb(0.3), restitution=e)
m = simulate(upward, {"z": r + lift * math.sin(phase) + 1e-9, "vx": 0.0, "vy": 0.0, "vz": U}, 2.05, method="event-driven")
hits = np.array([event.t for event in m.events if event.name == "impact"])
print(
    f"up and down: {hits.size} bounces, one per period of {1 / f:g} s to {np.abs(hits - np.arange(1, hits.size + 1) / f).max():.0e} s"
)

w = 0.1
m = simulate(sliding(ball, on=Tilting(Plane(), Ramp(w)), law=Coulomb(0.5)), {}, 2.0, method="event-driven")
k = math.sqrt(5.0 / 7.0) * w
c = 5.0 / 7.0 * g / (w * w + k * k)
s = c * (w / k * math.sinh(2.0 * k) - math.sin(2.0 * w)) - r * w / k * math.sinh(2.0 * k)
along = m["x"][-1] * math.cos(2.0 * w) - m["z"][-1] * math.sin(2.0 * w)
print(f"tilting at {w} rad/s: after 2 s the ball has rolled {along:.8f} m along the plate, by theory {s:.8f} m")
