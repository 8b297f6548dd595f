"""Figures 5.2-5.12 of the thesis' dropped rod, redrawn, and what they become with the whole of (5.15)."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from ...archetypes.dropped_device import chatter_boundary, device, drop, shock_map
from ...archetypes.dropped_device.maps import default_axis
from ...archetypes.dropped_device.oscillator import free_response
from ...archetypes.dropped_device.pictures import map_panel
from ...archetypes.dropped_device.solid import box, component
from ...archetypes.dropped_device.solid_sweep import orientation_map, sphere_figure, worst
from ...archetypes.dropped_device.trajectory import good_times
from ...kernel.palette import AMBER, DARK, GREEN, INK, SKY, WARM

GRID = 40
ANGLES = ((1, r"$\pi/40$"), (10, r"$10\pi/40$"), (19, r"$19\pi/40$"))


def figure(*args: Any, **options: Any) -> tuple[Any, Any]:
    """A new figure (imported late: pictures are upstairs)."""
    from ...plotting import figure as new

    return new(*args, **options)


@lru_cache(maxsize=64)
def shock(
    r: float, alpha: float = 1.0, d: float = 10.0, step: int = 0, centrifugal: bool = False, count: int = GRID, h0: float = 10.0
) -> Any:
    """The map for the angle step pi/40, or for the worst of all 19 (step 0); computed once."""
    phi0 = step * math.pi / 40 if step else None
    axis = default_axis(count)
    return shock_map(axis, axis, phi0=phi0, r=r, alpha=alpha, d=d, h0=h0, centrifugal=centrifugal, eps=1e-6)


def responses(rho: float, title: str) -> Any:
    """Oscillators on one dropped rod: weak, critical, strong damping beside slow, middle and fast decay (Figs. 5.2, 5.3)."""
    fig, axes = figure(3, 3, width=12.0, height=2.4)
    for row, d in zip(axes, (1.0, 10.0, 100.0)):
        for ax, alpha in zip(row, (0.3, 1.0, 3.0)):
            found = drop(device(rho, rho, 0.0, alpha, d), math.pi / 4, centrifugal=False, report=False)
            first = found.phase_log[0, 2]
            end = first + (6.0 if rho < 0.5 else 16.0)
            t = good_times(found.device, found.phase_log, end, 40_000)
            t = t[(t > first - 0.2) & (t < end)]
            ax.plot(t, found.at(t)[:, 4], color=INK, linewidth=0.9, label="dropped rod")
            s = np.linspace(0.0, end - first, 4000)
            free = [free_response(x, 0.0, -math.sqrt(20.0), found.device.delta, found.device.Omega**2)[0] for x in s]
            ax.plot(first + s, free, "--", color=WARM, linewidth=0.9, label="reference")
            ax.set_title(rf"$\alpha$ = {alpha:g}, d = {d:g}: R = {found.R:.4f}", loc="left", fontsize=9)
    for ax in axes[-1]:
        ax.set_xlabel(r"$t\,\sqrt{g/l}$")
    for ax in axes[:, 0]:
        ax.set_ylabel("u / l")
    axes[0, 0].legend(frameon=False, fontsize=8)
    fig.suptitle(title, fontsize=11, x=0.01, ha="left")
    return fig


def fig5_2() -> Any:
    """Responses on the rod of Fig. 5.4."""
    return responses(1 / 3, r"Fig. 5.2: $\rho$ = $\gamma$ = 1/3, $\varphi$(0) = $\pi$/4, without the term $u\varphi'^2$")


def fig5_3() -> Any:
    """Responses on the rod of Fig. 5.5."""
    return responses(2 / 3, r"Fig. 5.3: $\rho$ = $\gamma$ = 2/3, $\varphi$(0) = $\pi$/4, without the term $u\varphi'^2$")


def fig5_4() -> Any:
    """The motions of both rods (Figs. 5.4, 5.5)."""
    fig, axes = figure(2, 2, width=10.0, height=2.6, sharex="col")
    for column, (rho, end) in zip(axes.T, ((1 / 3, 5.2), (2 / 3, 21.5))):
        found = drop(device(rho, rho), math.pi / 4, report=False)
        t = good_times(found.device, found.phase_log, end)
        t = t[t < end]
        states = found.at(t)
        column[0].plot(t, states[:, 0], color=INK, linewidth=1.0)
        column[1].plot(t, np.degrees(states[:, 1]), color=INK, linewidth=1.0)
        column[0].set_title(
            rf"$\rho$ = $\gamma$ = {rho:.3g}: {len(found.impact_log)} impacts above eps = 1e-9", loc="left", fontsize=10
        )
        column[0].set_ylabel("h / l")
        column[1].set_ylabel(r"$\varphi$ [deg]")
        column[1].set_xlabel(r"$t\,\sqrt{g/l}$")
    return fig


def fig5_7() -> Any:
    """R over the angle of the drop, with and without the term u phi'^2."""
    fig, axes = figure(1, 2, width=11.0, height=3.8)
    angles = np.linspace(0.002, 0.5 * math.pi - 0.002, 600)
    for ax, r in zip(axes[0], (0.0, 1.0)):
        for rho, colour in ((1 / 3, INK), (2 / 3, WARM)):
            for centrifugal, style, width in ((False, "-", 1.0), (True, ":", 0.9)):
                R = [drop(device(rho, rho, r), a, centrifugal=centrifugal, report=False).R for a in angles]
                name = rf"$\rho$ = $\gamma$ = {rho:.2g}" + (r", with $u\varphi'^2$" if centrifugal else "")
                ax.plot(np.degrees(angles), R, style, color=colour, linewidth=width, label=name)
        ax.set_xlabel(r"$\varphi(0)$ [deg]")
        ax.set_ylabel("R")
        ax.set_ylim(0.0, 2.0 if r == 0.0 else 3.0)
        ax.set_title(f"Fig. 5.7: r = {r:g}, alpha = 1, d = 10, h(0) = 10", loc="left", fontsize=10)
    axes[0, 0].legend(frameon=False, fontsize=8)
    return fig


