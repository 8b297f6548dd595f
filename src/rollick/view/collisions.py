"""Pictures of collision sequences: heights of the points, energy against impacts, and which point is hit."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..kernel.names import InputError
from ..kernel.palette import COLOURS
from ..plotting import figure, finished

FIRST = 80  # impacts whose points are shown
MOST_FLIGHTS, MOST_IMPACTS, EVEN = 400, 4000, 2000  # flights drawn with instants between, impacts drawn, evenly spaced instants


def heights(c: Any) -> tuple[np.ndarray, np.ndarray]:
    """Times and heights of all points from the start to the end: impacts, instants between them, and evenly spaced ones."""
    last = end_of(c)
    hits = thinned(c.t, MOST_IMPACTS)
    edges = np.concatenate([[0.0], hits, [last]])
    between = [edges]
    if len(c) <= MOST_FLIGHTS:
        between = [edges[:-1] + s * np.diff(edges) for s in np.linspace(0.0, 1.0, 12)[:-1]]
    t = np.unique(np.concatenate([*between, np.linspace(0.0, last, EVEN)]))
    return t, c.at(t)[:, :3] @ c.plate.f.T


def thinned(x: Any, most: int) -> Any:
    """At most so many of the entries, evenly chosen, the first and the last among them."""
    return x if len(x) <= most else x[np.unique(np.linspace(0, len(x) - 1, most).astype(int))]


def end_of(c: Any) -> float:
    """The last instant that is shown: a body that flies away is followed a little further."""
    last = max(float(c.end_time), float(c.t[-1]) if len(c) else 0.0)
    return 1.4 * last if c.status == "ICC" else last


def energy_at(c: Any, times: np.ndarray) -> np.ndarray:
    """The energy over the first one, at any instants: it changes at impacts only."""
    if not len(c):
        return np.ones(len(times))
    known = np.concatenate([[0.0], c.log_energy_after - c.log_energy_before[0]])
    return np.exp(known[np.searchsorted(c.t, times, side="right")])


def plot_collisions(c: Any, path: Any = None) -> Any:
    """Heights over time, energy over impacts, and the word of points."""
    if not len(c):
        raise InputError("there is no impact to draw; start with a point that approaches the plane.")
    fig, axes = figure(3, height=2.4)
    t, h = heights(c)
    for j in range(h.shape[1]):
        axes[0, 0].plot(
            t, h[:, j], color=COLOURS[j % len(COLOURS)], linewidth=0.9, label=f"point {j}" if h.shape[1] <= 8 else None
        )
    axes[0, 0].set_xlabel("t [s]")
    axes[0, 0].set_ylabel("height [m]")
    if h.shape[1] <= 8:
        axes[0, 0].legend(fontsize=8, ncols=4, frameon=False)
    axes[0, 0].set_title(
        f"{f'{c.model}: ' if c.model else ''}{c.plate.count} contact points, gamma = {c.gamma:g}, g = {c.g:g}: {len(c)} impacts, {c.status}",
        loc="left",
        fontsize=10,
    )
    k = np.arange(1, len(c) + 1)
    axes[1, 0].plot(k, (c.log_energy_after - c.log_energy_before[0]) / math.log(10.0), ".", color=COLOURS[0], markersize=3)
    axes[1, 0].set_ylabel("log10 E/E(0)")
    axes[1, 0].set_xlabel("impact")
    axes[2, 0].plot(k[:FIRST], c.point[:FIRST], ".-", color=COLOURS[1], markersize=4, linewidth=0.5)
    axes[2, 0].set_ylabel("point hit")
    axes[2, 0].set_xlabel("impact" if len(c) <= FIRST else f"impact (the first {FIRST})")
    axes[2, 0].yaxis.get_major_locator().set_params(integer=True)
    return finished(fig, path)
