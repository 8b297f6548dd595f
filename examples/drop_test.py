"""A phone is dropped: how hard is a component shaken, at which angle is it worst, and what does the design change?

First the rod of the thesis in SI units, then the same phone as a box in three dimensions. Writes out/drop_test.png and out/drop_box.png.
"""

import math
from pathlib import Path

import numpy as np

from rollick.archetypes.dropped_device import drop, physical_device
from rollick.archetypes.dropped_device.solid import box, component, drop_solid
from rollick.archetypes.dropped_device.solid_sweep import orientation_map, sphere_figure, worst

OUT = Path("out")
OUT.mkdir(exist_ok=True)

print("A rod of 15 cm, dropped from 1 m, with a board that vibrates at 200 Hz:")
phone, h0, scales = physical_device(
    half_length="75mm", position="0", frequency=200.0, damping_ratio=0.05, restitution=0.3, drop_height="1m"
)
result = drop(phone, "20deg", h0)
print(result)
print(f"largest displacement {1e3 * result.peak * scales.length:.2f} mm, at rest after {result.t * scales.time:.2f} s")
result.plot(path=OUT / "drop_test.png")

print("\nThe worst of 200 angles, by place of the component and by restitution:")
angles = np.linspace(0.005, 0.5 * math.pi - 0.005, 200)
for position in ("0", "35mm", "75mm"):
    for restitution in (0.2, 0.6):
        dev, h0, _ = physical_device("75mm", None, position, 200.0, 0.05, restitution, "1m")
        R = np.array([drop(dev, a, h0, report=False).R for a in angles])
        k = int(R.argmax())
        print(f"  at {position:>4}, restitution {restitution}: R = {R[k]:.3f} at {math.degrees(angles[k]):.0f} deg")

print("\nThe same phone as a box of 150 x 75 x 8 mm:")
made = box("15cm", "75mm", "8mm", "180g")
corner = component(made, (0.065, 0.03, 0.0), (0, 0, 1), 200.0, 0.05)
print(drop_solid(made, corner, (1.0, 0.3, -0.4), "1m", gamma=0.3, mu=0.3))
data = orientation_map(made, corner, "1m", gamma=0.3, mu=0.3, rows=16)
most, down = worst(data)
print(f"worst of {data['R'].size} orientations: R = {most:.2f}, with the body direction {np.round(down, 2)} down")
sphere_figure([(data, "component in a corner, 200 Hz, mu = 0.3")], path=OUT / "drop_box.png")
print("wrote out/drop_test.png, out/drop_box.png")
