"""Which panels can be lit together (thesis 6.3.4).

The normals of panels 1..5 point to the azimuths 90, 45, 0, -45, -90 degrees, and a panel is lit within 90 degrees of its own. So the Sun
lights one of the sets 1, 12, 123, 1234, 2345, 345, 45, 5, at the edges between them the smaller 123, 234, 345, and with the Sun exactly
behind the lander or along its z axis none; panel 6 is independent. A pattern that is not among these has a shadow on some panel, or a fault.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from ...archetypes.lander.telemetry import PHASES, panels, phases, powers, times


class Violation(NamedTuple):
    """A row whose lit panels no direction of the Sun can light."""

    row: int
    utc: str
    phase: str
    lit: tuple[int, ...]
    gap: bool  # the lit ones among 1..5 are not even neighbours
    cured_by: tuple[int, ...]  # panels of which one more would make it possible


@functools.cache
def possible() -> frozenset[tuple[int, ...]]:
    """The sets of panels 1..5 that some direction of the Sun lights, found by going round in azimuth (edges included)."""
    _, normals = panels()
    found = set()
    for eighth in range(16):  # edges at multiples of 45 degrees, and between them
        angle = np.radians(22.5 * eighth)
        lit = normals[:5, :2] @ np.array([np.cos(angle), np.sin(angle)]) > 1e-9
        found.add(tuple(int(k) + 1 for k in np.flatnonzero(lit)))
    return frozenset(found | {()})


def lit_panels(measured: Any) -> tuple[int, ...]:
    """The numbers of the panels that give power."""
    return tuple(int(k) + 1 for k in np.flatnonzero(np.asarray(measured) > 0.0))


def contiguous(lit: tuple[int, ...]) -> bool:
    """Whether the lit ones among panels 1..5 are neighbours."""
    side = [k for k in lit if k < 6]
    return not side or side[-1] - side[0] == len(side) - 1


def violations() -> list[Violation]:
    """All rows of the power table with an impossible pattern."""
    found = []
    for i, measured in enumerate(powers()):
        lit = lit_panels(measured)
        side = tuple(k for k in lit if k < 6)
        if side in possible():
            continue
        cures = tuple(k for k in range(1, 6) if k not in side and tuple(sorted((*side, k))) in possible())
        found.append(Violation(i + 1, f"{times()[i]}Z", PHASES[phases()[i]], lit, not contiguous(lit), cures))
    return found
