"""What a promise is worth: digits that `verify=True` promises against digits that are true, over random motions.

    python benchmarks/promises.py models --count 2000 --workers 2 --seed 1 --out benchmarks/results/promises_models
    python benchmarks/promises.py pairs --count 2000 --workers 2 --seed 1 --out benchmarks/results/promises_pairs

`models`: random motions of all models (`soak.table`). `pairs`: every shape with every kind of body and law, planned by nobody. Each motion is right within its promise, or it is
warned of, or refused by a sentence. Digits are true against another integration: SciPy's DOP853 at 1e-13 for smooth motions; for motions from mode to mode a run at a ten-thousandth of the
tolerance; for time stepping contact from event to event; where that is refused or doubts itself, the midpoint scheme with a 64th or an eighth of the step, or the scheme of the
thesis with a 16th.

Work is done in blocks of motions of one kind, each in a process of its own. Each finished block is a line of OUT.jsonl, so that the same command goes on where it was broken off;
`--block K` runs one alone and tells about its motions. OUT.json is the sum, from which `benchmarks/page.py` writes docs/reliability.md.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
os.environ.setdefault("ROLLICK_QUIET", "1")

import numpy as np  # noqa: E402

BLOCK = 20  # motions
MOST = 11.0  # digits of the largest state of a unit: a reference in double precision knows no more
HALF = 0.5  # a digit: a promise that is broken by more is wrong
RIGHT, WARNED, REFUSED, WRONG, UNJUDGED = "right", "warned", "refused", "wrong", "not judged"


class Tried(NamedTuple):
    """What became of one motion: a word, the digits promised and true of the worst state, and what there is to say."""

    word: str
    over: float = math.nan
    promised: float = math.nan
    said: str = ""


# -- the truth -----------------------------------------------------------------------------------------------------------------------


def by_scipy(motion: Any) -> np.ndarray | None:
    """The states at the instants of a motion and at its end, by SciPy's integrator; None if that does not get there."""
    from scipy.integrate import solve_ivp

    from rollick.kernel.evaluate import rate_at
    from rollick.motion.start import with_rate

    system, out = with_rate(motion.system), np.empty(motion.y.shape[1])
    since, start = motion.provenance["since"], np.array(list(motion.provenance["start"].values()))

    def slope(t: float, y: np.ndarray) -> np.ndarray:
        rate_at(system, float(t), np.ascontiguousarray(y), out)
        return out.copy()

    times = np.append(motion.t, motion.end_time)
    bound = (motion.end_time - since) / (3 * motion.provenance["steps"])  # dense output errs more than steps
    done = solve_ivp(
        slope, (since, motion.end_time), start, "DOP853", t_eval=np.unique(times), rtol=1e-13, atol=1e-15, max_step=bound
    )
    if not done.success:
        return None
    return done.y.T[np.searchsorted(done.t, times)]


def by_another(motion: Any, method: Any) -> np.ndarray | None:
    """The states at the instants of a motion and at its end, by another method; None if that does not get there, or doubts itself."""
    from rollick import InputError, simulate

    start = np.array(list(motion.provenance["start"].values()))
    try:
        other = simulate(
            motion.system, start, motion.end_time, since=motion.provenance["since"], at=motion.t, method=method, progress=False
        )
    except InputError:  # it refuses the system
        return None
    if other.status != "finished" or len(other.t) != len(motion.t):
        return None
    return np.vstack([other.y, other.end_state])


