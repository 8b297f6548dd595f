"""A railway wheelset: how often it swings, by formulas and exactly, and what a measured wheel does to its equivalent conicity.

python examples/wheelset.py     writes out/wheelset.png
"""

from pathlib import Path

import numpy as np

from rollick.archetypes.wheelset.conicity import RadiusDifference, conicity
from rollick.archetypes.wheelset.frequency import frequencies
from rollick.archetypes.wheelset.geometry import geometry, simple
from rollick.archetypes.wheelset.pictures import conicity_picture
from rollick.archetypes.wheelset.profiles_measured import measured
from rollick.archetypes.wheelset.profiles_published import gauge_offset, s1002, uic60
from rollick.plotting import save

# Example 1.2 of the thesis: a wheel of constant curvature, and one whose radius of curvature changes
for slope in (0.0, 30.0):
    f = frequencies(simple(h=0.05, R_w=0.5, R_r=0.25, b=0.7, r=0.4, R1_w=slope), [0.001, 0.002], v=50.0)
    print(
        f"R_w' = {slope:g}: Klingel {f.linear.klingel:.3f}, exact {f.omega_L:.3f} rad/s; beta = {1e-6 * f.beta:.4g} 1/mm^2, by (1.61) {1e-6 * f.small.printed:.4g}"
    )
    print(
        f"  at 1 and 2 mm: {f.exact[0]:.5f} and {f.exact[1]:.5f} rad/s; beta foretells {f.by_beta[0]:.5f} and {f.by_beta[1]:.5f}"
    )
    print(*(f"  warning: {text}\n" for text in f.warnings), sep="", end="")

# a wheel "measured" with 2 um of noise, and worn by 0.2 mm at its tape circle
rng = np.random.default_rng(1)
u = np.linspace(-0.048, 0.055, 400)
for name, wear in (("new", 0.0), ("worn", 2e-4)):
    points = s1002().height(u) + wear * np.exp(-((u / 0.02) ** 2)) + 2e-6 * rng.normal(size=u.size)
    wheel = measured(np.stack([u, points], axis=1), "wheel", "m", smoothing=2e-6, name=f"{name} wheel")
    g = geometry(wheel, uic60(1 / 40), tape=0.75, radius=0.46, rail_at=0.7175 + gauge_offset(1 / 40))
    delta = RadiusDifference(g, 0.007)
    table = conicity(delta, np.linspace(1e-4, 0.007, 140))
    at = conicity(delta, [0.003])
    print(f"{name}: {wheel.fit.words()}")
    print(
        f"  equivalent conicity at 3 mm: {at.integration[0]:.4f}, wavelength {at.wavelength[0]:.2f} m; {len(delta.jumps)} jumps of the contact"
    )
Path("out").mkdir(exist_ok=True)
save(conicity_picture(g, delta, table), "out/wheelset.png")
print("wrote out/wheelset.png")
