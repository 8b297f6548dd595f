"""The errata as a paper: a Typst document, whose formulas pandoc makes from LaTeX, and the PDF that Typst makes of it.

Needs the packages `typst` and `pypandoc_binary` (extra `docs`); nothing else of the errata does.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from ..version import __version__
from .erratum import STRENGTHS, Erratum, Work, works
from .page import AUTHORS, DATE, TITLE, abstract, cautions, page, total

HEAD = """#set document(title: "{title}", author: "{authors}", keywords: ("errata", "rigid bodies", "{digest}"), date: {day})
#set page(paper: "a4", margin: (x: 22mm, top: 23mm, bottom: 20mm), numbering: "1",
  header: context if counter(page).get().first() > 1 [#set text(8.5pt, fill: luma(90)); Errata of five works #h(1fr) Rollick {version}])
#set text(font: "New Computer Modern", size: 9.5pt)
#set par(justify: true, leading: 0.58em)
#show math.equation: set text(font: "New Computer Modern Math")
#show raw: set text(font: "DejaVu Sans Mono", size: 0.78em)
#show heading.where(level: 1): it => block(above: 2.2em, below: 0.9em, par(justify: false, text(13pt, weight: "bold", it.body)))
#let small(body) = text(8.2pt, body)
#let erratum(id, place, kind, printed, correct, effect, evidence) = block(above: 1.1em, below: 0.9em, breakable: false, width: 100%)[
  #line(length: 100%, stroke: 0.4pt + luma(170))
  #v(-0.55em)
  #grid(columns: (1fr, auto), [*#id* #h(0.6em) #place], small(text(fill: luma(90), kind)))
  #v(-0.2em)
  #grid(columns: (1fr, 1fr), column-gutter: 7mm, row-gutter: 0.6em,
    small(text(fill: rgb("#9a3412"))[printed]), small(text(fill: rgb("#166534"))[correct]),
    [#set par(leading: 0.6em, justify: false); #set text(top-edge: "bounds", bottom-edge: "bounds"); #show math.frac: math.display; #printed],
    [#set par(leading: 0.6em, justify: false); #set text(top-edge: "bounds", bottom-edge: "bounds"); #show math.frac: math.display; #correct])
  #v(-0.1em)
  _Effect:_ #effect
  #par(justify: false, small(text(fill: luma(70), evidence)))
]
#align(center)[
  #text(17pt, weight: "bold")[{title}]
  #v(0.1em)
  #text(11pt)[{authors}]
  #v(-0.3em)
  #text(9.5pt)[Version {version}, {date}]
]
#v(0.6em)
#pad(x: 10mm)[#text(9pt)[*Abstract.* {abstract}]]
#v(0.4em)
"""


def digest() -> str:
    """What tells which errata a PDF was made of: a hash of the page."""
    return hashlib.sha256(page().encode()).hexdigest()[:16]


def to_typst(texts: list[str]) -> list[str]:
    """Markdown with LaTeX formulas as Typst, all texts in one call of pandoc."""
    import pypandoc

    mark = "@@next@@"
    joined = f"\n\n{mark}\n\n".join(texts)
    made = pypandoc.convert_text(
        joined, "typst", format="markdown-smart-citations-auto_identifiers-fancy_lists-example_lists", extra_args=["--wrap=none"]
    )
    made = re.sub(r"\bsect\b", "inter", made)  # pandoc writes the old name of the sign of intersections
    parts = [part.strip() for part in re.split(r"\n*" + mark.replace("@", r"\\?@") + r"\n*", made)]
    if len(parts) != len(texts):
        raise RuntimeError(f"pandoc gave {len(parts)} parts for {len(texts)} texts.")
    return parts


def escaped(text: str) -> str:
    """Plain text inside a Typst content block."""
    return re.sub(r"([#$*_\[\]@<>`\\])", r"\\\1", text)


def code(text: str) -> str:
    """Verbatim text that may be broken after slashes, colons and underscores."""
    return "`" + re.sub(r"(::|/|_)", "\\1\u200b", text) + "`"


def evidence(e: Erratum) -> str:
    """The evidence of an erratum, in Typst."""
    told = []
    for x in e.evidence:
        if x.row is None:
            told.append(code(x.name))
        else:
            study, target, begins = x.row
            told.append(f"ledger {escaped(study)} {target}" + (f" “{escaped(begins)} …”" if begins else ""))
    return f"{e.strength}: " + ("; ".join(told) if told else escaped(STRENGTHS[e.strength])) + "."


def table() -> Iterator[str]:
    """How many errata of which work are how well shown."""
    yield "#align(center, table(columns: 6, stroke: none, inset: (x: 7pt, y: 3pt), align: (left, right, right, right, right, right),"
    yield (
        "  table.hline(stroke: 0.8pt), [*work*], [*errata*], "
        + ", ".join(f"[*{s}*]" for s in STRENGTHS)
        + ", table.hline(stroke: 0.4pt),"
    )
    for w in works():
        counts = Counter(e.strength for e in w.errata)
        yield f"  [{escaped(w.cite)}], [{len(w.errata)}], " + ", ".join(f"[{counts[s]}]" for s in STRENGTHS) + ","
    yield (
        "  table.hline(stroke: 0.4pt), [all], "
        + f"[{sum(total().values())}], "
        + ", ".join(f"[{total()[s]}]" for s in STRENGTHS)
        + ","
    )
    yield "  table.hline(stroke: 0.8pt)))"


def section(work: Work, number: int, parts: Iterator[str]) -> Iterator[str]:
    """One work, with its errata; their texts come from `parts`, in order."""
    yield f"= {number}. {next(parts)}"
    yield f"_{escaped(work.published)}._ {next(parts)} Checked and right as printed: {next(parts)}."
    for e in work.errata:
        place, printed, correct, effect = (next(parts) for _ in range(4))
        yield f"#erratum([{e.id}], [{place}], [{e.kind}], [{printed}], [{correct}], [{effect}], [{evidence(e)}])"


def day() -> str:
    """The date in Typst: the paper bears that of its errata, not of the day it was made, so that the same errata make the same file."""
    at = datetime.strptime(DATE, "%d %B %Y")
    return f"datetime(year: {at.year}, month: {at.month}, day: {at.day})"


def source() -> str:
    """The Typst document."""
    texts = list(cautions())
    before = len(texts)
    for w in works():
        texts += [f"{w.author}, *{w.title}*", w.about, w.correct]
        for e in w.errata:
            texts += [e.place, e.printed, e.correct, e.effect]
    made = to_typst([abstract(), *texts])
    fields = {
        "title": TITLE,
        "authors": AUTHORS,
        "version": __version__,
        "date": DATE,
        "day": day(),
        "digest": digest(),
        "abstract": made[0],
    }
    head = HEAD
    for name, value in fields.items():
        head = head.replace("{" + name + "}", value)
    lines = [head, "= How to read this list", *(part + "\n" for part in made[1 : 1 + before]), *table(), ""]
    lines += ["Evidence is graded. " + " ".join(f"_{name}_: {escaped(told)}." for name, told in STRENGTHS.items())]
    lines += [
        'A test is run by #raw("pytest") with its name, from the root of the repository; a row of the ledger by '
        '#raw("rollick reproduce STUDY --only TARGET"). #raw("rollick errata") prints this list, #raw("--json") for programs.'
    ]
    parts = iter(made[1 + before :])
    for number, w in enumerate(works(), 1):
        lines += ["", *section(w, number, parts)]
    return "\n".join(lines) + "\n"


def write_pdf(path: Path) -> None:
    """The paper as a PDF."""
    import typst

    typ = path.with_suffix(".typ")
    typ.write_text(source(), encoding="utf-8")
    try:
        typst.compile(str(typ), output=str(path))
    finally:
        typ.unlink()
