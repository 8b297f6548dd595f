"""Which way must a power bank not fall? A wedge-shaped case, a soldered part near its thin end, drops over all tilts and heights."""

import numpy as np

from rollick.archetypes.dropped_device.solid import component, drop_solid, solid
from rollick.plotting import figure, save

corners = [(x, y, z) for x, z in ((-0.06, -0.012), (-0.06, 0.012), (0.06, -0.004), (0.06, 0.004)) for y in (-0.035, 0.035)]
case = solid(corners, mass="220g")
part = component(case, at=(0.05, 0.0, 0.0), along=(0, 0, 1), frequency=350.0, damping_ratio=0.03)

angles, heights = np.radians(np.linspace(0.0, 90.0, 19)), ("0.5m", "1m", "1.5m")
fig, axes = figure(1, 1, width=5.0, height=3.2)
for height in heights:
    drops = [drop_solid(case, part, orientation=(np.sin(a), 0.1, -np.cos(a)), height=height, gamma=0.4, mu=0.2) for a in angles]
    worst = max(drops, key=lambda d: d.R)
    print(f"{height}: worst R = {worst.R:.2f} at {np.degrees(angles[drops.index(worst)]):.0f} deg")
    axes[0, 0].plot(np.degrees(angles), [d.R for d in drops], label=height)
axes[0, 0].set_xlabel("tilt [deg]")
axes[0, 0].set_ylabel("R")
axes[0, 0].legend()
save(fig, "power_bank.png")
