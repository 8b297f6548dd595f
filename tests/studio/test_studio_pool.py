"""Workers that die, refuse, are cancelled and replaced; and a session that is told of it, without a web library."""

from __future__ import annotations

import os
import queue
import signal
import threading
import time

import pytest

from rollick.studio.pool import Pool
from rollick.studio.results import MOST, Results
from rollick.studio.session import Session
from rollick.studio.state import State


@pytest.fixture(scope="module")
def pool():
    made = Pool(1)
    yield made
    made.close()


class Ear:
    """What a task tells."""

    def __init__(self):
        self.words: queue.Queue = queue.Queue()

    def __call__(self, kind, value):
        self.words.put((kind, value))

    def until(self, *kinds):
        while True:
            kind, value = self.words.get(timeout=240)
            if kind in kinds:
                return kind, value


LAST = ("done", "refused", "failed", "cancelled", "replaced")


def test_a_motion_comes_in_parts_and_a_bad_one_is_refused(pool):
    ear = Ear()
    pool.submit("a", "motion", State().lasting("1").plain(), ear)
    kind, curves = ear.until("curves")
    assert curves["status"] == "finished"
    assert curves["t"][-1] == 1.0
    assert set(curves["plot"]) <= set(curves["values"])
    assert '"attitude"' in ear.until("scene")[1]
    assert ear.until(*LAST)[0] == "done"
    pool.submit("a", "motion", {"system": "rattleback", "set": {"A": 1e-9}}, ear)
    kind, sentence = ear.until(*LAST)
    assert kind == "refused"
    assert "Traceback" not in sentence
    pool.submit("a", "motion", {"system": "nothing"}, ear)
    assert ear.until(*LAST)[0] == "refused"


def test_a_process_that_dies_is_told_of_and_replaced(pool):
    ear = Ear()
    place = pool.places[0]
    pool.submit("a", "motion", State().lasting("400").to("1e-13").plain(), ear)
    ear.until("begun")
    while not place.taken:
        time.sleep(0.001)
    os.kill(place.process.pid, signal.SIGSEGV)
    kind, sentence = ear.until(*LAST)
    assert (kind, "abruptly" in sentence) == ("failed", True)
    pool.submit("a", "motion", State().lasting("1").plain(), ear)
    assert ear.until(*LAST)[0] == "done"
    os.kill(place.process.pid, signal.SIGKILL)  # while nothing is asked of it
    pool.submit("a", "motion", State().lasting("1").plain(), ear)
    assert ear.until(*LAST)[0] == "done"
    assert place.deaths == 2


def test_of_those_that_wait_the_newest_is_computed(pool):
    ears = [Ear() for _ in range(5)]
    for k, ear in enumerate(ears):
        pool.submit("b", "motion", State().lasting(str(1 + k)).plain(), ear)
    ends = [ear.until(*LAST)[0] for ear in ears]
    assert ends[-1] == "done"
    assert ends.count("replaced") >= 3


def test_a_task_is_cancelled(pool):
    ear, other = Ear(), Ear()
    task = pool.submit("c", "motion", State().lasting("400").to("1e-13").plain(), ear)
    ear.until("begun")
    waiting = pool.submit("d", "motion", State().lasting("1").plain(), other)
    pool.cancel(waiting)
    assert other.until(*LAST)[0] == "cancelled"
    pool.cancel(task)
    assert ear.until(*LAST)[0] == "cancelled"


def test_a_session_runs_keeps_and_undoes(pool):
    calls: queue.Queue = queue.Queue()
    session = Session(pool, Results(), lambda function, *given: calls.put((function, given)), State().lasting("1"))
    told: list = []
    session.changed = lambda word, value: told.append((word, value))

    def settle():
        while session.tasks:
            function, given = calls.get(timeout=240)
            function(*given)

    session.start()
    settle()
    first = session.run
    session.keep()
    assert session.change(lambda s: s.with_parameter("M", 2.0))
    settle()
    assert session.run is not first
    assert [run["label"] for run in session.runs()] == ["rattleback, as it is", "rattleback: M = 2"]
    assert not session.change(lambda s: s.with_parameter("M", "one"))
    assert told[-1][0] == "refused"
    session.back("undo")
    assert not session.tasks, "what was computed already is not computed again"
    assert (session.run["values"]["gamma"] == first["values"]["gamma"]).all()
    shown = session.run
    session.change(lambda s: s.lasting("400").to("1e-13"))
    session.cancel()
    settle()
    assert told[-2:] == [("idle", "motion"), ("cancelled", "motion")]
    assert session.run is shown
    session.close()
    session.changed("curves", None)


def test_results_are_forgotten_by_age():
    results = Results()
    for k in range(MOST + 5):
        results.put(str(k), {"curves": {"values": {}}, "scene": ""})
    assert results.get("0") is None
    assert results.get(str(MOST + 4)) is not None
    threads = [
        threading.Thread(target=lambda: [results.put(str(k), {"curves": {}, "scene": "x" * 100_000}) for k in range(200)])
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results.kept) <= MOST
