"""Candidates for the angular velocity after the first touchdown: the lines of the thesis, and where they lead back and forth in time."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...archetypes.lander.equations import state
from ...archetypes.lander.lander import Lander
from ...archetypes.lander.telemetry import FIRST_AFTER_TD1, event_times, times
from ...archetypes.lander.tracks import SUBSTEPS, states_along
from ...archetypes.lander.tumbling import first_sun
from ...kernel.names import InputError, choose
from .fit import RANGES, Line

# (6.18)-(6.21): a point and a direction in rad/s.
PRINTED_LINES = {
    "L1": ((0.5148, 0.3102, 0.1391), (0.6797, 0.4305, 0.5939)),
    "L2": ((-0.2116, 0.5308, 0.1185), (-0.2908, 0.7447, 0.6007)),
    "L3": ((-0.2141, 0.0559, 0.0000), (-0.5761, 0.1806, 0.7972)),
    "L4": ((0.2247, -0.1044, 0.0366), (0.5398, -0.2442, 0.8056)),
}
PRINTED_SUN = (0.5690, 0.1959, 0.7986)  # the start of all simulations, as printed
# The lines lie symmetrically about the azimuth 71 degrees, that of (0.1959, 0.5690), and their EMD is small and the same on all four only
# with this start (or, nearly, with omega_x and omega_y exchanged instead): the simulations of the thesis had x and y exchanged in one of them.
EXCHANGED_SUN = (0.1959, 0.5690, 0.7986)
MIRRORED_L1 = ((0.5148, -0.3102, 0.1391), (0.6797, -0.4305, 0.5939))  # L1*: what E19 suspected, before the exchange was found


def printed_line(name: str) -> Line:
    """One of the printed lines, L1..L4, or L1* with its y components reversed."""
    given = {**PRINTED_LINES, "L1*": MIRRORED_L1}
    point, direction = given[choose(name, given, "line")]
    way = np.array(direction)
    return Line(np.array(point), way / np.linalg.norm(way), 0.0, 0)


def along(line: Line, count: int = 121) -> np.ndarray:
    """Points of a line inside the box of angular velocities that the thesis searches."""
    far = np.linspace(-3.0, 3.0, 6001)
    points = line.point + far[:, None] * line.direction
    low, high = (np.array([r[i] for r in RANGES.values()]) for i in (0, 1))
    inside = far[np.all((points >= low - 1e-12) & (points <= high + 1e-12), axis=1)]
    if inside.size == 0:
        raise InputError("this line does not meet the box of angular velocities.")
    return line.point + np.linspace(inside[0], inside[-1], count)[:, None] * line.direction


def seconds_between(event: str) -> float:
    """The time from row 214 to an event in s; negative if the event was before."""
    return float((event_times()[event] - times()[FIRST_AFTER_TD1 - 1]) / np.timedelta64(1, "s"))


def at_touchdown(lander: Lander, omegas: Any, s0: Any = None) -> np.ndarray:
    """The states at the first touchdown, 43 s before row 214, for angular velocities at row 214; one row each."""
    span = seconds_between("TD1")
    start = first_sun() if s0 is None else s0
    steps = int(np.ceil(abs(span) * SUBSTEPS))
    return np.array([states_along(lander, state(start, w), span, 1, substeps=steps)[1] for w in np.atleast_2d(omegas)])


def speeds_at_touchdown(lander: Lander, omegas: Any, s0: Any = None) -> np.ndarray:
    """The angular speeds at the first touchdown."""
    return np.linalg.norm(at_touchdown(lander, omegas, s0)[:, 4:7], axis=1)


def on_printed_lines() -> np.ndarray:
    """Angular velocities all along the four printed lines."""
    return np.concatenate([along(printed_line(name)) for name in PRINTED_LINES])
