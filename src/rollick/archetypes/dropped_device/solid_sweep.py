"""Every orientation of a dropped body: which one is worst for a component."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...ensemble.grid_map import grid_map
from ...kernel.compiled import compiled
from ...kernel.names import InputError, number
from .bouncing import FOUND, IMPACTS, JUMP, MOST_IMPACTS, PEAK, STATUS, run_polyhedron
from .maps import finished
from .oscillator import reference_peak, resting_peak
from .polyhedron import Component
from .solid import Solid, attitude, bounce_rules
from .solid_result import later_peak
from .vertex_impact import body_energy

NAMES = ("R", "R_goyal", "R_bound", "impacts", "unfinished")


@compiled
def orientations(body, part, rules, height, low, attitudes, out):
    """R, R_Goyal, what R could still become, impacts, and whether there was no end of them, for drops at rest in many attitudes."""
    none, found, y = np.empty((0, 0)), np.empty(FOUND), np.empty(15)
    speed = math.sqrt(2.0 * rules.g * height)
    scale = reference_peak(speed, part.delta, part.Omega)
    for i in range(attitudes.shape[0]):
        for k in range(15):
            y[k] = 0.0
        y[2] = height
        for k in range(4):
            y[6 + k] = attitudes[i, k]
        run_polyhedron(body, part, rules, y, none, found)
        ring = resting_peak(y[13], y[14], 0.0, part.delta, part.Omega * part.Omega)[0]
        out[i, 0], out[i, 1] = max(found[PEAK], ring) / scale, found[JUMP] / speed
        left = body_energy(body, rules.g, y) - body.mass * rules.g * low
        out[i, 2] = max(out[i, 0], later_peak(body, part, rules.g, y, left, scale / speed) / scale)
        out[i, 3], out[i, 4] = found[IMPACTS], 1.0 if found[STATUS] >= MOST_IMPACTS else 0.0


def orientation_map(
    of: Solid,
    part: Component,
    height: Any = 1.0,
    *,
    gamma: Any = 0.3,
    mu: Any = 0.0,
    g: Any = 9.81,
    rows: int = 45,
    eps: Any = 1e-5,
    store: Any = None,
    workers: int | None = None,
    progress: bool | None = None,
) -> Any:
    """R over the body direction that points down at release, as an `xarray.Dataset` over latitude and longitude [deg] in the body.

    `rows` is the number of latitudes; there are twice as many longitudes. Where R_bound exceeds R, impacts accumulated at a vertex while there was
    energy left to topple (with friction only): R is a lower bound there.
    """
    rules = bounce_rules(of, gamma, mu, g, eps, 20.0, 4000)
    h = number(height, "height", "m")
    axes = {
        "latitude": -90.0 + 180.0 * (np.arange(rows) + 0.5) / rows,
        "longitude": -180.0 + 180.0 * (np.arange(2 * rows) + 0.5) / rows,
    }

    def work(points: np.ndarray, first: int) -> np.ndarray:
        out = np.empty((len(points), len(NAMES)))
        attitudes = np.array([attitude(of, down_direction(*p)) for p in points])
        orientations(of.body, part, rules, h, of.least_height, attitudes, out)
        return out

    about = {"height": h, **rules._asdict(), "moments": list(of.body.moments), "a": list(part.a), "d": list(part.d)}
    about |= {"Omega": part.Omega, "delta": part.delta, "vertices": of.body.vertices.ravel().tolist()}
    return grid_map(
        work, axes, NAMES, about=about, store=store, workers=workers, progress=progress, chunk=30, title="worst orientation"
    )


def down_direction(latitude: float, longitude: float) -> np.ndarray:
    """The body direction of a latitude (from the x-y plane towards z) and longitude, in degrees."""
    b, l = math.radians(latitude), math.radians(longitude)
    return np.array([math.cos(b) * math.cos(l), math.cos(b) * math.sin(l), math.sin(b)])


def worst(data: Any) -> tuple[float, np.ndarray]:
    """The largest R of a map, among drops that came to their end, and the body direction that points down there."""
    R = finished(data)
    if np.isnan(R).all():
        raise InputError("no drop of this map came to its end; lower the restitution, or drop from less high.")
    i, j = np.unravel_index(int(np.nanargmax(R)), R.shape)
    return float(R[i, j]), down_direction(float(data["latitude"][i]), float(data["longitude"][j]))


def sphere_panel(ax: Any, data: Any, name: str = "R", top: float = 3.0) -> Any:
    """A map on the sphere of body directions; `ax` has the projection "mollweide"."""
    lon, lat = np.radians(data["longitude"].values), np.radians(data["latitude"].values)
    ax.set_facecolor("0.75")  # drops that did not come to their end
    field = ax.pcolormesh(
        lon, lat, np.clip(finished(data, name), 0.0, top), vmin=0.0, vmax=top, cmap="viridis", shading="nearest", rasterized=True
    )
    ax.set_xticks(np.radians([-120, -60, 0, 60, 120]))
    ax.set_yticks(np.radians([-60, -30, 0, 30, 60]))
    ax.tick_params(labelsize=7, colors="0.3")
    ax.tick_params(axis="x", colors="white")
    ax.grid(True, color="white", linewidth=0.4, alpha=0.5)
    return field


def sphere_figure(maps: list[tuple[Any, str]], top: float | None = None, path: Any = None) -> Any:
    """Maps over all orientations side by side, each (map, title), with one colour bar."""
    from ...plotting import finished as drawn
    from ...plotting import sheet

    most = top if top is not None else float(np.nanquantile(np.concatenate([finished(m).ravel() for m, _ in maps]), 0.995))
    columns = min(len(maps), 2)
    rows = -(-len(maps) // columns)
    fig = sheet(5.2 * columns + 0.8, 2.9 * rows + 0.3)
    axes = []
    for k, (data, title) in enumerate(maps):
        axes.append(fig.add_subplot(rows, columns, k + 1, projection="mollweide"))
        field = sphere_panel(axes[-1], data, "R", most)
        axes[-1].set_title(title, fontsize=10)
    fig.colorbar(field, ax=axes, label="R over the body direction that points down", extend="max", shrink=0.85)
    return drawn(fig, path)
