"""The contact sheet of a folder of figures: one page, `index.html`, with each figure beside the rows of the ledger that it illustrates.

The page stands on its own beside its pictures: no network, no scripts. A figure is illustrated by the targets that the study names for it (`shows`);
of their rows, those that speak of another figure ("Fig. 4: ...") are left to that one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from .ledger import Row
from .study import Study

_NUMBER = r"([0-9A-C]+(?:\.\d+)?)[a-f]?"
_FIGURES = re.compile(rf"\bFig(?:ure)?s?\.? ?{_NUMBER}(?:\s?(-|/|and|,) ?{_NUMBER})?")


@dataclass
class Drawn:
    """A study that was recomputed: its rows, and the figures that were drawn (name -> file, or what went wrong)."""

    study: Study
    rows: list[Row]
    files: dict[str, Path] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)


def number_of(figure: str) -> str | None:
    """The number of a figure by its name: `disk_fig4_3` and `4_3` are 4.3; None for figures that the work does not have."""
    found = re.search(r"(?:^|fig)([0-9A-C]+)(?:_(\d+))?$", figure)
    return None if found is None else found[1] + (f".{found[2]}" if found[2] else "")


def _place(number: str) -> tuple[str, float]:
    chapter, _, rest = number.partition(".")
    return (chapter, float(rest)) if rest else ("", float(chapter)) if chapter.isdigit() else (chapter, 0.0)


def speaks_of(row: Row, figure: str) -> bool | None:
    """Whether a row speaks of a figure; None if it speaks of none."""
    own, said = number_of(figure), list(_FIGURES.finditer(row.what))
    if not said:
        return None
    if own is None:
        return False
    for found in said:
        first, how, last = found[1], found[2], found[3]
        ends = [_place(number) for number in (first, last) if number]
        if _place(own) in ends:
            return True
        if how == "-" and last and ends[0][0] == ends[1][0] == _place(own)[0] and ends[0][1] <= _place(own)[1] <= ends[1][1]:
            return True
    return False


def rows_beside(study: Study, figure: str, rows: Iterable[Row]) -> list[Row]:
    """The rows of the ledger that a figure illustrates."""
    ids = study.shows.get(figure, ())
    return [row for row in rows if (speaks_of(row, figure) is not False and row.id in ids) or speaks_of(row, figure)]


def shown(value: Any) -> str:
    """A number or a text of the ledger."""
    if value is None:
        return ""
    return escape(value if isinstance(value, str) else f"{value:.10g}")


def _table(rows: Sequence[Row]) -> str:
    if not rows:
        return "<p class=none>The ledger has no numbers for this figure: it is to be compared by eye.</p>"
    head = "<tr><th scope=col>id<th scope=col>what<th scope=col>printed<th scope=col>reference<th scope=col>computed<th scope=col>verdict</tr>"
    body = "".join(
        f"<tr><td>{escape(r.id)}<td>{escape(r.what)}<td>{shown(r.printed)}<td>{shown(r.reference)}<td>{shown(r.computed)}"
        f'<td class="{escape(r.verdict.replace(" ", "-"))}">{escape(r.verdict)}</tr>'
        for r in rows
    )
    return f"<div class=scroll><table>{head}{body}</table></div>"


def _about(draw: Any) -> str:
    return " ".join((draw.__doc__ or "").split())


def _figure(one: Drawn, name: str, draw: Any) -> str:
    told = escape(f"{one.study.name} {name}")
    about = escape(_about(draw))
    if name in one.files:
        file = escape(one.files[name].name)
        picture = f'<a href="{file}"><img loading=lazy src="{file}" alt="{told}: {about}"></a>'
    else:
        picture = f"<p class=not-reproduced>not drawn: {escape(one.failures.get(name, 'it was not asked for'))}</p>"
    beside = _table(rows_beside(one.study, name, one.rows))
    return f'<section id="{told.replace(" ", "-")}"><h3>{told}</h3><p>{about}</p><div class=pair><div>{picture}</div><div>{beside}</div></div></section>'


def _study(one: Drawn) -> str:
    figures = "".join(_figure(one, name, draw) for name, draw in one.study.figures.items())
    told = {id(row) for name in one.study.figures for row in rows_beside(one.study, name, one.rows)}
    rest = [row for row in one.rows if id(row) not in told]
    more = (
        f"<details><summary>{len(rest)} more rows of the ledger, without a figure</summary>{_table(rest)}</details>"
        if rest
        else ""
    )
    return f'<h2 id="{escape(one.study.name)}">{escape(one.study.name)}: {escape(one.study.title)}</h2>{figures}{more}'


STYLE = """
:root{color-scheme:light dark;--ink:#1b1d21;--ground:#fff;--line:#c9ccd1;--soft:#5b616b}
@media (prefers-color-scheme:dark){:root{--ink:#e8e8e6;--ground:#16181c;--line:#3c4048;--soft:#a9afb8}}
body{font:15px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--ground);margin:1.5rem auto;max-width:1500px;padding:0 1rem}
h2{border-top:2px solid var(--line);padding-top:1rem;margin-top:2.5rem}h3{margin-bottom:.2rem}section{margin:1.6rem 0}
.pair{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:1.2rem;align-items:start}@media (max-width:900px){.pair{grid-template-columns:1fr}}
img{width:100%;height:auto;background:#fff;border:1px solid var(--line);border-radius:4px}.scroll{overflow:auto;max-height:34rem}
table{border-collapse:collapse;font-size:13px;width:100%}th,td{text-align:left;vertical-align:top;padding:.25rem .5rem;border-bottom:1px solid var(--line)}
th{position:sticky;top:0;background:var(--ground)}a{color:inherit}.none,nav{color:var(--soft)}
td.reproduced::before{content:"\\2713 "}.not-reproduced{font-weight:700;text-decoration:underline}td.open,td.refuted,td.new,td.differs{font-weight:600}
"""


def contact_sheet(drawn: Sequence[Drawn]) -> str:
    """The page, as text."""
    links = " · ".join(f'<a href="#{escape(one.study.name)}">{escape(one.study.name)}</a> ({len(one.files)})' for one in drawn)
    body = "".join(map(_study, drawn))
    count = sum(len(one.files) for one in drawn)
    return (
        "<!doctype html><html lang=en><head><meta charset=utf-8><meta name=viewport content='width=device-width,initial-scale=1'>"
        f"<title>Rollick: figures beside published values</title><style>{STYLE}</style></head><body><h1>Figures beside published values</h1>"
        f"<p>{count} figures. <b>printed</b> is what the work prints, <b>reference</b> an independent recomputation, <b>computed</b> what Rollick finds.</p>"
        f"<nav>{links}</nav>{body}</body></html>\n"
    )
