"""Pictures of wheelset kinematics: profiles in contact, the locus of contact points, rolling-radius difference and conicity,
frequency against amplitude.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.palette import GREEN, INK, WARM
from .conicity import Conicity, RadiusDifference
from .frequency import Frequencies
from .geometry import Geometry
from .locus import rest


def figure(*args: Any, **options: Any) -> tuple[Any, Any]:
    """A new figure (imported late: pictures are upstairs)."""
    from ...plotting import figure as new

    return new(*args, **options)


def profile_picture(g: Geometry, ax: Any, reach: float = 0.006, lines: int = 13) -> None:
    """Wheel over rail in the central position, and lines between the points that touch at displacements up to `reach`."""
    c = rest(g, np.linspace(-reach, reach, lines))
    low, high = (float(x) for x in (min(c.left.U_w.min(), c.left.U_r.min()), max(c.left.U_w.max(), c.left.U_r.max())))
    more = 0.1 * (high - low)
    pair = [np.linspace(max(p.low, low - more), min(p.high, high + 2.0 * more), 1200) for p in (g.wheel, g.rail)]
    lift = 0.08 * float(np.ptp(g.rail.height(pair[1])))
    ax.plot(1e3 * pair[0], 1e3 * (g.wheel.height(pair[0]) + lift), label=f"wheel, lifted by {1e3 * lift:.2g} mm")
    ax.plot(1e3 * pair[1], 1e3 * g.rail.height(pair[1]), label="rail")
    for a, b in zip(c.left.U_w, c.left.U_r):
        ax.plot([1e3 * a, 1e3 * b], [1e3 * (g.wheel.height(a) + lift), 1e3 * g.rail.height(b)], color="0.6", linewidth=0.7)
    ax.set_xlabel("U [mm], outward")
    ax.set_ylabel("height [mm]")
    ax.legend(fontsize=8)
    ax.set_title(f"left contacts for y = {-1e3 * reach:.3g} .. {1e3 * reach:.3g} mm", loc="left", fontsize=10)


def locus_picture(g: Geometry, delta: RadiusDifference, ax: Any) -> None:
    """Contact points of the left wheel and its rail over y."""
    y = np.linspace(-delta.reach, delta.reach, 401)
    c = rest(g, y)
    for name, values in (("on the wheel", c.left.U_w), ("on the rail", c.left.U_r)):
        shown = np.where(np.concatenate([[False], np.abs(np.diff(values)) > 1e-3]), np.nan, values)  # a jump is no line
        ax.plot(1e3 * y, 1e3 * shown, label=name)
    for d in delta.jumps:
        for sign in (1.0, -1.0):
            ax.axvline(1e3 * sign * d.y, color="0.8", linewidth=0.8, zorder=0)
    ax.set_xlabel("y [mm]")
    ax.set_ylabel("U of the left contact [mm]")
    ax.legend(fontsize=8)
    ax.set_title("locus of the contact; it jumps at grey lines", loc="left", fontsize=10)


def difference_picture(delta: RadiusDifference, ax: Any) -> None:
    """Delta r over y, with gaps where it jumps."""
    for low, high, part in zip(delta.edges, delta.edges[1:], delta.parts):
        y = np.linspace(low, high, 200)
        ax.plot(1e3 * y, 1e3 * part(y), color=INK)
        ax.plot(-1e3 * y, -1e3 * part(y), color=INK)
    ax.set_xlabel("y [mm]")
    ax.set_ylabel("rolling-radius difference [mm]")
    ax.set_title("rolling-radius difference", loc="left", fontsize=10)


def conicity_picture(g: Geometry, delta: RadiusDifference, table: Conicity, exact: np.ndarray | None = None) -> Any:
    """Profiles, locus, Delta r and equivalent conicity on one page; exact: conicities of the exact oscillation, NaN where there
    is none.
    """
    fig, axes = figure(2, 2, width=11.0, height=3.6)
    profile_picture(g, axes[0, 0], delta.reach)
    locus_picture(g, delta, axes[0, 1])
    difference_picture(delta, axes[1, 0])
    ax = axes[1, 1]
    for name, values in (("integration", table.integration), ("harmonic", table.harmonic), ("regression", table.regression)):
        ax.plot(1e3 * table.amplitude, values, label=name, linestyle={"regression": "--"}.get(name, "-"))
    if exact is not None and np.isfinite(exact).any():
        ax.plot(1e3 * table.amplitude, exact, "k:", label="exact oscillation")
    ax.set_ylim(bottom=0.0)
    ax.set_xlabel("amplitude [mm]")
    ax.set_ylabel("equivalent conicity")
    ax.legend(fontsize=8)
    ax.set_title("equivalent conicity", loc="left", fontsize=10)
    return fig


def frequency_picture(f: Frequencies) -> Any:
    """Frequencies over the amplitude."""
    fig, axes = figure(1, 1, width=7.0, height=4.2)
    ax = axes[0, 0]
    mm = 1e3 * f.amplitude
    ax.plot(mm, f.exact, color=INK, linewidth=2.0, label="exact")
    ax.plot(mm, f.by_beta, "--", color=WARM, label="beta (1.41)")
    ax.plot(mm, f.balanced, ":", color=GREEN, label="harmonic balance (1.43)")
    ax.plot(0.0, f.linear.meijaard, "o", markersize=4, color="k", label="Meijaard, exact for small ones")
    ax.set_xlabel("amplitude [mm]")
    ax.set_ylabel("angular frequency [rad/s]")
    ax.legend(fontsize=8)
    ax.set_title(
        f"kinematic oscillation at {f.v:g} m/s; Klingel {f.linear.klingel:.4g}, Heumann {f.linear.heumann:.4g} rad/s",
        loc="left",
        fontsize=10,
    )
    return fig
