"""Pictures of branches: quantities over the parameter, stable parts solid, unstable ones dashed, special points labelled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...kernel.names import InputError, choose
from ...kernel.palette import AMBER, GREEN, INK, PLUM, SKY, WARM

COLOURS = (INK, WARM, GREEN, PLUM, AMBER, SKY)
MOST_PANELS = 4
SAME, ROUNDING = 1e-9, 1e-14  # relative and absolute: what changes less does not change


def plot_branches(branches: Sequence[Any], names: Sequence[str] = (), path: Any = None, over: str | None = None) -> Any:
    """One panel for each quantity, all branches (`Branch`) in it; returns the figure.

    names: what to draw (default: the first unknowns that change); over: what stands on the horizontal axis (default: the parameter).
    """
    from ...plotting import figure, finished

    branches = [b for b in branches if len(b)]
    if not branches:
        raise InputError("there is no point on the branch to draw.")
    first = branches[0]
    drawable = [n for n in first.quantities() if np.ndim(first[n]) == 1]
    over = choose(over, drawable, "quantity of the branch") if over else first.parameter
    shown = [choose(n, drawable, "quantity of the branch") for n in names] or telling(branches, drawable)
    fig, axes = figure(len(shown), 1, width=7.0, height=3.2 if len(shown) < 3 else 2.4, sharex=True)
    for ax, name in zip(axes[:, 0], shown):
        for k, branch in enumerate(branches):
            draw_branch(ax, branch, name, over, COLOURS[k % len(COLOURS)])
        if name != shown[-1]:
            ax.set_xlabel("")
        if not changes(branches, name):  # the axis would show rounding errors
            middle = float(np.nanmean(first[name])) * in_degrees(first.unit(name))[0]
            ax.set_ylim(middle - 0.1 * max(1.0, abs(middle)), middle + 0.1 * max(1.0, abs(middle)))
    told = first.title if first.model is None else f"{first.model}: {first.system_name}"
    axes[0, 0].set_title(told, loc="left", fontsize=10)
    return finished(fig, path)


def in_degrees(unit: str) -> tuple[float, str]:
    """Angles as people read them: what to multiply with, and the unit shown."""
    return (180.0 / np.pi, "deg") if unit == "rad" else (1.0, unit)


def changes(branches: Sequence[Any], name: str) -> bool:
    """Whether a quantity changes along branches, by more than rounding."""
    values = np.concatenate([b[name] for b in branches])
    values = values[np.isfinite(values)]
    return values.size > 0 and float(np.ptp(values)) > SAME * float(np.max(np.abs(values))) + ROUNDING


def telling(branches: Sequence[Any], drawable: list[str]) -> list[str]:
    """The first unknowns that change along the branches; where none does, the first other quantity that changes."""
    first = branches[0]
    unknowns = [n for n in first.names if n in drawable]
    moving = [n for n in unknowns if changes(branches, n)][:MOST_PANELS]
    others = [n for n in drawable if n not in (*unknowns, first.parameter, "s") and changes(branches, n)]
    return moving or others[:1] or unknowns[:1]


def _labelled(branch: Any, name: str) -> str:
    from ...plotting import label

    return label(name, in_degrees(branch.unit(name))[1])


def draw_branch(ax: Any, branch: Any, name: str, over: str | None = None, colour: str = COLOURS[0]) -> None:
    """Draw a quantity of a branch over another (default: the parameter), in pieces of equal stability; special points belong to both pieces that meet there."""
    where = [over or branch.parameter, name]
    ax.set_xlabel(_labelled(branch, where[0]))
    ax.set_ylabel(_labelled(branch, name))
    factors = np.array([in_degrees(branch.unit(n))[0] for n in where])
    on_points = np.stack([branch[n] for n in where], 1) * factors
    at_specials = np.array([[value_at(branch, p, n) for n in where] for p in branch.specials]).reshape(-1, 2) * factors
    s = np.concatenate([branch.s, [p.s for p in branch.specials]])
    xy = np.concatenate([on_points, at_specials])
    kind = np.concatenate([branch.unstable, np.full(len(branch.specials), -2)])
    order = np.argsort(s, kind="stable")
    xy, kind = xy[order], kind[order]
    begin = 0
    for k in range(1, len(kind) + 1):
        ends = k == len(kind) or (kind[k] == -2) or (kind[k - 1] != -2 and (kind[k] > 0) != (kind[k - 1] > 0))
        if not ends:
            continue
        last = min(k, len(kind) - 1)
        inside = kind[begin : last + 1]
        known = inside[inside > -2]
        dashed = known.size > 0 and np.median(known) > 0
        ax.plot(*xy[begin : last + 1].T, color=colour, linewidth=1.3, linestyle=(0, (4, 2)) if dashed else "-")
        begin = last
    for p, (x, y) in zip(branch.specials, at_specials):
        if not (np.isfinite(x) and np.isfinite(y)):
            continue
        ax.plot([x], [y], "o", color=colour, markersize=4, markerfacecolor="white", zorder=5)
        ax.annotate(p.label, (x, y), xytext=(4, 4), textcoords="offset points", fontsize=8)


def value_at(branch: Any, p: Any, name: str) -> float:
    """A quantity at a special point."""
    if name == "s":
        return float(p.s)
    if name == branch.parameter:
        return float(p.z[-1])
    if name in branch.names:
        return float(p.z[branch.names.index(name)])
    return float(p.measures.get(name, np.nan))
