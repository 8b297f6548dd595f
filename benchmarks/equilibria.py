"""Branches of equilibria with their special points against the registry: pycont-lite beside Rollick, in ratios within one run.

    python benchmarks/equilibria.py [--registry PYTHON]

Three problems whose special points are known in closed form: two folds of x' = p + x - x^3 (with y' = x - y, since pycont-lite wants two states), the Hopf point of the
Brusselator at B = 2, both of FitzHugh and Nagumo's neuron; and the fold of Bratu's problem u'' + p exp(u) = 0 on 30 points, where the two are compared with each other. Both continue with steps of the same length, detect folds and Hopf points and tell stability; both are asked for 1e-10 in the
equations. `--registry` names the Python of an environment with `pip install pycont-lite`; without it, it is left out, and said so. Periodic orbits: `orbits.py`.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import time
from typing import Any, NamedTuple

for name in ("OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import numpy as np  # noqa: E402

BRATU = 30


def cusp(u: np.ndarray, p: float) -> np.ndarray:
    """x' = p + x - x^3, y' = x - y."""
    return np.array([p + u[0] - u[0] ** 3, u[0] - u[1]])


def brusselator(u: np.ndarray, p: float) -> np.ndarray:
    """A = 1, B = p."""
    return np.array([1.0 - (p + 1.0) * u[0] + u[0] * u[0] * u[1], p * u[0] - u[0] * u[0] * u[1]])


def neuron(u: np.ndarray, p: float) -> np.ndarray:
    """FitzHugh and Nagumo: v' = v - v^3/3 - w + p, w' = 0.08 (v + 0.7 - 0.8 w)."""
    return np.array([u[0] - u[0] ** 3 / 3.0 - u[1] + p, 0.08 * (u[0] + 0.7 - 0.8 * u[1])])


def bratu(u: np.ndarray, p: float) -> np.ndarray:
    """u'' + p exp(u), by central differences."""
    wide = np.concatenate([[0.0], u, [0.0]])
    return (BRATU + 1.0) ** 2 * (wide[2:] - 2.0 * u + wide[:-2]) + p * np.exp(u)


class Task(NamedTuple):
    """A field, where to begin, how far, how long the steps; what is known: a kind of special point and its parameters."""

    field: Any
    start: tuple[float, ...]
    p: float
    bounds: tuple[float, float]
    step: float
    kind: str
    known: tuple[float, ...]


FOLD = 2.0 / (3.0 * math.sqrt(3.0))
REST = -1.1994080352440349  # of the neuron at p = 0: v - v^3/3 = (v + 0.7)/0.8
HOPF = tuple(
    (v + 0.7) / 0.8 - v + v**3 / 3.0 for v in (-math.sqrt(1.0 - 0.064), math.sqrt(1.0 - 0.064))
)  # where the trace vanishes
TASKS = {
    "cusp, two folds": Task(cusp, (-1.3247179572447460,) * 2, -1.0, (-1.0, 1.0), 0.02, "LP", (FOLD, -FOLD)),
    "Brusselator, Hopf point": Task(brusselator, (1.0, 1.0), 1.0, (1.0, 4.0), 0.02, "H", (2.0,)),
    "neuron, two Hopf points": Task(neuron, (REST, (REST + 0.7) / 0.8), 0.0, (0.0, 2.0), 0.02, "H", HOPF),
    f"Bratu on {BRATU} points, fold": Task(bratu, (0.0,) * BRATU, 0.0, (-0.1, 5.0), 0.05, "LP", ()),
}
POINTS = 400


def with_pycont(task: Task) -> dict[str, Any]:
    """pycont-lite, with its detection of folds and Hopf points."""
    import pycont

    options: dict[str, Any] = {"tolerance": 1e-10, "initial_directions": "increase_p", "hopf_detection": task.kind == "H"}
    options |= {"limit_cycle_continuation": False, "param_min": task.bounds[0] - 1e-9, "param_max": task.bounds[1]}
    began = time.perf_counter()
    made = pycont.arclengthContinuation(
        task.field,
        np.array(task.start),
        task.p,
        task.step / 100.0,
        task.step,
        task.step,
        POINTS,
        solver_parameters=options,
        verbosity=0,
    )
    seconds = time.perf_counter() - began
    points = sum(len(b.p_path) for b in made.branches)
    found = [float(e.p) for e in made.events if e.kind in ("LP", "BP", "HB", "H")]
    return {"seconds": seconds, "points": points, "found": found}


# -- Rollick -------------------------------------------------------------------------------------------------------------------------------


def systems() -> dict[str, Any]:
    """The same fields as compiled systems."""
    from rollick import describe, rate

    class Cusp(NamedTuple):
        """x' = p + x - x^3."""

        p: float = -1.0

    class Brusselator(NamedTuple):
        """A = 1, B = p."""

        p: float = 1.0

    class Neuron(NamedTuple):
        """FitzHugh and Nagumo."""

        p: float = 0.0

    class Bratu(NamedTuple):
        """u'' + p exp(u)."""

        p: float = 0.0

    @rate.register(Cusp)
    def _(s, t, y, out):
        out[0] = s.p + y[0] - y[0] * y[0] * y[0]
        out[1] = y[0] - y[1]

    @rate.register(Brusselator)
    def _(s, t, y, out):
        out[0] = 1.0 - (s.p + 1.0) * y[0] + y[0] * y[0] * y[1]
        out[1] = s.p * y[0] - y[0] * y[0] * y[1]

    @rate.register(Neuron)
    def _(s, t, y, out):
        out[0] = y[0] - y[0] * y[0] * y[0] / 3.0 - y[1] + s.p
        out[1] = 0.08 * (y[0] + 0.7 - 0.8 * y[1])

    @rate.register(Bratu)
    def _(s, t, y, out):
        for i in range(BRATU):
            left = y[i - 1] if i > 0 else 0.0 * y[0]
            right = y[i + 1] if i < BRATU - 1 else 0.0 * y[0]
            out[i] = (BRATU + 1.0) ** 2 * (left - 2.0 * y[i] + right) + s.p * np.exp(y[i])

    classes = dict(zip(TASKS, (Cusp, Brusselator, Neuron, Bratu)))
    for label, made in classes.items():
        describe(made, states={f"u{i}": "" for i in range(len(TASKS[label].start))})
    return classes


