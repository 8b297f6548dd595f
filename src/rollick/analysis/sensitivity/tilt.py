"""A system moved along a direction in the space of its parameters: by a real distance, or by i eps (a complex step).

A direction is {path: amount}, a path being that of a float field ("m", "law.mu"). `tilted` makes *every* float of the system complex, whatever
the direction, so that one piece of machine code serves all parameters of a type of system. Time and states move along with it, by dt and dy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...kernel.derivative import EPS
from ...kernel.paths import replaced, value_at
from ...motion.hybrid.differences import difference


def moved(system: Any, direction: Mapping[str, float], distance: float) -> Any:
    """The system with p + distance d in place of p."""
    for path, amount in direction.items():
        system = replaced(system, path, value_at(system, path) + distance * amount)
    return system


def tilted(system: Any, direction: Mapping[str, float], prefix: str = "") -> Any:
    """The system with p + i eps d in place of p, all of its floats complex."""
    values: list[Any] = []
    for name, value in zip(system._fields, system):
        if isinstance(value, float):
            values.append(complex(value, EPS * direction.get(prefix + name, 0.0)))
        elif hasattr(value, "_fields"):
            values.append(tilted(value, direction, f"{prefix}{name}."))
        else:
            values.append(value)
    cls: Any = type(system)
    return cls(*values)


def slope_along(
    f: Callable[[Any, Any, Any], Any], system: Any, t: Any, y: np.ndarray, dt: Any, dy: np.ndarray, direction: Mapping[str, float]
) -> np.ndarray:
    """f_t dt + f_y dy + f_p d of f(system, t, y), by differences."""
    reach = max(1.0, float(np.max(np.abs(dy) / (1.0 + np.abs(y)), initial=0.0)), float(np.max(np.abs(dt))))

    def on_the_way(h: float) -> Any:
        h = h / reach
        return f(moved(system, direction, h), t + h * dt, y + h * dy)

    return difference(on_the_way) * reach


def column_by_column(slope: Callable[[float, np.ndarray], np.ndarray], dt: Any, dy: np.ndarray) -> np.ndarray:
    """slope(dt, dy) of one column, or of several (n, k) one beside the other; if parameters move, they do so with each."""
    if dy.ndim == 1:
        return slope(dt, dy)
    return np.stack([slope(float(late), column) for late, column in zip(dt, dy.T)], axis=-1)
