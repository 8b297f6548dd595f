"""Where a body is at many instants: what is needed to draw its motion.

    poses(system, t, y, q)    the `Poses` at the instants t, from the states y and the integrals q (one row each; q may be None)

The frame is the plane's: z along its upward normal, the plane at z = 0. A body that touches the plane in one point is placed by its
attitude and the track of that point, `touching(body, attitude, track)`. If it rolls without slipping the track follows from the attitudes,
`rolled_track`. A system of one's own is drawn once it has its version of `poses`:

    @poses.register(MyBody)
    def _(system, t, y, q):
        return touching(Body(...), y[:, :4], q[:, :2])
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..kernel.dispatch import generic
from ..kernel.names import InputError
from ..kernel.system import description
from .body import Body
from .rolling import Marble, Rubber
from .scenery import Bays, Small
from .shapes.convex import Rim
from .shapes.triangles import Ring, support_points


class Poses(NamedTuple):
    """A body at n instants.

    body: the `Body`; its vectors, like `footprint`, are in the axes of its shape
    visible: the shape to draw, that of the body or a part of it
    attitude: (n, 4) unit quaternions, scalar first, from the body to the plane's frame
    centre: (n, 3) the mass centre in the plane's frame
    contact: (n, 3) the contact point on the plane; of a body in the air, its lowest point
    footprint: (n, 3) the same point on the body, from the origin of its shape
    up: the upward vertical in the plane's frame: (0, 0, 1) unless the plane is tilted
    touch: (n,) for bodies that may leave the plane: 0 in the air, else the number (1, 2, ...) of the piece of the track to which the instant
        belongs; the track is drawn between instants of one piece only. None: one piece, always in contact
    second: (n, 3) the second contact point, of a body with two; None if there is one
    outline: lines (k, 3) of what it touches besides the plane, in the plane's frame
    spin: (n,) angles about e2 by which the body is turned before its attitude turns it, for spins so fast that little is left of them between
        instants; `footprint` is then that of the body without its spin. None: there is no such spin
    modes: (n, k) what its contacts do (0 open, 1 slips, 2 rolls), where the system itself tells and not the motion; None else
    ground: the height of the plane that is drawn
    bays: what it runs along
    small: displacements that a picture may enlarge
    """

    body: Body
    visible: Any
    attitude: np.ndarray
    centre: np.ndarray
    contact: np.ndarray
    footprint: np.ndarray
    up: tuple[float, float, float]
    touch: np.ndarray | None = None
    second: np.ndarray | None = None
    outline: tuple[np.ndarray, ...] = ()
    spin: np.ndarray | None = None
    modes: np.ndarray | None = None
    ground: float = 0.0
    bays: Bays | None = None
    small: Small | None = None


@generic
def poses(system, t, y, q):
    """The `Poses` of a system's body at the instants t, from the states y and the integrals q (None if there are none). Runs in Python."""


@poses.register(Marble)
@poses.register(Rubber)
def _(system, t, y, q):
    return touching(system.body, y[:, :4], columns(system, q, "x", "y"), up=upward(system.gravity), t=t)


def columns(system: Any, q: np.ndarray | None, *names: str) -> np.ndarray | None:
    """Some of a system's integrals by name; None where a motion has none."""
    if q is None:
        return None
    known = [quantity.name for quantity in description(system).integrals]
    return q[:, [known.index(name) for name in names]]


def upward(gravity: Any) -> tuple[float, float, float]:
    """The direction against gravity; along z where there is none."""
    g = np.array(gravity, float)
    size = float(np.linalg.norm(g))
    x, y, z = (-g / size).tolist() if size > 0.0 else (0.0, 0.0, 1.0)
    return x, y, z


def matrices(attitude: np.ndarray) -> np.ndarray:
    """The rotation matrices of quaternions of any length, one per row."""
    w, x, y, z = np.asarray(attitude, float).T
    s = 2.0 / (w * w + x * x + y * y + z * z)
    return np.stack(
        [
            np.stack([1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)], axis=-1),
            np.stack([s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x)], axis=-1),
            np.stack([s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y)], axis=-1),
        ],
        axis=-2,
    )


def unit_quaternions(attitude: np.ndarray) -> np.ndarray:
    """Quaternions at unit length, each on the side of the one before it (q and -q are the same attitude)."""
    q = np.array(attitude, float).reshape(-1, 4)
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    turned = np.sign(np.einsum("ij,ij->i", q[1:], q[:-1]))
    q[1:] *= np.cumprod(np.where(turned < 0.0, -1.0, 1.0))[:, None]
    return q


def visible_part(body: Body) -> Any:
    """The shape to draw: that of the body, but a ring for a thin edge that has its mass there (a hoop, not a disk)."""
    shape = body.shape
    if isinstance(shape, Rim) and body.inertia[2][2] > 0.75 * body.mass * shape.R**2:
        return Ring(shape.R)
    return shape


def touching(
    body: Body, attitude: np.ndarray, track: np.ndarray | None, up: Any = (0.0, 0.0, 1.0), t: Any = None, visible: Any = None
) -> Poses:
    """The poses of a convex body on the plane, from its attitudes and the track (x, y) of its contact point.

    Without a track the body is taken to roll without slipping, and the track follows from its attitudes at the times t.
    """
    q = unit_quaternions(attitude)
    r = matrices(q)
    footprint = support_points(body.shape, -r[:, 2])
    if track is None:
        track = rolled_track(t, r, footprint)
    contact = np.zeros((len(q), 3))
    contact[:, :2] = track
    lever = np.einsum("nij,nj->ni", r, footprint - np.array(body.centre))
    return Poses(body, visible_part(body) if visible is None else visible, q, contact - lever, contact, footprint, tuple(up))


def rolled_track(t: Any, rotations: np.ndarray, footprint: np.ndarray) -> np.ndarray:
    """The track (x, y) of a body that rolls without slipping, from the origin, with p the contact point on the body.

    The point of the body at the contact rests: its origin moves at -R' p, and the track is that of the origin plus R p. R is a cubic spline
    through the instants, and the integral is by Simpson's rule: of fourth order in their distance.
    """
    from scipy.integrate import cumulative_simpson
    from scipy.interpolate import CubicSpline

    times = np.asarray(t, float) - t[0]
    if times.size < 3:
        raise InputError(
            f"this motion has no integrals and {times.size} instants, too few to find the track of the contact point; "
            "simulate with integrals=True, or ask for more output times."
        )
    sense = 1.0 if times[-1] > 0.0 else -1.0  # a motion may run backward
    turning = CubicSpline(sense * times, rotations)(sense * times, 1)
    origin = cumulative_simpson(-np.einsum("nij,nj->ni", turning, footprint), x=sense * times, axis=0, initial=0.0)
    track = (origin + np.einsum("nij,nj->ni", rotations, footprint))[:, :2]
    return track - track[0]
