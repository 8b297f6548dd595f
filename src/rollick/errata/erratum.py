"""What an erratum is, and the works that have some: read from the TOML files beside this one.

Texts are Markdown with formulas between dollars. A piece of evidence is named so that it can be run: a test by its node, a row of the ledger by its
study, its target and the beginning of what it says.
"""

from __future__ import annotations

import functools
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..kernel.names import choose

KINDS = {
    "formula": "a formula",
    "number": "a number",
    "claim": "a statement that does not hold",
    "model": "a choice of the model that is not said",
    "omission": "something that is needed and missing",
    "wording": "a slip in a name, a reference or a word",
}
STRENGTHS = {
    "computed": "a test or a row of the ledger shows that the printed form fails and the corrected one holds",
    "in part": "computed for data that had to be inferred, or for a part of the statement",
    "reading": "follows from the text around it; nothing was computed",
    "suspected": "likely, not shown",
}
ORDER = ("rattleback", "rubber", "tippedisk", "collisions", "dual_point")
LEDGER = re.compile(r"ledger (\w+) (\w+)(?:: (.+))?")


@dataclass(frozen=True)
class Evidence:
    """One thing that can be run: the node of a test, or a row of the ledger (study, target, how it begins)."""

    name: str

    @property
    def row(self) -> tuple[str, str, str] | None:
        """Study, target and beginning of the row, of evidence in the ledger."""
        found = LEDGER.fullmatch(self.name)
        return (found[1], found[2], found[3] or "") if found else None

    @property
    def command(self) -> str:
        """What runs it."""
        if self.row is None:
            return f"pytest {self.name}"
        return f"rollick reproduce {self.row[0]} --only {self.row[1]}"


@dataclass(frozen=True)
class Erratum:
    """One erratum: where, what is printed, what is correct, what shows it, what it changes."""

    id: str
    place: str
    kind: str
    printed: str
    correct: str
    strength: str
    effect: str
    evidence: tuple[Evidence, ...] = ()
    note: str = ""

    def as_dict(self) -> dict[str, Any]:
        """For JSON; formulas as LaTeX between dollars."""
        plain = {
            name: getattr(self, name) for name in ("id", "place", "kind", "printed", "correct", "strength", "effect", "note")
        }
        return plain | {"evidence": [{"name": e.name, "run": e.command} for e in self.evidence]}


@dataclass(frozen=True)
class Work:
    """A published work and its errata."""

    name: str
    title: str
    author: str
    published: str
    cite: str
    about: str
    correct: str
    errata: tuple[Erratum, ...]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        plain = {name: getattr(self, name) for name in ("name", "title", "author", "published", "about")}
        return plain | {"errata": [e.as_dict() for e in self.errata]}


def _erratum(work: str, given: dict[str, Any]) -> Erratum:
    """An erratum from its table; what is missing, misspelt or of no kind is an error that names it."""
    allowed = set(Erratum.__dataclass_fields__)
    needed = allowed - {"note", "evidence"}
    wrong = (set(given) - allowed) | (needed - set(given))
    if wrong:
        raise ValueError(f"{work}, {given.get('id', '?')}: fields {', '.join(sorted(wrong))} are unknown or missing.")
    for name, known in (("kind", KINDS), ("strength", STRENGTHS)):
        if given[name] not in known:
            raise ValueError(f"{work}, {given['id']}: {name} {given[name]!r} is none of {', '.join(known)}.")
    evidence = tuple(Evidence(name) for name in given.get("evidence", ()))
    if (given["strength"] in ("computed", "in part")) != bool(evidence):
        raise ValueError(f"{work}, {given['id']}: {given['strength']!r} with {len(evidence)} pieces of evidence.")
    texts = {k: v.strip() for k, v in given.items() if k != "evidence"}
    return Erratum(evidence=evidence, **texts)


@functools.cache
def works() -> tuple[Work, ...]:
    """All works, with their errata."""
    made = []
    for name in ORDER:
        data = tomllib.loads((Path(__file__).parent / f"{name}.toml").read_text(encoding="utf-8"))
        errata = tuple(_erratum(name, e) for e in data.pop("erratum"))
        made.append(Work(name=name, errata=errata, **{k: v.strip() for k, v in data.items()}))
    return tuple(made)


def find_works(name: str | None) -> tuple[Work, ...]:
    """The work of this name, or all."""
    if name is None:
        return works()
    wanted = name.lower().replace("-", "_")
    chosen = wanted if wanted in ORDER else choose(name, ORDER, "work")
    return tuple(w for w in works() if w.name == chosen)
