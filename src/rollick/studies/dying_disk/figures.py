"""Figs. 4.3 to 4.8 and B.1 of the thesis on collision sequences redrawn, and two it does not have: the limit of many points, other mechanisms."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...analysis.chatter import hub_limit, partial_limit
from ...archetypes.dying_disk.boundaries import existence_limit, gamma_min, growth_at, rho_c, rho_min, triangle_limit
from ...archetypes.dying_disk.disk import Disk
from ...archetypes.dying_disk.fit import fitted
from ...archetypes.dying_disk.irregular import exponent_map, exponents
from ...archetypes.dying_disk.limit import CRITICAL, gamma_min_limit, large_n
from ...archetypes.dying_disk.mechanisms import LITERATURE, rolling_friction, rolling_start
from ...archetypes.dying_disk.pictures import INK, LEAF, PLUM, WARM
from ...archetypes.dying_disk.rod import c_rod, chatters, gravity_vanishes
from ...archetypes.dying_disk.selfsimilar import rolling_down, with_gravity, without_gravity
from ...kernel.palette import AMBER
from ...motion.impacts.collide import collide

LN10 = math.log(10.0)


def figure(*args: Any, **options: Any) -> tuple[Any, Any]:
    """A new figure (imported late: pictures are upstairs)."""
    from ...plotting import figure as new

    return new(*args, **options)


def fig4_3() -> Any:
    """The factor beta_p of all self-similar motions over gamma, for four disks."""
    fig, axes = figure(2, 2, width=10.0, height=3.4)
    for ax, (n, rho) in zip(axes.flat, ((3, 0.25), (3, 0.5), (25, 0.25), (25, 0.5))):
        can: list[tuple[float, float]] = []
        cannot: list[tuple[float, float]] = []
        free: list[tuple[float, float]] = []
        for gamma in np.linspace(0.005, 0.995, 100):
            d = Disk(n, rho, float(gamma))
            for s in with_gravity(d):
                (can if s.feasible else cannot).append((gamma, s.beta_p))
        for gamma in np.linspace(0.002, 0.32, 160):
            free += [(gamma, s.beta_p) for s in without_gravity(Disk(n, rho, float(gamma))) if s.feasible]
        for points, style, name in (
            (can, {"marker": "o", "s": 12, "color": INK}, "with gravity, feasible"),
            (
                cannot,
                {"marker": "o", "s": 12, "facecolors": "none", "edgecolors": INK, "linewidths": 0.7},
                "with gravity, infeasible",
            ),
            (free, {"marker": "*", "s": 16, "color": WARM, "linewidths": 0.0}, "without gravity, feasible"),
        ):
            if points:
                ax.scatter(*np.array(points).T, label=name, **style)
        ax.set_title(rf"n = {n}, $\rho$ = {rho:g}", loc="left", fontsize=10)
        ax.set_xlabel(r"$\gamma$")
        ax.set_ylabel(r"$\beta_p$")
        ax.set_xlim(0.0, 1.0)
        ax.set_ylim(0.0, 1.03)
    axes[0, 0].legend(frameon=False, fontsize=8, loc="lower right")
    return fig


def fig4_4() -> Any:
    """Where self-similar motion can happen, and where it is stable."""
    fig, axes = figure(1, 2, width=11.0, height=4.6)
    left, right = axes[0]
    rhos = np.linspace(0.02, 0.98, 65)
    colours = {3: WARM, 4: PLUM, 5: LEAF, 10: AMBER, 25: INK}
    for n, colour in colours.items():
        left.plot(rhos, [gamma_min(n, float(r), 1e-4) for r in rhos], ":", color=colour, linewidth=1.6, label=f"n = {n}")
        left.plot(rhos, [existence_limit(n, float(r), 1e-4) for r in rhos], "-", color=colour, linewidth=1.2)
    left.plot(
        rhos, [gamma_min_limit(r) for r in rhos], "-.", color="0.4", linewidth=0.9, label=r"$n\to\infty$: $\rho^2/(2+\rho^2)$"
    )
    left.set_title("dotted: with gravity feasible above\nsolid: without gravity exists below", loc="left", fontsize=9)
    grid = np.linspace(0.05, 0.95, 37), np.linspace(0.03, 0.97, 25)
    for n, colour in colours.items():
        values = np.array([[growth_at(n, float(r), float(g)) for r in grid[0]] for g in grid[1]])
        if np.nanmin(values) < 1.0:
            right.contour(grid[0], grid[1], values, levels=[1.0], colors=[colour], linestyles="--", linewidths=1.4)
            right.plot([], [], "--", color=colour, label=f"n = {n}")
    right.axvline(CRITICAL, color="0.4", linewidth=0.9, linestyle="-.", label=r"$n\to\infty$: $1/\sqrt{11}$")
    right.axvline(0.5, color="0.7", linewidth=0.9)
    right.text(0.505, 0.03, "homogeneous disk", rotation=90, fontsize=8, color="0.4", va="bottom")
    right.set_title("stable to the left of the dashed lines\n(n = 3: nowhere)", loc="left", fontsize=9)
    for ax in axes[0]:
        ax.set_xlabel(r"$\rho$")
        ax.set_ylabel(r"$\gamma$")
        ax.set_xlim(0.0, 1.0)
        ax.set_ylim(0.0, 1.0)
        ax.legend(frameon=False, fontsize=8, loc="upper right")
    return fig


def fig4_5() -> Any:
    """Without rebound: the least rho over n."""
    fig, axes = figure(1, 1, width=6.5, height=3.6)
    ax = axes[0, 0]
    n = np.array([3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 40, 50])
    ax.loglog(
        n,
        [rho_min(int(k)) for k in n],
        "o-",
        color=INK,
        markersize=4,
        linewidth=1.0,
        label=r"border: feasible above ($\gamma$ = 0)",
    )
    ax.axhline(0.5, color=WARM, linewidth=1.0, label=r"homogeneous disk, $\rho$ = 1/2")
    ax.set_xticks([3, 4, 5, 6, 8, 10, 15, 20, 30, 50], labels=["3", "4", "5", "6", "8", "10", "15", "20", "30", "50"])
    ax.set_yticks([0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7], labels=["0.03", "0.05", "0.1", "0.2", "0.3", "0.5", "0.7"])
    ax.minorticks_off()
    ax.set_xlabel("number of contact points n")
    ax.set_ylabel(r"$\rho_{min}$")
    ax.legend(frameon=False, fontsize=9)
    return fig


def perturbed(d: Disk, size: float = 1e-2, most: int = 20000, seed: int = 1) -> Any:
    """Collisions from the self-similar start of a disk, disturbed by a part `size`."""
    motion = rolling_down(d)
    assert motion is not None
    rng = np.random.default_rng(seed)
    q, p = motion.q.copy(), motion.p * (1.0 + size * rng.uniform(-1.0, 1.0, 3))
    q[2] += 1e-3 * size * float(np.linalg.norm(q))
    return collide(d.plate, d.gamma, np.concatenate([q, p]), g=1.0, max_impacts=most)


def fig4_6() -> Any:
    """Energy over the time left, from slightly disturbed self-similar motion."""
    fig, axes = figure(2, 3, width=12.0, height=3.3)
    cases = ((20, 0.6), (20, 0.7), (25, 0.5), (25, 0.6), (30, 0.5), (30, 0.6))
    for ax, (n, gamma) in zip(axes.flat, cases):
        d = Disk(n, 0.5, gamma)
        found = perturbed(d)
        left, energy = found.log_remaining(), found.log_energy_after
        use = np.isfinite(left) & (left > left[0] - 20.0)
        ax.plot(left[use] / LN10, (energy - 2.0 * left)[use] / LN10, color=INK, linewidth=0.7)
        first = next((h.impacts for h in found.happenings if h.kind == "accumulation"), None)
        if first is not None and use[first]:
            ax.axvline(left[first] / LN10, color=WARM, linewidth=0.9, linestyle="--", label="first lasting contact")
        ax.invert_xaxis()
        ax.set_title(rf"n = {n}, $\gamma$ = {gamma:g}: growth {growth_at(n, 0.5, gamma):.5f} per impact", loc="left", fontsize=9)
        ax.set_xlabel(r"$\log_{10}(t_f - t)$")
        ax.set_ylabel(r"$\log_{10}[E/(t_f - t)^2]$")
    axes[0, 0].legend(frameon=False, fontsize=8, loc="lower left")
    return fig


def fig4_7() -> Any:
    """Measured exponents of the triangle over (rho, gamma), and how many drops have one."""
    found = exponent_map(3, np.linspace(0.01, 0.99, 50), np.linspace(0.01, 0.99, 50), runs=100, max_impacts=3000)
    fig, axes = figure(1, 2, width=11.5, height=4.6)
    rho, gamma = found["rho"].values, found["gamma"].values
    curve = np.linspace(0.005, 0.705, 141)
    panels = (
        (axes[0, 0], found["c"].values, "mean exponent $c$", 0.0, 2.5, "viridis"),
        (axes[0, 1], 100.0 * found["rattling"].values, "drops with an exponent [%]", 0.0, 100.0, "cividis"),
    )
    for ax, values, name, low, high, colours in panels:
        ax.grid(False)
        mesh = ax.pcolormesh(rho, gamma, np.ma.masked_invalid(values.T), cmap=colours, vmin=low, vmax=high, shading="nearest")
        fig.colorbar(mesh, ax=ax, label=name)
        ax.plot(curve, [triangle_limit(r) for r in curve], color=WARM, linewidth=1.5, label="CC, regular; (4.48) gives $c$ = 2")
        ax.plot(curve, [hub_limit(r) for r in curve], "--", color=WARM, linewidth=1.2, label="CC, hub pattern 0 2 0 1")
        ax.plot(curve, [partial_limit(3, r) for r in curve], color=AMBER, linewidth=1.5, label="PCC, two points")
        ax.set_xlabel(r"$\rho$")
        ax.set_ylabel(r"$\gamma$")
    axes[0, 1].legend(fontsize=8, loc="upper right", framealpha=0.9)
    axes[0, 0].set_title("n = 3, g = 1; white: every drop ends at one or two points", loc="left", fontsize=10)
    return fig


def fig4_8() -> Any:
    """Sections of the map: exponents of single drops over gamma beside (4.48) and the hub pattern."""
    from ...motion.impacts.pattern import self_similar

    fig, axes = figure(2, 2, width=10.5, height=3.5)
    for ax, rho in zip(axes.flat, (0.1, 0.25, 0.4, 0.5)):
        top = 1.25 * triangle_limit(rho)
        gammas = np.linspace(0.02, 1.0, 50) * top
        for gamma in gammas:
            c = exponents(3, rho, gamma, runs=40, max_impacts=3000).all_c
            ax.plot(np.full(c.size, gamma), c, ".", color=INK, markersize=3)
        fine = np.linspace(0.002, 1.0, 300) * top
        regular = [_free(Disk(3, rho, float(e))) for e in fine]
        ax.plot(fine, regular, "--", color=WARM, linewidth=1.3, label="regular, (4.48)")
        plate = Disk(3, rho, 0.1).plate
        hub = []
        for e in fine:
            good = [s.exponent for s in self_similar(plate, float(e), (0, 2, 0, 1)) if s.feasible and s.beta_t < 1.0]
            hub.append(good[0] if good else math.nan)
        ax.plot(fine, hub, ":", color=LEAF, linewidth=1.5, label="hub pattern")
        ax.plot([], [], ".", color=INK, label="drops under gravity")
        ax.axvline(partial_limit(3, rho), color="0.7", linewidth=0.9, label="PCC below")
        ax.set_ylim(0.0, 2.6)
        ax.set_xlim(0.0, top)
        ax.set_title(rf"n = 3, $\rho$ = {rho:g}", loc="left", fontsize=10)
        ax.set_xlabel(r"$\gamma$")
        ax.set_ylabel("exponent $c$")
    axes[0, 0].legend(frameon=False, fontsize=8, loc="upper left")
    return fig


def _free(d: Disk) -> float:
    found = without_gravity(d)
    return found[0].exponent if found else math.nan


def figB_1() -> Any:
    """The exponent of the rod without gravity."""
    from matplotlib.colors import LogNorm

    fig, axes = figure(1, 2, width=11.0, height=4.4)
    levels = [0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0]
    for ax, (r0, r1, g0, g1), shown, first, step in (
        (axes[0, 0], (0.005, 0.999, 0.002, 0.95), levels[:5], 0.08, 0.06),
        (axes[0, 1], (0.5, 0.52, 0.1, 0.11), levels[4:], 0.1015, 0.0013),
    ):
        rho, gamma = np.meshgrid(np.linspace(r0, r1, 600), np.linspace(g0, g1, 600))
        lines = ax.contour(rho, gamma, c_rod(rho, gamma), levels=shown, cmap="viridis", norm=LogNorm(0.1, 200.0), linewidths=1.2)
        fine = np.linspace(r0, r1, 20001)
        places = []
        for k, level in enumerate(shown):
            here = first + step * k
            values = c_rod(fine, np.full(fine.size, here))
            near = np.flatnonzero(values > level)
            if near.size and near[0] > 0:
                places.append((float(fine[near[0]]), here))
        ax.clabel(lines, fontsize=8, fmt="%g", manual=places)
        e = np.linspace(max(g0, 1e-6), g1, 400)
        ax.plot(chatters(e), e, color=WARM, linewidth=1.5, label="complete chatter to the left (3.11)")
        ax.plot(gravity_vanishes(e), e, "--", color="0.3", linewidth=1.2, label="gravity vanishes to the left (B.8), c = 2")
        ax.set_xlim(r0, r1)
        ax.set_ylim(g0, g1)
        ax.set_xlabel(r"$\rho$")
        ax.set_ylabel(r"$\gamma$")
    axes[0, 0].legend(frameon=False, fontsize=8, loc="upper right")
    axes[0, 0].set_title("exponent $c$ of the rod without gravity", loc="left", fontsize=10)
    axes[0, 1].set_title("near the boundary", loc="left", fontsize=10)
    axes[0, 1].set_xticks([0.5, 0.505, 0.51, 0.515, 0.52])
    return fig


def many_points() -> Any:
    """The critical radius of gyration, and growth and shrinking per impact, against what averaging says."""
    fig, axes = figure(1, 2, width=11.0, height=4.0)
    left, right = axes[0]
    ns = np.array([10, 12, 16, 20, 25, 32, 40, 50, 64, 80, 100])
    for gamma, colour in ((0.2, WARM), (0.5, INK), (0.8, LEAF)):
        values = np.array([rho_c(int(n), gamma, 0.2, 0.45) for n in ns])
        left.loglog(ns, values - CRITICAL, "o-", color=colour, markersize=3.5, linewidth=1.0, label=rf"$\gamma$ = {gamma:g}")
    left.loglog(ns, 0.9 / ns**2, "--", color="0.5", linewidth=1.0, label=r"$\sim n^{-2}$")
    left.set_xlabel("number of contact points n")
    left.set_ylabel(r"$\rho_c - 1/\sqrt{11}$")
    left.legend(frameon=False, fontsize=9)
    rhos = np.linspace(0.12, 0.95, 42)
    for n, colour in ((10, WARM), (25, INK), (100, LEAF)):
        scale = [(d := Disk(n, float(r), 0.5)).turn ** 2 / 3.0 for r in rhos]
        right.plot(
            rhos,
            [math.log(growth_at(n, float(r), 0.5)) / s for r, s in zip(rhos, scale)],
            "o",
            color=colour,
            markersize=3,
            label=f"n = {n}",
        )
    exact = [large_n(d := Disk(100, float(r), 0.5)).log_growth / (d.turn**2 / 3.0) for r in rhos]
    right.plot(rhos, exact, color="0.3", linewidth=1.0, label=r"$(11\rho^2 - 1)/12$")
    right.axhline(0.0, color="0.7", linewidth=0.8)
    right.set_xlabel(r"$\rho$")
    right.set_ylabel(r"ln growth per impact / $\kappa\delta^2$")
    right.set_title(r"$\gamma$ = 0.5, $\kappa = (1-\gamma)/(1+\gamma)$, $\delta = 2\pi/n$", loc="left", fontsize=10)
    right.legend(frameon=False, fontsize=9)
    return fig


def mechanisms() -> Any:
    """Energy over the time left for rolling friction and for impacts, all as simulated, beside the powers of the literature."""
    fig, axes = figure(1, 1, width=8.5, height=5.0)
    ax = axes[0, 0]
    x = np.geomspace(1e-8, 1.0, 2)
    for m, style in zip(LITERATURE[:2], (":", "-.")):
        ax.loglog(x, x**m.c, style, color="0.5", linewidth=1.2, label=f"{m.name}: c = {m.c:.3f} ({m.source})")
    colours = iter((PLUM, WARM, INK, LEAF, AMBER))
    for m in LITERATURE:
        if m.simulated:
            end = rolling_friction(m.simulated, m.strength)
            ax.loglog(end.left, end.energy, color=next(colours), linewidth=2.2, label=f"{m.name}: c = {end.c:.3f}, simulated")
    for name, d in (
        ("impacts, imperfect disk (n = 25)", Disk(25, 0.25, 0.5)),
        (r"impacts, rough floor (n = 3, $\rho$ = 0.25, $\gamma$ = 0.2)", Disk(3, 0.25, 0.2)),
        (r"impacts, rough floor (n = 3, $\rho$ = 0.1, $\gamma$ = 0.3)", Disk(3, 0.1, 0.3)),
    ):
        first = rolling_down(d)
        assert first is not None
        begin = first.start if d.n > 3 else _that_chatters(d, 1e-3)
        found = collide(d.plate, d.gamma, begin, g=1.0, max_impacts=4000 if d.n == 3 else 40_000, beyond=False)
        left, energy = found.log_remaining(), found.log_energy_after
        use = np.isfinite(left) & (left > left[0] - 20.0)
        c = fitted(found).c
        ax.loglog(
            np.exp((left - left[0])[use]),
            np.exp((energy - energy[0])[use]),
            color=next(colours),
            linewidth=1.2,
            label=f"{name}: c = {c:.3f}, simulated",
        )
    ax.set_xlim(1.0, 1e-8)
    ax.set_ylim(1e-9, 1.5)
    ax.set_xlabel(r"time left $t_f - t$, over its first value")
    ax.set_ylabel("energy, over its first value")
    ax.legend(framealpha=0.95, edgecolor="none", fontsize=7.5, loc="lower right")
    return fig


def _that_chatters(d: Disk, theta: float) -> np.ndarray:
    """A rolling start from which the disk rattles to rest."""
    for phase in np.linspace(0.0, 2.0 * math.pi / d.n, 60):
        begin = rolling_start(d.rho, theta, float(phase))
        if collide(d.plate, d.gamma, begin, g=1.0, max_impacts=800, beyond=False).status == "CC":
            return begin
    raise ValueError("no start that chatters was found")


FIGURES: dict[str, Callable[[], Any]] = {
    "disk_fig4_3": fig4_3,
    "disk_fig4_4": fig4_4,
    "disk_fig4_5": fig4_5,
    "disk_fig4_6": fig4_6,
    "disk_fig4_7": fig4_7,
    "disk_fig4_8": fig4_8,
    "disk_figB_1": figB_1,
    "disk_many_points": many_points,
    "disk_mechanisms": mechanisms,
}
