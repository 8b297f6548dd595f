"""Trials of stores of ensembles: processes killed, files damaged, several processes on one store, full disks, a Dask worker and a Dask scheduler killed.

    python benchmarks/store_trials.py --seed 1 --out benchmarks/results/store_trials

After each trial the same call must come to the end, with numbers that are byte for byte those of a run without a store. What counts as wrong: other numbers; an error that is
not a sentence of ours; a finished chunk that is lost; a damage to numbers that is not told. OUT.json has the counts (of kinds that are not
tried this time, `--kills 0`, those of the time before), from which `benchmarks/page.py` writes docs/reliability.md.

Processes are forked from this one, which has compiled everything, so that they are killed from the first millisecond of the call on. Full disks are small file systems in memory, which
root alone can mount.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

os.environ.setdefault("ROLLICK_QUIET", "1")

import numpy as np
from store_trials_tools import LONG, SAME, SENTENCE, WORDS, Cluster, Process, damage, digest, judged, marks

from rollick import Rattleback
from rollick.ensemble import First, Samples, ensemble
from rollick.ensemble.grid_map import grid_map

STONES = Samples(48, "sobol", seed=2, omega3=(-6.0, -4.0), D=(-4e-5, -1e-5))
AXES = {"x": np.linspace(0.0, 1.0, 8), "y": np.linspace(-1.0, 1.0, 6)}


def stones(store: Any = None, **more: Any) -> Any:
    """The ensemble that is tried."""
    more = {"chunk": 2, "workers": 2, **more}
    keep = ["final", First("omega3", "rising")]
    return ensemble(
        Rattleback(),
        STONES,
        3.0,
        start={"alpha": "0.5deg", "beta": "0.5deg"},
        method="dop853",
        keep=keep,
        store=store,
        progress=False,
        **more,
    )


def slow_map(store: Any = None) -> Any:
    """The map that is tried."""

    def work(points: np.ndarray, first: int) -> np.ndarray:
        time.sleep(0.005)
        return (points[:, 0] * points[:, 1] + first)[:, None]

    return grid_map(work, AXES, ("z",), store=store, workers=2, chunk=2, progress=False)["z"].values.tobytes()


class Trials:
    """The trials of one kind after the other, in a folder of their own; counts of how they ended, and what was wrong."""

    def __init__(self, folder: Path, seed: int, known: dict[str, Any]):
        self.folder, self.seed = folder, seed
        self.wanted, self.map_wanted = digest(stones()), slow_map(folder / "first.nc")
        began = time.perf_counter()
        stones(folder / "first.zarr")
        self.takes = time.perf_counter() - began
        self.found = known

    def begin(self, kind: str) -> tuple[random.Random, Counter[str], list[str]]:
        """Random numbers of a kind of trial, its counts, and the list of what was wrong."""
        self.counts: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.found[kind] = {"ends": self.counts, "wrong": self.wrong}
        return random.Random(f"{self.seed} {kind}"), self.counts, self.wrong

    def judge(self, what: str, code: int, allowed: tuple[int, ...], text: str) -> None:
        """Count an end; what is not allowed is wrong."""
        word = WORDS.get(code, f"exit code {code}")
        self.counts[word] += 1
        if code not in allowed:
            self.wrong.append(f"{what}: {word}: {text[:300]}")
            print("WRONG", self.wrong[-1], flush=True)

    def finish(self, what: str, store: Path, told_if: bool = False, empty: bool = False) -> str:
        """The same call again, to its end; what it said. empty: nothing is kept any more, and the store may refuse to guess what it was."""
        last = Process(self.folder, lambda: stones(store), self.wanted, told_if)
        self.judge(what, last.end(), (SAME, SENTENCE) if empty else (SAME,), last.text())
        return last.text()

    def fresh(self, name: str = "stones.zarr") -> Path:
        """A place where nothing is."""
        store = self.folder / name
        shutil.rmtree(store, ignore_errors=True)
        store.unlink(missing_ok=True)
        return store

    def moment(self, rng: random.Random) -> float:
        """When a process is killed: often early, from the first millisecond on."""
        return (
            rng.uniform(0.001, self.takes) if rng.random() < 0.5 else math.exp(rng.uniform(math.log(0.001), math.log(self.takes)))
        )

    # -- the trials -----------------------------------------------------------------------------------------------------------

    def kills(self, count: int) -> None:
        """Processes killed, up to four on one store, and then the same call again."""
        rng, counts, wrong = self.begin("kills")
        done = 0
        while done < count:
            store, before = self.fresh(), set()
            for _ in range(min(rng.randint(1, 4), count - done)):
                process = Process(self.folder, lambda s=store: stones(s), self.wanted)
                time.sleep(self.moment(rng))
                process.kill()
                dead = process.end() == -signal.SIGKILL
                counts["killed" if dead else "over before the kill"] += 1
                done += dead
                after = marks(store)
                if before - after:
                    wrong.append(f"kill {done}: finished chunks are lost: {sorted(before - after)}")
                before = after
            counts["stores"] += 1
            self.finish(f"after kill {done}", store)

    def damages(self, count: int) -> None:
        """Files damaged in stores that are whole or half done."""
        rng, counts, _ = self.begin("damages")
        whole, half = self.fresh("whole.zarr"), self.fresh("half.zarr")
        stones(whole)
        shutil.copytree(whole, half)
        for path in sorted((half / "done").iterdir())[::2]:
            path.unlink()
        for k in range(count):
            store = self.fresh()
            shutil.copytree(rng.choice([whole, whole, half]), store)
            done = [damage(store, rng) for _ in range(rng.choice([1, 1, 1, 2, 3]))]
            told_if = any(suffers for _, suffers in done) and any((store / "done").glob("*.json"))
            text = self.finish(f"damage {k} ({', '.join(how for how, _ in done)})", store, told_if, not marks(store))
            counts["told" if text else "without effect on what is kept"] += 1

    def together(self, kind: str, count: int, processes: int) -> None:
        """Several processes on one new store, at once; in every second trial all but one are killed."""
        rng, counts, _ = self.begin(kind)
        for k in range(count):
            store, deadly = self.fresh(), k % 2 == 1
            sizes = [{"chunk": None}] if k % 4 < 2 else [{}]  # each guesses a size of its own, or all take the same
            group = [
                Process(self.folder, lambda s=store, more=sizes[0]: stones(s, **more), self.wanted) for _ in range(processes)
            ]
            for process in group[1:] if deadly else []:
                time.sleep(self.moment(rng) / processes)
                process.kill()
            for i, process in enumerate(group):
                allowed = (SAME, -signal.SIGKILL) if deadly and i else (SAME,)
                self.judge(f"{kind} {k}", process.end(), allowed, process.text())
            counts["stores"] += 1

    def maps(self, count: int) -> None:
        """Two processes on one map; in every second trial one is killed, and the call made again."""
        rng, counts, _ = self.begin("pairs on maps")
        for k in range(count):
            store = self.fresh("map.nc")
            shutil.rmtree(f"{store}.parts", ignore_errors=True)
            pair = [Process(self.folder, lambda s=store: slow_map(s), self.map_wanted) for _ in range(2)]
            if k % 2:
                time.sleep(rng.uniform(0.001, 0.1))
                pair[1].kill()
            for i, process in enumerate(pair):
                self.judge(f"map {k}", process.end(), (SAME, -signal.SIGKILL) if k % 2 and i else (SAME,), process.text())
            counts["maps"] += 1

    def full_disks(self, count: int) -> None:
        """Disks that are full at some moment, and then have room."""
        rng, counts, _ = self.begin("full disks")
        disk = self.folder / "disk"
        disk.mkdir()
        for k in range(count):
            pages = rng.randint(1, 150)
            mount = ["mount", "-t", "tmpfs", "-o", f"size={4 * pages}k", "tmpfs", str(disk)]
            if not shutil.which("mount") or subprocess.run(mount, capture_output=True, check=False).returncode:
                counts["not tried: mounting needs root"] += 1
                return
            try:
                first = Process(self.folder, lambda: stones(disk / "stones.zarr"), self.wanted)
                self.judge(f"disk of {4 * pages} kB", first.end(), (SAME, SENTENCE), first.text())
                before = marks(disk / "stones.zarr")
                subprocess.run(["mount", "-o", "remount,size=8m", str(disk)], check=True)
                self.finish(f"disk {k} with room", disk / "stones.zarr")
                if before - marks(disk / "stones.zarr"):
                    self.wrong.append(f"disk {k}: finished chunks are lost")
            finally:
                subprocess.run(["umount", str(disk)], check=False)

    def dask(self, count: int, whom: str) -> None:
        """A Dask worker, or its scheduler, killed on the way; then the same call, in threads."""
        kind = f"Dask {whom}s killed"
        rng, counts, _ = self.begin(kind)
        script = [sys.executable, str(Path(__file__).resolve()), "--client"]
        for k in range(count):
            store, cluster = self.fresh(), Cluster(self.folder / f"dask-{whom}-{k}")
            try:
                client = subprocess.Popen(
                    [*script, cluster.address, str(store)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
                )
                few, began = rng.randint(1, 12), time.monotonic()
                while len(marks(store)) < few and client.poll() is None and time.monotonic() - began < LONG:
                    time.sleep(0.002)
                (cluster.workers[0] if whom == "worker" else cluster.scheduler).kill()
                counts["killed"] += 1
                text, _ = client.communicate(timeout=LONG)
                self.judge(kind, client.returncode, (SAME,) if whom == "worker" else (SAME, SENTENCE), text)
                before = marks(store)
                if whom == "scheduler" and client.returncode == SENTENCE and "are kept" not in text:
                    self.wrong.append(f"{kind}: not said what is kept: {text[:200]}")
            finally:
                cluster.close()
            self.finish(f"{kind}, afterwards", store)
            if before - marks(store):
                self.wrong.append(f"{kind}: finished chunks are lost")


def client(address: str, store: str) -> int:
    """The ensemble on a Dask cluster; how it ended. What it said is on standard output."""
    from distributed import Client

    wanted = digest(stones())
    with Client(address, timeout="60s") as cluster:
        cluster.wait_for_workers(2, timeout=LONG)
        code, text = judged(lambda: stones(store, on=cluster), wanted)
        print(text, flush=True)
    return code


def main() -> int:
    """Run the trials, and write their counts."""
    p = argparse.ArgumentParser(description="trials of stores of ensembles")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--kills", type=int, default=200)
    p.add_argument("--damages", type=int, default=200)
    p.add_argument("--pairs", type=int, default=50)
    p.add_argument("--quadruples", type=int, default=20)
    p.add_argument("--maps", type=int, default=20)
    p.add_argument("--disks", type=int, default=40)
    p.add_argument("--dask", type=int, default=5, help="kills of a worker, and as many of a scheduler")
    p.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "store_trials")
    p.add_argument("--client", nargs=2, metavar=("ADDRESS", "STORE"), help=argparse.SUPPRESS)
    given = p.parse_args()
    if given.client:
        return client(*given.client)
    began, file, known = time.monotonic(), given.out.with_suffix(".json"), {}
    if file.exists() and (before := json.loads(file.read_text(encoding="utf-8")))["seed"] == given.seed:
        known = before["kinds"]
    with tempfile.TemporaryDirectory(prefix="store-trials-") as folder:
        trials = Trials(Path(folder), given.seed, known)
        for kind, count, work in (
            ("kills", given.kills, trials.kills),
            ("damages", given.damages, trials.damages),
            ("pairs", given.pairs, lambda count: trials.together("pairs", count, 2)),
            ("quadruples", given.quadruples, lambda count: trials.together("quadruples", count, 4)),
            ("maps", given.maps, trials.maps),
            ("full disks", given.disks, trials.full_disks),
            ("workers", given.dask, lambda count: trials.dask(count, "worker")),
            ("schedulers", given.dask, lambda count: trials.dask(count, "scheduler")),
        ):
            if count:
                work(count)
                print(f"{time.monotonic() - began:6.0f} s  {kind}: {dict(trials.counts)}, {len(trials.wrong)} wrong", flush=True)
    import rollick

    wrong = sum(len(one["wrong"]) for one in trials.found.values())
    told = {
        "what": "store trials",
        "seed": given.seed,
        "rollick": rollick.__version__,
        "wrong": wrong,
        "kinds": trials.found,
    }
    file.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    print(f"{wrong} wrong; wrote {file}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
