"""Many motions on a CPU: 1000 stones of Kane and Levinson (20 s, rtol 1e-9) against what else there is, as ratios within one run.

    python benchmarks/ensembles.py [--rounds 5] [--only rollick,c,...] [--quick]

Contenders take turns, so that a neighbour on the machine slows all of them; what is told is the median over rounds of (seconds of CPU per motion) / (those of Rollick, one core, in
the same round); of two cores, seconds by the clock. Packages that are not there (heyoka, diffrax, MuJoCo; a C compiler) are left out. Writes benchmarks/results/ensembles.json, from which `page.py` makes
docs/performance.md.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

for name in ("OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "HEYOKA_NUM_THREADS"):
    os.environ.setdefault(name, "1")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import numpy as np  # noqa: E402
from rattleback import ATOL, RTOL, START, UNTIL, plain_equations, with_scipy  # noqa: E402

from rollick import Rattleback, simulate  # noqa: E402
from rollick.ensemble import Count, ensemble  # noqa: E402
from rollick.ensemble.threads import cores  # noqa: E402

RESULTS = Path(__file__).parent / "results"
STONES = 1000
SPINS = np.linspace(-6.0, -4.0, STONES)
NAMES = ("alpha", "beta", "gamma", "omega1", "omega2", "omega3")


def starts(count: int) -> np.ndarray:
    """Stones that differ by their spin, spread over all of them."""
    found = np.tile(START, (count, 1))
    found[:, 5] = SPINS[np.linspace(0, STONES - 1, count).astype(int)]
    return found


def with_rollick(count: int, workers: int = 1, until: float = UNTIL, keep: Any = "final") -> np.ndarray:
    """The states at the end, through the public call."""
    spins = starts(count)[:, 5] if count <= STONES else np.resize(SPINS, count)
    found = ensemble(
        Rattleback(), {"omega3(0)": spins}, until, start=START, method="dop853", rtol=RTOL, atol=ATOL, keep=keep, workers=workers, progress=False
    )  # fmt: skip
    return found.found.values


class C:
    """A C program of the same method."""

    def __init__(self, folder: Path):
        from c_twin import Twin

        self.twin = Twin(folder, plain_equations)
        self.steps = 0

    def __call__(self, count: int) -> np.ndarray:
        y = starts(count)
        stones = np.tile(np.array(Rattleback(), float), (count, 1))
        first = np.full(count, 1e-3)
        ends, self.steps = self.twin.run(stones, y, UNTIL, RTOL, np.full(6, ATOL), first)
        return ends


def heyoka_equations() -> tuple[Any, list[Any]]:
    """The equations on heyoka's expressions."""
    import heyoka as hy

    variables = hy.make_vars(*NAMES)
    out: list[Any] = [None] * 6
    with plain_equations(sincos=lambda x: (hy.sin(x), hy.cos(x)), sqrt=hy.sqrt) as write_rates:
        write_rates(Rattleback(), variables, out, False)
    return hy, list(zip(variables, out))


def heyoka_ensemble() -> Callable[[int], np.ndarray]:
    """heyoka's ensemble of scalar Taylor integrators, one thread."""
    hy, equations = heyoka_equations()
    ta = hy.taylor_adaptive(equations, START, tol=RTOL)

    def run(count: int) -> np.ndarray:
        given = starts(count)

        def begin(own: Any, i: int) -> Any:
            own.time = 0.0
            own.state[:] = given[i]
            return own

        found = hy.ensemble_propagate_until(ta, UNTIL, count, begin, max_workers=1)
        return np.array([one[0].state for one in found])

    return run


def heyoka_batch() -> Callable[[int], np.ndarray]:
    """heyoka's batch mode: as many motions in lock-step as fit into a SIMD register."""
    hy, equations = heyoka_equations()
    width = max(2, hy.recommended_simd_size())
    ta = hy.taylor_adaptive_batch(equations, np.tile(np.array(START)[:, None], (1, width)), tol=RTOL)

    def run(count: int) -> np.ndarray:
        given, ends = starts(count), []
        for k in range(0, count, width):
            part = given[k : k + width]
            ta.set_time(0.0)
            ta.state[:, : len(part)] = part.T
            ta.propagate_until(UNTIL)
            ends.append(np.array(ta.state[:, : len(part)]).T)
        return np.concatenate(ends)

    return run


