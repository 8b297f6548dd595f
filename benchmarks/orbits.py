"""Branches of periodic orbits against the registry: pycont-lite and bice beside Rollick, in ratios within one run.

    python benchmarks/orbits.py [--registry PYTHON] [--orbits 400] [--problems rossler,duffing]

Five problems, each the same for all: periodic orbits of Rossler's system over c, of the Brusselator over B, of van der Pol's oscillator over mu, of Bautin's
normal form over mu, and of Duffing's oscillator over the amplitude of its drive. Rollick follows `--orbits` of Rossler's (a quarter of that of the others) by shooting, with multipliers and with the
search for folds, doublings and tori at every point, and Rossler's by collocation, too; the others as many as take a fair time, and the seconds per orbit are compared. `--registry` names the Python of an
environment with `pip install pycont-lite bice`; without it these are left out, and said so.

pycont-lite continues the equations of single shooting by SciPy's DOP853 (its own cycles are those of the midpoint rule on 256 points, to three digits), as its user
would write it and without its detection of special points. bice has cycles of its own (of systems that run by themselves): finite differences of order 8 on equal time steps, with the exact
Jacobian given to it. All are asked for 1e-8 in the equations, run in one thread, and are timed by the processor's clock, so that neighbours on the machine do not count. What they make of the period (Duffing: of x at the start) at their last parameter is compared with Rollick's collocation there.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

for name in ("OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import numpy as np  # noqa: E402

TOLERANCE = 1e-8
OMEGA, DELTA = 1.2, 0.2  # of Duffing's drive


class Task(NamedTuple):
    """A problem in Python: rate(t, u, p), its derivative by u, the parameter where it begins and a range, a start with the period, how long to wait for the orbit."""

    rate: Callable[[float, np.ndarray, float], np.ndarray]
    jacobian: Callable[[np.ndarray, float], np.ndarray]
    p: float
    bounds: tuple[float, float]
    guess: list[float]
    period: float
    wait: float
    driven: bool = False


def bautin(t: float, u: np.ndarray, p: float) -> np.ndarray:
    """r' = r (p + r^2 - r^4), theta' = 1."""
    r2 = u[0] * u[0] + u[1] * u[1]
    grow = p + r2 - r2 * r2
    return np.array([grow * u[0] - u[1], grow * u[1] + u[0]])


def bautin_jacobian(u: np.ndarray, p: float) -> np.ndarray:
    """By u."""
    r2 = u[0] * u[0] + u[1] * u[1]
    grow, slope = p + r2 - r2 * r2, 2.0 - 4.0 * r2
    return grow * np.eye(2) + slope * np.outer(u, u) + np.array([[0.0, -1.0], [1.0, 0.0]])


TASKS = {
    "rossler": Task(
        lambda t, u, p: np.array([-u[1] - u[2], u[0] + 0.2 * u[1], 0.2 + u[2] * (u[0] - p)]),
        lambda u, p: np.array([[0.0, -1.0, -1.0], [1.0, 0.2, 0.0], [u[2], 0.0, u[0] - p]]),
        2.5, (2.4, 3.5), [3.0, 0.0, 0.0], 5.7, 300.0,
    ),
    "brusselator": Task(
        lambda t, u, p: np.array([1.0 - (p + 1.0) * u[0] + u[0] ** 2 * u[1], p * u[0] - u[0] ** 2 * u[1]]),
        lambda u, p: np.array([[-(p + 1.0) + 2.0 * u[0] * u[1], u[0] ** 2], [p - 2.0 * u[0] * u[1], -(u[0] ** 2)]]),
        2.5, (2.4, 3.5), [2.0, 1.0], 6.4, 100.0,
    ),
    "van der pol": Task(
        lambda t, u, p: np.array([u[1], p * (1.0 - u[0] ** 2) * u[1] - u[0]]),
        lambda u, p: np.array([[0.0, 1.0], [-2.0 * p * u[0] * u[1] - 1.0, p * (1.0 - u[0] ** 2)]]),
        0.5, (0.4, 2.0), [2.0, 0.0], 6.4, 100.0,
    ),
    "bautin": Task(bautin, bautin_jacobian, -0.1, (-0.3, 0.5), [0.95, 0.0], 2.0 * math.pi, 100.0),
    "duffing": Task(
        lambda t, u, p: np.array([u[1], p * math.cos(OMEGA * t) - DELTA * u[1] - u[0] - u[0] ** 3]),
        lambda u, p: np.array([[0.0, 1.0], [-1.0 - 3.0 * u[0] ** 2, -DELTA]]),
        0.3, (0.2, 1.5), [0.5, 0.0], 2.0 * math.pi / OMEGA, 200.0, True,
    ),
}  # fmt: skip


# -- the registry's packages: run in their own environment ---------------------------------------------------------------------------------


def with_pycont(task: Task, start: np.ndarray, period: float, count: int) -> dict[str, Any]:
    """Single shooting by SciPy, continued by pycont-lite."""
    import pycont
    from scipy.integrate import solve_ivp

    n, direction = start.size, task.rate(0.0, start, task.p)

    def G(q: np.ndarray, p: float) -> np.ndarray:
        T = period if task.driven else q[n]
        end = solve_ivp(lambda t, u: task.rate(t, u, p), (0.0, T), q[:n], method="DOP853", rtol=1e-10, atol=1e-12).y[:, -1]
        return end - q[:n] if task.driven else np.append(end - q[:n], direction @ (q[:n] - start))

    options = {
        "tolerance": TOLERANCE,
        "param_min": task.bounds[0],
        "param_max": task.bounds[1],
        "initial_directions": "increase_p",
    }
    options |= {"bifurcation_detection": False, "analyze_stability": False}
    step = 0.01
    unknowns = start if task.driven else np.append(start, period)
    began = time.process_time()
    made = pycont.arclengthContinuation(
        G, unknowns, task.p, step / 10.0, step, step, count, solver_parameters=options, verbosity=0
    )
    seconds = time.process_time() - began
    branch = max(made.branches, key=lambda b: len(b.p_path))
    last = np.asarray(branch.u_path[-1], float)
    return {
        "seconds": seconds,
        "orbits": len(branch.p_path),
        "p": float(branch.p_path[-1]),
        "value": float(last[0] if task.driven else last[n]),
    }


def with_bice(task: Task, start: np.ndarray, period: float, count: int) -> dict[str, Any]:
    """bice's own periodic orbits."""
    import matplotlib

    matplotlib.use("Agg")
    from bice import Equation, Problem
    from bice.continuation import PseudoArclengthContinuation, TimePeriodicOrbitHandler
    from bice.core.solvers import MyNewtonSolver
    from scipy.integrate import solve_ivp

    class Cycle(Equation):
        def __init__(self) -> None:
            super().__init__()
            self.p = task.p
            self.u = start.copy()

        def rhs(self, u: np.ndarray) -> np.ndarray:
            return task.rate(0.0, u, self.p)

        def jacobian(self, u: np.ndarray) -> np.ndarray:
            return task.jacobian(u, self.p)

    points = 120
    problem, equation = Problem(), Cycle()
    problem.add_equation(equation)
    orbit = TimePeriodicOrbitHandler(equation, period, points)
    t = period * np.arange(points) / points
    path = solve_ivp(
        lambda t, u: task.rate(t, u, task.p), (0.0, period), start, t_eval=t, method="DOP853", rtol=1e-10, atol=1e-12
    ).y.T
    orbit.u = np.append(path.ravel(), period)
    problem.remove_equation(equation)
    problem.add_equation(orbit)
    problem.newton_solver = MyNewtonSolver()
    problem.newton_solver.convergence_tolerance = TOLERANCE
    problem.continuation_stepper = PseudoArclengthContinuation()
    problem.continuation_stepper.convergence_tolerance = TOLERANCE
    problem.continuation_stepper.ds = problem.continuation_stepper.ds_max = 0.05
    problem.continuation_parameter = (equation, "p")
    problem.settings.neigs = 0
    began = time.process_time()
    for _ in range(count):
        problem.continuation_step()
    seconds = time.process_time() - began
    return {"seconds": seconds, "orbits": count, "p": float(equation.p), "value": float(orbit.T)}


