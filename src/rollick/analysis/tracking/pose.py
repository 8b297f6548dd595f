"""What of a system can be tracked, and how a system starts from what was tracked.

    pose_along(system, y)                     places (n, 3) of the body's point and attitudes (n, 3, 3), body to space, of states y (n, states); the states may be complex
    start_from(system, r, R, v, omega)        the numbers of a start by name, from place, attitude, velocity (space axes) and spin (body axes)

Bodies whose states hold x, y, z and a quaternion q0..q3 or p0..p3 tell their pose; bodies on a plane (`Sliding`) also how they start. Another kind of system registers its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.dispatch import generic
from ...kernel.names import InputError, called
from ...kernel.system import description
from ...mechanics.sliding.equations import Sliding

UPRIGHT = 0.3  # the sine of the lean below which z-x-z angles are not used


@generic
def pose_along(system, y):
    """Places and attitudes of states, one row each. Runs in Python, on real and complex numbers."""


@generic
def start_from(system, r, R, v, omega):
    """The numbers of a start by name. Runs in Python."""


def _places(system: Any) -> tuple[list[int], list[int]]:
    """Where x, y, z and the quaternion are among the states."""
    names = [q.name for q in description(system).states]
    for letter in "qp":
        wanted = ["x", "y", "z", *(f"{letter}{k}" for k in range(4))]
        if all(n in names for n in wanted):
            found = [names.index(n) for n in wanted]
            return found[:3], found[3:]
    raise InputError(
        f"{called(system)} tells no pose: its states are {', '.join(names)}. Register pose_along (and start_from) for it, or take a body with x, y, z and q0..q3."
    )


@pose_along.otherwise
def _(system, y):
    place, turn = _places(system)
    w, a, b, c = (y[:, k] for k in turn)
    s = 2.0 / (w * w + a * a + b * b + c * c)
    R = np.stack(
        [
            np.stack([1.0 - s * (b * b + c * c), s * (a * b - w * c), s * (a * c + w * b)], axis=-1),
            np.stack([s * (a * b + w * c), 1.0 - s * (a * a + c * c), s * (b * c - w * a)], axis=-1),
            np.stack([s * (a * c - w * b), s * (b * c + w * a), 1.0 - s * (a * a + b * b)], axis=-1),
        ],
        axis=-2,
    )
    return y[:, place], R


@start_from.otherwise
def _(system, r, R, v, omega):
    raise InputError(
        f"{called(system)} does not tell how it starts from a pose: give start and start_of, or register start_from for it."
    )


@start_from.register(Sliding)
def _(system, r, R, v, omega):
    """Angles (z-x-z; roll, pitch, yaw near upright), spin, x and y, and their rates; height and its rate follow from the closed contact."""
    R = np.asarray(R, float)
    lean = np.hypot(R[2, 0], R[2, 1])
    if lean > UPRIGHT:
        angles = {"phi": np.arctan2(R[0, 2], -R[1, 2]), "theta": np.arctan2(lean, R[2, 2]), "psi": np.arctan2(R[2, 0], R[2, 1])}
    else:
        angles = {
            "alpha": np.arcsin(np.clip(R[2, 1], -1.0, 1.0)),
            "beta": np.arctan2(-R[2, 0], R[2, 2]),
            "gamma": np.arctan2(-R[0, 1], R[1, 1]),
        }
    start = {**angles, **{f"omega{k + 1}": omega[k] for k in range(3)}}
    known = np.isfinite(r[:2]).all() and np.isfinite(v[:2]).all()
    start |= {"x": r[0], "y": r[1], "vx": v[0], "vy": v[1]} if known else {"vx": 0.0, "vy": 0.0}
    return {name: float(value) for name, value in start.items()}
