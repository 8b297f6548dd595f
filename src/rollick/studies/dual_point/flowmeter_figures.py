"""Figures 4.5-4.7, 4.9, 4.10 of the thesis redrawn for Example 4.4 (mu of the three cases chosen), the speeds of 4.11 over the friction that is lost, and motions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...archetypes.flowmeter.engineering import flowmeter
from ...archetypes.flowmeter.pictures import bifurcation_diagram, characteristic_picture, chart_picture
from ...archetypes.flowmeter.response import answered
from ...archetypes.flowmeter.stationary import folds, slipping
from ...archetypes.flowmeter.system import FlowMeter
from ...archetypes.flowmeter.thresholds import thresholds
from ...kernel.palette import GREEN, INK, WARM

METER = flowmeter()
CASES = {"fig4_5": 0.02, "fig4_6": 0.1, "fig4_7": 0.5}


def figure(*args: Any, **options: Any) -> tuple[Any, Any]:
    """A new figure (imported late: pictures are upstairs)."""
    from ...plotting import figure as new

    return new(*args, **options)


def with_friction(mu: float) -> FlowMeter:
    """Example 4.4 with another friction."""
    return METER._replace(mu=mu)


def diagram(name: str) -> Any:
    """One of Figures 4.5-4.7."""
    fig, axes = figure(1, width=6.4, height=4.4)
    mu = CASES[name]
    bifurcation_diagram(with_friction(mu), axes[0, 0])
    axes[0, 0].set_title(f"Antali, Fig. {name[3:].replace('_', '.')}: stationary states, mu = {mu}", loc="left", fontsize=10)
    return fig


def fig4_5() -> Any:
    """Stationary states over the swirl where friction is too small for a fold."""
    return diagram("fig4_5")


def fig4_6() -> Any:
    """Stationary states over the swirl with a fold: two stable ones for the same swirl."""
    return diagram("fig4_6")


def fig4_7() -> Any:
    """Stationary states over the swirl where friction exceeds j."""
    return diagram("fig4_7")


def fig4_9() -> Any:
    """The plane (v_f, mu)."""
    fig, axes = figure(1, width=7.6, height=5.0)
    chart_picture(METER, ax=axes[0, 0])
    axes[0, 0].set_title("Antali, Fig. 4.9: stationary states over swirl and friction", loc="left", fontsize=10)
    return fig


def fig4_10() -> Any:
    """The characteristics of the three cases."""
    fig, axes = figure(1, 3, width=15.0, height=4.4)
    for ax, mu in zip(axes[0], CASES.values()):
        characteristic_picture(with_friction(mu), ax=ax)
        ax.set_title(f"Antali, Fig. 4.10: mu = {mu}", loc="left", fontsize=10)
    return fig


def fig4_11() -> Any:
    """The speeds of the bifurcations over the friction that Figure 4.11 does not tell, and where Stokes' law is replaced by that of Schiller and Naumann."""
    fig, axes = figure(1, width=7.2, height=4.4)
    ax = axes[0, 0]
    for law, style in (("stokes", "-"), ("schiller-naumann", "--")):
        curves: dict[str, list[tuple[float, float]]] = {"RR/SS": [], "SR/SS": [], "fold": []}
        for mu in np.geomspace(0.012, 0.39, 60).tolist():
            meter = flowmeter(drag=law, mu=mu)
            limits = thresholds(meter)
            curves["RR/SS"].append((mu, limits.rolling))
            curves["SR/SS"].append((mu, limits.SR_SS))
            curves["fold"] += [(mu, slipping(meter, phi).v_f) for phi in folds(meter)]
        for name, colour in (("RR/SS", INK), ("SR/SS", GREEN), ("fold", WARM)):
            pairs = np.array(curves[name])
            ax.plot(pairs[:, 0], pairs[:, 1], style, color=colour, linewidth=1.4, label=rf"$v_{{f,\mathrm{{{name}}}}}$, {law}")
    ax.set_xlabel("mu")
    ax.set_ylabel("v_f [m/s]")
    ax.legend(fontsize=8, frameon=False)
    ax.set_title("Antali, Fig. 4.11 (its mu is lost): speeds of the bifurcations of Example 4.4", loc="left", fontsize=10)
    return fig


def flowmeter_starts() -> Any:
    """From rest through RS to RR; a step of the swirl beyond the limit; stopping."""
    fig, axes = figure(1, 3, width=15.0, height=3.6)
    law = "schiller-naumann"
    runs = (
        (flowmeter(drag=law), [0.0, 0.0, 0.0, 0.0], 20.0, "start-up, v_f = 0.15 m/s"),
        (flowmeter(drag=law, swirl=0.15, step_to=0.35, step_at=2.0), [0.0, 0.0, 0.0, 0.15], 12.0, "a step from 0.15 to 0.35 m/s"),
        (flowmeter(drag=law, swirl=0.2, step_to=0.0, step_at=1.0), [0.0, 0.0, 0.0, 0.2], 12.0, "stopping"),
    )
    for ax, (meter, start, until, title) in zip(axes[0], runs):
        made = answered(meter, start, until)
        for name in ("v_f", "v", "slip_floor", "slip_wall"):
            ax.plot(made.motion.t, made.motion[name], label=name, linewidth=1.2)
        last = -until
        for mode, when in made.modes:
            ax.axvline(when, color="0.7", linewidth=0.6)
            if when - last > 0.05 * until:  # else there is no room for its name
                last = when
                place = {"xycoords": ("data", "axes fraction"), "xytext": (2, -10), "textcoords": "offset points"}
                ax.annotate(mode, (when, 1.0), fontsize=8, **place)
        ax.set_xlabel("t [s]")
        ax.set_ylabel("[m/s]")
        ax.legend(fontsize=8, frameon=False)
        ax.set_title(title, loc="left", fontsize=10)
    return fig


FIGURES = {
    "fig4_5": fig4_5,
    "fig4_6": fig4_6,
    "fig4_7": fig4_7,
    "fig4_9": fig4_9,
    "fig4_10": fig4_10,
    "fig4_11": fig4_11,
    "flowmeter_starts": flowmeter_starts,
}
