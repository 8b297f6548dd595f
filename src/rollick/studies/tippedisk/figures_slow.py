"""Sailer's Figs. 5.2-5.8, 5.10, B.1 and B.2 redrawn: the slow manifold, pure rolling, the slow flow, connections and branches."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...analysis.continuation import PseudoArclength
from ...archetypes.tippedisk import specimen
from ...archetypes.tippedisk.reduced import TippediskReduced, TippediskSlow, cycle_integral, linear
from ...archetypes.tippedisk.reduced.branches import amplitudes, slow_cycles
from ...archetypes.tippedisk.reduced.heteroclinic import connection_slow, melnikov_speeds, speed_unit
from ...archetypes.tippedisk.reduced.manifold import first_order_flow, rolling_energy, upper_separatrix
from ...motion.events.event import Event
from ...motion.simulate import simulate
from ...plotting import sheet
from .figures import GREEN, INK, WARM, figure
from .figures_linear import cycles, orbit_states

HALF = 0.5 * math.pi
V1, V2 = specimen("V1"), specimen("V2")
SPEEDS = (29.5, 30.15, 30.3, 30.5, 30.8, 31.2)  # Fig. 5.3: below the connection, four with a cycle, above the Hopf point
STARTS = ((HALF, -HALF, 2.0), (HALF, HALF + 0.4, 0.0))


def clipped(m: Any) -> np.ndarray:
    """The states of a motion as long as gamma is between both non-inverted positions and the disk stands."""
    y = np.asarray(m.y)
    inside = (y[:, 1] > -HALF - 0.3) & (y[:, 1] < 3.0 * HALF + 0.3) & (np.sin(y[:, 0]) > 0.6)
    end = len(y) if inside.all() else int(np.argmin(inside))
    return y[: max(end, 2)]


@functools.cache
def run(Omega: float, start: tuple[float, ...], until: float = 4.0) -> np.ndarray:
    """Model 1.4 (three numbers) or the slow flow (two)."""
    system = TippediskReduced(V1, Omega) if len(start) == 3 else TippediskSlow(V1, Omega)
    fallen = Event("z_S", "falling", terminal=True, level=0.6 * V1.r)
    m = simulate(system, list(start), until, rtol=1e-9, at=np.linspace(0.0, until, 4001), events=[fallen], progress=False)
    return clipped(m)


def equilibria(ax: Any, stable: bool, swap: bool = False) -> None:
    """Non-inverted and inverted spinning."""
    for gamma, colour in ((-HALF, INK), (3.0 * HALF, INK), (HALF, WARM if stable else INK)):
        point = (gamma, HALF) if swap else (HALF, gamma)
        ax.plot(*point, "o", color=colour, markersize=4)


def panels(draw: Callable[[Any, float], None], title: str, three: bool = False) -> Any:
    """Six panels, one for each speed."""
    fig = sheet(12.0, 7.6)
    for k, Omega in enumerate(SPEEDS):
        ax: Any = fig.add_subplot(2, 3, k + 1, **({"projection": "3d"} if three else {}))
        draw(ax, Omega)
        ax.set_title(rf"$\Omega$ = {Omega:g} rad/s", fontsize=9)
        ax.set_xlabel(r"$\beta$ [rad]", fontsize=8)
        ax.set_ylabel(r"$\gamma$ [rad]", fontsize=8)
        ax.tick_params(labelsize=7)
        if three:
            ax.set_box_aspect(None, zoom=0.82)  # room for the labels
    fig.suptitle(title, fontsize=10)
    return fig


def has_cycle(Omega: float) -> bool:
    """Between connection and Hopf point."""
    return min(cycles(False)["Omega"]) < Omega < linear.critical_speed(V1)


def fig5_2() -> Any:
    """The phase space with the slow manifold."""
    beta, gamma = np.meshgrid(np.linspace(HALF - 0.55, HALF + 0.55, 40), np.linspace(-HALF - 0.2, 3.0 * HALF + 0.2, 60))

    def draw(ax: Any, Omega: float) -> None:
        surface = first_order_flow(V1)(np.stack([beta, gamma]), Omega)[0]
        ax.plot_wireframe(beta, gamma, surface, color="0.75", linewidth=0.3, rcount=30, ccount=16)
        for start in STARTS:
            y = run(Omega, start)
            ax.plot(*y.T, color=INK, linewidth=0.7)
            ax.plot(*[[v] for v in start], "x", color="black", markersize=5)
        if has_cycle(Omega):
            ax.plot(*orbit_states(cycles(False), Omega).T, color=WARM, linewidth=1.6)
        for g, colour in ((-HALF, INK), (3.0 * HALF, INK), (HALF, WARM if linear.critical_speed(V1) < Omega else INK)):
            ax.plot([HALF], [g], [0.0], "o", color=colour, markersize=4)
        ax.set_zlabel(r"$\dot\beta$ [rad/s]", fontsize=8)
        ax.set_zlim(-4.0, 4.0)
        ax.view_init(35, -65)

    return panels(draw, "Sailer, Fig. 5.2: Model 1.4 with its slow manifold", three=True)


def fig5_3() -> Any:
    """Where these speeds are in the bifurcation diagram."""
    fig, axes = figure(1, 1, width=7.0, height=4.0)
    ax = axes[0, 0]
    branch, top = cycles(False), linear.critical_speed(V1)
    ax.plot(branch["Omega"], branch["max_beta"] - HALF, color="0.5", linewidth=1.0)
    for Omega in SPEEDS:
        ax.plot(Omega, 0.0, "o", color=WARM if top < Omega else INK, markersize=5)
        if has_cycle(Omega):
            ax.plot(Omega, np.ptp(orbit_states(branch, Omega)[:, 0]) / 2.0, "s", color=WARM, markersize=5)
    ax.set_xlabel(r"$\Omega$ [rad/s]")
    ax.set_ylabel(r"amplitude of $\beta$ [rad]")
    ax.set_title("Sailer, Fig. 5.3: the speeds of Fig. 5.2", loc="left", fontsize=10)
    return fig


def rolling_orbits(heights: tuple[float, ...]) -> list[tuple[np.ndarray, np.ndarray]]:
    """Orbits of pure rolling by amplitude: closed curves beta(gamma), both halves."""
    curves = []
    for Gamma in heights:
        gamma = HALF + Gamma * np.cos(np.linspace(math.pi, 0.0, 300))
        c = V1.r + V1.e * math.cos(Gamma)
        lean = np.arccos(np.clip(c / (V1.r + V1.e * np.sin(gamma)), -1.0, 1.0))
        curves.append((np.concatenate([HALF + lean, (HALF - lean)[::-1]]), np.concatenate([gamma, gamma[::-1]])))
    return curves


def fig5_4() -> Any:
    """Pure rolling at two speeds."""
    fig, axes = figure(1, 3, width=12.0, height=4.0)
    for ax, Omega, style in ((axes[0, 0], 30.0, ":"), (axes[0, 1], 40.0, "-")):
        for k, (beta, gamma) in enumerate(rolling_orbits((0.5, 1.2, 2.0, 2.7, math.pi))):
            ax.plot(
                beta, gamma, color=WARM if k == 2 else INK, linewidth=1.2 if k == 2 else 0.9, linestyle=style if k == 2 else "-"
            )
        equilibria(ax, False)
        ax.set_xlabel(r"$\beta$ [rad]")
        ax.set_ylabel(r"$\gamma$ [rad]")
        ax.set_title(rf"$\Omega$ = {Omega:g} rad/s", fontsize=9)
        m = simulate(TippediskSlow(V1, Omega, eps=0.0), [HALF, HALF + 2.0], 3.0, at=np.linspace(0.0, 3.0, 600), progress=False)
        axes[0, 2].plot(m.t, m["gamma"], style, color=WARM, linewidth=1.2, label=rf"$\Omega$ = {Omega:g} rad/s")
    axes[0, 2].set_ylim(-0.8, 4.6)
    axes[0, 2].legend(frameon=False, fontsize=8, loc="upper right", ncols=2)
    axes[0, 2].set_xlabel("t [s]")
    axes[0, 2].set_ylabel(r"$\gamma$ [rad]")
    fig.suptitle("Sailer, Fig. 5.4: the critical manifold, pure rolling", fontsize=10)
    return fig


def fig5_5() -> Any:
    """In canonical coordinates."""
    fig, axes = figure(1, 2, width=10.0, height=4.0)
    gamma = np.linspace(-HALF - 0.4, 3.0 * HALF + 0.4, 300)
    for ax, Omega in zip(axes[0], (30.0, 40.0)):
        rho = np.linspace(-0.045, 0.045, 241)
        H = rolling_energy(V1, *np.meshgrid(gamma, rho), Omega)
        edge = float(rolling_energy(V1, -HALF, 0.0, Omega))
        low = float(rolling_energy(V1, HALF, 0.0, Omega))
        ax.contour(
            gamma,
            rho,
            H,
            levels=np.sort([*(low + (edge - low) * np.array([0.1, 0.3, 0.6, 0.85, 1.2, 1.6]))]),
            colors=INK,
            linewidths=0.8,
            linestyles="-",
        )
        ax.contour(gamma, rho, H, levels=[edge], colors=WARM, linewidths=1.3)
        ax.set_xlabel(r"$\gamma$ [rad]")
        ax.set_ylabel(r"$\rho$ [m$^2$/s]")
        ax.set_title(rf"$\Omega$ = {Omega:g} rad/s", fontsize=9)
    fig.suptitle("Sailer, Fig. 5.5: pure rolling in canonical coordinates (the separatrix dashed)", fontsize=10)
    return fig


@functools.cache
def slow_branch() -> Any:
    """V1 on the slow manifold."""
    return slow_cycles(V1, steps=PseudoArclength(ds=0.01, ds_max=0.03, max_points=200, tol=1e-9))


def slow_orbit(Omega: float) -> np.ndarray:
    """The cycle of the slow flow at a speed."""
    from ...analysis.orbits import find_orbit

    branch = slow_branch()
    near = branch.orbit(int(np.argmin(np.abs(np.asarray(branch["Omega"]) - Omega))))
    return find_orbit(TippediskSlow(V1, Omega), near.start, near.period).points(400)[1]


def slow_has_cycle(Omega: float) -> bool:
    """Between connection and Hopf point."""
    return min(slow_branch()["Omega"]) < Omega < linear.critical_speed(V1)


def fig5_6() -> Any:
    """The slow flow."""

    def draw(ax: Any, Omega: float) -> None:
        for start in ((HALF + 0.02, -HALF), (HALF, HALF + 0.4)):
            y = run(Omega, start)
            ax.plot(*y.T, color=INK, linewidth=0.7)
            ax.plot(*start, "x", color="black", markersize=5)
        if slow_has_cycle(Omega):
            ax.plot(*slow_orbit(Omega).T, color=WARM, linewidth=1.6)
        equilibria(ax, linear.critical_speed(V1) < Omega)
        ax.set_xlim(HALF - 0.75, HALF + 0.75)
        ax.set_ylim(-HALF - 0.3, 3.0 * HALF + 0.3)

    return panels(draw, "Sailer, Fig. 5.6: the slow flow")


def fig5_7() -> Any:
    """Connections with and without friction."""
    fig, axes = figure(1, 1, width=7.0, height=4.6)
    ax = axes[0, 0]
    gamma = np.linspace(-HALF, 3.0 * HALF, 400)
    beta = upper_separatrix(V1, gamma)
    ax.plot(gamma, beta, color=INK, linewidth=1.2, label=r"$\Gamma_c$, pure rolling")
    ax.plot(gamma, math.pi - beta, "--", color=INK, linewidth=1.2)
    found = connection_slow(V1)
    ax.plot(found.x[1], found.x[0], color=GREEN, linewidth=1.2, label=rf"$\Gamma_\epsilon$, $\Omega_h$ = {found.value:.4f} rad/s")
    ax.plot(math.pi - found.x[1], math.pi - found.x[0], "--", color=GREEN, linewidth=1.2)
    equilibria(ax, False, swap=True)
    ax.legend(frameon=False, fontsize=8)
    ax.set_xlabel(r"$\gamma$ [rad]")
    ax.set_ylabel(r"$\beta$ [rad]")
    ax.set_title("Sailer, Fig. 5.7: connections, upper solid, lower dashed", loc="left", fontsize=10)
    return fig


def stable_parts(ax: Any, branch: Any, y: np.ndarray, colours: tuple[str, str] = (WARM, INK), label: str = "") -> None:
    """A branch, stable solid and unstable dashed, in two colours besides."""
    x = np.asarray(branch[branch.problem.parameter], float)
    unstable = np.asarray(branch.unstable) > 0
    for flag, colour, style in ((False, colours[0], "-"), (True, colours[1], "--")):
        part = np.where(unstable == flag, y, np.nan)
        if np.isfinite(part).any():
            ax.plot(x, part, style, color=colour, linewidth=1.4, label=label if not flag else "")


def fig5_8() -> Any:
    """All approximations of V1's branch."""
    fig, axes = figure(1, 1, width=7.6, height=4.4)
    ax = axes[0, 0]
    for branch, colour, label in (
        (cycles(False), "black", "Model 1.4"),
        (cycles(True), "0.55", "Model 1.4, linear friction"),
        (slow_branch(), GREEN, "slow flow"),
    ):
        ax.plot(branch["Omega"], amplitudes(branch), color=colour, linewidth=1.3, label=label)
    Gamma = np.linspace(1e-3, math.pi, 300)
    ax.plot(
        speed_unit(V1) * cycle_integral.omega_of_amplitude(V1.kappa, V1.zeta, Gamma),
        Gamma,
        "--",
        color=WARM,
        linewidth=1.2,
        label=r"cycle integral, $\varepsilon \to 0$",
    )
    for k, (name, Omega) in enumerate(sorted(melnikov_speeds(V1).items(), key=lambda pair: pair[1])):
        ax.plot(Omega, math.pi, "v", markersize=5, color=INK)
        ax.text(Omega, math.pi + (0.1, 0.22)[k % 2], name, fontsize=7, ha="center")  # close neighbours above each other
    top = linear.critical_speed(V1)
    ax.set_ylim(-0.15, math.pi + 0.5)
    ax.plot([29.9, top], [0.0, 0.0], color=INK, linewidth=1.4, linestyle="--")
    ax.plot([top, 31.2], [0.0, 0.0], color=WARM, linewidth=1.4)
    ax.legend(frameon=False, fontsize=8)
    ax.set_xlabel(r"$\Omega$ [rad/s]")
    ax.set_ylabel(r"amplitude of $\gamma$ [rad]")
    ax.set_title("Sailer, Fig. 5.8: V1", loc="left", fontsize=10)
    return fig


