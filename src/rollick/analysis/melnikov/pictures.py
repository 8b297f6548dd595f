"""Pictures of Melnikov's functions and of branches of limit cycles."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.palette import INK, SKY, WARM

SOFT = SKY


def _finished(fig: Any, path: Any) -> Any:
    if path is not None:
        from ...plotting import save

        save(fig, path)
    return fig


def plot_melnikov(function: Any, path: Any = None) -> Any:
    """The connection in the plane, and M1 over t0."""
    from ...plotting import figure

    columns = 2 if function.t0.size > 1 else 1
    fig, axes = figure(1, columns, width=4.6 * columns, height=3.6)
    left, orbit = axes[0, 0], function.orbit
    left.plot(*orbit.x, color=INK)
    for saddle in (orbit.unstable.saddle, orbit.stable.saddle):
        left.plot(*saddle, "o", color=WARM, markersize=5)
    left.set_xlabel(orbit.limit.names[0])
    left.set_ylabel(orbit.limit.names[1])
    left.set_title("connection of the limit")
    if columns == 2:
        right = axes[0, 1]
        right.axhline(0.0, color="0.5", linewidth=0.8)
        right.plot(function.t0, function.M1, color=INK)
        right.plot([z.t0 for z in function.zeros], np.zeros(len(function.zeros)), "o", color=WARM, markersize=5)
        right.set_xlabel("t0")
        right.set_ylabel("M1")
        right.set_title("Melnikov's function")
    return _finished(fig, path)


def plot_cycles(branch: Any, path: Any = None) -> Any:
    """Parameter and period over s, stable (eps > 0) solid and unstable dashed; some of the orbits in the plane."""
    from ...plotting import figure

    fig, axes = figure(1, 3, width=12.0, height=3.6)
    left, middle, right = axes[0]
    changes = np.flatnonzero(np.diff(branch.stable.astype(int))) + 1
    for part in np.split(np.arange(branch.s.size), changes):
        run = np.append(part, part[-1] + 1) if part[-1] + 1 < branch.s.size else part
        style = {"color": INK, "linestyle": "-" if branch.stable[part[0]] else "--"}
        left.plot(branch.p[run], branch.s[run], **style)
        middle.plot(branch.p[run], branch.period[run], **style)
    left.plot(branch.hopf.p, 0.0, "s", color=WARM, label="Hopf")
    for fold in branch.folds:
        left.plot(fold.p, fold.s, "o", color=WARM, label="fold")
        middle.plot(fold.p, fold.period, "o", color=WARM)
    left.legend(frameon=False)
    left.set_ylabel("s")
    middle.set_ylabel("period")
    for ax in (left, middle):
        ax.set_xlabel(branch.name)
        ax.ticklabel_format(useOffset=False)
    limit = branch.equations.family.limit
    for k in np.linspace(0, branch.s.size - 1, 9).astype(int):
        right.plot(*branch.orbit(branch.s[k]), color=INK if branch.stable[k] else SOFT, linewidth=1.0)
    right.set_xlabel(limit.names[0])
    right.set_ylabel(limit.names[1])
    right.set_title("stable (dark) for eps > 0")
    return _finished(fig, path)
