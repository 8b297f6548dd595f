"""Tangencies traced: points in the plane, curves in space, and the cusps on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...kernel.names import InputError
from .box import checked_box, zeros_in
from .curves import Curve, polished, trace
from .theory.switching import Switching, SwitchingPoint, lie


@dataclass(frozen=True)
class TangencyCurve:
    """A curve of tangencies of one field: its points, the kind at each, and the cusps at which visible turns into invisible."""

    curve: Curve
    side: str
    kinds: tuple[str, ...]
    cusps: tuple[np.ndarray, ...]


def _pair(system: Switching, side: str, x: np.ndarray) -> np.ndarray:
    return np.array([float(system.H(x)), float(lie(system, x, side, 1).value)])


def tangency_points(system: Switching, side: str, box: Sequence[tuple[float, float]], count: int = 64) -> list[SwitchingPoint]:
    """The tangencies of a side's field in a box of the plane (two states), from `count` starts."""
    if len(checked_box(box)) != 2:
        raise InputError(
            f"tangencies are points for two states, not for {len(box)}: use `tangency_curve` for three, `region_map` for more."
        )
    return [system.at(system.on_surface(x)) for x in zeros_in(lambda x: _pair(system, side, x), box, count)]


def tangency_curve(
    system: Switching, side: str, start: Sequence[float], box: Sequence[tuple[float, float]], step: float = 0.02
) -> TangencyCurve:
    """The curve of tangencies of a side's field through a point near `start`, within a box of three states; `step`: part of the box."""
    rows = checked_box(box)
    if len(rows) != 3:
        raise InputError(
            f"tangencies are curves for three states, not for {len(rows)}: use `tangency_points` for two, `region_map` for more."
        )
    spans = rows[:, 1] - rows[:, 0]
    inside = lambda x: bool(np.all(x >= rows[:, 0]) and np.all(x <= rows[:, 1]))
    curve = trace(lambda x: _pair(system, side, x), start, spans, step, inside, label=f"tangency of the {side} field")
    second = [float(lie(system, x, side, 2).value) for x in curve.points]
    sign = 1.0 if side == "positive" else -1.0
    cusps = []
    for x, y, a, b in zip(curve.points, curve.points[1:], second, second[1:]):
        if a * b < 0.0:
            full = lambda z: np.append(_pair(system, side, z), float(lie(system, z, side, 2).value))
            at = polished(full, x + a / (a - b) * (y - x), spans, 1e-10)
            if at is None:
                raise InputError(f"a cusp between {x.tolist()} and {y.tolist()} could not be found; try a smaller step.")
            cusps.append(at)
    return TangencyCurve(curve, side, tuple("visible" if sign * s > 0.0 else "invisible" for s in second), tuple(cusps))
