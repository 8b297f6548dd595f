"""Motions from event to event: compiled code beside Python's automaton, on random bodies, in ratios of CPU time within one run.

    python benchmarks/event_driven.py [NUMBER OF EACH KIND]

The bodies are those that tests compare the two with (`tests/motion/random_mixtures.py`). Whole calls of `simulate`, without compilation.
"""

from __future__ import annotations

import statistics
import sys
import time
import warnings
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "tests" / "motion"))

from automaton import InPython
from random_mixtures import KINDS

from rollick import InputError, simulate
from rollick.motion.methods import EventDriven


def seconds(method, system, start, until):
    """The CPU time of a motion, the least of two: the first may compile."""
    taken = []
    for _ in range(2):
        began = time.process_time()
        simulate(system, start, until, method=method, progress=False)
        taken.append(time.process_time() - began)
    return min(taken)


def main(number):
    """Print, for each kind of body, how many times as long Python takes."""
    warnings.simplefilter("ignore")
    methods = EventDriven(ambiguous="roll", painleve="slip"), InPython(ambiguous="roll", painleve="slip")
    for kind, make in KINDS.items():
        times = []
        for seed in range(number):
            try:
                times.append([seconds(method, *make(seed)) for method in methods])
            except InputError:  # it starts inside a surface
                continue
        here, there = zip(*times)
        ratio = statistics.median(b / a for a, b in times)
        print(
            f"{kind:6s} {len(times):4d} motions: Python takes {sum(there) / sum(here):5.1f} times as long in all, {ratio:5.1f} in the median",
            flush=True,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