# -- Rollick -------------------------------------------------------------------------------------------------------------------------------


def systems() -> dict[str, Any]:
    """The same problems as compiled systems with a parameter p, defined once rollick is there."""
    from rollick import describe, rate
    from rollick.kernel import cos

    class Rossler(NamedTuple):
        """x' = -y - z, y' = x + 0.2 y, z' = 0.2 + z (x - p)."""

        p: float = 2.5

    class Brusselator(NamedTuple):
        """x' = 1 - (p + 1) x + x^2 y, y' = p x - x^2 y."""

        p: float = 2.5

    class VanDerPol(NamedTuple):
        """x'' = p (1 - x^2) x' - x."""

        p: float = 0.5

    class Bautin(NamedTuple):
        """r' = r (p + r^2 - r^4), theta' = 1."""

        p: float = -0.1

    class Duffing(NamedTuple):
        """x'' + 0.2 x' + x + x^3 = p cos(1.2 t)."""

        p: float = 0.3

    @rate.register(Rossler)
    def _(s, t, y, out):
        out[0] = -y[1] - y[2]
        out[1] = y[0] + 0.2 * y[1]
        out[2] = 0.2 + y[2] * (y[0] - s.p)

    @rate.register(Brusselator)
    def _(s, t, y, out):
        out[0] = 1.0 - (s.p + 1.0) * y[0] + y[0] * y[0] * y[1]
        out[1] = s.p * y[0] - y[0] * y[0] * y[1]

    @rate.register(VanDerPol)
    def _(s, t, y, out):
        out[0] = y[1]
        out[1] = s.p * (1.0 - y[0] * y[0]) * y[1] - y[0]

    @rate.register(Bautin)
    def _(s, t, y, out):
        r2 = y[0] * y[0] + y[1] * y[1]
        grow = s.p + r2 - r2 * r2
        out[0] = grow * y[0] - y[1]
        out[1] = grow * y[1] + y[0]

    @rate.register(Duffing)
    def _(s, t, y, out):
        out[0] = y[1]
        out[1] = s.p * cos(1.2 * t) - 0.2 * y[1] - y[0] - y[0] * y[0] * y[0]

    describe(Rossler, states={"x": "", "y": "", "z": ""})
    for plane in (Brusselator, VanDerPol, Bautin, Duffing):
        describe(plane, states={"x": "", "y": ""})
    return {"rossler": Rossler, "brusselator": Brusselator, "van der pol": VanDerPol, "bautin": Bautin, "duffing": Duffing}


