"""Irregular motion under gravity: exponents measured from many random drops, for one disk or over a map of (rho, gamma) (section 4.3)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...analysis.chatter.simulated import own_starts
from ...ensemble.grid_map import grid_map
from ...kernel.compiling import compiling
from ...kernel.names import InputError, number, whole
from ...kernel.renamed import renamed
from ...mechanics.plate import regular
from ...motion.result.protocol import Result
from .disk import Disk, disk
from .runs import ENDINGS, LEFT, ONE_POINT, RATTLES, TWO_POINTS, WHAT, drop_runs

PART = (0.3, 0.8)  # of the impacts: what the line is fitted to
MAP = ("c", "spread", "least", "most_c", "rattling", "one_point", "two_points", "left", "regular", "periodic")


def random_starts(runs: int, seed: Any) -> np.ndarray:
    """q = (0.001 X3, 0.001 X4, 1), p = (0.1 X1, 0.1 X2, -1) with X even in [-1/2, 1/2] (section 4.3.2), one row (q, p) each."""
    for part in np.atleast_1d(seed):
        whole(part, "seed")
    X = np.random.default_rng(seed).uniform(-0.5, 0.5, (runs, 4))
    one = np.ones(runs)
    return np.column_stack([0.001 * X[:, 2], 0.001 * X[:, 3], one, 0.1 * X[:, 0], 0.1 * X[:, 1], -one])


def followed(d: Disk, starts: np.ndarray, max_impacts: int, g: float, part: tuple[float, float] = PART) -> np.ndarray:
    """One row of WHAT for each start."""
    body = regular(d.n, d.rho)
    out = np.empty((len(starts), len(WHAT)))
    f, w = np.ascontiguousarray(body.f), np.ascontiguousarray(body.w)
    drop_runs(f, w, body.theta, d.gamma, g, np.ascontiguousarray(starts, float), max_impacts, part[0], part[1], out)
    return out


@dataclass(frozen=True, repr=False)
class Exponents(Result):
    """Measured exponents of many drops: `e.c`, `e.spread`, `e.shares`, `e.table` (one row of `WHAT` each)."""

    disk: Disk
    g: float
    max_impacts: int
    seed: int
    table: np.ndarray

    status = "finished"
    complete = True
    has_page = False

    @property
    def message(self) -> str:
        """One sentence."""
        return f"{int(self.rattling.sum())} of {len(self.table)} drops rattle on to the end; the others have no exponent."

    @property
    def ending(self) -> np.ndarray:
        """How each drop ended, a number of `ENDINGS`."""
        return self.table[:, 0].astype(int)

    @property
    def rattling(self) -> np.ndarray:
        """The drops that have an exponent: impacts at changing points until the last one allowed."""
        return (self.ending == RATTLES) & np.isfinite(self.table[:, 2])

    @property
    def all_c(self) -> np.ndarray:
        """The exponents of the drops that rattle on."""
        return self.table[self.rattling, 2]

    @property
    def c(self) -> float:
        """Their mean; nan without any."""
        return float(self.all_c.mean()) if self.rattling.any() else math.nan

    @property
    def spread(self) -> float:
        """Their standard deviation; nan without any."""
        return float(self.all_c.std()) if self.rattling.any() else math.nan

    @property
    def shares(self) -> dict[str, float]:
        """The share of drops by ending."""
        return {name: float(np.mean(self.ending == i)) for i, name in enumerate(ENDINGS)}

    @property
    def periods(self) -> dict[int, int]:
        """How many of the rattling drops end in a word of steps of which period (1: round and round; 0: none up to 24)."""
        values, counts = np.unique(self.table[self.rattling, 8].astype(int), return_counts=True)
        return {int(v): int(k) for v, k in zip(values, counts)}

    @property
    def data(self) -> Any:
        """All drops as an `xarray.Dataset`."""
        import xarray as xr

        units = {"c": "1", "misfit": "1", "decades": "1"}
        found = {name: ("run", self.table[:, i], {"units": units.get(name, "1")}) for i, name in enumerate(WHAT)}
        about = {
            **self.disk._asdict(),
            "g": self.g,
            "max_impacts": self.max_impacts,
            "seed": self.seed,
            "endings": ", ".join(ENDINGS),
        }
        return xr.Dataset(found, attrs={"format": "rollick exponents 1", **about})

    def plot(self, *names: str, path: Any = None) -> Any:
        """The distribution of c, and how the drops ended; returns the figure."""
        from .pictures import exponents_figure

        return exponents_figure(self, path)

    def parameters(self) -> dict[str, Any]:
        """The disk, and gravity."""
        return {**self.disk._asdict(), "g": self.g}

    def own_numbers(self) -> dict[str, Any]:
        """The disk, the exponents, and how the drops ended."""
        return {
            **self.disk._asdict(),
            "g": self.g,
            "max_impacts": self.max_impacts,
            "seed": self.seed,
            "c": self.c if math.isfinite(self.c) else None,
            "spread": self.spread if math.isfinite(self.spread) else None,
            "shares": self.shares,
            "periods": self.periods,
            "all_c": self.all_c.tolist(),
        }

    def summary(self) -> str:
        """What was found, in a few lines."""
        d = self.disk
        lines = [
            f"{len(self.table)} drops of a disk with n = {d.n}, rho = {d.rho:g}, gamma = {d.gamma:g}, g = {self.g:g}, {self.max_impacts} impacts each"
        ]
        lines += [f"  {name:<24} {100 * share:5.1f} %" for name, share in self.shares.items() if share > 0.0]
        if self.rattling.any():
            lines.append(
                f"exponent   c = {self.c:.4f}, standard deviation {self.spread:.4f}, from {self.all_c.min():.4f} to {self.all_c.max():.4f}"
            )
            words = ", ".join(f"{k} x {'no period' if v == 0 else f'period {v}'}" for v, k in self.periods.items())
            lines.append(f"steps      {words}")
        else:
            lines.append("exponent   none: every drop ends in an accumulation at one or two points")
        return "\n".join(lines)


@renamed(most="max_impacts")
def exponents(
    n: Any,
    rho: Any,
    gamma: Any,
    *,
    runs: int = 100,
    max_impacts: int = 600,
    g: float = 1.0,
    seed: int = 0,
    part: tuple[float, float] = PART,
    starts: Any = None,
) -> Exponents:
    """Drop a disk many times and fit c of E ~ (t_f - t)^c to each drop.

    Parameters
    ----------
    n, rho, gamma: the disk.
    runs: drops, from the random starts of section 4.3.2.
    max_impacts: impacts of each.
    part: the part of the impacts the line is fitted to.
    starts: your own, one row (phi_x, phi_y, h, omega_x, omega_y, v) each, instead of `runs` random ones.
    """
    d = disk(n, rho, gamma)
    if d.gamma == 0.0:
        raise InputError(
            "gamma = 0 leaves points in contact from the first impact on; there is no sequence to fit. Give gamma above 0."
        )
    if int(runs) != runs or runs < 1:
        raise InputError(f"runs = {runs!r} must be a whole number, 1 or more.")
    if int(max_impacts) != max_impacts or max_impacts < 100:
        raise InputError(f"max_impacts = {max_impacts!r} must be a whole number, 100 or more, for a line to be fitted.")
    if not 0.0 <= part[0] < part[1] <= 1.0:
        raise InputError(f"part = {part!r} must be two numbers, 0 <= first < second <= 1.")
    g = number(g, "g")
    rows = random_starts(int(runs), seed) if starts is None else own_starts(d.plate, starts)
    with compiling("the drops of a disk"):
        table = followed(d, rows, int(max_impacts), g, part)
    return Exponents(d, g, int(max_impacts), int(seed), table)


@renamed(most="max_impacts")
def exponent_map(
    n: int,
    rho: Any,
    gamma: Any,
    *,
    runs: int = 100,
    max_impacts: int = 600,
    g: float = 1.0,
    seed: int = 0,
    store: Any = None,
    workers: int | None = None,
    progress: bool | None = None,
) -> Any:
    """Mean exponents and shares over a grid of (rho, gamma), an `xarray.Dataset` of `MAP` (Fig. 4.7); resumed from `store`."""

    def work(points: np.ndarray, first: int) -> np.ndarray:
        found = np.empty((len(points), len(MAP)))
        for i, (r, e) in enumerate(points):
            d = Disk(n, float(r), float(e))
            x = Exponents(d, g, max_impacts, seed, followed(d, random_starts(runs, [seed, first + i]), max_impacts, g))
            c, period = x.all_c, x.table[x.rattling, 8]
            some = c.size > 0
            found[i] = (
                x.c,
                x.spread,
                c.min() if some else math.nan,
                c.max() if some else math.nan,
                np.mean(x.rattling),
                np.mean(x.ending == ONE_POINT),
                np.mean(x.ending == TWO_POINTS),
                np.mean(x.ending == LEFT),
                np.mean(period == 1) if some else math.nan,
                np.mean(period > 0) if some else math.nan,
            )
        return found

    about = {"n": n, "runs": runs, "max_impacts": max_impacts, "g": g, "seed": seed, "what": "exponents of a rattling disk"}
    with compiling("the drops of a disk"):
        followed(Disk(n, 0.3, 0.3), random_starts(1, 0), 100, g)
    axes = {"rho": rho, "gamma": gamma}
    return grid_map(work, axes, MAP, about=about, store=store, workers=workers, progress=progress, title="exponents")