def diffrax_vmap(count: int) -> Callable[[int], np.ndarray]:
    """diffrax's Dopri8 at the same tolerances, `vmap` over the members."""
    import diffrax
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)

    def field(t: Any, y: Any, args: Any) -> Any:
        out: list[Any] = [None] * 6
        with plain_equations(sincos=lambda x: (jnp.sin(x), jnp.cos(x)), sqrt=jnp.sqrt) as write_rates:
            write_rates(Rattleback(), [y[i] for i in range(6)], out, False)
        return jnp.stack(out)

    def one(y: Any) -> Any:
        found = diffrax.diffeqsolve(
            diffrax.ODETerm(field), diffrax.Dopri8(), 0.0, UNTIL, 1e-3, y, max_steps=200_000, saveat=diffrax.SaveAt(t1=True),
            stepsize_controller=diffrax.PIDController(rtol=RTOL, atol=ATOL), adjoint=diffrax.ForwardMode(),
        )  # fmt: skip
        return found.ys[-1]

    all_of_them = jax.jit(jax.vmap(one)).lower(jnp.zeros((count, 6))).compile()
    return lambda n: np.asarray(all_of_them(jnp.asarray(starts(n))).block_until_ready())


STONE = """
<mujoco><option timestep="{dt}" integrator="RK4" cone="elliptic" impratio="100"><flag energy="enable"/></option>
<worldbody><geom type="plane" size="5 5 .1" friction="2 0 0" solref="0.004 1"/>
<body pos="0 0 {z}"><freejoint/>
<inertial pos="0 0 {down}" mass="{M}" fullinertia="{A} {B} {C} {D} 0 0"/>
<geom type="ellipsoid" size="{a} {b} {c}" friction="2 0 0" condim="3" solref="0.004 1"/></body></worldbody></mujoco>
"""


def mujoco_stone(dt: float) -> Callable[[int], np.ndarray]:
    """The stone as MuJoCo has it: an ellipsoid with soft contact and friction 2 on a plane. Returns the energy's largest error relative to that of the spin."""
    import mujoco

    s = Rattleback()
    text = STONE.format(dt=dt, z=s.c, down=-s.h, M=s.M, A=s.A, B=s.B, C=s.C, D=-s.D, a=s.a, b=s.b, c=s.c)
    model = mujoco.MjModel.from_xml_string(text)

    def run(count: int) -> np.ndarray:
        errors = []
        for y in starts(count):
            data = mujoco.MjData(model)
            data.qvel[5] = -y[5]
            data.qvel[3], data.qvel[4] = 0.05, 0.05
            mujoco.mj_forward(model, data)
            first = float(data.energy.sum())
            spin = 0.5 * s.C * y[5] ** 2
            worst = 0.0
            for _ in range(round(UNTIL / dt)):
                mujoco.mj_step(model, data)
                worst = max(worst, abs(float(data.energy.sum()) - first) / spin)
            errors.append(worst)
        return np.array(errors)

    return run


