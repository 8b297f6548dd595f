"""Steady motions that lose stability: a torus that rolls, a tippe top and a rattleback that spin.

Straight rolling of a rubber torus gives way to circles at a pitchfork; friction makes a tippe top rise above one spin and keeps it on its stem above another;
a rattleback's steady spin becomes stable at a critical spin, which is followed in the height of its mass centre.
Writes out/bifurcations.png.
"""

import math
from pathlib import Path

from rollick import EquilibriumProblem, PseudoArclength, Rattleback, continue_steady, trace_branch, trace_hopfs
from rollick.analysis.continuation.pictures import COLOURS, draw_branch
from rollick.archetypes.models import model
from rollick.plotting import figure, save

OUT = Path("out")
OUT.mkdir(exist_ok=True)

torus = EquilibriumProblem(model("torus").make(form="reduced"), "ell", near={"theta": "90deg", "ell": 0.5})
straight = trace_branch(torus, torus.start(), bounds=(0.2, 1.5))
circles = trace_branch(torus, straight.special("BP1"), bounds=(0.2, 1.5))
print(f"torus: {straight.special('BP1')}")

top = model("tippe_top").make(friction="smooth")
upright = continue_steady(top, "omega3", {"theta": 0.0, "omega3": 50.0}, bounds=(5.0, 100.0))
inverted = continue_steady(top, "omega3", {"theta": math.pi, "omega3": -50.0}, bounds=(-100.0, -5.0))
print(
    f"tippe top: rises above {upright.special('H').parameter:.6f} rad/s, stands on its stem above {-inverted.special('H').parameter:.6f} rad/s"
)

stone = Rattleback(a=0.050, b=0.032, c=0.030, M=0.31, h=0.010, A=9.0e-5, B=1.90e-4, C=2.42e-4, D=-2.4e-5)
spinning = EquilibriumProblem(stone, "omega3", {"omega3": 30.0})
spins = trace_branch(spinning, spinning.start(), bounds=(20.0, 80.0))
curve = trace_hopfs(spinning, spins.special("H1"), "h", bounds=(0.004, 0.011), steps=PseudoArclength(max_points=300))
print(
    f"rattleback: stable above {spins.special('H1').parameter:.6f} rad/s; critical spins for h from {curve['h'].min():g} to {curve['h'].max():g} m"
)

fig, axes = figure(2, 2, width=10.0, height=3.2)
for branch, colour in ((straight, COLOURS[0]), (circles, COLOURS[1])):
    draw_branch(axes[0, 0], branch, "theta", colour=colour)
axes[0, 0].set_title("rubber torus: straight rolling and circles", loc="left", fontsize=10)
for ax, branch, title in ((axes[0, 1], upright, "stem up"), (axes[1, 0], inverted, "on its stem")):
    draw_branch(ax, branch, "growth")
    ax.axhline(0.0, color="0.5", linewidth=0.6)
    ax.set_title(f"tippe top, {title}: growth of deviations", loc="left", fontsize=10)
draw_branch(axes[1, 1], curve, "omega3")
axes[1, 1].set_title("rattleback: critical spin", loc="left", fontsize=10)
save(fig, OUT / "bifurcations.png")
print("wrote out/bifurcations.png (solid: nothing grows, dashed: unstable)")
