"""Flowmeters that start from rest and wheelsets that slip, through every change of mode, beside their regularised twins in the same run.

python benchmarks/machines.py [number of flowmeters] [processes]
"""

import multiprocessing
import os
import sys
import time
import warnings
from collections import Counter

import numpy as np

from rollick import simulate
from rollick.archetypes.flowmeter import FlowMeter
from rollick.archetypes.flowmeter.flow import Flow
from rollick.archetypes.flowmeter.trials import random_meter
from rollick.archetypes.wheelset.episodes import easiest_start
from rollick.archetypes.wheelset.physical import example_5_2
from rollick.archetypes.wheelset.slip_limit import critical_amplitudes
from rollick.ensemble import Table, ensemble
from rollick.motion.filippov.algebra.code import contact_code
from rollick.motion.filippov.systems.twin import Twin


def start_up(seed):
    """A random meter from rest under a steady flow, for 2 to 60 s; how it ended, its changes of mode and its steps."""
    rng = np.random.default_rng(seed)
    meter = random_meter(rng)
    until = float(np.exp(rng.uniform(np.log(2.0), np.log(60.0))))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        motion = simulate(
            meter._replace(flow=Flow(meter.flow.v_f)), np.zeros(4), until, method="event-driven", at=[until], progress=False
        )
    return motion.status, len(motion.provenance["methods"]) - 1, motion.provenance["steps"]


def flowmeters(count, processes):
    """Print how long `count` start-ups take."""
    start_up(0)
    with multiprocessing.Pool(processes) as pool:
        pool.map(start_up, range(processes * 4))  # each worker loads what is compiled
        began = time.perf_counter()
        found = pool.map(start_up, range(count), chunksize=20)
        seconds = time.perf_counter() - began
    changes, steps = sum(f[1] for f in found), sum(f[2] for f in found)
    print(f"{count} flowmeters from rest, {processes} processes: {seconds:.1f} s ({changes} changes of mode, {steps} steps)")
    print("   " + ", ".join(f"{n} {status}" for status, n in Counter(f[0] for f in found).most_common()))


def meters_table(count):
    """The same start-ups as members of an ensemble."""
    columns = {}
    for seed in range(count):
        rng = np.random.default_rng(seed)
        meter = random_meter(rng)
        row = {name: getattr(meter, name) for name in ("r", "d", "m", "j", "g", "mu")}
        row |= {f"drag.{name}": value for name, value in meter.drag._asdict().items()} | {"flow.v_f": meter.flow.v_f}
        for name, value in (row | {"until": float(np.exp(rng.uniform(np.log(2.0), np.log(60.0))))}).items():
            columns.setdefault(name, []).append(value)
    return Table({name: np.array(values) for name, values in columns.items()})


def as_ensemble(count, workers):
    """Print how long `count` start-ups take as one ensemble, in threads."""
    table, asked = meters_table(count), {"start": [0.0] * 4, "workers": workers, "progress": False}
    ensemble(FlowMeter(), meters_table(8), **asked)  # compiles
    began, used = time.perf_counter(), time.process_time()
    found = ensemble(FlowMeter(), table, **asked)
    seconds, used = time.perf_counter() - began, time.process_time() - used
    print(
        f"{count} flowmeters from rest, one ensemble, {workers} threads: {seconds:.1f} s ({used:.1f} s of CPU, {found.found.steps.sum()} steps)"
    )
    print("   " + ", ".join(f"{n} {status}" for status, n in found.statuses.items()))


def timed(run):
    """The shorter of two runs after one that compiles, and what it returned."""
    found, best = run(), np.inf
    for _ in range(2):
        began = time.process_time()
        found = run()
        best = min(best, time.process_time() - began)
    return best, found


def wheelsets():
    """Print how long 60 s of a wheelset take at some speeds, a little above its critical amplitude; and 1 s beside the twin."""
    warnings.simplefilter("ignore")
    for speed in (200.0, 286.0, 300.0):
        w = example_5_2(speed / 3.6)
        start = easiest_start(w, 1.05 * critical_amplitudes(w).amplitude)

        def run(w=w, start=start, until=60.0):
            return simulate(w, start, until, method="event-driven", at=[until], progress=False)

        seconds, motion = timed(run)
        changes = len(motion.provenance["methods"]) - 1
        print(
            f"60 s of a wheelset at {speed:.0f} km/h: {seconds:.3f} s ({changes} changes of mode, {motion.provenance['steps']} steps)"
        )
    w = example_5_2(200.0 / 3.6)
    start = easiest_start(w, 1.05 * critical_amplitudes(w).amplitude)
    ours, _ = timed(lambda: simulate(w, start, 1.0, method="event-driven", at=[1.0], progress=False))
    twin = Twin(w, 1e-5, contact_code())
    theirs, _ = timed(lambda: simulate(twin, start, 1.0, rtol=1e-9, method="auto", at=[1.0], progress=False))
    print(f"1 s at 200 km/h: the twin with eps = 1e-5 takes {theirs / ours:.0f} times as long")


def main():
    """Print a table."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    processes = int(sys.argv[2]) if len(sys.argv) > 2 else min(2, os.cpu_count() or 1)
    wheelsets()
    as_ensemble(count, processes)
    flowmeters(count, processes)


if __name__ == "__main__":
    main()
