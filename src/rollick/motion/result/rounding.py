"""What of a motion is nothing but rounding, and how many digits of a state its tolerance supports."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

ROUNDING = 1e-12  # of the largest state of its unit: what is smaller is rounding
MOST, LEAST = 10, 3  # digits


def largest_by_unit(motion: Any) -> dict[str, float]:
    """The largest state of each unit."""
    found: dict[str, float] = {}
    for j, q in enumerate(motion.about.states):
        found[q.unit] = max(found.get(q.unit, 0.0), float(np.max(np.abs(motion.y[:, j]), initial=0.0)))
    return found


def end_in_words(value: float, largest: float, rtol: float | None) -> str:
    """A state at the end of a motion: 0 where it is rounding beside the `largest` of its unit, else with the digits that rtol supports (None: ten)."""
    if abs(value) < ROUNDING * largest:
        return "0"
    digits = MOST if not rtol else min(MOST, max(LEAST, 1 + math.floor(-math.log10(rtol) + 0.5)))
    return f"{value:.{digits}g}"
