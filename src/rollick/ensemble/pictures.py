"""Pictures of many motions: curves and maps over a grid; histograms, scatter and pairs over samples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..kernel.names import InputError, choose
from ..kernel.palette import COLOURS
from .task import WORDS

LEFT = "#f2f2f2"  # where there is no value
MOST = 4  # rows and columns of scatter
MOST_PAIRS = 6
STATUS = "status"
KINDS = ("map", "histogram", "scatter", "pairs")


def labels_with(units: Mapping[str, str]) -> Any:
    """A function that names a quantity with its unit."""
    from ..plotting import label

    return lambda name: label(name, units.get(name, ""))


def draw_grid(
    axes: Mapping[str, np.ndarray], values: Mapping[str, np.ndarray], units: Mapping[str, str], title: str, path: Any = None
) -> Any:
    """Values over one axis as curves, over two as coloured maps (few whole numbers as so many colours); returns the figure."""
    from ..plotting import figure, finished

    label = labels_with(units)
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
            fill(fig, ax, x, y, v, label(name))
            ax.set_xlabel(label(a))
            ax.set_ylabel(label(b))
            for axis, places in ((ax.set_xscale, x), (ax.set_yscale, y)):
                if in_equal_ratios(places):
                    axis("log")
    panels[0, 0].set_title(title, loc="left", fontsize=10)
    return finished(fig, path)


def in_equal_ratios(places: np.ndarray) -> bool:
    """Whether values were spread in equal ratios, and not in equal steps."""
    if places.size < 3 or np.any(places <= 0.0) or places[-1] < 5.0 * places[0]:
        return False
    return bool(np.ptp(np.diff(np.log(places))) < 1e-6 * abs(np.log(places[-1] / places[0])))


def fill(fig: Any, ax: Any, x: np.ndarray, y: np.ndarray, v: np.ndarray, label: str) -> None:
    """One coloured map with its scale."""
    from matplotlib.colors import BoundaryNorm, ListedColormap

    known = np.unique(v[np.isfinite(v)])
    if 0 < known.size <= len(COLOURS) and np.all(known == np.round(known)):
        places = np.full(v.shape, np.nan)
        for k, value in enumerate(known):
            places[v == value] = k
        norm = BoundaryNorm(np.arange(known.size + 1) - 0.5, known.size)
        colours = ListedColormap(COLOURS[: known.size])
        drawn = ax.pcolormesh(x, y, np.ma.masked_invalid(places).T, shading="nearest", cmap=colours, norm=norm, rasterized=True)
        told = [WORDS[int(value)] if label == STATUS else f"{value:g}" for value in known]
        fig.colorbar(drawn, ax=ax, label=label, ticks=range(known.size)).ax.set_yticklabels(told)
        return
    drawn = ax.pcolormesh(x, y, np.ma.masked_invalid(v).T, shading="nearest", cmap="viridis", rasterized=True)
    fig.colorbar(drawn, ax=ax, label=label)


def plot_ensemble(found: Any, names: tuple[str, ...] = (), path: Any = None, kind: str | None = None) -> Any:
    """What was kept, over the grid; or its distribution over samples, and how it hangs together with what varies."""
    members, labels = found.task.members, found.task.keep.labels
    shown = [choose(name, [*labels, STATUS], "quantity kept of the ensemble") for name in names or found.shown] or labels[:MOST]
    if not shown:
        raise InputError("only paths were kept, which are not drawn here; they are in data.")
    columns = {name: _column(found, name) for name in shown}
    units = {m.label: found.data[_of(found, m.label)].attrs.get("units", "") for m in found.task.keep.measures} | found.units
    title = f"ensemble of {found.title}"
    gridded = (
        "member" not in members.dims and len(members.dims) in (1, 2) and all(v.dtype != object for v in members.dims.values())
    )
    kind = choose(kind, KINDS, "kind of picture") if kind is not None else "map" if gridded else "scatter"
    if kind == "map":
        if not gridded:
            raise InputError("a map needs a grid of one or two numbers; take kind='scatter', 'histogram' or 'pairs'.")
        return draw_grid(members.dims, {n: v.reshape(members.shape) for n, v in columns.items()}, units, title, path)
    varied = {name: v for name, v in members.columns.items() if v.dtype != object and np.ptp(v) > 0.0}
    if kind == "pairs":
        return draw_pairs({**varied, **{_free(n, varied): v for n, v in columns.items()}}, units, title, path)
    most = 0 if kind == "histogram" else MOST - 1
    return draw_scatter(dict(list(varied.items())[:most]), columns, units, title, path)


def _column(found: Any, name: str) -> np.ndarray:
    """What was kept under a name, of all members; how they ended, as the places of words."""
    if name == STATUS:
        return np.where(found.found.status < 0, np.nan, found.found.status)
    return found.found.values[:, found.task.keep.labels.index(name)]


def _free(name: str, taken: Any) -> str:
    return f"{name}_end" if name in taken else name


def _of(found: Any, label: str) -> str:
    return label if label in found.data.data_vars else f"{label}_end"


def bins_of(v: np.ndarray) -> int:
    """Bins of a histogram."""
    return min(60, max(8, int(np.sqrt(max(1, v.size)))))


def draw_scatter(
    varied: Mapping[str, np.ndarray], values: Mapping[str, np.ndarray], units: Mapping[str, str], title: str, path: Any = None
) -> Any:
    """For each value its histogram, and what it is over each number that varies; returns the figure."""
    from ..plotting import figure, finished

    label = labels_with(units)
    fig, panels = figure(len(values), 1 + len(varied), width=(6.0 if not varied else 2.8 * (1 + len(varied))), height=2.5)
    for row, (name, v) in zip(panels, values.items()):
        good = np.isfinite(v)
        row[0].hist(v[good], bins=bins_of(v[good]), color=COLOURS[0])
        row[0].set_xlabel(label(name))
        row[0].set_ylabel("members")
        for ax, (other, x) in zip(row[1:], varied.items()):
            ax.plot(x[good], v[good], ".", color=COLOURS[0], markersize=2, alpha=0.6, rasterized=True)
            ax.locator_params(axis="x", nbins=4)
            ax.set_xlabel(label(other))
            ax.set_ylabel(label(name))
    panels[0, 0].set_title(title, loc="left", fontsize=10)
    return finished(fig, path)


def draw_pairs(values: Mapping[str, np.ndarray], units: Mapping[str, str], title: str, path: Any = None) -> Any:
    """Each number against each other one, and its histogram on the diagonal; returns the figure."""
    from ..plotting import figure, finished

    label = labels_with(units)
    shown = dict(list(values.items())[:MOST_PAIRS])
    if len(shown) < 2:
        raise InputError(f"pairs need two numbers at least; there is only {', '.join(shown)}.")
    fig, panels = figure(len(shown), len(shown), width=1.0 + 2.2 * len(shown), height=2.1)
    for i, (below, y) in enumerate(shown.items()):
        for j, (beside, x) in enumerate(shown.items()):
            ax = panels[i, j]
            if j > i:
                ax.set_visible(False)
                continue
            good = np.isfinite(x) & np.isfinite(y)
            ax.locator_params(nbins=4)
            if i == j:
                ax.hist(x[good], bins=bins_of(x[good]), color=COLOURS[0])
                ax.set_yticks([])
            else:
                ax.plot(x[good], y[good], ".", color=COLOURS[0], markersize=2, alpha=0.6, rasterized=True)
            if i == len(shown) - 1:
                ax.set_xlabel(label(beside))
            if j == 0 and i > 0:
                ax.set_ylabel(label(below))
    panels[0, 0].set_title(title, loc="left", fontsize=10)
    return finished(fig, path)
