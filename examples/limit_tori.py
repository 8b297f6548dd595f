"""A rattleback that spins too slowly for steady spin does not always rattle to a stop: it rocks once in a turn, for ever. Limit tori, and where they end.

They begin at the critical spin and attract all motions of their energy near them; followed in the roll, their energy falls, has a least value, and rises again: there
is a fold, beyond which they repel. Writes out/limit_tori.png.
"""

from pathlib import Path

import numpy as np

from rollick import Rattleback, simulate
from rollick.archetypes.rattleback import critical_spin, limit_tori
from rollick.plotting import figure, save

OUT = Path("out")
OUT.mkdir(exist_ok=True)

STONE = Rattleback(a=0.050, b=0.032, c=0.030, M=0.31, h=0.010, A=9.0e-5, B=1.90e-4, C=2.42e-4, D=-2.4e-5)
tori = limit_tori(STONE, np.arange(0.03, 1.48, 0.03))
roll, energy, spin = (np.array([getattr(t, name) for t in tori]) for name in ("roll", "energy", "spin"))
stable = np.array([t.stability == "stable" for t in tori])
print(f"critical spin {critical_spin(STONE):.6f} rad/s; {len(tori)} tori, {stable.sum()} of them stable")
lowest = int(np.argmin(energy))
print(
    f"least energy {energy[lowest]:.6f} J near a roll of {roll[lowest]:.2f} rad; the first unstable one has {roll[~stable][0]:.2f} rad"
)
print(f"none needs more friction than {max(t.friction_demand for t in tori):.2f}")

one = tori[9]

rest = STONE.M * STONE.g * (STONE.c - STONE.h)
begin = np.sqrt(2.0 * (one.energy - rest) / STONE.C)  # steady spin with the energy of the torus: unstable
motion = simulate(STONE, {"alpha": 0.002, "omega3": float(begin)}, 120.0, rtol=1e-11, at=np.linspace(0.0, 120.0, 60001))
settled = np.abs(motion["alpha"][motion.t > 110.0]).max()
reach = np.abs(one.orbit.motion()["alpha"]).max()
print(
    f"started at {begin:.2f} rad/s with a roll of 0.002 rad: the roll settles at {settled:.5f} rad; the torus of nearly this energy has {reach:.5f} rad"
)

fig, axes = figure(2, 2, width=10.0, height=3.0)
E_spin = np.linspace(energy.min(), 1.05 * energy.max(), 100)
steady = np.sqrt(2.0 * (E_spin - rest) / STONE.C)
above = steady > critical_spin(STONE)
for part, style in ((above, "-"), (~above, "--")):
    axes[0, 0].plot(
        np.where(part, E_spin, np.nan), steady, style, color="#0072B2", label="steady spin" if part is above else None
    )
for part, style in ((stable, "-"), (~stable, "--")):
    axes[0, 0].plot(np.where(part, energy, np.nan), spin, style, color="#D55E00", label="limit tori" if part is stable else None)
    axes[0, 1].plot(np.where(part, energy, np.nan), np.degrees(roll), style, color="#D55E00")
axes[0, 0].set(xlabel="energy [J]", ylabel="mean spin [rad/s]")
axes[0, 0].legend(frameon=False, fontsize=8)
axes[0, 1].set(xlabel="energy [J]", ylabel="roll [deg]")
axes[1, 0].plot(roll, [np.sort(np.abs(t.multipliers)) for t in tori], color="#0072B2")
axes[1, 0].axhline(1.0, color="0.5", linewidth=0.6)
axes[1, 0].set(xlabel="roll at the start [rad]", ylabel="|multipliers|")
axes[1, 1].plot(motion.t, np.degrees(motion["alpha"]), color="#56B4E9", linewidth=0.3)
axes[1, 1].axhline(np.degrees(reach), color="#D55E00", linewidth=1.0)
axes[1, 1].set(xlabel="t [s]", ylabel="roll of a motion [deg]")
save(fig, OUT / "limit_tori.png")
print("wrote out/limit_tori.png (solid: attracting on its level of energy, dashed: not)")
