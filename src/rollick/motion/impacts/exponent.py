"""The exponent c of E ~ (t_f - t)^c from recorded collisions."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ...kernel.names import InputError


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
