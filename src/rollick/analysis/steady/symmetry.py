"""States that ride along: those that the rates of the others do not depend on.

A state that no rate depends on is cyclic: the body may be turned or shifted along it, and a steady motion keeps its rate, not its value. Once such
states are set aside, further ones may be: the heading of a rolling body moves its track alone, and the track moves nothing. What is left is the
reduced system, whose equilibria are the relative equilibria of the whole: spinning, rolling in a circle, travelling.
"""

from __future__ import annotations

from typing import Any

import numpy as np

SAMPLES = 6
SMALL = 1e-12  # of the largest entry of its row: a derivative that is zero but for rounding


def dependence(field: Any, y: np.ndarray, seed: int = 0) -> np.ndarray:
    """Whether rate i depends on state j, seen at random states about y (and at y itself)."""
    random = np.random.default_rng(seed)
    depends = np.zeros((field.n, field.n), bool)
    spread, found, tries = 0.5, 0, 0
    while found < SAMPLES and tries < 40:
        at = y + spread * random.normal(size=y.size) * np.maximum(np.abs(y), 1.0)
        tries += 1
        with np.errstate(all="ignore"):
            f, J = field.rate_and_jacobian(at)
        if not (np.all(np.isfinite(f)) and np.all(np.isfinite(J))):
            spread *= 0.8
            continue
        found += 1
        size = np.maximum(np.max(np.abs(J), axis=1, keepdims=True), 1e-300)
        depends |= np.abs(J) > SMALL * size
    if found == 0:  # nothing is known: nothing is free
        depends[:] = True
    return depends


def free_states(depends: np.ndarray) -> list[int]:
    """The states that the rates of the remaining ones do not depend on, found one round after the other."""
    kept = list(range(len(depends)))
    while True:
        idle = [j for j in kept if not any(depends[i, j] for i in kept)]
        if not idle or len(idle) == len(kept):
            return [j for j in range(len(depends)) if j not in kept]
        kept = [j for j in kept if j not in idle]


def constant_rates(depends: np.ndarray, free: list[int]) -> list[int]:
    """Of the free states those whose rate is constant in a steady motion: it depends on no free state."""
    return [i for i in free if not any(depends[i, j] for j in free)]
