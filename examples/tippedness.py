"""Which tops turn over? The tilt that a spinning sphere with Contensou friction reaches in four seconds, over its first spin and the ratio I1/I3 of its inertia.

The chart is computed by time steps, motion by motion. Beside it: where the upright top loses its stability at all, by the closed forms of Jellett's integral (group I never rises,
II turns over, III rises to a tilt below 180 degrees) and by the eigenvalues of steady spin; and where its tilt grows from 5 to 90 degrees in that time, by these eigenvalues: for small
slip v Contensou friction is viscous, 3 pi/8 mu N v/(Omega r) with the radius r of the contact. Writes out/tippedness.png.
"""

import math
from pathlib import Path

import numpy as np

from rollick import Moreau, continue_steady, steady_motion
from rollick.analysis.chart import chart
from rollick.archetypes import tops
from rollick.mechanics.laws.contensou import equivalent_eps
from rollick.plotting import figure, save

OUT = Path("out")
OUT.mkdir(exist_ok=True)

TOP = tops.tippe_top()
RATIOS, SPINS = np.linspace(0.7, 1.3, 13), np.linspace(20.0, 200.0, 13)
PATCH, TIME, TILT = 2e-4, 4.0, 5.0  # m, s, deg
CONTENSOU, SMOOTH = tops.law_named("contensou", patch=PATCH), tops.law_named("smooth")


def of_ratio(ratio):
    """The top with I1 = ratio I3."""
    return TOP._replace(I1=ratio * TOP.I3)


def on_its_sphere(ratio):
    """Such a top with Contensou friction, without its stem: the theory is of the sphere alone."""
    return tops.on_sphere(of_ratio(ratio), CONTENSOU)


begin = tops.spun(SPINS[-1], math.radians(TILT))
axes = {"ratio": RATIOS, "omega3(0)": SPINS}
found = chart(
    on_its_sphere(1.0), begin, TIME, axes, ["max theta"], method=Moreau(dt=1e-4), make=on_its_sphere, made_of={"ratio": ""},
    store=OUT / "tippedness.nc",
)  # fmt: skip
tilt = np.degrees(found["max theta"])
print(found.summary())

critical = []
for ratio in RATIOS:
    theory = tops.vertical_spins(of_ratio(ratio))
    upright = continue_steady(tops.on_sphere(of_ratio(ratio), SMOOTH), "omega3", tops.spun(80.0, 0.0), bounds=(5.0, 400.0))
    points = [p.parameter for p in upright.specials if p.kind == "H"]
    critical.append(points[0] if points else math.inf)
    away = "" if math.isinf(critical[-1]) else f", by eigenvalues {critical[-1]:.8f}"
    print(f"I1/I3 = {ratio:.2f}, group {theory.group}: unstable above {theory.upright_unstable_above:.8f} rad/s{away}")


def growth(ratio, spin):
    """The growth rate of a small tilt with Contensou friction, by the eigenvalues with the viscous friction that it is for small slip."""
    viscous = tops.on_sphere(of_ratio(ratio), tops.law_named("smooth", eps=equivalent_eps(PATCH, spin)))
    return steady_motion(viscous, tops.spun(spin, 0.0), hold=("omega3",)).eigenvalues[0].real


grown = np.array([[TILT * np.exp(min(50.0, TIME * growth(ratio, spin))) for spin in SPINS] for ratio in RATIOS])
agree = np.mean((tilt > 90.0) == (grown > 90.0))
print(f"beyond 90 degrees in {TIME:g} s: motions and eigenvalues agree at {100.0 * agree:.0f} % of the points")

fine = np.linspace(RATIOS[0], RATIOS[-1], 400)
spins = [tops.vertical_spins(of_ratio(ratio)) for ratio in fine]
fig, axes = figure(1, 1, width=7.5, height=4.6)
ax = axes[0, 0]
mesh = ax.pcolormesh(RATIOS, SPINS, tilt.T, shading="nearest", cmap="viridis", vmin=0.0, vmax=180.0)
fig.colorbar(mesh, ax=ax, label=f"greatest tilt in {TIME:g} s [deg]")
ax.contour(RATIOS, SPINS, np.log(grown).T, levels=[np.log(90.0)], colors="#ff9f40", linewidths=1.5)
ax.plot([], [], color="#ff9f40", label=f"from {TILT:g} to 90 deg in {TIME:g} s (eigenvalues)")
ax.plot(fine, [s.upright_unstable_above for s in spins], color="w", label="upright unstable above (closed form)")
ax.plot(fine, [s.inverts_above for s in spins], color="w", linestyle="--", label="turns over completely above")
ax.plot(RATIOS, critical, "o", color="#D55E00", markersize=4, label="upright unstable above (eigenvalues)")
for edge in (1.0 - TOP.a / TOP.R, 1.0 + TOP.a / TOP.R):
    ax.axvline(edge, color="w", linewidth=0.8, linestyle=":")
for middle, name in ((0.775, "group I"), (1.0, "group II"), (1.225, "group III")):
    ax.annotate(name, (middle, 38.0), color="w", ha="center", va="center", fontsize=9)
ax.set(xlabel="$I_1/I_3$", ylabel="first spin [rad/s]", ylim=(SPINS[0] - 5.0, SPINS[-1] + 5.0), xlim=(0.675, 1.325))
ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, fontsize=8, facecolor="0.35", labelcolor="w")
save(fig, OUT / "tippedness.png")
print("wrote out/tippedness.png")
