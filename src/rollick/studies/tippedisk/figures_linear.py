"""Sailer's Figs. 4.1-4.7 redrawn: eigenvalues, reduced models side by side, harmonic balance, and the branch of cycles by shooting."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...analysis.continuation import PseudoArclength
from ...archetypes.tippedisk import specimen, table_start, tippedisk
from ...archetypes.tippedisk.reduced import TippediskReduced, balance, constrained, linear
from ...archetypes.tippedisk.reduced.branches import spinning_cycles
from ...mechanics.laws.sliding import ConstantLoad, Regularised
from ...motion.simulate import simulate
from .figures import GREEN, INK, WARM, figure

HALF = 0.5 * math.pi
V1 = specimen("V1")


def eigenvalue_picture(inverted: bool, title: str) -> Any:
    """Real and imaginary parts of the eight eigenvalues, the fast ones by themselves, and a magnified view."""
    speeds = np.linspace(0.2, 50.0, 700)
    values = linear.full_eigenvalues(V1, speeds, inverted=inverted)
    by = np.take_along_axis(values, np.argsort(values.real, axis=1), axis=1)
    fast, rest = by[:, :2], by[:, 2:]
    marginal = np.abs(np.abs(rest.imag) - speeds[:, None]) + np.abs(rest.real) < 1e-6 * speeds[:, None]
    fig, axes = figure(2, 2, width=11.0, height=3.2)
    a, b, c, d = axes.flat
    dots = {"markersize": 1.3, "linestyle": "none", "marker": "."}
    for ax, part in ((a, rest.real), (b, rest.imag), (d, rest.real)):
        grid = np.broadcast_to(speeds[:, None], part.shape)
        ax.plot(grid[~marginal], part[~marginal], color=WARM, **dots, label=r"$\lambda_{1,2}$, $\lambda_{5,6}$")
        ax.plot(grid[marginal], part[marginal], color=GREEN, **dots, label=r"$\lambda_{3,4} = \pm i \Omega$")
    for k in range(2):
        c.plot(speeds, fast[:, k].real, color=INK, linewidth=0.9)
    for ax, label in (
        (a, r"Re $\lambda$ [1/s]"),
        (b, r"Im $\lambda$ [rad/s]"),
        (c, r"Re $\lambda_{7,8}$ [1/s]"),
        (d, r"Re $\lambda$ [1/s], magnified"),
    ):
        ax.set_ylabel(label)
        ax.set_xlabel(r"$\Omega$ [rad/s]")
        ax.axhline(0.0, color="0.8", linewidth=0.5)
    d.set_xlim(24.0, 34.0)
    d.set_ylim((-0.5, 0.5) if inverted else (-1.0, 1.0))
    if inverted:
        for speed in linear.full_critical_speeds(V1):
            d.axvline(speed, color="0.6", linewidth=0.7, linestyle=":")
            d.text(speed, 0.42, f" {speed:.2f}", fontsize=8)
    a.legend(frameon=False, fontsize=8, markerscale=6)
    a.set_title(title, loc="left", fontsize=10)
    return fig


def fig4_1() -> Any:
    """Inverted spinning."""
    return eigenvalue_picture(True, "Sailer, Fig. 4.1: eigenvalues of inverted spinning, full model")


def fig4_2() -> Any:
    """Non-inverted spinning."""
    return eigenvalue_picture(False, "Sailer, Fig. 4.2: eigenvalues of non-inverted spinning, full model")


@functools.cache
def full_run(constant: bool) -> Any:
    """Model 1.1 or 1.1c from Table 3.1."""
    law = ConstantLoad(0.3, 0.1, V1.m * 9.81) if constant else Regularised(0.3, 0.1)
    system = tippedisk(V1, law, "corotating")
    return simulate(system, np.concatenate(table_start(system)), 2.0, rtol=1e-10, progress=False)


def fig4_3() -> Any:
    """The normal force, or the weight, in the friction law."""
    fig, axes = figure(2, 2, width=11.0, height=3.0)
    for constant, colour, label in ((False, WARM, r"Model 1.1, $\mu \lambda_N$"), (True, INK, r"Model 1.1c, $\mu m g$")):
        m = full_run(constant)
        for ax, name in zip(axes.flat, ("beta", "gamma", "alpha_rate", "z_S")):
            ax.plot(m.t, m[name], color=colour, linewidth=0.9, linestyle="--" if constant else "-", label=label)
    finish(axes, "Sailer, Fig. 4.3: bilateral contact, friction with the normal force or with the weight")
    return fig


def finish(axes: Any, title: str) -> None:
    """Labels of the four panels."""
    for ax, label in zip(axes.flat, (r"$\beta$ [rad]", r"$\gamma$ [rad]", r"$\dot\alpha$ [rad/s]", r"$z_S$ [m]")):
        ax.set_ylabel(label)
        ax.set_xlabel("t [s]")
    axes.flat[0].legend(frameon=False, fontsize=8)
    axes.flat[0].set_title(title, loc="left", fontsize=10)


def fig4_4() -> Any:
    """Models 1.1 to 1.4 from one start."""
    fig, axes = figure(2, 2, width=11.0, height=3.0)
    runs = {"Model 1.1": (full_run(False), WARM)}
    for model, colour in (("1.2", GREEN), ("1.3", INK), ("1.4", "black")):
        runs[f"Model {model}"] = (
            simulate(constrained(V1, model), {"gamma": -HALF + 0.1}, 2.0, rtol=1e-10, progress=False),
            colour,
        )
    for label, (m, colour) in runs.items():
        for ax, name in zip(axes.flat, ("beta", "gamma", "alpha_rate", "z_S")):
            ax.plot(m.t, m[name], color=colour, linewidth=0.9, label=label)
    finish(axes, "Sailer, Fig. 4.4: reduced models (1.2 to 1.4 with S at rest, E10)")
    return fig


def fig4_5() -> Any:
    """Three eigenvalues."""
    speeds = np.linspace(0.2, 50.0, 600)
    values = linear.reduced_eigenvalues(V1, speeds)
    fig, axes = figure(1, 3, width=12.0, height=3.6)
    a, b, c = axes[0]
    for k in range(2):
        a.plot(speeds, values[:, k].real, color=WARM, linewidth=0.9)
        b.plot(speeds, values[:, k].imag, ".", color=WARM, markersize=1.5)
    c.plot(speeds, values[:, 2].real, color=INK, linewidth=0.9)
    top = linear.critical_speed(V1)
    for ax in (a, b):
        ax.axvline(top, color="0.6", linewidth=0.7, linestyle=":")
        ax.axvline(linear.merging_speed(V1), color="0.6", linewidth=0.7, linestyle="--")
    for ax, label in ((a, r"Re $\sigma_{1,2}$ [1/s]"), (b, r"Im $\sigma_{1,2}$ [rad/s]"), (c, r"$\sigma_3$ [1/s]")):
        ax.set_ylabel(label)
        ax.set_xlabel(r"$\Omega$ [rad/s]")
    a.set_title(
        f"Sailer, Fig. 4.5: Model 1.4; Omega_1 = {linear.merging_speed(V1):.2f} (E21), Omega_c = {top:.2f} rad/s",
        loc="left",
        fontsize=10,
    )
    return fig


@functools.cache
def cycles(linear_law: bool) -> Any:
    """The branch of V1 by shooting."""
    return spinning_cycles(V1, linear=linear_law, steps=PseudoArclength(ds=0.01, ds_max=0.03, max_points=300, tol=1e-9))


def balance_curves(axes: Any) -> None:
    """Harmonic balance, printed and corrected; amplitude of beta and period."""
    top = linear.critical_speed(V1)
    speeds = np.linspace(29.5, top, 400)
    for printed, style, label in ((True, ":", "harmonic balance, as printed"), (False, "--", "corrected (E16)")):
        axes[0].plot(speeds, balance.amplitude(V1, speeds, printed), style, color="black", linewidth=1.1, label=label)
        axes[1].plot(speeds, 2.0 * math.pi / balance.frequency(V1, speeds, printed), style, color="black", linewidth=1.1)
    axes[0].plot([29.5, top], [0.0, 0.0], "--", color=INK, linewidth=1.4)
    axes[0].plot([top, 31.5], [0.0, 0.0], color=WARM, linewidth=1.4)
    for ax, label in zip(axes, (r"amplitude of $\beta$ [rad]", "T [s]")):
        ax.set_xlabel(r"$\Omega$ [rad/s]")
        ax.set_ylabel(label)
    axes[1].set_ylim(0.8, 3.0)


def fig4_6() -> Any:
    """Harmonic balance."""
    fig, axes = figure(1, 2, width=10.0, height=3.8)
    balance_curves(axes[0])
    axes[0, 0].legend(frameon=False, fontsize=8)
    axes[0, 0].set_title("Sailer, Fig. 4.6: harmonic balance about the Hopf point", loc="left", fontsize=10)
    return fig


def fig4_7() -> Any:
    """The branch by shooting."""
    fig, axes = figure(1, 2, width=10.0, height=3.8)
    balance_curves(axes[0])
    for law, colour, label in ((True, WARM, "shooting, linear friction"), (False, GREEN, "shooting, regularised friction")):
        branch = cycles(law)
        axes[0, 0].plot(branch["Omega"], branch["max_beta"] - HALF, color=colour, linewidth=1.3, label=label)
        axes[0, 1].plot(branch["Omega"], branch["period"], color=colour, linewidth=1.3)
    axes[0, 0].legend(frameon=False, fontsize=8)
    axes[0, 0].set_title("Sailer, Fig. 4.7: cycles from the Hopf point to the connection", loc="left", fontsize=10)
    return fig


def orbit_states(branch: Any, Omega: float) -> np.ndarray:
    """The cycle of a branch at a speed: the nearest point's orbit, found again at that speed."""
    from ...analysis.orbits import find_orbit

    near = branch.orbit(int(np.argmin(np.abs(np.asarray(branch["Omega"]) - Omega))))
    system = TippediskReduced(V1, Omega, kink=near.system.kink)
    return find_orbit(system, near.start, near.period).points(400)[1]


FIGURES: dict[str, Callable[[], Any]] = {
    "fig4_1": fig4_1, "fig4_2": fig4_2, "fig4_3": fig4_3, "fig4_4": fig4_4, "fig4_5": fig4_5, "fig4_6": fig4_6, "fig4_7": fig4_7,
}  # fmt: skip
