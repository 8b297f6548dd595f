"""Where there is no room, and when somebody presses Ctrl-C while machine code is made: nothing computed is lost, nothing half is left."""

import errno
import hashlib
import json
import os
import signal
import subprocess
import sys
import time

import pytest

from rollick import open_saved
from rollick.cli import main, output
from rollick.motion.result import whole_file

FILES = {"--out": "a.nc", "--plot": "a.png", "--view": "a.html"}
SIMULATE = ["simulate", "rattleback", "--until", "0.5"]


def run(arguments, monkeypatch):
    """The command in this process; its exit code."""
    monkeypatch.setattr(sys, "argv", ["rollick", *arguments])
    return main.guarded(lambda: main.app(standalone_mode=True))


def no_room_for(suffix, monkeypatch):
    """Writing files of one kind finds the disk full, in the middle."""
    real = os.replace

    def replace(source, target):
        if str(target).endswith(suffix):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(source, target)

    monkeypatch.setattr(whole_file.os, "replace", replace)


@pytest.mark.parametrize(
    ("option", "as_json"),
    [
        ("--out", False),
        pytest.param("--out", True, marks=pytest.mark.slow),
        pytest.param("--plot", False, marks=pytest.mark.slow),
        ("--plot", True),
        ("--view", False),
        pytest.param("--view", True, marks=pytest.mark.slow),
    ],
)
def test_a_full_disk_takes_one_file_and_nothing_else(option, as_json, tmp_path, monkeypatch, capsys):
    """The other files are written, the summary or the JSON is told, one sentence says what is missing; the exit code is 1."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / FILES[option]).write_text("older")
    no_room_for(FILES[option], monkeypatch)
    asked = [word for pair in FILES.items() for word in pair]
    assert run([*SIMULATE, *asked, *(["--json"] if as_json else [])], monkeypatch) == 1
    told = capsys.readouterr()
    assert f"rollick: cannot write {FILES[option]}: No space left on device. Make room there" in told.err
    assert "Traceback" not in told.err
    assert sorted(os.listdir(tmp_path)) == sorted(FILES.values())
    assert (tmp_path / FILES[option]).read_text() == "older"
    if as_json:
        assert json.loads(told.out)["status"] == "finished"
    else:
        assert "status     finished" in told.out
        assert [line for line in told.out.splitlines() if line.startswith("wrote")] == [
            f"wrote {name}" for key, name in FILES.items() if key != option
        ]
    if option != "--out":
        assert open_saved("a.nc").complete
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    assert run([*SIMULATE, option, FILES[option]], monkeypatch) == 0  # the next command begins anew
    assert output.unwritten == []


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["drop", "test", "--out", "a.nc", "--plot", "a.png"], "R_Goyal"),
        (["disk", "exponent", "--runs", "3", "--max-impacts", "200", "--plot", "a.png", "--out", "a.nc"], "theory"),
        (["chatter", "cone", "--rho", "0.25", "--gamma", "0.2", "--n", "4", "--plot", "a.png"], "found"),
        pytest.param(["simulate", "drop", "--out", "a.nc", "--plot", "a.png"], "R_Goyal", marks=pytest.mark.slow),
    ],
)
def test_other_commands_on_a_full_disk(arguments, word, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    no_room_for("a.png", monkeypatch)
    assert run(arguments, monkeypatch) == 1
    told = capsys.readouterr()
    assert word in told.out
    assert "wrote a.png" not in told.out
    assert "cannot write a.png: No space left on device" in told.err
    assert os.listdir(tmp_path) == (["a.nc"] if "a.nc" in arguments else [])


def test_a_real_limit(tmp_path):
    """The operating system refuses to write on, in files of results and in those of the cache alike."""
    limited = (
        "import resource, sys\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))\n"
        "from rollick.cli.main import main\n"
        "sys.argv = ['rollick', *sys.argv[1:]]\n"
        "main()\n"
    )
    words = [*SIMULATE, *(word for pair in FILES.items() for word in pair), "--json"]
    done = subprocess.run(
        [sys.executable, "-c", limited, *words], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 1, done.stderr
    assert [line.partition(": F")[0] for line in done.stderr.splitlines() if "cannot write" in line] == [
        f"rollick: cannot write {name}" for name in FILES.values()
    ]
    assert json.loads(done.stdout)["status"] == "finished"
    assert os.listdir(tmp_path) == []


def whole_entries(folder):
    """The entries of a compile cache, each of which must be whole; what else lies there."""
    entries = sorted(folder.rglob("*.code"))
    for path in entries:
        content = path.read_bytes()
        assert content[:32] == hashlib.sha256(content[32:]).digest(), path
    return entries, [p for p in folder.rglob("*") if p.is_file() and p.suffix != ".code"]


@pytest.mark.parametrize(("thrown", "heard"), [("LLVM", False), ("Mine", True)])
def test_objects_that_ctrl_c_left_half_made_are_thrown_away_in_silence(thrown, heard):
    words = (
        "import sys, llvmlite.binding.ffi, rollick.cli.main as m; sys.unraisablehook = m.without_half_made\n"
        "class Mine:\n    def __del__(self): raise AttributeError('mine')\n"
        "Half = Mine if sys.argv[1] == 'Mine' else llvmlite.binding.ffi.ObjectRef\n"
        "half = Half.__new__(Half)\n"
        "half._owned, half._closed = False, False\n"
        "del half"
    )
    done = subprocess.run([sys.executable, "-c", words, thrown], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert ("AttributeError" in done.stderr) == heard


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("wait", [0.0, pytest.param(1.5, marks=pytest.mark.slow)])
def test_ctrl_c_in_the_middle_of_a_compilation(wait, tmp_path):
    """The command ends with 130 and a word, writes no file of a motion that never was, and leaves whole entries in the cache, or none."""
    cache = tmp_path / "cache"
    surroundings = os.environ | {"ROLLICK_CACHE_DIR": str(cache)}
    surroundings.pop("ROLLICK_QUIET", None)
    words = ["simulate", "rattleback", "--out", "a.nc", "--json"]
    command = [sys.executable, "-m", "rollick", *words]
    with subprocess.Popen(
        command, cwd=tmp_path, env=surroundings, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        first = running.stderr.readline()
        assert "compiling" in first
        time.sleep(wait)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=120)
    assert running.returncode == 130, err
    assert err.endswith("rollick: interrupted.\n")
    assert "Traceback" not in err
    assert out == ""
    assert not (tmp_path / "a.nc").exists()
    _, others = whole_entries(cache)
    assert [p for p in others if p.suffix in (".tmp", ".part")] == []
