"""A study: the targets and figures of a work, and several studies as one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..kernel.names import InputError
from .ledger import FAILED, Row


@dataclass(frozen=True)
class Study:
    """A work: its targets (id -> function that yields rows) and its figures (name -> function that draws one).

    `shows` says which targets a figure illustrates (name of the figure -> their ids). `parts` names the studies that it lists, if it is nothing but a list of others.
    """

    name: str
    title: str
    targets: dict[str, Callable[[], Iterator[Row]]] = field(default_factory=dict)
    figures: dict[str, Callable[[], Any]] = field(default_factory=dict)
    parts: tuple[str, ...] = ()
    shows: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for figure, ids in self.shows.items():
            unknown = [figure] if figure not in self.figures else [id for id in ids if id not in self.targets]
            if unknown:
                raise ValueError(f"study {self.name}: `shows` names {', '.join(unknown)}, which it does not have.")

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
                for row in self.targets[id]():
                    if not isinstance(row, Row):
                        raise TypeError(f"a target yields rows (value, bound, claim or picture of studies.ledger), not {row!r}")
                    yield row
            except Exception as error:
                yield Row(id, "could not be computed", f"{type(error).__name__}: {error}", FAILED)


def together(name: str, title: str, studies: Sequence[Study]) -> Study:
    """Several studies as one, in this order."""
    targets = {id: rows for part in studies for id, rows in part.targets.items()}
    figures = {key: draw for part in studies for key, draw in part.figures.items()}
    if len(targets) + len(figures) < sum(len(part.targets) + len(part.figures) for part in studies):
        raise InputError(
            f"study {name}: its parts {', '.join(p.name for p in studies)} use an id or a figure's name twice; rename one."
        )
    shows = {key: ids for part in studies for key, ids in part.shows.items()}
    return Study(name, title, targets, figures, tuple(part.name for part in studies), shows)
