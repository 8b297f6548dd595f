"""A soak: many random motions over all models, with random parameters and starts; each ends well or has a named reason, and energy never grows where friction is all there is.

    python benchmarks/soak.py --count 1000000 --workers 16 --seed 1 --seconds 540 --out benchmarks/results/soak

Work is done in blocks of motions of one model, in processes of their own. Each finished block is a line of OUT.jsonl, so that the same command goes on where it was broken
off; OUT.json is the sum of all lines, from which `benchmarks/page.py` writes docs/reliability.md. The block k of a seed is the same wherever it is computed: `--block K` runs it
alone and tells about its members.

What counts as wrong: a Python exception, a member without status or reason, a finished motion whose end is not finite, energy that is not kept (rolling) or grows (friction, impacts).
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
import resource
import sys
import time
import warnings
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
os.environ.setdefault("ROLLICK_QUIET", "1")

import numpy as np  # noqa: E402

BLOCK = 50  # motions
SPREAD, STARTED = 0.25, 0.5  # parameters and numbers of the start are those of the model times exp(+-this)
KEPT, FALLS, IMPACTS, NONE = "kept", "falls", "falls at impacts", ""


class Plan(NamedTuple):
    """How a model is tried: the part of all blocks, how long, what is said of its energy and how exactly, what else varies (lists: one of them for a whole block; None: it does not)."""

    weight: int
    until: float
    energy: str = NONE
    tolerance: float = 1e-7
    parameters: dict[str, Any] = {}
    start: dict[str, Any] = {}


ROLLING = {"how": ["rubber", "marble"]}
TURNS = {"phi_rate": (-3.0, 3.0), "theta_rate": (-2.0, 2.0)}
PLANS: dict[str, Plan] = {
    "rattleback": Plan(6, 5.0, KEPT, 1e-7, {"A": (2e-4, 4e-4), "B": (1.5e-3, 1.7e-3), "C": [1.7e-3], "D": (-6e-5, 6e-5)}, {"omega1": (-0.3, 0.3), "omega2": (-0.3, 0.3), "omega3": (-8.0, 8.0)}),
    "torus": Plan(4, 2.0, KEPT, 1e-7, ROLLING, TURNS),
    "rolling_disk": Plan(4, 2.0, KEPT, 1e-7, ROLLING, TURNS),
    "hoop": Plan(4, 2.0, KEPT, 1e-7, ROLLING, TURNS),
    "ellipsoid": Plan(4, 2.0, KEPT, 1e-7, ROLLING, TURNS),
    "routh_sphere": Plan(4, 2.0, KEPT, 1e-7, ROLLING, TURNS),
    "profile": Plan(2, 2.0, KEPT, 1e-7, ROLLING, TURNS),
    "tippedisk": Plan(2, 0.5, FALLS, 1e-7, {}, {"alpha_rate": (10.0, 60.0)}),
    "tippedisk_reduced": Plan(4, 2.0, NONE, 0.0, {}, {"gamma": (-1.5, 1.5)}),
    "tippedisk_normalised": Plan(4, 50.0, NONE, 0.0, {}, {"gamma": (-1.5, 1.5)}),
    "rod": Plan(6, math.inf, IMPACTS, 1e-9, {"rho": (0.02, 0.95), "gamma": (0.0, 0.98), "g": [0.0, 1.0], "max_impacts": [300]}),
    "polygon": Plan(6, math.inf, IMPACTS, 1e-9, {"n": [3, 4, 5, 7], "rho": (0.05, 0.9), "gamma": (0.0, 0.98), "max_impacts": [300]}),
    "dying_disk": Plan(4, math.inf, IMPACTS, 1e-9, {"n": [3, 5, 12, 25], "rho": (0.1, 0.6), "gamma": (0.05, 0.9), "max_impacts": [2000]}),
    "drop": Plan(4, 1e6, NONE, 1e-6, {"gamma": (0.05, 0.9), "rho": (0.05, 0.95), "d": (0.1, 20.0), "alpha": (0.2, 3.0)}, {"phi": (0.02, 1.5)}),
    "philae": Plan(1, 60.0, FALLS, 1e-9),
    "tippe_top": Plan(1, 0.05, FALLS, 1e-6),
    "euler_disk": Plan(1, 0.05, FALLS, 1e-6),
    "pool_ball": Plan(4, 2.0, FALLS, 1e-7),
    "spring_disk": Plan(4, 20.0, FALLS, 1e-7),
    "filippov_toy": Plan(4, 2.0, NONE, 0.0, {"sign": [-1.0, 1.0]}, {"x1": (-1.0, 1.0), "x2": (-1.0, 1.0)}),
    "ball_in_corner": Plan(4, 2.0, FALLS, 1e-7, {"opening": (0.6, 2.4)}, {"Omega_x": (-20.0, 20.0), "Omega_y": (-20.0, 20.0)}),
    "flowmeter": Plan(2, 5.0, NONE, 0.0, {"drag": ["stokes", "quadratic", "schiller-naumann"]}),
    "wheelset": Plan(2, 0.3, NONE, 0.0, {"v": (20.0, 90.0)}),
    "wheelset_rolling": Plan(2, 1.0, NONE, 0.0, dict.fromkeys(("gauge", "inclination", "tape", "radius"))),  # these belong to measured profiles
}  # fmt: skip
ORDER = [name for k in range(max(p.weight for p in PLANS.values())) for name, p in PLANS.items() if p.weight > k]


def growth(result: Any) -> float:
    """How far the energy rises above the least it had before, over its largest amount."""
    energy = np.asarray(result["energy"] if hasattr(result, "y") else result.data["energy"].values, float)
    return rise(energy)


def rise(energy: np.ndarray) -> float:
    """The largest rise above the least before, relative."""
    if energy.size < 2:
        return 0.0
    scale = max(float(np.abs(energy).max()), float(np.ptp(energy)), 1e-300)
    return float((energy - np.minimum.accumulate(energy)).max()) / scale


def growth_at_impacts(result: Any) -> float:
    """How far the energy is larger after an impact than before it, over its amount."""
    _, _, derived = result.series()
    before, after = (np.asarray(derived[name], float) for name in ("energy_before", "energy_after"))
    return float(np.max((after - before) / np.maximum(np.abs(before), 1e-300), initial=0.0))


def drawn(rng: Any, count: int, given: Any) -> list[Any]:
    """Values of one name for a block: within a range, or one of a list for all of them."""
    if isinstance(given, list):
        return [given[int(rng.integers(len(given)))]] * count
    low, high = given
    return rng.uniform(low, high, count).tolist()


def table(name: str, rng: Any, count: int) -> tuple[dict[str, list[Any]], dict[str, Any]]:
    """What varies of the members of a block, and the words that do not."""
    from rollick.archetypes.models import model
    from rollick.kernel.names import number

    entry, plan = model(name), PLANS[name]
    columns: dict[str, list[Any]] = {}
    words: dict[str, Any] = {}
    for key, p in entry.parameters.items():
        if key in plan.parameters and plan.parameters[key] is None:
            continue
        if key in plan.parameters:
            values = drawn(rng, count, plan.parameters[key])
            (words if isinstance(values[0], str) or isinstance(plan.parameters[key], list) else columns)[key] = (
                values[0] if isinstance(plan.parameters[key], list) else values
            )
        elif not p.allowed and not isinstance(p.default, str) and p.default != 0.0:
            low, high = (-math.inf if p.low is None else p.low), (math.inf if p.high is None else p.high)
            columns[key] = np.clip(p.default * np.exp(rng.uniform(-SPREAD, SPREAD, count)), low, high).tolist()
    for key, value in {**entry.start, **plan.start}.items():
        if isinstance(value, tuple):
            columns[f"{key}(0)"] = drawn(rng, count, value)
        else:
            at = number(value, key, "rad") if isinstance(value, str) else float(value)
            columns[f"{key}(0)"] = (at * np.exp(rng.uniform(-STARTED, STARTED, count))).tolist()
    return columns, words


def run_block(asked: tuple[int, int]) -> dict[str, Any]:
    """Compute a block; what became of its motions."""
    seed, block = asked
    name = ORDER[block % len(ORDER)]
    try:
        return tried(seed, block, name)
    except Exception as error:  # of the ensemble itself: all its members are wrong
        told = {
            "member": -1,
            "what": f"{type(error).__name__}: {error}"[:400],
            "row": {},
            "model": name,
            "block": block,
            "seed": seed,
            "words": {},
        }
        return {"block": block, "seed": seed, "model": name, "count": BLOCK, "ends": {"exception": BLOCK}, "worst_energy": 0.0, "wrong": [told], "seconds": 0.0,
                "cpu": 0.0, "rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, "process": os.getpid()}  # fmt: skip


def tried(seed: int, block: int, name: str) -> dict[str, Any]:
    """Compute a block."""
    from rollick.archetypes.many import ModelSource
    from rollick.ensemble import Final, Greatest, Least, Table, ensemble

    plan, rng = PLANS[name], np.random.default_rng([seed, block])
    columns, words = table(name, rng, BLOCK)
    began, cpu = time.perf_counter(), time.process_time()
    source = ModelSource(name, words)
    keep: list[Any] = ["final"] if source.is_motion else []
    if plan.energy == KEPT:
        keep += [Greatest("energy"), Least("energy"), Final("energy")]
    elif plan.energy:
        keep.append({"growth": growth if plan.energy == FALLS else growth_at_impacts})
    elif not source.is_motion:
        keep.append({"ended": float_of_end})
    options: dict[str, Any] = {"max_steps": 200_000} if source.is_motion else {}
    if source.is_motion and source.model.method != "auto":
        options |= {"method": source.model.method, "dt": source.model.dt}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = ensemble(source, Table(columns), plan.until, keep=keep, workers=1, chunk=BLOCK, progress=False, **options)
    told = judged(name, plan, found, source.is_motion)
    for one in told["wrong"]:
        one |= {"model": name, "block": block, "seed": seed, "words": words}
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return {"block": block, "seed": seed, "model": name, **told, "seconds": time.perf_counter() - began, "cpu": time.process_time() - cpu,
            "rss_mb": used, "process": os.getpid()}  # fmt: skip


def float_of_end(result: Any) -> float:
    """When a result ends."""
    t = np.asarray(result.series()[0], float)
    return float(t[-1]) if t.size else 0.0


def judged(name: str, plan: Plan, found: Any, is_motion: bool) -> dict[str, Any]:
    """How members ended, the reasons, the worst energy, and what is wrong."""
    from rollick.ensemble.task import WORDS

    values, labels = found.found.values, found.task.keep.labels
    ends: Counter[str] = Counter()
    wrong: list[dict[str, Any]] = []
    worst = 0.0
    for i, k in enumerate(found.found.status.tolist()):
        word = WORDS[k] if k >= 0 else "not computed"
        reason = found.found.reasons.get(i, "")
        ends[word] += 1
        defect = ""
        if word in ("not computed", "exception"):
            defect = f"{word}: {reason}"
        elif word not in ("finished", "event") and not reason:
            defect = f"{word} without a reason"
        elif word in ("finished", "event") and not np.all(np.isfinite(values[i])):
            defect = "finished, but its numbers are not finite"
        elif plan.energy and word != "refused":
            amount = energy_of(plan, dict(zip(labels, values[i].tolist())))
            worst = max(worst, amount) if math.isfinite(amount) else worst
            if amount > plan.tolerance:
                defect = f"energy: {amount:.3e} (at most {plan.tolerance:g})"
        if defect:
            wrong.append({"member": i, "what": defect[:400], "row": found.task.members.row(i)})
    return {"count": len(found), "ends": dict(ends), "worst_energy": worst, "wrong": wrong}


def energy_of(plan: Plan, numbers: dict[str, float]) -> float:
    """What the energy did, relative: how far it moved, or how far it grew."""
    if plan.energy != KEPT:
        return numbers["growth"]
    top, low = numbers["greatest_energy"], numbers["least_energy"]
    return (top - low) / max(abs(top), abs(low), 1e-300)


def summed(lines: list[dict[str, Any]], about: dict[str, Any]) -> dict[str, Any]:
    """The sum of all blocks."""
    models: dict[str, Any] = {}
    for name in PLANS:
        mine = [line for line in lines if line["model"] == name]
        ends: Counter[str] = Counter()
        for line in mine:
            ends.update(line["ends"])
        models[name] = {
            "motions": sum(line["count"] for line in mine), "ends": dict(ends.most_common()), "energy": PLANS[name].energy,
            "tolerance": PLANS[name].tolerance, "worst_energy": max((line["worst_energy"] for line in mine), default=0.0),
            "wrong": sum(len(line["wrong"]) for line in mine), "cpu_seconds": sum(line["cpu"] for line in mine), "until": PLANS[name].until,
        }  # fmt: skip
    wrong = [one for line in lines for one in line["wrong"]]
    ends = Counter()
    for line in lines:
        ends.update(line["ends"])
    return {
        "what": "soak", **about, "motions": sum(line["count"] for line in lines), "ends": dict(ends.most_common()), "wrong": len(wrong),
        "first_wrong": wrong[:40], "models": models, "memory": memory(lines), "cpu_seconds": sum(line["cpu"] for line in lines),
    }  # fmt: skip


def memory(lines: list[dict[str, Any]]) -> dict[str, Any]:
    """Peak RSS of a process, and how much it still grew in the second half of its blocks, when all models have been met."""
    grown, peak, longest = 0, 0, 0
    for process in {line["process"] for line in lines}:
        mine = [line["rss_mb"] for line in lines if line["process"] == process]
        peak, longest = max(peak, max(mine)), max(longest, len(mine))
        if len(mine) >= 4 * len(ORDER):
            grown = max(grown, mine[-1] - mine[len(mine) // 2])
    return {"peak_rss_mb": peak, "grown_in_second_half_mb": grown, "most_blocks_of_a_process": longest}


def environment() -> dict[str, Any]:
    """Where it ran."""
    import platform

    import rollick

    return {
        "rollick": rollick.__version__,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "system": platform.system(),
    }


def main() -> int:
    """Run blocks, write lines and their sum."""
    p = argparse.ArgumentParser(description="random motions over all models")
    p.add_argument("--count", type=int, default=10_000, help="motions in all")
    p.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--seconds", type=float, default=math.inf, help="stop after so many; the same command goes on")
    p.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "soak")
    p.add_argument("--block", type=int, help="run this block alone, and tell about it")
    p.add_argument("--models", default="", help="only these, with commas")
    p.add_argument("--warm", action="store_true", help="run one block of each model only: compiles everything")
    given = p.parse_args()
    if given.block is not None:
        print(json.dumps(run_block((given.seed, given.block)), indent=1))
        return 0
    lines_file, sum_file = given.out.with_suffix(".jsonl"), given.out.with_suffix(".json")
    lines_file.parent.mkdir(parents=True, exist_ok=True)
    lines = (
        [json.loads(text) for text in lines_file.read_text().splitlines() if text.endswith("}")] if lines_file.exists() else []
    )
    lines = [line for line in lines if line["seed"] == given.seed]
    done = {line["block"] for line in lines}
    every = range(-(-given.count // BLOCK))
    chosen = set(filter(None, given.models.split(","))) or set(PLANS)
    left = [k for k in (range(len(PLANS)) if given.warm else every) if k not in done and ORDER[k % len(ORDER)] in chosen]
    began, latest = time.monotonic(), 0.0
    about = {"seed": given.seed, "asked": given.count, "workers": given.workers, **environment()}
    pool = multiprocessing.get_context("spawn").Pool(given.workers)
    try:
        with open(lines_file, "a", encoding="utf-8") as file:
            waiting = pool.imap_unordered(run_block, [(given.seed, k) for k in left])
            for _ in left:
                try:
                    line = waiting.next(timeout=min(1e6, max(0.1, given.seconds - (time.monotonic() - began))))
                except multiprocessing.TimeoutError:
                    print("out of time; the same command goes on", flush=True)
                    break
                lines.append(line)
                file.write(json.dumps(line) + "\n")
                file.flush()
                for one in line["wrong"]:
                    print(json.dumps(one), flush=True)
                if time.monotonic() - latest > 20.0:
                    latest = time.monotonic()
                    motions, wrong = sum(x["count"] for x in lines), sum(len(x["wrong"]) for x in lines)
                    print(f"{latest - began:7.0f} s  {motions} motions  {wrong} wrong  {line['rss_mb']} MB", flush=True)
    finally:
        pool.terminate()  # the processes of this pool alone
        pool.join()
    told = summed(lines, {**about, "seconds": time.monotonic() - began})
    sum_file.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    print(f"{told['motions']} motions, {told['wrong']} wrong, {told['memory']}; wrote {sum_file}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