def fig5_10() -> Any:
    """V2: subcritical, with a fold."""
    from .reduced_targets import v2_branch

    fig, axes = figure(1, 1, width=7.6, height=4.4)
    ax = axes[0, 0]
    branch, top = v2_branch(), linear.critical_speed(V2)
    stable_parts(ax, branch, amplitudes(branch))
    fold = branch.special("LPC1").parameter
    ax.axvline(fold, color="0.7", linewidth=0.7, linestyle=":")
    ax.text(fold, 1.2, f" fold {fold:.3f}", fontsize=8)
    ax.plot([30.4, top], [0.0, 0.0], color=INK, linewidth=1.4, linestyle="--")
    ax.plot([top, 31.7], [0.0, 0.0], color=WARM, linewidth=1.4)
    ax.set_xlabel(r"$\Omega$ [rad/s]")
    ax.set_ylabel(r"amplitude of $\gamma$ [rad]")
    ax.set_title("Sailer, Fig. 5.10: V2 on the slow manifold (stable solid, unstable dashed)", loc="left", fontsize=10)
    return fig


def figB_1() -> Any:
    """Fig. 5.2 from above."""

    def draw(ax: Any, Omega: float) -> None:
        for start in STARTS:
            y = run(Omega, start)
            ax.plot(y[:, 0], y[:, 1], color=INK, linewidth=0.7)
            ax.plot(*start[:2], "x", color="black", markersize=5)
        if has_cycle(Omega):
            y = orbit_states(cycles(False), Omega)
            ax.plot(y[:, 0], y[:, 1], color=WARM, linewidth=1.6)
        equilibria(ax, linear.critical_speed(V1) < Omega)
        ax.set_xlim(HALF - 0.75, HALF + 0.75)
        ax.set_ylim(-HALF - 0.3, 3.0 * HALF + 0.3)

    return panels(draw, r"Sailer, Fig. B.1: Model 1.4, projected onto the $\beta$-$\gamma$ plane")


