"""A tippe top turns over and stands up on its stem: it spins on, but its mass centre has climbed, at the cost of its spin.

Contensou friction acts at the sphere and at the stem; the stem takes over by itself. With smooth friction on the sphere alone the same top keeps
Jellett's integral. Writes out/tippe_top.png.
"""

import math
from pathlib import Path

import numpy as np

from rollick import simulate
from rollick.archetypes import tops
from rollick.plotting import figure, save

OUT = Path("out")
OUT.mkdir(exist_ok=True)

TOP, SPIN = tops.tippe_top(), 180.0
spins = tops.vertical_spins(TOP)
print(f"group {spins.group}; stem up unstable above {spins.upright_unstable_above:.1f} rad/s,")
print(f"inverted stable above {spins.inverted_stable_above:.1f} rad/s (which takes {spins.inverts_above:.1f} rad/s at first);")
print(f"on the stem stable above {tops.vertical_spins(tops.on_stem(TOP)).inverted_stable_above:.1f} rad/s")

smooth = simulate(tops.on_sphere(TOP, tops.law_named("smooth")), tops.spun(SPIN), 4.0, rtol=1e-11)
J = tops.jellett(TOP, smooth)
print(
    f"smooth friction, sphere alone: at {np.degrees(smooth['theta'][-1]):.1f} deg after 4 s; Jellett's integral kept to {np.ptp(J) / J[0]:.0e}"
)

motion = simulate(tops.on_both(TOP, tops.law_named("contensou", patch="0.2mm")), tops.spun(SPIN), 4.0, method="midpoint", dt=5e-5)
found = tops.inversion(TOP, motion)
print(f"Contensou friction: the stem touches at {found.touched:.2f} s, the sphere lifts off at {found.stood_up:.2f} s;")
print(
    f"after 4 s {np.degrees(found.theta):.1f} deg, {found.spin:.1f} rad/s, mass centre up by {1e3 * (found.height - motion['z'][0]):.1f} mm"
)
print(f"energy {1e3 * motion['energy'][0]:.1f} -> {1e3 * motion['energy'][-1]:.1f} mJ")

fig, axes = figure(4, 1, width=8.0, height=1.9, sharex=True)
sphere, tip = tops.clearances(TOP, motion)
axes[0, 0].plot(smooth.t, np.degrees(smooth["theta"]), color="#56B4E9", label="smooth friction, sphere alone")
axes[0, 0].plot(motion.t, np.degrees(motion["theta"]), color="#0072B2", label="Contensou friction, with stem")
axes[0, 0].axhline(math.degrees(tops.stem_angle(TOP)), color="0.5", linewidth=0.7)
axes[1, 0].plot(motion.t, 1e3 * sphere, color="#0072B2", label="sphere over the plane")
axes[1, 0].plot(motion.t, 1e3 * tip, color="#D55E00", label="stem over the plane")
axes[2, 0].plot(motion.t, motion["twist"], color="#0072B2", label="about the vertical")
axes[2, 0].plot(motion.t, motion["omega3"], color="#D55E00", label="about its axis")
axes[3, 0].plot(motion.t, 1e3 * motion["energy"], color="#0072B2")
for ax, what in zip(axes[:, 0], ("tilt [deg]", "height [mm]", "spin [rad/s]", "energy [mJ]"), strict=True):
    ax.set_ylabel(what)
    if ax.get_legend_handles_labels()[1]:
        ax.legend(frameon=False, fontsize=8)
axes[-1, 0].set_xlabel("t [s]")
save(fig, OUT / "tippe_top.png")
print("wrote out/tippe_top.png")
