"""Files: on full disks, from killed processes, damaged, and with numbers that JSON does not know."""

import errno
import json
import math
import os
import subprocess
import sys
import time
from typing import NamedTuple

import numpy as np
import pytest
from systems import Oscillator

from rollick import InputError, Motion, simulate
from rollick.kernel import strict_json
from rollick.kernel.system import describe, rate
from rollick.motion.result import whole_file
from rollick.motion.result.provenance import parameters
from rollick.motion.result.rebuilt import known_types, rebuilt


class Leg(NamedTuple):
    length: float
    feet: tuple


class Foot(NamedTuple):
    place: np.ndarray
    grip: float


class Table(NamedTuple):
    legs: tuple
    height: float


for kind in (Leg, Foot, Table):
    rate.register(kind)(lambda system, t, y, out: None)


def sprung():
    return simulate(Oscillator(), [1.0, 0.0], 2.0, events=["x"], dense=True)


class Prop(NamedTuple):
    """Known as a default of `Stand`."""

    a: float = 1.0


class Tile(NamedTuple):
    """Known by an annotation of `Stand`."""

    b: float = 2.0


class Stray(NamedTuple):
    """Not known: nothing names it."""

    c: float = 3.0


class Stand(NamedTuple):
    """A system whose parts have nothing registered for them."""

    props: tuple = (Prop(1.0), Prop(2.0))
    tiles: tuple[Tile, Tile] = ()  # type: ignore[assignment]
    k: float = 1.0


@rate.register(Stand)
def _(s, t, y, out):
    out[0] = -s.k * s.props[1].a * y[0]


describe(Stand, {"x": "m"})


@pytest.fixture(scope="module")
def motion():
    return sprung()


def full(*_):
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("name", ["a.nc", "a.png"])
def test_no_room_on_the_disk(motion, tmp_path, monkeypatch, name):
    """A plain sentence, nothing left behind, an older file as it was; the motion lives."""
    (tmp_path / name).write_text("older")
    monkeypatch.setattr(whole_file.os, "fsync", full)
    with pytest.raises(
        OSError, match=rf"^cannot write .*{name}: No space left on device. Make room .* No half-written"
    ) as caught:
        motion.to_netcdf(tmp_path / name) if name == "a.nc" else motion.plot(path=tmp_path / name)
    assert caught.value.errno == errno.ENOSPC
    assert os.listdir(tmp_path) == [name]
    assert (tmp_path / name).read_text() == "older"
    monkeypatch.undo()
    motion.to_netcdf(tmp_path / "b.nc")
    np.testing.assert_array_equal(Motion.open(tmp_path / "b.nc")["x"], motion["x"])