def with_rollick(task: Task, made: Any) -> dict[str, Any]:
    """Timed the second time, the first one compiles."""
    from rollick import PseudoArclength, continue_steady

    near = {f"u{i}": value for i, value in enumerate(task.start)}
    steps = PseudoArclength(ds=task.step, ds_max=task.step, max_points=POINTS, tol=1e-10)
    for _ in range(2):
        began = time.perf_counter()
        branch = continue_steady(made(task.p), "p", near=near, bounds=task.bounds, steps=steps, directions="forward", free=())
        seconds = time.perf_counter() - began
    found = [float(s.parameter) for s in branch.specials if s.kind == task.kind]
    return {"seconds": seconds, "points": len(branch), "found": found}


def line(who: str, row: dict[str, Any], unit: float, known: tuple[float, ...]) -> str:
    """A line of the table."""
    each = row["seconds"] / row["points"]
    off = max((min((abs(f - k) for f in row["found"]), default=math.inf) for k in known), default=math.nan)
    listed = ", ".join(f"{f:.9g}" for f in row["found"][:3])
    return f"   {who:12s} {row['points']:6d} points {row['seconds']:8.2f} s {1e3 * each:8.3f} ms/point {each / unit:8.1f}   off by {off:8.1e}   {listed}"


def main() -> int:
    """Run all, print a table."""
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("--registry", default="")
    given.add_argument("--only", default="")
    options = given.parse_args()
    if options.only:  # inside the other environment
        print(json.dumps(with_pycont(TASKS[options.only])))
        return 0
    if not options.registry:
        print("pycont-lite: left out; give --registry PYTHON, the Python of an environment with pycont-lite.")
    classes = systems()
    for label, task in TASKS.items():
        print(label)
        ours = with_rollick(task, classes[label])
        unit = ours["seconds"] / ours["points"]
        print(line("Rollick", ours, unit, task.known or tuple(ours["found"])), flush=True)
        if options.registry:
            command = [options.registry, __file__, "--only", label]
            ran = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": ""})
            if ran.returncode:
                print(f"   pycont-lite failed: {(ran.stderr.strip().splitlines() or ['?'])[-1]}")
                continue
            print(
                line("pycont-lite", json.loads(ran.stdout.strip().splitlines()[-1]), unit, task.known or tuple(ours["found"])),
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
