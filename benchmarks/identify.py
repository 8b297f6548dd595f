"""One identification: four coefficients of friction and ten numbers of the start from 2 s of 500 frames per second (1001 frames, 6006 data).

    python benchmarks/identify.py [--repeat 3]

The first run compiles (or reads the cache) and is not counted. Told are wall and processor time, motions and Jacobians; a Jacobian is 14 motions that each carry a
column. First values are those of `fit_friction`, off by up to half.
"""

from __future__ import annotations

import argparse
import os
import time

for name in ("OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")

from rollick.archetypes.tippedisk.experiment import TRUTH, shipped_track  # noqa: E402
from rollick.archetypes.tippedisk.friction_fit import fit_friction  # noqa: E402


def main() -> None:
    """Runs after the first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=3)
    count = parser.parse_args().repeat
    track = shipped_track()
    fit_friction(track.between(0.0, 0.2))
    for _ in range(count):
        wall, used = time.perf_counter(), time.process_time()
        found = fit_friction(track, first={"mu": 0.2, "eps": 0.03})
        wall, used = time.perf_counter() - wall, time.process_time() - used
        inside = sum(a < TRUTH[n] < b for n in TRUTH for a, b in [found.interval(n)])
        print(
            f"{wall:6.2f} s wall, {used:6.2f} s processor, {found.calls[0]} motions, {found.calls[1]} Jacobians; {inside} of 4 in their intervals"
        )


if __name__ == "__main__":
    main()