def truths(motion: Any) -> Iterator[np.ndarray]:
    """The states of a motion as something else computes them, the best first."""
    from rollick.motion.methods import METHODS, Auto, EventDriven, Midpoint, Thesis

    made = motion.provenance
    name, options = made["method"], made["options"]
    if name in ("auto", "dop853", "radau"):
        stiff = any(used == "radau" for used, _ in made["methods"])
        found = by_another(motion, Auto(rtol=1e-13, atol=1e-15)) if stiff else by_scipy(motion)
        if found is not None:
            yield found
        return
    if name == "event-driven":
        kept = {k: options[k] for k in ("ambiguous", "choices") if options.get(k) is not None and k in options}
        others = [EventDriven(rtol=rtol, atol=1e-3 * rtol, **kept) for rtol in (1e-13, 1e-12, 1e-11)]
    elif name in METHODS:
        dt = float(options["dt"])
        others = [EventDriven(rtol=1e-11), Midpoint(dt=dt / 64, tol=1e-13), Midpoint(dt=dt / 8, tol=1e-13), Thesis(dt=dt / 16)]
    else:
        return
    for method in others:
        found = by_another(motion, method)
        if found is not None:
            yield found


def judged(motion: Any) -> Tried:
    """A finished motion: digits promised, digits true, and whether the promise was kept.

    What stands against it is the best reference. An impact of several contacts with friction may have more than one solution: if another reference confirms the
    motion, the references disagree, and nobody judges it.
    """
    if not motion.trust.digits:
        return Tried(WARNED, said=f"no digits are promised: {motion.trust.checks[-1].text}"[:300])
    verdict = Tried(UNJUDGED, said="no reference reached the end")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for k, states in enumerate(truths(motion)):
            one = compared(motion, states)
            if one.word == RIGHT:
                return one if k == 0 else Tried(UNJUDGED, said=f"the references disagree; by the first, {verdict.said}")
            if k == 0:
                verdict = one
    return verdict


def compared(motion: Any, true_states: np.ndarray) -> Tried:
    """Whether a motion keeps its promise against what are taken to be the true states."""
    from rollick.motion.result.verify import largest_of_unit

    n = len(motion.about.states)
    mine = np.vstack([motion.y, motion.end_state])[:, :n]
    compared = ~np.isin(np.append(motion.t, math.nan), motion.provenance["no_digits_at"])
    scale = np.abs(mine).max(axis=0)
    off = np.abs(true_states[:, :n] - mine)[compared].max(axis=0)
    known = scale > 1e-9 * scale.max(initial=0.0)  # a state that is nothing but rounding has no digits to promise
    with np.errstate(divide="ignore", invalid="ignore"):
        most = MOST + np.log10(scale / largest_of_unit(scale, [q.unit for q in motion.about.states]))
        true = np.clip(-np.log10(off / np.where(scale > 0.0, scale, 1.0)), 0.0, most)
    promised = np.minimum(np.array(motion.trust.digits), most)
    over = np.where(known, promised - true, -math.inf)
    worst = int(np.argmax(over))
    said = f"{motion.trust.names[worst]}: promised {promised[worst]:.2f}, true {true[worst]:.2f}"
    return Tried(RIGHT if over[worst] <= HALF else WRONG, float(over[worst]), float(promised[known].min(initial=MOST)), said)


def followed(simulate: Any) -> Tried:
    """Simulate, and say what became of it."""
    from rollick import InputError, MotionWarning

    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            motion = simulate()
        except InputError as error:
            return Tried(REFUSED, said=str(error)[:300])
    told = [str(w.message) for w in heard if issubclass(w.category, MotionWarning)]
    if told or motion.status not in ("finished", "event"):
        return Tried(WARNED, said=f"{motion.status}: {(told or [motion.message])[0]}"[:300])
    return judged(motion)


# -- all models -----------------------------------------------------------------------------------------------------------------------

SKIPPED = ("rod", "polygon", "dying_disk", "drop", "philae")  # closed forms between impacts; no digits are promised there
SHORTER = {"tippe_top": 0.02, "euler_disk": 0.02, "wheelset": 0.2, "profile": 1.0, "tippedisk_normalised": 20.0}
TOLERANCES = (1e-5, 1e-7, 1e-9, 1e-11)


