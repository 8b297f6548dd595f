"""The ledger: numbers of a work, or of a recomputation by other code, beside ours, with a verdict.

*printed* is what the work itself prints; *reference* is what a recomputation gives that shares no code with this package. A row has one or both,
and says against which it was judged: `printed`, `reference`, `both`, or a `bound` (two computations of our own must agree).

Verdicts, all of which can fail:

* *reproduced*;
* *differs*: an erratum, of the work or of the reference, explains it, and the row names it;
* *refuted*: the row shows that the work is wrong;
* *new*: it goes beyond the work;
* *figure only*: the work prints no number;
* *open*: it differs, nobody knows why, and the row says so;
* *not reproduced*: a failure.

A number may be off by half a unit of its last printed digit. A wider tolerance needs a reason, `why`, or the row raises an error.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from .digits import read_number

REPRODUCED, DIFFERS, REFUTED, NEW = "reproduced", "differs", "refuted", "new"
FIGURE_ONLY, OPEN, FAILED = "figure only", "open", "not reproduced"
VERDICTS = (REPRODUCED, DIFFERS, REFUTED, NEW, FIGURE_ONLY, OPEN, FAILED)
PRINTED, REFERENCE, BOTH, BOUND = "printed", "reference", "both", "bound"


@dataclass(frozen=True)
class Row:
    """One target: what the work prints, what others found, what we found, how far off that is and may be, and the verdict.

    `why` is the reason of a tolerance wider than half a printed unit, `note` a remark, `as_printed` what a misprint would give.
    """

    id: str
    what: str
    computed: float | str
    verdict: str
    printed: str | None = None
    reference: float | str | None = None
    deviation: float | None = None
    tolerance: float | None = None
    against: str | None = None
    why: str = ""
    note: str = ""
    as_printed: float | str | None = None

    def __post_init__(self) -> None:
        if self.verdict == REFUTED and self.printed is None and self.as_printed is None:
            raise ValueError(
                f"{self.id}, {self.what}: a row that refutes the work says what the work prints; give `printed` or `as_printed`."
            )
        if self.verdict == NEW and self.printed is not None:
            raise ValueError(
                f"{self.id}, {self.what}: what the work prints ({self.printed}) is not new; drop `printed`, or the verdict."
            )

    def as_dict(self) -> dict[str, Any]:
        """The row for JSON; numbers that are printed stand there as they are printed."""
        names = ("id", "what", "printed", "reference", "computed", "deviation", "tolerance", "verdict", "against")
        found: dict[str, Any] = {name: getattr(self, name) for name in names}
        return found | {
            name: getattr(self, name) for name in ("why", "note", "as_printed") if getattr(self, name) not in ("", None)
        }


def _joined(*parts: str) -> str:
    return "; ".join(part for part in parts if part)


def _verdict(good: bool, verdict: str, erratum: str, unexplained: str) -> tuple[str, str]:
    """The verdict, and the remark that goes with it."""
    if good:
        return verdict, ""
    if erratum:
        return DIFFERS, erratum
    return (OPEN, unexplained) if unexplained else (FAILED, "")


def _allowed(what: str, half: float | None, tolerance: float | None, why: str) -> float:
    """The tolerance: half a unit of the last digit, or the one given, with its reason where it is wider."""
    if tolerance is None:
        if not half:
            raise ValueError(f"{what}: a number without digits to count (exact, or computed) needs a tolerance.")
        return half
    if half is not None and tolerance > half * (1.0 + 1e-9) and not why:
        raise ValueError(
            f"{what}: the tolerance {tolerance:g} is wider than half a unit of the last digit, {half:g}; say `why`, or narrow it."
        )
    return tolerance


def value(
    id: str,
    what: str,
    computed: float,
    *,
    printed: str | None = None,
    reference: str | float | None = None,
    tolerance: float | None = None,
    why: str = "",
    note: str = "",
    erratum: str = "",
    unexplained: str = "",
    verdict: str = REPRODUCED,
    as_printed: Any = None,
) -> Row:
    """A number against the printed one, else against the reference; where both are given the reference must be met, too, to its last digit.

    Numbers are given as they are printed, in quotes; a reference may also be a number that is computed here, with its tolerance. Beyond the
    tolerance, `erratum` makes the verdict *differs* and `unexplained` makes it *open*; within, it is `verdict`.
    """
    label, computed = f"{id}, {what}", float(computed)
    for name, given in (("printed", printed), ("reference", reference)):
        if not isinstance(given, str) and (name == "printed" or printed is not None) and given is not None:
            raise ValueError(f"{label}: {name} {given!r} must be given as it is printed, in quotes.")
    judged = reference if printed is None else printed
    if judged is None:
        raise ValueError(f"{label}: nothing to compare with; give `printed` or `reference`.")
    number, half = read_number(judged) if isinstance(judged, str) else (float(judged), None)
    tolerance = _allowed(label, half, tolerance, why)
    deviation = abs(computed - number)
    found, remark = _verdict(deviation <= tolerance, verdict, erratum, unexplained)
    both = printed is not None and isinstance(reference, str)
    if both:
        told, unit = read_number(str(reference))
        if not abs(computed - told) <= unit:
            found, remark = FAILED, f"off the reference by {abs(computed - told):.2g}, more than half a unit of its last digit"
    against = BOTH if both else PRINTED if printed is not None else REFERENCE
    return Row(
        id, what, computed, found, printed, reference, deviation, tolerance, against, why, _joined(note, remark), as_printed
    )


def bound(
    id: str,
    what: str,
    computed: float,
    tolerance: float,
    note: str = "",
    as_printed: Any = None,
    *,
    printed: str | None = None,
    erratum: str = "",
    unexplained: str = "",
    verdict: str = REPRODUCED,
) -> Row:
    """A deviation, of two computations of our own or from a law, that must not exceed a bound."""
    computed = float(computed)
    found, remark = _verdict(math.isfinite(computed) and computed <= tolerance, verdict, erratum, unexplained)
    return Row(id, what, computed, found, printed, 0.0, computed, tolerance, BOUND, "", _joined(note, remark), as_printed)


def claim(
    id: str,
    what: str,
    computed: str,
    holds: bool,
    *,
    printed: str | None = None,
    reference: str | None = None,
    why: str = "",
    note: str = "",
    erratum: str = "",
    unexplained: str = "",
    verdict: str = REPRODUCED,
    as_printed: Any = None,
) -> Row:
    """A statement in words; `holds` says whether what was computed bears out the verdict. `why` says what counts as holding, where words are vague."""
    if printed is None and reference is None:
        raise ValueError(f"{id}, {what}: a claim of nobody; give `printed` or `reference`.")
    found, remark = _verdict(bool(holds), verdict, erratum, unexplained)
    against = BOTH if printed is not None and reference is not None else PRINTED if printed is not None else REFERENCE
    return Row(id, what, computed, found, printed, reference, None, None, against, why, _joined(note, remark), as_printed)


def picture(id: str, what: str, computed: str, note: str = "") -> Row:
    """A figure without numbers: redrawn, to be compared by eye."""
    return Row(id, what, computed, FIGURE_ONLY, note=note)
