"""The figures of chapter 3 (chatter without gravity), redrawn from recomputed data."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...analysis.chatter.cone import construct, effective_cone
from ...analysis.chatter.simulated import chatter_map
from ...analysis.chatter.succession import edge, generators
from ...archetypes.rod import RodTheory
from ...ensemble.grid_map import grid_map
from ...kernel.palette import GREEN, GREY, INK, WARM

RED, BLUE = WARM, INK


def figure_3_1() -> Any:
    """Properties of lambda_max of the rod."""
    from ...plotting import figure

    fig, axes = figure(1, 1, width=6.5, height=5.0)
    ax = axes[0, 0]
    gamma, rho = np.linspace(0.002, 0.998, 180), np.linspace(0.01, 3.0, 180)
    code = {"positive": 0.0, "complex": 1.0, "negative": 2.0}
    shade = np.array([[code[RodTheory(float(r), float(g)).regime] for g in gamma] for r in rho])
    ax.contourf(gamma, rho, shade, levels=[-0.5, 0.5, 1.5, 2.5], colors=["#cfe0f0", "#f4f4f4", "#f3d9d8"])
    s = np.sqrt(gamma)
    ax.plot(gamma, (1 - s) / (1 + s), color=BLUE, label="(3.11)")
    ax.plot(gamma, (1 + s) / (1 - s), color=RED, linestyle=":", label="(3.16)")
    ax.set_ylim(0.01, 3.0)
    ax.set_xlim(0.0, 1.0)
    ax.text(0.02, 0.12, "real positive: complete chatter", fontsize=8)
    ax.text(0.35, 1.0, "complex: incomplete chatter", fontsize=8)
    ax.text(0.02, 2.6, "real negative:\nincomplete chatter", fontsize=8)
    ax.set_xlabel("gamma")
    ax.set_ylabel("rho")
    ax.legend(fontsize=8, loc="upper right")
    ax.set_title("rod: the dominant eigenvalue of U0 P (Fig. 3.1)", loc="left", fontsize=10)
    return fig


def figure_3_2() -> Any:
    """The cone K of the rod."""
    from ...plotting import figure

    theory = RodTheory(0.25, 0.2)
    fig, axes = figure(1, 1, width=6.5, height=4.2)
    ax = axes[0, 0]
    reach = theory.a_min * 1.25
    ax.fill([0, reach, -reach], [0, -reach / theory.a_min, -reach / theory.a_min], color="#cfe0f0", label="K: complete chatter")
    for sign in (1, -1):
        ax.plot([0, sign * reach], [0, -reach / theory.a_min], color=BLUE, label="p_min and P p_min" if sign == 1 else None)
    deep = 1.25
    ax.plot([0, deep * theory.a_max], [0, -deep], color=RED, label="p_max")
    ax.plot([0, 0], [0, -deep], color=GREEN, linestyle="--", label="pure translation")
    ax.axhline(0.0, color="0.5", linewidth=0.7)
    ax.set_xlim(-reach, reach)
    ax.set_ylim(-deep, 0.3)
    ax.set_xlabel("omega")
    ax.set_ylabel("v")
    ax.legend(fontsize=8, loc="lower right")
    ax.set_title("rod, rho = 0.25, gamma = 0.2: invariant cone (Fig. 3.2)", loc="left", fontsize=10)
    return fig


def figure_3_3() -> Any:
    """The contact points of a regular polygon."""
    from ...plotting import figure

    fig, axes = figure(1, 3, width=9.0, height=3.2)
    for ax, n in zip(axes[0], (3, 4, 5)):
        turn = 2 * math.pi * np.arange(n + 1) / n
        ax.plot(np.cos(turn), np.sin(turn), color=BLUE)
        for i in range(n):
            ax.plot([0, np.cos(turn[i])], [0, np.sin(turn[i])], color="0.8", linewidth=0.8)
            ax.annotate(f"r{i}", (1.13 * np.cos(turn[i]), 1.13 * np.sin(turn[i])), ha="center", va="center", fontsize=9)
        ax.set_aspect("equal")
        ax.set_xlim(-1.35, 1.35)
        ax.set_ylim(-1.35, 1.35)
        ax.set_xlabel("x")
        ax.set_title(f"n = {n}", fontsize=10)
    axes[0, 0].set_ylabel("y")
    return fig


def figure_3_4() -> Any:
    """The admissible cone F of the square and the cone C_1, in space."""
    return _cones_in_space((1,), "Fig. 3.4")


def figure_3_5() -> Any:
    """C_2 of the square."""
    return _cones_in_space((2,), "Fig. 3.5")


def figure_3_6() -> Any:
    """C_3 of the square."""
    return _cones_in_space((3,), "Fig. 3.6")


def _cones_in_space(steps: tuple[int, ...], name: str) -> Any:
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    from ...plotting import sheet

    n = 4
    fig = sheet(9.0, 4.6)
    left, right = fig.add_subplot(1, 2, 1, projection="3d"), fig.add_subplot(1, 2, 2, projection="3d")
    corners = [edge(n, k) for k in range(n)]
    left.add_collection3d(
        Poly3DCollection(
            [[np.zeros(3), corners[k - 1], corners[k]] for k in range(n)], alpha=0.25, facecolor=BLUE, edgecolor=BLUE
        )
    )
    for k in range(n):
        left.text(*(1.05 * corners[k]), f"m{k}{(k + 1) % n}", fontsize=8)
        middle = 0.5 * (corners[k - 1] + corners[k])
        left.text(*(0.75 * middle), f"F{k}", fontsize=8, color=RED)
    left.set_title("admissible configurations F", fontsize=9)
    left.set_zlabel("h")
    for j in steps:
        rays = [r / np.linalg.norm(r) for r in generators(n, j)]
        faces = [[np.zeros(3), rays[i - 1], rays[i]] for i in range(4)]
        right.add_collection3d(Poly3DCollection(faces, alpha=0.3, facecolor=GREEN, edgecolor=GREEN))
    right.set_title(f"C{steps[0]}: velocities that allow point {steps[0]} after point 0", fontsize=9)
    right.set_zlabel("v")
    for ax, low, high in ((left, 0.0, 1.0), (right, -1.0, 0.2)):
        ax.set_xlim(-1, 1)
        ax.set_ylim(-1, 1)
        ax.set_zlim(low, high)
        ax.set_box_aspect(None, zoom=0.8)
        ax.locator_params(nbins=4)
        ax.tick_params(labelsize=8)
    left.set_xlabel("phi_x")
    left.set_ylabel("phi_y")
    right.set_xlabel("omega_x")
    right.set_ylabel("omega_y")
    fig.suptitle(f"square ({name})", fontsize=10)
    return fig


def cone_map(n: int, rho: np.ndarray, gamma: np.ndarray) -> Any:
    """What the cone construction says over a grid: 0 found, 1 none, 2 undecided."""
    code = {"found": 0.0, "none": 1.0, "undecided": 2.0}

    def work(points: np.ndarray, first: int) -> np.ndarray:
        return np.array([[code[construct(n, float(r), float(g), max_steps=1000, thin=1e-7).verdict]] for r, g in points])

    return grid_map(work, {"rho": rho, "gamma": gamma}, ("verdict",), progress=False)


def figure_3_7() -> Any:
    """Where effectively invariant cones exist, and three of them."""
    from matplotlib.colors import ListedColormap

    from ...plotting import figure
    from ...view.chatter import draw_cone, draw_limits

    fig, axes = figure(3, 2, width=10.0, height=3.6)
    for row, (n, top, shown) in zip(axes, ((3, 0.72, (0.35, 0.1)), (4, 0.5, (0.25, 0.12)), (5, 0.38, (0.2, 0.12)))):
        rho, gamma = np.linspace(0.02, top, 60), np.linspace(0.005, 0.9, 60)
        data = cone_map(n, rho, gamma)
        shades = ListedColormap(["#ffffff", GREY, "#cccccc"])
        row[0].pcolormesh(rho, gamma, data["verdict"].values.T, cmap=shades, vmin=-0.5, vmax=2.5, rasterized=True)
        draw_limits(row[0], n, np.linspace(0.02, top, 120))
        row[0].plot(*shown, "x", color="black")
        row[0].annotate("D", shown, textcoords="offset points", xytext=(4, 4), fontsize=8)
        row[0].set_ylim(0.0, 0.9)
        row[0].set_xlabel("rho")
        row[0].set_ylabel("gamma")
        row[0].legend(fontsize=6, loc="upper right")
        row[0].set_title(f"n = {n}: cone found (white), none (dark), undecided (light)", loc="left", fontsize=9)
        draw_cone(effective_cone(n, *shown), row[1])
    return fig


def _simulated(n: int, top: float) -> Any:
    from ...view.chatter import draw_map

    rho, gamma = np.linspace(0.02, top, 100), np.linspace(0.0, 1.0, 100)
    return draw_map(chatter_map(n, rho, gamma, progress=False), n)


def figure_3_8() -> Any:
    """Simulated drops of a triangle."""
    return _simulated(3, 0.75)


def figure_3_9() -> Any:
    """Simulated drops of a square."""
    return _simulated(4, 0.6)


def figure_3_10() -> Any:
    """Simulated drops of a pentagon."""
    return _simulated(5, 0.5)


FIGURES = {f"3_{k}": globals()[f"figure_3_{k}"] for k in range(1, 11)}
