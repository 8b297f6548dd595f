"""The ledger of the tippedisk: the full models, and the reduced ones."""

import numpy as np
import pytest

from rollick.studies.catalogue import study
from rollick.studies.ledger import DIFFERS, NEW, REPRODUCED
from rollick.studies.study import Study

QUICK = ["T1", "T2", "T24", "T25", "T26", "TS"]
CLOSED = ["T4", "T5", "T6", "T7", "T8", "T9", "T11", "T13", "T15", "T19", "T20"]  # closed forms and quadratures
LONG = ["T27", "T28", "T29", "T30", "T31"]  # recomputed in test_counts.py
LONG += ["T3", "T10", "T12", "T14", "T16", "T17", "T18", "T21", "T22", "T23", "TE", "TN", "TW1", "TW2", "TW3", "TW4", "TW5"]


def check(id):
    rows = list(study("tippedisk").rows([id]))
    assert rows
    for row in rows:
        assert row.verdict in (REPRODUCED, NEW), f"{row.id} {row.what}: {row.computed} against {row.printed}, {row.reference}"


@pytest.mark.parametrize("id", [pytest.param(id, marks=pytest.mark.slow if id in ("T26", "TS") else ()) for id in QUICK])
def test_target(id):
    """The slow ones compile more parametrisations: test_tippedisk.py has the samples of each, and both laws."""
    check(id)


@pytest.mark.parametrize("id", CLOSED)
def test_target_by_closed_forms(id):
    rows = list(study("tippedisk").rows([id]))
    assert rows
    assert all(r.verdict == REPRODUCED or (r.verdict == DIFFERS and r.note.startswith("E")) for r in rows)
    assert [r.id for r in rows if r.verdict == DIFFERS] == ([id] if id in ("T6", "T9") else [])


def test_all_targets_are_there():
    assert sorted(study("tippedisk").targets) == sorted(QUICK + CLOSED + LONG)


def test_a_printed_guess_is_no_target(monkeypatch):
    """Table 4.2 of the thesis is headed "Initial guess for sequential continuation": the orbit itself is judged by the reference alone, to its last digit."""
    from rollick.studies.tippedisk import reduced_targets

    monkeypatch.setattr(reduced_targets, "starting_orbit", lambda: (1.7306, -1.7094, 1.0957))
    rows = list(reduced_targets.t18())
    assert [(row.printed, row.against, row.why) for row in rows] == [(None, "reference", "")] * 3
    assert all(row.verdict == REPRODUCED and "guess" in row.note for row in rows)
    monkeypatch.setattr(reduced_targets, "starting_orbit", lambda: (1.69, -1.72, 1.10))
    assert {row.verdict for row in reduced_targets.t18()} == {"not reproduced"}


def test_an_inverted_height_is_quoted_as_it_is_printed(monkeypatch):
    """The thesis says of Fig. 3.7 that z_S converges to r + e, and prints no number."""
    from rollick.studies.tippedisk import targets

    def motion(name, until, radius, every):
        return {"z_S": np.array([0.0425, height]), "gap": np.array([0.0, -1e-6])}

    monkeypatch.setattr(targets, "motion", motion)
    monkeypatch.setattr(targets, "fall_time", lambda radius: 20.0 if radius < 7e-4 else 10.0)
    for height, verdict in ((0.0474, "open"), (0.04748, REPRODUCED)):
        _, row, _ = targets.t31()
        assert row.verdict == verdict
        assert "r + e" in row.printed
        assert not any(c.isdigit() for c in row.printed)
        assert row.computed == f"z_S at most {height:.5f} m, r + e = 0.04750 m"


@pytest.mark.slow
def test_figures(tmp_path):
    from rollick.cli.reproduce import draw_figures

    found = study("tippedisk")
    written, failed = draw_figures(
        Study(found.name, found.title, {}, {k: found.figures[k] for k in ("fig3_6", "fig3_8")}), tmp_path
    )
    assert not failed
    assert set(written) == {"fig3_6", "fig3_8"}
    assert all(p.stat().st_size > 10_000 for p in written.values())


@pytest.mark.slow
def test_the_disk_jumps_when_spun_fast():
    from rollick.archetypes.tippedisk.jumping import contact_of, jump, jumping_spin

    spin = jumping_spin(digits=0.1)
    assert spin == pytest.approx(113.7, abs=0.2)
    assert contact_of(40.0).opens is None
    assert jump(100.0, until=0.3)["gap"].max() < 1e-9
    leap = jump(150.0, until=0.3)
    assert leap["gap"].max() > 1e-3
    opens = contact_of(150.0).opens
    assert leap.t[(leap["gap"] > 1e-7).argmax()] == pytest.approx(opens, abs=5e-3)
