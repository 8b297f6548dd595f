"""`rollick reproduce`: progress on standard error also with --json, both columns in the table, verdicts counted, the exit code."""

import json

import pytest

from rollick.cli import reproduce
from rollick.studies.ledger import NEW, REFUTED, claim, value
from rollick.studies.study import Study


def x1():
    yield value("X1", "a limit", 0.115198, printed="0.116", reference="0.115198", erratum="E1: a misprint")
    yield value("X1", "a sum", 2.0002, printed="2.000", tolerance=1e-3, why="an unstated step")


def x2():
    yield claim("X2", "the sense", "both", True, printed="one", verdict=REFUTED)
    yield value("X2", "beyond", 1.0, reference="1.0", verdict=NEW)
    yield value("X2", "a gap", 3.0, printed="4.0", unexplained="open: nobody knows")


@pytest.fixture
def toy(monkeypatch):
    made = Study("toy", "a toy", {"X1": x1, "X2": x2})
    monkeypatch.setattr(reproduce, "find", lambda name: made)
    return made


def test_progress_with_json(toy, monkeypatch, capsys):
    monkeypatch.setenv("FORCE_COLOR", "1")  # rich takes both streams for terminals
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert reproduce.reproduce_study("toy", None, None, True) == 0
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert [row["verdict"] for row in found["targets"]] == ["differs", "reproduced", "refuted", "new", "open"]
    assert found["targets"][0]["printed"] == "0.116"
    assert found["targets"][0]["reference"] == "0.115198"
    assert found["targets"][1]["why"] == "an unstated step"
    assert "recomputing toy" in err


def test_the_table(toy, monkeypatch, capsys):
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    assert reproduce.reproduce_study("toy", None, None, False) == 0
    out, err = capsys.readouterr()
    for words in (
        "printed",
        "reference",
        "against",
        "0.116",
        "0.115198",
        "E1: a misprint",
        "tolerance: an unstated step",
        "both",
    ):
        assert words in out
    assert "1 reproduced, 1 differs, 1 refuted, 1 new, 1 open" in out
    assert err == ""


def test_a_failure_is_exit_code_1(monkeypatch, capsys):
    bad = Study("bad", "", {"X1": lambda: iter([value("X1", "a gap", 3.0, printed="4.0")])})
    monkeypatch.setattr(reproduce, "find", lambda name: bad)
    assert reproduce.reproduce_study("bad", None, None, True) == 1
    assert json.loads(capsys.readouterr().out)["targets"][0]["verdict"] == "not reproduced"
