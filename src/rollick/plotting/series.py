"""Quantities of a motion over time: one panel each, changes of mode in colour, events marked and named."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kernel.names import InputError, choose
from ..kernel.palette import AMBER, DARK, GREEN, INK, PLUM, SKY, WARM
from ..motion.result.rounding import ROUNDING, largest_by_unit
from .figure import figure
from .save import finished
from .smooth import Curves, curves, modes
from .style import plot_style
from .symbols import in_degrees, label, symbol

MODE_COLOURS = (INK, WARM, GREEN, PLUM, AMBER, SKY)
EVENT_COLOURS = (WARM, PLUM, GREEN, AMBER, SKY, DARK)
MOST_MARKS = 400  # event lines of one name in a panel
MOST_NAMES = 6  # of events in a legend


def units_of(motion: Any) -> dict[str, str]:
    """The units of all quantities of a motion."""
    return {q.name: q.unit for q in (*motion.about.states, *motion.about.signals, *motion.about.integrals)} | {
        "t": motion.about.time
    }


def is_rounding(values: np.ndarray, unit: str, largest: dict[str, float]) -> bool:
    """Whether a quantity is nothing but rounding beside others of its unit; without any of that unit, beside one."""
    most = float(np.max(np.abs(values), initial=0.0))
    return 0.0 < most < ROUNDING * max(largest.get(unit, 0.0), 1.0 if unit not in largest else 0.0)


def chosen(motion: Any, names: tuple[str, ...]) -> list[str]:
    """What to draw: what was asked for; else the system's own choice, without what is constant or rounding only."""
    if names:
        return [choose(n, motion.names, "quantity") for n in names]
    wanted = [n for n in motion.about.plot if n in motion.names] or [q.name for q in motion.about.states]
    units, largest = units_of(motion), largest_by_unit(motion)
    telling = [n for n in wanted if np.ptp(motion[n]) > 0.0 and not is_rounding(motion[n], units[n], largest)]
    return telling or wanted


def plot_motion(
    motion: Any, names: tuple[str, ...] = (), path: Any = None, theme: str | None = None, size: str | None = None
) -> Any:
    """One panel per quantity over time, with the events marked; returns the figure."""
    if motion.t.size < 2:
        raise InputError(f"this motion has {motion.t.size} instants, too few to plot; ask for more output times.")
    shown = chosen(motion, names)
    with plot_style(theme, size):
        fig, axes = figure(len(shown), sharex=True)
    drawn = curves(motion, shown)
    units, largest = units_of(motion), largest_by_unit(motion)
    for ax, name in zip(axes[:, 0], shown):
        draw_quantity(ax, motion, drawn, name, units.get(name, ""), largest)
    mark_events(axes[:, 0], motion)
    legend(axes[0, 0])
    axes[-1, 0].set_xlabel(label("t", motion.about.time))
    axes[0, 0].set_title(title(motion), loc="left", fontsize=10)
    return finished(fig, path)


def title(motion: Any) -> str:
    """What the motion is of, how accurately it was computed, and how it ended if it did not come to its end."""
    made = motion.provenance
    step = made.get("options", {}).get("dt")
    how = f"dt {step:g} s" if isinstance(step, float) else f"rtol {made['rtol']:.1g}"
    return f"{motion.title}, {how}" + ("" if motion.complete else f" ({motion.status})")


def draw_quantity(ax: Any, motion: Any, drawn: Curves, name: str, unit: str, largest: dict[str, float]) -> None:
    """One quantity over time, in the colours of the modes if there are any."""
    values, shown_unit = in_degrees(drawn.values[name], unit)
    draw_modes(ax, drawn.t, values, modes(motion))
    few = drawn.exact and motion.t.size <= 60
    if few:
        ax.plot(drawn.t, values, ".", color=INK, markersize=4)
    ax.set_ylabel(label(name, shown_unit))
    if np.min(values, initial=0.0) < 0.0 < np.max(values, initial=0.0):
        ax.axhline(0.0, color="0.6", linewidth=0.6, zorder=0)
    most = largest.get(unit, 0.0)
    if is_rounding(drawn.values[name], unit, largest):  # asked for by name: drawn as the zero that it is
        reach = 0.05 * (float(in_degrees(np.array([most]), unit)[0][0]) or 1.0)
        ax.set_ylim(-reach, reach)


def mode_names(changes: list[tuple[str, float]]) -> dict[str, str]:
    """The colour of each mode, in the order of their first appearance."""
    order = list(dict.fromkeys(name for name, _ in changes))
    return {name: MODE_COLOURS[k % len(MODE_COLOURS)] for k, name in enumerate(order)}


def draw_modes(ax: Any, t: np.ndarray, values: np.ndarray, changes: list[tuple[str, float]], **options: Any) -> None:
    """A curve whose pieces have the colours of their modes; each mode has one entry in the legend."""
    style = {"linewidth": 1.0, **options}
    if len(changes) < 2:
        ax.plot(t, values, color=INK, **style)
        return
    colours, told = mode_names(changes), set()
    sign = 1.0 if t[-1] >= t[0] else -1.0
    ends = [at for _, at in changes[1:]] + [t[-1]]
    for (name, begin), end in zip(changes, ends):
        first = int(np.searchsorted(sign * t, sign * begin, side="left"))
        last = int(np.searchsorted(sign * t, sign * end, side="right"))
        inside = slice(max(first, 0), last)
        if last - first < 2:
            continue
        ax.plot(t[inside], values[inside], color=colours[name], label=None if name in told else name, **style)
        told.add(name)


def mark_events(panels: Any, motion: Any) -> None:
    """A line at each event, one colour and one entry in the legend for each name; changes of mode have their colours already."""
    changes = {at for _, at in modes(motion)}
    names = list(dict.fromkeys(e.name for e in motion.events))
    for k, name in enumerate(names[:MOST_NAMES]):
        times = [e.t for e in motion.events if e.name == name and e.t not in changes]
        if not times:
            continue
        colour = EVENT_COLOURS[k % len(EVENT_COLOURS)]
        faint = 0.75 if len(times) < 40 else 0.3
        told = f"{symbol_of(name)} ({len(times)} events)" if len(times) > 1 else symbol_of(name)
        for j, ax in enumerate(panels):
            for i, at in enumerate(times[:MOST_MARKS]):
                line = told if i == 0 and j == 0 else None
                ax.axvline(at, color=colour, linewidth=0.7, alpha=faint, linestyle=(0, (2, 1.5)), label=line, zorder=1)


def symbol_of(name: str) -> str:
    """The name of an event as it is printed: events are often named after a quantity that passes zero."""
    made = symbol(name)
    return f"{made} = 0" if made.startswith("$") else made


def legend(ax: Any) -> None:
    """A legend above the panel, if there is anything to tell."""
    handles, labels = ax.get_legend_handles_labels()
    if labels:
        ax.legend(handles, labels, loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=min(len(labels), 4), fontsize=8, frameon=False, borderaxespad=0.1, handlelength=1.5)  # fmt: skip
