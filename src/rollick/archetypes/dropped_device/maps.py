"""Maps of the shock ratio over (rho, gamma), for one angle or for the worst of many (thesis Figs. 5.8-5.12)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...ensemble.grid_map import grid_map
from ...kernel.compiled import compiled
from ...kernel.names import InputError, number
from .device import Device, chatter_boundary, device
from .oscillator import reference_peak
from .sequence import FOUND, JUMP, PEAK, REACHED, STATUS, run_drop
from .settings import settings

NAMES = ("R", "R_goyal", "worst_phi", "worst_phi_goyal", "unfinished")
ANGLES = tuple(k * math.pi / 40 for k in range(1, 20))  # the thesis shows k = 1, 10, 19


@compiled
def worst_drops(points, r, Omega, delta, h0, angles, rules, out):
    """For each (rho, gamma): the largest R and R_Goyal over the angles, where they occur, and how many drops did not come to their end."""
    none, found, start = np.empty((0, 0)), np.empty(FOUND), np.zeros(6)
    speed = math.sqrt(2.0 * h0)
    scale = reference_peak(speed, delta, Omega)
    for i in range(points.shape[0]):
        for j in range(5):
            out[i, j] = 0.0
        dev = Device(points[i, 0], points[i, 1], r, Omega, delta)
        for k in range(angles.size):
            start[0], start[1] = h0, angles[k]
            run_drop(dev, rules, start, scale, none, none, found)
            if found[PEAK] / scale > out[i, 0]:
                out[i, 0], out[i, 2] = found[PEAK] / scale, angles[k]
            if found[JUMP] / speed > out[i, 1]:
                out[i, 1], out[i, 3] = found[JUMP] / speed, angles[k]
            if found[STATUS] > REACHED:
                out[i, 4] += 1.0


def shock_map(
    rho: Any = None,
    gamma: Any = None,
    *,
    phi0: Any = None,
    h0: Any = 10.0,
    r: Any = 0.0,
    alpha: Any = 1.0,
    d: Any = 10.0,
    store: Any = None,
    workers: int | None = None,
    progress: bool | None = None,
    eps: Any = 1e-7,
    max_impacts: int = 50_000,
    **choices: Any,
) -> Any:
    """R and R_Goyal over a grid of rho and gamma, as an `xarray.Dataset`.

    Parameters
    ----------
    rho, gamma: the axes (default: 100 values each between 0 and 1, cell centres).
    phi0: one angle, or several of which the worst counts (default: pi/40, 2 pi/40, ..., 19 pi/40).
    r, alpha, d, h0: the oscillator and the drop height (5.25), (5.27).
    store: a netCDF file that is written as the map grows, and resumed if it exists.
    eps: as for `drop`; 1e-7 leaves R correct to six digits or more and saves a third of the impacts.
    choices: as for `drop`. A drop that has not come to rest after max_impacts counts in `unfinished`; R is a lower bound there, see `finished`.
    """
    axes = {"rho": default_axis() if rho is None else rho, "gamma": default_axis() if gamma is None else gamma}
    for name, values in axes.items():
        given = np.atleast_1d(np.asarray(values, float))
        if given.min() < 0.0 or given.max() > 1.0 or (name == "rho" and given.min() == 0.0):
            raise InputError(f"the axis {name} must lie between 0 and 1; got {given.min():g} .. {given.max():g}.")
    angles = np.atleast_1d(np.array([number(a, "phi0", "rad") for a in np.atleast_1d(ANGLES if phi0 is None else phi0)]))
    height = number(h0, "h0")
    if height < np.abs(np.sin(angles)).max():
        raise InputError(f"h0 = {height:g} puts an end below the floor; take at least 1.")
    chosen = settings(eps=eps, max_impacts=max_impacts, **choices)
    one = device(0.5, 0.5, r, alpha, d)  # checks the oscillator
    rules = chosen.rules()

    def work(points: np.ndarray, first: int) -> np.ndarray:
        out = np.empty((len(points), len(NAMES)))
        worst_drops(np.ascontiguousarray(points), one.r, one.Omega, one.delta, height, angles, rules, out)
        return out

    about = {"r": one.r, "alpha": one.alpha, "d": one.d, "h0": height, "phi0": angles.tolist(), **chosen.as_dict()}
    title = "shock ratio R over (rho, gamma)"
    return grid_map(work, axes, NAMES, about=about, store=store, workers=workers, progress=progress, chunk=50, title=title)


def finished(data: Any, name: str = "R") -> np.ndarray:
    """A quantity of a map where every drop came to its end; nan at the other points, whose values are lower bounds or worse."""
    return np.where(data["unfinished"].values > 0, np.nan, data[name].values)


def span(values: np.ndarray) -> tuple[float, float] | None:
    """The least and the largest of the values that are known and finite; None if none is."""
    known = values[np.isfinite(values)]
    return (float(known.min()), float(known.max())) if known.size else None


def default_axis(count: int = 100) -> np.ndarray:
    """Cell centres of a division of 0..1."""
    return (np.arange(count) + 0.5) / count


def chatter_region(data: Any) -> np.ndarray:
    """Where (B.8) holds on the grid of a map, shape (rho, gamma)."""
    return data["rho"].values[:, None] <= chatter_boundary(data["gamma"].values)[None, :]
