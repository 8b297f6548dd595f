"""Where a reduced tippedisk is: S above one point of the plane, the spin angle Omega t."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....mechanics.euler import from_zxz
from ....mechanics.poses import Poses, poses
from ....mechanics.sliding.feet import Lowest
from ....mechanics.sliding.poses import drilled, free_poses
from ..poses import as_body
from .constrained import TippediskConstrained
from .slow import TippediskSlow
from .spinning import TippediskReduced


def placed(system: Any, alpha: np.ndarray, beta: np.ndarray, gamma: np.ndarray) -> Poses:
    """Poses with S at rest but for its height."""
    d = system.disk
    centre = np.stack([0.0 * beta, 0.0 * beta, (d.r + d.e * np.sin(gamma)) * np.sin(beta)], axis=1)
    attitude = np.array([from_zxz(*row) for row in zip(alpha.tolist(), beta.tolist(), gamma.tolist())])
    return free_poses(as_body(d), attitude, centre, Lowest(), (0.0, 0.0, -system.g), drilled(d.r, (d.e, 0.0), d.A, d.Bb))


@poses.register(TippediskReduced)
@poses.register(TippediskSlow)
def _(system, t, y, q):
    return placed(system, system.Omega * np.asarray(t, float), y[:, 0], y[:, 1])


@poses.register(TippediskConstrained)
def _(system, t, y, q):
    return placed(system, y[:, 3], y[:, 4], y[:, 5])
