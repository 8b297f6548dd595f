"""Kane and Levinson's Figs. 3-6 redrawn, and the growth rates of steady spin, which the paper does not have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...archetypes.rattleback import Rattleback, growth_rate, reversals
from ...kernel.palette import INK, WARM
from .cases import case


def figure(*args: Any, **options: Any) -> tuple[Any, Any]:
    """A new figure (imported late: pictures are upstairs)."""
    from ...plotting import figure as new

    return new(*args, **options)


def _curves(name: str, until: float, title: str) -> Any:
    """gamma and delta over time, as in the paper, with the reversals marked."""
    m = case(name)
    t = np.linspace(0.0, until, 8001)
    gamma, delta = m.at(t, "gamma"), m.at(t, "delta")
    fig, axes = figure(2, sharex=True, height=2.6)
    for ax, values, label in zip(axes[:, 0], (gamma, delta), (r"rotation $\gamma$ [deg]", r"wobble $\delta$ [deg]")):
        ax.plot(t, np.degrees(values), color=INK, linewidth=0.9)
        ax.set_ylabel(label)
    for r in reversals(m):
        if r.first <= until:
            for ax in axes[:, 0]:
                ax.axvspan(r.first, min(r.last, until), color=WARM, alpha=0.25, linewidth=0)
            axes[0, 0].annotate(
                f"reversal\n{r.time:.2f} s",
                (r.time, np.degrees(r.gamma)),
                xytext=(8, 12 if r.gamma < 0 else -30),
                textcoords="offset points",
                fontsize=8,
                color=WARM,
            )
    axes[0, 0].margins(y=0.15)
    axes[1, 0].set_xlabel("t [s]")
    axes[0, 0].set_title(title, loc="left", fontsize=10)
    return fig


def fig3() -> Any:
    """Predicted motion."""
    return _curves("fig4", 5.0, "Kane & Levinson, Fig. 3: predicted motion ($\\omega_3(0) = -5$ rad/s, no damping)")


def fig4() -> Any:
    """Two reversals."""
    return _curves("fig4", 20.0, "Kane & Levinson, Fig. 4: two reversals")


def fig5() -> Any:
    """Effects of energy dissipation."""
    return _curves("fig5", 20.0, "Kane & Levinson, Fig. 5: effects of energy dissipation ($\\sigma = 10^{-4}$ N m s)")


def fig6() -> Any:
    """Crabtree's experiments."""
    fig, axes = figure(2, sharex=True, height=2.6)
    for ax, name, label in zip(axes[:, 0], ("fig6a", "fig6b"), (r"$\alpha(0) = 5^\circ$", r"$\beta(0) = 5^\circ$")):
        for suffix, sigma, colour in (("", "0", INK), ("_damped", "1e-4 N m s", WARM)):
            m = case(name + suffix)
            t = np.linspace(0.0, 10.0, 4001)
            ax.plot(t, np.degrees(m.at(t, "gamma")), color=colour, linewidth=0.9, label=rf"$\sigma$ = {sigma}")
        ax.set_ylabel(r"$\gamma$ [deg]")
        ax.text(0.02, 0.85 if name == "fig6b" else 0.08, label, transform=ax.transAxes, fontsize=9)
        ax.legend(frameon=False, fontsize=8, loc="center right")
    axes[1, 0].set_xlabel("t [s]")
    axes[0, 0].set_title(
        "Kane & Levinson, Fig. 6: Crabtree's experiments ($\\sigma$ is not stated in the paper)", loc="left", fontsize=10
    )
    return fig


def growth() -> Any:
    """Growth rate of perturbations of steady spin, against the spin."""
    stone = Rattleback()
    spin = np.linspace(0.0, 50.0, 1001)
    fig, axes = figure(1, height=4.0)
    ax = axes[0, 0]
    ax.plot(spin, growth_rate(stone, -spin), color=WARM, label=r"$\omega_3 < 0$ (the wrong sense)")
    ax.plot(spin, growth_rate(stone, spin), color=INK, label=r"$\omega_3 > 0$")
    ax.set_yscale("log")
    ax.set_ylim(1e-3, 40.0)
    ax.set_xlabel(r"$|\omega_3|$ [rad/s]")
    ax.set_ylabel(r"growth rate max Re $\lambda$ [1/s]")
    ax.legend(frameon=False)
    ax.set_title(
        "Steady spin of Kane and Levinson's stone: unstable in both senses, at very different rates", loc="left", fontsize=10
    )
    return fig


FIGURES: dict[str, Callable[[], Any]] = {"fig3": fig3, "fig4": fig4, "fig5": fig5, "fig6": fig6, "growth": growth}
