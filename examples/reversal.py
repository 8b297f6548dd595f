"""Kane and Levinson's motion (their Fig. 4): a stone spun the wrong way reverses, and later reverses again.

Writes out/reversal.png and out/reversal.nc. Run it from anywhere: python examples/reversal.py
"""

from pathlib import Path

import numpy as np

from rollick import Rattleback, reversals, simulate
from rollick.plotting import figure, save

OUT = Path("out")
OUT.mkdir(exist_ok=True)

# Half a degree of tilt and 5 rad/s counter-clockwise, seen from above. No damping: the energy must stay what it is.
motion = simulate(
    Rattleback(),
    start={"alpha": "0.5deg", "beta": "0.5deg", "omega3": -5.0},
    until=20.0,
    events=["gamma_rate"],  # gamma' = 0: the rotation stops for an instant
)
energy = motion["energy"]
print(f"energy kept to {np.abs(energy / energy[0] - 1.0).max():.1e}")
for r in reversals(motion):
    print(f"reversal at {r.time:7.4f} s, gamma = {np.degrees(r.gamma):8.2f} deg, {r.count} zeros of gamma'")
print(f"rolling needs a coefficient of friction of {motion['friction_demand'].max():.2f}")

fig, axes = figure(3, sharex=True, height=2.0)
curves = [
    (np.degrees(motion["gamma"]), r"rotation $\gamma$ [deg]"),
    (np.degrees(motion["delta"]), r"wobble $\delta$ [deg]"),
    (motion["friction_demand"], "friction needed"),
]
for ax, (values, label) in zip(axes[:, 0], curves, strict=True):
    ax.plot(motion.t, values, color="#0072B2", linewidth=0.8)
    ax.set_ylabel(label)
    for r in reversals(motion):
        ax.axvspan(r.first, r.last, color="#D55E00", alpha=0.3, linewidth=0)
axes[0, 0].set_title("A rattleback spun the wrong way; the reversals are shaded", loc="left", fontsize=10)
axes[-1, 0].set_xlabel("t [s]")
save(fig, OUT / "reversal.png")
motion.to_netcdf(OUT / "reversal.nc")
print("wrote out/reversal.png and out/reversal.nc")
