"""Curves over time, drawn without a display; angles in degrees."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from ..kernel.names import InputError, choose
from ..motion.result.whole_file import checked_target, write_whole

ROUNDING = 1e-12  # of the largest quantity of that unit in a picture: what is smaller is drawn as zero


def figure(rows: int = 1, columns: int = 1, width: float = 8.0, height: float = 2.2, **options: Any) -> tuple[Any, Any]:
    """A new figure with a grid of axes, independent of any display or global state."""
    from matplotlib.figure import Figure

    fig = Figure(figsize=(width, max(3.0, height * rows)), layout="constrained")
    axes = fig.subplots(rows, columns, squeeze=False, **options)
    for ax in axes.flat:
        ax.grid(True, color="0.9", linewidth=0.6)
        ax.set_axisbelow(True)
        ax.spines[["top", "right"]].set_visible(False)
    return fig, axes


def save(fig: Any, path: Any, dpi: int = 150) -> None:
    """Write a figure to a file (its ending decides the format), whole or not at all."""
    target = checked_target(path)
    kinds = fig.canvas.get_supported_filetypes()
    kind = target.suffix.lower().lstrip(".")
    if kind not in kinds:
        raise InputError(
            f"cannot write the picture {target}: its name must end in .{', .'.join(sorted(kinds))}; that decides the format."
        )
    content = io.BytesIO()
    fig.savefig(content, dpi=dpi, format=kind)
    write_whole(target, content.getvalue())


def in_degrees(values: np.ndarray, unit: str) -> tuple[np.ndarray, str]:
    """Angles as people read them."""
    if unit == "rad":
        return np.degrees(values), "deg"
    return values, unit


def smooth_times(motion: Any, most: int = 40_000) -> np.ndarray:
    """The times to draw a motion at: its own, or with dense output four to a step, so that long steps are curves, not polygons."""
    count = motion.t.size
    if not motion.has_dense or motion.system is None or count < 2 or 4 * count > most:
        return motion.t
    fine = motion.t[:-1, None] + np.diff(motion.t)[:, None] * np.array([0.0, 0.25, 0.5, 0.75])
    return np.append(fine.ravel(), motion.t[-1])


def plot_motion(motion: Any, names: tuple[str, ...] = (), path: Any = None) -> Any:
    """One panel per quantity over time, with the events marked; returns the figure."""
    units = {q.name: q.unit for q in (*motion.about.states, *motion.about.signals, *motion.about.integrals)}
    shown = (
        [choose(n, motion.names, "quantity") for n in names] or list(motion.about.plot) or [q.name for q in motion.about.states]
    )
    if motion.t.size < 2:
        raise InputError(f"this motion has {motion.t.size} instants, too few to plot; ask for more output times.")
    fig, axes = figure(len(shown), sharex=True)
    times = smooth_times(motion)
    sizes: dict[str, float] = {}
    drawn: list[tuple[Any, np.ndarray, str]] = []
    for ax, name in zip(axes[:, 0], shown):
        raw = motion[name] if times is motion.t else motion.at(times, name)
        values, unit = in_degrees(raw, units.get(name, ""))
        ax.plot(times, values, color="#1f4e79", linewidth=0.9)
        ax.set_ylabel(f"{name} [{unit}]" if unit else name)
        sizes[unit] = max(sizes.get(unit, 0.0), float(np.abs(values).max()))
        drawn.append((ax, values, unit))
        if motion.t.size and np.min(values) < 0.0 < np.max(values):
            ax.axhline(0.0, color="0.6", linewidth=0.6)
        for e in motion.events:
            ax.axvline(e.t, color="#c0504d", linewidth=0.5, alpha=0.35)
    for ax, values, unit in drawn:
        if 0.0 < float(np.abs(values).max()) < ROUNDING * sizes[unit]:  # rounding is no curve
            ax.set_ylim(-0.05 * sizes[unit], 0.05 * sizes[unit])
    axes[-1, 0].set_xlabel("t [s]")
    made = motion.provenance
    note = "" if motion.complete else f" ({motion.status})"
    axes[0, 0].set_title(f"{motion.title}, rtol {made['rtol']:.1g}{note}", loc="left", fontsize=10)
    if path is not None:
        save(fig, path)
    return fig
