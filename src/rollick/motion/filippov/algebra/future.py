"""A combination of modes that can follow an instant, for Python; in words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .cones import FAR
from .forces import ROLL
from .futures import FORCE, MARGIN, MODE, PACE, WAY


@dataclass(frozen=True)
class Future:
    """Modes, directions and rates with which slip begins, forces (N, T1, T2 of each contact), the margin of what rolls."""

    modes: tuple[int, ...]
    way: np.ndarray
    pace: np.ndarray
    forces: np.ndarray
    margin: float
    count: int

    @property
    def letters(self) -> str:
        """S, R, O for each contact; I for one that others keep closed, and that carries nothing."""
        return "".join("OSRI"[m] for m in self.modes[: self.count])

    def __str__(self) -> str:
        parts = []
        for k in range(self.count):
            if self.pace[k] > 0.0:
                angle = np.arctan2(self.way[2 * k + 1], self.way[2 * k])
                parts.append(f"slip begins at contact {k} along {angle:.6g} rad at {self.pace[k]:.6g}")
        if ROLL in self.modes[: self.count]:
            parts.append("wedged" if self.margin >= FAR else f"margin {self.margin:.6g}")
        return self.letters + (f" ({', '.join(parts)})" if parts else "")


def future_of(row: np.ndarray, count: int) -> Future:
    """A row of `futures`."""
    modes = int(row[MODE]), int(row[MODE + 1])
    way, pace, forces = row[WAY : WAY + 4].copy(), row[PACE : PACE + 2].copy(), row[FORCE : FORCE + 6].copy()
    return Future(modes, way, pace, forces, float(row[MARGIN]), count)