def test_a_real_limit_of_the_file_size(tmp_path):
    """The operating system refuses to write on: no abort in a library, no file."""
    code = (
        "import resource, sys; sys.path.insert(0, sys.argv[1])\n"
        "from test_files import sprung\n"
        "motion = sprung()\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))\n"
        "for save in (lambda: motion.to_netcdf('a.nc'), lambda: motion.plot(path='a.png')):\n"
        "    try:\n"
        "        save()\n"
        "    except OSError as error:\n"
        "        print(error)\n"
    )
    here = os.path.dirname(__file__)
    done = subprocess.run(
        [sys.executable, "-c", code, here], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    assert [line.partition(":")[0] for line in done.stdout.splitlines()] == ["cannot write a.nc", "cannot write a.png"]
    assert os.listdir(tmp_path) == []


def test_left_overs_of_killed_processes_are_swept(tmp_path):
    """Own names, old, of dead processes: those and no others."""
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    swept = tmp_path / f".a.{dead.pid}.0123abcd.part.nc"
    kept = [
        tmp_path / f".a.{dead.pid}.0123abce.part.nc",  # young
        tmp_path / f".a.{os.getpid()}.0123abcd.part.nc",  # of a living process
        tmp_path / f".a.{dead.pid}.nc",
        tmp_path / f"a.{dead.pid}.0123abcd.part.nc",
        tmp_path / ".a.0123abcd.nc",
    ]
    for path in (swept, *kept):
        path.write_text("x")
        os.utime(path, (time.time() - 1e4,) * 2)
    os.utime(kept[0])
    folder = tmp_path / f".b.{dead.pid}.0123abcd.part.nc"
    folder.mkdir()
    os.utime(folder, (time.time() - 1e4,) * 2)
    whole_file.write_whole(tmp_path / "a.txt", b"hello")
    assert not swept.exists()
    assert all(path.exists() for path in (*kept, folder))
    assert (tmp_path / "a.txt").read_bytes() == b"hello"


def test_where_nothing_can_be_written(motion, tmp_path):
    (tmp_path / "adir").mkdir()
    for save in (lambda path: motion.plot(path=path), motion.to_netcdf):
        with pytest.raises(InputError, match="adir: there is a folder of that name; name a file"):
            save(tmp_path / "adir")
        with pytest.raises(InputError, match="does not exist; create it first"):
            save(tmp_path / "nowhere" / "a.nc")
    with pytest.raises(InputError, match=r"picture .*: its name must end in .*\.pdf.*\.png.*\.svg"):
        motion.plot(path=tmp_path / "plain")
    assert os.listdir(tmp_path) == ["adir"]


FUZZ = """
import sys, os, warnings
import numpy as np
from rollick import InputError, Motion
warnings.simplefilter("ignore")
whole = open(sys.argv[1], "rb").read()
rng = np.random.default_rng(3)
opened, refused = 0, 0
for k in range(int(sys.argv[3])):
    text = bytearray(whole)
    if k % 4 == 0:
        text = text[: rng.integers(1, len(text))]
    elif k % 4 == 1:
        start = rng.integers(0, len(text) - 64)
        text[start : start + 64] = bytes(64)
    else:
        for place in rng.integers(0, min(len(text), 3000) if k % 4 == 2 else len(text), rng.integers(1, 20)):
            text[place] = rng.integers(0, 256)
    with open(sys.argv[2], "wb") as file:
        file.write(text)
    try:
        Motion.open(sys.argv[2])
        opened += 1
    except InputError as error:
        assert sys.argv[2] in str(error), error
        refused += 1
print(opened, refused)
"""


@pytest.mark.parametrize("count", [20, pytest.param(200, marks=pytest.mark.slow)])
def test_damaged_files_are_refused_in_a_sentence(motion, tmp_path, count):
    """Bytes flipped, blanked, cut off: an `InputError`; never a crash, a hang or a wrong motion."""
    motion.to_netcdf(tmp_path / "whole.nc")
    arguments = [sys.executable, "-c", FUZZ, str(tmp_path / "whole.nc"), str(tmp_path / "damaged.nc"), str(count)]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    opened, refused = map(int, done.stdout.split())
    assert opened + refused == count
    assert opened <= count // 20  # only damage to the seal itself may go unseen


def test_numbers_that_json_does_not_know():
    def never(_):
        raise AssertionError("not JSON")

    given = {"a": math.inf, "b": [-math.inf, 1.5, (math.nan, np.float64(2.0))], "c": np.array([1.0, math.nan]), "d": np.int64(3)}
    text = strict_json.dumps(given)
    json.loads(text, parse_constant=never)
    back = strict_json.loads(text)
    assert back["a"] == math.inf
    assert back["b"][:2] == [-math.inf, 1.5]
    assert math.isnan(back["b"][2][0])
    assert math.isnan(back["c"][1])
    assert back["d"] == 3
    assert strict_json.strict(given)["a"] is None
    assert strict_json.loads('{"_number": "__import__"}') == {"_number": "__import__"}
    assert strict_json.loads('{"_number": ["inf"]}') == {"_number": ["inf"]}


def test_the_file_of_an_odd_system_is_json(tmp_path):
    motion = simulate(Oscillator(w=0.0, g=0.0), [1.0, 0.0], 1.0)
    motion.provenance["parameters"]["g"] = math.inf
    motion.provenance["note"] = [math.nan]
    motion.to_netcdf(tmp_path / "odd.nc")
    back = Motion.open(tmp_path / "odd.nc")
    assert back.system == Oscillator(w=0.0, g=math.inf)
    assert math.isnan(back.provenance["note"][0])

    def never(_):
        raise AssertionError("not JSON")

    for name in ("provenance", "end", "states"):
        json.loads(back.data.attrs[name], parse_constant=never)


def test_parts_in_tuples_keep_their_types():
    foot = Foot(np.array([1.0, 2.0]), math.inf)
    table = Table((Leg(0.7, (foot, foot)), Leg(0.8, ())), 1.0)
    back = rebuilt(Table, strict_json.loads(strict_json.dumps(parameters(table))))
    assert isinstance(back.legs[0], Leg)
    assert isinstance(back.legs[0].feet[1], Foot)
    assert back.legs[1] == table.legs[1]
    assert back.legs[0].feet[0].grip == math.inf
    np.testing.assert_array_equal(back.legs[0].feet[0].place, foot.place)


def test_parts_that_a_type_names_itself_come_back_from_its_file(tmp_path):
    table = Stand(tiles=(Tile(1.0), Tile(5.0)))
    motion = simulate(table, [1.0], 0.1)
    motion.to_netcdf(tmp_path / "stand.nc")
    assert Motion.open(tmp_path / "stand.nc").system == table
    assert {"Prop", "Tile"} <= {cls.__name__ for cls in known_types().values()}
    assert "Stray" not in {cls.__name__ for cls in known_types().values()}
