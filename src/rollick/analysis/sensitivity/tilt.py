"""A system moved along a direction in the space of its parameters: by a real distance, or by i eps (a complex step).

A direction is {path: amount}, a path being that of a float field ("m", "law.mu"). `tilted` makes *every* float of the system complex, whatever
the direction, so that one piece of machine code serves all parameters of a type of system.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...kernel.derivative import EPS
from ...kernel.paths import replaced, value_at
from ...motion.ode.columns import WEIGHTS

STEP = 2e-3  # of such differences, relative to what is changed


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


def difference(f: Callable[[float], Any], step: float = STEP) -> np.ndarray:
    """f'(0), by central differences of order six."""
    total: Any = 0.0
    for k, weight in enumerate(WEIGHTS, 1):
        total = total + weight * (np.asarray(f(k * step)) - np.asarray(f(-k * step)))
    return np.asarray(total / step)