def with_rollick(task: Task, orbit: Any, count: int, method: Any) -> dict[str, Any]:
    """A branch of `count` orbits; the second run is timed, the first compiles."""
    from rollick.analysis.continuation import PseudoArclength
    from rollick.analysis.orbits import continue_orbit

    ds = 1.0 / max(count, 100)
    steps = PseudoArclength(ds=ds, ds_max=ds, max_points=count - 1, tol=1e-9)
    for _ in range(2):
        began = time.process_time()
        branch = continue_orbit(orbit, "p", method=method, steps=steps, directions="forward")
        seconds = time.process_time() - began
    return {
        "seconds": seconds,
        "orbits": len(branch),
        "p": float(branch["p"][-1]),
        "value": value_of(task, branch.orbit(-1)),
        "found": [f"{p.label} at p = {p.parameter:.9g}" for p in branch.specials],
    }


def value_of(task: Task, orbit: Any) -> float:
    """What is compared: the period, of a driven system x at the start."""
    return float(orbit.start[0] if task.driven else orbit.period)


def exact_at(task: Task, orbit: Any, p: float) -> float:
    """The same at a value of the parameter, by fine collocation along the branch."""
    from rollick.analysis.continuation import PseudoArclength
    from rollick.analysis.orbits import Collocation, continue_orbit

    steps = PseudoArclength(ds=0.02, ds_max=0.2, detect=False, tol=1e-10)
    fine = Collocation(intervals=100, degree=5)
    low, high = min(task.p, p) - 0.05, max(task.p, p) + 0.05
    inside = (low, p) if p > task.p else (p, high)
    way = "forward" if p > task.p else "backward"
    return value_of(
        task, continue_orbit(orbit, "p", inside, method=fine, steps=steps, directions=way).orbit(-1 if way == "forward" else 0)
    )


