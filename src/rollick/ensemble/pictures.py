"""Pictures of many motions: curves and maps over a grid, histograms and scatter over samples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..kernel.names import InputError, choose

COLOURS = ("#1f4e79", "#d9a441", "#5b8c5a", "#b5562a", "#7a5195", "#4ba3a3", "#c06c84", "#8c7853")
LEFT = "#f2f2f2"  # where there is no value
MOST = 4  # rows and columns of scatter


def draw_grid(
    axes: Mapping[str, np.ndarray], values: Mapping[str, np.ndarray], units: Mapping[str, str], title: str, path: Any = None
) -> Any:
    """Values over one axis as curves, over two as coloured maps; returns the figure."""
    from ..view.curves import figure, save

    def label(name: str) -> str:
        return f"{name} [{units[name]}]" if units.get(name) else name

    if len(axes) == 1:
        ((a, x),) = axes.items()
        fig, panels = figure(len(values), 1, width=7.0, height=2.6, sharex=True)
        for ax, (name, v) in zip(panels[:, 0], values.items()):
            ax.plot(x, v, "-", color=COLOURS[0], linewidth=1.2, marker="." if x.size < 80 else None)
            ax.set_ylabel(label(name))
        panels[-1, 0].set_xlabel(label(a))
    else:
        (a, x), (b, y) = axes.items()
        fig, panels = figure(1, len(values), width=1.0 + 5.0 * len(values), height=4.2)
        for ax, (name, v) in zip(panels[0], values.items()):
            ax.grid(False)
            ax.set_facecolor(LEFT)
            drawn = ax.pcolormesh(x, y, np.ma.masked_invalid(v).T, shading="nearest", cmap="viridis", rasterized=True)
            fig.colorbar(drawn, ax=ax, label=label(name))
            ax.set_xlabel(label(a))
            ax.set_ylabel(label(b))
    panels[0, 0].set_title(title, loc="left", fontsize=10)
    if path is not None:
        save(fig, path)
    return fig


def plot_ensemble(found: Any, names: tuple[str, ...] = (), path: Any = None) -> Any:
    """What was kept, over the grid; or its distribution over samples, and how it hangs together with what varies."""
    members, labels = found.task.members, found.task.keep.labels
    shown = [choose(name, labels, "quantity kept of the ensemble") for name in names] or labels[:MOST]
    if not shown:
        raise InputError("only paths were kept, which are not drawn here; they are in data.")
    columns = {name: found.found.values[:, labels.index(name)] for name in shown}
    units = {m.label: found.data[_of(found, m.label)].attrs.get("units", "") for m in found.task.keep.measures} | found.units
    title = f"ensemble of {found.title}"
    numeric = all(v.dtype != object for v in members.dims.values())
    if "member" not in members.dims and len(members.dims) in (1, 2) and numeric:
        return draw_grid(members.dims, {n: v.reshape(members.shape) for n, v in columns.items()}, units, title, path)
    varied = {name: v for name, v in members.columns.items() if v.dtype != object}
    return draw_scatter(dict(list(varied.items())[: MOST - 1]), columns, units, title, path)


def _of(found: Any, label: str) -> str:
    return label if label in found.data.data_vars else f"{label}_end"


def draw_scatter(
    varied: Mapping[str, np.ndarray], values: Mapping[str, np.ndarray], units: Mapping[str, str], title: str, path: Any = None
) -> Any:
    """For each value its histogram, and what it is over each number that varies; returns the figure."""
    from ..view.curves import figure, save

    def label(name: str) -> str:
        return f"{name} [{units[name]}]" if units.get(name) else name

    fig, panels = figure(len(values), 1 + len(varied), width=2.8 * (1 + len(varied)), height=2.5)
    for row, (name, v) in zip(panels, values.items()):
        good = np.isfinite(v)
        row[0].hist(v[good], bins=min(60, max(8, int(np.sqrt(max(1, good.sum()))))), color=COLOURS[0])
        row[0].set_xlabel(label(name))
        row[0].set_ylabel("members")
        for ax, (other, x) in zip(row[1:], varied.items()):
            ax.plot(x[good], v[good], ".", color=COLOURS[0], markersize=2, alpha=0.6, rasterized=True)
            ax.set_xlabel(label(other))
            ax.set_ylabel(label(name))
    panels[0, 0].set_title(title, loc="left", fontsize=10)
    if path is not None:
        save(fig, path)
    return fig
