"""In which directions slip can begin: along its own acceleration, which depends on the direction through the friction.

For one contact the directions are the zeros of a trigonometric polynomial, and all of them are found. For several that begin together they are
found by Newton's method from many starts.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from rollick.motion.contact.held import STICK
from rollick.motion.contact.without_collision import zeros_on_circle
from rollick.motion.event_driven.thresholds import SMALL

from .seen import View

STARTS, ROUNDS = 8, 25
FIRST = 4  # iterations that only follow the acceleration
TURN = 1e-6  # rad: of differences
FOUND = 1e-11  # relative to the acceleration


def slip_directions(c: np.ndarray, A: np.ndarray, mu: float, least: float = SMALL) -> list[np.ndarray]:
    """All directions d in which slip can begin: N > 0 and a_T = alpha d with alpha > `least` of the accelerations; the largest alpha first.

    d x a_T(d) D(d) is a trigonometric polynomial of second degree: at most four zeros, from its coefficients.
    """

    def at(angle: Any) -> tuple[Any, Any, Any]:
        d = np.array([np.cos(angle), np.sin(angle)])
        drive = A[0, 0] - mu * (A[0, 1:] @ d)
        along = [c[i] * drive - c[0] * (A[i, 0] - mu * (A[i, 1:] @ d)) for i in (1, 2)]  # D a_T
        return d, drive, np.array(along)

    found = []
    for angle in zeros_on_circle(lambda angles: at(angles)[::2]):
        way, drive, along = at(angle)
        normal = -c[0] / drive if drive != 0.0 else -1.0
        alpha = float(along @ way) / drive if drive != 0.0 else -1.0
        if normal > 0.0 and alpha > least * np.abs(c).max():
            found.append((alpha, way))
    return [way for _, way in sorted(found, key=lambda entry: -entry[0])]


def directions_together(
    seen: View,
    modes: tuple[int, ...],
    beginners: tuple[int, ...],
    guesses: Iterable[dict[int, np.ndarray]] = (),
    first: bool = False,
) -> list[dict[int, np.ndarray]]:
    """Directions in which the slip of several contacts can begin together, the modes of the others given: a_T = alpha d, alpha > 0, at each.

    `first`: nothing but the first that is found.
    """
    scale = max(float(np.abs(seen.c).max()), 1e-300)
    free = {k: np.zeros(2) for k in beginners}
    stuck = tuple(STICK if k in beginners else m for k, m in enumerate(modes))
    starts = [*guesses, pulled(seen, seen.accelerations(seen.forces(modes, free)), beginners)]
    starts.append(pulled(seen, -seen.forces(stuck).reshape(-1, 3), beginners))
    for i in range(STARTS):
        angle = 2.0 * math.pi * (i + 0.3) / STARTS
        starts.append({k: np.array([math.cos(angle), math.sin(angle)]) for k in beginners})
    found: list[dict[int, np.ndarray]] = []
    for start in starts:
        ways = newton(seen, modes, beginners, start, scale)
        if ways and all(max(float(np.abs(ways[k] - other[k]).max()) for k in beginners) > 1e-6 for other in found):
            found.append(ways)
            if first:
                break
    return found


def pulled(seen: View, vectors: np.ndarray, beginners: tuple[int, ...]) -> dict[int, np.ndarray]:
    """The directions of vectors at contacts."""
    made = {}
    for k in beginners:
        size = math.hypot(vectors[k, 1], vectors[k, 2])
        made[k] = vectors[k, 1:] / size if size > 0.0 else np.array([1.0, 0.0])
    return made


def newton(
    seen: View, modes: tuple[int, ...], beginners: tuple[int, ...], start: dict[int, np.ndarray], scale: float
) -> dict[int, np.ndarray] | None:
    """Zeros of d x a_T(d) from a start; None if there are none near it, or if the slip would not grow."""

    def ways_of(angles: np.ndarray) -> dict[int, np.ndarray]:
        return {k: np.array([math.cos(a), math.sin(a)]) for k, a in zip(beginners, angles)}

    def cross(angles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        ways = ways_of(angles)
        a = seen.accelerations(seen.forces(modes, ways))
        turn = np.array([ways[k][0] * a[k, 2] - ways[k][1] * a[k, 1] for k in beginners])
        along = np.array([ways[k] @ a[k, 1:] for k in beginners])
        return turn, along

    angles = np.array([math.atan2(start[k][1], start[k][0]) for k in beginners])
    for trial in range(ROUNDS):
        turn, along = cross(angles)
        if not np.all(np.isfinite(turn)):
            return None
        if float(np.abs(turn).max()) <= FOUND * scale:
            return ways_of(angles) if float(along.min()) > SMALL * scale else None
        if trial < FIRST:
            angles = angles + np.arctan2(turn, along)
            continue
        slope = np.array([(cross(angles + TURN * e)[0] - turn) / TURN for e in np.eye(len(beginners))]).T
        step = np.linalg.lstsq(slope, -turn, rcond=1e-12)[0]
        angles = angles + step * min(1.0, 0.5 / max(float(np.abs(step).max()), 1e-300))
    return None
