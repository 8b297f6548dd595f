"""The exponent c of E ~ (t_f - t)^c from recorded collisions, and from the pattern they end in (sections 4.2.4, 4.3)."""

from __future__ import annotations

import math
from typing import Any

from ...motion.impacts.exponent import Fit, fitted
from ...motion.impacts.pattern import repeated_word, self_similar

__all__ = ["Fit", "fitted", "pattern_exponent"]


def pattern_exponent(collisions: Any) -> tuple[tuple[int, ...], float]:
    """The word of points the sequence ends in, and c of the self-similar motion without gravity it carries; nan if there is none."""
    word = repeated_word(collisions.point)
    if not word:
        return (), math.nan
    good = [s.exponent for s in self_similar(collisions.plate, collisions.gamma, word) if s.feasible and s.beta_t < 1.0]
    return word, good[0] if good else math.nan
