"""Curves given by equations: n equations in n + 1 unknowns, followed by pseudo-arclength, every point polished by Newton."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...kernel.names import InputError

Residual = Callable[[np.ndarray], Any]


@dataclass(frozen=True)
class Curve:
    """Points of a curve, one per row; whether it closes; the largest residual; why it ended at either end."""

    points: np.ndarray
    closed: bool
    residual: float
    ends: tuple[str, str]
    label: str = ""


def differences(residual: Residual, z: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """The Jacobian of a residual by central differences (good enough to converge; the residual itself decides what is a zero)."""
    columns = []
    for j in range(z.size):
        h = np.zeros(z.size)
        h[j] = 3e-6 * scales[j]
        columns.append((np.atleast_1d(residual(z + h)) - np.atleast_1d(residual(z - h))) / (2.0 * h[j]))
    return np.stack(columns, axis=1)


def polished(
    residual: Residual, z: np.ndarray, scales: np.ndarray, tolerance: float = 1e-12, steps: int = 30
) -> np.ndarray | None:
    """The zero nearest to z: Newton steps of least length; None if they do not converge to `tolerance` of the scales."""
    z = np.array(z, float)
    size = np.inf
    for _ in range(steps):
        try:
            value = np.atleast_1d(np.asarray(residual(z), float))
            jacobian = differences(residual, z, scales) * scales
        except InputError:  # Newton went where the residual is not defined
            return None
        if not (np.all(np.isfinite(value)) and np.all(np.isfinite(jacobian))):
            return None
        step = np.linalg.lstsq(jacobian, -value, rcond=1e-13)[0]
        before, size = size, float(np.linalg.norm(step))
        if size > 1.0 and size > before:
            return None
        z = z + step * scales
        if size <= tolerance:
            return z
        if size >= 0.5 * before and size <= 1e3 * tolerance:  # rounding: no better than this
            return z
    return None


def trace(
    residual: Residual,
    start: Sequence[float],
    scales: Sequence[float] | None = None,
    step: float = 0.05,
    inside: Callable[[np.ndarray], bool] | None = None,
    max_points: int = 2000,
    label: str = "",
    angles: int = 0,
) -> Curve:
    """The curve residual = 0 through a point near `start`, both ways, as far as `inside` holds.

    Lengths are measured in `scales` (one per unknown, default 1); steps are at most `step`, shorter where the curve bends by more than 0.2 rad.
    The first `angles` unknowns are angles: the curve closes also where they have made full turns.
    """
    scale = np.ones(len(start)) if scales is None else np.asarray(scales, float)
    first = polished(residual, np.asarray(start, float), scale)
    if first is None:
        raise InputError(f"no point of the curve was found near {list(start)}: start nearer to it.")
    if np.atleast_1d(residual(first)).size != first.size - 1:
        raise InputError(
            f"a curve in {first.size} unknowns needs {first.size - 1} equations, not {np.atleast_1d(residual(first)).size}."
        )
    tangent = _tangent(residual, first, scale, None)
    ahead, end, closed = _walk(residual, first, tangent, scale, step, inside, max_points, angles)
    if closed:
        points, ends = ahead, ("closed", "closed")
    else:
        behind, other, _ = _walk(residual, first, -tangent, scale, step, inside, max_points, angles)
        points, ends = [*behind[:0:-1], *ahead], (other, end)
    rows = np.array(points)
    worst = max(float(np.abs(np.atleast_1d(residual(z))).max()) for z in rows)
    return Curve(rows, closed, worst, ends, label)


def _tangent(residual: Residual, z: np.ndarray, scale: np.ndarray, along: np.ndarray | None) -> np.ndarray:
    """The unit tangent in scaled unknowns, in the sense of the one before."""
    direction = np.linalg.svd(differences(residual, z, scale) * scale)[2][-1]
    return -direction if along is not None and direction @ along < 0.0 else direction


def _walk(
    residual: Residual,
    first: np.ndarray,
    tangent: np.ndarray,
    scale: np.ndarray,
    step: float,
    inside: Callable[[np.ndarray], bool] | None,
    max_points: int,
    angles: int,
) -> tuple[list[np.ndarray], str, bool]:
    points, h, sense = [first], step, tangent
    while len(points) < max_points:
        z = points[-1]
        border = lambda w, z=z, t=tangent, h=h: np.append(np.atleast_1d(residual(w)), ((w - z) / scale) @ t - h)
        new = polished(border, z + h * tangent * scale, scale)
        try:
            turn = None if new is None else _tangent(residual, new, scale, tangent)
        except InputError:
            turn = None
        if new is None or turn is None or turn @ tangent < np.cos(0.2):
            h *= 0.5
            if h < 1e-3 * step:
                return (
                    points,
                    "the curve could not be followed further (a corner, a crossing, or the end of what is defined)",
                    False,
                )
            continue
        if inside is not None and not inside(new):
            return points, "left the region", False
        apart = first - new
        apart[:angles] = (apart[:angles] + np.pi) % (2.0 * np.pi) - np.pi
        gap = np.linalg.norm(apart / scale)
        if len(points) > 3 and gap < 1.01 * h and turn @ sense > 0.5:
            return [*points, new, new + apart], "closed", True
        points.append(new)
        tangent, h = turn, min(1.5 * h, step)
    return points, f"{max_points} points were not enough", False
