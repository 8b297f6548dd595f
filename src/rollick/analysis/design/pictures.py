"""Pictures of a fit (data, motion, residuals) and of an optimisation (what was tried)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.names import choose
from ...kernel.palette import INK, WARM
from ..sensitivity.evaluate import at_times

POINT = WARM


def plot_fit(fit: Any, names: tuple[str, ...] = (), path: Any = None) -> Any:
    """For each measured quantity the data with the fitted motion, and the residuals below."""
    from ...plotting import figure, finished, label

    listed = [(k, one) for k, one in enumerate(fit.measured) if one.t is not None]
    if names:
        labels = [one.label for _, one in listed]
        listed = [listed[labels.index(choose(name, labels, "quantity of the data"))] for name in names]
    fig, axes = figure(2, len(listed), width=3.0 + 4.0 * len(listed), height=2.6, sharex="col", height_ratios=(2.2, 1.0))
    motion = fit.question.path(None)
    for column, (k, one) in enumerate(listed):
        top, low = axes[0, column], axes[1, column]
        quantity = fit.question.quantities[k]
        t = np.linspace(fit.question.starting.problem.t0, motion.end, 600)
        for jump in motion.jumps:
            t = t[np.abs(t - jump) > 1e-8 * max(1.0, abs(jump))]
        top.plot(t, at_times(quantity, motion, t)[0], color=INK, linewidth=1.2, label="motion")
        top.plot(one.t, one.values, "o", color=POINT, markersize=3.5, fillstyle="none", label="data")
        residual = (at_times(quantity, motion, one.t)[0] - one.values) / one.sigma
        low.axhline(0.0, color="0.4", linewidth=0.8)
        low.vlines(one.t, 0.0, residual, color=POINT, linewidth=0.8)
        unit = quantity.unit
        top.set_ylabel(label(one.label, unit))
        low.set_ylabel("residual/sigma" if fit.absolute else f"residual [{unit}]" if unit else "residual")
        low.set_xlabel("t [s]")
        top.legend(frameon=False, fontsize=8)
    axes[0, 0].set_title(f"fit of {fit.title}", loc="left", fontsize=10)
    return finished(fig, path)


def plot_optimum(optimum: Any, names: tuple[str, ...] = (), path: Any = None) -> Any:
    """The output at all points that were tried over each input, the best marked."""
    from ...plotting import figure, finished, label

    shown = [choose(name, optimum.names, "chosen number") for name in names] or optimum.names
    fig, axes = figure(1, len(shown), width=1.5 + 3.4 * len(shown), height=3.4, sharey=True)
    values = np.array([v for v, _ in optimum.tried])
    outputs = np.array([o for _, o in optimum.tried])
    for ax, name in zip(axes[0], shown):
        k = optimum.names.index(name)
        ax.scatter(values[:, k], outputs, c=np.arange(len(outputs)), cmap="Blues", vmin=-0.5 * len(outputs), s=16, zorder=3)
        ax.plot(values[:, k], outputs, color="0.8", linewidth=0.7)
        ax.plot([optimum.values[k]], [optimum.objective], "*", color=POINT, markersize=12, zorder=4)
        unit = optimum.units[k]
        ax.set_xlabel(label(name, unit))
        ax.set_xlim(optimum.low[k], optimum.high[k])
    axes[0, 0].set_ylabel(label(optimum.output, optimum.unit))
    axes[0, 0].set_title(
        f"{optimum.goal}imum of {optimum.output}: {optimum.objective:.6g} {optimum.unit}".rstrip(), loc="left", fontsize=10
    )
    return finished(fig, path)