def model_block(rng: Any, block: int) -> tuple[str, list[Tried], list[Any]]:
    """Random motions of one model."""
    import soak

    from rollick.archetypes.models import model

    names = [name for name in soak.PLANS if name not in SKIPPED]
    name = names[block % len(names)]
    entry, plan = model(name), soak.PLANS[name]
    columns, words = soak.table(name, rng, BLOCK)
    found, rows = [], []
    for k in range(BLOCK):
        row = {key: values[k] for key, values in columns.items()}
        start = {key.removesuffix("(0)"): value for key, value in row.items() if key.endswith("(0)")}
        parameters = {**words, **{key: value for key, value in row.items() if not key.endswith("(0)")}}
        options: dict[str, Any] = {} if entry.method != "auto" else {"rtol": float(rng.choice(TOLERANCES))}
        until = SHORTER.get(name, min(plan.until, 2.0))

        def simulate(parameters: Any = parameters, start: Any = start, until: float = until, options: Any = options) -> Any:
            return entry.simulate(
                entry.make(**parameters), start, until, verify=True, progress=False, max_steps=200_000, **options
            )

        rows.append({**parameters, "start": start, **options})
        found.append(followed(simulate))
    return name, found, rows


# -- pairs that nobody planned ---------------------------------------------------------------------------------------------------------


class Egg(NamedTuple):
    """A shape of a stranger's, who registers a support map and nothing else: H(n) = R + e n3^2."""

    R: float
    e: float


def register_egg() -> None:
    """Register the support map of `Egg`, once a process."""
    from rollick import support

    if support.knows(Egg):
        return

    @support.register(Egg)
    def _(shape: Any, n: Any) -> Any:
        k = shape.R - shape.e * n[2] * n[2]
        return k * n[0], k * n[1], (k + 2.0 * shape.e) * n[2]


SHAPES = (
    "sphere", "ellipsoid", "torus", "rim", "superellipsoid", "turned", "rounded box", "rounded sum", "hull", "revolution", "mesh", "mesh, smooth", "own",
)  # fmt: skip
KINDS = (
    "marble", "rubber", "coulomb", "coulomb, event-driven", "coulomb, midpoint", "regularised", "viscous", "dry pivoting", "regularised couples", "contensou",
    "floor and wall", "two planes", "body file",
)  # fmt: skip
IN_FILES = {"sphere": 'kind = "sphere"\nradius = {a}', "ellipsoid": 'kind = "ellipsoid"\na = {a}\nb = {b}\nc = {c}', "torus": 'kind = "torus"\nR = {a}\nr = 0.02', "mesh": 'kind = "mesh"\nfile = "pebble.stl"', "mesh, smooth": 'kind = "mesh"\nfile = "pebble.stl"\nsmooth = true'}  # fmt: skip


def body_of(shape: str, rng: Any) -> Any:
    """A random body of a shape; its size is a few centimetres, its inertia that of an ellipsoid with the mass centre a little off."""
    from rollick import Body, Ellipsoid, Rim, Sphere, Sum, Superellipsoid, Torus, convex_hull, turned
    from rollick.mechanics.shapes.revolution import from_support

    a, b, c = np.sort(rng.uniform(0.03, 0.1, 3))[::-1]
    if shape.startswith("mesh"):
        return mesh_of(a, b, c, shape.endswith("smooth"))
    points = rng.normal(size=(10, 3))
    points *= np.array([a, b, c]) / np.linalg.norm(points, axis=1, keepdims=True)
    boxes = np.array([(i * a, j * b, k * c) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)])
    register_egg()
    made = {
        "sphere": lambda: Sphere(a),
        "ellipsoid": lambda: Ellipsoid(a, b, c),
        "torus": lambda: Torus(a + 0.03, 0.02),
        "rim": lambda: Rim(a),
        "superellipsoid": lambda: Superellipsoid(a, b, c, float(rng.choice([1.6, 2.0, 3.0]))),
        "turned": lambda: turned(Ellipsoid(a, b, c), ((1.0, 0.0, 0.0), rng.uniform(0.1, 1.0))),
        "rounded box": lambda: Sum(convex_hull(boxes), Sphere(0.01)),
        "rounded sum": lambda: Sum(Ellipsoid(a, b, c), Sphere(0.01)),
        "hull": lambda: convex_hull(points),
        "revolution": lambda: from_support(lambda theta: np.sqrt((a * np.sin(theta)) ** 2 + (c * np.cos(theta)) ** 2)),
        "own": lambda: Egg(a, 0.1 * a),
    }[shape]()
    mass = rng.uniform(0.1, 1.0)
    inertia = 0.2 * mass * np.array([b * b + c * c, c * c + a * a, a * a + b * b])
    centre = rng.uniform(-0.1, 0.1, 3) * c if shape not in ("rim", "torus") else (0.0, 0.0, 0.0)
    return Body.from_inertia(mass, inertia, made, centre)


