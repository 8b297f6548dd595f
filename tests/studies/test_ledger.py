"""The ledger itself: printed digits and their half units, reasons for wider tolerances, every verdict, and a ledger that can say no."""

import json

import pytest

from rollick.studies.digits import read_number
from rollick.studies.ledger import (
    BOTH,
    BOUND,
    DIFFERS,
    FAILED,
    FIGURE_ONLY,
    NEW,
    OPEN,
    PRINTED,
    REFERENCE,
    REFUTED,
    REPRODUCED,
    VERDICTS,
    Row,
    bound,
    claim,
    picture,
    value,
)
from rollick.studies.study import Study


@pytest.mark.parametrize(
    ("text", "number", "half"),
    [
        ("0.9989", 0.9989, 5e-5),
        ("0.3010", 0.301, 5e-5),
        ("42", 42.0, 0.5),
        ("-7.0e-6", -7e-6, 5e-8),
        ("1e-5", 1e-5, 5e-6),
        ("3.31E-3", 3.31e-3, 5e-6),
        ("-390.19", -390.19, 5e-3),
        ("2480.8", 2480.8, 0.05),
        ("1/3", 1 / 3, 0.0),
    ],
)
def test_half_a_unit_of_the_last_digit(text, number, half):
    assert read_number(text) == (number, pytest.approx(half, rel=1e-12))


@pytest.mark.parametrize("text", ["about 1", "", ".5", "1.", "1,5", "0x1", "nan", "1/0"])
def test_what_is_no_number(text):
    with pytest.raises((ValueError, ZeroDivisionError)):
        read_number(text)


def test_a_number_is_judged_by_its_last_digit():
    assert value("X", "x", 0.99885, printed="0.9989").verdict == REPRODUCED
    assert value("X", "x", 0.99884, printed="0.9989").verdict == FAILED
    row = value("X", "x", 0.99884, reference="0.9989", erratum="E1")
    assert (row.verdict, row.note, row.against, row.tolerance) == (DIFFERS, "E1", REFERENCE, pytest.approx(5e-5))
    row = value("X", "x", 0.99884, printed="0.9989", unexplained="open: who knows")
    assert (row.verdict, row.note, row.against) == (OPEN, "open: who knows", PRINTED)
    assert value("X", "x", 0.9989, printed="0.9989", unexplained="never shown").note == ""
    assert value("X", "x", float("nan"), printed="0.9989").verdict == FAILED


def test_a_wider_tolerance_needs_a_reason():
    with pytest.raises(ValueError, match="say `why`"):
        value("X", "x", 1.0, printed="0.9989", tolerance=1e-4)
    with pytest.raises(ValueError, match="say `why`"):
        value("X", "x", 0.34, printed="1/3", tolerance=1e-4)
    row = value("X", "x", 0.999, printed="0.9989", tolerance=2e-4, why="an integrator of unknown tolerance")
    assert row.verdict == REPRODUCED
    assert row.as_dict()["why"] == "an integrator of unknown tolerance"
    assert value("X", "x", 2.0, printed="2", tolerance=1e-12).verdict == REPRODUCED  # narrower needs none
    (row,) = Study("s", "t", {"X": lambda: iter([value("X", "x", 1.0, printed="0.9989", tolerance=1e-4)])}).rows()
    assert row.verdict == FAILED


def test_a_row_says_what_it_is_compared_with():
    with pytest.raises(ValueError, match="in quotes"):
        value("X", "x", 1.0, printed=0.9989)
    with pytest.raises(ValueError, match="nothing to compare with"):
        value("X", "x", 1.0)
    with pytest.raises(ValueError, match="needs a tolerance"):
        value("X", "x", 1.0, reference=1.0)
    with pytest.raises(ValueError, match="needs a tolerance"):
        value("X", "x", 1 / 3, printed="1/3")
    with pytest.raises(ValueError, match="in quotes"):
        value("X", "x", 1.0, printed="1.0", reference=1.0)
    with pytest.raises(ValueError, match="claim of nobody"):
        claim("X", "x", "two", True)
    assert value("X", "x", 1.0, reference=1.0 + 1e-7, tolerance=1e-6).verdict == REPRODUCED


def test_with_both_the_reference_must_be_met_too():
    row = value("X", "x", 0.115198, printed="0.115", reference="0.115198")
    assert (row.verdict, row.against, row.deviation) == (REPRODUCED, BOTH, pytest.approx(1.98e-4))
    row = value("X", "x", 0.1152, printed="0.115", reference="0.115198", erratum="E1")
    assert row.verdict == FAILED
    assert "off the reference by 2e-06" in row.note
    assert value("X", "x", 0.115198, printed="0.116", reference="0.115198", erratum="E1").verdict == DIFFERS


def test_refuted_and_new():
    assert claim("X", "x", "two", True, printed="one", verdict=REFUTED).verdict == REFUTED
    assert claim("X", "x", "one", False, printed="one", verdict=REFUTED).verdict == FAILED
    assert value("X", "x", 1.0, reference="1.0", verdict=NEW).verdict == NEW
    assert value("X", "x", 1.1, reference="1.0", verdict=NEW).verdict == FAILED
    assert bound("X", "x", 1e-3, 1e-2, verdict=NEW).verdict == NEW
    with pytest.raises(ValueError, match="says what the work prints"):
        claim("X", "x", "two", True, reference="one", verdict=REFUTED)
    with pytest.raises(ValueError, match="is not new"):
        value("X", "x", 1.0, printed="1.0", verdict=NEW)


def test_bounds_claims_and_pictures():
    assert bound("X", "x", float("nan"), 1.0).verdict == FAILED
    assert bound("X", "x", 2.0, 1.0).verdict == FAILED
    assert bound("X", "x", 0.5, 1.0).against == BOUND
    assert claim("X", "x", "two", False, printed="one").verdict == FAILED
    assert claim("X", "x", "two", False, printed="one", unexplained="open").verdict == OPEN
    assert claim("X", "x", "two", False, printed="one", erratum="E1").verdict == DIFFERS
    assert picture("X", "x", "a curve").verdict == FIGURE_ONLY
    assert len(set(VERDICTS)) == 7


def test_rows_for_json():
    row = value("X", "x", 0.115198, printed="0.116", reference="0.115198", erratum="E1", as_printed=0.2).as_dict()
    assert list(row) == [
        *("id", "what", "printed", "reference", "computed", "deviation", "tolerance", "verdict", "against"),
        *("note", "as_printed"),
    ]
    assert row["printed"] == "0.116"
    assert json.loads(json.dumps(row)) == row


def test_a_target_that_breaks_is_a_row():
    def broken():
        raise ZeroDivisionError("oh")
        yield

    (row,) = Study("s", "t", {"X": broken}).rows()
    assert isinstance(row, Row)
    assert row.verdict == FAILED
    assert "ZeroDivisionError" in row.computed
