"""Many motions on a GPU, through the public call, transfers included: stones, disk-steps and impacts per second, and what the arithmetic would allow.

    python benchmarks/gpu.py [--parts stones,wide,varied,impacts,disks,scaling] [--largest 10000000] [--out benchmarks/results/gpu.json]

Compiling is left out (a small ensemble of the same kind runs before) and told beside. Each part compares some members with the CPU's. Operations are counted
by numbers that count (plain Python, `NUMBA_DISABLE_JIT=1`): a sum, product, quotient or root is one, a sine with its cosine 40. The ceiling is the peak of the GPU
in double precision without tensor cores, 33.5e12 per second for an H200, which only fused multiply-adds reach.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

PEAK = 33.5e12  # H200, double precision, vector units
BASE = {"alpha": "0.5deg", "beta": "0.5deg"}
STEPS, DT = 2000, 1e-4  # of a disk
IMPACTS = 400_000  # of a triangle


def stones(
    count: int, on: str, varied: bool = False, spins: tuple[float, float] = (-5.01, -5.0), rtol: float = 1e-9, shift: float = 0.0
) -> Any:
    """Kane and Levinson's stone, 20 s, rtol 1e-9; spins differ, and D if `varied`. shift: of the mass, relative."""
    from rollick import Rattleback
    from rollick.ensemble import Samples, ensemble

    ranges: dict[str, Any] = {"omega3": spins} | ({"D": (-4e-5, -1e-5)} if varied else {})
    return ensemble(
        Rattleback(M=1.0 + shift), Samples(count, "random", seed=5, **ranges), 20.0, start=BASE, method="dop853", rtol=rtol, keep="final", on=on,
        progress=False,
    )  # fmt: skip


def disks(count: int, on: str) -> Any:
    """Tippedisks with set-valued Coulomb friction by Moreau's scheme; attitudes and spins differ."""
    from rollick.archetypes.many import ModelSource
    from rollick.ensemble import Samples, ensemble
    from rollick.motion.start import state_vector

    disk = ModelSource("tippedisk", {"law": "coulomb", "form": "euler"}).system
    start = state_vector(disk, {"beta": "90deg", "gamma": -1.47, "alpha_rate": 40.0}).tolist()
    starts = Samples(count, "random", seed=5, ranges={"gamma(0)": (-1.5, -1.4), "beta_rate(0)": (-0.1, 0.1)})
    return ensemble(disk, starts, STEPS * DT, start=start, method="moreau", dt=DT, keep="final", on=on, progress=False)


def triangles(count: int, on: str) -> Any:
    """Thin triangles that chatter, gamma = 0.2, until they have had all their impacts."""
    from rollick.archetypes.many import ModelSource
    from rollick.ensemble import Samples, ensemble

    source = ModelSource("polygon", {"n": 3, "rho": 0.25, "gamma": 0.2, "max_impacts": IMPACTS})
    starts = Samples(count, "random", seed=5, phi_x=(0.0, 0.1), phi_y=(0.0, 0.1), omega_x=(0.0, 0.1), omega_y=(0.0, 0.1))
    return ensemble(source, starts, keep=["phi_x", "h", "v"], on=on, progress=False)


KINDS = {
    "stones": (lambda n, on: stones(n, on), 1 << 22, "stones"),
    "wide": (lambda n, on: stones(n, on, spins=(-6.0, -4.0)), 1 << 22, "stones"),
    "varied": (lambda n, on: stones(n, on, True, (-6.0, -4.0)), 1 << 22, "stones"),
    "disks": (disks, 1 << 18, "disk-steps"),
    "impacts": (triangles, 1 << 18, "impacts"),
}


def units(kind: str, found: Any) -> float:
    """How many stones, disk-steps or impacts there were."""
    return float(len(found)) if KINDS[kind][2] == "stones" else float(found.found.steps.sum())


def compared(kind: str) -> float:
    """The largest relative difference between GPU and CPU, each number against its largest."""
    make = KINDS[kind][0]
    there, here = make(64, "cuda").found, make(64, "threads").found
    assert np.array_equal(there.status, here.status)
    size = np.maximum(np.nanmax(np.abs(here.values), axis=0), 1e-300)
    return float(np.nanmax(np.abs(there.values - here.values) / size))


