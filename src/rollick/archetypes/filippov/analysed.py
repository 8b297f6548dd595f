"""The small Filippov systems beside what answers about their sets: the fields that jump, and the part of the set that is worth a map."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...analysis.filippov.what_follows import what_follows
from ...kernel.names import InputError, called
from .corner import BallInCorner
from .pool_ball import PoolBall, critical_speed, pool_ball
from .spring_disk import SpringDisk, spring_disk
from .toy import Toy, toy


class Chart(NamedTuple):
    """Where to look at a set: a state for one or two numbers, their names and ranges."""

    state: Callable[..., Any]
    names: tuple[str, ...]
    ranges: tuple[tuple[float, float], ...]


def analysis_of(system: Any) -> Any:
    """The `Switching` or `ExtendedSwitching` of a system with one contact, at t = 0 (without the surge of the water)."""
    if isinstance(system, PoolBall):
        return pool_ball(system.m, system.K, system.mu, system.g, (system.flow_y, system.flow_z))
    if isinstance(system, SpringDisk):
        return spring_disk(system.m, system.k, system.mu, system.g)
    if isinstance(system, Toy):
        return toy(system.sign)
    raise InputError(f"the fields of {called(system)} are known for PoolBall, SpringDisk and Toy; ask `what_follows` of it.")


def chart_of(system: Any) -> Chart:
    """The part of the set where its kind changes, with some margin."""
    if isinstance(system, PoolBall):
        far = 1.37 * critical_speed(system.m, system.K, system.mu, system.g)
        y, z = system.flow_y, system.flow_z
        return Chart(lambda p, q: [0.0, 0.0, p, q], ("v_y", "v_z"), ((y - far, y + far), (z - far, z + far)))
    if isinstance(system, SpringDisk):
        far = 4.5 * system.mu * system.g * system.m / system.k
        fast = far * (system.k / system.m) ** 0.5
        return Chart(lambda p, q: [p, q, 0.0], ("w", "v"), ((-far, far), (-fast, fast)))
    if isinstance(system, Toy):
        return Chart(lambda p: [0.0, 0.0, p], ("x3",), ((-3.0, 3.0),))
    raise InputError(f"there is no chart of {called(system)}; it is known for PoolBall, SpringDisk and Toy.")


def corner_kinds(ball: BallInCorner, slopes: np.ndarray, tilts: np.ndarray) -> np.ndarray:
    """What can follow rest in corners of these slopes and tilts: letters (S, R, O), joined by "or" where it is not unique."""

    def at(slope: float, tilt: float) -> str:
        found = what_follows(ball._replace(slope=float(slope), tilt=float(tilt)), {})
        return " or ".join(dict.fromkeys(f.letters for f in found)) or "none"

    return np.array([[at(slope, tilt) for tilt in tilts] for slope in slopes], dtype=object)
