"""Pictures of chatter: maps over (rho, gamma), and cones in the plane v = -1."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kernel.palette import AMBER, GREEN, INK, WARM
from ..plotting import figure

RED, BLUE = WARM, INK


def limits_over(n: int, rho: np.ndarray) -> dict[str, np.ndarray]:
    """The limits of chatter in gamma over rho: regular word, hub word and pairs (nan where there is none)."""
    from ..analysis.chatter import hub_limit, partial_limit, regular_limit

    found = {"regular": np.array([regular_limit(n, float(r)) for r in rho])}
    if n == 3:
        found["hub"] = np.array([hub_limit(float(r)) for r in rho])
        found["pair"] = np.array([partial_limit(3, float(r)) for r in rho])
    return found


def draw_limits(ax: Any, n: int, rho: np.ndarray) -> None:
    """The closed-form limits as curves."""
    found = limits_over(n, rho)
    ax.plot(rho, found["regular"], color=RED, linestyle="--", linewidth=1.3, label="U0 R: dominant eigenvalue turns complex")
    if n == 3:
        ax.plot(rho, found["hub"], color=BLUE, linewidth=1.3, label="hub word 0, 2, 0, 1")
        ax.plot(rho, found["pair"], color=GREEN, linestyle=":", linewidth=1.5, label="PCC possible below")


def draw_map(data: Any, n: int) -> Any:
    """Impacts before a body flies away, level curves and shares, with the closed-form limits (Figs 3.8-3.10)."""
    fig, axes = figure(1, 1, width=7.0, height=5.0)
    ax = axes[0, 0]
    rho, gamma = data["rho"].values, data["gamma"].values
    most = float(data["most_impacts"].max())
    partial = data["partial"].values.T > 0.5
    counts = np.where(partial, np.nan, data["most_impacts"].values.T)
    ax.set_facecolor("#d5e8c8")  # where the map leaves holes: partially complete chatter
    shade = ax.pcolormesh(
        rho, gamma, np.log10(np.maximum(counts, 1.0)), cmap="Greys_r", vmin=0.0, vmax=np.log10(most) * 1.02, rasterized=True
    )
    levels = [x for x in (3, 5, 10, 20, 50, 100) if x < 0.9 * most]
    smooth = np.where(partial, np.nan, data["mean_impacts"].values.T)
    lines = ax.contour(rho, gamma, smooth, levels=levels, colors=AMBER, linewidths=0.7)
    ax.clabel(lines, fontsize=7, fmt="%g")
    draw_limits(ax, n, np.linspace(max(rho.min(), 1e-3), rho.max(), 150))
    ax.set_xlabel("rho")
    ax.set_ylabel("gamma")
    ax.set_xlim(rho.min(), rho.max())
    ax.set_ylim(gamma.min(), gamma.max())
    ax.legend(fontsize=8, loc="upper right", frameon=True)
    ax.set_title(
        f"regular {n}-gon: most impacts of {data.attrs['count']} drops (white: {most:.0f} and on; green: PCC; lines: mean)",
        loc="left",
        fontsize=10,
    )
    fig.colorbar(shade, ax=ax, label="log10 of the number of impacts")
    return fig


def draw_cone(cone: Any, ax: Any = None, title: str = "") -> Any:
    """A cone in the plane v = -1, with the cones C_j of the next impact, the flat drop, and the eigenvector of U_0 R."""
    from ..analysis.chatter.cone import flat_drop
    from ..analysis.chatter.spectrum import step_map
    from ..analysis.chatter.succession import generators
    from ..motion.impacts.pattern import real_pairs

    fig = None
    if ax is None:
        fig, axes = figure(1, 1, width=5.5, height=5.0)
        ax = axes[0, 0]
    if len(cone.polygon):
        closed = np.vstack([cone.polygon, cone.polygon[:1]])
        ax.fill(closed[:, 0], closed[:, 1], color="#cfe0f0", zorder=1)
        ax.plot(closed[:, 0], closed[:, 1], color=BLUE, linewidth=1.2, zorder=3, label="K")
        low, high = cone.polygon.min(axis=0), cone.polygon.max(axis=0)
        room = 0.25 * np.max(high - low)
        ax.set_xlim(low[0] - room, high[0] + room)
        ax.set_ylim(low[1] - room, high[1] + room)
    ax.set_aspect("equal")
    for j in range(1, cone.n):
        rays = generators(cone.n, j)
        inner = rays[rays[:, 2] < -1e-9]
        outer = rays[rays[:, 2] >= -1e-9]
        for corner in inner:
            tip = corner[:2] / -corner[2]
            for way in outer:
                ax.plot(*np.array([tip, tip + 50.0 * way[:2]]).T, color="0.75", linewidth=0.6, zorder=0)
        if len(inner) > 1:
            tips = inner[:, :2] / -inner[:, 2:]
            ax.plot(*tips.T, color="0.75", linewidth=0.6, zorder=0)
    drop = flat_drop(cone.rho, cone.gamma)
    ax.plot(*drop, "o", color=GREEN, markersize=5, zorder=5, label="flat drop")
    for step in (1, -1):
        pairs = [e for e in real_pairs(step_map(cone.n, cone.rho, cone.gamma, step)) if e[2]]
        if pairs:
            p = pairs[0][1] / -pairs[0][1][2]
            ax.plot(
                p[0], p[1], "s", color=RED, markersize=5, zorder=5, label="eigenvectors of U0 R, U0 R^-1" if step == 1 else None
            )
    ax.set_xlabel("omega_x / |v|")
    ax.set_ylabel("omega_y / |v|")
    ax.legend(fontsize=7, loc="best")
    proof = ", proven" if cone.proven else ""
    ax.set_title(
        title or f"n = {cone.n}, rho = {cone.rho:g}, gamma = {cone.gamma:g}: {cone.verdict}{proof}", loc="left", fontsize=9
    )
    return fig