def panels(maps: list[tuple[Any, str, str]], top: float, title: str) -> Any:
    """Maps side by side with one colour bar; each (map, variable, title)."""
    fig, axes = figure(1, len(maps), width=3.5 * len(maps) + 1.0, height=3.7)
    for ax, (data, name, text) in zip(axes[0], maps):
        field = map_panel(ax, data, name, top, title=text)
    for ax in axes[0, 1:]:
        ax.set_ylabel("")
    fig.colorbar(field, ax=axes[0].tolist(), label=f"R, last colour: {top:g} and more", extend="max", pad=0.01)
    fig.suptitle(title, fontsize=11, x=0.01, ha="left")
    return fig


def by_angle(r: float, top: float, centrifugal: bool, title: str, count: int = GRID) -> Any:
    """Three angles and the worst case."""
    maps = [(shock(r, step=k, centrifugal=centrifugal, count=count), "R", rf"$\varphi(0)$ = {name}") for k, name in ANGLES]
    maps.append((shock(r, centrifugal=centrifugal, count=count), "R", r"worst of 19 angles"))
    return panels(maps, top, title)


def fig5_8(count: int = GRID) -> Any:
    """R for r = 0."""
    return by_angle(
        0.0, 2.0, False, r"Fig. 5.8: component in the middle (orange: boundary of (B.8)), without $u\varphi'^2$", count
    )


def fig5_9(count: int = GRID) -> Any:
    """R for r = 1."""
    return by_angle(1.0, 6.0, False, r"Fig. 5.9: component at an end, without $u\varphi'^2$", count)


def by_oscillator(r: float, top: float, title: str, count: int) -> Any:
    """Four oscillators, worst case."""
    cases = [(a, d) for d in (1.0, 100.0) for a in (0.3, 3.0)]
    return panels([(shock(r, a, d, count=count), "R", rf"$\alpha$ = {a:g}, d = {d:g}") for a, d in cases], top, title)


def fig5_10(count: int = GRID) -> Any:
    """Other oscillators in the middle."""
    return by_oscillator(0.0, 2.0, r"Fig. 5.10: middle, worst of 19 angles, without $u\varphi'^2$", count)


def fig5_11(count: int = GRID) -> Any:
    """Other oscillators at an end."""
    return by_oscillator(1.0, 6.0, r"Fig. 5.11: end, worst of 19 angles, without $u\varphi'^2$", count)


def fig5_12(count: int = GRID) -> Any:
    """R_Goyal, worst case."""
    maps = [(shock(r, count=count), "R_goyal", rf"$R_{{Goyal}}$, r = {r:g}") for r in (0.0, 1.0)]
    fig, axes = figure(1, 2, width=9.0, height=3.7)
    for ax, (data, name, text), top in zip(axes[0], maps, (2.0, 6.0)):
        fig.colorbar(map_panel(ax, data, name, top, title=text), ax=ax, extend="max")
    fig.suptitle("Fig. 5.12: the estimate from the largest velocity jump, worst of 19 angles", fontsize=11, x=0.01, ha="left")
    return fig


