"""`rollick reproduce`: progress on standard error also with --json, both columns in the table, verdicts counted, the exit code."""

import json
import os
import signal

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


def pressed_within():
    """A target that goes on after Ctrl-C, as a motion does that ends well with what it has; its second row then rests on half of a computation."""
    yield value("X2", "known before", 1.0, printed="1.0")
    try:
        os.kill(os.getpid(), signal.SIGINT)
        signal.sigtimedwait([], 0.1)  # wherever the interpreter hears of it
    except KeyboardInterrupt:
        pass
    yield value("X2", "half", 3.0, printed="4.0")


def never():
    raise AssertionError("reached after Ctrl-C")
    yield


INTERRUPTED = Study("long", "a long one", {"X1": x1, "X2": pressed_within, "X3": never, "X4": never}, {"f": never})


@pytest.fixture
def by_default():
    """Ctrl-C as Python hears it by itself, also where the tests run in the background, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_an_interrupted_target_has_no_verdict(monkeypatch, capsys, by_default):
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.setattr(reproduce, "find", lambda name: INTERRUPTED)
    assert reproduce.reproduce_study("long", None, None, False) == 130
    out = capsys.readouterr().out
    assert "known before" in out
    assert "half" not in out
    assert "2 reproduced, 1 differs" in out
    assert "not reproduced" not in out
    assert "interrupted: 3 of 4 targets not finished (X2, X3, X4)" in out
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_what_was_done_before_ctrl_c_is_kept_in_json(monkeypatch, capsys, tmp_path, by_default):
    monkeypatch.setattr(reproduce, "single_studies", lambda: [INTERRUPTED, Study("later", "", {"Y1": never})])
    assert reproduce.reproduce_study(None, None, tmp_path, True) == 130
    found = json.loads(capsys.readouterr().out)
    assert [row["what"] for row in found["targets"]] == ["a limit", "a sum", "known before"]
    assert found["not_finished"] == ["X2", "X3", "X4"]
    assert found["studies_not_reached"] == ["later"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_a_figure_that_was_interrupted_is_not_written(tmp_path, by_default):
    import matplotlib.figure

    def halved():
        for _ in pressed_within():
            pass
        return matplotlib.figure.Figure()

    with pytest.raises(KeyboardInterrupt):
        reproduce.draw_figures(Study("long", "", {}, {"f": halved}), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_each_target_is_printed_when_it_is_done(monkeypatch, capsys):
    """Nobody waits an hour for the first row: it stands there before the second target begins, in columns that stay where they are."""
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    seen = []

    def later():
        seen.append(capsys.readouterr().out)
        yield from x2()

    monkeypatch.setattr(reproduce, "find", lambda name: Study("toy", "a toy", {"X1": x1, "X2": later}))
    assert reproduce.reproduce_study("toy", None, None, False) == 0
    first, rest = seen[0], capsys.readouterr().out
    assert "a limit" in first
    assert "verdict" in first
    assert "the sense" in rest
    assert "verdict" not in rest
    column = {
        next(line for line in text.splitlines() if word in line).index(word)
        for text, word in ((first, "differs"), (rest, "refuted"))
    }
    assert len(column) == 1
