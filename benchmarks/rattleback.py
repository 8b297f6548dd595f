"""Speed of the rattleback's motion (Fig. 4 of Kane and Levinson: 20 s, rtol 1e-9), as ratios within one run.

One core. SciPy's DOP853 integrates the very same right-hand side, run as plain Python; heyoka a Taylor method at tolerance 1e-9 on the same
equations. Absolute times depend on the machine and its neighbours; compare ratios.
"""

from __future__ import annotations

import contextlib
import gc
import math
import os
import subprocess
import sys
import tempfile
import time

for name in ("OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "HEYOKA_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import numpy as np  # noqa: E402
from scipy.integrate import solve_ivp  # noqa: E402

from rollick import Rattleback, rate, simulate  # noqa: E402

TILT = math.radians(0.5)
START = [TILT, TILT, 0.0, 0.0, 0.0, -5.0]
UNTIL, RTOL, ATOL = 20.0, 1e-9, 1e-12


def best(work, repeats: int) -> float:
    """The shortest of several runs, in seconds: the one least disturbed by neighbours."""
    times = []
    for _ in range(repeats):
        before = time.perf_counter()
        work()
        times.append(time.perf_counter() - before)
    return min(times)


def with_rollick(**options):
    """The motion as a user computes it."""
    return simulate(Rattleback(), START, UNTIL, rtol=RTOL, atol=ATOL, method="dop853", **options)


@contextlib.contextmanager
def plain_equations(**functions):
    """The rattleback's equations as plain Python functions, with some of their scalar functions replaced."""
    from rollick.archetypes.rattleback import equations

    pieces = {n: f.py_func for n, f in vars(equations).items() if hasattr(f, "py_func")}
    kept = {n: getattr(equations, n) for n in (*pieces, *functions)}
    try:
        for n, f in (pieces | functions).items():
            setattr(equations, n, f)
        yield equations.write_rates
    finally:
        for n, f in kept.items():
            setattr(equations, n, f)


def with_scipy():
    """SciPy's DOP853 with the same right-hand side in Python."""
    stone = Rattleback()

    def f(t, y):
        out = np.empty(6)
        rate(stone, t, y, out)
        return out

    with plain_equations():
        return solve_ivp(f, (0.0, UNTIL), START, method="DOP853", rtol=RTOL, atol=ATOL)


def heyoka_integrator():
    """A Taylor integrator of the same equations, built by running the right-hand side on heyoka's expressions."""
    import heyoka as hy

    variables = hy.make_vars("alpha", "beta", "gamma", "omega1", "omega2", "omega3")
    out = [None] * 6
    with plain_equations(sincos=lambda x: (hy.sin(x), hy.cos(x)), sqrt=hy.sqrt) as write_rates:
        write_rates(Rattleback(), variables, out, False)
    return hy.taylor_adaptive(list(zip(variables, out)), START, tol=RTOL)


def cold_and_warm() -> tuple[float, float, float]:
    """Seconds from command to result: with an empty cache, with a warm one; and `import rollick`."""
    command = [sys.executable, "-m", "rollick", "simulate", "rattleback", "--at", "20", "--json"]
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"ROLLICK_CACHE_DIR": folder, "ROLLICK_QUIET": "1"}

        def run(args):
            subprocess.run(args, env=environment, check=True, stdout=subprocess.DEVNULL)

        cold = best(lambda: run(command), 1)
        warm = best(lambda: run(command), 3)
        imports = best(lambda: run([sys.executable, "-c", "import rollick; rollick.simulate"]), 3)
    return cold, warm, imports


def main() -> None:
    """Measure and print."""
    reference = with_rollick(integrals=False)
    with_rollick()
    with_rollick(events=["gamma_rate"])
    ours = best(lambda: with_rollick(integrals=False), 30)
    full = best(with_rollick, 15)
    eventful = best(lambda: with_rollick(events=["gamma_rate"]), 15)
    gc.collect()
    before = time.perf_counter()
    for _ in range(1000):
        with_rollick(integrals=False)
    thousand = time.perf_counter() - before
    ours = min(ours, best(lambda: with_rollick(integrals=False), 30))
    single = float(np.median([best(lambda: with_rollick(integrals=False), 1) for _ in range(101)]))
    scipy_time = best(with_scipy, 2)
    integrator = heyoka_integrator()

    def with_heyoka():
        integrator.time = 0.0
        integrator.state[:] = START
        integrator.propagate_until(UNTIL)

    heyoka_time = best(with_heyoka, 10)
    apart = float(np.abs(integrator.state - reference.end_state).max())
    cold, warm, imports = cold_and_warm()
    rows = [
        ("rollick, one motion", f"{1e3 * ours:.2f} ms", ""),
        ("  with track and dissipated energy", f"{1e3 * full:.2f} ms", f"{full / ours:.2f} x"),
        ("  and with the zeros of gamma' found", f"{1e3 * eventful:.2f} ms", f"{eventful / ours:.2f} x"),
        (
            "rollick, 1000 motions in a plain loop",
            f"{thousand:.2f} s",
            f"{thousand / (1000 * single):.2f} x 1000 single ones (bar: 1.2)",
        ),
        (
            "SciPy DOP853, the same right-hand side in Python",
            f"{1e3 * scipy_time:.0f} ms",
            f"{scipy_time / ours:.0f} x (bar: 250)",
        ),
        ("heyoka, tolerance 1e-9", f"{1e3 * heyoka_time:.2f} ms", f"{heyoka_time / ours:.2f} x (bar: 2)"),
        ("largest difference to heyoka's final state", f"{apart:.1e}", ""),
        ("cold first motion, from command to result", f"{cold:.1f} s", "(bar: 20 s)"),
        ("the same with a warm cache", f"{warm:.2f} s", "(bar: 2 s)"),
        ("import rollick and its simulate", f"{imports:.2f} s", "(bar: 1.5 s)"),
    ]
    width = max(len(r[0]) for r in rows)
    for what, value, ratio in rows:
        print(f"{what:<{width}}  {value:>10}  {ratio}")


if __name__ == "__main__":
    main()
