"""Where a tippedisk is, in each of its parametrisations; it is drawn as a disk with a hole opposite to its mass centre, or with a plug (V2)."""

from __future__ import annotations

import numpy as np

from ...mechanics.body import Body
from ...mechanics.contact import positions
from ...mechanics.euler import from_zxz
from ...mechanics.poses import Poses, poses
from ...mechanics.shapes.convex import Rim
from ...mechanics.sliding.feet import Lowest
from ...mechanics.sliding.poses import drilled, free_poses
from .corotating import TippediskCorotating
from .euler import TippediskEuler
from .pose import Tippedisk, pose_of
from .quaternion import TippediskQuaternion
from .specimens import Disk


def as_body(disk: Disk) -> Body:
    """The disk as a body: a rim about e3, its mass centre S on e1."""
    shift = disk.m * disk.e**2
    inertia = ((disk.A, 0.0, 0.0), (0.0, disk.B - shift, 0.0), (0.0, 0.0, disk.C - shift))
    return Body(disk.m, inertia, (disk.e, 0.0, 0.0), Rim(disk.r))


def placed(system: Tippedisk, y: np.ndarray, attitude: np.ndarray) -> Poses:
    """The poses of a tippedisk from its states and its attitudes."""
    n = int(positions(system))
    disk = system.disk
    found = pose_of(system, y[:, :n], y[:, n:])
    centre = found.position + disk.e * found.attitude[:, :, 0]
    visible = drilled(disk.r, (disk.e, 0.0), disk.A, disk.Bb)
    return free_poses(as_body(disk), attitude, centre, Lowest(), (0.0, 0.0, -system.g), visible)


@poses.register(TippediskQuaternion)
def _(system, t, y, q):
    return placed(system, y, y[:, 3:7])


@poses.register(TippediskEuler)
@poses.register(TippediskCorotating)
def _(system, t, y, q):
    return placed(system, y, np.array([from_zxz(*row) for row in y[:, 3:6].tolist()]))
