"""Pictures of Filippov systems: limit-direction roses, local phase portraits, maps of regions."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from ...kernel.names import InputError
from ...kernel.palette import AMBER, GREEN, INK, SKY, WARM
from .regions import RegionMap
from .theory.extended import ExtendedPoint
from .theory.switching import Switching

SOFT, GREY = SKY, "0.45"
DOES = {"attracts": INK, "repels": WARM, "tangent": GREY}
FILLS = {
    "attracting sliding": "#cfe0f1",
    "repelling sliding": "#f3d3d0",
    "crossing": "#f4ead2",
    "crossing up": "#f4ead2",
    "crossing down": "#e4e9d2",
    "tangency": "#bbbbbb",
    "attracting spiral": "#b7d3cf",
    "repelling spiral": "#e8c4dc",
    "RR": "#cfe0f1",
    "SS": "#f3d3d0",
    "SR": "#f4ead2",
    "RS": "#e4e9d2",
    "ambiguous": "#d9cbe8",
    "contact loss": "#dddddd",
}


def new_axes(width: float = 4.6, height: float = 4.4, **options: Any) -> Any:
    """One pair of axes on a new figure."""
    from ...plotting import figure

    _, axes = figure(1, width=width, height=height, **options)
    return axes[0, 0]


def rose(point: ExtendedPoint, ax: Any = None) -> Any:
    """The limit directions of a point: arrows in (attracting) and out (repelling), around the curve of R(phi); returns the figure.

    The circle is R = 0, the curve is at the distance 1 + R/(2 max|G|) from the middle: inside the circle the set attracts, outside it repels. A fan is drawn as a wedge.
    """
    ax = ax if ax is not None else new_axes()
    phi = np.append(point.limit.angles, point.limit.angles[0])
    radius = 1.0 + 0.5 * point.limit.radial(phi) / max(point.limit.scale, 1e-300)
    ax.plot(np.cos(phi), np.sin(phi), color="0.6", linewidth=0.8)
    ax.fill(radius * np.cos(phi), radius * np.sin(phi), color=SOFT, alpha=0.18)
    ax.plot(radius * np.cos(phi), radius * np.sin(phi), color=SOFT, linewidth=1.2, label="R(phi)")
    for d in point.directions or []:
        e = np.array([np.cos(d.angle), np.sin(d.angle)])
        tail, head = (0.05 * e, 1.55 * e) if d.does == "repels" else (1.55 * e, 0.05 * e)
        style = {
            "arrowstyle": "-|>" if d.does != "tangent" else "-",
            "color": DOES[d.does],
            "linewidth": 1.8,
            "mutation_scale": 14,
        }
        ax.annotate("", xy=head, xytext=tail, arrowprops=style)
        if d.kind == "node":
            wide = d.angle + np.linspace(-0.16, 0.16, 15)
            ax.fill(
                np.append(0.0, 1.45 * np.cos(wide)),
                np.append(0.0, 1.45 * np.sin(wide)),
                color=DOES[d.does],
                alpha=0.15,
                linewidth=0,
            )
        ax.text(*(1.78 * e), f"{np.degrees(d.angle):.4g}°\n{d.kind}", ha="center", va="center", fontsize=8, color=DOES[d.does])
    if point.isotropic:
        ax.text(0.0, 0.0, "every direction", ha="center", va="center", fontsize=8)
    return _square(ax, 2.1, point.kind)


def portrait(point: ExtendedPoint, ax: Any = None, density: float = 0.9) -> Any:
    """The orbits near a point of codimension two, in the plane of its normals (as Figure 2.9); returns the figure."""
    ax = ax if ax is not None else new_axes()
    side = np.linspace(-1.0, 1.0, 60)
    X, Y = np.meshgrid(side, side)
    g = point.limit.normal_part(np.arctan2(Y, X).ravel())
    U, V = g[:, 0].reshape(X.shape), g[:, 1].reshape(X.shape)
    ax.streamplot(side, side, U, V, color=GREY, density=density, linewidth=0.8, arrowsize=0.8)
    for d in point.directions or []:
        ax.plot([0.0, np.cos(d.angle) * 1.4], [0.0, np.sin(d.angle) * 1.4], color=DOES[d.does], linewidth=2.2, label=d.does)
    ax.plot(0.0, 0.0, "o", color=INK if point.kind.startswith("attracting") else WARM, markersize=6, zorder=5)
    ax.set_xlabel("along n1")
    ax.set_ylabel("along n2")
    handles, labels = ax.get_legend_handles_labels()
    if labels:
        unique = dict(zip(labels, handles))
        ax.legend(list(unique.values()), list(unique), fontsize=8, loc="upper right")
    return _square(ax, 1.0, point.kind, axis=True)


def _square(ax: Any, reach: float, title: str, axis: bool = False) -> Any:
    ax.set_aspect("equal")
    ax.set_xlim(-reach, reach)
    ax.set_ylim(-reach, reach)
    ax.grid(False)
    if not axis:
        ax.axis("off")
    ax.set_title(title, loc="left", fontsize=10)
    return ax.figure


def switching_portrait(
    system: Switching,
    base: Any,
    axes: tuple[int, int],
    x: tuple[float, float],
    y: tuple[float, float],
    ax: Any = None,
) -> Any:
    """Both fields in a plane of two states, the others as in `base`, and the surface coloured by what happens on it (as Figure 2.3)."""
    base = np.asarray(base, float)
    if len(axes) != 2 or axes[0] == axes[1] or not all(0 <= a < base.size for a in axes):
        raise InputError(f"axes are two different states of {base.size}, counted from 0; not {axes!r}.")
    ax = ax if ax is not None else new_axes(5.4, 4.2)
    xs, ys = np.linspace(*x, 81), np.linspace(*y, 81)
    at = lambda p, q: _placed(base, axes, p, q)
    H = np.array([[float(system.H(at(p, q))) for p in xs] for q in ys])
    field = lambda p, q, h: system.field(at(p, q), "positive" if h >= 0.0 else "negative")[list(axes)]
    values = np.array([[field(p, q, h) for p, h in zip(xs, row)] for q, row in zip(ys, H)])
    for mask, color in ((H >= 0.0, SOFT), (H < 0.0, GREEN)):
        hidden = [np.ma.array(values[:, :, k], mask=~mask) for k in (0, 1)]
        ax.streamplot(xs, ys, *hidden, color=color, density=0.8, linewidth=0.8, arrowsize=0.8)
    _surface(system, at, xs, ys, H, ax)
    names = system.names or tuple(f"x{i + 1}" for i in range(base.size))
    ax.set_xlabel(names[axes[0]])
    ax.set_ylabel(names[axes[1]])
    ax.set_xlim(*x)
    ax.set_ylim(*y)
    ax.grid(False)
    return ax.figure


LINES = {
    "attracting sliding": INK,
    "repelling sliding": WARM,
    "crossing up": AMBER,
    "crossing down": GREEN,
    "tangency": "k",
}


def _surface(system: Switching, at: Any, xs: np.ndarray, ys: np.ndarray, H: np.ndarray, ax: Any) -> None:
    """The line H = 0 in the plane, coloured by kind; tangencies are dots."""
    from matplotlib.lines import Line2D

    seen = {}
    quiet = ax.contour(xs, ys, H, levels=[0.0], alpha=0.0)
    for line in quiet.allsegs[0]:
        for (p, q), (r, s) in pairwise(line):
            kind = system.at(system.on_surface(at(0.5 * (p + r), 0.5 * (q + s)))).kind
            color = LINES.get(kind, "k")
            ax.plot([p, r], [q, s], color=color, linewidth=3.0, solid_capstyle="butt", zorder=4)
            seen[kind] = Line2D([], [], color=color, linewidth=3.0)
    if not seen:
        raise InputError("the surface H = 0 does not meet the plane of this picture: choose other ranges or another base.")
    ax.legend(list(seen.values()), list(seen), fontsize=8, loc="upper right", framealpha=0.9)


def _placed(base: np.ndarray, axes: tuple[int, int], p: float, q: float) -> np.ndarray:
    z = base.copy()
    z[axes[0]], z[axes[1]] = p, q
    return z


def map_picture(regions: RegionMap, ax: Any = None) -> Any:
    """Regions as fields of colour, their boundaries as curves; returns the figure."""
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    ax = ax if ax is not None else new_axes(7.6, 4.4)
    names = sorted(set(regions.kinds.ravel()), key=str)
    spare = ["#e0e0f0", "#f0e0e0", "#e0f0e0", "#f0f0d0"]
    colors = [FILLS.get(name, spare[k % len(spare)]) for k, name in enumerate(names)]
    numbers = np.array([[names.index(kind) for kind in row] for row in regions.kinds])
    ax.pcolormesh(
        regions.x, regions.y, numbers.T, cmap=ListedColormap(colors), vmin=-0.5, vmax=len(names) - 0.5, shading="nearest"
    )
    styles: dict[str, str] = {}
    for curve in regions.boundaries:
        style = styles.setdefault(curve.label, (INK, WARM, GREEN, "k")[len(styles) % 4])
        ax.plot(*curve.points.T, color=style, linewidth=1.6)
    if regions.loose:
        ax.plot([p.p for p in regions.loose], [p.q for p in regions.loose], ".", color="k", markersize=3)
    handles = [Patch(facecolor=c, edgecolor="0.6", label=n) for c, n in zip(colors, names)]
    lines = [ax.plot([], [], color=c, linewidth=1.6, label=label)[0] for label, c in styles.items()]
    ax.legend(handles=[*handles, *lines], fontsize=8, loc="upper left", bbox_to_anchor=(1.01, 1.0), frameon=False)
    ax.set_xlabel(regions.plane.names[0])
    ax.set_ylabel(regions.plane.names[1])
    ax.set_xlim(*regions.plane.x)
    ax.set_ylim(*regions.plane.y)
    ax.grid(False)
    return ax.figure
