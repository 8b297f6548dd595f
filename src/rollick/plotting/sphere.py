"""A unit vector of a motion on its sphere: the normal in body axes (Poisson's vector), the Sun seen from a lander.

Each half of the sphere that is visited is drawn as seen from its end of the third axis, in Lambert's equal-area projection, so that nothing is hidden
and areas are true.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kernel.names import InputError, choose
from ..kernel.palette import DARK, INK
from .figure import figure
from .save import finished
from .series import title
from .smooth import curves
from .symbols import symbol

VECTORS = (("gamma1", "gamma2", "gamma3"), ("sx", "sy", "sz"), ("n1", "n2", "n3"), ("e1", "e2", "e3"))
UNIT = 1e-3  # how far from one the length of a unit vector may be


def vector_names(motion: Any, names: tuple[str, ...]) -> tuple[str, ...]:
    """The three components: those named, or a unit vector that the motion has."""
    if names:
        if len(names) != 3:
            raise InputError(f"a direction has three components; {len(names)} were named ({', '.join(names)}).")
        return tuple(choose(n, motion.names, "quantity") for n in names)
    for triple in VECTORS:
        if all(name in motion.names for name in triple):
            return triple
    raise InputError(
        f"{motion.title} has no unit vector that is known by name ({', '.join(VECTORS[0])}; {', '.join(VECTORS[1])}); name three quantities, plot('a', 'b', 'c', kind='sphere')."
    )


def equal_area(v: np.ndarray, side: float) -> tuple[np.ndarray, np.ndarray]:
    """Lambert's projection of the half sphere `side` * z >= 0 to the unit disk; the other half is left out (nan)."""
    z = side * v[:, 2]
    with np.errstate(invalid="ignore", divide="ignore"):
        scale = np.where(z >= -1e-9, 1.0 / np.sqrt(np.maximum(1.0 + z, 1e-12)), np.nan)
    return v[:, 0] * scale, v[:, 1] * scale


def plot_sphere(motion: Any, names: tuple[str, ...] = (), path: Any = None) -> Any:
    """The path of a unit vector on the halves of the sphere that it visits; returns the figure."""
    shown = vector_names(motion, names)
    drawn = curves(motion, list(shown))
    v = np.stack([drawn.values[name] for name in shown], axis=1)
    length = np.linalg.norm(v, axis=1)
    if np.max(np.abs(length - 1.0)) > UNIT:
        raise InputError(f"{', '.join(shown)} is no unit vector: its length is {length.min():.4g} .. {length.max():.4g}.")
    v /= length[:, None]
    sides = [side for side in (1.0, -1.0) if np.any(side * v[:, 2] > 0.0)] or [1.0]  # the halves that it visits
    fig, axes = figure(1, len(sides), width=4.7 * len(sides), height=4.5)
    for ax, side in zip(axes[0], sides):
        _globe(ax)
        ax.plot(*equal_area(v, side), color=INK, linewidth=0.8)
        for k, filled in ((0, "none"), (-1, "full")):
            if side * v[k, 2] >= 0.0:
                ax.plot(*equal_area(v[[k]], side), "o", color=DARK, markersize=6, fillstyle=filled, label="end" if k else "start")
        ax.set_xlabel(symbol(shown[0]))
        ax.set_ylabel(symbol(shown[1]))
        ax.set_title(f"{symbol(shown[2])} {'>' if side > 0.0 else '<'} 0", loc="right", fontsize=9)
        if ax.get_legend_handles_labels()[1]:
            ax.legend(loc="upper left", fontsize=8)
    axes[0, 0].set_title(title(motion), loc="left", fontsize=10)
    return finished(fig, path)


def _globe(ax: Any) -> None:
    """The rim, and circles every 30 degrees from the pole."""
    turn = np.linspace(0.0, 2.0 * np.pi, 361)
    for degrees in (30, 60, 90):
        radius = np.sqrt(2.0) * np.sin(0.5 * np.radians(degrees))
        ax.plot(radius * np.cos(turn), radius * np.sin(turn), color="0.6" if degrees == 90 else "0.85", linewidth=0.8, zorder=0)
        ax.text(0.0, radius, f"{degrees}°", fontsize=7, color="0.45", ha="center", va="bottom")
    for degrees in range(0, 180, 30):
        c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        ax.plot([-c, c], [-s, s], color="0.88", linewidth=0.6, zorder=0)
    ax.set_aspect("equal")
    ax.grid(False)
    ax.set_xlim(-1.12, 1.12)
    ax.set_ylim(-1.12, 1.12)
    ax.set_xticks([])
    ax.set_yticks([])
    for spine in ax.spines.values():
        spine.set_visible(False)
