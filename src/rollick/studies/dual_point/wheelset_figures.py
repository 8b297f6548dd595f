"""Figures 5.3 to 5.7 of the thesis redrawn, and what lies beyond: episodes, the return map, where oscillations end (the thesis has no Figure 5.8)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...archetypes.wheelset.creep import FASTSIM, LINEAR, TANH, VERMEULEN_JOHNSON, CreepWheelset, creep_forces
from ...archetypes.wheelset.dry import DryWheelset
from ...archetypes.wheelset.episodes import easiest_start
from ...archetypes.wheelset.physical import example_5_2
from ...archetypes.wheelset.pictures_friction import critical_picture, ellipse_picture, return_picture
from ...archetypes.wheelset.return_map import return_map
from ...archetypes.wheelset.slip_limit import critical_amplitudes
from ...kernel.palette import WARM
from ...motion.simulate import simulate


def figure(*args: Any, **options: Any) -> tuple[Any, Any]:
    """A new figure (imported late: pictures are upstairs)."""
    from ...plotting import figure as new

    return new(*args, **options)


def fig5_3() -> Any:
    """Laws of creep beside dry friction."""
    fig, axes = figure(1, width=7.0, height=4.2)
    ax, w = axes[0, 0], DryWheelset()
    u = np.linspace(0.0, 6.0, 601)
    unit = w.C * w.v / 5800.0
    laws = {"linear (5.25)": LINEAR, "tanh (5.26)": TANH, "Vermeulen-Johnson": VERMEULEN_JOHNSON, "FASTSIM, closed form": FASTSIM}
    for name, law in laws.items():
        system = CreepWheelset(w, float(law), 5800.0, 5800.0)
        ax.plot(u, [-creep_forces(system, x * unit, 0.0, 0.0)[0] / w.C for x in u], label=name)
    ax.axhline(1.0, color="k", linewidth=1.6, label="Coulomb")
    ax.set(xlabel="kappa |u|/(C m v)", ylabel="|T|/(C m)", ylim=(0.0, 1.6))
    ax.legend(fontsize=8)
    ax.set_title("Antali, Fig. 5.3: laws of creep", loc="left", fontsize=10)
    return fig


def fig5_4() -> Any:
    """The ellipse, and the lines at which one contact alone would slip."""
    fig, axes = figure(1, width=6.4, height=4.6)
    ellipse_picture(example_5_2("200km/h"), axes[0, 0], lines=True)
    axes[0, 0].set_title("Antali, Fig. 5.4: rolling ends on the ellipse (200 km/h)", loc="left", fontsize=10)
    return fig


def fig5_5() -> Any:
    """Oscillations in the phase plane: lateral motion limits, yaw limits."""
    fig, axes = figure(1, 2, width=12.0, height=4.6)
    for ax, v in ((axes[0, 0], 300.0), (axes[0, 1], 200.0)):
        w = example_5_2(v / 3.6)
        ellipse_picture(w, ax, orbits=(0.5, 0.8, 1.0, 1.3))
        ax.set_title(f"Antali, Fig. 5.5: {v:g} km/h, {critical_amplitudes(w).governs} limits", loc="left", fontsize=10)
    return fig


def fig5_6() -> Any:
    """Critical amplitudes against omega_L: one crossing, and two."""
    fig, axes = figure(1, 2, width=12.0, height=4.2)
    one = example_5_2("300km/h")
    two = one._replace(eta=0.3)
    for ax, w, title in ((axes[0, 0], one, "one crossing"), (axes[0, 1], two, "two crossings (eta = 0.3)")):
        critical_picture(w, (1.0, 150.0 / 0.96435), ax, frequency=True)
        ax.set_title(f"Antali, Fig. 5.6: {title}", loc="left", fontsize=10)
    return fig


def fig5_7() -> Any:
    """Example 5.2."""
    fig, axes = figure(1, width=7.4, height=4.4)
    critical_picture(example_5_2("300km/h"), (1.0, 125.0), axes[0, 0])
    axes[0, 0].set_title("Antali, Fig. 5.7: Example 5.2 (inferred data)", loc="left", fontsize=10)
    return fig


def slip_episodes() -> Any:
    """Episodes at two speeds, in the phase plane and over time."""
    fig, axes = figure(2, 2, width=12.0, height=4.0)
    for row, v in zip(axes, (200.0, 300.0)):
        w = example_5_2(v / 3.6)
        end = 0.4
        motion = simulate(
            w,
            easiest_start(w, 1.2 * critical_amplitudes(w).amplitude),
            end,
            method="event-driven",
            at=np.linspace(0.0, end, 4001),
            progress=False,
        )
        ellipse_picture(w, row[0])
        row[0].plot(1e3 * motion["y"], 1e3 * motion["Psi"], color=WARM, linewidth=0.8)
        row[0].set_title(f"{v:g} km/h from 1.2 critical: slip {'damps' if v < 283.0 else 'pumps'}", loc="left", fontsize=10)
        row[1].plot(motion.t, 1e3 * motion["amplitude"], label="amplitude [mm]")
        row[1].plot(motion.t, 1e2 * motion["slip_plus"], label="slip at P+ [cm/s]", linewidth=0.8)
        row[1].axhline(1e3 * critical_amplitudes(w).amplitude, color="0.5", linewidth=0.8, label="critical amplitude [mm]")
        row[1].set_xlabel("t [s]")
        row[1].legend(fontsize=8)
    return fig


def return_maps() -> Any:
    """Return maps at two speeds."""
    fig, axes = figure(1, 2, width=12.0, height=4.6)
    overs = np.concatenate([1.0 + np.geomspace(0.005, 0.2, 6), np.linspace(1.5, 2.2, 4)])
    return_picture([return_map(example_5_2(v / 3.6), overs, refine=False) for v in (200.0, 300.0)], axes[0, 0], axes[0, 1])
    return fig


WHEELSET_FIGURES = {
    "fig5_3": fig5_3, "fig5_4": fig5_4, "fig5_5": fig5_5, "fig5_6": fig5_6, "fig5_7": fig5_7, "wheelset_episodes": slip_episodes, "wheelset_return_maps": return_maps,
}  # fmt: skip
