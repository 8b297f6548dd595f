"""The characteristic of the flowmeter: the speed of the ball against the swirl (Figure 4.10), as the swirl slowly grows and as it slowly falls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...kernel.names import InputError
from .stationary import Stationary, stationary_states
from .system import FlowMeter
from .thresholds import thresholds


class Characteristic(NamedTuple):
    """Swirls; the states there (all of them); the stable one that is followed as the swirl grows (`up`) and as it falls (`down`)."""

    v_f: np.ndarray
    states: list[list[Stationary]]
    up: list[Stationary | None]
    down: list[Stationary | None]

    def speeds(self, way: str = "up") -> np.ndarray:
        """The speed of the ball on a way, NaN where there is no stable state."""
        return np.array([np.nan if s is None else s.v for s in (self.up if way == "up" else self.down)])


def followed(states: Sequence[list[Stationary]]) -> list[Stationary | None]:
    """The stable state nearest to the one before, from list to list."""
    last: Stationary | None = None
    found: list[Stationary | None] = []
    for here in states:
        stable = [s for s in here if s.stability != "unstable"]
        if not stable:
            found.append(None)
            continue
        before = last
        last = stable[0] if before is None else min(stable, key=lambda s: float(np.abs(s.x - before.x).max()))
        found.append(last)
    return found


def characteristic(meter: FlowMeter, swirls: Sequence[float] | None = None, count: int = 120) -> Characteristic:
    """The characteristic at given swirls; by default from nothing to beyond all changes."""
    if swirls is None:
        limits = thresholds(meter)
        swirls = np.linspace(0.0, 1.3 * max(limits.rolling, limits.SR_SS), count + 1)[1:].tolist()
    made = np.array(sorted(float(v) for v in swirls))
    if made.size == 0 or made[0] <= 0.0 or not np.all(np.isfinite(made)):
        raise InputError("a characteristic needs swirls above zero, in m/s.")
    states = [stationary_states(meter, float(v)) for v in made]
    return Characteristic(made, states, followed(states), followed(states[::-1])[::-1])
