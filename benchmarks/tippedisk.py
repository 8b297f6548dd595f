"""The tippedisk's bars: a branch of 400 cycles, the chart from closed forms, the chart by computation.

    python benchmarks/tippedisk.py

Bars on two quiet cores: 400 cycles of V1 (Model 1.4, three states, from the Hopf point to an amplitude of gamma above 3) in 3 s; 200 x 200 x 100 points of the chart from closed forms in
1 s; 200 x 200 points by computation (Hopf points by eigenvalues, connections by Melnikov's integral, folds by cycle integrals) in 60 s. CPU time is told beside wall time, which neighbours spoil.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from rollick.analysis.continuation import PseudoArclength
from rollick.analysis.orbits import Shooting
from rollick.archetypes.tippedisk import specimen
from rollick.archetypes.tippedisk.reduced import closed_regions, computed_chart
from rollick.archetypes.tippedisk.reduced.branches import amplitudes, spinning_cycles
from rollick.motion.methods import DOP853


def timed(what: str, bar: float, call: Callable[[], Any]) -> Any:
    """Run, and tell how long it took."""
    wall, cpu = time.perf_counter(), time.process_time()
    found = call()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(f"{what}: {wall:.2f} s, CPU {cpu:.2f} s (bar {bar:g} s)", flush=True)
    return found


def main() -> None:
    """All three."""
    disk = specimen("V1")

    def branch(points: int) -> Any:
        steps = PseudoArclength(ds=0.0075, ds_max=0.0075, max_points=points, tol=1e-8)
        return spinning_cycles(disk, linear=True, steps=steps, method=Shooting(integrator=DOP853(rtol=1e-9)))

    branch(3)  # compile
    made = timed("400 cycles of V1", 3.0, lambda: branch(400))
    print(
        f"    {len(made)} cycles, amplitude of gamma up to {amplitudes(made).max():.3f} rad, Omega down to {min(made['Omega']):.4f} rad/s"
    )
    kappa, zeta, omega = np.linspace(5e-4, 0.1, 200), np.linspace(0.5, 2.0, 200), np.linspace(0.85, 1.15, 100)
    timed("200 x 200 x 100 chart from closed forms", 1.0, lambda: closed_regions(kappa, zeta, omega))
    chart = timed("200 x 200 chart by computation", 60.0, lambda: computed_chart(kappa, zeta))
    print("    " + chart.summary().replace("\n", "\n    "))


if __name__ == "__main__":
    main()
