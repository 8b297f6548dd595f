"""What other processes compile ahead is what a motion asks for."""

import os
import subprocess
import sys

import pytest

from rollick import Body, Coulomb, Event, Rattleback, Sphere, simulate, sliding
from rollick.motion import ahead

START = {"alpha": "0.5deg", "beta": "0.5deg", "omega3": -5.0}


def test_the_types_are_those_of_a_motion_with_an_event():
    motion = simulate(Rattleback(), START, 1.0, events=[Event("gamma_rate")], progress=False)
    assert motion.complete
    for function, kinds in ahead.signatures().items():
        assert kinds in function.overloads, ahead.name_of(function)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_every_share_can_be_compiled(count):
    shares = ahead.shares(count)
    assert 1 <= len(shares) <= count
    known = ahead.signatures()
    asked = [function for share in shares for function in share]
    assert all(function in known for function in asked)
    assert len(asked) == len(set(asked))


def test_the_other_process_knows_what_an_erased_system_answers():
    """It loads little: what is registered for a system by addresses must be among it."""
    script = "import rollick.motion.ahead; from rollick.kernel.erased import Erased; from rollick.kernel.system import rate; print(rate.knows(Erased))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True"]


def test_nothing_is_started_where_the_code_is_there(monkeypatch, tmp_path):
    started = []
    monkeypatch.setattr(ahead, "start", lambda module, names: started.append((module, list(names))))
    monkeypatch.setattr(ahead, "can_start", lambda: True)
    monkeypatch.setattr(ahead, "compilers", lambda: 2)
    monkeypatch.setattr(ahead, "cache_directory", lambda: tmp_path)
    (tmp_path / "scan.scan-1.py3.abc.code").touch()
    monkeypatch.setattr(ahead, "_asked", [False])
    ahead.compile_ahead()
    assert started == []
    (tmp_path / "scan.scan-1.py3.abc.code").unlink()
    monkeypatch.setattr(ahead, "_asked", [False])
    ahead.compile_ahead()
    ahead.compile_ahead()  # once in a process
    assert [module for module, _ in started] == ["rollick.motion.ahead"]
    assert started[0][1] == [ahead.name_of(f) for f in ahead.shares(1)[0]]


@pytest.mark.parametrize(("feet", "contacts"), [({}, 1), ({"feet": [(0.1, 0.0, 0.0), (-0.1, 0.0, 0.0)]}, 2)])
def test_an_impact_compiled_ahead_is_that_of_motions_from_event_to_event(feet, contacts, monkeypatch):
    """By the types of its arguments; and no process is started once it is there."""
    ball = Body.from_inertia(1.0, (0.01, 0.01, 0.01), Sphere(0.1))
    assert simulate(sliding(ball, law=Coulomb(0.3), **feet), {"gap": 0.1}, 0.3, progress=False).complete
    function, kinds = ahead.impact_of(contacts)
    assert function._cache.is_kept(kinds, function.targetctx)
    started = []
    monkeypatch.setattr(ahead, "start", lambda module, names: started.append(list(names)))
    monkeypatch.setattr(ahead, "can_start", lambda: True)
    for kept in (True, False):
        monkeypatch.setattr(ahead, "_asked_contacts", [False])
        monkeypatch.setattr(type(function._cache), "is_kept", lambda *_given, kept=kept: kept)
        ahead.compile_contacts_ahead(contacts)
        ahead.compile_contacts_ahead(contacts)  # once in a process
    futures = {1: "futures_of_one_entry", 2: "futures_entry"}[contacts]
    assert started == [
        [str(contacts), "rollick.motion.event_driven.resting.hit", f"rollick.motion.filippov.algebra.code.{futures}"]
    ]


SCRIPT = """
import sys
from numba.core import event

made = []

class Listener(event.Listener):
    def on_start(self, e):
        if "dispatcher" in e.data:
            made.append(e.data["dispatcher"].py_func.__qualname__)
    def on_end(self, e):
        pass

event.register("numba:compile", Listener())
from rollick import Event, Rattleback, simulate
motion = simulate(Rattleback(), {"alpha": "0.5deg", "beta": "0.5deg", "omega3": -5.0}, 3.0, events=[Event("gamma_rate")])
print("scan" in made, "dop853_step" in made, len(motion.events), motion.y[-1].tobytes().hex())
"""


@pytest.mark.slow
def test_a_first_motion_takes_what_another_process_compiled(tmp_path):
    """With two processes the search for events is not compiled by the first; with one it is; the motion is the same."""
    found = {}
    for count in ("1", "2"):
        environment = {**os.environ, "ROLLICK_CACHE_DIR": str(tmp_path / count), "ROLLICK_COMPILERS": count, "ROLLICK_QUIET": "1"}
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, timeout=600, check=True
        )
        found[count] = done.stdout.split()
    assert found["1"][0] == "True"
    assert found["2"][0] == "False"
    assert found["1"][1:] == found["2"][1:]
