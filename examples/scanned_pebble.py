"""A scanned pebble that rolls: a mesh with noise is written as an STL file, a smooth shape is fitted to it, and rolls."""

import struct
from pathlib import Path

import numpy as np
from scipy.spatial import ConvexHull

from rollick import Body, InputError, rolling, simulate, support
from rollick.mechanics.body import directions
from rollick.plotting import figure, save

OUT = Path("out")
OUT.mkdir(exist_ok=True)

# The scan, in millimetres: an ellipsoid with bumps, 1000 points, each off by 0.05 mm.
n = directions(1000)
bumps = 1.0 + 0.04 * np.sin(3.0 * n[:, :1] + 1.0) * np.cos(2.0 * n[:, 1:2])
points = 30.0 * n * (1.0, 0.8, 0.55) * bumps + 0.05 * np.random.default_rng(1).normal(size=n.shape)
hull = ConvexHull(points)
faces = points[hull.simplices]
across = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
inward = np.einsum("ij,ij->i", across, hull.equations[:, :3]) < 0.0
faces[inward] = faces[inward][:, ::-1]
facets = b"".join(struct.pack("<12fH", 0, 0, 0, *face.ravel(), 0) for face in faces)
path = OUT / "pebble.stl"
path.write_bytes(b"\0" * 80 + struct.pack("<I", len(faces)) + facets)

try:
    rolling(Body.from_mesh(path, density=2700.0, unit="mm"))
except InputError as refused:
    print(refused)
pebble = Body.from_mesh(path, density=2700.0, unit="mm", smooth=True)
fit = pebble.shape.shape
print(fit.about())
motion = simulate(rolling(pebble), {"theta": "20deg", "psi_rate": 6.0}, until=3.0, dense=True)
print(motion)

fig, axes = figure(1, 2, width=9.0, height=3.8)
turn = np.linspace(0.0, 2.0 * np.pi, 361)
normals = np.stack([np.cos(turn), np.sin(turn), np.zeros_like(turn)], axis=1)
outline = 1e3 * np.array([support(fit, tuple(normal)) for normal in normals.tolist()])
shadow = points[ConvexHull(points[:, :2]).vertices]
axes[0, 0].plot(*np.vstack([shadow, shadow[:1]])[:, :2].T, ".", label="scan")
axes[0, 0].plot(outline[:, 0], outline[:, 1], label=f"fit, at most {1e3 * fit.distance:.2f} mm away")
axes[0, 0].set(xlabel="x [mm]", ylabel="y [mm]", aspect="equal", title="outlines")
axes[0, 0].legend(loc="center")
times = np.linspace(0.0, 3.0, 1500)
axes[0, 1].plot(1e3 * motion.at(times, "x"), 1e3 * motion.at(times, "y"))
axes[0, 1].set(xlabel="x [mm]", ylabel="y [mm]", aspect="equal", title="track of the contact point, 3 s")
save(fig, OUT / "scanned_pebble.png")
page = motion.save_html(OUT / "scanned_pebble.html", title="A scanned pebble rolls")
print(f"wrote {page}")
