"""The ledger of rubber rolling: every target present and reproduced; its figures drawn."""

import pytest

from rollick.studies.catalogue import study
from rollick.studies.ledger import NEW, REFUTED, REPRODUCED
from rollick.studies.study import Study


@pytest.mark.parametrize("id", [pytest.param(f"Q{i}", marks=pytest.mark.slow if i == 9 else ()) for i in range(1, 11)] + ["QE"])
def test_target(id):
    rows = list(study("rubber").rows([id]))
    assert rows
    for row in rows:
        good = (REPRODUCED, REFUTED) if id == "QE" else (REPRODUCED, NEW)
        assert row.verdict in good, f"{row.id} {row.what}: {row.computed} against {row.printed}, {row.reference}"


def test_all_targets_are_there():
    assert list(study("rubber").targets) == [*(f"Q{i}" for i in range(1, 11)), "QE"]


def drawn(names, folder):
    from rollick.cli.reproduce import draw_figures

    found = study("rubber")
    written, failures = draw_figures(Study(found.name, found.title, {}, {k: found.figures[k] for k in names}), folder)
    assert not failures
    assert list(written) == names
    assert all(p.stat().st_size > 10_000 for p in written.values())


def test_quick_figures(tmp_path):
    drawn(["fig6"], tmp_path)


@pytest.mark.slow
def test_long_figures(tmp_path):
    drawn(["bodies", "torus_atlas", "beside_marble", "chaos", "decay"], tmp_path)
