"""Poincare sections of a rattleback: how spin, roll and pitch exchange their energy, reversal after reversal.

At alpha = 0 the stone rolls fastest, at beta = 0 it pitches fastest: the rates there measure how strongly it rolls and pitches.
Writes out/poincare.png.
"""

from pathlib import Path

import numpy as np

from rollick import Event, Rattleback, simulate
from rollick.plotting import figure, save

OUT = Path("out")
OUT.mkdir(exist_ok=True)

motion = simulate(
    Rattleback(),
    start={"alpha": "0.5deg", "beta": "0.5deg", "omega3": -5.0},
    until=300.0,
    rtol=1e-11,
    at=np.linspace(0.0, 300.0, 30001),
    events=[Event("alpha", "rising"), Event("beta", "rising")],
)


def section(name):
    """Times and states at which a state passes zero, rising."""
    found = [e for e in motion.events if e.name == name]
    return np.array([e.t for e in found]), np.array([e.state for e in found])


def spin_increases(t):
    """Whether omega3 grows from half a second before to half a second after (the rattle itself is faster)."""
    return np.interp(t + 0.5, motion.t, motion["omega3"]) > np.interp(t - 0.5, motion.t, motion["omega3"])


fig, axes = figure(1, 2, width=10.0, height=4.2)
sections = [
    ("alpha", 3, r"roll rate $\omega_1$ at $\alpha = 0$ [rad/s]"),
    ("beta", 4, r"pitch rate $\omega_2$ at $\beta = 0$ [rad/s]"),
]
for ax, (name, rate, label) in zip(axes[0], sections, strict=True):
    t, states = section(name)
    print(f"{t.size} passages of {name} = 0, rising")
    quick = spin_increases(t)
    ax.scatter(states[quick, 5], states[quick, rate], s=5, color="#D55E00", label=r"$\omega_3$ increases: the quick reversal")
    ax.scatter(states[~quick, 5], states[~quick, rate], s=5, color="#0072B2", label=r"$\omega_3$ decreases: the slow one")
    ax.set_axisbelow(True)
    ax.set_xlabel(r"spin $\omega_3$ [rad/s]")
    ax.set_ylabel(label)
axes[0, 0].set_title("300 s of Kane and Levinson's stone, undamped", loc="left", fontsize=10)
axes[0, 1].legend(frameon=False, fontsize=8, loc="center")
save(fig, OUT / "poincare.png")
print("wrote out/poincare.png")