def yardstick(kind: str) -> dict[str, float]:
    """How much the end of a stone changes, on the CPU, when its mass changes by a rounding error, and when rtol is a tenth."""
    options: dict[str, Any] = {"varied": kind == "varied", "spins": (-5.01, -5.0) if kind == "stones" else (-6.0, -4.0)}
    here = stones(64, "threads", **options).found.values
    size = np.abs(here).max(axis=0)
    others = {
        "rounding": stones(64, "threads", shift=2.3e-16, **options),
        "tolerance": stones(64, "threads", rtol=1e-10, **options),
    }
    return {name: float((np.abs(other.found.values - here) / size).max()) for name, other in others.items()}


def measured(kind: str, size: int | None = None) -> dict[str, Any]:
    """A part of the benchmark."""
    make, usual, what = KINDS[kind]
    began = time.perf_counter()
    make(64, "cuda")
    compiling = time.perf_counter() - began
    count = size or usual
    make(min(count, 1 << 16), "cuda")
    began = time.perf_counter()
    found = make(count, "cuda")
    seconds = time.perf_counter() - began
    rate = units(kind, found) / seconds
    told = {
        "what": what,
        "members": count,
        "seconds": seconds,
        "per_second": rate,
        "first_call": compiling,
        "statuses": found.statuses,
    }
    if what == "stones":
        told["steps_each"] = float(found.found.steps.mean())
    print(
        f"{kind:8} {count:9d} members {seconds:8.3f} s {rate:12.4g} {what}/s, first call {compiling:.1f} s {found.statuses}",
        flush=True,
    )
    return told


def scaling(kind: str, largest: int) -> list[dict[str, float]]:
    """Seconds against the number of members."""
    make, rows, size = KINDS[kind][0], [], 100
    make(64, "cuda")
    while size <= largest:
        began = time.perf_counter()
        make(size, "cuda")
        rows.append({"members": size, "seconds": time.perf_counter() - began})
        print(f"scaling {kind} {size:9d} {rows[-1]['seconds']:.3f} s, {1e6 * rows[-1]['seconds'] / size:.3f} us each", flush=True)
        size *= 10
    return rows


def counted() -> dict[str, float]:
    """Operations of a rate of the stone, of a step of the disk and of an impact of the triangle, in a process of their own."""
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1", "ROLLICK_QUIET": "1"}
    done = subprocess.run(
        [sys.executable, str(Path(__file__).parent / "operations.py")], env=env, capture_output=True, text=True, check=False
    )
    return json.loads(done.stdout) if done.returncode == 0 else {"error": done.stderr[-400:]}  # type: ignore[dict-item]


def roofline(found: dict[str, Any]) -> dict[str, dict[str, float]]:
    """Operations per second of each part, and the share of the GPU's peak that they are; of stones those of accepted steps."""
    cost = found["operations"]
    each = {
        part: found.get(part, {}).get("steps_each", 0.0) * cost.get("stone_step", 0.0) for part in ("stones", "wide", "varied")
    }
    each |= {"disks": cost.get("disk_step", 0.0), "impacts": cost.get("impact", 0.0)}
    rates = {part: one * found[part]["per_second"] for part, one in each.items() if part in found and one > 0.0}
    return {
        part: {"operations_each": each[part], "per_second": rate, "share": rate / found["peak"]} for part, rate in rates.items()
    }


def device() -> dict[str, Any]:
    """The GPU."""
    from numba import cuda

    name = cuda.get_current_device().name
    return {"gpu": name.decode() if isinstance(name, bytes) else str(name), "count": len(cuda.gpus)}


def main() -> None:
    """Run the parts and write what was found."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--parts", default="stones,wide,varied,impacts,disks,scaling")
    asked.add_argument("--largest", type=int, default=10_000_000)
    asked.add_argument("--size", type=int, default=None)
    asked.add_argument("--out", default=str(Path(__file__).parent / "results" / "gpu.json"))
    given = asked.parse_args()
    place = Path(given.out)
    found: dict[str, Any] = json.loads(place.read_text()) if place.exists() else {}
    found |= {**device(), "peak": PEAK, "operations": counted()}
    for part in given.parts.split(","):
        if part == "scaling":
            found["scaling"] = {"stones": scaling("stones", given.largest)}
        else:
            found[part] = measured(part, given.size)
            found[part]["difference"] = compared(part)
            if KINDS[part][2] == "stones":
                found[part]["yardstick"] = yardstick(part)
            print(
                f"{part:8} differs from the CPU by {found[part]['difference']:.1e} {found[part].get('yardstick', '')}", flush=True
            )
        found["roofline"] = roofline(found)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(found, indent=1))
    print(json.dumps(found["operations"]))


if __name__ == "__main__":
    main()
