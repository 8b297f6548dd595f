"""Pictures of collision sequences: heights of the points, energy against impacts, and which point is hit."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..kernel.names import InputError
from .curves import figure, save

COLOURS = ("#1f4e79", "#c0504d", "#5b8c3e", "#8064a2", "#d98032", "#3aa0a0", "#7f7f7f", "#b0528f")
FIRST = 80  # impacts whose points are shown
MOST_FLIGHTS = 400  # flights drawn as curves


def heights(c: Any) -> tuple[np.ndarray, np.ndarray]:
    """Times and heights of all points, with several instants in each flight."""
    t, places = places_along(c)
    return t, places @ c.plate.f.T


def places_along(c: Any) -> tuple[np.ndarray, np.ndarray]:
    """Times and q, with several instants in each flight."""
    q, p, flights = c.q, c.p_after, c.flight
    count = min(len(c), MOST_FLIGHTS)
    t, places = [0.0], [c.start[0]]
    here, speed, now = c.start[0], c.start[1], 0.0
    lasting = {h.impacts for h in c.happenings if h.kind in ("accumulation", "lasting contact")}
    for k in range(count):
        tau = float(flights[k])
        if k not in lasting:
            for s in np.linspace(0.0, tau, 12)[1:-1]:
                t.append(now + s)
                places.append(here + speed * s - np.array([0.0, 0.0, 0.5 * c.g * s * s]))
        now += tau
        t.append(now)
        places.append(q[k])
        here, speed = q[k], p[k]
    if len(c) <= MOST_FLIGHTS:
        scale = (c.end[0], c.end[2])
        t.append(max(c.end_time, now))
        places.append(np.ldexp(scale[0], scale[1]))
        if c.status == "ICC":
            more = 0.4 * max(now, 1e-300)
            t.append(t[-1] + more)
            places.append(places[-1] + np.ldexp(c.end[1], c.end[3]) * more - np.array([0.0, 0.0, 0.5 * c.g * more * more]))
    return np.array(t), np.array(places)


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
        f"{c.plate.count} contact points, gamma = {c.gamma:g}, g = {c.g:g}: {len(c)} impacts, {c.status}", loc="left", fontsize=10
    )
    k = np.arange(1, len(c) + 1)
    axes[1, 0].plot(k, (c.log_energy_after - c.log_energy_before[0]) / math.log(10.0), ".", color=COLOURS[0], markersize=3)
    axes[1, 0].set_ylabel("log10 E/E(0)")
    axes[1, 0].set_xlabel("impact")
    axes[2, 0].plot(k[:FIRST], c.point[:FIRST], ".-", color=COLOURS[1], markersize=4, linewidth=0.5)
    axes[2, 0].set_ylabel("point hit")
    axes[2, 0].set_xlabel("impact")
    axes[2, 0].yaxis.get_major_locator().set_params(integer=True)
    if path is not None:
        save(fig, path)
    return fig
