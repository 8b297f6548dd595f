"""The counts of the documents are those of the ledger: docs/ledger.md is recomputed (slow), and the other pages repeat it.

Every target is recomputed once, in a test of its own (the longest takes minutes); counts.json has the verdicts of each.
"""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from rollick.studies.catalogue import single_studies, study
from rollick.studies.ledger import DIFFERS, FAILED, OPEN, VERDICTS

ROOT = Path(__file__).parents[2]
COUNTS = json.loads((Path(__file__).parent / "counts.json").read_text(encoding="utf-8"))  # study -> target -> verdict -> rows
QUICK = "rubber"  # its targets run in the ordinary tests anyway


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
        ("docs/filippov.md", "dual_point"),
        ("docs/rolling.md", "rubber"),
        ("docs/tippedisk.md", "tippedisk"),
    ],
)
def test_pages_repeat_the_table(page, name):
    text = re.sub(r"\s+", " ", (ROOT / page).read_text(encoding="utf-8"))
    counts = table()[name]
    assert f"of {counts['rows']} rows {phrase(counts)}" in text


def recount(name, id):
    """The verdicts of a target, recomputed; whatever does not agree must say why."""
    rows = list(study(name).rows([id]))
    assert [f"{r.what}: {r.computed}" for r in rows if r.verdict == FAILED] == []
    assert all(r.id == id for r in rows)
    assert all(r.note for r in rows if r.verdict in (DIFFERS, OPEN))
    return dict(Counter(r.verdict for r in rows))


def test_the_targets_add_up_to_the_table():
    """counts.json, target by target, is the table of the page, study by study."""
    assert sorted(COUNTS) == sorted(s.name for s in single_studies())
    for name, targets in COUNTS.items():
        assert list(targets) == list(study(name).targets)
        total = Counter()
        for counts in targets.values():
            total.update(counts)
        assert {"rows": total.total()} | {v: total[v] for v in VERDICTS if v != FAILED} == table()[name]


LONG = ["Q1", "Q6", "Q8", "Q9", "Q10"]  # of the quick study


@pytest.mark.parametrize("without", [LONG, pytest.param([], marks=pytest.mark.slow)], ids=["without the long ones", "all"])
def test_quick_counts(without):
    chosen = [id for id in study(QUICK).targets if id not in without]
    assert {id: recount(QUICK, id) for id in chosen} == {id: COUNTS[QUICK][id] for id in chosen}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "id"), [(name, id) for name, targets in COUNTS.items() for id in targets if name != QUICK])
def test_counts(name, id):
    assert recount(name, id) == COUNTS[name][id]
