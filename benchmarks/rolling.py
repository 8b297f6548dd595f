"""What a rolling body costs: per step against Kane and Levinson's rattleback, and the (l, E) regime map of a torus.

All numbers of one run on one machine; only their ratios mean something.
"""

from __future__ import annotations

import time

import numpy as np

from rollick import Rattleback, simulate
from rollick.archetypes.rubber import regime_map, torus
from rollick.mechanics.body import Body
from rollick.mechanics.mass.primitives import solid_ellipsoid
from rollick.mechanics.rolling import rolling
from rollick.mechanics.shapes.convex import Ellipsoid


def per_step(system, start, until: float, repeats: int = 7, **options) -> float:
    """Seconds per tried step, the best of several runs."""
    best = np.inf
    for _ in range(repeats):
        began = time.perf_counter()
        m = simulate(system, start, until, at=[until], **options)
        best = min(best, (time.perf_counter() - began) / (m.provenance["steps"] + m.provenance["rejected"]))
    return best


def main() -> None:
    """Measure and print."""
    sizes = (0.3, 0.25, 0.2)
    body = Body.from_parts(solid_ellipsoid(1.0, *sizes), Ellipsoid(*sizes))
    start = {"theta": 1.0, "psi": 0.4, "psi_rate": 3.0, "theta_rate": 0.5}
    stone = Rattleback()
    for name, options in (("without track", {"integrals": False}), ("with track and energies", {})):
        reference = per_step(stone, {"alpha": "0.5deg", "beta": "0.5deg", "omega3": -5.0}, 100.0, **options)
        print(f"{name}: Kane and Levinson's rattleback {1e6 * reference:.2f} us per step")
        for how in ("marble", "rubber"):
            cost = per_step(rolling(body, how=how), start, 200.0, **options)
            print(f"  full {how} ellipsoid {1e6 * cost:.2f} us per step: {cost / reference:.2f} times as much")
    ring = torus(1.0, 0.25, g=1.0)
    ells, energies = np.linspace(0.005, 2.0, 400), np.linspace(0.2, 4.0, 400)
    regime_map(ring, ells[:2], energies)
    began = time.perf_counter()
    codes = regime_map(ring, ells, energies)
    print(f"(l, E) regime map of a torus, 400 x 400: {time.perf_counter() - began:.2f} s, regimes {np.unique(codes).tolist()}")


if __name__ == "__main__":
    main()
