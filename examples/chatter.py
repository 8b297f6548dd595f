"""Complete or incomplete chatter: a tetrahedron dropped without gravity, the verdict, and the map of triangles around it."""

from pathlib import Path

import numpy as np

from rollick.analysis.chatter import classify, hub_limit, partial_limit, regular_limit
from rollick.analysis.chatter.simulated import chatter_map
from rollick.archetypes.polygon import BODIES, named
from rollick.motion.impacts.collide import collide
from rollick.plotting import save
from rollick.view.chatter import draw_map

out = Path("out")
out.mkdir(exist_ok=True)

rho = BODIES["tetrahedron"].rho
print(f"tetrahedron, rho = {rho:.4f}: the word 0, 1, 2 chatters up to gamma = {regular_limit(3, rho):.6f}, the hub word up to")
print(f"{hub_limit(rho):.6f}; below {partial_limit(3, rho):.6f} two corners may come to rest before the third arrives.\n")

start = {"phi_x": 0.01, "phi_y": 0.02, "h": 1.0, "omega_x": 0.03, "omega_y": 0.05, "v": -1.0}
for gamma in (0.01, 0.1, 0.118, 0.13, 0.5):
    c = collide(named("tetrahedron"), gamma, start, max_impacts=2000, beyond=False)
    verdict = classify(rho, gamma, 3)
    print(
        f"gamma = {gamma:<6} drop: {c.status:<4} {len(c):5d} impacts   {verdict.verdict} chatter, by {verdict.criterion}, margin {verdict.margin:+.4f}"
    )

c = collide(named("tetrahedron"), 0.118, start, max_impacts=2000)
print(
    f"\nat gamma = 0.118 the corners are hit in the pattern {c.accumulation().word}, and all is over at t = {c.accumulation().time:.12f}"
)
c.plot(path=out / "chatter_tetrahedron.png")
save(draw_map(chatter_map(3, np.linspace(0.02, 0.75, 80), np.linspace(0.0, 1.0, 80), progress=False), 3), out / "chatter_map.png")
print("wrote out/chatter_tetrahedron.png and out/chatter_map.png")
