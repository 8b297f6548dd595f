"""The ledger: published numbers beside recomputed ones, with a verdict.

A study is a function that yields rows; a row holds what was published (or demanded), what was computed, and how far they may differ.
Verdicts: *reproduced*; *differs* (an erratum of the work explains it, and the row names it); *figure only* (the work prints no number);
*not reproduced* (nobody knows why: a failure).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..kernel.names import InputError

REPRODUCED, DIFFERS, FIGURE_ONLY, FAILED = "reproduced", "differs", "figure only", "not reproduced"


@dataclass(frozen=True)
class Row:
    """One target: id, what it is, published and computed value, deviation, tolerance, verdict; and what the misprint would give."""

    id: str
    what: str
    published: float | str | None
    computed: float | str
    deviation: float | None
    tolerance: float | None
    verdict: str
    note: str = ""
    as_printed: float | str | None = None

    def as_dict(self) -> dict[str, Any]:
        """The row for JSON."""
        found: dict[str, Any] = {
            "id": self.id,
            "what": self.what,
            "published": self.published,
            "computed": self.computed,
            "deviation": self.deviation,
            "tolerance": self.tolerance,
            "verdict": self.verdict,
        }
        if self.note:
            found["note"] = self.note
        if self.as_printed is not None:
            found["as_printed"] = self.as_printed
        return found


def value(
    id: str,
    what: str,
    published: float,
    computed: float,
    tolerance: float,
    note: str = "",
    erratum: str = "",
    as_printed: Any = None,
) -> Row:
    """A number against a published one; `tolerance` is absolute: half a unit of the last printed digit, unless said otherwise.

    `erratum` explains a deviation beyond the tolerance; without it the verdict is *not reproduced*.
    """
    deviation = abs(float(computed) - published)
    verdict = REPRODUCED if deviation <= tolerance else (DIFFERS if erratum else FAILED)
    remark = "; ".join(part for part in (note, erratum if verdict == DIFFERS else "") if part)
    return Row(id, what, published, float(computed), deviation, tolerance, verdict, remark, as_printed)


def bound(id: str, what: str, computed: float, tolerance: float, note: str = "", as_printed: Any = None) -> Row:
    """A deviation that must not exceed a bound."""
    good = math.isfinite(computed) and computed <= tolerance
    return Row(id, what, 0.0, float(computed), float(computed), tolerance, REPRODUCED if good else FAILED, note, as_printed)


def claim(id: str, what: str, published: str, computed: str, holds: bool, note: str = "", as_printed: Any = None) -> Row:
    """A statement in words that holds or not."""
    return Row(id, what, published, computed, None, None, REPRODUCED if holds else FAILED, note, as_printed)


def picture(id: str, what: str, computed: str, note: str = "") -> Row:
    """A figure without numbers: redrawn, to be compared by eye."""
    return Row(id, what, None, computed, None, None, FIGURE_ONLY, note)


@dataclass(frozen=True)
class Study:
    """A work: its targets (id -> function that yields rows) and its figures (name -> function that draws one).

    `parts` names the studies that it lists, if it is nothing but a list of others.
    """

    name: str
    title: str
    targets: dict[str, Callable[[], Iterator[Row]]] = field(default_factory=dict)
    figures: dict[str, Callable[[], Any]] = field(default_factory=dict)
    parts: tuple[str, ...] = ()

    def select(self, only: list[str] | None) -> list[str]:
        """The ids to recompute."""
        if not only:
            return list(self.targets)
        unknown = [i for i in only if i not in self.targets]
        if unknown:
            raise InputError(f"study {self.name} has no target {', '.join(unknown)}; it has {', '.join(self.targets)}.")
        return [i for i in self.targets if i in only]

    def rows(self, only: list[str] | None = None) -> Iterator[Row]:
        """Recompute targets, one row after the other; a target that breaks becomes a row that says so."""
        for id in self.select(only):
            try:
                yield from self.targets[id]()
            except Exception as error:
                yield Row(id, "could not be computed", None, f"{type(error).__name__}: {error}", None, None, FAILED)


def together(name: str, title: str, studies: Sequence[Study]) -> Study:
    """Several studies as one, in this order."""
    targets = {id: rows for part in studies for id, rows in part.targets.items()}
    figures = {key: draw for part in studies for key, draw in part.figures.items()}
    if len(targets) + len(figures) < sum(len(part.targets) + len(part.figures) for part in studies):
        raise InputError(
            f"study {name}: its parts {', '.join(p.name for p in studies)} use an id or a figure's name twice; rename one."
        )
    return Study(name, title, targets, figures, tuple(part.name for part in studies))
