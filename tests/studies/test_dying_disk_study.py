"""The ledger of the dying disk: nothing unexplained, and the figures can be drawn."""

import pytest

from rollick.studies.dying_disk import FIGURES, TARGETS
from rollick.studies.ledger import DIFFERS, FAILED, REFUTED

# The others are recomputed in test_counts.py.
QUICK = ("C1", "C2", "C3", "C4", "C5", "C6", "C7", "C9", "C10", "C11", "C13", "C15", "C16")


@pytest.mark.parametrize("id", QUICK)
def test_quick_targets(id):
    rows = list(TARGETS[id]())
    assert rows
    assert not [r for r in rows if r.verdict == FAILED]


@pytest.mark.parametrize(
    ("id", "verdict", "count"), [("C1", DIFFERS, 1), ("C15", DIFFERS, 2), ("C5", REFUTED, 1), ("C10", REFUTED, 2)]
)
def test_errata(id, verdict, count):
    rows = [r for r in TARGETS[id]() if r.verdict == verdict]
    assert len(rows) == count
    assert all(r.note for r in rows if verdict == DIFFERS)


@pytest.mark.parametrize("name", ["disk_fig4_5", "disk_figB_1"])
def test_quick_figures(name):
    assert FIGURES[name]().axes


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in FIGURES if n not in ("disk_fig4_5", "disk_figB_1")])
def test_other_figures(name):
    assert FIGURES[name]().axes
