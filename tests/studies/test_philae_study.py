"""The ledger of the landing of Philae: the quick targets; P5, P10 and P12 are recomputed in test_counts.py."""

from collections import Counter

import pytest

from rollick.studies.ledger import DIFFERS, NEW, OPEN, REFUTED, REPRODUCED
from rollick.studies.philae import FIGURES, TARGETS

VERDICTS = {  # of the quick targets
    "P1": {REPRODUCED: 3},
    "P2": {REPRODUCED: 1, DIFFERS: 1, NEW: 2, REFUTED: 1},
    "P3": {REPRODUCED: 4, REFUTED: 1},
    "P4": {REPRODUCED: 4, REFUTED: 1},
    "P6": {REPRODUCED: 1, DIFFERS: 2},
    "P7": {REPRODUCED: 1, DIFFERS: 2},
    "P8": {REPRODUCED: 2},
    "P9": {REPRODUCED: 2},
    "P11": {OPEN: 1, REFUTED: 2, NEW: 1},
    "PE": {REFUTED: 1},
}


@pytest.mark.parametrize("id", list(VERDICTS))
def test_quick_targets(id):
    rows = list(TARGETS[id]())
    assert Counter(row.verdict for row in rows) == VERDICTS[id]
    assert all(row.note for row in rows if row.verdict in (DIFFERS, OPEN))


def test_figures():
    for name in ("philae_sun", "philae_sky", "philae_descent", "philae_touchdown"):
        assert FIGURES[name]().axes
