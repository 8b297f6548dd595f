"""The track of the contact point on the plane, to scale."""

from __future__ import annotations

from typing import Any

from ..kernel.names import InputError, choose
from ..kernel.palette import DARK
from .figure import figure
from .save import finished
from .series import mode_names, title, units_of
from .smooth import curves, modes
from .symbols import label

PLACES = (("x", "y"), ("track1", "track2"), ("contact_x", "contact_y"))


def track_names(motion: Any, names: tuple[str, ...]) -> tuple[str, str]:
    """The two coordinates of the track: those named, or what is usual."""
    if names:
        if len(names) != 2:
            raise InputError(f"a track has two coordinates; {len(names)} were named ({', '.join(names)}).")
        return choose(names[0], motion.names, "quantity"), choose(names[1], motion.names, "quantity")
    for pair in PLACES:
        if all(name in motion.names for name in pair):
            return pair
    raise InputError(
        f"{motion.title} does not say where its contact point is; name two lengths, plot('a', 'b', kind='track'), out of {', '.join(motion.names)}."
    )


def plot_track(motion: Any, names: tuple[str, ...] = (), path: Any = None) -> Any:
    """The track from above, in the colours of the modes; its start is a circle, its end a dot. Returns the figure."""
    a, b = track_names(motion, names)
    fig, axes = figure(1, width=6.0, height=5.0)
    ax = axes[0, 0]
    drawn, units = curves(motion, [a, b]), units_of(motion)
    x, y = drawn.values[a], drawn.values[b]
    changes = modes(motion) or [("", float(drawn.t[0]))]
    colours, told = mode_names(changes), set()
    ends = [at for _, at in changes[1:]] + [float(drawn.t[-1])]
    for (name, begin), end in zip(changes, ends):
        inside = (drawn.t >= begin) & (drawn.t <= end)
        ax.plot(x[inside], y[inside], color=colours[name], linewidth=0.9, label=name if name and name not in told else None)
        told.add(name)
    ax.plot(x[:1], y[:1], "o", color=DARK, markersize=6, fillstyle="none", label="start")
    ax.plot(x[-1:], y[-1:], "o", color=DARK, markersize=5, label="end")
    ax.set_aspect("equal", adjustable="datalim")
    ax.set_xlabel(label(a, units.get(a, "")))
    ax.set_ylabel(label(b, units.get(b, "")))
    ax.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=4, borderaxespad=0.1, frameon=False)
    ax.set_title(title(motion), loc="left", fontsize=10)
    return finished(fig, path)
