"""A plane of states or parameters: two axes, and what each point of it means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...kernel.names import InputError


@dataclass(frozen=True)
class Plane:
    """`Plane(state, x=(low, high), y=(low, high))`: state(p, q) is the state of the point (p, q).

    Where the axes are parameters, the system is given as a function of (p, q) instead.
    """

    state: Callable[[float, float], Any]
    x: tuple[float, float]
    y: tuple[float, float]
    names: tuple[str, str] = ("x", "y")

    def __post_init__(self) -> None:
        if not callable(self.state):
            raise InputError(f"state must be a function of (p, q) that returns a state, not {self.state!r}.")
        for name, (low, high) in (("x", self.x), ("y", self.y)):
            if not (np.isfinite(low) and np.isfinite(high) and low < high):
                raise InputError(f"the range of {name} must be finite and increasing, not ({low}, {high}).")

    def contains(self, p: float, q: float) -> bool:
        """Whether a point is within the ranges."""
        return self.x[0] <= p <= self.x[1] and self.y[0] <= q <= self.y[1]

    @property
    def spans(self) -> np.ndarray:
        """The lengths of both ranges."""
        return np.array([self.x[1] - self.x[0], self.y[1] - self.y[0]])

    def grid(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        """`count` values along each axis."""
        return np.linspace(*self.x, count), np.linspace(*self.y, count)


def system_at(system: Any, kinds: tuple[type, ...], p: float, q: float) -> Any:
    """The system of a point: itself, or what a function of (p, q) returns."""
    result = system if isinstance(system, kinds) else system(p, q)
    if not isinstance(result, kinds):
        raise InputError(
            f"a system here is one of {', '.join(k.__name__ for k in kinds)}, or a function of (p, q) that returns one."
        )
    return result
