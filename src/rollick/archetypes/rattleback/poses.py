"""Where the stone is: Kane and Levinson's frame, whose n3 points down, turned by half a turn about n1, so that z points up.

Their n1, n2, n3 become x, -y, -z. The stone's own axes stay as they are: X3 points down when it rests. What is drawn is the half of the
ellipsoid with X3 > 0, since only the lower surface is said to be ellipsoidal; the whole of it if the stone tips over onto the rest.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...mechanics.body import Body
from ...mechanics.poses import Poses, columns, poses, touching
from ...mechanics.shapes.convex import Ellipsoid
from ...mechanics.shapes.triangles import Half
from .quaternion_form import QuaternionRattleback
from .stone import Rattleback


def as_body(stone: Rattleback) -> Body:
    """The stone as a body; its mass centre lies on X3, below the ellipsoid's centre."""
    inertia = ((stone.A, stone.D, 0.0), (stone.D, stone.B, 0.0), (0.0, 0.0, stone.C))
    return Body(stone.M, inertia, (0.0, 0.0, stone.h), Ellipsoid(stone.a, stone.b, stone.c))


def attitudes(angles: np.ndarray) -> np.ndarray:
    """Quaternions of Rz(gamma) Rx(alpha) Ry(beta), from rows of alpha, beta, gamma."""
    (sa, sb, sg), (ca, cb, cg) = np.sin(0.5 * angles.T), np.cos(0.5 * angles.T)
    w, x, y, z = ca * cb, sa * cb, ca * sb, sa * sb  # Rx(alpha) Ry(beta)
    return np.stack([cg * w - sg * z, cg * x - sg * y, cg * y + sg * x, cg * z + sg * w], axis=1)


def upside_down(q: np.ndarray) -> np.ndarray:
    """Attitudes seen from the frame x = n1, y = -n2, z = -n3: the product of (0, 1, 0, 0) and q."""
    return np.stack([-q[:, 1], q[:, 0], -q[:, 3], q[:, 2]], axis=1)


def placed(stone: Rattleback, q: np.ndarray, track: Any, t: np.ndarray) -> Poses:
    """The poses of a stone from its attitudes and its track in Kane and Levinson's frame."""
    turned = None if track is None else track * np.array([1.0, -1.0])
    found = touching(as_body(stone), upside_down(q), turned, t=t)
    on_the_half = bool(np.all(found.footprint[:, 2] >= 0.0))
    return found._replace(visible=Half(found.body.shape)) if on_the_half else found


@poses.register(Rattleback)
def _(stone, t, y, q):
    return placed(stone, attitudes(y[:, :3]), columns(stone, q, "x", "y"), t)


@poses.register(QuaternionRattleback)
def _(system, t, y, q):
    return placed(system.stone, y[:, :4], None, t)
