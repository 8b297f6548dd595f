"""Where the lander is, to draw it: its attitude in the solar frame, floating above a plane that is only there to judge by.

It is drawn as a body with the outline of its panels and three legs; the plane's frame is the solar frame, so that the Sun stands overhead.
"""

from __future__ import annotations

import numpy as np

from ...mechanics.facets import Facets, hovering, hull_faces
from ...mechanics.poses import poses
from .lander import Lander
from .telemetry import legs

HEIGHT = 2.5  # m, of the mass centre above the plane
WIDTH, LOW, HIGH = 0.5, -0.3, 0.5  # m, of the body: half of its width, its floor and its lid
LEG = 0.04  # m, half of a leg's thickness


def outline() -> np.ndarray:
    """The corners of the body seen from above: panels 1 to 5 round the side of +x, and a flat back (the balcony)."""
    return WIDTH * np.array([(-0.8, -1.0), (0.45, -1.0), (1.0, -0.45), (1.0, 0.45), (0.45, 1.0), (-0.8, 1.0)])


def bar(a: np.ndarray, b: np.ndarray) -> list[np.ndarray]:
    """The faces of a bar from a to b."""
    along = (b - a) / np.linalg.norm(b - a)
    across = np.cross(along, (0.0, 0.0, 1.0))
    across /= np.linalg.norm(across)
    other = np.cross(along, across)
    ends = [p + LEG * (i * across + j * other) for p in (a, b) for i in (-1, 1) for j in (-1, 1)]
    return hull_faces(np.array(ends))


def philae_shape() -> Facets:
    """Body and legs; the ends of the legs are where the data have them."""
    flat = outline()
    faces = hull_faces(np.vstack([np.column_stack([flat, np.full(len(flat), z)]) for z in (LOW, HIGH)]))
    for end in legs():
        faces += bar(np.array([0.3 * end[0], 0.3 * end[1], LOW + 0.05]), end)
    return Facets(tuple(faces))


@poses.register(Lander)
def _(system, t, y, q):
    attitude = y[:, :4] / np.linalg.norm(y[:, :4], axis=1)[:, None]
    return hovering(philae_shape(), attitude, np.tile([0.0, 0.0, HEIGHT], (len(y), 1)))
