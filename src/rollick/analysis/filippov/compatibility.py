"""Compatibility of the four fields of a body with two contacts (Definition 3.2).

(a), (b): the sliding vector of F_SS on Sigma_SR (Sigma_RS) is unique and equals F_SR (F_RS). (c), (d): the sliding vector of F_SR (F_RS) on Sigma_RR
equals F_RR. Coulomb friction is conjectured always to pass.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...kernel.names import InputError
from .theory.double import DoubleSwitching
from .theory.points import state
from .theory.sliding_vector import sliding_vector

SMALL = 1e-3  # a sliding vector below this part of the vectors that it combines is a zero with their rounding errors: differences are of that part


@dataclass(frozen=True)
class Compatibility:
    """The largest relative difference of each pair of fields, the state that has it, and states at which no sliding vector is unique."""

    differences: dict[str, float]
    worst: dict[str, np.ndarray]
    not_unique: tuple[tuple[str, np.ndarray], ...]
    states: int

    def holds(self, tolerance: float = 1e-10) -> bool:
        """Whether all four conditions hold to a tolerance."""
        return not self.not_unique and all(d <= tolerance for d in self.differences.values())


def compatibility(system: DoubleSwitching, states: Any) -> Compatibility:
    """Definition 3.2 at given states (rows), each projected to Sigma_SR, Sigma_RS and Sigma_RR by setting slips to zero."""
    rows = np.atleast_2d(np.asarray(states, float))
    if rows.size == 0:
        raise InputError("compatibility needs at least one state.")
    i, j, k = system.index
    differences = dict.fromkeys(("SS on SR", "SS on RS", "SR on RR", "RS on RR"), 0.0)
    worst: dict[str, np.ndarray] = {}
    loose: list[tuple[str, np.ndarray]] = []

    def compare(name: str, x: np.ndarray, value: np.ndarray, expected: np.ndarray, combined: float) -> None:
        size = max(np.abs(expected).max(), np.abs(value).max(), SMALL * combined, 1e-300)
        error = float(np.abs(value - expected).max() / size)
        if error >= differences[name]:
            differences[name], worst[name] = error, x

    for row in rows:
        for mode, keeps, rolls in (("SR", i, j), ("RS", j, i)):
            x = state(row)
            x[[rolls, k]] = 0.0
            if x[keeps] == 0.0:
                raise InputError(f"entry {keeps} of the state {row.tolist()} must not be zero: one contact is to slip.")
            limit = system.extended(mode, min(system.scale, abs(x[keeps]))).limit_field(x)
            sliding = sliding_vector(limit)
            if sliding.value is None:
                loose.append((f"SS on {mode}", x))
            else:
                size = float(np.median(np.abs(limit.samples).max(axis=1)))
                compare(f"SS on {mode}", x, sliding.value, np.asarray(getattr(system, mode)(x), float), size)
            both = state(row)
            both[[i, j, k]] = 0.0
            made, size = system.switching(mode).sliding_vector(both), float(np.abs(system.side(mode, both, 1.0)).max())
            compare(f"{mode} on RR", both, made, np.asarray(system.RR(both), float), size)
    return Compatibility(differences, worst, tuple(loose), len(rows))
