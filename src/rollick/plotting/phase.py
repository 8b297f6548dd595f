"""Two quantities of a motion against each other: its path through a plane of states, in the colours of its modes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kernel.names import InputError, choose
from ..kernel.palette import DARK, INK
from .figure import figure
from .save import finished
from .series import mode_names, title, units_of
from .smooth import curves, modes
from .symbols import in_degrees, label


def plane(motion: Any, names: tuple[str, ...]) -> list[str]:
    """The two quantities of a phase plane: those named; else the first that is shown and its rate, if it has one, or the second."""
    if names:
        if len(names) != 2:
            raise InputError(
                f"a phase portrait shows two quantities against each other; {len(names)} were named ({', '.join(names)})."
            )
        return [choose(n, motion.names, "quantity") for n in names]
    wanted = [*motion.about.plot, *(q.name for q in motion.about.states)]
    for name in wanted:
        if f"{name}_rate" in motion.names:
            return [name, f"{name}_rate"]
    if len(dict.fromkeys(wanted)) < 2:
        raise InputError(
            f"{motion.title} has one quantity only; name two for a phase portrait, out of {', '.join(motion.names)}."
        )
    return list(dict.fromkeys(wanted))[:2]


def plot_phase(motion: Any, names: tuple[str, ...] = (), path: Any = None) -> Any:
    """The path of a motion in the plane of two quantities; its start is a circle, its end a dot. Returns the figure."""
    shown = plane(motion, names)
    fig, axes = figure(1, width=6.0, height=4.6)
    ax = axes[0, 0]
    drawn, units = curves(motion, shown), units_of(motion)
    made = [in_degrees(drawn.values[name], units.get(name, "")) for name in shown]
    (x, x_unit), (y, y_unit) = made
    changes = modes(motion)
    if len(changes) < 2:
        ax.plot(x, y, color=INK, linewidth=0.9)
    else:
        colours, told = mode_names(changes), set()
        ends = [at for _, at in changes[1:]] + [drawn.t[-1]]
        for (name, begin), end in zip(changes, ends):
            inside = (drawn.t >= begin) & (drawn.t <= end)
            ax.plot(x[inside], y[inside], color=colours[name], linewidth=1.1, label=None if name in told else name)
            told.add(name)
    ax.plot(x[:1], y[:1], "o", color=DARK, markersize=6, fillstyle="none", label="start")
    ax.plot(x[-1:], y[-1:], "o", color=DARK, markersize=5, label="end")
    for e in motion.events[:200]:
        k = int(np.argmin(np.abs(drawn.t - e.t)))
        ax.plot(x[k], y[k], ".", color=DARK, markersize=4, zorder=4)
    ax.set_xlabel(label(shown[0], x_unit))
    ax.set_ylabel(label(shown[1], y_unit))
    ax.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=4, borderaxespad=0.1, frameon=False)
    ax.set_title(title(motion), loc="left", fontsize=10)
    return finished(fig, path)
