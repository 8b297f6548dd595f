"""The same ellipsoid from the same start, as rubber (no slip, no twist) and as marble (no slip).

Both start without twist. Rubber keeps Koiller's l = N Omega3, and its nutation is known beforehand from quadratures; marble keeps two
other integrals instead, which depend linearly on the velocities. Writes out/rubber_and_marble.png and a page of each motion.
"""

import math
from pathlib import Path

import numpy as np

from rollick.archetypes.rubber import nutation_from, spheroid, start_rolling
from rollick.archetypes.rubber.contrast import contrast, contrast_figure
from rollick.archetypes.rubber.marble import linear_integrals, marble_turning_points, spins

OUT = Path("out")
OUT.mkdir(exist_ok=True)

BODY = spheroid(b=0.3, c=0.2, m=1.0)  # oblate, 30 cm and 20 cm, solid
START = {"theta": 1.2, "theta_rate": 0.5, "psi_rate": 5.0}

both = contrast(BODY, **START, until=5.0)
print(both)

n = nutation_from(BODY, start_rolling(BODY, **START))
print(f"rubber, expected: {math.degrees(n.low):.3f} .. {math.degrees(n.high):.3f} deg, {n.kind}")
print(f"  and preventing twist takes {1e3 * both.spin_demand:.2f} mm times the normal force")

w = spins(START["theta"], START["psi_rate"], -math.cos(START["theta"]) * START["psi_rate"])
low, high = marble_turning_points(BODY, START["theta"], START["theta_rate"], *w)
print(f"marble, expected: {math.degrees(low):.3f} .. {math.degrees(high):.3f} deg")
m = both.marble
across = (m["omega1"] * m["gamma1"] + m["omega2"] * m["gamma2"]) / np.sin(m["theta"])
kept = linear_integrals(BODY, m["theta"][::40], across[::40], m["omega3"][::40], reference=1.0)
print(f"  and its two integrals are kept to {np.ptp(kept, axis=0).max():.0e} rad/s")

contrast_figure(both, OUT / "rubber_and_marble.png")
for name in ("rubber", "marble"):
    getattr(both, name).save_html(OUT / f"rolling_{name}.html", title=f"An ellipsoid of {name}")
print("wrote out/rubber_and_marble.png, out/rolling_rubber.html and out/rolling_marble.html")
