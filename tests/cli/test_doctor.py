"""`rollick doctor`: what it tells, and what it does when something is wrong."""

import json

from typer.testing import CliRunner

from rollick.cli import doctor as room
from rollick.cli.main import app


def asked(*words):
    """Exit code and standard output of the command."""
    found = CliRunner().invoke(app, ["doctor", *words])
    return found.exit_code, found.stdout


def test_everything_is_told_and_every_check_has_its_number():
    code, out = asked("--json")
    told = json.loads(out)
    assert code == 0
    assert told["ok"]
    assert set(room.NEEDED) <= set(told["packages"])
    assert told["machine"]["cores"] >= 1
    assert len(told["checks"]) == len(room.CHECKS)
    assert all(check["value"] <= check["most"] for check in told["checks"])


def test_without_the_self_test_nothing_is_computed(monkeypatch):
    monkeypatch.setattr(room, "self_test", lambda: 1 / 0)
    code, out = asked("--no-test")
    assert code == 0
    assert "compiled code" in out


def test_a_check_that_fails_or_breaks_is_told_and_the_exit_code_is_one(monkeypatch):
    monkeypatch.setattr(room, "CHECKS", (lambda: ("two and two are four", 5.0, 0.0), lambda: 1 / 0))
    code, out = asked()
    assert code == 1
    assert "WRONG          two and two are four: 5 (at most 0)" in out
    assert "ZeroDivisionError" in out
    assert "all is well" not in out
