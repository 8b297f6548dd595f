"""A rubber torus in four regimes: steady, nutating in a well, swinging over the upright, and so that its track closes.

The reduced motion says beforehand what the track of the contact point will be: a circle, an annulus, a straight drift, a figure eight.
The full body, in quaternions, then rolls it. Writes out/rolling_torus.png and, for a browser, out/rolling_torus.html.
"""

import math
from pathlib import Path

import numpy as np

from rollick import simulate
from rollick.archetypes.rubber import closing_energy, equilibria, full, full_start, orbit, separatrices, torus
from rollick.archetypes.rubber.body import mass_B, nose_squared, potential
from rollick.plotting import figure, save

OUT = Path("out")
OUT.mkdir(exist_ok=True)

WHEEL = torus(R=1.0, r=0.25, m=1.0, g=1.0)
ELL = 0.3
inclined, upright, _ = equilibria(WHEEL, ELL)
print(f"l = {ELL}: steady at theta = {math.degrees(inclined.theta):.3f} deg (stable, {inclined.frequency:.4f} rad/s)")
print(f"and upright (unstable, growth {upright.frequency:.4f} 1/s)")
saddle = separatrices(WHEEL, ELL)[0].energy

CASES = {  # energy, an angle of the motion, periods to show
    "steady": (inclined.energy, inclined.theta, 0.0),
    "in a well": (1.1, 0.45, 10.0),
    "over the upright": (saddle + 0.4, 0.5 * math.pi, 3.0),
    "a closed track": (closing_energy(WHEEL, ELL, saddle + 1e-10, saddle + 1e-2), 0.5 * math.pi, 1.0),
}

fig, axes = figure(2, 2, width=9.0, height=4.0)
for ax, (name, (energy, theta, periods)) in zip(axes.flat, CASES.items(), strict=True):
    kind = orbit(WHEEL, ELL, energy, theta)
    track = "figure eight" if kind.track == "closed" else kind.track
    until = periods * kind.nutation.period if kind.nutation else 2.0 * math.pi / abs(inclined.phi_rate)
    theta_rate = math.sqrt(max(0.0, 2.0 * (energy - potential(WHEEL, ELL, theta)[0])) / mass_B(WHEEL, theta)[0])
    psi_rate = ELL / (math.sqrt(nose_squared(WHEEL, theta)) * math.sin(theta) ** 2)
    motion = simulate(full(WHEEL), full_start(theta, theta_rate, psi_rate), until, rtol=1e-12, at=np.linspace(0.0, until, 2001))
    home = math.hypot(motion["x"][-1], motion["y"][-1])
    print(f"{name}: {track}; after {until:.3f} s {home:.6f} m from the start; needs mu >= {motion['friction_demand'].max():.2f}")
    ax.plot(motion["x"], motion["y"], color="#0072B2", linewidth=0.9)
    ax.plot(0.0, 0.0, "o", color="#D55E00", markersize=4)
    ax.set_aspect("equal", adjustable="datalim")
    ax.set_title(f"{name}: {track}", loc="left", fontsize=10)
for ax in axes[-1]:
    ax.set_xlabel("x [m]")
for ax in axes[:, 0]:
    ax.set_ylabel("y [m]")
save(fig, OUT / "rolling_torus.png")
motion.save_html(OUT / "rolling_torus.html", title="A torus whose track closes")
print("wrote out/rolling_torus.png and out/rolling_torus.html")
