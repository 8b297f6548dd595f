"""`rollick reproduce [STUDY]`."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from ..kernel.names import InputError
from ..motion.interrupt import listening
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
# The columns of the ledger, and the share of the width that each has: every target is a table of its own, printed when it is done.
COLUMNS = {
    "id": 3,
    "what": 28,
    "printed": 8,
    "reference": 8,
    "computed": 11,
    "deviation": 5,
    "tolerance": 5,
    "verdict": 7,
    "against": 5,
}


def _text(x: Any) -> str:
    if x is None:
        return ""
    return x if isinstance(x, str) else f"{x:.10g}"


def counted(rows: list[Row]) -> str:
    """How many rows there are of each verdict, in words."""
    counts = {verdict: sum(row.verdict == verdict for row in rows) for verdict in STYLE}
    return ", ".join(f"{n} {verdict}" for verdict, n in counts.items() if n)


class Ledger:
    """The ledger of a study on standard output: its title, the rows of each target as soon as they are known, and the counts."""

    def __init__(self, study: Study):
        from rich.console import Console

        self.console = Console()
        if not self.console.is_terminal:
            self.console = Console(width=220)
        self.console.print(f"{study.name}: {study.title}", style="italic", highlight=False)
        self.head = True

    def add(self, rows: list[Row]) -> None:
        """Print rows; the names of the columns stand above the first of all."""
        from rich import box
        from rich.markup import escape
        from rich.table import Table

        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, expand=True, show_header=self.head)
        self.head = False
        for column, share in COLUMNS.items():
            right = column in ("deviation", "tolerance")
            table.add_column(column, justify="right" if right else "left", overflow="fold", ratio=share)
        for row in rows:
            computed = _text(row.computed)
            if row.as_printed is not None:
                computed += f"\nas printed: {_text(row.as_printed)}"
            remarks = (row.note, f"tolerance: {row.why}" if row.why else "")
            what = escape(row.what) + "".join(f"\n  [dim]{escape(text)}[/dim]" for text in remarks if text)
            small = ["" if x is None else f"{x:.2g}" for x in (row.deviation, row.tolerance)]
            verdict = f"[{STYLE[row.verdict]}]{row.verdict}[/]"
            texts = (_text(row.printed), _text(row.reference), computed)
            table.add_row(row.id, what, *map(escape, texts), *small, verdict, _text(row.against))
        self.console.print(table)

    def finish(self, rows: list[Row], missing: list[str], only: int) -> None:
        """Print the counts, and which targets were not finished, if somebody stopped it."""
        self.console.print(counted(rows) or "no rows", highlight=False)
        if missing:
            some = ", ".join(missing[:8]) + (", ..." if len(missing) > 8 else "")
            self.console.print(f"interrupted: {len(missing)} of {only} targets not finished ({some})", highlight=False)


def _status(text: str) -> Any:
    """A word on standard error on what is under way, if that is a terminal (standard output may be a file)."""
    from rich.console import Console

    console = Console(stderr=True)
    return console.status(text) if console.is_terminal else nullcontext()


def recomputed(study: Study, only: list[str] | None, ledger: Ledger | None) -> tuple[list[Row], list[str]]:
    """The rows of a study, each target told to the ledger when it is done; and the targets that were not finished because somebody pressed Ctrl-C.

    A motion that is interrupted ends well, and its target goes on with half of it: a row that was not known before Ctrl-C is left out.
    """
    ids, rows = study.select(only), list[Row]()
    with listening() as pressed:
        for k, id in enumerate(ids):
            mine, whole = list[Row](), False
            try:
                with _status(f"recomputing {study.name} {id}, {k + 1} of {len(ids)} ..."):
                    for row in study.rows([id]):
                        if pressed():
                            break
                        mine.append(row)
                    whole = not pressed()
            except KeyboardInterrupt:
                pass
            rows += mine
            if mine and ledger is not None:
                ledger.add(mine)
            if not whole:
                return rows, ids[k:]
    return rows, []


def draw_figures(study: Study, folder: Path) -> tuple[dict[str, Path], dict[str, str]]:
    """Draw all figures of a study into a folder, which is made if it is not there: their files; and what went wrong with others.

    One that cannot be drawn does not take the others with it. One that is interrupted is not written: `KeyboardInterrupt`.
    """
    from ..plotting import save

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"--figures {folder}: {error.strerror or error}; name another folder.") from None
    files, failures = dict[str, Path](), dict[str, str]()
    with listening() as pressed, _status("drawing ...") as status:
        for k, (name, draw) in enumerate(study.figures.items(), 1):
            if status is not None:
                status.update(f"drawing {study.name} {name}, {k} of {len(study.figures)} ...")
            path = folder / f"{study.name}_{name}.png"
            try:
                figure = draw()
                if pressed():
                    raise KeyboardInterrupt
                save(figure, path)
            except NotWritten:  # a full disk is one for all
                raise
            except Exception as error:
                if pressed():
                    raise KeyboardInterrupt from None
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
    """Recompute one study or all; 1 if a target is not reproduced, or a figure cannot be drawn, 130 if somebody stopped it."""
    studies = [find(name)] if name else single_studies()
    wanted = [i.strip() for i in only.split(",") if i.strip()] if only else None
    if wanted and name is None:
        known = {i for s in studies for i in s.targets}
        missing = [i for i in wanted if i not in known]
        if missing:
            raise InputError(f"no study has a target {', '.join(missing)}; known: {', '.join(sorted(known))}.")
        studies = [s for s in studies if any(i in s.targets for i in wanted)]
    failed = stopped = False
    found, sheet = list[dict[str, Any]](), list[Drawn]()
    for study in studies:
        mine = [i for i in wanted if i in study.targets or name] if wanted else None
        ids = study.select(mine)
        ledger = None if json_ else Ledger(study)
        rows, left = recomputed(study, mine, ledger)
        failed, stopped = failed or any(r.verdict == FAILED for r in rows), bool(left)
        found.append({"study": study.name, "targets": [r.as_dict() for r in rows]})
        if ledger is not None:
            ledger.finish(rows, left, len(ids))
        if left:
            found[-1]["not_finished"] = left
        elif figures is not None:
            try:
                sheet.append(Drawn(study, rows, *draw_figures(study, figures)))
            except KeyboardInterrupt:
                stopped = True
            else:
                failed = tell_figures(sheet[-1], found[-1], json_) or failed
        if stopped:
            break
    later = [s.name for s in studies[len(found) :]]
    if later:
        if json_:
            found[-1]["studies_not_reached"] = later
        else:
            print(f"studies not reached: {', '.join(later)}", flush=True)
    if figures is not None and sheet:
        page = write_sheet(sheet, figures)
        if json_:
            found[0]["contact_sheet"] = str(page)
        else:
            print(f"wrote {page}: all figures beside the published values")
    if json_:
        print_json(found[0] if len(found) == 1 else {"studies": found})
    return 130 if stopped else 1 if failed else 0


def tell_figures(drawn: Drawn, found: dict[str, Any], json_: bool) -> bool:
    """Say which figures were drawn, and which could not be; whether there are such."""
    found["figures"] = [str(p) for p in drawn.files.values()]
    if not json_:
        print("\n".join(f"wrote {p}" for p in drawn.files.values()))
    for name, why in drawn.failures.items():
        print(f"rollick: figure {name} of {drawn.study.name} could not be drawn: {why}", file=sys.stderr)
    return bool(drawn.failures)