def read_from_file(shape: str, rng: Any) -> Any:
    """The system and the start of a body file."""
    from rollick.mechanics.bodyfile import read_body

    a, b, c = np.sort(rng.uniform(0.03, 0.1, 3))[::-1]
    how = rng.choice(["marble", "rubber", "sliding"])
    table = IN_FILES[shape].format(a=a, b=b, c=c)
    contact = f'how = "{how}"' + ('\nlaw = {kind = "coulomb", mu = 0.3}' if how == "sliding" else "")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "pebble.stl").write_bytes(stl(icosphere(2) * [a, b, c]))
        path = Path(folder) / "body.toml"
        path.write_text(f"[shape]\n{table}\n[mass]\nmass = 0.5\ninertia = 'solid'\n[contact]\n{contact}\n", encoding="utf-8")
        return read_body(path).system


def system_of(shape: str, kind: str, rng: Any) -> tuple[Any, dict[str, Any]]:
    """A random system of a pair, and the options of its simulation."""
    from rollick import (
        Coulomb,
        Plane,
        Regularised,
        Viscous,
        contensou,
        dry_pivoting,
        friction,
        regularised_contour,
        regularised_pivoting,
        rolling,
        sliding,
        wall,
    )

    if kind == "body file":
        return read_from_file(shape, rng), {}
    body = body_of(shape, rng)
    mu, e = rng.uniform(0.05, 0.9), float(rng.choice([0.0, rng.uniform(0.1, 0.9)]))
    tilted = Plane(tilt=rng.uniform(0.0, 0.3)) if rng.random() < 0.3 else Plane()
    sigma = float(rng.choice([0.0, 1e-5]))
    if kind in ("marble", "rubber"):
        return rolling(body, tilted, kind, sigma), {"rtol": float(rng.choice(TOLERANCES))}
    laws = {
        "regularised": lambda: Regularised(mu, 0.05),
        "viscous": lambda: Viscous(rng.uniform(0.1, 2.0)),
        "dry pivoting": lambda: friction(Coulomb(mu), pivoting=dry_pivoting(mu, 0.002)),
        "regularised couples": lambda: friction(
            Regularised(mu, 0.05), pivoting=regularised_pivoting(mu, 0.002, 1.0), contour=regularised_contour(1e-3, 0.1)
        ),
        "contensou": lambda: contensou(mu, 0.002),
    }
    law = laws.get(kind, lambda: Coulomb(mu))()
    if kind in ("floor and wall", "two planes"):
        on = (
            [Plane(), wall((1.0, 0.0, 0.0), (-0.15, 0.0, 0.0))]
            if kind == "floor and wall"
            else [Plane(), wall((0.0, 1.0, 0.0), (0.0, -0.15, 0.0))]
        )
        options = (
            {"method": "event-driven" if rng.random() < 0.5 else "moreau"}
            if kind == "floor and wall"
            else {"method": "event-driven"}
        )
        return sliding(body, on=on, law=law, e_N=e), options
    method = {"coulomb, event-driven": {"method": "event-driven"}, "coulomb, midpoint": {"method": "midpoint"}}.get(kind, {})
    return sliding(body, on=tilted, law=law, e_N=e, sigma=sigma), method


