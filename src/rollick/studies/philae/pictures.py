"""Pictures of the landing: powers and Sun directions over time, the map of the fit, and the histograms after the crater rim."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...archetypes.lander.telemetry import PHASES, event_times, phases, powers, times
from ...kernel.palette import AMBER, GREEN, INK, PLUM, SKY, WARM
from .candidates import PRINTED_LINES, printed_line

COOL, GREY = INK, "0.55"
PANEL_COLOURS = (INK, PLUM, SKY, AMBER, WARM, GREEN)
SHOWN_EVENTS = ("separation", "unfolded", "TD1", "C1", "TD2", "rest")


def new_figure(*args: Any, **options: Any) -> tuple[Any, Any]:
    """A new figure (imported late: pictures are upstairs)."""
    from ...plotting import figure

    return figure(*args, **options)


def finish(fig: Any, path: Any) -> Any:
    """Save a figure if it is wanted."""
    if path is not None:
        from ...plotting import save

        save(fig, path)
    return fig


def hours(t: np.ndarray) -> np.ndarray:
    """Times of day in hours UTC."""
    return (t - np.datetime64("2014-11-12T00:00:00")) / np.timedelta64(1, "s") / 3600.0


def mark_events(ax: Any, names: tuple[str, ...] = SHOWN_EVENTS, labels: bool = True) -> None:
    """Vertical lines at the events of Tab. 6.3."""
    for name in names:
        x = float(hours(np.array(event_times()[name])))
        ax.axvline(x, color=WARM, linewidth=0.7, alpha=0.7)
        if labels:
            side = "right" if name in ("separation", "TD2") else "left"
            ax.annotate(f" {name} ", (x, 1.0), xycoords=("data", "axes fraction"), ha=side, va="bottom", fontsize=8, color=WARM)


def sun_figure(track: Any, path: Any = None) -> Any:
    """Fig. 6.3: the powers of the panels, and the components of s that were found, over the day."""
    fig, axes = new_figure(2, 1, width=10.0, height=3.2, sharex=True)
    when = hours(times())
    top, bottom = axes[:, 0]
    for k, colour in enumerate(PANEL_COLOURS):
        top.plot(when, powers()[:, k], ".-", color=colour, linewidth=0.4, markersize=3, label=f"panel {k + 1}")
    top.set_ylabel("power [W]")
    top.legend(ncol=6, fontsize=8, loc="upper center", frameon=False, bbox_to_anchor=(0.5, -0.02))
    for j, (name, colour) in enumerate(zip(("$s_x$", "$s_y$", "$s_z$"), (COOL, GREEN, WARM))):
        bottom.plot(when, track.sun[:, j], ".:", color=colour, linewidth=0.6, markersize=4, label=name)
    bottom.set_ylabel("direction of the Sun")
    bottom.set_xlabel("12 November 2014, hours UTC")
    bottom.set_ylim(-1.05, 1.05)
    bottom.legend(fontsize=8, loc="center right", frameon=False)
    mark_events(top)
    mark_events(bottom, labels=False)
    return finish(fig, path)


def sky_figure(track: Any, path: Any = None) -> Any:
    """Fig. 6.4: the directions of the Sun by phase, seen from above the lander: azimuth around, z axis in the middle, horizon outside."""
    from ...plotting import sheet

    fig = sheet(10.5, 2.9)
    shown = [("descent", [1]), ("TD1 to C1", [2]), ("C1 to TD2", [3]), ("after TD2", [4, 5])]
    for i, (title, indices) in enumerate(shown):
        ax: Any = fig.add_subplot(1, 4, i + 1, projection="polar")
        inside = np.isin(phases(), indices) & np.isfinite(track.sun[:, 0])
        s = track.sun[inside]
        order = np.arange(inside.sum())
        dots = ax.scatter(np.arctan2(s[:, 1], s[:, 0]), np.degrees(np.arccos(s[:, 2])), c=order, cmap="viridis", s=12, zorder=3)
        if title != "descent":
            ax.plot(np.arctan2(s[:, 1], s[:, 0]), np.degrees(np.arccos(s[:, 2])), ":", color=GREY, linewidth=0.7)
        ax.set_ylim(0, 90)
        ax.set_rlabel_position(155)
        ax.set_yticks([30, 60, 90], ["30°", "60°", "90°"], fontsize=7, color="0.4")
        ax.set_xticks(np.radians([0, 90, 180, 270]), ["+x", "+y", "−x", "−y"], fontsize=8)
        ax.set_title(f"{title} ({inside.sum()})", fontsize=10)
        ax.grid(True, color="0.88", linewidth=0.6)
    bar = fig.colorbar(dots, ax=fig.axes, shrink=0.7, ticks=[])
    bar.set_label("earlier → later", fontsize=8)
    assert len(PHASES) == 6
    return finish(fig, path)


def slices_figure(
    found: Any, heights: tuple[float, ...] = (-0.15, 0.0, 0.15), points: np.ndarray | None = None, path: Any = None
) -> Any:
    """Slices of the EMD map at some omega_z, with the accepted points nearby and where the printed lines cross."""
    fig, axes = new_figure(1, len(heights), width=11.0, height=3.9, sharey=True)
    picture = None
    for i, (ax, height) in enumerate(zip(axes[0], heights)):
        level = found.sel(omega_z=height, method="nearest")
        z = float(level.omega_z)
        picture = ax.pcolormesh(
            found.omega_x,
            found.omega_y,
            level.emd.values.T,
            cmap="viridis_r",
            vmin=0.03,
            vmax=0.3,
            shading="nearest",
            rasterized=True,
        )
        if points is not None:
            near = np.abs(points[:, 2] - z) < 1e-9 + 0.5 * float(np.diff(found.omega_z)[0])
            ax.plot(
                points[near, 0],
                points[near, 1],
                "o",
                color="white",
                markeredgecolor="black",
                markersize=4,
                linewidth=0,
                label="accepted" if i == 0 else None,
            )
        for j, name in enumerate((*PRINTED_LINES, "L1*")):
            line = printed_line(name)
            cross = line.point + (z - line.point[2]) / line.direction[2] * line.direction
            if np.all(np.abs(cross[:2] - 0.25) <= 0.75):
                ax.plot(*cross[:2], "x", color=WARM, markersize=7, markeredgewidth=1.6)
                ax.annotate(f" {name}", cross[:2], fontsize=8, color=WARM, va="bottom" if j % 2 else "top")
        ax.set_title(rf"$\omega_z$ = {z:.3f} rad/s", loc="left", fontsize=10)
        ax.set_xlabel(r"$\omega_x$ [rad/s]")
        ax.set_aspect("equal")
        ax.grid(False)
    axes[0, 0].set_ylabel(r"$\omega_y$ [rad/s]")
    if points is not None:
        axes[0, 0].legend(fontsize=8, loc="upper right")
    fig.colorbar(picture, ax=axes[0].tolist(), shrink=0.9, label="EMD")
    return finish(fig, path)


def crater_figure(study: Any, path: Any = None) -> Any:
    """Fig. 6.15: the density of s_z after C1 with the wheel off (bars) and kept running (line), with 95 % bootstrap bands."""
    edges = study.edges
    fig, axes = new_figure(1, 1, width=7.5, height=4.0)
    ax = axes[0, 0]
    middle = 0.5 * (edges[1:] + edges[:-1])
    off, (low, high) = study.density("off"), study.density_band("off")
    ax.bar(middle, off, np.diff(edges), color="#b8cce4", edgecolor="white", linewidth=0.4, label="wheel switched off")
    ax.errorbar(middle, off, [off - low, high - off], fmt="none", ecolor=INK, elinewidth=0.7, capsize=1.5)
    on, (low, high) = study.density("on"), study.density_band("on")
    ax.stairs(on, edges, color=WARM, linewidth=1.5, label="wheel kept running")
    ax.fill_between(edges, np.append(low, low[-1]), np.append(high, high[-1]), step="post", color=WARM, alpha=0.18, linewidth=0)
    ax.set_xlim(-1, 1)
    ax.set_ylim(0, None)
    ax.set_xlabel("$s_z$, the Sun along the lander's z axis")
    ax.set_ylabel("density")
    ax.set_title(f"{study.data.sizes['case']} collisions, 65 min of flight after each; 95 % bands", loc="left", fontsize=10)
    ax.legend(fontsize=9, frameon=False, loc="upper left")
    return finish(fig, path)
