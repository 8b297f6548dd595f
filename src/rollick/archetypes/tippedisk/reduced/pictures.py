"""Pictures of the stability chart."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernel.palette import GREEN, WARM
from .balance import criticality_boundary, third_boundary

FILLS = {1: "#dbe7f3", 2: "#f6dcd9", 3: "#e2eed9"}
TOLD = {1: "v1: supercritical, stable connection", 2: "v2: subcritical, fold", 3: "v3: unstable connection, fold"}


def plot_chart(chart: Any, path: Any = None) -> Any:
    """Types over (kappa, zeta); omega_c, omega_h and omega_f over kappa for some zeta."""
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    from ....plotting import figure, finished

    fig, axes = figure(1, 2, width=11.0, height=4.2)
    left, right = axes[0]
    if min(chart.types.shape) > 1:
        left.pcolormesh(
            chart.kappa,
            chart.zeta,
            chart.types.T,
            cmap=ListedColormap(list(FILLS.values())),
            vmin=0.5,
            vmax=3.5,
            shading="nearest",
        )
    k = np.linspace(chart.kappa.min(), chart.kappa.max(), 200)
    left.plot(k, np.ones_like(k), "--", color=WARM, linewidth=1.0, label=r"$\zeta = 1$ ($\Lambda$)")
    left.plot(k, criticality_boundary(k), color=WARM, linewidth=1.4, label=r"$\zeta^*(\kappa)$")
    left.plot(k, third_boundary(k), "--", color=GREEN, linewidth=1.0, label=r"$\omega_h = 1 - \kappa$, closed form")
    left.set_ylim(chart.zeta.min(), chart.zeta.max())
    left.set_xlim(chart.kappa.min(), chart.kappa.max())
    handles = [Patch(facecolor=FILLS[t], edgecolor="0.5", label=TOLD[t]) for t in FILLS if (chart.types == t).any()]
    left.legend(handles=[*handles, *left.get_lines()], frameon=False, fontsize=7.5, loc="upper left")
    left.set_xlabel(r"$\kappa = e/r$")
    left.set_ylabel(r"$\zeta = A/\bar B$")
    right.plot(chart.kappa, chart.omega_c[:, 0], color="black", linewidth=1.4, label=r"$\omega_c$")
    for j in np.unique(np.linspace(0, chart.zeta.size - 1, 6).round().astype(int))[1:]:
        line = right.plot(chart.kappa, chart.omega_h[:, j], linewidth=1.1, label=rf"$\omega_h$, $\zeta$ = {chart.zeta[j]:.3g}")[0]
        right.plot(chart.kappa, chart.omega_f[:, j], ":", color=line.get_color(), linewidth=1.1)
    right.plot(chart.kappa, 1.0 - chart.kappa, "--", color="0.5", linewidth=1.0, label=r"$\omega_\sigma = 1 - \kappa$")
    right.legend(frameon=False, fontsize=7.5, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    right.set_xlabel(r"$\kappa$")
    right.set_ylabel(r"$\omega$ (folds dotted)")
    fig.suptitle(chart.title + (", closed forms" if chart.closed else ", computed"), fontsize=10)
    return finished(fig, path)
