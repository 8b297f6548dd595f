"""Where a rubber body of revolution is: from the angles of the reduced flow, R = Z(phi) X(theta) Z(psi), and its contact point (x, y)."""

from __future__ import annotations

import numpy as np

from ...kernel.system import description
from ...mechanics.body import Body
from ...mechanics.poses import poses, touching
from .body import RubberBody


def attitudes(theta: np.ndarray, psi: np.ndarray, phi: np.ndarray) -> np.ndarray:
    """Quaternions of Z(phi) X(theta) Z(psi), one row each."""
    c, s = np.cos(0.5 * theta), np.sin(0.5 * theta)
    total, rest = 0.5 * (phi + psi), 0.5 * (phi - psi)
    return np.stack([c * np.cos(total), s * np.cos(rest), s * np.sin(rest), c * np.sin(total)], axis=1)


@poses.register(RubberBody)
def _(body, t, y, q):
    column = {quantity.name: y[:, j] for j, quantity in enumerate(description(body).states)}
    inertia = ((body.I1, 0.0, 0.0), (0.0, body.I1, 0.0), (0.0, 0.0, body.I3))
    made = Body(body.m, inertia, (0.0, 0.0, body.s), body.shape)
    track = np.stack([column["x"], column["y"]], axis=1)
    return touching(made, attitudes(column["theta"], column["psi"], column["phi"]), track)
