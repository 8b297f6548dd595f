"""A second process that compiles: what is waited for, for how long, and that nothing depends on it."""

import subprocess
import sys
import threading
import time

import pytest

from rollick.kernel import second_process as s


@pytest.fixture
def no_others(monkeypatch):
    """A list of processes of its own, ended afterwards."""
    here: list = []
    monkeypatch.setattr(s, "_at_work", here)
    yield here
    for process, _, _ in here:
        if process.stdin and not process.stdin.closed:
            process.stdin.close()
        process.kill()
        process.wait()


def sleeper(here, names, seconds=60.0):
    import os

    process = subprocess.Popen([sys.executable, "-S", "-c", f"import time; time.sleep({seconds})"], stdin=subprocess.PIPE)
    here.append((process, frozenset(names), os.getpid()))
    return process


@pytest.mark.parametrize(("given", "count"), [("1", 1), ("0", 1), ("7", 7)])
def test_how_many_can_be_told(monkeypatch, given, count):
    monkeypatch.setenv("ROLLICK_COMPILERS", given)
    assert s.compilers() == count
    assert s.can_start() is (count > 1)


def test_by_default_there_are_at_most_three(monkeypatch):
    monkeypatch.delenv("ROLLICK_COMPILERS", raising=False)
    assert 1 <= s.compilers() <= 3


@pytest.mark.parametrize(("name", "value"), [("executable", ""), ("executable", "/usr/bin/blender"), ("frozen", True)])
def test_no_process_is_started_by_what_is_not_python(monkeypatch, name, value):
    monkeypatch.setenv("ROLLICK_COMPILERS", "2")
    assert s.can_start()
    monkeypatch.setattr(sys, name, value, raising=False)
    assert not s.can_start()


def test_waits_until_the_file_is_there(no_others, tmp_path):
    sleeper(no_others, ["a.b"])
    place = tmp_path / "code"
    told = []

    def write():
        time.sleep(0.3)
        told.append("written")
        place.write_text("x")

    writer = threading.Thread(target=write)
    writer.start()
    s.wait_for("a.b", place)
    assert told == ["written"]
    writer.join()


def test_does_not_wait_for_what_nobody_compiles(no_others, tmp_path):
    process = sleeper(no_others, ["a.b"])
    s.wait_for("a.c", tmp_path / "never")
    assert process.poll() is None  # it came back before the process ended


def test_does_not_wait_for_a_process_that_has_died(no_others, tmp_path):
    sleeper(no_others, ["a.b"]).kill()
    s.wait_for("a.b", tmp_path / "never")
    assert not (tmp_path / "never").exists()
    assert s.under_way("a.b") is None


def test_waits_no_longer_than_it_has_patience(no_others, tmp_path, monkeypatch):
    process = sleeper(no_others, ["a.b"])
    monkeypatch.setattr(s, "PATIENCE", 0.1)
    s.wait_for("a.b", tmp_path / "never")
    assert process.poll() is None


def test_a_child_of_the_starter_does_not_wait_for_its_parents_process(no_others, tmp_path):
    process = sleeper(no_others, ["a.b"])
    no_others[0] = (process, no_others[0][1], -1)  # as after a fork: another process started it
    assert s.under_way("a.b") is None


def test_one_that_cannot_be_started_is_no_error(no_others, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/does/not/exist/python")
    s.start("rollick.nothing", ["a.b"])
    assert no_others == []


def test_it_ends_when_its_starter_does(no_others):
    code = "from rollick.kernel.second_process import end_with_starter as e; import time; e(); print('up', flush=True); time.sleep(60)"
    process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    no_others.append((process, frozenset(), 0))
    assert process.stdout is not None
    assert process.stdin is not None
    assert process.stdout.readline() == b"up\n"
    process.stdin.close()
    assert process.wait(30) == 0
