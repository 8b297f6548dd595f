"""How a tracker tells an attitude, and in which frames; all of it brought to one form: R from the body to space, space with z up.

quaternion   "scalar first" (q0 + i q1 + ...) or "scalar last"
euler        a sequence of axes about which one turns, "zxz": R = Z(a) X(b) Z(c) (about the axes that turn along)
inverse      what is told turns space to body
axes         columns: the axes of the tracker's space in ours (z up); r = axes r_told
target       what was tracked is a plate (or marker) glued to the body: columns are the body's axes in those of the plate, R = R_plate target
offset       the tracked point, in body axes, from the point the system is told by: r_G = r - R offset
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from ...kernel.names import InputError, choose

ORDERS = ("scalar first", "scalar last")


def from_quaternions(q: np.ndarray, order: str = "scalar first") -> np.ndarray:
    """Rotation matrices of quaternions of any length but zero; nan where a quaternion is."""
    choose(order, ORDERS, "order of quaternions")
    q = np.array(q, float)
    if order == "scalar first":
        q = np.roll(q, -1, axis=1)
    found = np.full((len(q), 3, 3), np.nan)
    length = np.linalg.norm(q, axis=1)
    good = np.isfinite(length)
    if (length[good] < 0.5).any() or (length[good] > 2.0).any():
        k = np.flatnonzero(good)[int(np.abs(np.log(np.maximum(length[good], 1e-300))).argmax())]
        raise InputError(f"the quaternion of frame {k + 1} has the length {length[k]:.3g}; those of attitudes have length 1.")
    if good.any():
        found[good] = Rotation.from_quat(q[good]).as_matrix()
    return found


def from_euler(angles: np.ndarray, sequence: str = "zxz") -> np.ndarray:
    """R = A(a) B(b) C(c) for a sequence of axes such as "zxz" or "zyx"; nan where an angle is."""
    letters = str(sequence).lower()
    if len(letters) != 3 or set(letters) - set("xyz") or letters[0] == letters[1] or letters[1] == letters[2]:
        raise InputError(
            f"euler = {sequence!r} is no sequence of axes; write e.g. 'zxz' or 'zyx', the axis turned about first first."
        )
    found = np.full((len(angles), 3, 3), np.nan)
    good = np.isfinite(angles).all(axis=1)
    if good.any():
        found[good] = Rotation.from_euler(letters.upper(), angles[good]).as_matrix()
    return found


def rotation(given: Any, what: str) -> np.ndarray:
    """A constant rotation: a 3x3 matrix, or None for none; refused unless it is right-handed and orthogonal."""
    if given is None:
        return np.eye(3)
    M = np.array(given, float)
    if M.shape != (3, 3) or not np.allclose(M @ M.T, np.eye(3), atol=1e-6):
        raise InputError(f"{what} must be a 3x3 matrix of orthogonal unit vectors; got {M.tolist()}.")
    if np.linalg.det(M) < 0.0:
        raise InputError(f"{what} = {M.tolist()} is left-handed: it mirrors. Turn the sign of one axis, or exchange two.")
    return M


def to_body(
    position: np.ndarray, attitude: np.ndarray, *, inverse: bool = False, axes: Any = None, target: Any = None, offset: Any = None
) -> tuple[np.ndarray, np.ndarray]:
    """Positions of the body's own point and attitudes, body to space."""
    R = np.swapaxes(attitude, 1, 2) if inverse else attitude
    A = rotation(axes, "axes")
    R = A @ R @ rotation(target, "target")
    r = position @ A.T
    lever = np.zeros(3) if offset is None else np.array(offset, float)
    if lever.shape != (3,) or not np.isfinite(lever).all():
        raise InputError(f"offset = {offset!r} must be three numbers [m]: the tracked point in body axes.")
    if lever.any():
        r = r - R @ lever
    return r, R
