"""Stores of ensembles under trial: what was damaged is told and computed again, a store is made whole or not at all, processes share its work.

`benchmarks/store_trials.py` does the same hundreds of times, at random.
"""

import errno
import os
import shutil
import signal
import threading
import warnings
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import numpy as np
import pytest

from rollick import InputError, Rattleback
from rollick.ensemble import First, Samples, ensemble
from rollick.ensemble.backends import WorkersLost
from rollick.ensemble.chunks import one_by_one
from rollick.ensemble.grid_map import grid_map
from rollick.ensemble.stored import store_files
from rollick.ensemble.stored.store import Store, StoreWarning
from rollick.ensemble.stored.store_files import StoreError

KEEP = ["final", First("omega3", "rising")]
FEW = Samples(10, "sobol", seed=2, omega3=(-6.0, -4.0), D=(-4e-5, -1e-5))
FILES = (
    "values/c.1.0",
    "status/c.1",
    "time/c.1",
    "steps/c.1",
    "done/00000001.json",
    "about.json",
    "zarr.json",
    "values/zarr.json",
)


def run(store=None, **more):
    more = {"chunk": 3, **more}
    start = {"alpha": "0.5deg", "beta": "0.5deg"}
    return ensemble(Rattleback(), FEW, 2.0, start=start, method="dop853", keep=KEEP, store=store, progress=False, **more)


def digest(found):
    kept = found.found
    return [getattr(kept, name).tobytes() for name in ("values", "status", "time", "steps")]


@pytest.fixture(scope="module")
def plain():
    return digest(run())


@pytest.fixture(scope="module")
def whole(tmp_path_factory, plain):
    store = tmp_path_factory.mktemp("whole") / "stones.zarr"
    assert digest(run(store)) == plain
    return store


@pytest.fixture
def copy(whole, tmp_path):
    return Path(shutil.copytree(whole, tmp_path / "stones.zarr"))


def silent(store, **more):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return digest(run(store, **more))


