"""Pictures of basins of attraction and of charts."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kernel.names import InputError, choose

COLOURS = ("#1f4e79", "#d9a441", "#5b8c5a", "#b5562a", "#7a5195", "#4ba3a3", "#c06c84", "#8c7853")
LEFT, OPEN = "#f2f2f2", "#bbbbbb"


def plot_basins(found: Any, path: Any = None) -> Any:
    """The labels over two axes of the grid, one colour for each attractor; their means are marked."""
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    from ..view.curves import figure, save

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
    ax.set_xlabel(f"{a} [{units[a]}]" if units[a] else a)
    if b:
        ax.set_ylabel(f"{b} [{units[b]}]" if units[b] else b)
    else:
        ax.set_yticks([])
    ax.set_title(f"basins of {found.title}", loc="left", fontsize=10)
    if path is not None:
        save(fig, path)
    return fig


def plot_chart(found: Any, names: tuple[str, ...] = (), path: Any = None) -> Any:
    """Outputs over one parameter as curves, over two as coloured maps."""
    from ..view.curves import figure, save

    shown = [choose(name, list(found.values), "output of the chart") for name in names] or list(found.values)
    if len(found.axes) not in (1, 2):
        raise InputError(f"a chart over {len(found.axes)} axes is not drawn; take one or two, or look at data.")
    label = lambda n: f"{n} [{found.units[n]}]" if found.units.get(n) else n
    if len(found.axes) == 1:
        ((a, x),) = found.axes.items()
        fig, axes = figure(len(shown), 1, width=7.0, height=2.6, sharex=True)
        for ax, name in zip(axes[:, 0], shown):
            ax.plot(x, found.values[name], "-", color=COLOURS[0], linewidth=1.2, marker="." if x.size < 80 else None)
            ax.set_ylabel(label(name))
        axes[-1, 0].set_xlabel(label(a))
    else:
        (a, x), (b, y) = found.axes.items()
        fig, axes = figure(1, len(shown), width=1.0 + 5.0 * len(shown), height=4.2)
        for ax, name in zip(axes[0], shown):
            ax.grid(False)
            ax.set_facecolor(LEFT)
            drawn = ax.pcolormesh(
                x, y, np.ma.masked_invalid(found.values[name]).T, shading="nearest", cmap="viridis", rasterized=True
            )
            fig.colorbar(drawn, ax=ax, label=label(name))
            ax.set_xlabel(label(a))
            ax.set_ylabel(label(b))
    axes[0, 0].set_title(f"chart of {found.title}", loc="left", fontsize=10)
    if path is not None:
        save(fig, path)
    return fig
