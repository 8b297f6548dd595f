"""A body from a mesh: a cup is written as an STL file, weighed, thrown, and shown as it is while it touches with its convex hull."""

import math
import struct
from itertools import pairwise
from pathlib import Path

import numpy as np

from rollick import Body, simulate
from rollick.mechanics.laws import Coulomb
from rollick.mechanics.shapes.hull import corners
from rollick.mechanics.sliding import sliding

OUT = Path("out")
OUT.mkdir(exist_ok=True)
R, INNER, HEIGHT, FLOOR, SIDES = 35.0, 31.0, 60.0, 5.0, 12  # mm


def cup():
    """The triangles of a cup with so many sides, in millimetres: outside, inside, rim, and both floors."""
    turn = 2.0 * np.pi * np.arange(SIDES) / SIDES
    ring = lambda radius, z: np.stack([radius * np.cos(turn), radius * np.sin(turn), np.full(SIDES, z)], axis=1)
    rings = [ring(1e-9, 0.0), ring(R, 0.0), ring(R, HEIGHT), ring(INNER, HEIGHT), ring(INNER, FLOOR), ring(1e-9, FLOOR)]
    rings[0][:, :2] = rings[-1][:, :2] = 0.0
    triangles = []
    for low, high in pairwise(rings):
        for k in range(SIDES):
            j = (k + 1) % SIDES
            for three in ((low[k], low[j], high[j]), (low[k], high[j], high[k])):
                if len({tuple(p) for p in three}) == 3:
                    triangles.append(three)
    return np.array(triangles)


triangles = cup()
path = OUT / "cup.stl"
path.write_bytes(
    b"\0" * 80 + struct.pack("<I", len(triangles)) + b"".join(struct.pack("<12fH", 0, 0, 0, *t.ravel(), 0) for t in triangles)
)

body = Body.from_mesh(path, density=2400.0, unit="mm")
polygon = 0.5 * SIDES * math.sin(2.0 * math.pi / SIDES) * 1e-9
volume = polygon * (R**2 * HEIGHT - INNER**2 * (HEIGHT - FLOOR))
print(f"mass {body.mass:.6f} kg (closed form {2400.0 * volume:.6f}), mass centre {body.centre[2] * 1e3:.2f} mm above its foot")

feet = [(*place, 0.0) for place in corners(body.shape)[0].tolist()]
thrown = sliding(body, law=Coulomb(0.35), feet=feet)
motion = simulate(
    thrown, {"theta": "70deg", "gap": "3cm", "vx": 0.4, "vy": 0.0, "omega3": 6.0}, 1.2, method="moreau", dt=2e-4, every=5
)
print(f"it ends at theta = {math.degrees(motion['theta'][-1]):.1f} deg, {motion['x'][-1] - motion['x'][0]:+.3f} m further")
page = motion.save_html(OUT / "mesh_body.html", title="A cup, thrown")
print(f"wrote {page}")
