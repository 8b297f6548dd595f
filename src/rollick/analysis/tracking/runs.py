"""Do residuals look like noise? Runs of one sign, and correlation of neighbours.

In a row of n independent residuals, n1 above zero and n2 below, the number of runs has the mean 1 + 2 n1 n2/n and the variance 2 n1 n2 (2 n1 n2 - n)/(n^2 (n - 1)) (Wald and
Wolfowitz); the correlation of neighbours has the mean 0 and the variance 1/n.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.stats import norm

ODD = 1e-3  # chance below which a pattern is told


class Judged(NamedTuple):
    """Of one component: root mean square, runs (counted, expected), its chance, correlation of neighbours and its chance (two-sided)."""

    name: str
    rms: float
    runs: int
    expected: float
    chance: float
    correlation: float
    correlation_chance: float

    @property
    def suspicious(self) -> bool:
        """Whether a pattern shows."""
        return min(self.chance, self.correlation_chance) < ODD

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {**self._asdict(), "suspicious": self.suspicious}


def judged(name: str, r: np.ndarray) -> Judged:
    """The residuals of a component in the order of time."""
    signs = r[r != 0.0] > 0.0
    n1, n2 = int(signs.sum()), int((~signs).sum())
    n = n1 + n2
    runs = int(1 + np.sum(signs[1:] != signs[:-1])) if n else 0
    expected = 1.0 + 2.0 * n1 * n2 / n if n else 0.0
    variance = 2.0 * n1 * n2 * (2.0 * n1 * n2 - n) / (n * n * (n - 1.0)) if n > 1 else 0.0
    chance = 2.0 * float(norm.sf(abs(runs - expected) / np.sqrt(variance))) if variance > 0.0 else 0.0
    total = float(r @ r)
    along = float(r[1:] @ r[:-1] / total) if total > 0.0 else 0.0
    return Judged(
        name,
        float(np.sqrt(np.mean(r**2))),
        runs,
        expected,
        chance,
        along,
        2.0 * float(norm.sf(abs(along) * np.sqrt(max(r.size, 1)))),
    )
