"""Figures 2.3 and 2.9 of the thesis redrawn, and ball A from slip to rolling."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...analysis.filippov import Plane, map_picture, portrait, region_map, switching_portrait
from ...archetypes.filippov import PoolBall, pool_ball, spring_disk
from ...archetypes.filippov.pool_ball import critical_speed
from ...motion.simulate import simulate


def figure(*args: Any, **options: Any) -> tuple[Any, Any]:
    """A new figure (imported late: pictures are upstairs)."""
    from ...plotting import figure as new

    return new(*args, **options)


def fig2_3() -> Any:
    """The disk with a spring: both fields in the plane (w, u), and where it rolls."""
    fig, axes = figure(1, width=6.4, height=4.4)
    switching_portrait(spring_disk(), [0.0, 0.0, 0.0], (0, 2), (-6.0, 6.0), (-2.0, 2.0), axes[0, 0])
    axes[0, 0].set_title("Antali, Fig. 2.3: disk with a spring, v = 0; it rolls where |w| < 3 mu g m/k", loc="left", fontsize=10)
    return fig


def fig2_9() -> Any:
    """The pool ball: regions of v, and the portraits of a slow and of a fast ball."""
    fig, axes = figure(1, 3, width=15.0, height=4.4)
    ball = pool_ball()
    plane = Plane(lambda p, q: [0.0, 0.0, p, q], (-9.5, 9.5), (-9.5, 9.5), ("v_y [m/s]", "v_z [m/s]"))
    map_picture(region_map(ball, plane, 25), axes[0, 0])
    axes[0, 0].get_legend().set(bbox_to_anchor=None, frame_on=True)
    axes[0, 0].set_ylim(-9.5, 13.5)
    axes[0, 0].set_title("Antali, Fig. 2.9: where the pool ball rolls", loc="left", fontsize=10)
    for ax, v in ((axes[0, 1], (3.0, -2.0)), (axes[0, 2], (8.0, -4.0))):
        point = ball.at([0.0, 0.0, *v])
        portrait(point, ax)
        ax.set_title(f"v = ({v[0]:g}, {v[1]:g}) m/s: {point.kind}", loc="left", fontsize=10)
        ax.set_xlabel("u_y")
        ax.set_ylabel("u_z")
    return fig


def ball_a() -> Any:
    """Ball A: the slip in its plane, and both velocities over time; then in water that surges."""
    fig, axes = figure(1, 3, width=15.0, height=4.0)
    times = np.linspace(0.0, 1.0, 2001)
    motion = simulate(PoolBall(), [0.8, 0.9, 1.2, -0.7], 1.0, at=times, progress=False)
    axes[0, 0].plot(motion["u_y"], motion["u_z"])
    axes[0, 0].plot(0.0, 0.0, "o", color="k", markersize=4)
    axes[0, 0].set_xlabel("u_y [m/s]")
    axes[0, 0].set_ylabel("u_z [m/s]")
    axes[0, 0].set_title(
        f"ball A: slip ends at {motion.events[0].t:.6f} s, from the direction against v", loc="left", fontsize=10
    )
    times = np.linspace(0.0, 6.0, 3001)
    surged = simulate(PoolBall(surge=10.0, omega=2.0), [0.8, 0.9, 1.2, -0.7], 6.0, at=times, progress=False)
    for ax, made, title in ((axes[0, 1], motion, "still water"), (axes[0, 2], surged, "water that surges, 10 sin(2t) m/s")):
        ax.plot(made.t, made["slip"], label="|u|")
        ax.plot(made.t, made["past_water"], label="|v - w|")
        ax.axhline(critical_speed(), color="0.6", linewidth=0.8, label="7 mu g m/(2K)") if made is surged else None
        ax.set_xlabel("t [s]")
        ax.set_ylabel("[m/s]")
        ax.legend(fontsize=8)
        ax.set_title(title, loc="left", fontsize=10)
    return fig


FIGURES = {"fig2_3": fig2_3, "fig2_9": fig2_9, "ball_a": ball_a}