def figB_2() -> Any:
    """The slow flow on the unit sphere: gamma polar, beta azimuth."""

    def place(y: np.ndarray) -> tuple[np.ndarray, ...]:
        b, g = y[:, 0], y[:, 1]
        return np.cos(g) * np.cos(b), np.cos(g) * np.sin(b), np.sin(g)

    u, v = np.meshgrid(np.linspace(0.0, 2.0 * math.pi, 40), np.linspace(0.0, math.pi, 20))

    def draw(ax: Any, Omega: float) -> None:
        ax.plot_wireframe(np.cos(u) * np.sin(v), np.sin(u) * np.sin(v), np.cos(v), color="0.8", linewidth=0.3)
        for start in ((HALF + 0.02, -HALF), (HALF, HALF + 0.4)):
            ax.plot(*place(run(Omega, start)), color=INK, linewidth=0.7)
            ax.plot(*place(np.array([start])), "x", color="black", markersize=5)
        if slow_has_cycle(Omega):
            ax.plot(*place(slow_orbit(Omega)), color=WARM, linewidth=1.6)
        ax.plot([0.0, 0.0], [0.0, 0.0], [-1.0, 1.0], "o", color="black", markersize=4)
        ax.set_box_aspect((1, 1, 1), zoom=1.3)
        ax.set_axis_off()
        ax.view_init(15, 25)

    return panels(draw, "Sailer, Fig. B.2: the slow flow on the unit sphere (polar angle gamma, azimuth beta)", three=True)


FIGURES: dict[str, Callable[[], Any]] = {
    "fig5_2": fig5_2, "fig5_3": fig5_3, "fig5_4": fig5_4, "fig5_5": fig5_5, "fig5_6": fig5_6, "fig5_7": fig5_7, "fig5_8": fig5_8, "fig5_10": fig5_10,
    "figB_1": figB_1, "figB_2": figB_2,
}  # fmt: skip
