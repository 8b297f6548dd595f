"""Chatter by simulation: many random drops, and the restitution at which none of them chatters any more."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...kernel.compiled import compiled
from ...kernel.compiling import compiling
from ...kernel.names import InputError, whole
from ...kernel.renamed import renamed
from ...mechanics.plate import Plate, regular
from ...motion.impacts import loop as c
from ...motion.impacts.settle import PARTS, RESTS, settle_pair
from .spectrum import check

STILL, PARTIAL, LEAVES = 0, 1, 2  # still chattering after all impacts (CC), two points at rest (PCC), flies away (ICC)


@compiled
def drop(f, w, gamma, s, k, most, values, labels):
    """One drop without gravity: how it ends, with k[COUNT] impacts."""
    while True:
        code = c.collisions(f, w, gamma, 0.0, s, k, most - k[c.COUNT], math.inf, -1.0, True, values, labels)
        if code == c.PAIR:
            a, b = k[c.LAST], k[c.BEFORE]
            outcome, _, q, p = settle_pair(f, w, gamma, 0.0, (s[0], s[1], s[2]), (s[3], s[4], s[5]), a, b)
            if outcome == RESTS:  # unless the two are opposite, and nothing else moved
                whole = abs(s[3]) + abs(s[4]) + abs(s[5])
                return PARTIAL if abs(p[0]) + abs(p[1]) + abs(p[2]) > 1e-13 * whole else STILL
            if outcome == PARTS:
                s[0], s[1], s[2], s[3], s[4], s[5] = q[0], q[1], q[2], p[0], p[1], p[2]
            if k[c.COUNT] >= most:
                return STILL
        elif code == c.FULL or code == c.REST:
            return STILL
        else:
            return LEAVES


@compiled
def drops(f, w, gamma, starts, most, ends, counts):
    """Many drops from starts (q, p): how each ends, and after how many impacts."""
    s, k = np.empty(7), np.empty(c.INTEGERS, np.int64)
    values, labels = np.empty((0, c.COLUMNS)), np.empty((0, c.LABELS), np.int64)
    for i in range(starts.shape[0]):
        for j in range(6):
            s[j] = starts[i, j]
        s[6] = 0.0
        for j in range(c.INTEGERS):
            k[j] = 0
        k[c.LAST], k[c.BEFORE] = -1, -1
        ends[i] = drop(f, w, gamma, s, k, most, values, labels)
        counts[i] = k[c.COUNT]


@compiled
def drops_over(f, points, starts, most, ends, counts):
    """Drops of regular polygons with contact functionals f, for many pairs (rho, gamma); starts, ends and counts: points x drops."""
    w = np.empty_like(f)
    for i in range(points.shape[0]):
        square = points[i, 0] ** 2
        for j in range(f.shape[0]):
            mass = 1.0 / ((f[j, 0] ** 2 + f[j, 1] ** 2) / square + 1.0)
            w[j, 0], w[j, 1], w[j, 2] = mass * f[j, 0] / square, mass * f[j, 1] / square, mass
        drops(f, w, points[i, 1], starts[i], most, ends[i], counts[i])


def random_starts(count: int, rng: np.random.Generator) -> np.ndarray:
    """The thesis' drops: p = (R1, R2, -1), q = (R3, R4, 1 + R5), R uniform in (0, 0.1); one row (q, p) each."""
    R = rng.uniform(0.0, 0.1, (count, 5))
    one = np.ones(count)
    return np.column_stack([R[:, 2], R[:, 3], one + R[:, 4], R[:, 0], R[:, 1], -one])


def wide_starts(count: int, rng: np.random.Generator) -> np.ndarray:
    """Drops of all kinds: any tilt that keeps the circle round the body above the plane, and |omega|/|v| from nothing to infinity (a Cauchy law)."""
    reach, way = np.sqrt(rng.uniform(0.0, 1.0, count)), rng.uniform(0.0, 2.0 * math.pi, count)
    spin, axis = np.tan(0.5 * math.pi * rng.uniform(0.0, 1.0, count)), rng.uniform(0.0, 2.0 * math.pi, count)
    q = np.column_stack([reach * np.cos(way), reach * np.sin(way), np.ones(count)])
    return np.column_stack([q, spin * np.cos(axis), spin * np.sin(axis), -np.ones(count)])


def starts_for(plate: Plate, count: int, rng: np.random.Generator, wide: bool = False) -> np.ndarray:
    """Random drops of a plate of any size: heights and velocities in its own lengths; a rod does not turn about its axis."""
    starts = wide_starts(count, rng) if wide else random_starts(count, rng)
    starts[:, [2, 5]] *= max(math.hypot(x, y) for x, y in zip(plate.x, plate.y))
    if plate.count == 2 and not any(plate.y):
        starts[:, [0, 3]] = 0.0
    return starts


