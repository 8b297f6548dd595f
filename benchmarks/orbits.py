"""Branches of periodic orbits against the registry: pycont-lite and bice beside Rollick, in ratios within one run.

    python benchmarks/orbits.py [--registry PYTHON] [--orbits 400]

The problem: the periodic orbits of Rossler's system (a = b = 0.2) over c, from c = 2.5 on, steps of equal length. Rollick follows `--orbits` of them by
shooting with multipliers and with the search for folds, doublings and tori at every point, and by collocation; the others as many as take a fair time, and the
seconds per orbit are compared. `--registry` names the Python of an environment with `pip install pycont-lite bice`; without it these are left out, and said so.

pycont-lite continues the equations of single shooting by SciPy's DOP853 (its own cycles are those of the midpoint rule on 256 points, to three digits), once as its user
would write it and without its detection of special points. bice has cycles of its own: finite differences of order 8 on equal time steps, with the exact Jacobian given to it.
All are asked for 1e-8 in the equations. What they make of the period at their last c is compared with Rollick's collocation at the same c.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from typing import Any

for name in ("OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import numpy as np  # noqa: E402

A, B, C0, C1 = 0.2, 0.2, 2.5, 3.5
TOLERANCE = 1e-8


def rossler(u: np.ndarray, c: float) -> np.ndarray:
    """The rate, in Python."""
    return np.array([-u[1] - u[2], u[0] + A * u[1], B + u[2] * (u[0] - c)])


# -- the registry's packages: run in their own environment ---------------------------------------------------------------------------------


def with_pycont(start: np.ndarray, period: float, count: int) -> dict[str, Any]:
    """Single shooting by SciPy, continued by pycont-lite."""
    import pycont
    from scipy.integrate import solve_ivp

    direction = rossler(start, C0)

    def G(q: np.ndarray, c: float) -> np.ndarray:
        end = solve_ivp(lambda t, u: rossler(u, c), (0.0, q[3]), q[:3], method="DOP853", rtol=1e-10, atol=1e-12).y[:, -1]
        return np.append(end - q[:3], direction @ (q[:3] - start))

    options = {"tolerance": TOLERANCE, "param_max": C1, "param_min": C0 - 0.1, "initial_directions": "increase_p"}
    options |= {"bifurcation_detection": False, "analyze_stability": False}
    step = 0.01
    began = time.perf_counter()
    made = pycont.arclengthContinuation(
        G, np.append(start, period), C0, step / 10.0, step, step, count, solver_parameters=options, verbosity=0
    )
    seconds = time.perf_counter() - began
    branch = max(made.branches, key=lambda b: len(b.p_path))
    return {
        "seconds": seconds,
        "orbits": len(branch.p_path),
        "c": float(branch.p_path[-1]),
        "period": float(branch.u_path[-1][3]),
    }


def with_bice(start: np.ndarray, period: float, count: int) -> dict[str, Any]:
    """bice's own periodic orbits."""
    import matplotlib

    matplotlib.use("Agg")
    from bice import Equation, Problem
    from bice.continuation import PseudoArclengthContinuation, TimePeriodicOrbitHandler
    from bice.core.solvers import MyNewtonSolver
    from scipy.integrate import solve_ivp

    class Rossler(Equation):
        def __init__(self) -> None:
            super().__init__()
            self.c = C0
            self.u = start.copy()

        def rhs(self, u: np.ndarray) -> np.ndarray:
            return rossler(u, self.c)

        def jacobian(self, u: np.ndarray) -> np.ndarray:
            return np.array([[0.0, -1.0, -1.0], [1.0, A, 0.0], [u[2], 0.0, u[0] - self.c]])

    points = 120
    problem, equation = Problem(), Rossler()
    problem.add_equation(equation)
    orbit = TimePeriodicOrbitHandler(equation, period, points)
    t = period * np.arange(points) / points
    path = solve_ivp(lambda t, u: rossler(u, C0), (0.0, period), start, t_eval=t, method="DOP853", rtol=1e-10, atol=1e-12).y.T
    orbit.u = np.append(path.ravel(), period)
    problem.remove_equation(equation)
    problem.add_equation(orbit)
    problem.newton_solver = MyNewtonSolver()
    problem.newton_solver.convergence_tolerance = TOLERANCE
    problem.continuation_stepper = PseudoArclengthContinuation()
    problem.continuation_stepper.convergence_tolerance = TOLERANCE
    problem.continuation_stepper.ds = problem.continuation_stepper.ds_max = 0.05
    problem.continuation_parameter = (equation, "c")
    problem.settings.neigs = 0
    began = time.perf_counter()
    for _ in range(count):
        problem.continuation_step()
    seconds = time.perf_counter() - began
    return {"seconds": seconds, "orbits": count, "c": float(equation.c), "period": float(orbit.T)}


