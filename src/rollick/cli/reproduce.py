"""`rollick reproduce [STUDY]`."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from ..kernel.names import InputError
from ..motion.result.whole_file import NotWritten, write_whole
from ..studies.catalogue import single_studies
from ..studies.catalogue import study as find
from ..studies.contact_sheet import Drawn
from ..studies.ledger import DIFFERS, FAILED, FIGURE_ONLY, NEW, OPEN, REFUTED, REPRODUCED, Row
from ..studies.study import Study
from .output import print_json

STYLE = {
    REPRODUCED: "green",
    DIFFERS: "yellow",
    REFUTED: "magenta",
    NEW: "cyan",
    FIGURE_ONLY: "blue",
    OPEN: "bold yellow",
    FAILED: "bold red",
}
COLUMNS = ("id", "what", "printed", "reference", "computed", "deviation", "tolerance", "verdict", "against")


def _text(x: Any) -> str:
    if x is None:
        return ""
    return x if isinstance(x, str) else f"{x:.10g}"


def counted(rows: list[Row]) -> str:
    """How many rows there are of each verdict, in words."""
    counts = {verdict: sum(row.verdict == verdict for row in rows) for verdict in STYLE}
    return ", ".join(f"{n} {verdict}" for verdict, n in counts.items() if n)


def print_ledger(title: str, rows: list[Row]) -> None:
    """The ledger as a table."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console()
    if not console.is_terminal:
        console = Console(width=220)
    table = Table(title=title, title_justify="left", show_lines=False)
    for column in COLUMNS:
        table.add_column(column, justify="right" if column in ("deviation", "tolerance") else "left", overflow="fold")
    for row in rows:
        computed = _text(row.computed)
        if row.as_printed is not None:
            computed += f"\nas printed: {_text(row.as_printed)}"
        remarks = (row.note, f"tolerance: {row.why}" if row.why else "")
        what = escape(row.what) + "".join(f"\n  [dim]{escape(text)}[/dim]" for text in remarks if text)
        small = ["" if x is None else f"{x:.2g}" for x in (row.deviation, row.tolerance)]
        verdict = f"[{STYLE[row.verdict]}]{row.verdict}[/]"
        table.add_row(row.id, what, _text(row.printed), _text(row.reference), computed, *small, verdict, _text(row.against))
    console.print(table)
    console.print(counted(rows))


def _rows(study: Study, only: list[str] | None) -> list[Row]:
    """All rows; with a word on standard error on how far it is, if that is a terminal (standard output may be a file)."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        return list(study.rows(only))
    ids, rows = study.select(only), list[Row]()
    with console.status("recomputing ...") as status:
        for k, id in enumerate(ids, 1):
            status.update(f"recomputing {study.name} {id}, {k} of {len(ids)} ...")
            rows += study.rows([id])
    return rows


def draw_figures(study: Study, folder: Path) -> tuple[dict[str, Path], dict[str, str]]:
    """Draw all figures of a study into a folder, which is made if it is not there: their files; and what went wrong with others.

    One that cannot be drawn does not take the others with it.
    """
    from rich.console import Console

    from ..plotting import save

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"--figures {folder}: {error.strerror or error}; name another folder.") from None
    files, failures = dict[str, Path](), dict[str, str]()
    console = Console(stderr=True)
    with console.status("drawing ...") if console.is_terminal else nullcontext() as status:
        for k, (name, draw) in enumerate(study.figures.items(), 1):
            if status is not None:
                status.update(f"drawing {study.name} {name}, {k} of {len(study.figures)} ...")
            path = folder / f"{study.name}_{name}.png"
            try:
                save(draw(), path)
            except NotWritten:  # a full disk is one for all
                raise
            except Exception as error:
                failures[name] = f"{type(error).__name__}: {error}"
            else:
                files[name] = path
    return files, failures


def write_sheet(drawn: list[Drawn], folder: Path) -> Path:
    """Write the contact sheet of a folder of figures."""
    from ..studies.contact_sheet import contact_sheet

    page = folder / "index.html"
    write_whole(page, contact_sheet(drawn).encode())
    return page


def reproduce_study(name: str | None, only: str | None, figures: Path | None, json_: bool) -> int:
    """Recompute one study or all; 1 if a target is not reproduced, or a figure cannot be drawn."""
    studies = [find(name)] if name else single_studies()
    wanted = [i.strip() for i in only.split(",") if i.strip()] if only else None
    if wanted and name is None:
        known = {i for s in studies for i in s.targets}
        missing = [i for i in wanted if i not in known]
        if missing:
            raise InputError(f"no study has a target {', '.join(missing)}; known: {', '.join(sorted(known))}.")
        studies = [s for s in studies if any(i in s.targets for i in wanted)]
    failed = False
    found, sheet = [], list[Drawn]()
    for study in studies:
        mine = [i for i in wanted if i in study.targets or name] if wanted else None
        study.select(mine)
        rows = _rows(study, mine)
        failed = failed or any(r.verdict == FAILED for r in rows)
        found.append({"study": study.name, "targets": [r.as_dict() for r in rows]})
        if not json_:
            print_ledger(f"{study.name}: {study.title}", rows)
        if figures is not None:
            sheet.append(Drawn(study, rows, *draw_figures(study, figures)))
            found[-1]["figures"] = [str(p) for p in sheet[-1].files.values()]
            failed = failed or bool(sheet[-1].failures)
            if not json_:
                print("\n".join(f"wrote {p}" for p in sheet[-1].files.values()))
            for name_, why in sheet[-1].failures.items():
                print(f"rollick: figure {name_} of {study.name} could not be drawn: {why}", file=sys.stderr)
    if figures is not None:
        page = write_sheet(sheet, figures)
        if json_:
            found[0]["contact_sheet"] = str(page)
        else:
            print(f"wrote {page}: all figures beside the published values")
    if json_:
        print_json(found[0] if len(found) == 1 else {"studies": found})
    return 1 if failed else 0
