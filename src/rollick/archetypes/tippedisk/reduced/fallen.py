"""Where reduced tippedisks end: the disk lies flat, beta = 0 or pi. Their equations would go on with the disk below the plane."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ....kernel.hooks import diagnose, guard
from .constrained import TippediskConstrained
from .slow import TippediskSlow, TippediskSlowNormalised
from .spinning import TippediskNormalised, TippediskReduced

FLAT = "The disk has fallen: it lies flat (beta = 0 or pi), where spin and rolling are one motion and the reduced equations end."
NEAR = 1e-3


def _ends(place: int) -> Callable[[np.ndarray, np.ndarray], tuple[int, str] | None]:
    def fallen(t: np.ndarray, y: np.ndarray) -> tuple[int, str] | None:
        gone = np.flatnonzero((y[:, place] <= NEAR) | (y[:, place] >= math.pi - NEAR))
        return (max(int(gone[0]) - 1, 0), FLAT) if gone.size else None

    return fallen


@guard.register(TippediskReduced)
@guard.register(TippediskNormalised)
@guard.register(TippediskSlow)
@guard.register(TippediskSlowNormalised)
def _(system):
    return _ends(0)


@guard.register(TippediskConstrained)
def _(system):
    return _ends(4)


@diagnose.register(TippediskSlow)
@diagnose.register(TippediskSlowNormalised)
def _(system, t, y):
    return FLAT if not 0.05 < y[0] < math.pi - 0.05 else ""
