"""The ledger of the dying disk: nothing unexplained, and the figures can be drawn."""

import pytest

from rollick.studies.dying_disk import FIGURES, TARGETS
from rollick.studies.ledger import DIFFERS, FAILED

QUICK = ("C1", "C2", "C3", "C4", "C5", "C6", "C7", "C9", "C10", "C11", "C13", "C15", "C16")


@pytest.mark.parametrize("id", QUICK)
def test_quick_targets(id):
    rows = list(TARGETS[id]())
    assert rows
    assert not [r for r in rows if r.verdict == FAILED]


def test_what_differs_is_explained():
    for id in ("C1", "C10", "C15"):
        rows = [r for r in TARGETS[id]() if r.verdict == DIFFERS]
        assert rows
        assert all(r.note for r in rows)


@pytest.mark.slow
@pytest.mark.parametrize("id", [i for i in TARGETS if i not in QUICK])
def test_other_targets(id):
    assert not [r for r in TARGETS[id]() if r.verdict == FAILED]


@pytest.mark.parametrize("name", ["disk_fig4_5", "disk_figB_1"])
def test_quick_figures(name):
    assert FIGURES[name]().axes


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in FIGURES if n not in ("disk_fig4_5", "disk_figB_1")])
def test_other_figures(name):
    assert FIGURES[name]().axes
