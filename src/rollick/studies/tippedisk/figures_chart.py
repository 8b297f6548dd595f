"""Sailer's Figs. 6.1-6.4 redrawn: the parameter space, its projections, the stability chart, and the three types of branches."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...archetypes.tippedisk import specimen
from ...archetypes.tippedisk.reduced import balance, closed_chart, computed_chart, cycle_integral
from ...archetypes.tippedisk.reduced.branches import amplitudes
from ...plotting import sheet
from .figures import GREEN, INK, WARM, figure
from .figures_slow import stable_parts
from .reduced_targets import KAPPA, TYPES, type_branch


def fig6_1() -> Any:
    """The surfaces in (kappa, zeta, omega)."""
    k, z = np.linspace(1e-3, 0.1, 30), np.linspace(0.5, 2.0, 40)
    chart = computed_chart(k, z)
    K, Z = np.meshgrid(k, z, indexing="ij")
    fig = sheet(8.0, 6.4)
    ax = fig.add_subplot(1, 1, 1, projection="3d")
    ax.plot_surface(K, Z, chart.omega_c, color="0.6", alpha=0.5, linewidth=0)
    ax.plot_surface(K, Z, chart.omega_h, color=GREEN, alpha=0.5, linewidth=0)
    kk, ww = np.meshgrid(k, np.linspace(0.85, 1.15, 10), indexing="ij")
    ax.plot_surface(kk, balance.criticality_boundary(kk), ww, color=WARM, alpha=0.35, linewidth=0)
    for zeta in (0.75, 1.0, 1.25, 1.5, 1.75):
        ax.plot(k, np.full_like(k, zeta), cycle_integral.omega_heteroclinic(k, zeta), color="black", linewidth=0.8)
    for name, zeta in TYPES.items():
        ax.plot([KAPPA, KAPPA], [zeta, zeta], [0.85, 1.15], color=INK, linewidth=1.2)
        ax.text(KAPPA, zeta, 1.16, name, fontsize=9)
    ax.set_xlabel(r"$\kappa$")
    ax.set_ylabel(r"$\zeta$")
    ax.set_zlabel(r"$\omega$")
    ax.set_zlim(0.85, 1.15)
    ax.set_box_aspect(None, zoom=0.85)
    ax.set_title("Sailer, Fig. 6.1: Hopf points (grey), connections (green), criticality (orange, corrected)", fontsize=10)
    return fig


def fig6_2() -> Any:
    """Projections."""
    fig, axes = figure(1, 2, width=11.0, height=4.2)
    a, b = axes[0]
    k = np.linspace(1e-3, 0.1, 200)
    a.plot(k, np.ones_like(k), "--", color=WARM, linewidth=1.0, label=r"$\Lambda$: $\zeta = 1$")
    a.plot(k, balance.criticality_boundary(k), color=WARM, linewidth=1.3, label=r"$\zeta^*$")
    a.plot(k, balance.third_boundary(k), "--", color=GREEN, linewidth=1.0, label=r"$\omega_h = \omega_\sigma$, closed form")
    chart = computed_chart(k[::4], np.linspace(0.5, 2.0, 120))
    a.contour(chart.kappa, chart.zeta, (chart.omega_h - 1.0 + chart.kappa[:, None]).T, levels=[0.0], colors=GREEN, linewidths=1.3)
    for name, zeta in TYPES.items():
        a.plot(KAPPA, zeta, "o", color=INK)
        a.text(KAPPA + 0.002, zeta, name)
    for name in ("V1", "V2"):
        d = specimen(name)
        a.plot(d.kappa, d.zeta, "s", color="black")
        a.text(d.kappa + 0.002, d.zeta, name)
    a.legend(frameon=False, fontsize=8, loc="upper left")
    a.set_ylim(0.5, 2.0)
    a.set_xlabel(r"$\kappa$")
    a.set_ylabel(r"$\zeta$")
    for zeta in (0.75, 1.0, 1.25, 1.5, 1.75):
        line = b.plot(k, cycle_integral.omega_heteroclinic(k, zeta), linewidth=1.1, label=rf"$\omega_h$, $\zeta$ = {zeta:g}")[0]
        b.plot(k, (1.0 + k) * np.sqrt(cycle_integral.nu_zeroth(zeta)), "--", color=line.get_color(), linewidth=0.8)
    b.plot(k, 1.0 + k, color="black", linewidth=1.5, label=r"$\omega_c$")
    b.plot(k, 1.0 - k, ":", color="black", linewidth=1.0, label=r"$\omega_\sigma$")
    b.legend(frameon=False, fontsize=7.5, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    b.set_xlabel(r"$\kappa$")
    b.set_ylabel(r"$\omega$ (closed forms dashed)")
    fig.suptitle("Sailer, Fig. 6.2: projections of the parameter space", fontsize=10)
    return fig


def fig6_3() -> Any:
    """The stability chart, closed and computed."""
    k, z = np.linspace(1e-3, 0.1, 100), np.linspace(0.5, 2.0, 100)
    fig, axes = figure(1, 2, width=11.0, height=4.2)
    from matplotlib.colors import ListedColormap

    colours = ListedColormap(["#dbe7f3", "#f6dcd9", "#e2eed9"])
    for ax, chart, told in ((axes[0, 0], closed_chart(k, z), "closed forms"), (axes[0, 1], computed_chart(k, z), "computed")):
        ax.pcolormesh(k, z, chart.types.T, cmap=colours, vmin=0.5, vmax=3.5, shading="nearest")
        for (x, y), name in (((0.08, 1.35), "I: v1"), ((0.08, 0.7), "II: v2"), ((0.02, 1.7), "III: v3")):
            ax.text(x, y, name, fontsize=10)
        lines = ax.contour(k, z, chart.omega_h.T, levels=np.arange(0.8, 1.25, 0.05), colors="0.4", linewidths=0.7)
        ax.clabel(lines, fontsize=7)
        ax.set_xlabel(r"$\kappa$")
        ax.set_ylabel(r"$\zeta$")
        ax.set_title(told + r", lines of $\omega_h$", fontsize=9)
    fig.suptitle("Sailer, Fig. 6.3: stability chart", fontsize=10)
    return fig


def fig6_4() -> Any:
    """Branches of the three types."""
    fig, axes = figure(3, 2, width=10.0, height=2.9)
    for row, (name, zeta) in zip(axes, TYPES.items()):
        branch = type_branch(name)
        stable_parts(row[0], branch, amplitudes(branch))
        stable_parts(row[1], branch, np.asarray(branch["period"], float))
        x = np.asarray(branch["omega"], float)
        low, high = x.min() - 0.01, max(x.max(), 1.0 + KAPPA) + 0.01
        row[0].plot([low, 1.0 + KAPPA], [0.0, 0.0], "--", color=INK, linewidth=1.4)
        row[0].plot([1.0 + KAPPA, high], [0.0, 0.0], color=WARM, linewidth=1.4)
        omega_h = float(cycle_integral.omega_heteroclinic(KAPPA, zeta))
        row[0].plot(omega_h, math.pi, "o", color=INK if omega_h < 1.0 - KAPPA else WARM, markersize=5)
        row[0].set_ylabel(rf"{name}: amplitude of $\gamma$")
        row[1].set_ylabel(r"T, in 1/$\Omega$")
        row[1].set_ylim(20.0, 120.0)
        for ax in row:
            ax.set_xlabel(r"$\omega$")
    axes[0, 0].set_title("Sailer, Fig. 6.4: types v1, v2, v3 (kappa = 0.05, delta = 0.2; stable solid)", loc="left", fontsize=10)
    return fig


FIGURES: dict[str, Callable[[], Any]] = {"fig6_1": fig6_1, "fig6_2": fig6_2, "fig6_3": fig6_3, "fig6_4": fig6_4}