def start_of(kind: str, system: Any, rng: Any) -> dict[str, float]:
    """A random start: any attitude, a few turns a second, and where it does not roll some slip, sometimes in the air."""
    q = rng.normal(size=4)
    start = dict(zip(("q0", "q1", "q2", "q3"), q / np.linalg.norm(q))) | dict(
        zip(("omega1", "omega2", "omega3"), rng.uniform(-6.0, 6.0, 3))
    )
    if type(system).__name__ in ("Marble", "Rubber"):
        return start
    start |= {"vx": rng.uniform(-0.5, 0.5), "vy": rng.uniform(-0.5, 0.5)}
    if rng.random() < 0.5 and kind != "two planes":
        start |= {"gap": rng.uniform(0.001, 0.02), "vz": rng.uniform(-0.3, 0.3)}
    return start


def pair_block(rng: Any, block: int) -> tuple[str, list[Tried], list[Any]]:
    """Random motions of one pair of shape and kind of body."""
    from rollick import InputError, simulate

    shape, kind = SHAPES[block % len(SHAPES)], KINDS[block // len(SHAPES) % len(KINDS)]
    found, rows = [], []
    for k in range(BLOCK):
        if kind == "body file" and shape not in IN_FILES:
            break
        state = rng.bit_generator.state
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                system, options = system_of(shape, kind, rng)
        except InputError as error:
            found.append(Tried(REFUSED, said=str(error)[:300]))
            rows.append({"motion": k, "state": state["state"]["state"]})
            continue
        start, until = start_of(kind, system, rng), float(rng.uniform(0.05, 0.4))

        def motion(system: Any = system, start: Any = start, until: float = until, options: Any = options) -> Any:
            return simulate(system, start, until, verify=True, progress=False, max_steps=300_000, wall_limit=60.0, **options)

        found.append(followed(motion))
        rows.append({"motion": k, "start": start, "until": until, **options})
    return f"{shape} / {kind}", found, rows


def mesh_of(a: float, b: float, c: float, smooth: bool) -> Any:
    """A body from an STL file of an ellipsoid."""
    from rollick import Body

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pebble.stl"
        path.write_bytes(stl(icosphere(2) * [a, b, c]))
        return Body.from_mesh(path, mass=0.5, smooth=smooth) if smooth else Body.from_mesh(path, mass=0.5)


def icosphere(halvings: int) -> np.ndarray:
    """Triangles of a sphere, from an octahedron."""
    axes = np.eye(3)
    faces = [np.array([sx * axes[0], sy * axes[1], sz * axes[2]])[:: 1 if sx * sy * sz > 0 else -1] for sx in (-1, 1) for sy in (-1, 1) for sz in (-1, 1)]  # fmt: skip
    for _ in range(halvings + 1):
        finer = []
        for p, q, r in faces:
            m = [(u + v) / np.linalg.norm(u + v) for u, v in ((p, q), (q, r), (r, p))]
            finer += [np.array(t) for t in ((p, m[0], m[2]), (m[0], q, m[1]), (m[2], m[1], r), tuple(m))]
        faces = finer
    return np.array(faces)


def stl(triangles: np.ndarray) -> bytes:
    """Triangles as a binary STL file."""
    rows = np.zeros(len(triangles), dtype=np.dtype([("n", "<f4", 3), ("v", "<f4", (3, 3)), ("c", "<u2")]))
    rows["v"] = triangles
    return bytes(80) + np.uint32(len(triangles)).tobytes() + rows.tobytes()


# -- the loop over blocks --------------------------------------------------------------------------------------------------------------

PARTS = {"models": model_block, "pairs": pair_block}


def run_block(asked: tuple[str, int, int]) -> dict[str, Any]:
    """Compute a block; what became of its motions."""
    part, seed, block = asked
    began = time.process_time()
    rng = np.random.default_rng([seed, block])
    try:
        name, found, rows = PARTS[part](rng, block)
    except Exception as error:
        name, found, rows = f"block {block}", [Tried(WRONG, said=f"{type(error).__name__}: {error}"[:400])], [{}]
    wrong = [
        {"block": block, "name": name, "motion": k, "said": t.said, "row": repr(rows[k])[:600]}
        for k, t in enumerate(found)
        if t.word in (WRONG, UNJUDGED)
    ]
    judged_ones = [t for t in found if t.word in (RIGHT, WRONG) and math.isfinite(t.over)]
    return {
        "block": block, "seed": seed, "name": name, "count": len(found), "words": dict(Counter(t.word for t in found)), "over": [round(t.over, 3) for t in judged_ones],
        "promised": [round(t.promised, 2) for t in judged_ones], "wrong": wrong, "said": dict(Counter(t.said[:120] for t in found if t.word in (WARNED, REFUSED))),
        "cpu": time.process_time() - began,
    }  # fmt: skip


def summed(lines: list[dict[str, Any]], part: str, seed: int) -> dict[str, Any]:
    """All blocks as one: how motions ended by name, and over-promises."""
    by_name: dict[str, dict[str, Any]] = {}
    for line in sorted(lines, key=lambda one: one["block"]):
        name = line["name"] if part == "models" else line["name"].split(" / ")[1 if " / " in line["name"] else 0]
        one = by_name.setdefault(name, {"count": 0, "words": Counter(), "over": [], "promised": []})
        one["count"] += line["count"]
        one["words"].update(line["words"])
        one["over"] += line["over"]
        one["promised"] += line["promised"]
    words: Counter[str] = Counter()
    for one in by_name.values():
        words.update(one["words"])
        over, promised = one.pop("over"), one.pop("promised")
        one["largest_over"] = max(over, default=None)
        one["median_promised"] = float(np.median(promised)) if promised else None
    wrong = [w for line in lines for w in line["wrong"]]
    return {"part": part, "seed": seed, "motions": sum(one["count"] for one in by_name.values()), "words": words, "names": by_name, "wrong": wrong[:200],
            "cpu_seconds": sum(line["cpu"] for line in lines)}  # fmt: skip


def main() -> int:
    """Run blocks until enough motions were tried, or one block alone."""
    global BLOCK
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=BLOCK, help="motions of a block")
    parser.add_argument("--seconds", type=float, default=math.inf)
    parser.add_argument("--block", type=int)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    BLOCK = args.each
    if args.block is not None:
        print(json.dumps(run_block((args.part, args.seed, args.block)), indent=1))
        return 0
    lines_file = args.out.with_suffix(".jsonl")
    lines = [json.loads(line) for line in lines_file.read_text().splitlines()] if lines_file.exists() else []
    done = {line["block"] for line in lines}
    blocks = [b for b in range(math.ceil(args.count / BLOCK)) if b not in done]
    began = time.perf_counter()
    context = multiprocessing.get_context("spawn")
    with (
        context.Pool(args.workers, maxtasksperchild=4, initializer=started, initargs=(BLOCK,)) as pool,
        lines_file.open("a") as out,
    ):
        for line in pool.imap_unordered(run_block, [(args.part, args.seed, b) for b in blocks]):
            lines.append(line)
            out.write(json.dumps(line) + "\n")
            out.flush()
            print(f"{len(lines)} blocks, {time.perf_counter() - began:.0f} s: {line['name']} {line['words']}", flush=True)
            if time.perf_counter() - began > args.seconds:
                pool.terminate()
                break
    told = summed(lines, args.part, args.seed)
    args.out.with_suffix(".json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    print(told["motions"], dict(told["words"]))
    return 0


def started(block: int) -> None:
    """What a worker begins with: the size of a block."""
    global BLOCK
    BLOCK = block


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    sys.exit(main())