def in_registry(python: str, only: str, label: str, orbit: Any, name: str, count: int) -> dict[str, Any] | None:
    """One of the registry's packages on a problem, in its own environment; None if it fails, which is said."""
    told = {"start": orbit.start.tolist(), "period": orbit.period, "count": count, "name": name}
    command = [python, __file__, "--only", only, "--start", json.dumps(told)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": ""})
    if ran.returncode:
        print(f"{name}, {label}: failed: {(ran.stderr.strip().splitlines() or ['?'])[-1]}")
        return None
    return json.loads(ran.stdout.strip().splitlines()[-1])


def compared(name: str, made: Any, options: Any) -> None:
    """One problem with all programs, as a table."""
    from rollick.analysis.orbits import Collocation, Shooting, find_orbit

    task = TASKS[name]
    orbit = find_orbit(made(task.p), task.guess, task.period, transient=task.wait)
    count = options.orbits if name == "rossler" else max(20, options.orbits // 4)
    rows = {"Rollick, shooting": with_rollick(task, orbit, count, Shooting())}
    if name == "rossler":
        rows["Rollick, collocation"] = with_rollick(task, orbit, count, Collocation(intervals=40, degree=4))
    for label, only in (("pycont-lite 0.6, SciPy shooting", "pycont"), ("bice 0.4, finite differences", "bice")):
        if options.registry and not (only == "bice" and task.driven):
            row = in_registry(options.registry, only, label, orbit, name, options.few)
            rows |= {} if row is None else {label: row}
    unit = rows["Rollick, shooting"]["seconds"] / rows["Rollick, shooting"]["orbits"]
    what = "x(0)" if task.driven else "period"
    print(
        f"{name:34s} {'orbits':>7s} {'seconds':>9s} {'ms/orbit':>9s} {'ratio':>8s}   {'last p':>9s} {what + ' there is off by':>23s}"
    )
    for label, row in rows.items():
        each = row["seconds"] / row["orbits"]
        off = abs(row["value"] - exact_at(task, orbit, row["p"])) if not row.get("found") or name == "rossler" else float("nan")
        told = f"{label:34s} {row['orbits']:7d} {row['seconds']:9.2f} {1e3 * each:9.2f} {each / unit:8.1f}"
        print(f"{told}   {row['p']:9.5f} {off:23.1e}", flush=True)
    print("; ".join(rows["Rollick, shooting"]["found"]), flush=True)


def main() -> int:
    """Run all, print a table for each problem."""
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("--registry", default="")
    given.add_argument("--orbits", type=int, default=400)
    given.add_argument("--few", type=int, default=20, help="orbits of the registry's packages")
    given.add_argument("--problems", default=",".join(TASKS))
    given.add_argument("--only", default="")
    given.add_argument("--start", default="")
    options = given.parse_args()
    if options.only:  # inside the other environment
        told = json.loads(options.start)
        work = {"pycont": with_pycont, "bice": with_bice}[options.only]
        print(json.dumps(work(TASKS[told["name"]], np.array(told["start"]), told["period"], told["count"])))
        return 0
    if not options.registry:
        print("pycont-lite and bice are left out; give --registry PYTHON, the Python of an environment with both.")
    made = systems()
    for name in options.problems.split(","):
        compared(name.strip(), made[name.strip()], options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
