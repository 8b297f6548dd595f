"""Pictures of drops and of maps of the shock ratio."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...kernel.palette import INK, WARM
from .device import chatter_boundary
from .maps import finished
from .oscillator import free_response
from .sequence import SLIP
from .trajectory import STATES, good_times

SHADE = "#e8e3d3"
LABELS = {
    "h": "h / l",
    "phi": r"$\varphi$ [deg]",
    "v": "h'",
    "w": r"$\varphi'$",
    "u": "u / l",
    "du": "u'",
    "energy": "E / (m g l)",
}


def drop_figure(result: Any, names: list[str] | None = None, path: Any = None) -> Any:
    """Curves of a `Drop` over dimensionless time from shortly before the first impact; slip phases are shaded."""
    from ...plotting import figure, finished

    shown = list(names or ("h", "phi", "u"))
    times = good_times(result.device, result.phase_log, result.t)
    states = result.at(times)
    first = result.phase_log[0, 2]
    last = last_worth(result, times, states[:, 4])
    keep = (times >= first - 0.15 * max(last - first, 1e-3)) & (times <= last)
    fig, axes = figure(len(shown), sharex=True, width=8.0)
    for ax, name in zip(axes[:, 0], shown):
        if name == "energy":
            values = states[:, 0] + 0.5 * (states[:, 2] ** 2 + (result.device.rho * states[:, 3]) ** 2)
        else:
            values = states[:, STATES.index(name)]
        values = np.degrees(values) if name == "phi" else values
        ax.plot(times[keep], values[keep], color=INK, linewidth=1.0)
        ax.set_ylabel(LABELS[name])
        if name == "u":
            s = np.linspace(0.0, max(last - first, 0.0), 2000)
            speed = -math.sqrt(2.0 * result.start[0])
            d = result.device
            reference = [free_response(x, 0.0, speed, d.delta, d.Omega**2)[0] for x in s]
            ax.plot(first + s, reference, "--", color=WARM, linewidth=0.9, label="reference: stopped at once")
            ax.legend(frameon=False, fontsize=8, loc="lower right")
        for row in result.phase_log:
            if row[0] == SLIP and row[1] < last:
                ax.axvspan(row[1], row[1] + row[2], color=SHADE, linewidth=0.0, zorder=0)
    d = result.device
    axes[0, 0].set_title(
        rf"{f'{result.model}: ' if result.model else ''}$\rho$ = {d.rho:.3g}, $\gamma$ = {d.gamma:.3g}, r = {d.r:.3g}, $\alpha$ = {d.alpha:.3g}, d = {d.d:.4g}: R = {result.R:.4f}",
        loc="left",
        fontsize=10,
    )
    axes[-1, 0].set_xlabel(r"$t\,\sqrt{g/l}$")
    if times[keep][0] < last:  # a drop that stops at its first impact has one instant
        axes[-1, 0].set_xlim(times[keep][0], last)
    return finished(fig, path)


def last_worth(result: Any, times: np.ndarray, u: np.ndarray) -> float:
    """Until when a picture is worth looking at: the rod's rest and a ring-down to a fiftieth of the peak."""
    loud = times[np.abs(u) > 0.02 * result.peak]
    return float(min(max(result.t, loud[-1] if loud.size else result.t), times[-1]))


def map_panel(ax: Any, data: Any, name: str = "R", top: float = 2.0, boundary: bool = True, title: str = "") -> Any:
    """One map as a coloured field; values above `top` have the last colour. Returns the field, for a colour bar.

    Points where a drop did not come to rest within the most impacts (very small rho, gamma near 1) are grey.
    """
    values = np.clip(finished(data, name), 0.0, top)
    ax.set_facecolor("0.75")
    field = ax.pcolormesh(
        data["rho"].values, data["gamma"].values, values.T, vmin=0.0, vmax=top, cmap="viridis", shading="nearest", rasterized=True
    )
    if boundary:
        gamma = np.linspace(0.0, 1.0, 400)
        ax.plot(chatter_boundary(gamma), gamma, color=WARM, linewidth=1.2)
    ax.set_xlim(0.0, 1.0)
    ax.set_ylim(0.0, 1.0)
    ax.set_xlabel(r"$\rho$")
    ax.set_ylabel(r"$\gamma$")
    ax.grid(False)
    ax.set_title(title, loc="left", fontsize=10)
    return field


def map_figure(data: Any, name: str = "R", top: float | None = None, path: Any = None, title: str = "") -> Any:
    """One map with its colour bar and the boundary of (B.8)."""
    from ...plotting import figure
    from ...plotting import finished as drawn

    values = finished(data, name)
    best = float(np.nanquantile(values[np.isfinite(values)], 0.98)) if np.isfinite(values).any() else 1.0
    most = float(top) if top is not None else max(2.0, min(math.ceil(best), 10.0))
    fig, axes = figure(1, 1, width=5.6, height=4.6)
    field = map_panel(axes[0, 0], data, name, most, title=title)
    label = r"$R_{Goyal}$" if name == "R_goyal" else "R"
    fig.colorbar(field, ax=axes[0, 0], label=f"{label} (values above {most:g} have the last colour)", extend="max")
    return drawn(fig, path)