def contenders(quick: bool, folder: Path, only: set[str]) -> dict[str, tuple[Callable[[int], Any], int, str]]:
    """Name -> (run, how many stones it is given, what it is)."""
    many = 100 if quick else STONES
    makers: dict[str, tuple[Callable[[], Callable[[int], Any]], int, str]] = {
        "rollick": (lambda: with_rollick, many, "Rollick, `ensemble`, one core, eight abreast"),
        "rollick_two": (lambda: lambda n: with_rollick(n, 2), many, "Rollick, `ensemble`, two cores"),
        "c": (lambda: C(folder), many, "the same method in C, gcc -O3 -march=native"),
        "heyoka_ensemble": (heyoka_ensemble, many // 5, "heyoka, ensemble, tolerance 1e-9"),
        "heyoka_batch": (heyoka_batch, many // 5, "heyoka, batch mode, tolerance 1e-9"),
        "diffrax": (lambda: diffrax_vmap(many // 20), many // 20, "diffrax, Dopri8, vmap"),
        "scipy": (lambda: lambda n: with_scipy().y[:, -1][None], 1, "SciPy, DOP853, right-hand side in Python"),
        "mujoco": (lambda: mujoco_stone(1e-3), 2, "MuJoCo, RK4, steps of 1 ms"),
    }
    found = {}
    for name, (make, count, told) in makers.items():
        if only and name not in only and name != "rollick":
            continue
        try:
            found[name] = (make(), count, told)
        except (ImportError, RuntimeError) as error:
            print(f"{name} is left out: {error}", flush=True)
    return found


def race(given: dict[str, tuple[Callable[[int], Any], int, str]], rounds: int) -> dict[str, Any]:
    """Rounds in which all contenders take turns."""
    times: dict[str, list[float]] = {name: [] for name in given}
    wall: dict[str, list[float]] = {name: [] for name in given}
    ends: dict[str, np.ndarray] = {}
    for name, (run, count, _) in given.items():  # compiles
        ends[name] = np.asarray(run(count))
    for k in range(rounds):
        for name, (run, count, _) in given.items():
            if name == "scipy" and k >= 2:
                continue
            began, spent = time.perf_counter(), time.process_time()
            run(count)
            wall[name].append((time.perf_counter() - began) / count)
            times[name].append((time.process_time() - spent) / count)
            print(
                f"round {k + 1}: {name:16} {1e3 * times[name][-1]:9.3f} ms of CPU a stone, {1e3 * wall[name][-1]:9.3f} by the clock",
                flush=True,
            )
    own = times["rollick"]
    if "rollick_two" in times:
        times["rollick_two"] = wall["rollick_two"]
    told = {}
    for name, (_, count, what) in given.items():
        ratios = [a / b for a, b in zip(times[name], wall["rollick"] if name == "rollick_two" else own)]
        told[name] = {
            "what": what, "stones": count, "ms_each": 1e3 * float(np.median(times[name])), "ratio": float(np.median(ratios)),
            "ratio_low": min(ratios), "ratio_high": max(ratios), "rounds": len(ratios),
        }  # fmt: skip
        if name == "mujoco":
            told[name]["energy_error"] = float(ends[name].max())
        elif ends[name].shape[0] > 1 and name != "rollick":
            same = with_rollick(len(ends[name]))
            told[name]["apart"] = float(np.abs(ends[name][:, 3:] - same[:, 3:]).max())
    return told


def scaling(sizes: list[int], until: float = UNTIL) -> list[dict[str, float]]:
    """Seconds of CPU per motion against the size of the ensemble; sizes take turns, the best of three, of the largest the first."""
    best = dict.fromkeys(sizes, math.inf)
    with_rollick(100, until=until)
    for k in range(3):
        for size in sizes:
            if k and size == max(sizes):
                continue
            began = time.process_time()
            with_rollick(size, until=until)
            best[size] = min(best[size], time.process_time() - began)
    return [{"members": n, "seconds": s, "us_each": 1e6 * s / n, "until": until} for n, s in best.items()]


def one_after_the_other(work: Callable[[], Any]) -> Any:
    """An ensemble whose members do not go abreast, as those with measures on the way do not."""
    from rollick.ensemble.chunks import compiled_chunk

    kept = compiled_chunk.can_go_abreast
    try:
        compiled_chunk.can_go_abreast = lambda system, integrals: False
        return work()
    finally:
        compiled_chunk.can_go_abreast = kept


def zeros(rounds: int) -> dict[str, float]:
    """What finding all zeros of an event function costs, over the plain motion: for a single motion and inside an ensemble, there over members one after the
    other; and what these cost eight abreast."""

    def single(**more: Any) -> Any:
        return simulate(Rattleback(), START, UNTIL, rtol=RTOL, atol=ATOL, method="dop853", integrals=False, **more)

    asked = {
        "plain": lambda: single(), "state": lambda: single(events=["omega3"]), "signal": lambda: single(events=["gamma_rate"]),
        "ensemble_plain": lambda: one_after_the_other(lambda: with_rollick(50)), "ensemble_abreast": lambda: with_rollick(50), "ensemble_state": lambda: with_rollick(50, keep=["final", Count("omega3")]),
        "ensemble_signal": lambda: with_rollick(50, keep=["final", Count("gamma_rate")]),
    }  # fmt: skip
    best = dict.fromkeys(asked, math.inf)
    for work in asked.values():
        work()
    for _ in range(3 * rounds):
        for name, work in asked.items():
            began = time.process_time()
            work()
            best[name] = min(best[name], time.process_time() - began)
    return {
        "state": best["state"] / best["plain"], "signal": best["signal"] / best["plain"],
        "ensemble_state": best["ensemble_state"] / best["ensemble_plain"], "ensemble_signal": best["ensemble_signal"] / best["ensemble_plain"],
        "ensemble_abreast": best["ensemble_abreast"] / best["ensemble_plain"],
    }  # fmt: skip


def chunk_costs() -> dict[str, float]:
    """What a chunk costs besides its motions: made, computed, written to a store, told; for the plan of a large run."""
    count = 2000
    with tempfile.TemporaryDirectory() as folder:
        plain, kept = [], []
        for k in range(3):
            for store, into in ((None, plain), (Path(folder) / f"s{k}.zarr", kept)):
                began = time.process_time()
                ensemble(
                    Rattleback(), {"omega3(0)": np.resize(SPINS, count)}, 0.05, start=START, method="dop853", rtol=RTOL, atol=ATOL, workers=1,
                    chunk=100, store=store, progress=False,
                )  # fmt: skip
                into.append(time.process_time() - began)
        chunks = count // 100
        size = sum(f.stat().st_size for f in (Path(folder) / "s0.zarr").rglob("*") if f.is_file())
        files = sum(1 for f in (Path(folder) / "s0.zarr").rglob("*") if f.is_file())
    return {
        "store_ms_per_chunk": 1e3 * (min(kept) - min(plain)) / chunks,
        "bytes_per_member": size / count,
        "files_per_chunk": files / chunks,
    }


def environment() -> dict[str, Any]:
    """Where it ran."""
    import platform

    import rollick

    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else math.nan
    return {
        "rollick": rollick.__version__,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cores": cores(),
        "load": load,
    }


def main() -> int:
    """Measure, print, write."""
    p = argparse.ArgumentParser(description="many motions on a CPU")
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--only", default="", help="names of contenders, with commas")
    p.add_argument("--quick", action="store_true", help="a tenth of the stones")
    p.add_argument("--parts", default="race,zeros,scaling,chunks")
    p.add_argument("--out", type=Path, default=RESULTS / "ensembles.json")
    given = p.parse_args()
    parts = set(given.parts.split(","))
    told = json.loads(given.out.read_text()) if given.out.exists() else {}
    told |= {"what": "ensembles on a CPU", "environment": environment()}
    with tempfile.TemporaryDirectory() as folder:
        if "race" in parts:
            told["race"] = told.get("race", {}) | race(
                contenders(given.quick, Path(folder), set(filter(None, given.only.split(",")))), given.rounds
            )
        if "zeros" in parts:
            told["zeros"] = zeros(given.rounds)
        if "scaling" in parts:
            told["scaling"] = scaling([100, 1000, 10_000] if given.quick else [100, 1000, 10_000, 100_000])
        if "chunks" in parts:
            told["chunks"] = chunk_costs()
    given.out.parent.mkdir(exist_ok=True)
    given.out.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    for name, one in told.get("race", {}).items():
        print(
            f"{name:16} {one['ms_each']:9.3f} ms a stone  {one['ratio']:8.3f} x rollick  ({one['ratio_low']:.3f} to {one['ratio_high']:.3f})"
        )
    print(json.dumps({k: v for k, v in told.items() if k not in ("race", "environment")}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
