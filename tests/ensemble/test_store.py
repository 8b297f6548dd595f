"""Stores of ensembles: what is finished survives SIGKILL, a dying worker and a full disk; nothing is mixed, nothing is computed twice."""

import errno
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from rollick import Rattleback
from rollick.ensemble import First, Samples, ensemble
from rollick.ensemble.stored import store_files
from rollick.ensemble.stored.store_files import StoreError, sealed, unsealed
from rollick.kernel.names import InputError

BASE = {"alpha": "0.5deg", "beta": "0.5deg"}
KEEP = ["final", First("omega3", "rising")]
FEW = Samples(24, "sobol", seed=2, omega3=(-6.0, -4.0), D=(-4e-5, -1e-5))


def run(store=None, **more):
    return ensemble(Rattleback(), FEW, 20.0, start=BASE, method="dop853", keep=KEEP, store=store, chunk=1, **more)


@pytest.fixture(scope="module")
def plain():
    return run()


def same(found, plain):
    assert found.statuses == plain.statuses
    assert np.array_equal(found.found.values, plain.found.values, equal_nan=True)
    assert np.array_equal(found.found.steps, plain.found.steps)


def marks(store):
    return {p.name: p.stat().st_mtime_ns for p in Path(store, "done").glob("[!.]*.json")}


def test_what_is_finished_is_not_computed_again(tmp_path, plain, monkeypatch):
    store = tmp_path / "stones.zarr"
    same(run(store), plain)
    before = marks(store)
    for number in (3, 17):
        (store / "done" / f"{number:08d}.json").unlink()
    same(run(store), plain)
    after = marks(store)
    assert {name for name in after if after[name] != before.get(name)} == {"00000003.json", "00000017.json"}


def test_another_ensemble_is_refused_with_what_differs(tmp_path, plain):
    store = tmp_path / "stones.zarr"
    run(store)
    with pytest.raises(InputError, match=r"until: 20\.0 in the store, 21\.0 now"):
        ensemble(Rattleback(), FEW, 21.0, start=BASE, method="dop853", keep=KEEP, store=store, chunk=1)
    with pytest.raises(InputError, match=r"parameters\.M"):
        ensemble(Rattleback(M=2.0), FEW, 20.0, start=BASE, method="dop853", keep=KEEP, store=store, chunk=1)
    about = unsealed((store / "about.json").read_bytes(), "about.json")
    (store / "about.json").write_bytes(sealed({**about, "rollick": "0.0.1"}))
    with pytest.raises(InputError, match=r"version of rollick: 0\.0\.1"):
        run(store)
    other = tmp_path / "mine"
    other.mkdir()
    (other / "letter.txt").write_text("dear")
    with pytest.raises(InputError, match="no store"):
        run(other)
    assert (other / "letter.txt").read_text() == "dear"


def test_a_full_disk_keeps_what_is_finished(tmp_path, plain, monkeypatch):
    store, write = tmp_path / "stones.zarr", store_files.write_whole

    def full(path, content, **how):
        if path.parent.name == "done" and int(path.stem) >= 10:
            raise OSError(errno.ENOSPC, "No space left on device")
        write(path, content, **how)

    monkeypatch.setattr(store_files, "write_whole", full)
    with pytest.raises(StoreError, match="No space left on device"):
        run(store, workers=1)
    kept = marks(store)
    assert len(kept) == 10
    monkeypatch.undo()
    same(run(store), plain)
    after = marks(store)
    assert all(after[name] == kept[name] for name in kept)


DRIVER = """
import sys
sys.path.insert(0, {here!r})
from test_store import run
run({store!r}, progress=False)
print("whole")
"""


def driver(store):
    code = DRIVER.format(here=str(Path(__file__).parent), store=str(store))
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def killed_and_resumed(store, times, seed):
    """Start the driver and kill it when a few more chunks are done (at first one or two), again and again; the marks after each."""
    rng, history = random.Random(seed), []
    for _ in range(times):
        process, before = driver(store), len(marks(store))
        wanted, since = before + max(rng.randint(0, 2), 0 if history else 1), time.monotonic()
        while process.poll() is None and len(marks(store)) < wanted and time.monotonic() - since < 120.0:
            time.sleep(0.002)
        time.sleep(0.01 * rng.random())
        process.send_signal(signal.SIGKILL)
        process.wait()
        history.append(marks(store))
    return history


@pytest.mark.parametrize("times", [1, *(pytest.param(times, marks=pytest.mark.slow) for times in (2, 20))])
def test_a_driver_may_be_killed_at_any_moment(tmp_path, plain, times):
    store = tmp_path / "stones.zarr"
    history = killed_and_resumed(store, times, seed=times)
    assert history[-1]  # there were marks that could have been made again
    out, error = driver(store).communicate(timeout=300)
    assert out.strip().endswith("whole"), error[-2000:]
    final = marks(store)
    for seen in history:  # no mark was ever made again
        assert all(final[name] == stamp for name, stamp in seen.items())
    same(run(store), plain)


@pytest.mark.slow
def test_processes(tmp_path, plain):
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        same(run(on=pool), plain)
        same(run(tmp_path / "stones.zarr", on=pool), plain)


@pytest.mark.slow
def test_a_dask_worker_may_be_killed(tmp_path, plain):
    pytest.importorskip("distributed")
    from distributed import Client

    scheduler = subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
         "--scheduler-file", str(tmp_path / "scheduler.json")],
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    workers = []
    try:
        since = time.monotonic()
        while not (tmp_path / "scheduler.json").exists():
            assert time.monotonic() - since < 60.0
            time.sleep(0.1)
        address = json.loads((tmp_path / "scheduler.json").read_text())["address"]
        for k in range(2):
            workers.append(subprocess.Popen(
                [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard",
                 "--local-directory", str(tmp_path / f"w{k}")],
                stderr=subprocess.DEVNULL,
            ))  # fmt: skip
        with Client(address) as client:
            client.wait_for_workers(2, timeout=120)
            store = tmp_path / "stones.zarr"
            killed = []

            import threading

            def kill():
                while len(marks(store)) < 4:
                    time.sleep(0.005)
                workers[0].send_signal(signal.SIGKILL)
                killed.append(len(marks(store)))

            threading.Thread(target=kill, daemon=True).start()
            same(run(store, on=client), plain)
            assert killed
            assert killed[0] < 24
            assert len(marks(store)) == 24
    finally:
        for process in [*workers, scheduler]:
            process.kill()
            process.wait()


@pytest.mark.slow
@pytest.mark.skipif(not (hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("mount")), reason="mounting needs root")
def test_a_real_disk_that_is_full(tmp_path, plain):
    disk = tmp_path / "small"
    disk.mkdir()
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=48k", "tmpfs", str(disk)], capture_output=True, check=False
    ).returncode:
        pytest.skip("tmpfs cannot be mounted here")
    try:
        with pytest.raises(OSError, match="No space left"):
            run(disk / "stones.zarr", workers=1)
        assert marks(disk / "stones.zarr")
    finally:
        subprocess.run(["umount", str(disk)], check=False)