# -- Rollick -------------------------------------------------------------------------------------------------------------------------------


def system(c: float) -> Any:
    """Rossler's system, compiled."""
    return ROSSLER(A, B, c)


def described() -> Any:
    """The class, defined once rollick is there."""
    from typing import NamedTuple

    from rollick import describe, rate

    class Rossler(NamedTuple):
        """x' = -y - z, y' = x + a y, z' = b + z (x - c)."""

        a: float = A
        b: float = B
        c: float = C0

    @rate.register(Rossler)
    def _(s, t, y, out):
        out[0] = -y[1] - y[2]
        out[1] = y[0] + s.a * y[1]
        out[2] = s.b + y[2] * (y[0] - s.c)

    describe(Rossler, states={"x": "", "y": "", "z": ""})
    return Rossler


ROSSLER: Any = None


def with_rollick(orbit: Any, count: int, method: Any) -> dict[str, Any]:
    """A branch of `count` orbits; the second run is timed, the first compiles."""
    from rollick.analysis.continuation import PseudoArclength
    from rollick.analysis.orbits import continue_orbit

    steps = PseudoArclength(ds=1.0 / count, ds_max=1.0 / count, max_points=count - 1, tol=1e-9)
    for _ in range(2):
        began = time.perf_counter()
        branch = continue_orbit(orbit, "c", method=method, steps=steps, directions="forward")
        seconds = time.perf_counter() - began
    found = [f"{p.label} at c = {p.parameter:.9g}" for p in branch.specials]
    return {
        "seconds": seconds,
        "orbits": len(branch),
        "c": float(branch["c"][-1]),
        "period": float(branch["period"][-1]),
        "found": found,
    }


def period_at(orbit: Any, c: float) -> float:
    """The period at a value of c, by fine collocation along the branch."""
    from rollick.analysis.continuation import PseudoArclength
    from rollick.analysis.orbits import Collocation, continue_orbit

    steps = PseudoArclength(ds=0.02, ds_max=0.2, detect=False, tol=1e-10)
    fine = Collocation(intervals=100, degree=5)
    return float(continue_orbit(orbit, "c", (C0 - 0.1, c), method=fine, steps=steps, directions="forward")["period"][-1])


def main() -> int:
    """Run all, print a table."""
    global ROSSLER
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("--registry", default="")
    given.add_argument("--orbits", type=int, default=400)
    given.add_argument("--only", default="")
    given.add_argument("--start", default="")
    options = given.parse_args()
    if options.only:  # inside the other environment
        told = json.loads(options.start)
        work = {"pycont": with_pycont, "bice": with_bice}[options.only]
        print(json.dumps(work(np.array(told["start"]), told["period"], told["count"])))
        return 0
    from rollick.analysis.orbits import Collocation, Shooting, find_orbit

    ROSSLER = described()
    orbit = find_orbit(system(C0), [3.0, 0.0, 0.0], transient=300.0)
    rows = {"Rollick, shooting": with_rollick(orbit, options.orbits, Shooting())}
    rows["Rollick, collocation"] = with_rollick(orbit, options.orbits, Collocation(intervals=40, degree=4))
    told = {"start": orbit.start.tolist(), "period": orbit.period}
    for label, only, count in (("pycont-lite 0.6, SciPy shooting", "pycont", 20), ("bice 0.4, finite differences", "bice", 20)):
        if not options.registry:
            print(f"{label}: left out; give --registry PYTHON, the Python of an environment with pycont-lite and bice.")
            continue
        command = [options.registry, __file__, "--only", only, "--start", json.dumps({**told, "count": count})]
        ran = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": ""})
        if ran.returncode:
            print(f"{label}: failed: {(ran.stderr.strip().splitlines() or ['?'])[-1]}")
            continue
        rows[label] = json.loads(ran.stdout.strip().splitlines()[-1])
    unit = rows["Rollick, shooting"]["seconds"] / rows["Rollick, shooting"]["orbits"]
    print(
        f"{'':34s} {'orbits':>7s} {'seconds':>9s} {'ms/orbit':>9s} {'ratio':>8s}   {'last c':>9s} {'period there is off by':>23s}"
    )
    for label, row in rows.items():
        exact = period_at(orbit, row["c"])
        each = row["seconds"] / row["orbits"]
        off = abs(row["period"] - exact)
        print(
            f"{label:34s} {row['orbits']:7d} {row['seconds']:9.2f} {1e3 * each:9.2f} {each / unit:8.1f}   {row['c']:9.5f} {off:23.1e}"
        )
    print("; ".join(rows["Rollick, shooting"]["found"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
