"""The ledger of chatter: every row holds, or names its erratum."""

import pytest

from rollick.studies.chatter.targets import TARGETS
from rollick.studies.ledger import FAILED


@pytest.mark.parametrize("id", list(TARGETS))
def test_rows(id):
    rows = list(TARGETS[id]())
    assert rows
    assert [r for r in rows if r.verdict == FAILED] == []
