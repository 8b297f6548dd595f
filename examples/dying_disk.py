"""Euler's disk by impacts: a polygon of contact points that rattles round its edge until it rests.

The self-similar motion of 25 points and whether it is stable; what happens when it is disturbed; and the exponents c of E ~ (t_f - t)^c of
random drops on three points. Writes out/dying_disk.png.
"""

from pathlib import Path

import numpy as np

from rollick.archetypes.dying_disk import Disk, exponents, fitted, large_n, rho_c, rolling_down, stability, without_gravity
from rollick.motion.impacts.collide import collide
from rollick.plotting import figure, save

OUT = Path("out")
OUT.mkdir(exist_ok=True)

for rho in (0.25, 0.5):
    motion = rolling_down(Disk(25, rho, 0.5))
    judged = stability(motion)
    word = "stable" if judged.stable else "unstable"
    print(f"25 points, rho = {rho:g}, gamma = 0.5: beta = {motion.beta_p:.7f}; {word}, growth {judged.growth:.6f} per impact")
print(f"averaging over impacts says {np.exp(large_n(Disk(25, 0.5, 0.5)).log_growth):.6f} for the second")
print(
    "stable up to rho_c =",
    ", ".join(f"{rho_c(n, 0.5, 0.2, 0.45):.6f} (n = {n})" for n in (10, 25, 100)),
    "-> 1/sqrt(11) = 0.301511",
)

fig, axes = figure(1, 2, width=11.0, height=4.0)
for rho, colour in ((0.25, "#0072B2"), (0.5, "#D55E00")):
    d = Disk(25, rho, 0.5)
    start = rolling_down(d).start
    start[5] *= 1.01
    start[2] *= 1.0 + 1e-5
    found = collide(d.plate, d.gamma, start, g=1.0, max_impacts=12_000)
    left, energy = found.log_remaining(), found.log_energy_after
    print(f"disturbed by 1 %, rho = {rho:g}: {len(found)} impacts, c = {fitted(found).c:.3f}")
    use = np.isfinite(left) & (left > left[0] - 20.0)
    axes[0, 0].plot(
        left[use] / np.log(10.0),
        (energy - 2.0 * left)[use] / np.log(10.0),
        color=colour,
        linewidth=0.7,
        label=rf"$\rho$ = {rho:g}",
    )
axes[0, 0].invert_xaxis()
axes[0, 0].set_xlabel(r"$\log_{10}(t_f - t)$")
axes[0, 0].set_ylabel(r"$\log_{10}[E/(t_f - t)^2]$")
axes[0, 0].set_title(r"25 points, $\gamma$ = 0.5, disturbed by 1 %", loc="left", fontsize=10)
axes[0, 0].legend(frameon=False)

print("three points, 100 random drops each:")
for rho, gamma in ((0.25, 0.1), (0.25, 0.2), (0.25, 0.3), (0.5, 0.03), (0.5, 0.5)):
    found = exponents(3, rho, gamma, max_impacts=2000)
    regular = [s.exponent for s in without_gravity(Disk(3, rho, gamma))]
    theory = f"{regular[0]:.4f}" if regular else "none"
    print(f"  rho = {rho:g}, gamma = {gamma:g}: {found.message} mean c = {found.c:.4f}, (4.48) {theory}")
gammas = np.linspace(0.06, 0.34, 29)
for gamma in gammas:
    c = exponents(3, 0.25, gamma, runs=30, max_impacts=2000).all_c
    axes[0, 1].plot(np.full(c.size, gamma), c, ".", color="#0072B2", markersize=3)
below = [g for g in np.linspace(0.01, 0.29, 100) if without_gravity(Disk(3, 0.25, g))]
axes[0, 1].plot(
    below, [without_gravity(Disk(3, 0.25, g))[0].exponent for g in below], "--", color="#D55E00", label="regular, without gravity"
)
axes[0, 1].set_ylim(0.0, 2.6)
axes[0, 1].set_xlabel(r"$\gamma$")
axes[0, 1].set_ylabel("exponent $c$")
axes[0, 1].set_title(r"three points, $\rho$ = 0.25, drops under gravity", loc="left", fontsize=10)
axes[0, 1].legend(frameon=False)
save(fig, OUT / "dying_disk.png")
print("wrote out/dying_disk.png")
