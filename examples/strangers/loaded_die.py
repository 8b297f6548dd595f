"""Is this die fair? A cube with a drop of lead under the one, thrown a few hundred times."""

import numpy as np
from scipy.stats import uniform

from rollick import Body, Coulomb, sliding
from rollick.ensemble import Samples, ensemble
from rollick.mechanics.mass.primitives import box, point
from rollick.mechanics.shapes.hull import box_corners, convex_hull
from rollick.plotting import figure, save

edge = 0.016
parts = box(0.005, edge, edge, edge) + point(0.001, (0.0, 0.0, -0.4 * edge))
die = sliding(Body.from_parts(parts, convex_hull(box_corners(edge, edge, edge))), law=Coulomb(0.4), restitution=0.3)


def face(motion):
    a, b, c, d = (motion[name][-1] for name in ("q0", "q1", "q2", "q3"))
    up = np.array([2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d])  # the vertical in body axes
    k = int(np.argmax(abs(up)))
    return float((k + 1) * np.sign(up[k]))


turn = uniform(0.0, 2.0 * np.pi)
thrown = ensemble(
    die,
    Samples(40, seed=1, theta=(0.0, np.pi), psi=turn, omega1=(-40.0, 40.0), omega2=(-40.0, 40.0), vx=(0.5, 1.0)),
    until=1.5,
    start={"gap": 0.1, "vy": 0.0},
    keep={"face": face},
    dt=2e-4,
)
print(thrown)
faces, counts = np.unique(thrown["face"], return_counts=True)
fig, axes = figure(1, 1, width=4.0, height=3.0)
axes[0, 0].bar([f"{f:+.0f}" for f in faces], counts)
axes[0, 0].set_xlabel("axis that is up")
save(fig, "loaded_die.png")
