"""Rubber and marble from the same start, side by side: what the constraint against twist does.

Both are the full body in quaternions (`mechanics.rolling`), on the same plane, from the same theta, theta', psi'. The marble's
phi' is free; unless it is given it is the rubber's, phi' = -cos(theta) psi' (8), so that at the start both move alike. Along the
rubber motion the twist omega_z is zero and l = N Omega3 is constant (43); along the marble motion both vary, and the two linear
integrals of `marble` are constant instead.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...kernel.names import InputError, number
from ...kernel.palette import INK, WARM
from ...motion.result.motion import Motion
from ...motion.simulate import simulate
from .body import RubberBody, full, nose_squared
from .reduced import full_start

NAMES = ("rubber", "marble")
COLOURS = {"rubber": WARM, "marble": INK}


@dataclass(frozen=True)
class Contrast:
    """A rubber and a marble motion from the same start, and in what they differ; arrays are over the common times `t`."""

    body: RubberBody
    rubber: Motion
    marble: Motion
    t: np.ndarray
    track_gap: np.ndarray  # distance between the two contact points
    theta_gap: np.ndarray  # theta of rubber less theta of marble
    theta_range: dict[str, tuple[float, float]]
    friction_demand: dict[str, float]  # the largest coefficient of friction that each needs
    lift_off_margin: dict[str, float]  # the smallest normal force over weight; below zero the body would have left the plane
    spin_demand: float  # the largest couple about the normal over the normal force that the rubber needs, m
    spin_integral: dict[str, np.ndarray]  # N Omega3: l for rubber
    twist: dict[str, np.ndarray]

    def __str__(self) -> str:
        lines = [f"{'':>8}{'theta [deg]':>22}{'friction':>10}{'lift-off':>10}{'N Omega3':>24}{'twist [rad/s]':>24}"]
        for name in NAMES:
            low, high = np.degrees(self.theta_range[name])
            spin, twist = self.spin_integral[name], self.twist[name]
            lines.append(
                f"{name:>8}{f'{low:.3f} .. {high:.3f}':>22}{self.friction_demand[name]:>10.4f}{self.lift_off_margin[name]:>10.4f}"
                f"{f'{spin.min():.6g} .. {spin.max():.6g}':>24}{f'{twist.min():.3g} .. {twist.max():.3g}':>24}"
            )
        lines.append(f"the contact points part by up to {self.track_gap.max():.4g} m within {self.t[-1]:.4g} s")
        return "\n".join(lines)


def contrast(
    body: RubberBody,
    theta: float | str,
    theta_rate: float | str = 0.0,
    psi_rate: float | str = 0.0,
    phi_rate: float | str | None = None,
    until: float | str = 10.0,
    count: int = 801,
    rtol: float = 1e-11,
) -> Contrast:
    """Roll a body as rubber and as marble from the same theta, theta', psi'; `phi_rate` is the marble's, by default the rubber's.

    The motions are told at `count` equal times; if one of them ends early, the comparison ends with it.
    """
    th = number(theta, "theta", "rad")
    if not 0.0 < th < math.pi:
        raise InputError(
            f"theta = {theta!r} must lie strictly between 0 and pi: at its ends the body lies flat, or its angles are undefined."
        )
    if count < 2:
        raise InputError(f"count = {count} must be at least 2, the beginning and the end.")
    turn, spin = number(theta_rate, "theta_rate", "rad/s"), number(psi_rate, "psi_rate", "rad/s")
    free = None if phi_rate is None else number(phi_rate, "phi_rate", "rad/s")
    end = number(until, "until", "s")
    if end <= 0.0:
        raise InputError(f"until = {until!r} must be positive: the motion begins at t = 0.")
    times = np.linspace(0.0, end, count)
    rubber = simulate(full(body, rubber=True), full_start(th, turn, spin), end, rtol=rtol, at=times)
    marble = simulate(full(body, rubber=False), full_start(th, turn, spin, phi_rate=free), end, rtol=rtol, at=times)
    both = {"rubber": rubber, "marble": marble}
    k = min(rubber.t.size, marble.t.size)
    nose = {n: np.sqrt([nose_squared(body, float(a)) for a in m["theta"][:k]]) for n, m in both.items()}
    return Contrast(
        body,
        rubber,
        marble,
        rubber.t[:k],
        np.hypot(rubber["x"][:k] - marble["x"][:k], rubber["y"][:k] - marble["y"][:k]),
        rubber["theta"][:k] - marble["theta"][:k],
        {n: (float(m["theta"][:k].min()), float(m["theta"][:k].max())) for n, m in both.items()},
        {n: float(m["friction_demand"][:k].max()) for n, m in both.items()},
        {n: float(m["lift_off_margin"][:k].min()) for n, m in both.items()},
        float(rubber["spin_demand"][:k].max()),
        {n: nose[n] * m["omega3"][:k] for n, m in both.items()},
        {n: np.asarray(m["twist"][:k]) for n, m in both.items()},
    )


def contrast_figure(found: Contrast, path: Any = None) -> Any:
    """Four panels: theta over time, the two tracks on the plane, the twist and N Omega3 over time; returns the figure."""
    from ...plotting import figure, finished

    fig, axes = figure(2, 2, width=10.0, height=3.6)
    over_time, plane, twist, spin = axes.flat
    for name, motion in (("marble", found.marble), ("rubber", found.rubber)):
        k = found.t.size
        style: dict[str, Any] = {"color": COLOURS[name], "linewidth": 1.0, "label": name}
        over_time.plot(found.t, np.degrees(motion["theta"][:k]), **style)
        plane.plot(motion["x"][:k], motion["y"][:k], **style)
        twist.plot(found.t, found.twist[name], **style)
        spin.plot(found.t, found.spin_integral[name], **style)
    plane.plot(found.rubber["x"][:1], found.rubber["y"][:1], "o", color="0.3", markersize=4)
    plane.set_aspect("equal", adjustable="datalim")
    for ax, label in ((over_time, "theta [deg]"), (twist, "twist omega_z [rad/s]"), (spin, "N Omega3 [J^(1/2)]")):
        ax.set_ylabel(label)
        ax.set_xlabel("t [s]")
    plane.set_xlabel("x [m]")
    plane.set_ylabel("y [m]")
    plane.legend(frameon=False, loc="best")
    demand = ", ".join(f"{n} {found.friction_demand[n]:.3g}" for n in NAMES)
    over_time.set_title(f"nutation; friction needed: {demand}", loc="left", fontsize=9)
    plane.set_title("contact point on the plane", loc="left", fontsize=9)
    twist.set_title("rotation about the normal", loc="left", fontsize=9)
    spin.set_title("Koiller's l = N Omega3: constant for rubber", loc="left", fontsize=9)
    return finished(fig, path)
