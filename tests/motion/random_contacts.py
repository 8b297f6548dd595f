"""Random bodies, laws and starts for time stepping: what must hold of every one of them.

    python tests/motion/random_contacts.py [NUMBER] [FIRST SEED] [LAWS] [FEET] [SCHEMES] [--workers N]      NUMBER trials of each kind; bad ones printed

A trial is bad if

    status     it does not reach its end,
    deep       a foot goes deeper than the way of one step at the fastest speed of the last `RECENT` steps (in the thesis' scheme, which leaves gaps as they
               are, so that a body sinks by a T dt/2 while its contact moves over it with the acceleration a: four times that at the fastest speed so far),
    growth     energy rises, at any time, above what it was before, and that is no integration error: one that falls as the step becomes small,
               by at least 1.5 with each halving, seen from dt to dt/4 or, where errors cancelled there, from dt/4 to dt/16 or to dt/64,
    unsolved   a step was accepted whose contact problem is not solved,
    hangs      half a second of motion takes longer than `SECONDS`.
"""

import argparse
import functools
import multiprocessing
import time
import warnings

import numpy as np
from random_dry import LOSSES

from rollick import simulate
from rollick.mechanics.body import Body
from rollick.mechanics.laws.contensou import contensou
from rollick.mechanics.laws.friction import DryContour, DryPivoting, friction
from rollick.mechanics.laws.sliding import Coulomb, Regularised
from rollick.mechanics.shapes.convex import Ellipsoid
from rollick.mechanics.sliding import Lowest, sliding
from rollick.mechanics.surfaces.plane import Plane

SCHEMES = ("moreau", "midpoint", "thesis")
LAWS = {
    "coulomb": lambda rng: Coulomb(rng.uniform(0.0, 1.2), rng.choice([0.0, rng.uniform(0.0, 0.8)])),
    "regularised": lambda rng: Regularised(rng.uniform(0.0, 1.2), 10.0 ** rng.uniform(-4.0, -1.0)),
    "contensou": lambda rng: contensou(rng.uniform(0.05, 1.0), 10.0 ** rng.uniform(-4.0, -2.0)),
    "dry": lambda rng: friction(
        Coulomb(rng.uniform(0.0, 1.0)),
        DryPivoting(rng.uniform(0.0, 0.1), 10.0 ** rng.uniform(-3.0, -2.0)),
        DryContour(rng.uniform(0.0, 0.05)),
    ),
}
SECONDS = 60.0
RECENT, SINKS = 50, 4.0
ROUNDING = 1e-9  # of the energy in play: a rise that is none
FALLS = 1.5  # by which an integration error falls with each halving of the step
FINEST = 64  # the step is made so many times smaller at most to see it


def random_body(rng, feet):
    """A body, its system and a start: an ellipsoid on its lowest point, or a box on the four corners of its base."""
    half = np.sort(10.0 ** rng.uniform(-1.7, -0.5, 3))[::-1] if feet == "corners" else 10.0 ** rng.uniform(-1.7, -0.5, 3)
    mass = 10.0 ** rng.uniform(-2.0, 1.0)
    moments = (
        mass
        / (3.0 if feet == "corners" else 5.0)
        * np.array([half[1] ** 2 + half[2] ** 2, half[0] ** 2 + half[2] ** 2, half[0] ** 2 + half[1] ** 2])
    )
    return Body.from_inertia(mass, tuple(map(float, moments)), Ellipsoid(*map(float, half))), half


def random_start(rng, half, feet):
    """Anything from rest on the feet to a tumble in the air."""
    size = float(np.linalg.norm(half))
    q = rng.normal(size=4)
    lean = rng.choice([0.0, 0.02, 0.3])
    if feet == "corners" or rng.uniform() < 0.5:
        q = np.array([1.0, *(lean * rng.normal(size=2)), rng.normal() if rng.uniform() < 0.5 else 0.0])
    q /= np.linalg.norm(q)
    fast = rng.choice([0.0, 0.3, 2.0])
    turn = fast / size * rng.normal(size=3)
    start = dict(zip(("q0", "q1", "q2", "q3"), map(float, q)))
    start |= dict(zip(("omega1", "omega2", "omega3"), map(float, turn)))
    start |= dict(zip(("vx", "vy"), map(float, fast * rng.normal(size=2))))
    start["gap"] = float(rng.choice([0.0, 0.0, size * rng.uniform()]))
    start["vz"] = float(fast * rng.normal()) if start["gap"] > 0.0 else 0.0
    return start


def random_case(seed, law, feet):
    """A system, its start, a step, and half its size."""
    rng = np.random.default_rng(seed)
    body, half = random_body(rng, feet)
    corners = [(sx * half[0], sy * half[1], -half[2]) for sx in (1.0, -1.0) for sy in (1.0, -1.0)]
    where = {"on": Plane(float(rng.choice([0.0, rng.uniform(0.0, 0.6)])))}
    e = float(rng.choice([0.0, rng.uniform(0.0, 0.9), 1.0]))
    system = sliding(body, law=LAWS[law](rng), feet=corners if feet == "corners" else Lowest(), e_N=e, **where)
    start = random_start(rng, half, feet)
    return system, start, float(10.0 ** rng.uniform(-4.0, -3.0)), half


@functools.cache
def prepare(law, feet):
    """Compile what trials of a kind need, so that their times tell of hanging."""
    system, start, dt, _ = random_case(0, law, feet)
    simulate(system, start, 2.0 * dt, method="moreau", dt=dt, every=1, progress=False)


