"""The counts of the documents are those of the ledger: docs/ledger.md is recomputed (slow), and the other pages repeat it."""

import re
from collections import Counter
from pathlib import Path

import pytest

from rollick.studies.catalogue import single_studies, study
from rollick.studies.ledger import FAILED, VERDICTS

ROOT = Path(__file__).parents[2]
QUICK = ("rubber",)  # its targets run in the ordinary tests anyway


def table() -> dict[str, dict[str, int]]:
    """The table of docs/ledger.md: study -> verdict -> count."""
    lines = (ROOT / "docs/ledger.md").read_text(encoding="utf-8").splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith("| study |"))
    head = [cell.strip() for cell in lines[start].strip("|").split("|")]
    found = {}
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        name, *numbers = [cell.strip() for cell in line.strip("|").split("|")]
        found[name] = dict(zip(head[1:], map(int, numbers), strict=True))
    return found


def phrase(counts: dict[str, int]) -> str:
    """Counts in words, as the pages give them."""
    words = {
        "reproduced": "are reproduced",
        "differs": "differ",
        "refuted": "refute the work",
        "new": "are new",
        "figure only": "are figures without numbers",
        "open": "are open",
    }
    singular = {"are": "is", "differ": "differs", "refute": "refutes"}

    def said(n: int, verdict: str) -> str:
        first, *rest = words[verdict].split(" ")
        return " ".join([str(n), singular[first] if n == 1 else first, *rest])

    return ", ".join(said(n, verdict) for verdict, n in counts.items() if n and verdict != "rows")


def test_every_study_is_in_the_table():
    assert sorted(set(table()) - {"all"}) == sorted(s.name for s in single_studies())
    for counts in table().values():
        assert list(counts) == ["rows", *(v for v in VERDICTS if v != FAILED)]
        assert counts["rows"] == sum(counts.values()) - counts["rows"]
    total = Counter()
    for name, counts in table().items():
        if name != "all":
            total.update(counts)
    assert dict(total) == table()["all"]


@pytest.mark.parametrize(
    ("page", "name"),
    [
        ("README.md", "all"),
        ("docs/rattleback.md", "rattleback"),
        ("docs/rolling.md", "rubber"),
        ("docs/tippedisk.md", "tippedisk"),
    ],
)
def test_pages_repeat_the_table(page, name):
    text = re.sub(r"\s+", " ", (ROOT / page).read_text(encoding="utf-8"))
    counts = table()[name]
    assert f"of {counts['rows']} rows {phrase(counts)}" in text


def recount(name):
    rows = list(study(name).rows())
    counts = Counter(row.verdict for row in rows)
    assert counts[FAILED] == 0, [f"{r.id} {r.what}" for r in rows if r.verdict == FAILED]
    return {"rows": len(rows)} | {verdict: counts[verdict] for verdict in VERDICTS if verdict != FAILED}


@pytest.mark.parametrize("name", QUICK)
def test_quick_counts(name):
    assert recount(name) == table()[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(s.name for s in single_studies() if s.name not in QUICK))
def test_counts(name):
    assert recount(name) == table()[name]
