"""The picture of a slow manifold over a box."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...kernel.names import choose
from ...kernel.palette import INK, WARM


def plot_manifold(manifold: Any, names: Sequence[str], path: Any) -> Any:
    """A fast state over a slow one, with where its rate vanishes; and the residual of each order."""
    from ...plotting import figure, finished

    split = manifold.split
    row = split.fast_names.index(choose(names[0], split.fast_names, "fast state")) if names else 0
    low, high = manifold.grid.box[0]
    x = np.repeat(manifold.grid.middle[:, None], 201, axis=1)
    x[0] = np.linspace(low, high, 201)
    fig, axes = figure(1, 2, width=9.0, height=3.6)
    ax = axes[0, 0]
    ax.plot(x[0], manifold(x)[row], color=INK)
    ax.set_xlabel(split.slow_names[0])
    ax.set_ylabel(split.fast_names[row])
    ax.set_title(f"slow manifold, order {manifold.order}", loc="left", fontsize=10)
    ax = axes[0, 1]
    ax.semilogy(range(len(manifold.residuals)), np.maximum(manifold.residuals, 1e-300), "o-", color=WARM, markersize=4)
    ax.set_xlabel("order")
    ax.set_ylabel("largest invariance residual")
    return finished(fig, path)
