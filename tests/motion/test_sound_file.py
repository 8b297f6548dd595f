"""Files without a seal: the HDF5 library sees them here only after a second process has read them."""

import hashlib
import os
import subprocess

import h5netcdf
import h5py
import numpy as np
import pytest
import xarray as xr

from rollick import InputError, open_saved
from rollick.ensemble.grid_map import grid_map
from rollick.motion.result import sound_file
from rollick.motion.result.sound_file import complaint, load, seal_holds, shortage, stated_end, trial
from rollick.motion.result.whole_file import SEAL, save_data


@pytest.fixture
def data():
    return xr.Dataset({"x": ("t", np.arange(500.0))}, attrs={"format": "some numbers 1"})


@pytest.fixture
def theirs(data, tmp_path):
    """A file of another program: without a seal."""
    data.to_netcdf(tmp_path / "theirs.nc", engine="h5netcdf")
    return tmp_path / "theirs.nc"


def test_a_file_without_a_seal_is_opened(theirs, data):
    assert seal_holds(theirs) is None
    xr.testing.assert_identical(load(theirs), data)
    assert open_saved(theirs).kind == "some numbers 1"


def test_a_sealed_file_needs_no_second_process(data, tmp_path, monkeypatch):
    monkeypatch.setattr(subprocess, "run", None)
    save_data(data, tmp_path / "ours.nc")
    assert seal_holds(tmp_path / "ours.nc")
    xr.testing.assert_identical(load(tmp_path / "ours.nc"), data)


def test_a_damaged_sealed_file_is_never_opened(data, tmp_path, monkeypatch):
    """Not by `open_saved`, nor as the store of a map."""
    path = tmp_path / "ours.nc"
    save_data(data, path)
    content = bytearray(path.read_bytes())
    content[1000] ^= 1
    path.write_bytes(content)
    monkeypatch.setattr(xr, "open_dataset", None)
    with pytest.raises(InputError, match="checksum differs"):
        open_saved(path)
    with pytest.raises(InputError, match=r"store .*checksum differs.*name another file"):
        grid_map(lambda points: points[:, :1], {"a": [1.0], "b": [2.0]}, ("x",), store=path, progress=False)


@pytest.mark.parametrize("sealed", [True, False])
def test_a_small_file_cannot_ask_for_much_memory(tmp_path, sealed):
    """An array that was never written costs nothing in a file, and all of its size in memory."""
    path = tmp_path / "greedy.nc"
    with h5netcdf.File(path, "w") as file:
        file.dimensions = {"t": 10**9}
        file.create_variable("x", ("t",), float, chunks=(1000,))
    if sealed:
        content = path.read_bytes()
        path.write_bytes(content + SEAL + hashlib.sha256(content).hexdigest().encode())
    assert path.stat().st_size < 10_000
    with pytest.raises(
        InputError,
        match="says that it holds 7.45 GiB, which|is not a netCDF file, or is damaged"
        if not sealed
        else "says that it holds 7.45 GiB",
    ):
        load(path)


def test_what_deflate_saves_is_opened(tmp_path):
    """A hundred megabytes of zeros, a thousandth of that in the file."""
    data = xr.Dataset({"x": ("t", np.zeros(12_500_000))})
    path = tmp_path / "zeros.nc"
    data.to_netcdf(path, engine="h5netcdf", encoding={"x": {"zlib": True, "complevel": 9, "chunksizes": (1_000_000,)}})
    sound_file.check_size(data, path)
    assert data.nbytes > max(sound_file.SMALL, 500 * path.stat().st_size)


@pytest.mark.parametrize("share", [0.05, 0.5, 0.9, 0.999])
def test_a_file_that_was_cut_off_is_refused_unread(theirs, share, monkeypatch):
    monkeypatch.setattr(subprocess, "run", None)
    monkeypatch.setattr(xr, "open_dataset", None)
    content = theirs.read_bytes()
    theirs.write_bytes(content[: int(share * len(content))])
    with pytest.raises(InputError, match=rf"ends after {int(share * len(content))} bytes, but says that it has {len(content)}"):
        load(theirs)


