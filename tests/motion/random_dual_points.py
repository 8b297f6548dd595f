"""Random bodies with two contacts: ellipsoids and balls of any inertia between two planes at any angle, against their regularised twins.

    python tests/motion/random_dual_points.py 200            seeds 0 ... 199
    python tests/motion/random_dual_points.py 1000 5000 --workers 15

Every motion must finish or end with one of the named endings; its energy must not grow; and in the middle of each of its modes the twin (friction over
slips of the size eps, for eps, eps/2, eps/4) must slip where it slips and roll where it rolls: slip that does not depend on eps, or falls with it. Slip below
20 eps is not judged: there the twin cannot tell.
"""

from __future__ import annotations

import argparse
import collections
import itertools
import multiprocessing
import time
import warnings

import numpy as np
from motion.judge.as_forms import AsForm
from motion.judge.jumps import at_rest

from rollick import Body, Coulomb, Ellipsoid, simulate, sliding
from rollick.mechanics.contact import gap
from rollick.mechanics.surfaces import wall
from rollick.motion.contact.by_address import MODES, ByAddress
from rollick.motion.filippov.algebra.code import contact_code
from rollick.motion.filippov.systems.twin import Twin

ENDINGS = ("finished", "ambiguous", "painleve", "contact_loss")
EPS = 1e-4  # m/s
SHORT = 2e-3  # s: a mode too short for the twin to follow
SPAN = 0.5


def random_case(seed):
    """A body between two planes, and a start with both contacts closed."""
    rng = np.random.default_rng(seed)
    axes = 0.1 * np.exp(rng.uniform(-0.7, 0.7, 3)) if rng.random() < 0.7 else np.full(3, 0.1)
    k = 0.0064 * rng.uniform(0.2, 1.0, 3)
    body = Body.from_inertia(1.0, (k[1] + k[2], k[0] + k[2], k[0] + k[1]), Ellipsoid(*axes))
    while True:
        normals = rng.normal(size=(2, 3))
        normals /= np.linalg.norm(normals, axis=1)[:, None]
        normals[:, 2] = np.abs(normals[:, 2])
        if abs(normals[0] @ normals[1]) < 0.9:
            break
    mu = rng.uniform(0.05, 0.9, 2)
    system = sliding(body, on=[(wall(tuple(n), (0, 0, 0)), Coulomb(m), 0.0) for n, m in zip(normals, mu)])
    q = rng.normal(size=4)
    y = np.zeros(13)
    y[3:7] = q / np.linalg.norm(q)
    for _ in range(3):
        gaps = np.array([gap(system, 0.0, y[:7], k) for k in range(2)])
        y[:3] -= normals.T @ np.linalg.solve(normals @ normals.T, gaps)
    y[7:10], y[10:13] = rng.normal(size=3), 8.0 * rng.normal(size=3)
    by_address = ByAddress(system, MODES)
    return system, at_rest(system, by_address.body, 0.0, y, (0, 1), ())


def slips(system, t, y):
    """|u| of both contacts."""
    from motion.judge.seen import view

    gamma = view(system, t, y).gamma
    return np.hypot(gamma[:, 1], gamma[:, 2])


def closed_modes(motion):
    """The modes with both contacts closed, from when to when."""
    modes = motion.provenance["methods"]
    ends = [t for _, t in modes[1:]] + [motion.end_time]
    return [(name, t, end) for (name, t), end in zip(modes, ends) if "O" not in name]


def twin_slips(system, start, times):
    """|u| of both contacts of the twin at some times, for eps and eps/4; None if the twin does not get there."""
    found = []
    for eps in (EPS, 0.25 * EPS):
        motion = simulate(
            Twin(system, eps, contact_code()),
            start,
            float(times[-1]),
            method="auto",
            rtol=1e-9,
            at=times,
            progress=False,
            wall_limit=60,
        )
        if motion.t.size < len(times):
            return None
        found.append([slips(system, t, y) for t, y in zip(motion.t, motion.y)])
    return np.array(found)


def checked(seed):
    """How a motion ended, its modes, and what is wrong with it."""
    warnings.simplefilter("ignore")
    system, start = random_case(seed)
    began = time.perf_counter()
    motion = simulate(system, start, SPAN, method=AsForm(), progress=False, wall_limit=60, dense=True)
    name, wrong = ">".join(name for name, _ in motion.provenance["methods"]), []
    if motion.status not in ENDINGS:
        wrong.append(f"ended as {motion.status}: {motion.message[:100]}")
    energy = motion["energy"]
    if energy.size > 1 and np.diff(energy).max() > 1e-8 * max(1.0, np.ptp(energy)):
        wrong.append(f"energy grows by {np.diff(energy).max():.2e} J")
    modes = [m for m in closed_modes(motion) if m[2] - m[1] > SHORT]
    if name.startswith(("SS", "RS", "SR", "RR")) and modes:
        whole = closed_modes(motion)
        whole = whole[: next((i for i, (a, b) in enumerate(itertools.pairwise(whole)) if b[1] != a[2]), len(whole) - 1) + 1]
        times = np.array([0.5 * (a + b) for n, a, b in whole if b - a > SHORT])
        letters = [n for n, a, b in whole if b - a > SHORT]
        if times.size:
            seen = twin_slips(system, start, times)
            if seen is None:
                wrong.append("the twin did not get there")
            else:
                for i, letter in enumerate(letters):
                    rolls = "".join("R" if seen[1, i, k] < 0.5 * seen[0, i, k] else "S" for k in range(2))
                    mine = slips(system, times[i], motion.at(times[i])[:13])
                    seen_by = [
                        k for k in range(2) if letter[k] == "R" or mine[k] > 20.0 * EPS
                    ]  # less slip than that is lost in eps
                    if any(rolls[k] != letter[k] for k in seen_by):
                        wrong.append(
                            f"at {times[i]:.6g} in {letter} the twin is in {rolls}: slips {seen[:, i].round(9).tolist()}"
                        )
                        break
    return seed, motion.status, name, wrong, time.perf_counter() - began


def main():
    """Run, and tell what was wrong."""
    parser = argparse.ArgumentParser()
    parser.add_argument("count", type=int)
    parser.add_argument("first", type=int, nargs="?", default=0)
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    seeds, endings, changes, bad, slowest = range(given.first, given.first + given.count), collections.Counter(), 0, 0, 0.0
    checked(given.first)  # compiles
    with multiprocessing.get_context("spawn").Pool(given.workers) as pool:
        for seed, status, name, wrong, seconds in pool.imap_unordered(checked, seeds, chunksize=4):
            endings[status] += 1
            changes += name.count(">")
            slowest = max(slowest, seconds)
            bad += bool(wrong)
            if wrong:
                print(seed, status, name[:60], f"{seconds:.1f} s", "; ".join(wrong)[:300], flush=True)
    print(f"{given.count} motions, {changes} changes of mode, {bad} wrong; slowest {slowest:.1f} s; {dict(endings)}")


if __name__ == "__main__":
    main()
