"""The ledger of Antali's thesis: every target present and met; its figures drawn."""

import numpy as np
import pytest

from rollick.archetypes.filippov import PoolBall
from rollick.cli.reproduce import draw_figures
from rollick.studies.catalogue import study
from rollick.studies.dual_point.counting import random_ranks
from rollick.studies.dual_point.polar import pool_ball_stops, straight_slip_ends
from rollick.studies.ledger import DIFFERS, FIGURE_ONLY, NEW, OPEN, REFUTED, REPRODUCED

CHAPTERS_2_AND_3 = ["E1", "E2", "E3", "E4", "DT1", "DE"]
ROLLING = ["K1", "K2", "K3", "K4", "K5", "K6", "K7", "KG", "KE"]
WHEELSET = ["W1", "W2", "W3", "W4", "W7", "WR", "WE"]
FLOWMETER = ["F1", "F2", "F3", "F4", "F7", "FE", "FN"]
LONG = ["E3", "F3", "F4", "FN", "W4", "W7", "WE"]  # the tests of tests/archetypes and tests/analysis show the same in less time


@pytest.mark.parametrize(
    "id",
    [
        pytest.param(id, marks=pytest.mark.slow if id in LONG else ())
        for id in [*CHAPTERS_2_AND_3, *FLOWMETER, *WHEELSET]
        if id != "WR"
    ],
)
def test_target(id):
    rows = list(study("dual-point").rows([id]))
    assert rows
    good = (REPRODUCED, REFUTED, NEW) if id in ("DE", "FE", "WE") else (REPRODUCED, NEW, FIGURE_ONLY)
    for row in rows:
        assert row.verdict in good, f"{row.id} {row.what}: {row.computed} against {row.printed}, {row.reference}"


@pytest.mark.parametrize(("id", "verdicts"), [("K1", {REPRODUCED}), ("K4", {REFUTED, DIFFERS}), ("K6", {OPEN})])
def test_target_of_chapter_one(id, verdicts):
    """The others' verdicts are counted by test_counts.py."""
    rows = list(study("dual-point").rows([id]))
    assert {row.verdict for row in rows} == verdicts
    assert all("inferred" in row.note for row in rows if row.printed and id != "K6")


def test_all_targets_are_there_under_both_spellings():
    assert list(study("dual-point").targets) == [*CHAPTERS_2_AND_3, *ROLLING, *FLOWMETER, *WHEELSET]
    assert study("dual_point") is study("dual-point")


@pytest.mark.slow
def test_figures(tmp_path):
    files, failures = draw_figures(study("dual_point"), tmp_path)
    assert not failures
    written = list(files.values())
    names = ["fig2_3", "fig2_9", "ball_a", "fig1_4", "fig1_6", "fig1_8", "fig1_9", "fig1_10", "s1002_uic60"]
    names += ["fig4_5", "fig4_6", "fig4_7", "fig4_9", "fig4_10", "fig4_11", "flowmeter_starts"]
    names += ["fig5_3", "fig5_4", "fig5_5", "fig5_6", "fig5_7", "wheelset_episodes", "wheelset_return_maps"]
    assert {f"dual_point_{name}.png" for name in names} <= {p.name for p in written}
    assert all(p.stat().st_size > 10_000 for p in written)


def test_both_quadratures_agree_where_slip_is_along_a_line():
    """The polar route against the closed form, from a slip with a trace of an angle."""
    stop = pool_ball_stops(PoolBall(), np.array([1.0, 1e-9]), np.array([0.7, 0.0]))
    end, speed = straight_slip_ends(PoolBall(), 1.0, 0.7)
    assert abs(stop.t - end) < 1e-7
    assert abs(stop.x[0] - speed) < 1e-7


def test_a_wrong_count_would_be_seen():
    """Two contacts whose line is not fixed by rolling leave one force: nine equations, whatever the body."""
    rng = np.random.default_rng(1)
    assert {random_ranks(rng, "RR").equations for _ in range(20)} == {9}
    assert {random_ranks(rng, "SR").equations for _ in range(20)} == {10}
