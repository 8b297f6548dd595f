"""How far a shock ratio can be believed: the same drop with ever smaller tolerance eps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...motion.result.trust import Check, Trust

LAWS = 1e-6  # relative: a law of impact or flight that misses by more is broken


@dataclass(frozen=True)
class Convergence:
    """R at tolerances from coarse to fine; the ones at and below the tolerance that was asked for decide."""

    eps: tuple[float, ...]
    R: tuple[float, ...]
    asked: float
    rtol: float

    @property
    def spread(self) -> float:
        """The largest relative difference of R at eps, eps/10 and eps/100."""
        fine = np.array([r for e, r in zip(self.eps, self.R) if e <= 1.0001 * self.asked])
        if fine.size < 2 or not np.all(np.isfinite(fine)):
            return np.inf
        return float(np.ptp(fine) / max(np.abs(fine).max(), 1e-300))

    @property
    def digits(self) -> float:
        """Digits of R that do not depend on eps (at most 16)."""
        return float(min(16.0, -np.log10(max(self.spread, 1e-16)))) if np.isfinite(self.spread) else 0.0

    @property
    def converged(self) -> bool:
        """Whether they agree within rtol."""
        return self.spread <= self.rtol

    @property
    def settles(self) -> float | None:
        """The largest tolerance from which on R stays within rtol of the last value; None if it never does."""
        last = self.R[-1]
        found = None
        for e, r in zip(reversed(self.eps), reversed(self.R)):
            if not abs(r - last) <= self.rtol * abs(last):
                break
            found = e
        return found if self.converged else None

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "eps": list(self.eps),
            "R": [r if np.isfinite(r) else "infinite" for r in self.R],
            "converged": self.converged,
            "digits": round(self.digits, 1),
            "settles_at_eps": self.settles,
        }

    def record(self) -> dict[str, Any]:
        """What `recorded` makes it of again."""
        return {"eps": self.eps, "R": self.R, "asked": self.asked, "rtol": self.rtol}

    @classmethod
    def recorded(cls, said: Any) -> Convergence:
        """From a record in a file, checked."""
        eps, R = (tuple(float(x) for x in said[name]) for name in ("eps", "R"))
        if len(eps) != len(R) or not eps or not all(0.0 < e < 1.0 for e in eps):
            raise ValueError("the tolerances and their R do not fit")
        return cls(eps, R, float(said["asked"]), float(said["rtol"]))

    def text(self) -> str:
        """In one line."""
        if self.converged:
            return f"{self.digits:.0f} digits do not depend on eps; R settles at eps = {self.settles:.0e}"
        return f"NOT converged: R = {', '.join(f'{r:.6g}' for r in self.R[-3:])} at eps = {', '.join(f'{e:.0e}' for e in self.eps[-3:])}"


def tolerances(eps: float) -> list[float]:
    """From 1e-2 down in decades to the tolerance asked for, and two decades further."""
    coarse = [10.0**k for k in range(-2, -14, -1) if 10.0**k > 1.5 * eps]
    return [*coarse, eps, 0.1 * eps, 0.01 * eps]


def drop_trust(laws: dict[str, float], convergence: Convergence | None) -> Trust:
    """How far a drop is to be believed: how well the laws of impact and flight were kept, and whether R depends on the tolerance."""
    checks = [Check(name, f"{name.replace('_', ' ')} {missed:.1e}", missed, LAWS) for name, missed in laws.items()]
    if convergence is not None:
        cause = "Take a smaller eps, or do not believe R."
        checks.append(Check("convergence", convergence.text(), convergence.spread, convergence.rtol, convergence.digits, cause))
    return Trust(tuple(checks))
