"""Writes docs/performance.md and docs/reliability.md from what benchmarks measured (benchmarks/results/*.json).

    python benchmarks/page.py [--check]

`--check` writes nothing and fails if a page is not what the results say.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results"
GPU_KINDS = {
    "stones": "stones of one spin, nearly", "wide": "stones, spins from -6 to -4 rad/s", "varied": "stones, spins and D vary", "disks": "tippedisks, Coulomb, Moreau",
    "impacts": "impacts of triangles",
}  # fmt: skip
NODES, CORES_EACH, MOTIONS = 1000, 64, 10_000_000_000  # of the plan


def read(name: str) -> dict[str, Any] | None:
    """The results of a benchmark; None if it was not run."""
    path = RESULTS / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def number(x: float, digits: int = 3) -> str:
    """A number for a page: few digits, thousands apart."""
    if not math.isfinite(x):
        return "-"
    if abs(x) >= 1e7 or (x != 0.0 and abs(x) < 1e-3):
        mantissa, _, power = f"{x:.{digits - 1}e}".partition("e")
        return f"{mantissa} x 10^{int(power)}"
    if abs(x) >= 1000.0:
        return f"{round(x, digits - len(str(int(abs(x))))):,.0f}".replace(",", " ")
    return f"{x:.{digits}g}"


def table(head: list[str], rows: list[list[str]]) -> list[str]:
    """A table of a page."""
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *("| " + " | ".join(row) + " |" for row in rows), ""]


# -- performance ----------------------------------------------------------------------------------------------------------------


def race_rows(race: dict[str, Any]) -> list[list[str]]:
    """Contenders: the ratio to Rollick on one core, its range, and what else is to be said."""
    bars = {"scipy": "at least 400", "heyoka_ensemble": "at least 3", "heyoka_batch": "at least 3", "c": "at least 0.83"}
    rows = []
    for name, one in race.items():
        remark = ""
        if "energy_error" in one:
            remark = f"energy off by {number(one['energy_error'], 2)} of the spin's"
        elif "apart" in one:
            remark = f"ends apart by {number(one['apart'], 2)}"
        if name == "rollick_two":
            remark = f"two cores are {number(1.0 / one['ratio'])} times one (at least 1.8 asked)"
        spread = f"{number(one['ratio_low'])} to {number(one['ratio_high'])}" if one["rounds"] > 1 else "one round"
        rows.append([one["what"], number(one["ratio"]), spread, bars.get(name, ""), str(one["stones"]), remark])
    return rows


def cpu_part(told: dict[str, Any]) -> list[str]:
    """CPU: contenders, zeros, scaling."""
    where = told["environment"]
    lines = [
        "## On a CPU", "",
        "Stones of Kane and Levinson (20 s of motion, rtol 1e-9, spins from -6 to -4 rad/s), through the public call. Contenders take turns; told is the median over rounds of the CPU time per "
        "stone over that of Rollick on one core in the same round (of two cores: the time by the clock): larger is slower.", "",
        *table(["what", "times Rollick", "range", "asked", "stones", ""], race_rows(told["race"])),
        f"Measured on {where['cores']} cores ({where['machine']}) that others used as well: the load was {number(where['load'], 2)} when it ended. Ratios of what runs on one core hold; that of two "
        "cores says as much about the neighbours as about Rollick.", "",
    ]  # fmt: skip
    if "zeros" in told:
        z = told["zeros"]
        rows = [
            ["one motion, `simulate(events=[...])`", number(z["state"]), number(z["signal"])],
            [
                "in an ensemble, `Count(...)`, over members one after the other",
                number(z["ensemble_state"]),
                number(z["ensemble_signal"]),
            ],
        ]
        if "ensemble_abreast" in z:
            ahead = [number(z[name] / z["ensemble_abreast"]) for name in ("ensemble_state", "ensemble_signal")]
            rows.append(["in an ensemble, over members without zeros, which go eight abreast", *ahead])
        lines += [
            "Finding all zeros of an event function, over the plain motion (asked: at most 1.5):", "",
            *table(["", "a state (omega3)", "a signal (gamma_rate)"], rows),
        ]  # fmt: skip
    if "scaling" in told:
        lines += scaling_part(told["scaling"])
    more = RESULTS / "ensembles_more_cores.json"
    if more.exists():
        lines += more_cores_part(json.loads(more.read_text(encoding="utf-8")))
    return lines


def scaling_part(found: list[dict[str, float]]) -> list[str]:
    """Cost against size."""
    rows = [[number(one["members"]), number(one["seconds"]), number(one["us_each"])] for one in found]
    each = [one["us_each"] for one in found]
    return [
        f"Cost against size ({number(found[0].get('until', 1.0))} s of motion each, one core); the cost per motion varies by {100.0 * (max(each) / min(each) - 1.0):.0f} %:", "",
        *table(["members", "seconds", "microseconds each"], rows),
    ]  # fmt: skip


def more_cores_part(told: dict[str, Any]) -> list[str]:
    """What was measured on a machine with more cores, which nobody else used."""
    where, two, z = told["environment"], told["race"]["rollick_two"], told["zeros"]
    lines = [
        f"On a machine with {where['cores']} cores ({where['machine']}, load {number(where['load'], 2)}) two cores are {number(1.0 / two['ratio'])} times one ({number(1.0 / two['ratio_high'])} to "
        f"{number(1.0 / two['ratio_low'])} in {two['rounds']} rounds of {two['stones']} stones; at least 1.8 asked); zeros cost {number(z['state'])} (state) and {number(z['signal'])} (signal) of one motion, "
        f"{number(z['ensemble_state'])} and {number(z['ensemble_signal'])} in an ensemble.", "",
    ]  # fmt: skip
    return lines + scaling_part(told["scaling"]) if "scaling" in told else lines


def gpu_part(told: dict[str, Any]) -> list[str]:
    """GPU: rates, differences to the CPU, the arithmetic beside the ceiling."""
    lines = ["## On a GPU", "", f"One {told['gpu']}, through the public call, transfers included.", ""]
    rows = []
    asked = {"stones": 450_000.0, "wide": 450_000.0, "varied": 450_000.0, "disks": 2e8, "impacts": 1e10}
    for kind, bar in asked.items():
        if kind in told:
            one = told[kind]
            rows.append(
                [
                    GPU_KINDS[kind],
                    number(one["members"]),
                    f"{number(one['per_second'])} {one['what']}/s",
                    number(bar),
                    number(one.get("difference", math.nan), 2),
                ]
            )
    lines += table(["what", "members", "rate", "asked", "largest relative difference to the CPU"], rows)
    operations = {k: v for k, v in told.get("operations", {}).items() if isinstance(v, (int, float))}
    if operations:
        lines += [
            "Operations in double precision (a sum, product, quotient or root is one, a sine with its cosine 40), counted:",
            "",
        ]
        lines += table(["what", "operations"], [[k, number(float(v))] for k, v in operations.items()])
        lines += [f"The GPU's peak is {number(told['peak'])} per second, which only fused multiply-adds reach.", ""]
    rows = [
        [
            GPU_KINDS.get(kind, kind),
            number(one["operations_each"]),
            number(one["per_second"]),
            f"{number(100.0 * one['share'], 2)} %",
        ]
        for kind, one in told.get("roofline", {}).items()
        if one["per_second"] > 0.0
    ]
    if rows:
        lines += [
            "What the arithmetic needs beside the ceiling:",
            "",
            *table(["what", "operations each", "operations per second", "of the peak"], rows),
        ]
    if "scaling" in told:
        for kind, found in told["scaling"].items():
            rows = [
                [number(one["members"]), number(one["seconds"]), number(1e6 * one["seconds"] / one["members"])] for one in found
            ]
            lines += [f"Cost against size, {kind}:", "", *table(["members", "seconds", "microseconds each"], rows)]
    return lines


def plan_part(told: dict[str, Any], gpu: dict[str, Any] | None) -> list[str]:
    """10^10 motions on 1000 nodes, from measured costs."""
    each = told["race"]["rollick"]["ms_each"] * 1e-3
    costs = told["chunks"]
    members = max(1, round(10.0 / each))  # ten seconds of work
    chunks = math.ceil(MOTIONS / members)
    overhead = costs["store_ms_per_chunk"] * 1e-3 / 10.0
    hours = MOTIONS * each * (1.0 + overhead) / (NODES * CORES_EACH) / 3600.0
    rows = [
        ["a motion (20 s of a stone), one core", f"{number(1e3 * each)} ms", "measured"],
        ["a chunk of ten seconds of work", f"{members} motions", "chosen"],
        ["chunks", number(chunks), ""],
        ["to write a chunk and its mark", f"{number(costs['store_ms_per_chunk'])} ms, {number(100.0 * overhead, 2)} % of its work", "measured, local disk"],
        ["files", f"{number(costs['files_per_chunk'])} per chunk, {number(costs['files_per_chunk'] * chunks)} in all", "measured"],
        ["bytes (final states, status, time, steps)", f"{number(costs['bytes_per_member'])} per motion, {number(costs['bytes_per_member'] * MOTIONS / 1e12)} TB", "measured"],
        [f"wall time on {NODES} nodes of {CORES_EACH} cores", f"{number(hours)} hours", "computed"],
        ["chunks that one scheduler hands out", f"{number(chunks / (3600.0 * hours))} per second", "computed"],
    ]  # fmt: skip
    if gpu is not None and "stones" in gpu:
        rate = gpu["stones"]["per_second"]
        rows.append(
            [f"the same on {NODES} nodes with one {gpu['gpu']} each", f"{number(MOTIONS / (rate * NODES))} s", "computed"]
        )
    return [
        "## A plan for 10^10 motions on 1000 nodes", "",
        *table(["", "", "from"], rows),
        "What follows from it: members are numbered, so that a chunk is a number and no node needs to know of the others; one ensemble holds at most 10^8 members, so there are a hundred of them, with a "
        "store each, run one after the other or by a hundred schedulers. A Dask scheduler hands out some thousand tasks per second; with chunks of ten seconds the nodes ask for more than that, so "
        "chunks are made of a minute of work, or each ensemble has a scheduler of its own. Files are the other limit: a shared file system does not like 10^8 of them, so the stores belong into an object store "
        "(`store=\"s3://...\"`) or chunks are larger. A node that dies costs its unfinished chunks. The cost of a chunk's bookkeeping was measured on a loaded machine and is an upper bound.", "",
    ]  # fmt: skip


def performance() -> str:
    """The page."""
    cpu, gpu = read("ensembles"), read("gpu")
    lines = [
        "# Performance", "",
        "How fast many motions are, measured by `benchmarks/ensembles.py` and `benchmarks/gpu.py`; this page is written by `make performance` from what they found "
        "(`benchmarks/results/`), and not edited. The speeds of other parts: `make bench`. How the engine was chosen: [Architecture](architecture.md#why-this-engine).", "",
    ]  # fmt: skip
    lines += cpu_part(cpu) if cpu is not None else ["The benchmark of ensembles on a CPU has not been run.", ""]
    lines += gpu_part(gpu) if gpu is not None else ["## On a GPU", "", "No results of `benchmarks/gpu.py` are here.", ""]
    if cpu is not None and "chunks" in cpu:
        lines += plan_part(cpu, gpu)
    return "\n".join(lines).rstrip() + "\n"


# -- reliability ----------------------------------------------------------------------------------------------------------------


def reliability() -> str:
    """The page of the soak."""
    told = read("soak")
    lines = [
        "# Reliability", "",
        "Random motions over all models, with random parameters and starts (`benchmarks/soak.py`; this page is written by `make performance` from `benchmarks/results/soak.json`). Parameters are those of the model times "
        "up to e^(+-0.25), starts times up to e^(+-0.5), or from wide ranges. Every motion must end well or say why not; where rolling keeps the energy, it must be kept, where friction and "
        "impacts are all there is, it must never grow.", "",
    ]  # fmt: skip
    if told is None:
        return "\n".join([*lines, "The soak has not been run.", ""])
    memory = told["memory"]
    lines += [
        f"**{number(told['motions'], 7)} motions, {told['wrong']} wrong.** Seed {told['seed']}, {told['workers']} processes, {number(told['cpu_seconds'])} s of CPU; largest memory of a process "
        f"{number(memory['peak_rss_mb'], 4)} MB, of which {number(memory['grown_in_second_half_mb'])} MB in the second half of its {number(memory['most_blocks_of_a_process'])} blocks.", "",
        *table(["ended", "motions"], [[word, number(n, 7)] for word, n in told["ends"].items()]),
        "The words are those of [Results](results.md); *refused* are members whose parameters or start cannot be (an inertia that no body has, a start inside the floor).", "",
    ]  # fmt: skip
    rows = []
    for name, one in told["models"].items():
        ends = ", ".join(f"{n} {word}" for word, n in one["ends"].items())
        energy = (
            f"{one['energy']}: {number(one['worst_energy'], 2)} (at most {number(one['tolerance'])})" if one["energy"] else ""
        )
        cost = number(1e3 * one["cpu_seconds"] / max(1, one["motions"]))
        rows.append([f"`{name}`", number(one["motions"], 7), ends, energy, str(one["wrong"]), cost])
    lines += [
        "Energy: *kept*, the largest change; *falls*, the largest rise above the least before; both relative to the energy itself.",
        "",
    ]
    lines += table(["model", "motions", "ended", "energy", "wrong", "ms of CPU each"], rows)
    if told["first_wrong"]:
        lines += ["## What was wrong", "", *table(["model", "block, member", "what"], [
            [one["model"], f"{one['block']}, {one['member']}", one["what"].replace("|", "/").replace("\n", " ")[:300]] for one in told["first_wrong"][:20]
        ])]  # fmt: skip
    remarks = RESULTS / "soak_remarks.md"
    if remarks.exists():
        lines += ["", "## What became of it", "", remarks.read_text(encoding="utf-8").strip(), ""]
    lines += [*promises_part(), *stores_part()]
    return "\n".join(lines).rstrip() + "\n"


def promises_part() -> list[str]:
    """Digits promised against digits true; nothing if they were not compared."""
    lines: list[str] = []
    heads = {
        "models": ("What a promise is worth", "model", "Random motions of all models with `verify=True`"),
        "pairs": ("Pairs that nobody planned", "kind of body", "Every shape (sphere, ellipsoid, torus, rim, superellipsoid, turned, rounded, hull, revolution, mesh, mesh with a smooth fit, a stranger's own) with every kind of body and law, `verify=True`"),
    }  # fmt: skip
    for part, (title, name, what) in heads.items():
        told = read(f"promises_{part}")
        if told is None:
            continue
        words = ", ".join(f"{number(n, 7)} {word}" for word, n in told["words"].items())
        rows = []
        for kind, one in told["names"].items():
            ended = ", ".join(f"{n} {word}" for word, n in one["words"].items())
            over = "" if one["largest_over"] is None else f"{one['largest_over']:.2f}"
            promised = "" if one["median_promised"] is None else f"{one['median_promised']:.1f}"
            rows.append([f"`{kind}`", str(one["count"]), ended, promised, over])
        lines += [
            "", f"## {title}", "",
            f"{what}, random parameters, starts and tolerances (`benchmarks/promises.py {part}`, seed {told['seed']}). A motion is *right* if no state has fewer true digits than promised, by more than half a digit; "
            "it is *warned* of if it ends with a warning, and *refused* with a sentence. True digits are those that agree with another integration: SciPy's DOP853 at 1e-13 for smooth motions, a "
            "ten-thousandth of the tolerance from mode to mode, for time stepping contact from event to event or the midpoint scheme with an eighth of the step. Eleven digits are the most that a reference knows.", "",
            f"**{number(told['motions'], 7)} motions: {words}.**", "",
            *table([name, "motions", "ended", "median of digits promised", "largest over-promise (digits)"], rows),
        ]  # fmt: skip
        wrong = [w for w in told["wrong"] if "promised" in w["said"] or "Error" in w["said"]]
        if wrong:
            lines += [
                *table(
                    ["wrong", "block, motion", "what"],
                    [[w["name"], f"{w['block']}, {w['motion']}", w["said"].replace("|", "/")[:200]] for w in wrong[:20]],
                )
            ]
    return lines


def stores_part() -> list[str]:
    """Stores of ensembles under trial; nothing if they were not tried."""
    told = read("store_trials")
    if told is None:
        return []
    rows = [
        [kind, ", ".join(f"{n} {word}" for word, n in one["ends"].items()), str(len(one["wrong"]))]
        for kind, one in told["kinds"].items()
    ]
    return [
        "", "## Stores under trial", "",
        f"Stores of ensembles (`benchmarks/store_trials.py`, seed {told['seed']}): processes killed from the first millisecond on, files damaged, several processes on one new store (in every second trial all but one "
        "are killed), full disks, a Dask worker and a Dask scheduler killed. After each trial the same call must come to its end with numbers that are byte for byte those of a run without a store; every "
        f"error must be a sentence, every damage to what is kept must be told. **{told['wrong']} wrong.**", "",
        *table(["trials", "ended", "wrong"], rows),
        "*A sentence* is an error that says what happened and what is kept, where the call could not come to its end: no room, no scheduler, or nothing left that says what the store was. After the first two the call was made again, with room, in threads.", "",
    ]  # fmt: skip


def main() -> int:
    """Write the pages, or compare them."""
    check, different = "--check" in sys.argv[1:], 0
    for name, text in (("performance", performance()), ("reliability", reliability())):
        path = ROOT / "docs" / f"{name}.md"
        if check:
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                print(f"docs/{name}.md is not what benchmarks/results say: make performance")
                different = 1
        else:
            path.write_text(text, encoding="utf-8")
            print(f"wrote docs/{name}.md")
    return different


if __name__ == "__main__":
    sys.exit(main())
