"""The ledger of chatter: every row holds, or names its erratum."""

import math

import pytest

from rollick.analysis.chatter.pair import pair_limit
from rollick.studies.chatter.targets import TARGETS, pair_bisected, turns_complex
from rollick.studies.ledger import FAILED, OPEN


@pytest.mark.parametrize("id", [pytest.param(id, marks=pytest.mark.slow if id in ("B6", "B8") else ()) for id in TARGETS])
def test_rows(id):
    rows = list(TARGETS[id]())
    assert rows
    assert [r for r in rows if r.verdict == FAILED] == []
    assert {r.id for r in rows if r.verdict == OPEN} <= {"B2"}  # the tetrahedron's printed limits


def test_the_limits_of_the_rod_and_of_pairs_are_checked_by_other_means():
    """The rows A1 and B7 compare closed forms with bisected discriminants: a wrong closed form would show."""
    assert abs(turns_complex(0.2) - (1 - math.sqrt(0.2)) / (1 + math.sqrt(0.2))) < 1e-12
    assert abs(turns_complex(0.2) - 0.3818) > 1e-6
    assert abs(pair_bisected(0.5) - pair_limit(0.5)) < 1e-12
    assert abs(pair_bisected(0.5) - pair_limit(0.5001)) > 1e-6