def test_a_sealed_file_that_was_cut_off_is_refused_unread(data, tmp_path, monkeypatch):
    save_data(data, tmp_path / "ours.nc")
    monkeypatch.setattr(xr, "open_dataset", None)
    content = (tmp_path / "ours.nc").read_bytes()
    (tmp_path / "ours.nc").write_bytes(content[: len(content) - len(SEAL) - 64 - 10])
    with pytest.raises(InputError, match="ends after"):
        open_saved(tmp_path / "ours.nc")


@pytest.mark.parametrize(("oldest", "version"), [("earliest", 0), ("v108", 2), ("latest", 3)])
@pytest.mark.parametrize("room", [0, 512, 2048])
def test_the_stated_end_is_the_end(tmp_path, oldest, version, room):
    """In all versions of the superblock, with and without room for the user before it."""
    path = tmp_path / "a.h5"
    with h5py.File(path, "w", libver=(oldest, "latest"), userblock_size=room) as file:
        file["x"] = np.arange(100.0)
    content = path.read_bytes()
    assert content[room + 8] in (version, 3)
    assert stated_end(content[room : room + 96]) == len(content)
    assert shortage(path) == ""
    path.write_bytes(content[:-1])
    assert "ends after" in shortage(path)


@pytest.mark.parametrize(
    "content",
    [b"", b"text", b"\x89HDF\r\n\x1a\n", b"\x89HDF\r\n\x1a\n" + bytes([0] * 5 + [7] * 99), b"\x89HDF\r\n\x1a\n" + b"\xff" * 90],
)
def test_what_is_no_such_file_is_refused_unread(tmp_path, content, monkeypatch):
    monkeypatch.setattr(subprocess, "run", None)
    (tmp_path / "a.nc").write_bytes(content)
    with pytest.raises(InputError, match=r"a\.nc is (not a netCDF file|damaged)"):
        load(tmp_path / "a.nc")


def test_a_hang_a_crash_and_a_flood_stay_in_the_second_process(theirs, monkeypatch):
    monkeypatch.setattr(sound_file, "SECONDS", 1.0)
    monkeypatch.setattr(sound_file, "READS_ALL", "while True: pass")
    assert "reading it does not end" in trial(theirs)
    monkeypatch.setattr(sound_file, "SECONDS", 60.0)
    monkeypatch.setattr(sound_file, "READS_ALL", "import os; os.abort()")
    assert "brings the HDF5 library down" in complaint(theirs)
    with pytest.raises(InputError, match=r"theirs\.nc is damaged: reading it brings"):
        open_saved(theirs)


def test_nothing_of_the_present_folder_is_imported(theirs, tmp_path, monkeypatch):
    """A file may come with modules of the names that the second process asks for."""
    for name in ("xarray.py", "numpy.py", "resource.py"):
        (tmp_path / name).write_text(f"open({str(tmp_path / 'canary')!r}, 'w')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", ["", *[p for p in __import__("sys").path if p]])
    assert trial(theirs) == ""
    assert not (tmp_path / "canary").exists()


def test_more_memory_than_there_is(theirs, monkeypatch):
    if os.name != "posix":
        pytest.skip("no limits of memory")
    monkeypatch.setattr(sound_file, "READS_ALL", sound_file.READS_ALL.replace("opened.load()", "bytearray(1 << 36)"))
    assert "MemoryError" in trial(theirs)


@pytest.mark.parametrize("count", [3, pytest.param(8, marks=pytest.mark.slow)])
def test_damage_without_a_seal_is_an_error_in_a_sentence(theirs, count):
    """Bytes changed anywhere, length kept: opened, or refused; the process lives on."""
    whole, rng = theirs.read_bytes(), np.random.default_rng(5)
    told = []
    for k in range(count):
        text = bytearray(whole)
        start = int(rng.integers(96, len(text) - 200)) if k % 2 else int(rng.integers(96, 2500))
        text[start : start + 150] = bytes(rng.integers(0, 256, 150, dtype=np.uint8))
        theirs.write_bytes(text)
        try:
            load(theirs)
        except InputError as error:
            told.append(str(error))
    assert len(told) >= 2
    assert all(words.startswith(f"{theirs} is ") for words in told)
