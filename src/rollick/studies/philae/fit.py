"""Which angular velocities after the first touchdown fit the measured Sun: the map of the fit over a grid, and the set that is accepted.

The thesis varies omega_x and omega_y in [-0.5, 1] and omega_z in [-0.3, 0.3] rad/s in steps of 0.015 rad/s, accepts what has
EMD < 1.1 EMD_min (6.17), and finds four straight lines (6.18)-(6.21).

Two tests say what the data can decide at all. `sampling_spread` tells how large the EMD of 18 measurements is by chance alone. `count_test`
uses what the EMD leaves out: 18 of the 23 rows between TD1 and C1 show the Sun, so that a flight in which it could rarely be found is unlikely.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...archetypes.lander.equations import state
from ...archetypes.lander.lander import WHEEL_SPEED, Lander
from ...archetypes.lander.sun import distribution_of, reconstructible
from ...archetypes.lander.telemetry import event_times, times
from ...archetypes.lander.tracks import states_along, suns
from ...archetypes.lander.tumbling import DURATION, NAMES, first_sun, judge, seen_after_td1
from ...ensemble.grid_map import grid_map
from ...kernel.names import InputError

RANGES = {"omega_x": (-0.5, 1.0), "omega_y": (-0.5, 1.0), "omega_z": (-0.3, 0.3)}
STEP = 0.015
ACCEPT = 1.1


def axes_of(step: float) -> dict[str, np.ndarray]:
    """The grid of the thesis with another step."""
    if not 0.0 < step <= 0.3:
        raise InputError(f"step = {step!r} must lie between 0 and 0.3 rad/s; the thesis has 0.015.")
    return {name: low + step * np.arange(round((high - low) / step) + 1) for name, (low, high) in RANGES.items()}


def fit_map(
    step: float = STEP,
    *,
    lander: Lander | None = None,
    s0: Any = None,
    spin: float = WHEEL_SPEED,
    dark: float = 0.0,
    axes: Any = None,
    store: Any = None,
    workers: int | None = None,
    progress: bool | None = None,
) -> Any:
    """EMD, E_DF, share of findable directions and precession amplitude over a grid of angular velocities at row 214, as a Dataset."""
    body = Lander() if lander is None else lander
    start = np.asarray(first_sun() if s0 is None else s0, float)
    seen_after_td1()
    about = {"lander": list(body), "s0": start.tolist(), "spin": spin, "duration": DURATION, "dark": dark}
    work = lambda points, first: judge(body, points, s0=start, spin=spin, dark=dark)
    grid = axes_of(step) if axes is None else axes
    work(np.zeros((1, 3)), 0)  # compiled before the threads start
    found = grid_map(
        work, grid, NAMES, about=about, store=store, workers=workers, progress=progress, chunk=64, title="fit of the tumbling"
    )
    for name in grid:
        found[name].attrs["units"] = "rad/s"
    return found


def minima(found: Any, name: str = "emd", most: int = 40) -> np.ndarray:
    """The grid points at which a quantity is not larger than at its 26 neighbours, best first; rows of (omega_x, omega_y, omega_z)."""
    from scipy.ndimage import minimum_filter

    values = found[name].values
    low = np.flatnonzero((values <= minimum_filter(values, 3, mode="nearest")).ravel())
    order = low[np.argsort(values.ravel()[low])][:most]
    where = np.unravel_index(order, values.shape)
    return np.stack([found[axis].values[i] for axis, i in zip(RANGES, where)], axis=1)


def refine(
    body: Lander, points: np.ndarray, step: float, levels: int = 3, column: int = 0, **options: Any
) -> tuple[np.ndarray, np.ndarray]:
    """Better points near given ones: the best of the 27 on ever finer small grids. Returns points and the four numbers there."""
    cube = np.stack(np.meshgrid(*[(-1.0, 0.0, 1.0)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    low, high = (np.array([r[i] for r in RANGES.values()]) for i in (0, 1))
    best = np.array(points, float)
    values = judge(body, best, **options)
    for level in range(1, levels + 1):
        tried = np.clip(best[:, None] + 0.5**level * step * cube, low, high)
        numbers = judge(body, tried.reshape(-1, 3), **options).reshape(len(best), len(cube), len(NAMES))
        pick = numbers[:, :, column].argmin(axis=1)
        rows = np.arange(len(best))
        best, values = tried[rows, pick], numbers[rows, pick]
    return best, values


@dataclass(frozen=True)
class Line:
    """A straight line of angular velocities: a point, a unit direction, and the mean distance of its points."""

    point: np.ndarray
    direction: np.ndarray
    distance: float
    count: int


def distance_to(line: Line, points: np.ndarray) -> np.ndarray:
    """The distances of points from a line."""
    d = points - line.point
    return np.linalg.norm(d - np.outer(d @ line.direction, line.direction), axis=1)


def fit_line(points: np.ndarray, rounds: int = 50) -> Line:
    """The line with the least sum of distances to points (iteratively reweighted principal axis)."""
    weights = np.ones(len(points))
    for _ in range(rounds):
        centre = np.average(points, axis=0, weights=weights)
        _, _, axes = np.linalg.svd((points - centre) * np.sqrt(weights)[:, None], full_matrices=False)
        line = Line(centre, axes[0] if axes[0][2] >= 0.0 else -axes[0], 0.0, len(points))
        apart = distance_to(line, points)
        weights = 1.0 / np.maximum(apart, 1e-4)
    return Line(line.point, line.direction, float(apart.mean()), len(points))


def fit_lines(points: np.ndarray, count: int = 4, seed: int = 0, tries: int = 60) -> list[Line]:
    """So many lines through points, each point belonging to the nearest; the best of many random beginnings."""
    rng = np.random.default_rng(seed)
    best: tuple[float, list[Line]] = (np.inf, [])
    for _ in range(tries):
        lines = []
        for _ in range(count):
            a, b = points[rng.choice(len(points), 2, replace=False)]
            way = b - a
            lines.append(Line(a, way / max(np.linalg.norm(way), 1e-12), 0.0, 2))
        for _ in range(30):
            owner = np.argmin([distance_to(line, points) for line in lines], axis=0)
            new = [fit_line(points[owner == j], 10) if (owner == j).sum() >= 3 else lines[j] for j in range(count)]
            moved = max(
                float(np.abs(a.point - b.point).max() + np.abs(a.direction - b.direction).max()) for a, b in zip(new, lines)
            )
            lines = new
            if moved < 1e-9:
                break
        cost = float(np.min([distance_to(line, points) for line in lines], axis=0).sum())
        if cost < best[0]:
            best = cost, lines
    return sorted(best[1], key=lambda line: -line.count)


def count_test(share: Any) -> np.ndarray:
    """The probability that at least as many rows show the Sun as did (18 of 23), in flights in which a share of the directions can be found."""
    from scipy.stats import binom

    rows = int(((times() > event_times()["TD1"]) & (times() < event_times()["C1"])).sum())
    return binom.sf(seen_after_td1().z.size - 1, rows, np.asarray(share, float))


def accepted(found: Any, factor: float = ACCEPT, level: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """The grid points with EMD < factor EMD_min (6.17), and their EMD; only those that pass the count test at a level."""
    emd = np.where(count_test(found["seen"].values) >= level, found["emd"].values, np.inf)
    where = np.nonzero(emd < factor * np.nanmin(emd))
    return np.stack([found[axis].values[i] for axis, i in zip(RANGES, where)], axis=1), emd[where]


def sampling_spread(
    body: Lander, omega: Any, count: int | None = None, draws: int = 400, seed: int = 0, s0: Any = None
) -> np.ndarray:
    """The EMD of so many measurements taken at random instants of the flight itself, sorted: what chance alone does to a true model.

    `count` is the number of measurements (default: as many as there are). A flight is at odds with the data only if its EMD lies far up
    in this distribution.
    """
    data = seen_after_td1()
    number = data.z.size if count is None else count
    start = first_sun() if s0 is None else s0
    s = suns(states_along(body, state(start, omega), 0.5, 2 * DURATION, substeps=1))
    z = np.sort(s[reconstructible(distribution_of(s)), 2])
    if z.size < number:
        raise InputError(f"in this flight only {z.size} directions of the Sun could be found; choose another angular velocity.")
    rng = np.random.default_rng(seed)
    drawn = z[rng.integers(0, z.size, (draws, number))]
    edges = np.linspace(-1.0, 1.0, 4001)
    whole = np.searchsorted(z, edges, side="right") / z.size
    part = np.array([np.searchsorted(np.sort(row), edges, side="right") / number for row in drawn])
    return np.sort(0.5 * np.abs(part - whole).sum(axis=1) * (edges[1] - edges[0]))
