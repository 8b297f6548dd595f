"""Sailer's Figs. 3.6-3.11 redrawn: each friction law, energies, gaps, and the long runs until the disk lies flat."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...archetypes.tippedisk.models import thesis_motion
from ...kernel.palette import GREEN, INK, PLUM, WARM

COLOURS = {"2": "0.6", "4": WARM, "6": GREEN, "8": "black", "10": INK, "ODE2": PLUM}


@functools.cache
def run(name: str, until: float) -> Any:
    """A model of Table 3.3, decimated to a few thousand instants."""
    return (
        thesis_motion(name, until, every=250, progress=False)
        if not name.startswith("ODE")
        else thesis_motion(name, until, progress=False)
    )


def figure(*args: Any, **options: Any) -> tuple[Any, Any]:
    """A new figure (imported late: pictures are upstairs)."""
    from ...plotting import figure as new

    return new(*args, **options)


def _law(name: str, title: str) -> Any:
    """Angles, height of S, energies and gap of one model over 5 s."""
    m = run(name, 5.0)
    fig, axes = figure(2, 2, width=11.0, height=3.2)
    a, b, c, d = axes.flat
    a.plot(m.t, np.unwrap(m["gamma"]), color=WARM, linewidth=0.8, label=r"$\gamma$")
    a.plot(m.t, m["beta"], color=INK, linewidth=0.8, label=r"$\beta$")
    a.axhline(0.5 * math.pi, color="0.7", linewidth=0.6)
    a.set_ylabel("angles [rad]")
    a.legend(frameon=False, fontsize=8)
    b.plot(m.t, m["z_S"], color=INK, linewidth=0.8)
    b.set_ylabel(r"$z_S$ [m]")
    c.plot(m.t, m["energy"], color=GREEN, linewidth=0.8, label="total")
    c.plot(m.t, m.system.disk.m * 9.81 * m["z_S"], color=WARM, linewidth=0.8, label="potential")
    c.set_ylabel("energy [J]")
    c.legend(frameon=False, fontsize=8)
    d.plot(m.t, m["gap"], color=INK, linewidth=0.8)
    d.set_ylabel(r"gap $g_{N1}$ [m]")
    for ax in (c, d):
        ax.set_xlabel("t [s]")
    a.set_title(title, loc="left", fontsize=10)
    return fig


def fig3_6() -> Any:
    """Set-valued Coulomb friction."""
    return _law("2", "Sailer, Fig. 3.6: Model 2, set-valued Coulomb friction")


def fig3_7() -> Any:
    """Coulomb-Contensou friction."""
    return _law("4", "Sailer, Fig. 3.7: Model 4, Coulomb-Contensou friction (contact radius 2.9 mm)")


def fig3_8() -> Any:
    """Regularised Coulomb friction."""
    return _law("6", "Sailer, Figs. 3.8, 3.9: Model 6, regularised Coulomb friction")


def fig3_10() -> Any:
    """All quaternion models side by side."""
    fig, axes = figure(1, 2, width=11.0, height=4.0)
    for name in ("2", "4", "6", "8", "10", "ODE2"):
        m = run(name, 5.0)
        style = "--" if name in ("8", "ODE2") else "-"
        label = f"Model {name}" if not name.startswith("ODE") else "ODE Model 2"
        axes[0, 0].plot(m.t, np.unwrap(m["gamma"]), style, color=COLOURS[name], linewidth=0.8, label=label)
        axes[0, 1].plot(m.t, m["z_S"], style, color=COLOURS[name], linewidth=0.8)
    axes[0, 0].legend(frameon=False, fontsize=8)
    axes[0, 0].set_ylabel(r"$\gamma$ [rad]")
    axes[0, 1].set_ylabel(r"$z_S$ [m]")
    for ax in axes[0]:
        ax.set_xlabel("t [s]")
    axes[0, 0].set_title("Sailer, Fig. 3.10: which friction inverts the disk", loc="left", fontsize=10)
    return fig


def fig3_11() -> Any:
    """25 s: the fall."""
    fig, axes = figure(1, 2, width=11.0, height=4.0)
    for name in ("4", "6", "10"):
        m = run(name, 25.0)
        axes[0, 0].plot(m.t, np.unwrap(m["gamma"]), color=COLOURS[name], linewidth=0.6, label=f"Model {name}")
        axes[0, 1].plot(m.t, m["energy"], color=COLOURS[name], linewidth=0.8)
    axes[0, 0].set_ylim(-2.0, 6.0)
    axes[0, 0].legend(frameon=False, fontsize=8)
    axes[0, 0].set_ylabel(r"$\gamma$ [rad]")
    axes[0, 1].set_ylabel("energy [J]")
    for ax in axes[0]:
        ax.set_xlabel("t [s]")
    axes[0, 0].set_title("Sailer, Fig. 3.11: long runs", loc="left", fontsize=10)
    return fig


FIGURES: dict[str, Callable[[], Any]] = {
    "fig3_6": fig3_6,
    "fig3_7": fig3_7,
    "fig3_8": fig3_8,
    "fig3_10": fig3_10,
    "fig3_11": fig3_11,
}
