"""Ensembles on a GPU against threads: the numbers, then motions per second through the public call, transfers included.

PYTHONPATH=src python tests/ensemble/gpu_checks.py [COUNT] [WORDS]    COUNT 0: no speeds; WORDS: only checks whose names contain one of them
"""

import sys
import time

import numpy as np

from rollick import Rattleback
from rollick.ensemble import Count, First, Greatest, Last, Least, Mean, Path, Rms, Samples, ensemble

BASE = {"alpha": "0.5deg", "beta": "0.5deg"}
SMALL = 1e-6  # what is smaller than this in all members is compared absolutely: a spin at the instant at which it is zero
MEASURED = [
    "final", "energy", First("omega3", "rising"), Last("omega3"), Count("alpha"), Greatest("alpha"), Least("beta"), Mean("energy"), Rms("omega1"),
]  # fmt: skip


def compare(name, keep, until, count=200, tolerance=1e-9):
    starts = Samples(count, "sobol", seed=5, omega3=(-6.0, -4.0), D=(-4e-5, -1e-5))
    began = time.perf_counter()
    there = ensemble(Rattleback(), starts, until, start=BASE, method="dop853", keep=keep, on="cuda")
    seconds = time.perf_counter() - began
    here = ensemble(Rattleback(), starts, until, start=BASE, method="dop853", keep=keep)
    size = np.maximum(np.nanmax(np.abs(here.found.values), axis=0), SMALL)
    each = np.nanmax(np.abs(there.found.values - here.found.values) / size, axis=0)
    off = float(np.nanmax(each, initial=0.0))
    same = there.statuses == here.statuses and np.array_equal(np.isnan(there.found.values), np.isnan(here.found.values))
    if there.found.paths is not None:
        off = max(off, float(np.nanmax(np.abs(there.found.paths - here.found.paths))))
    good = same and off <= tolerance
    print(f"{name:40} {off:9.1e} {'agrees' if good else 'FAILED'}  {there.statuses} {seconds:.1f} s", flush=True)
    if not good:
        print("    " + ", ".join(f"{label} {d:.1e}" for label, d in zip(here.task.keep.labels, each)), flush=True)
    return good


def main(count, words):
    checks = [
        ("final states, 2 s", ["final"], 2.0, 1e-9),
        ("signals, paths, 2 s", ["final", "energy", Path([0.0, 0.5, 1.0, 2.0])], 2.0, 1e-9),
        ("measures, 3 s", MEASURED, 3.0, 1e-8),
        ("stopped by a zero", [First("omega3", "rising", stop=True), "final"], 20.0, 1e-6),
    ]
    chosen = [check for check in checks if not words or any(word in check[0] for word in words)]
    good = all([compare(name, keep, until, tolerance=tolerance) for name, keep, until, tolerance in chosen])
    for size in (count // 16, count // 4, count) if count else ():
        starts = Samples(size, "random", seed=5, omega3=(-5.01, -5.0))
        began = time.perf_counter()
        found = ensemble(Rattleback(), starts, 20.0, start=BASE, method="dop853", keep=["final"], on="cuda")
        taken = time.perf_counter() - began
        print(f"{size} stones of 20 s: {taken:.2f} s, {size / taken:,.0f} per second {found.statuses}", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1 << 17, sys.argv[2:]))
