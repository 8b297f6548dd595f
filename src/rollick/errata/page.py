"""The errata as a page in Markdown, docs/errata.md: formulas between dollars, one heading per erratum, so that each can be linked to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..version import __version__
from .erratum import KINDS, STRENGTHS, Erratum, Evidence, Work, works

TITLE = "Errata of five works on bodies that roll, slip and collide"
AUTHORS = "The Rollick developers"
DATE = "16 November 2026"
GENERATED = "<!-- written by `python -m rollick.errata.write`; edit src/rollick/errata/*.toml instead -->"


def total() -> Counter[str]:
    """How many errata there are of each strength."""
    return Counter(e.strength for w in works() for e in w.errata)


def abstract() -> str:
    """What this is, in a paragraph."""
    count, strong = sum(total().values()), total()["computed"]
    kinds = Counter(e.kind for w in works() for e in w.errata)
    return (
        f"Five works on the mechanics of rigid bodies in contact, a paper of 1982, a preprint and three doctoral theses, were recomputed "
        f"with the open program Rollick. We list {count} errata: {kinds['formula']} in formulas, {kinds['number']} in numbers, "
        f"{kinds['claim']} statements that do not hold, {kinds['wording']} slips of wording, and {kinds['omission'] + kinds['model']} "
        f"things left unsaid. For each we give the printed form, the corrected form, the effect on results, and evidence that can be run: a test that fails with the "
        f"printed form and passes with the corrected one, or a row of a ledger that is recomputed. {strong} of them rest on such evidence; "
        f"the others say that they do not. Most results of the works stand; the exceptions are named."
    )


def cautions() -> Iterator[str]:
    """What a reader must know before quoting."""
    yield (
        "The works were read as text made from scans or web pages. A printed form may therefore be a fault of the conversion and not of the "
        "work, above all where it concerns an accent, a bar or a single letter; compare with the original before quoting."
    )
    yield (
        "An erratum is no judgement on a work. All five were chosen because their results are worth recomputing, and most of what they print "
        "was found right; the formulas that were checked and are right are listed with each."
    )
    yield (
        "Each erratum has a number that will not change: RB rattleback, RU rubber rolling, TD tippedisk, CS collision sequences, DP dual-point rolling. "
        "Corrections to this list are welcome, and will be entered with their evidence."
    )


def evidence_text(evidence: Evidence) -> str:
    """A piece of evidence, in Markdown."""
    row = evidence.row
    if row is None:
        return f"`{evidence.name}`"
    study, target, begins = row
    return f"ledger {study} {target}" + (f', "{begins} ..."' if begins else "") + f" (`{evidence.command}`)"


def erratum_text(e: Erratum) -> Iterator[str]:
    """One erratum: a heading and its items."""
    yield f"### {e.id}: {e.place}"
    yield ""
    yield f"- **Printed** ({e.kind}): {e.printed}"
    yield f"- **Correct:** {e.correct}"
    yield f"- **Effect:** {e.effect}"
    if e.evidence:
        yield f"- **Evidence** ({e.strength}): " + "; ".join(evidence_text(x) for x in e.evidence)
    else:
        yield f"- **Evidence:** {e.strength}: {STRENGTHS[e.strength]}"
    if e.note:
        yield f"- {e.note}"
    yield ""


def work_text(work: Work) -> Iterator[str]:
    """One work: a section."""
    yield f"## {work.author}: {work.title}"
    yield ""
    yield f"*{work.published}.* {work.about}"
    yield ""
    counts = Counter(e.strength for e in work.errata)
    told = ", ".join(f"{counts[s]} {s}" for s in STRENGTHS if counts[s])
    yield f"{len(work.errata)} errata: {told}. Checked and right as printed: {work.correct}."
    yield ""
    for e in work.errata:
        yield from erratum_text(e)


def page() -> str:
    """The whole page."""
    lines = [
        GENERATED,
        "",
        f"# {TITLE}",
        "",
        f"{AUTHORS}, version {__version__}, {DATE}. [As a PDF](errata.pdf). `rollick errata` prints them.",
        "",
    ]
    lines += [abstract(), ""]
    for caution in cautions():
        lines += [f"* {caution}"]
    lines += ["", "| work | errata | " + " | ".join(STRENGTHS) + " |", "|---|---|" + "---|" * len(STRENGTHS)]
    for w in works():
        counts = Counter(e.strength for e in w.errata)
        cells = " | ".join(str(counts[s]) for s in STRENGTHS)
        lines.append(f"| {w.cite} (`{w.name}`) | {len(w.errata)} | {cells} |")
    lines.append(f"| all | {sum(total().values())} | " + " | ".join(str(total()[s]) for s in STRENGTHS) + " |")
    lines += ["", *(f"* *{name}*: {told}." for name, told in STRENGTHS.items()), ""]
    lines += ["Kinds: " + "; ".join(f"*{name}*, {told}" for name, told in KINDS.items()) + ".", ""]
    lines += [
        "A test is run by `pytest` with its name, from the root of the repository; a row of the [ledger](ledger.md) by the command beside it. "
        "To cite: the title above, The Rollick developers, the version, and the number of the erratum; `CITATION.cff` has it.",
        "",
    ]
    for w in works():
        lines += work_text(w)
    return "\n".join(lines).rstrip() + "\n"
