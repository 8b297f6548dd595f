"""Derivatives by differences, where a complex step cannot go: through impact laws, which are solved by iteration, and through guards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..ode.columns import WEIGHTS

STEP = 2e-3  # of differences of smooth functions, relative to what is changed
STEPS = (
    1e-3,
    1e-4,
    1e-5,
    1e-6,
    1e-7,
    1e-8,
)  # of functions that are smooth over a distance of their own: the first two that agree
SAME = 1e-6  # relative: how well two of them agree
CORNER = 1e-5  # of a derivative: a change of it within the smallest step that is none
NOISE = 1e-3  # of the value: of a derivative (by a part of the input) that small, less than SAME of it is rounding


def difference(f: Callable[[float], Any], step: float = STEP) -> np.ndarray:
    """f'(0), by central differences of order six."""
    total: Any = 0.0
    for k, weight in enumerate(WEIGHTS, 1):
        total = total + weight * (np.asarray(f(k * step)) - np.asarray(f(-k * step)))
    return np.asarray(total / step)


def smooth_difference(f: Callable[[float], np.ndarray], middle: np.ndarray, least: float = 0.0) -> np.ndarray | None:
    """f'(0) by differences with shorter and shorter steps, until two agree; None where none do, or f has a corner at 0. middle: f(0); least: a derivative that is not small."""
    one = difference(f, STEPS[0])
    for step in STEPS[1:]:
        two = difference(f, step)
        size = max(float(np.abs(two).max()), least, NOISE * float(np.abs(middle).max()))
        if np.abs(one - two).max() <= SAME * size:
            return None if kinked(f, middle, step, size) else one
        one = two
    return None


def kinked(f: Callable[[float], np.ndarray], middle: np.ndarray, h: float, size: float) -> bool:
    """Whether f has a corner at 0, which central differences do not see: |f(h) - 2 f(0) + f(-h)|/h falls with h where f is smooth, and stays where it is not."""
    wide, narrow = (float(np.abs(f(d) - 2.0 * middle + f(-d)).max()) / d for d in (10.0 * h, h))
    return narrow > CORNER * size and narrow > 0.3 * wide
