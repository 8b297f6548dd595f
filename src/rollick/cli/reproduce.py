"""`rollick reproduce [STUDY]`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..kernel.names import InputError
from ..studies.catalogue import single_studies
from ..studies.catalogue import study as find
from ..studies.ledger import FAILED, Row, Study
from .output import print_json

STYLE = {"reproduced": "green", "differs": "yellow", "figure only": "blue", FAILED: "bold red"}


def _text(x: Any) -> str:
    if x is None:
        return ""
    return x if isinstance(x, str) else f"{x:.10g}"


def print_ledger(title: str, rows: list[Row]) -> None:
    """The ledger as a table."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console()
    if not console.is_terminal:
        console = Console(width=200)
    table = Table(title=title, title_justify="left", show_lines=False)
    for column in ("id", "what", "published", "computed", "deviation", "tolerance", "verdict"):
        table.add_column(column, justify="right" if column in ("deviation", "tolerance") else "left", overflow="fold")
    for row in rows:
        computed = _text(row.computed)
        if row.as_printed is not None:
            computed += f"\nas printed: {_text(row.as_printed)}"
        what = escape(row.what) + (f"\n  [dim]{escape(row.note)}[/dim]" if row.note else "")
        small = ["" if x is None else f"{x:.2g}" for x in (row.deviation, row.tolerance)]
        table.add_row(row.id, what, _text(row.published), computed, *small, f"[{STYLE[row.verdict]}]{row.verdict}[/]")
    console.print(table)
    counts = {v: sum(r.verdict == v for r in rows) for v in STYLE}
    console.print(", ".join(f"{n} {v}" for v, n in counts.items() if n))


def _rows(study: Study, only: list[str] | None, quiet: bool) -> list[Row]:
    """All rows; on a terminal, with a word on how far it is."""
    from rich.console import Console

    console = Console(stderr=True)
    rows: list[Row] = []
    if quiet or not console.is_terminal:
        return list(study.rows(only))
    with console.status("recomputing ...") as status:
        for id in study.select(only):
            status.update(f"recomputing {study.name} {id} ...")
            rows += study.rows([id])
    return rows


def draw_figures(study: Study, folder: Path) -> list[Path]:
    """Draw all figures of a study into a folder."""
    from ..view.curves import save

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"--figures {folder}: {error.strerror or error}; name another folder.") from None
    written = []
    for name, draw in study.figures.items():
        path = folder / f"{study.name}_{name}.png"
        save(draw(), path)
        written.append(path)
    return written


def reproduce_study(name: str | None, only: str | None, figures: Path | None, json_: bool) -> int:
    """Recompute one study or all; 1 if a target is not reproduced."""
    studies = [find(name)] if name else single_studies()
    wanted = [i.strip() for i in only.split(",") if i.strip()] if only else None
    if wanted and name is None:
        known = {i for s in studies for i in s.targets}
        missing = [i for i in wanted if i not in known]
        if missing:
            raise InputError(f"no study has a target {', '.join(missing)}; known: {', '.join(sorted(known))}.")
        studies = [s for s in studies if any(i in s.targets for i in wanted)]
    failed = False
    found = []
    for study in studies:
        mine = [i for i in wanted if i in study.targets or name] if wanted else None
        study.select(mine)
        rows = _rows(study, mine, json_)
        failed = failed or any(r.verdict == FAILED for r in rows)
        found.append({"study": study.name, "targets": [r.as_dict() for r in rows]})
        if not json_:
            print_ledger(f"{study.name}: {study.title}", rows)
        if figures is not None:
            written = draw_figures(study, figures)
            found[-1]["figures"] = [str(p) for p in written]
            if not json_:
                print("\n".join(f"wrote {p}" for p in written))
    if json_:
        print_json(found[0] if len(found) == 1 else {"studies": found})
    return 1 if failed else 0
