"""What a drop test costs: the exact event-driven rod beside SciPy's integrator with events on the same rod, and the maps; ratios within one run.

    python benchmarks/drop.py

Both follow the same impacts, until the largest displacement has passed; the times and peaks must agree. Seconds of one core, the best of several.
"""

from __future__ import annotations

import math
import os
import time

for name in ("OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import numpy as np  # noqa: E402

from rollick.archetypes.dropped_device import device, drop, shock_map  # noqa: E402
from rollick.archetypes.dropped_device.solid import box, component, drop_solid  # noqa: E402
from rollick.studies.drop_test.judge import judge  # noqa: E402

BAR = 120.0  # seconds for a map of 100 x 100 points, worst of 19 angles, on two cores


def best(work, repeats: int) -> float:
    """Seconds, the least of several."""
    least = np.inf
    for _ in range(repeats):
        began = time.perf_counter()
        work()
        least = min(least, time.perf_counter() - began)
    return least


def main() -> None:
    """Measure and print."""
    print(f"{'rod and component':<44}{'impacts':>8}{'exact':>12}{'SciPy':>12}{'ratio':>9}{'apart':>10}")
    for rho, gamma, r, alpha, d, most in (
        (1 / 3, 1 / 3, 0.0, 1.0, 10.0, 8),
        (2 / 3, 2 / 3, 0.5, 0.3, 3.0, 8),
        (0.9, 0.8, 1.0, 1.0, 30.0, 8),
    ):
        dev = device(rho, gamma, r, alpha, d)
        ours = lambda dev=dev, most=most: drop(dev, math.pi / 4, max_impacts=most, report=False)
        told = lambda dev=dev, most=most: judge(
            dev.rho, dev.gamma, dev.r, dev.Omega, dev.delta, math.pi / 4, most=most, tol=1e-10
        )
        mine, theirs = ours(), told()
        fast, slow = best(ours, 20), best(told, 2)
        apart = abs(mine.peak / theirs.peak - 1.0)
        name = f"rho {rho:.2f}, gamma {gamma:.2f}, r {r:g}, alpha {alpha:g}, d {d:g}"
        print(f"{name:<44}{most:>8}{1e6 * fast:>9.0f} us{1e3 * slow:>9.0f} ms{slow / fast:>9.0f}{apart:>10.0e}")
    whole = lambda: drop(device(1 / 3, 1 / 3), math.pi / 4, report=False)
    found = whole()
    print(
        f"a whole drop to eps = 1e-9, {len(found.impact_log)} impacts: {1e6 * best(whole, 20):.0f} us; with the convergence report",
        end=" ",
    )
    print(f"{1e3 * best(lambda: drop(device(1 / 3, 1 / 3), math.pi / 4), 5):.2f} ms")
    made = box(0.15, 0.075, 0.008, 0.18)
    part = component(made, (0.06, 0.03, 0.0), (0, 0, 1), 200.0)
    solid = drop_solid(made, part, (1.0, 0.3, -0.4))
    cost = best(lambda: drop_solid(made, part, (1.0, 0.3, -0.4)), 10)
    print(f"a box in three dimensions, {len(solid.impact_log)} impacts: {1e3 * cost:.2f} ms")
    axis = (np.arange(30) + 0.5) / 30
    shock_map([0.5], [0.5], progress=False)
    began = time.perf_counter()
    shock_map(axis, axis, centrifugal=False, progress=False)
    took = time.perf_counter() - began
    print(
        f"map of 30 x 30 points, worst of 19 angles: {took:.1f} s; 100 x 100 would take {took * 1e4 / 900:.0f} s; bar {BAR:g} s"
    )


if __name__ == "__main__":
    main()
