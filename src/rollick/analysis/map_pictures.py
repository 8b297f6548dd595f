"""Pictures of basins of attraction and of charts."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ensemble.pictures import LEFT, draw_grid
from ..kernel.names import InputError, choose
from ..kernel.palette import COLOURS

OPEN = "#bbbbbb"


def plot_basins(found: Any, path: Any = None) -> Any:
    """The labels over two axes of the grid, one colour for each attractor; their means are marked."""
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    from ..plotting import figure, finished, label

    if len(found.axes) > 2:
        raise InputError(f"basins over {len(found.axes)} axes are not drawn; take one or two, or look at data.")
    (a, x), (b, y) = [*found.axes.items(), ("", np.array([-1.0, 1.0]))][:2]
    fig, axes = figure(1, 1, width=6.4, height=5.2 if b else 1.8)
    ax = axes[0, 0]
    ax.grid(False)
    count = max(len(found.attractors), 1)
    colours = [OPEN, LEFT, *(COLOURS[k % len(COLOURS)] for k in range(count))]
    ax.pcolormesh(
        x,
        y,
        (found.labels if b else np.repeat(found.labels[:, None], 2, axis=1)).T,
        cmap=ListedColormap(colours),
        vmin=-2.5,
        vmax=count - 0.5,
        shading="nearest",
        rasterized=True,
    )
    handles = []
    for k, (one, part) in enumerate(zip(found.attractors, found.fractions)):
        if a in one["mean"] and (b in one["mean"] or not b):
            ax.plot(
                one["mean"][a],
                one["mean"].get(b, 0.0),
                "o" if one["kind"] == "rest" else "^",
                color="white",
                markeredgecolor="black",
                markersize=6,
            )
        handles.append(Patch(color=COLOURS[k % len(COLOURS)], label=f"{k}: {one['kind']}, {100 * part:.1f} %"))
    for mark, colour, word in ((-1, LEFT, "gone"), (-2, OPEN, "not settled")):
        if (found.labels == mark).any():
            handles.append(
                Patch(facecolor=colour, edgecolor="0.5", label=f"{word}, {100 * float((found.labels == mark).mean()):.1f} %")
            )
    ax.legend(handles=handles, fontsize=8, loc="upper right", framealpha=0.9)
    units = {name: found.data[name].attrs.get("units", "") for name in (a, b) if name}
    ax.set_xlabel(label(a, units[a]))
    if b:
        ax.set_ylabel(label(b, units[b]))
    else:
        ax.set_yticks([])
    ax.set_title(f"basins of {found.title}", loc="left", fontsize=10)
    return finished(fig, path)


def plot_chart(found: Any, names: tuple[str, ...] = (), path: Any = None) -> Any:
    """Outputs over one parameter as curves, over two as coloured maps."""
    shown = [choose(name, list(found.values), "output of the chart") for name in names] or list(found.values)
    if len(found.axes) not in (1, 2):
        raise InputError(f"a chart over {len(found.axes)} axes is not drawn; take one or two, or look at data.")
    return draw_grid(found.axes, {name: found.values[name] for name in shown}, found.units, f"chart of {found.title}", path)
