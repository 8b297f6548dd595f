"""How far a result is to be believed: what was checked, by how much it missed, what the tolerances explain, and the verdict."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from .outcome import DOUBTFUL

NOT_CHECKED = "not checked"
CONFIRMED = "no check misses by more than the tolerances explain"


@dataclass(frozen=True)
class Check:
    """One check of a result: by how much it missed and what the tolerances explain, both relative to the same scale.

    text: what was compared, and with what outcome. digits: how many digits of the states this check leaves, 16 for all. cause: what to look at where it fails.
    """

    name: str
    text: str
    missed: float
    explained: float
    digits: float = 16.0
    cause: str = ""

    @property
    def passed(self) -> bool:
        """Whether the tolerances explain what is missing; False also where that is not a number."""
        return self.missed <= self.explained


@dataclass(frozen=True)
class Trust:
    """The checks of a result. After `verify=True` also the digits of each state, over the whole motion and at its end: the least that any check leaves."""

    checks: tuple[Check, ...] = ()
    names: tuple[str, ...] = ()
    digits: tuple[float, ...] = ()
    final_digits: tuple[float, ...] = ()

    @property
    def worst(self) -> float:
        """The digits of the state one knows least about; NaN if nobody asked for digits (`verify=True`)."""
        return min(self.digits, default=math.nan)

    @property
    def doubts(self) -> tuple[Check, ...]:
        """The checks that missed by more than the tolerances explain."""
        return tuple(check for check in self.checks if not check.passed)

    @property
    def verdict(self) -> str:
        """One sentence: nothing was checked, every check passed, or which did not and why."""
        if not self.checks:
            return NOT_CHECKED
        if not self.doubts:
            return CONFIRMED
        return f"{DOUBTFUL}: {' '.join(told(check) for check in self.doubts)}"

    def after(self, message: str) -> str:
        """How a result ended, and the doubts about it, as sentences."""
        return f"{message} But {self.verdict.removeprefix(f'{DOUBTFUL}: ')}"

    def to_dict(self) -> dict[str, Any]:
        """The checks, the digits and the verdict as plain values; None for what is infinite."""
        by_state = {"digits": dict(zip(self.names, self.digits)), "final_digits": dict(zip(self.names, self.final_digits))}
        checks = [{**{k: plain(v) for k, v in asdict(check).items()}, "passed": check.passed} for check in self.checks]
        return {"verdict": self.verdict, "checks": checks, **(by_state if self.digits else {})}

    def __str__(self) -> str:
        lines = []
        if self.digits:
            listed = [", ".join(f"{n} {d:.1f}" for n, d in zip(self.names, ds)) for ds in (self.digits, self.final_digits)]
            lines += [f"digits to believe: {listed[0]}", f"  at the end: {listed[1]}"]
        lines += [
            self.verdict
            if not self.doubts
            else f"{DOUBTFUL}: see {', '.join(dict.fromkeys(check.name for check in self.doubts))}"
        ]
        return "\n".join([*lines, *(f"  {check.text}" for check in self.checks)])


def plain(value: Any) -> Any:
    """A value of a check as JSON has it: None for what is infinite or not a number."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def told(check: Check) -> str:
    """A check that failed, as sentences: what was seen, and what to look at."""
    return f"{check.text}. {check.cause}".rstrip()


def least(trust: Trust, names: tuple[str, ...], digits: Any, final: Any) -> Trust:
    """A trust with the digits of repetitions, none above what any check leaves."""
    most = min((check.digits for check in trust.checks), default=16.0)
    cap = lambda values: tuple(min(float(v), most) for v in values)
    return Trust(trust.checks, names, cap(digits), cap(final))


def from_dict(given: dict[str, Any]) -> Trust:
    """The trust that `to_dict` wrote."""
    known: Any = lambda row: {name: math.inf if value is None else value for name, value in row.items() if name != "passed"}
    checks = tuple(Check(**known(row)) for row in given["checks"])
    digits, final = given.get("digits", {}), given.get("final_digits", {})
    return Trust(checks, tuple(digits), tuple(digits.values()), tuple(final.values()))
