"""Steady spin of four stones: growth rates of perturbations, and the ranges of spin in which they die out.

One stone is never stable, two are stable above a critical spin, and one is stable only between two spins.
Writes out/stability.png.
"""

from pathlib import Path

import numpy as np

from rollick import Rattleback, steady_spin
from rollick.archetypes.rattleback import growth_rate
from rollick.plotting import figure, save

OUT = Path("out")
OUT.mkdir(exist_ok=True)

STONES = {
    "Kane and Levinson's": Rattleback(),
    "pebble": Rattleback(a=0.040, b=0.026, c=0.020, M=0.24, h=-0.001, A=5.3e-5, B=1.04e-4, C=1.15e-4, D=-5e-6),
    "celt": Rattleback(a=0.050, b=0.032, c=0.030, M=0.31, h=0.010, A=9.0e-5, B=1.90e-4, C=2.42e-4, D=-2.4e-5),
    "blade": Rattleback(a=0.100, b=0.033, c=0.020, M=0.50, h=-0.030, A=4.5e-4, B=9.2e-4, C=5.8e-4, D=-5e-5),
}

fig, axes = figure(2, 2, width=10.0, height=2.8, sharey=True)
for ax, (name, stone), most in zip(axes.flat, STONES.items(), (50.0, 50.0, 80.0, 15.0), strict=True):
    theory = steady_spin(stone)
    print(f"{name}: {theory.verdict()}.")
    spin = np.linspace(0.0, most, 2001)
    ax.plot(spin, growth_rate(stone, spin), color="#0072B2", label=r"$\omega_3 > 0$")
    ax.plot(spin, growth_rate(stone, -spin), color="#D55E00", label=r"$\omega_3 < 0$")
    for low, high in theory.stable_ranges:
        ax.axvspan(low, min(high, most), color="#009E73", alpha=0.2, linewidth=0)
    ax.axhline(0.0, color="0.5", linewidth=0.6)
    ax.set_title(name, loc="left", fontsize=10)
    ax.set_yscale("asinh", linear_width=0.05)
    ax.set_yticks([-0.1, 0.0, 0.1, 1.0, 10.0], ["-0.1", "0", "0.1", "1", "10"])
    ax.set_ylim(-0.4, 25.0)
    ax.set_xlim(0.0, most)
for ax in axes[-1]:
    ax.set_xlabel(r"$|\omega_3|$ [rad/s]")
for ax in axes[:, 0]:
    ax.set_ylabel("growth rate [1/s]")
axes[0, 0].legend(frameon=False, fontsize=8)
save(fig, OUT / "stability.png")
print("wrote out/stability.png (stable spins are shaded)")
