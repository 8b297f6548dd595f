"""Where the energy of a motion is and goes: kinetic and potential, what each kind of friction and each impact has taken, and what is left unexplained."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kernel.names import InputError, choose
from ..kernel.palette import AMBER, COLOURS, GREEN, INK, PLUM, SKY
from .figure import figure
from .save import finished
from .series import title, units_of
from .smooth import curves
from .symbols import label, symbol

TOTAL = ("energy", "E")
LOSSES = ("lost_sliding", "lost_pivoting", "lost_contour", "lost_impacts", "lost_drag", "dissipated")
SHADES = (SKY, AMBER, GREEN, PLUM, "#999999", "#bbbbbb")


def _total(motion: Any) -> str:
    name = next((n for n in TOTAL if n in motion.names and units_of(motion).get(n) == "J"), None)
    if name is None:
        raise InputError(f"{motion.title} has no energy among its quantities ({', '.join(motion.names)}).")
    return name


def plot_energy(motion: Any, names: tuple[str, ...] = (), path: Any = None) -> Any:
    """The energy and, stacked on it, what has been lost; below, how far the sum is from its start. Returns the figure.

    names: the losses to show (default: all that the motion keeps account of). Without any, the energy is shown with its change.
    """
    total = _total(motion)
    kept = [n for n in LOSSES if n in motion.names]
    wanted = [choose(n, motion.names, "quantity") for n in names] or [n for n in kept if np.any(motion[n])]
    drawn = curves(motion, [total, *wanted])
    t, energy = drawn.t, drawn.values[total]
    fig, axes = figure(2, width=8.0, height=2.6, sharex=True, height_ratios=(2.4, 1.0))
    top, low = axes[:, 0]
    level = energy.copy()
    for shade, name in zip(SHADES, wanted):
        lost = drawn.values[name] - drawn.values[name][0]
        top.fill_between(t, level, level + lost, color=shade, alpha=0.55, linewidth=0.0, label=label(name, "", told=True))
        level = level + lost
    top.plot(t, energy, color=INK, linewidth=1.3, label=symbol(total))
    if wanted:
        top.plot(t, level, color="0.25", linewidth=0.9, linestyle="--", label=f"{symbol(total)} and losses")
    top.set_ylabel(label(total, "J"))
    top.legend(loc="best", fontsize=8)
    left = level - level[0]
    low.plot(t, left, color=COLOURS[1], linewidth=0.9)
    low.axhline(0.0, color="0.6", linewidth=0.6, zorder=0)
    low.set_ylabel("sum - start [J]" if wanted else f"{symbol(total)} - start [J]")
    low.set_xlabel(label("t", motion.about.time))
    top.set_title(title(motion), loc="left", fontsize=10)
    return finished(fig, path)
