"""The tippedisk as a tracked body: its pose from its states, its start from a pose, and the markers of Sailer's disk (chapter 7)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...analysis.tracking.pose import pose_along, start_from
from ...kernel.names import InputError, choose
from ...mechanics.contact import positions
from .corotating import TippediskCorotating
from .euler import TippediskEuler
from .pose import Pose, lowest_point, pose_of, rates_of, turned
from .quaternion import TippediskQuaternion

TARGETS = ("id0", "id1")
HALF_HEIGHT = 5e-3  # m, Table 7.1
SENSES = {"table": 1.0, "text": -1.0}


@pose_along.register(TippediskQuaternion)
@pose_along.register(TippediskEuler)
@pose_along.register(TippediskCorotating)
def _(system, y):
    n = int(positions(system))
    found = pose_of(system, y[:, :n], y[:, n:])
    return found.position, found.attitude


@start_from.register(TippediskQuaternion)
@start_from.register(TippediskEuler)
@start_from.register(TippediskCorotating)
def _(system, r, R, v, omega):
    """Angles and rates, x and y of G, and the slip of the lowest point; the height follows from the closed contact."""
    pose = Pose(np.asarray(r, float), np.asarray(R, float), np.asarray(v, float), np.asarray(omega, float))
    rates = rates_of(pose)
    if np.isnan(rates).any():
        raise InputError(
            "the disk lies flat at the start of the track: alpha and gamma cannot be told apart. Begin at another frame (since)."
        )
    R = pose.attitude
    alpha, gamma = np.arctan2(R[0, 2], -R[1, 2]), np.arctan2(R[2, 0], R[2, 1])
    beta = np.arctan2(np.hypot(R[2, 0], R[2, 1]), R[2, 2])
    height = system.disk.r * float(np.sin(beta))
    if np.isfinite(r[2]) and abs(r[2] - height) > 0.5 * system.disk.r:
        raise InputError(
            f"the track begins with the middle of the disk {r[2]:.4g} m above z = 0, where a disk of radius {system.disk.r:g} m that leans so and touches the plane has {height:.4g} m: "
            f"check the unit of places (mm?), the axes (z must point up, the plane be z = 0), the offset, and the order of quaternions or angles."
        )
    slip = turned(-alpha, pose.velocity + np.cross(R @ pose.omega, lowest_point(pose, system.disk.r)))
    known = np.isfinite(r[:2]).all() and np.isfinite(slip).all()
    start = {"alpha": alpha, "beta": beta, "gamma": gamma, "alpha_rate": rates[0], "beta_rate": rates[1], "gamma_rate": rates[2]}
    start |= {"x": r[0], "y": r[1], "slip_x": slip[0], "slip_y": slip[1]} if known else {"slip_x": 0.0, "slip_y": 0.0}
    return {name: float(value) for name, value in start.items()}


def target(marker: str, sense: str = "table") -> dict[str, Any]:
    """How a marker of Sailer's disk sits on it, for `read_track(..., **target("id0"))`: the body's axes in those of the marker, and its place.

    Table 7.1 (E20: its e_y^B = -e_y^T0 occurs twice; -e_x^T0 makes the frame right-handed):

        id0    e_x^B =  e_y^T,  e_y^B = -e_x^T,  e_z^B =  e_z^T,   5 mm above G
        id1    e_x^B =  e_y^T,  e_y^B =  e_x^T,  e_z^B = -e_z^T,   5 mm below G

    The text says that e_y^T points *opposite* to e_x^B: sense="text" turns both by half a turn about e_z^B, so that gamma changes by pi. Which is right, the
    thesis does not settle; a fit does, since gamma = -pi/2 must be the state that is left.
    """
    choose(marker, TARGETS, "marker")
    s = SENSES[choose(sense, SENSES, "sense")]
    if marker == "id0":
        body = np.array([[0.0, -s, 0.0], [s, 0.0, 0.0], [0.0, 0.0, 1.0]])  # columns: e_x^B, e_y^B, e_z^B in T0
        return {"target": body, "offset": (0.0, 0.0, HALF_HEIGHT)}
    body = np.array([[0.0, s, 0.0], [s, 0.0, 0.0], [0.0, 0.0, -1.0]])
    return {"target": body, "offset": (0.0, 0.0, -HALF_HEIGHT)}
