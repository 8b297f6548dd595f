"""The rattleback's ledger: every target present, none unexplained."""

import pytest

from rollick.studies.catalogue import study
from rollick.studies.ledger import DIFFERS, NEW, REPRODUCED
from rollick.studies.study import Study

QUICK = ["R1", "R5", "R6", "R7", "R9", "R10", "R11"]
LONG = ["R2", "R3", "R4", "R8"]  # recomputed in test_counts.py


def check(rows):
    assert rows
    for row in rows:
        assert row.verdict in (REPRODUCED, NEW, DIFFERS), (
            f"{row.id} {row.what}: {row.computed} against {row.printed}, {row.reference}"
        )
        assert row.verdict != DIFFERS or row.note


@pytest.mark.parametrize("id", QUICK)
def test_target(id):
    check(list(study("rattleback").rows([id])))


def test_all_targets_are_there():
    assert list(study("rattleback").targets) == [f"R{i}" for i in range(1, 12)]
    assert set(QUICK + LONG) == set(study("rattleback").targets)


@pytest.mark.parametrize("name", ["growth", pytest.param("fig6", marks=pytest.mark.slow)])
def test_figures_are_drawn(tmp_path, name):
    from rollick.cli.reproduce import draw_figures

    found = study("rattleback")
    few = Study(found.name, found.title, {}, {name: found.figures[name]})
    written, failures = draw_figures(few, tmp_path / "new" / "folder")
    assert len(written) == 1
    assert not failures
    assert all(p.stat().st_size > 10_000 for p in written.values())
