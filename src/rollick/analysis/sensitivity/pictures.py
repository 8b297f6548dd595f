"""Bars of sensitivities."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.names import choose
from ...kernel.palette import INK, WARM

UP, DOWN = INK, WARM


def plot_bars(table: Any, names: tuple[str, ...] = (), path: Any = None) -> Any:
    """One panel for each output: how much it changes if an input grows by one per cent, the largest on top.

    Inputs that are zero have no per cent: they are named below, unless all are zero (then they grow by 0.01).
    """
    from ...plotting import figure, finished

    shown = [choose(name, table.outputs, "output") for name in names] or table.outputs
    drawn = [j for j, value in enumerate(table.input_values) if value] or list(range(len(table.inputs)))
    fig, axes = figure(len(shown), 1, width=7.0, height=0.9 + 0.28 * len(drawn))
    sizes = np.array([abs(v) or 1.0 for v in table.input_values])
    zeros = [name for j, name in enumerate(table.inputs) if j not in drawn]
    for ax, name in zip(axes[:, 0], shown):
        i = table.outputs.index(name)
        change = 0.01 * table.matrix[i] * sizes
        order = [drawn[j] for j in np.argsort(np.abs(change[drawn]))]
        ax.barh(range(len(order)), change[order], color=[UP if c > 0.0 else DOWN for c in change[order]], height=0.65)
        labels = [table.inputs[j] + ("" if table.input_values[j] else " + 0.01") for j in order]
        ax.set_yticks(range(len(order)), labels)
        ax.axvline(0.0, color="0.4", linewidth=0.8)
        ax.grid(False, axis="y")
        ax.margins(x=0.15)
        for k, j in enumerate(order):
            side = 1 if change[j] >= 0.0 else -1
            ax.annotate(f"{change[j]:+.3g}", (change[j], k), xytext=(4 * side, 0), textcoords="offset points", va="center",
                        ha="left" if side > 0 else "right", fontsize=8, color="0.25")  # fmt: skip
        unit = table.output_units[i]
        ax.set_xlabel(
            f"change of {name}"
            + (f" [{unit}]" if unit else "")
            + " when an input grows by 1 %"
            + (f" (zero: {', '.join(zeros)})" if zeros else ""),
            fontsize=9,
        )
        ax.set_title(f"{name} = {table.values[i]:.6g} {unit}".rstrip(), loc="left", fontsize=10)
    return finished(fig, path)