def flip(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 4
    path.write_bytes(content)


def cut(path):
    path.write_bytes(path.read_bytes()[:-3])


def empty(path):
    path.write_bytes(b"")


def another(path):
    others = sorted(
        p for p in path.parent.iterdir() if p.is_file() and p.name != "claims" and p.read_bytes() != path.read_bytes()
    )
    path.write_bytes(others[0].read_bytes())


def folder(path):
    path.unlink()
    path.mkdir()


# -- damages ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("damage", [flip, cut, empty, another, folder])
@pytest.mark.parametrize("name", FILES)
def test_what_was_damaged_is_told_and_made_again(copy, plain, name, damage):
    damage(copy / name)
    with pytest.warns(StoreWarning, match="was damaged") as told:
        assert digest(run(copy)) == plain
    if name[-4:] != "json" or "done" in name:
        assert "members 3 to 5" in str(told[0].message)
    assert silent(copy) == plain


@pytest.mark.parametrize("name", [*FILES, "claims", "values", "status", "done"])
def test_what_was_deleted_is_made_again(copy, plain, name):
    (shutil.rmtree if (copy / name).is_dir() else os.unlink)(copy / name)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert digest(run(copy)) == plain
    unseen = name in ("claims", "done", "done/00000001.json") or name.endswith("zarr.json")
    assert unseen == (not [w for w in told if w.category is StoreWarning])
    assert silent(copy) == plain


def test_chunks_of_another_store_are_not_believed(copy, plain, tmp_path):
    other = tmp_path / "other.zarr"
    ensemble(Rattleback(), FEW, 1.0, start={"alpha": "0.5deg"}, method="dop853", keep=KEEP, store=other, chunk=3, progress=False)
    for name in ("values/c.1.0", "status/c.1", "time/c.1", "steps/c.1", "done/00000001.json"):
        shutil.copy(other / name, copy / name)
    with pytest.warns(StoreWarning, match=r"members 3 to 5 \(done/00000001.json is of another chunk\)"):
        assert digest(run(copy)) == plain


def test_a_store_that_does_not_know_what_it_is(copy, plain):
    (copy / "about.json").write_text("{")
    with pytest.raises(
        InputError, match=r"damaged \(about.json is not what was written\), and its finished chunks are of another"
    ):
        ensemble(Rattleback(), FEW, 9.0, start={"alpha": "0.5deg"}, method="dop853", keep=KEEP, store=copy, progress=False)
    shutil.rmtree(copy / "done")
    with pytest.raises(InputError, match="no finished chunk says what it was a store of"):
        run(copy)
    (copy / "about.json").unlink()
    assert silent(copy) == plain


def test_any_program_reads_it_by_zarr(whole, plain):
    zarr, xarray = pytest.importorskip("zarr"), pytest.importorskip("xarray")
    group = zarr.open_group(whole, mode="r")
    assert [group[name][:].tobytes() for name in ("values", "status", "time", "steps")] == plain
    with xarray.open_zarr(whole) as data:
        assert data["values"].dims == ("member", "label")
        assert data.attrs["labels"][-1] == "first_omega3"


def test_an_address_of_fsspec(plain):
    pytest.importorskip("fsspec")
    for _ in range(2):
        assert silent("memory://trials/stones.zarr") == plain


# -- made whole or not at all ------------------------------------------------------------------------------------------------------


def after_files(count, then):
    """A function that writes `count` files and does `then` instead of writing the next one."""
    left, write = [count], store_files.write_through

    def limited(path, content):
        left[0] -= 1
        if left[0] < 0:
            then(path, content)
        write(path, content)

    return limited


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")
def test_a_process_may_be_killed_at_any_file(tmp_path, plain, monkeypatch):
    whole_file = pytest.importorskip("rollick.motion.result.whole_file")

    def killed(path, content):
        Path(path).write_bytes(content[: len(content) // 2])
        os.kill(os.getpid(), signal.SIGKILL)

    for count in (0, 1, 2, 5, 6, 7, 10, 11, 15, 21):
        store = tmp_path / f"{count}.zarr"
        child = os.fork()
        if child == 0:
            limited = after_files(count, killed)
            monkeypatch.setattr(store_files, "write_through", limited)
            monkeypatch.setattr(whole_file, "write_through", limited)
            run(store, workers=1)
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
        assert silent(store) == plain


def test_a_disk_may_be_full_at_any_file(tmp_path, plain, monkeypatch):
    whole_file = pytest.importorskip("rollick.motion.result.whole_file")

    def full(path, content):
        Path(path).write_bytes(content[: len(content) // 2])
        raise OSError(errno.ENOSPC, "No space left on device")

    for count in (0, 1, 3, 6, 8, 10, 20):
        store = tmp_path / f"{count}.zarr"
        limited = after_files(count, full)
        with monkeypatch.context() as patched:
            patched.setattr(store_files, "write_through", limited)
            patched.setattr(whole_file, "write_through", limited)
            with pytest.raises(StoreError, match="No space left on device"):
                run(store, workers=1)
        assert not [p for p in store.rglob("*") if ".part" in p.name]
        assert silent(store) == plain


def test_what_killed_processes_left_is_swept(copy, plain):
    left = [copy / folder / f".c.{4_000_000 + k}.0123abcd.part" for k, folder in enumerate(("values", "done", "."))]
    for path in left:
        path.write_bytes(b"half")
        os.utime(path, (0, 0))
    assert silent(copy) == plain
    assert not [path for path in left if path.exists()]


# -- several at once ---------------------------------------------------------------------------------------------------------------


def test_chunks_of_another_size_are_refused_by_name(whole):
    with pytest.raises(InputError, match="has chunks of 3 members, not 5; leave chunk out"):
        run(whole, chunk=5)


def test_threads_share_the_work(tmp_path, plain, monkeypatch):
    """All chunks are computed once, also where each of the two guesses a size of its own."""
    put, numbers, found = Store.put, [], []
    monkeypatch.setattr(Store, "put", lambda self, number, *rest: (numbers.append(number), put(self, number, *rest)))
    both = [threading.Thread(target=lambda: found.append(digest(run(tmp_path / "s.zarr", chunk=None)))) for _ in range(2)]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join()
    assert found == [plain, plain]
    assert sorted(numbers) == sorted(set(numbers))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")
def test_processes_share_a_new_store(tmp_path, plain):
    for trial in range(3):
        children = []
        for _ in range(3):
            child = os.fork()
            if child == 0:
                os._exit(0 if silent(tmp_path / f"{trial}.zarr", workers=1) == plain else 1)
            children.append(child)
        assert [os.waitpid(child, 0)[1] for child in children] == [0, 0, 0]


def test_two_maps_at_once(tmp_path):
    axes, seen, found = {"x": np.arange(12.0), "y": np.arange(5.0)}, [], []

    def work(points, first):
        seen.append(first)
        return points.sum(axis=1)[:, None]

    def both():
        found.append(grid_map(work, axes, ("z",), store=tmp_path / "map.nc", workers=2, chunk=4, progress=False)["z"].values)

    pair = [threading.Thread(target=both) for _ in range(2)]
    for thread in pair:
        thread.start()
    for thread in pair:
        thread.join()
    assert [z.tolist() for z in found] == [np.add.outer(axes["x"], axes["y"]).tolist()] * 2
    assert sorted(seen) == sorted(set(seen))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["map.nc"]


# -- those who compute are lost ------------------------------------------------------------------------------------------------------


class DyingPool(Executor):
    """An executor whose processes die after some chunks."""

    def __init__(self, error, lives=2):
        self.error, self.lives, self._max_workers = error, lives, 1

    def submit(self, work, *given, **more):
        future = Future()
        self.lives -= 1
        if self.lives >= 0:
            future.set_result(work(*given))
        else:
            future.set_exception(self.error)
        return future


class DyingClient(DyingPool):
    """A client of a Dask cluster whose scheduler dies after some chunks."""

    __module__ = "distributed.client"
    status = "closed"

    def scatter(self, things, broadcast):
        return things


def test_a_pool_that_breaks_is_told(tmp_path, plain):
    with pytest.raises(
        WorkersLost, match=r"a worker of the executor died \(gone\); 6 of 10 members are kept in .*same call goes on"
    ):
        run(tmp_path / "s.zarr", on=DyingPool(BrokenProcessPool("gone")))
    with pytest.raises(WorkersLost, match="nothing is kept without a store"):
        run(on=DyingPool(BrokenProcessPool("gone")))
    assert silent(tmp_path / "s.zarr") == plain


def test_a_dask_scheduler_that_dies_is_told(tmp_path, plain, monkeypatch):
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(distributed, "as_completed", iter)
    monkeypatch.setattr(Future, "release", lambda self: None, raising=False)
    monkeypatch.setattr(
        "rollick.ensemble.backends.isinstance",
        lambda on, kind: False if isinstance(on, DyingClient) else isinstance(on, kind),
        raising=False,
    )
    lost = distributed.client.FutureCancelledError("run_chunk-1", "scheduler-connection-lost")
    with pytest.raises(WorkersLost, match=r"the Dask cluster was lost \(FutureCancelledError: .*\); 6 of 10 members are kept in"):
        run(tmp_path / "s.zarr", on=DyingClient(lost))
    assert silent(tmp_path / "s.zarr") == plain


# -- limits and places -----------------------------------------------------------------------------------------------------------------


def test_compilation_does_not_count_for_members(monkeypatch):
    """A member whose seconds went into compilation is computed again."""
    tried, motion_of = [], one_by_one.motion_of

    def slow_at_first(task, i):
        tried.append(i)
        task.wall_limit = 1e-9 if tried.count(i) == 1 else 1e9
        return motion_of(task, i)

    monkeypatch.setattr(one_by_one, "motion_of", slow_at_first)
    monkeypatch.setattr(one_by_one, "compiling_seconds", lambda: 0.0)
    assert run(wall_limit=1e9, workers=1).statuses == {"wall_limit": 10}
    monkeypatch.setattr(one_by_one, "compiling_seconds", iter(range(10**6)).__next__)
    tried.clear()
    assert run(wall_limit=1e9, workers=1).statuses == {"finished": 10}


def test_a_folder_that_cannot_be_written_to(tmp_path, monkeypatch):
    from rollick.cli.main import app, guarded

    study = tmp_path / "stones.toml"
    study.write_text('model = "rattleback"\nuntil = 2\nmethod = "dop853"\nkeep = "final"\n[grid]\nomega3 = [-5.0, -4.0]\n')

    def refuses(self, *given, **more):
        raise OSError(errno.EROFS, "Read-only file system", str(self))

    monkeypatch.setattr(Path, "mkdir", refuses)
    said = []
    monkeypatch.setattr("rollick.cli.main.say", said.append)
    assert guarded(lambda: app(["sweep", str(study)], standalone_mode=True)) == 1
    assert said == [
        f"rollick: the store {tmp_path / 'stones.zarr'} cannot be made: cannot write {tmp_path / 'stones.zarr'}: Read-only file system."
    ]