def whole_equation(count: int = GRID) -> Any:
    """Where the term u phi'^2 matters: log10 of the worst R with it, for r = 0 and r = 1, d = 1 and d = 10."""
    fig, axes = figure(1, 3, width=12.5, height=3.9)
    gamma = np.linspace(0.0, 1.0, 300)
    cases = ((0.0, 10.0, "r = 0, d = 10"), (1.0, 10.0, "r = 1, d = 10"), (0.0, 100.0, "r = 0, d = 100"))
    for ax, (r, d, text) in zip(axes[0], cases):
        data = shock(r, 1.0, d, centrifugal=True, count=count)
        value = np.log10(np.clip(data["R"].values, 1e-2, 1e6))
        value[data["unfinished"].values > 0] = np.nan
        ax.set_facecolor("0.75")
        field = ax.pcolormesh(
            data["rho"], data["gamma"], value.T, vmin=-0.5, vmax=4.0, cmap="magma", shading="nearest", rasterized=True
        )
        ax.plot(chatter_boundary(gamma), gamma, color=SKY, linewidth=1.1)
        ax.set_title(
            f"{text}: R > 10 on {100 * float((data['R'].values > 10).mean()):.0f} % of the plane", loc="left", fontsize=10
        )
        ax.set_xlabel(r"$\rho$")
        ax.set_xlim(0.0, 1.0)
        ax.set_ylim(0.0, 1.0)
        ax.grid(False)
    axes[0, 0].set_ylabel(r"$\gamma$")
    fig.colorbar(field, ax=axes[0].tolist(), label=r"$\log_{10} R$, worst of 19 angles", extend="both")
    fig.suptitle(
        r"The whole of (5.15), with $u\varphi'^2$: unstable while the rod turns faster than $\Omega$",
        fontsize=11,
        x=0.01,
        ha="left",
    )
    return fig


def tolerance() -> Any:
    """Table 5.3 and the tolerance: R against eps in the scheme of the thesis and in the exact one."""
    fig, axes = figure(1, 2, width=11.0, height=3.8, sharey=True)
    eps = np.logspace(-1.3, -10, 88)
    for ax, scheme in zip(axes[0], ("thesis", "exact")):
        for d, colour in zip((1.0, 10.0, 100.0, 1000.0, 1e4), (DARK, INK, GREEN, AMBER, WARM)):
            dev = device(1 / 3, 1 / 3, 0.0, 1.0, d)
            R = [drop(dev, math.pi / 40, scheme=scheme, centrifugal=False, eps=e, report=False).R for e in eps]
            ax.semilogx(eps, R, color=colour, linewidth=1.0, label=f"d = {d:g}")
        ax.set_xlabel(r"tolerance $\varepsilon$")
        ax.set_title(f"scheme: {scheme}", loc="left", fontsize=10)
        ax.invert_xaxis()
    axes[0, 0].axvspan(5e-3, 7e-3, color="0.85", zorder=0)
    axes[0, 0].text(4.6e-3, 0.16, "reproduces\nTable 5.3", fontsize=8, va="top")
    axes[0, 0].set_ylabel(r"R ($\alpha$ = 1, $\rho$ = $\gamma$ = 1/3, $\varphi(0)$ = $\pi$/40)")
    axes[0, 0].set_ylim(0.0, 1.2)
    axes[0, 1].legend(frameon=False, fontsize=8, loc="center right", bbox_to_anchor=(1.0, 0.52))
    return fig


def every_orientation(rows: int = 30) -> Any:
    """The thesis' outlook: a phone-like box in three dimensions, R over all orientations, without and with friction, middle and corner."""
    phone = box(0.15, 0.075, 0.008, 0.18)
    cases = [("in the middle", (0.0, 0.0, 0.0)), ("in a corner", (0.065, 0.03, 0.0))]
    maps = []
    for mu in (0.0, 0.3):
        for name, at in cases:
            data = orientation_map(phone, component(phone, at, (0, 0, 1), 200.0, 0.05), 1.0, gamma=0.3, mu=mu, rows=rows)
            maps.append((data, rf"component {name}, $\mu$ = {mu:g}: worst R = {worst(data)[0]:.2f}"))
    return sphere_figure(maps, top=2.5)


FIGURES: dict[str, Callable[[], Any]] = {
    "fig5_2": fig5_2,
    "fig5_3": fig5_3,
    "fig5_4": fig5_4,
    "fig5_7": fig5_7,
    "fig5_8": fig5_8,
    "fig5_9": fig5_9,
    "fig5_10": fig5_10,
    "fig5_11": fig5_11,
    "fig5_12": fig5_12,
    "drop_whole_equation": whole_equation,
    "drop_tolerance": tolerance,
    "drop_orientations": every_orientation,
}
