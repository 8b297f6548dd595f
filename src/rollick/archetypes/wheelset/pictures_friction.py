"""Pictures of the wheelset with friction: the ellipse of rolling, critical amplitudes against speed, return maps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...kernel.palette import INK, WARM
from .dry import DryWheelset
from .return_map import ReturnMap
from .slip_limit import at_speed, critical_amplitudes, critical_curve, slip_ellipse, special_speeds

DARK, RED, GREY = INK, WARM, "0.55"


def ellipse_picture(w: DryWheelset, ax: Any, lines: bool = False, orbits: Sequence[float] = ()) -> None:
    """The ellipse (5.58) in the plane (y, Psi) in mm, the lines of one contact alone (5.52), and oscillations of given multiples of the critical amplitude."""
    at, turn = slip_ellipse(w), np.linspace(0.0, 2.0 * np.pi, 721)
    ax.plot(1e3 * at.y * np.cos(turn), 1e3 * at.Psi * np.sin(turn), color="k", linewidth=2.0, label="both slip outside (5.58)")
    if lines:
        for side in (1.0, -1.0):
            label = "one contact alone would slip (5.52)" if side > 0.0 else None
            ax.axhline(side * 1e3 * at.Psi, color=GREY, linestyle="--", linewidth=1.0, label=label)
    for k, over in enumerate(orbits):
        a = over * critical_amplitudes(w).amplitude
        y, Psi = a * np.cos(turn), a * np.sin(turn) / w.eta
        inside = at.inside(y, Psi)
        ax.plot(
            1e3 * np.where(inside, y, np.nan),
            1e3 * np.where(inside, Psi, np.nan),
            color=DARK,
            linewidth=0.9,
            label="rolls" if k == 0 else None,
        )
        ax.plot(1e3 * np.where(inside, np.nan, y), 1e3 * np.where(inside, np.nan, Psi), color=RED, linewidth=0.8, linestyle=":")
    ax.set(xlabel="y [mm]", ylabel="Psi = b psi [mm]")
    if not lines:  # room for the legend above the curves
        low, high = ax.get_ylim()
        ax.set_ylim(low, high + 0.3 * (high - low))
    ax.legend(fontsize=8, loc="center" if lines else "upper right", frameon=False)


def critical_picture(w: DryWheelset, speeds: tuple[float, float], ax: Any, frequency: bool = False) -> None:
    """Critical amplitudes (mm) over the speed (km/h), or over omega_L; the thick line is what limits rolling."""
    v = np.linspace(speeds[0], speeds[1], 1201)
    special = special_speeds(w)
    marks = [x for x in special.values() if x is not None and speeds[0] < x < speeds[1]]
    v = np.unique(np.concatenate([v, *([x * (1.0 - 1e-4), x * (1.0 + 1e-4)] for x in marks)]))
    curve = 1e3 * critical_curve(w, v)
    x = v * w.omega_L / w.v if frequency else 3.6 * v
    top = (
        4.0
        * 1e3
        * max(
            [critical_amplitudes(at_speed(w, m)).amplitude for n in ("omega_L1", "omega_L2") if (m := special[n])]
            or [float(np.median(curve))]
        )
    )
    shown = np.where(curve < 3.0 * top, curve, np.nan)
    ax.plot(x, shown[:, 0], "--", color=DARK, linewidth=1.0, label="lateral (5.63)")
    ax.plot(x, shown[:, 1], color=RED, linewidth=1.0, label="yaw (5.65)")
    ax.plot(x, curve.min(axis=1), color="k", linewidth=2.2, label="rolls below")
    for m in marks:
        ax.axvline(m * w.omega_L / w.v if frequency else 3.6 * m, color=GREY, linewidth=0.6)
    ax.set(xlabel="omega_L [rad/s]" if frequency else "v [km/h]", ylabel="amplitude [mm]", ylim=(0.0, top))
    ax.legend(fontsize=8)


def return_picture(maps: Sequence[ReturnMap], left: Any, right: Any) -> None:
    """Amplitude after over before, and the length of slip in periods, over the amplitude in critical ones."""
    for made in maps:
        w = made.wheelset
        over = made.amplitudes / made.critical.amplitude
        name = f"{3.6 * w.v:.4g} km/h"
        (line,) = left.plot(over, made.ratios, "o-", markersize=2.5, linewidth=0.9, label=name)
        for point in made.fixed:
            left.plot(point.over, 1.0, "D" if point.stable else "x", color=line.get_color(), markersize=7)
        periods = np.array([e.duration for e in made.episodes]) * w.omega_L / (2.0 * np.pi)
        right.plot(over, periods, "o-", markersize=2.5, linewidth=0.9, label=name, color=line.get_color())
    left.axhline(1.0, color="k", linewidth=0.8)
    left.set(xlabel="amplitude before/critical", ylabel="after/before")
    left.set_title("slip damps below one, pumps above; gaps: slip does not end", loc="left", fontsize=10)
    right.set(xlabel="amplitude before/critical", ylabel="slip lasts [periods]")
    right.set_title("length of the slip episode", loc="left", fontsize=10)
    left.legend(fontsize=8)