def trial(seed, law, feet, scheme, until=0.5):
    """One random motion; what was seen, and a list of what is bad."""
    prepare(law, feet)
    system, start, dt, half = random_case(seed, law, feet)

    def motion(step):
        began = time.perf_counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what they tell is judged below
            m = simulate(system, start, until, method=scheme, dt=step, every=1, progress=False)
        return m, time.perf_counter() - began

    m, taken = motion(dt)
    found = judge(system, m, dt, half, taken)
    rise, finer = found["rise"], 1
    while rise > ROUNDING and not found["bad"]:
        if finer == FINEST:
            found["bad"].append("growth")
            break
        finer *= 4
        m, taken = motion(dt / finer)
        again = judge(system, m, dt / finer, half, taken / finer)
        found["bad"] += [f"{name} at dt/{finer}" for name in again["bad"]]
        fell = again["rise"] <= max(rise / FALLS**2, ROUNDING)
        rise = again["rise"]
        if fell:
            break
    return found | {"finer": finer, "seed": seed, "law": law, "feet": feet, "scheme": scheme, "e": system.e_N, "dt": dt}


def recent(speed):
    """The largest of each value and those at most `RECENT` before it."""
    padded = np.concatenate([np.zeros(RECENT), speed])
    return np.lib.stride_tricks.sliding_window_view(padded, RECENT + 1).max(axis=1)


def judge(system, m, dt, half, taken):
    """What must hold of every motion, but for the rise of energy, which takes several of them."""
    energy = m["energy"]
    lost = sum(m[name] for name in LOSSES)
    weight = system.body.mass * 9.81 * float(max(half))
    scale = max(float(np.ptp(energy)), float(np.abs(lost).max()), 0.05 * weight)
    spin = np.sqrt(m["omega1"] ** 2 + m["omega2"] ** 2 + m["omega3"] ** 2)
    speed = np.sqrt(m["vx"] ** 2 + m["vy"] ** 2 + m["vz"] ** 2) + spin * float(np.linalg.norm(half)) + 9.81 * dt
    thesis = m.provenance["method"] == "thesis"
    fastest = np.maximum.accumulate(speed) if thesis else recent(speed)
    deep = float(np.max(-m["gap"] / (fastest * dt)))  # `gap` is that of the lowest foot
    rise = float(np.max(energy - np.minimum.accumulate(energy))) / scale
    error = float(np.abs(energy - energy[0] + lost).max()) / scale
    residual = m.provenance["residual"]
    bad = []
    if m.status not in ("finished", "doubtful"):  # what is doubted of it is judged here by itself
        bad.append(m.status)
    if deep > (SINKS if thesis else 1.0):
        bad.append("deep")
    if not residual <= (1e-8 if thesis else 1e-9):  # absolute, relative
        bad.append("unsolved")
    if taken > SECONDS:
        bad.append("hangs")
    counted = {name: m.provenance[name] for name in ("fallbacks", "halved_steps", "lowered_restitution", "residual")}
    return {"bad": bad, "deep": deep, "error": error, "rise": rise, "taken": taken} | counted


def _prepare(kind):
    prepare(*kind)


def _trial(case):
    return trial(*case)


def told(kind, found):
    """A line about the trials of a kind, and one about each of the first bad ones."""
    bad = [f for f in found if f["bad"]]
    most = {name: max(f[name] for f in found) for name in ("deep", "rise", "error", "taken")}
    total = {name: sum(f[name] for f in found) for name in ("fallbacks", "halved_steps", "lowered_restitution")}
    finer = ", ".join(f"{sum(f['finer'] == k for f in found)} with dt/{k}" for k in (4, 16, 64))
    yield (
        f"{kind[0]:12} {kind[1]:8} {kind[2]:9} bad {len(bad)} of {len(found)}; deepest {most['deep']:.2f} v dt, rise {most['rise']:.1e} "
        f"(checked: {finer}), account {most['error']:.1e}, fallbacks {total['fallbacks']}, halved {total['halved_steps']}, "
        f"lowered {total['lowered_restitution']}, slowest {most['taken']:.1f} s"
    )
    for f in bad[:6]:
        yield "    " + str({k: (float(f"{v:.4g}") if isinstance(v, float) else v) for k, v in f.items()})


def main():
    """All kinds, on several processes."""
    p = argparse.ArgumentParser(description="random motions by time stepping")
    p.add_argument("number", type=int, nargs="?", default=50)
    p.add_argument("first", type=int, nargs="?", default=0)
    p.add_argument("laws", type=lambda s: s.split(","), nargs="?", default=list(LAWS))
    p.add_argument("feet", type=lambda s: s.split(","), nargs="?", default=["lowest", "corners"])
    p.add_argument("schemes", type=lambda s: s.split(","), nargs="?", default=list(SCHEMES))
    p.add_argument("--workers", type=int, default=1)
    given = p.parse_args()
    kinds = [(law, feet) for law in given.laws for feet in given.feet]
    bad = 0
    with multiprocessing.get_context("spawn").Pool(given.workers) as pool:
        pool.map(_prepare, kinds, chunksize=1)  # each is compiled by one process; the others find it on disk
        kinds = [(*kind, scheme) for kind in kinds for scheme in given.schemes]
        cases = [(given.first + i, *kind) for kind in kinds for i in range(given.number)]
        results = pool.imap(_trial, cases, chunksize=5)
        for kind in kinds:
            found = [next(results) for _ in range(given.number)]
            bad += sum(bool(f["bad"]) for f in found)
            print(*told(kind, found), sep="\n", flush=True)
    print(f"{bad} bad of {len(cases)}")


if __name__ == "__main__":
    main()
