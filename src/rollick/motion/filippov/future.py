"""A combination of modes that can follow an instant, for Python; in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .code import contact_code
from .forces import ROLL
from .futures import FORCE, MARGIN, MODE, MOST, PACE, WAY, WIDTH
from .mode import all_futures


@dataclass(frozen=True)
class Future:
    """Modes, directions and rates with which slip begins, forces (N, T1, T2 of both contacts), the margin of what rolls."""

    modes: tuple[int, int]
    way: np.ndarray
    pace: np.ndarray
    forces: np.ndarray
    margin: float
    count: int

    @property
    def letters(self) -> str:
        """S, R, O for each contact."""
        return "".join("OSR"[m] for m in self.modes[: self.count])

    def __str__(self) -> str:
        parts = []
        for k in range(self.count):
            if self.pace[k] > 0.0:
                angle = np.arctan2(self.way[2 * k + 1], self.way[2 * k])
                parts.append(f"slip begins at contact {k} along {angle:.6g} rad at {self.pace[k]:.6g}")
        if ROLL in self.modes[: self.count]:
            parts.append(f"margin {self.margin:.6g}")
        return self.letters + (f" ({', '.join(parts)})" if parts else "")


def found_futures(shape: tuple[int, int, bool], was: tuple[int, int], still: tuple[bool, bool], seen: Any) -> list[Future]:
    """All consistent combinations at an instant."""
    rows = np.zeros((MOST, WIDTH))
    w = np.where(np.isfinite(seen.w), seen.w, 0.0)
    number = all_futures(contact_code(), *shape, was, still, seen.c, seen.A, seen.mu, seen.load, w, rows)
    return [
        Future(
            (int(row[MODE]), int(row[MODE + 1])),
            row[WAY : WAY + 4].copy(),
            row[PACE : PACE + 2].copy(),
            row[FORCE : FORCE + 6].copy(),
            float(row[MARGIN]),
            shape[0],
        )
        for row in rows[:number]
    ]


__all__ = ["Future", "found_futures"]
