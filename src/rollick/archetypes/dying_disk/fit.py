"""The exponent c of E ~ (t_f - t)^c from recorded collisions, and from the pattern they end in (sections 4.2.4, 4.3)."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ...kernel.names import InputError
from ...motion.impacts.pattern import repeated_word, self_similar


class Fit(NamedTuple):
    """c, the rms misfit of ln E, and the decades of energy that were fitted."""

    c: float
    misfit: float
    decades: float


def fitted(collisions: Any, low: float = 0.3, high: float = 0.8) -> Fit:
    """The line through ln E after the impacts against ln of the sum of the later flights, from `low` to `high` of the sequence."""
    count = len(collisions)
    if count < 20:
        raise InputError(f"{count} impacts are too few to fit an exponent; at least 20 are needed.")
    use = slice(int(low * count), int(high * count))
    x, y = collisions.log_remaining()[use], collisions.log_energy_after[use]
    slope, level = np.polyfit(x, y, 1)
    return Fit(float(slope), float(np.sqrt(np.mean((y - slope * x - level) ** 2))), float((y[0] - y[-1]) / math.log(10.0)))


def pattern_exponent(collisions: Any) -> tuple[tuple[int, ...], float]:
    """The word of points the sequence ends in, and c of the self-similar motion without gravity it carries; nan if there is none."""
    word = repeated_word(collisions.point)
    if not word:
        return (), math.nan
    good = [s.exponent for s in self_similar(collisions.plate, collisions.gamma, word) if s.feasible and s.beta_t < 1.0]
    return word, good[0] if good else math.nan
