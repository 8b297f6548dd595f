"""Euler's disk rolls ever faster until it lies flat: E ~ (t_f - t)^n, with an exponent that tells what takes the energy.

Dry contour friction gives n = 2/3, viscous contour friction 1/2; a damping couple lets E decay exponentially, and dry pivoting friction soon
takes nothing at all. Writes out/euler_disk.png.
"""

from pathlib import Path

from rollick import simulate
from rollick.archetypes.tops import decay_rate, disk_with, energy_above_flat, euler_disk, law_figure, measured, predicted, steady

OUT = Path("out")
OUT.mkdir(exist_ok=True)

DISK = euler_disk(thickness=0.0)  # 75 mm wide, 440 g
THETA = 0.1
begin = steady(DISK, THETA)
print(f"at {THETA} rad the disk turns with {begin.precession:.1f} rad/s and has {1e3 * begin.energy:.2f} mJ")

motions = {}
for mechanism, strength in (("contour", 5e-4), ("viscous-contour", 1e-4)):
    theory = predicted(DISK, mechanism, strength, THETA)
    motion = simulate(disk_with(DISK, mechanism, strength), begin.start(), 0.97 * theory.ends, method="midpoint", dt=2e-5)
    fit = measured(DISK, motion)
    print(
        f"{mechanism}: E ~ (t_f - t)^{fit.energy:.4f}, theory {theory.energy:.4f}; t_f = {fit.ends:.3f} s, theory {theory.ends:.3f} s"
    )
    print(f"    Omega ~ (t_f - t)^{fit.precession:.4f}, theory {theory.precession:.4f}")
    motions[mechanism] = motion

sigma = 5e-5
drag = simulate(disk_with(DISK, "drag", sigma), begin.start(), 10.0)
theory = predicted(DISK, "drag", sigma, THETA)
print(f"drag: E decays with {decay_rate(DISK, drag, 5.0):.4f} 1/s at last, theory {theory.rate:.4f} 1/s")

pivoting = simulate(disk_with(DISK, "pivoting", 1e-3), begin.start(), 1.0, method="midpoint", dt=2e-5)
E = energy_above_flat(DISK, pivoting)
late = pivoting.t > 0.5
lost = E[0] - E[late][0], E[late][0] - E[-1]
print(f"pivoting: {lost[0]:.1e} J lost in the first half second, {lost[1]:.1e} J in the second")

law_figure(DISK, motions, OUT / "euler_disk.png")
print("wrote out/euler_disk.png")
