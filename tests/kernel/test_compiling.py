"""The word to the user while machine code is made: once, on standard error, and only if something is compiled."""

import contextlib
import os
import signal
import subprocess
import sys

import pytest

from rollick.kernel.compiling import _Notice, in_callback

SCRIPT = """
from rollick.kernel.compiling import compiling
from rollick.kernel.vector import cross, norm
with compiling("a test"):
    with compiling("something inside"):
        print(norm((2.0, 3.0, 6.0)))
    print(norm(cross((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))))
with compiling("nothing new"):
    norm((2.0, 3.0, 6.0))
with compiling("a test"):
    norm((2j, 3j, 6j))
"""
NOTICE = "rollick: compiling a test (first time only, which may take a minute or more; later runs start at once)\n"


def run(store, **more):
    environment = {k: v for k, v in os.environ.items() if k not in ("ROLLICK_QUIET", "NUMBA_DISABLE_JIT")}
    environment |= {"ROLLICK_CACHE_DIR": str(store), **more}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, timeout=120, check=True
    )
    assert done.stdout == "7.0\n1.0\n"
    return done.stderr


def test_notice_appears_once_and_only_when_something_is_compiled(tmp_path):
    assert run(tmp_path) == NOTICE
    assert run(tmp_path) == ""


@pytest.mark.slow
def test_notice_can_be_silenced(tmp_path):
    assert run(tmp_path, ROLLICK_QUIET="1") == ""


@pytest.mark.parametrize(("quiet", "said"), [("1", ""), ("", NOTICE.replace("a test", "what may be silenced"))])
def test_notice_of_what_seems_to_be_compiled_can_be_silenced(monkeypatch, capsys, quiet, said):
    from numba.core import event

    from rollick.kernel.compiling import compiling

    monkeypatch.setenv("ROLLICK_QUIET", quiet)
    with compiling("what may be silenced"), event.trigger_event("numba:compile"):
        pass
    assert capsys.readouterr() == ("", said)


def test_on_a_terminal_a_spinner_turns_and_goes(tmp_path):
    pty = pytest.importorskip("pty")
    master, slave = pty.openpty()
    environment = {**os.environ, "ROLLICK_CACHE_DIR": str(tmp_path), "TERM": "xterm", "COLUMNS": "120"}
    for name in ("ROLLICK_QUIET", "NUMBA_DISABLE_JIT", "NO_COLOR"):
        environment.pop(name, None)
    process = subprocess.Popen([sys.executable, "-c", SCRIPT], env=environment, stdout=subprocess.PIPE, stderr=slave, text=True)
    os.close(slave)
    shown = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:  # Linux says so when the other side is closed
            break
        if not piece:
            break
        shown += piece
    assert process.communicate(timeout=60)[0] == "7.0\n1.0\n"
    assert process.returncode == 0
    os.close(master)
    text = shown.decode()
    assert "compiling a test (first time only" in text
    assert "something inside" not in text
    assert "nothing new" not in text
    assert text.rstrip().endswith(("\x1b[?25h", "\x1b[2K", "\x1b[1A\x1b[2K"))  # the cursor is back, the line is gone


@pytest.mark.parametrize("raised", [ValueError, KeyboardInterrupt])
def test_notice_ends_when_the_work_breaks_off(raised):
    from numba.core import event

    from rollick.kernel.compiling import compiling

    def listeners():
        return sum(len(found) for found in event._registered.values())

    before = listeners()
    with contextlib.suppress(raised), compiling("what fails"):
        assert listeners() == before + 1
        raise raised
    assert listeners() == before
    with compiling("what comes after"):  # it is not taken for a nested one
        assert listeners() == before + 1


def test_the_note_of_a_motion_foretells_no_seconds(monkeypatch):
    """The own rod of a page, announced with 4 s, took 28; an ellipsoid between walls, announced with a minute, took ten."""
    import re

    from rollick import Rattleback, simulate
    from rollick.motion import integrate

    said = []

    @contextlib.contextmanager
    def noted(what, system, *more):
        said.append(_Notice(what, system, True, *more).text(what))
        yield

    monkeypatch.setattr(integrate, "compiling", noted)
    simulate(Rattleback(), {"alpha": 0.01}, until=0.01)
    assert said[0].startswith("compiling the motion (first time only")
    assert not re.search(r"\d|about", said[0])


def test_what_is_compiled_is_named_with_its_parts():
    from typing import NamedTuple

    from rollick import Body, Coulomb, Ellipsoid, Rattleback, rolling, sliding
    from rollick.kernel.compiling import kind_of

    class Alone(NamedTuple):
        k: float

    stone = Body.from_inertia(1.0, (1e-3, 1e-3, 1e-3), Ellipsoid(0.2, 0.03, 0.02))
    assert kind_of(Alone(1.0)) == "Alone"
    assert kind_of(Rattleback()) == "Rattleback"
    assert kind_of(rolling(stone)) == "Marble (Ellipsoid)"
    assert kind_of(sliding(stone, law=Coulomb(0.3))).startswith("Sliding (Ellipsoid, Coulomb, ")


SWALLOWED = """
import os, signal, sys
from numba.core import event
from rollick.kernel.compiling import compiling

def swallow():
    try:
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(1000):
            pass
    except KeyboardInterrupt:  # as in a callback of LLVM, from which nothing gets out
        pass

try:
    with compiling("a test"):
        with event.trigger_event("numba:compile"):
            swallow()
        print("went on")
except KeyboardInterrupt:
    print("heard", signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""


@pytest.mark.parametrize("quiet", ["", "1"])
def test_ctrl_c_is_heard_while_compiling(quiet):
    """Pressed where no exception gets out, it ends the run as soon as the compilation is over."""
    environment = os.environ | {"ROLLICK_QUIET": quiet}
    done = subprocess.run(
        [sys.executable, "-c", SWALLOWED], env=environment, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "heard True\n"


def test_ctrl_c_inside_a_callback_of_llvm_is_kept_for_later():
    """An exception there is printed with a traceback and lost; it is raised when the compilation is over."""
    scope = {}
    code = "import sys\ndef _raw_object_cache_notify(ask):\n    def deeper():\n        return ask(sys._getframe())\n    return deeper()"
    exec(compile(code, "site-packages/llvmlite/binding/executionengine.py", "exec"), scope)
    called_back = scope["_raw_object_cache_notify"]
    assert called_back(in_callback)
    assert not in_callback(sys._getframe())
    notice = _Notice("a test", None, quiet=True)
    called_back(lambda frame: notice.hear(signal.SIGINT, frame))
    assert notice.pressed
    with pytest.raises(KeyboardInterrupt):
        notice.on_end(None)
