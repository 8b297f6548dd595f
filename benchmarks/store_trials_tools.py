"""What trials of stores need: processes that are judged and killed, damages at random, a Dask cluster whose parts can be killed; see `store_trials.py`."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Any

from rollick import InputError
from rollick.ensemble.backends import WorkersLost
from rollick.ensemble.stored.store import StoreWarning
from rollick.ensemble.stored.store_files import StoreError

SAME, SENTENCE, OTHER, RAW, UNTOLD = 0, 3, 4, 5, 6  # how a process ends
WORDS = {
    SAME: "same numbers",
    SENTENCE: "a sentence",
    OTHER: "other numbers",
    RAW: "a raw error",
    UNTOLD: "not told",
    -signal.SIGKILL: "killed",
}
LONG = 120.0  # seconds after which a process counts as stuck


def digest(found: Any) -> bytes:
    """All that an ensemble has found, as bytes."""
    kept = found.found
    return b"".join(getattr(kept, name).tobytes() for name in ("values", "status", "time", "steps")) + repr(kept.reasons).encode()


def judged(work: Any, wanted: bytes, told_if: bool = False) -> tuple[int, str]:
    """How a piece of work ends, and what it said. told_if: a warning of the store is asked for."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = work()
        except (InputError, StoreError, WorkersLost) as error:
            return SENTENCE, str(error)
        except BaseException as error:
            return RAW, f"{type(error).__name__}: {error}"
    told = "; ".join(str(w.message) for w in caught if issubclass(w.category, StoreWarning))
    if (found if isinstance(found, bytes) else digest(found)) != wanted:
        return OTHER, told
    return (UNTOLD if told_if and not told else SAME), told


class Process:
    """A forked process that does a piece of work; `end()` says how it ended."""

    def __init__(self, folder: Path, *work: Any):
        self.said = folder / f"said-{time.monotonic_ns()}"
        self.number = os.fork()
        if self.number == 0:
            code, text = judged(*work)
            self.said.write_text(text)
            os._exit(code)

    def end(self, seconds: float = LONG) -> int:
        """Wait until it has ended."""
        began = time.monotonic()
        while time.monotonic() - began < seconds:
            done, status = os.waitpid(self.number, os.WNOHANG)
            if done:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.001)
        self.kill()
        raise RuntimeError(f"a process is stuck: {self.number}")

    def kill(self) -> None:
        """Kill it, whatever it does."""
        os.kill(self.number, signal.SIGKILL)

    def text(self) -> str:
        """What it said."""
        return self.said.read_text() if self.said.exists() else ""


def marks(store: Path) -> set[str]:
    """The marks in a store."""
    return {path.name for path in (store / "done").glob("[0-9]*.json")}


def damage(store: Path, rng: random.Random) -> tuple[str, bool]:
    """Damage something in a store; what was done, and whether what is kept suffers by it, which must be told."""
    files = sorted(path for path in store.rglob("*") if path.is_file() and path.name != "claims")
    path = rng.choice(
        files if rng.random() < 0.6 else [f for f in files if f.suffix == ".json" and f.parent.name != "done"] or files
    )
    name, content = str(path.relative_to(store)), bytearray(path.read_bytes())
    number = path.name.split(".")[1] if path.name.startswith("c.") else path.stem
    kept = path.suffix == ".json" or (store / "done" / f"{int(number):08d}.json").exists()
    how = rng.choice(
        ["flip", "flip", "cut", "empty", "delete", "zeros", "noise", "longer", "copied over", "folder", "its folder deleted"]
    )
    if how == "flip" and content:
        content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
        path.write_bytes(content)
    elif how == "cut":
        path.write_bytes(content[: rng.randrange(len(content)) if content else 0])
    elif how == "empty":
        path.write_bytes(b"")
    elif how == "zeros":
        path.write_bytes(bytes(len(content)))
    elif how == "noise":
        path.write_bytes(rng.randbytes(len(content)))
    elif how == "longer":
        path.write_bytes(content + rng.randbytes(rng.randint(1, 40)))
    elif how == "copied over":
        others = [f for f in files if f.parent == path.parent and f != path] or [
            f for f in files if f.suffix == path.suffix and f != path
        ]
        other = rng.choice(others or files).read_bytes()
        kept = kept and other != bytes(content)
        path.write_bytes(other)
    elif how == "its folder deleted" and path.parent != store:
        numbers = path.parent.name != "done"
        shutil.rmtree(path.parent)
        return f"{how}: {path.parent.name}", numbers and any((store / "done").glob("*.json"))
    else:
        path.unlink()
        if how == "folder":
            path.mkdir()
        else:
            return f"deleted: {name}", kept and path.name != "zarr.json" and path.parent.name != "done"
    return f"{how}: {name}", kept


class Cluster:
    """A Dask scheduler and two workers, processes of their own."""

    def __init__(self, folder: Path):
        folder.mkdir()
        told, quiet = folder / "scheduler.json", {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        run = [sys.executable, "-m"]
        self.workers: list[Any] = []
        self.scheduler = subprocess.Popen(
            [
                *run,
                "distributed.cli.dask_scheduler",
                "--host",
                "127.0.0.1",
                "--port",
                "0",
                "--no-dashboard",
                "--scheduler-file",
                str(told),
            ],
            **quiet,
        )
        began = time.monotonic()
        while not told.exists() and time.monotonic() - began < LONG:
            time.sleep(0.05)
        time.sleep(0.2)
        self.address = json.loads(told.read_text())["address"]
        for k in range(2):
            place = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(folder / f"w{k}")]
            self.workers.append(subprocess.Popen([*run, "distributed.cli.dask_worker", self.address, *place], **quiet))

    def close(self) -> None:
        """End its processes."""
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()
