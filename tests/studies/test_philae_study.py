"""The ledger of the landing of Philae: the quick targets, and the slow ones."""

import pytest

from rollick.studies.ledger import DIFFERS, FAILED, REPRODUCED
from rollick.studies.philae import FIGURES, TARGETS

QUICK = ("P1", "P3", "P4", "P6", "P7", "P8", "P9", "P11", "PE")
VERDICTS = {  # how many rows of each target are reproduced, and how many differ for a known reason
    "P1": (3, 0),
    "P3": (5, 0),
    "P4": (4, 1),
    "P6": (1, 2),
    "P7": (1, 2),
    "P8": (2, 0),
    "P9": (2, 0),
    "P11": (2, 2),
    "PE": (1, 0),
}


@pytest.mark.parametrize("id", QUICK)
def test_quick_targets(id):
    rows = list(TARGETS[id]())
    verdicts = [row.verdict for row in rows]
    assert FAILED not in verdicts
    assert (verdicts.count(REPRODUCED), verdicts.count(DIFFERS)) == VERDICTS[id]
    assert all(row.note for row in rows if row.verdict == DIFFERS)


@pytest.mark.slow
@pytest.mark.parametrize("id", ["P5", "P10", "P12"])
def test_slow_targets(id):
    rows = list(TARGETS[id]())
    assert rows
    assert FAILED not in [row.verdict for row in rows]
    assert all(row.note for row in rows if row.verdict == DIFFERS)


def test_figures():
    for name in ("philae_sun", "philae_sky", "philae_descent", "philae_touchdown"):
        assert FIGURES[name]().axes