def own_starts(plate: Plate, starts: Any) -> np.ndarray:
    """Somebody's own starts, one row (phi_x, phi_y, h, omega_x, omega_y, v) each, checked: finite, and no point below the plane."""
    try:
        rows = np.atleast_2d(np.array(starts, float))
    except (TypeError, ValueError):
        rows = np.empty((0, 0))
    if rows.ndim != 2 or rows.shape[1] != 6 or not len(rows) or not np.all(np.isfinite(rows)):
        raise InputError("starts must be rows of six finite numbers (phi_x, phi_y, h, omega_x, omega_y, v), at least one.")
    low = (rows[:, :3] @ plate.f.T).min(axis=1)
    bad = np.flatnonzero(low < -1e-12 * np.abs(rows[:, :3]).max(axis=1))
    if bad.size:
        raise InputError(f"start {bad[0]} has a point {-low[bad[0]]:.3g} below the plane; raise its h or tilt it less.")
    if plate.count == 2 and not any(plate.y) and np.any(rows[:, [0, 3]]):
        raise InputError("a rod does not turn about its own axis here: leave phi_x and omega_x zero.")
    return np.ascontiguousarray(rows)


@renamed(most="max_impacts")
def outcomes(
    plate: Plate, gamma: float, *, count: int = 20, max_impacts: int = 200, seed: int = 1, starts: Any = None
) -> tuple[np.ndarray, np.ndarray]:
    """How drops end (0: still chattering, 1: PCC, 2: ICC), and after how many impacts.

    `starts`: your own, one row (phi_x, phi_y, h, omega_x, omega_y, v) each; otherwise `count` random ones of the thesis, by `seed`.
    """
    rows = starts_for(plate, count, np.random.default_rng(seed)) if starts is None else own_starts(plate, starts)
    return _run(plate, gamma, rows, max_impacts)


def _run(plate: Plate, gamma: float, starts: np.ndarray, max_impacts: int) -> tuple[np.ndarray, np.ndarray]:
    ends, counts = np.empty(len(starts), np.int64), np.empty(len(starts), np.int64)
    with compiling("random drops"):
        drops(np.ascontiguousarray(plate.f), np.ascontiguousarray(plate.w), float(gamma), starts, max_impacts, ends, counts)
    return ends, counts


@renamed(most="max_impacts")
def simulated_limit(
    n: int, rho: float, *, count: int = 30, max_impacts: int = 20_000, seed: int = 1, bits: int = 40, starts: Any = None
) -> float:
    """The restitution above which no random drop of a regular n-gon chatters any more, by bisection; 0 if none chatters.

    `starts`: your own, as for `outcomes`. Words that few starts lead to may chatter further; see `classify`.
    """
    check(n, rho)
    plate = regular(n, rho)
    rows = random_starts(count, np.random.default_rng(seed)) if starts is None else own_starts(plate, starts)
    low, high = 0.0, 1.0
    for _ in range(bits):
        middle = 0.5 * (low + high)
        chatters = bool(np.any(_run(plate, middle, rows, max_impacts)[0] != LEAVES))
        low, high = (middle, high) if chatters else (low, middle)
    return 0.5 * (low + high)


@renamed(most="max_impacts")
def chatter_map(
    n: int,
    rho: Any,
    gamma: Any,
    *,
    count: int = 20,
    max_impacts: int = 200,
    seed: int = 1,
    store: Any = None,
    progress: bool | None = None,
) -> Any:
    """How random drops of regular n-gons end over a grid of rho and gamma (Figs 3.8-3.10): shares of CC, PCC, ICC, and impacts.

    Each point has drops of its own, seeded by `seed` and its place in the grid. Returns an `xarray.Dataset`; see `grid_map` for `store`.
    """
    from ...ensemble.grid_map import grid_map

    check(n, 1.0)
    if np.size(rho) == 0 or np.size(gamma) == 0:
        raise InputError("a map needs at least one rho and one gamma.")
    seed = whole(seed, "seed")
    f = np.ascontiguousarray(regular(n, 1.0).f)

    def work(points: np.ndarray, first: int) -> np.ndarray:
        starts = np.stack([random_starts(count, np.random.default_rng([seed, first + i])) for i in range(len(points))])
        ends, counts = np.empty((len(points), count), np.int64), np.empty((len(points), count), np.int64)
        drops_over(f, np.ascontiguousarray(points), starts, max_impacts, ends, counts)
        shares = [np.mean(ends == e, axis=1) for e in (STILL, PARTIAL, LEAVES)]
        return np.column_stack([*shares, counts.mean(axis=1), counts.max(axis=1)])

    for name, values, low in (("rho", rho, 0.0), ("gamma", gamma, -1e-300)):
        if np.min(values) <= low or (name == "gamma" and np.max(values) > 1.0):
            allowed = "above zero" if name == "rho" else "between 0 and 1"
            raise InputError(f"{name} of the map runs from {np.min(values):g} to {np.max(values):g}; it must be {allowed}.")
    with compiling("random drops"):
        work(np.array([[0.3, 0.5]]), 0)
    about = {"n": int(n), "count": count, "max_impacts": max_impacts, "seed": seed}
    names = ("complete", "partial", "incomplete", "mean_impacts", "most_impacts")
    axes = {"rho": rho, "gamma": gamma}
    return grid_map(work, axes, names, about=about, store=store, progress=progress, title=f"chatter of a regular {n}-gon")
