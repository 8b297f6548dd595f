"""A system of one's own: Littlewood's loaded hoop, which rolls on a plane until it would have to hop, and slips before that.

A hoop of radius r and mass M carries a point mass m on its rim, at the angle theta from the top. It rolls without slipping; with
u = M + m (1 + cos theta) its energy is r^2 theta'^2 u + m g r (1 + cos theta). The plane can push but not pull, so that rolling ends
when the normal force vanishes, or sooner: when it asks for more friction than the coefficient mu allows.

A script compiles its systems anew in every run (some ten seconds); docs/own_system.md shows how a module avoids that.
Writes out/own_system.png.

J. E. Littlewood, A Mathematician's Miscellany (1953); W. F. D. Theron and M. F. Maritz, The amazing variety of motions of a loaded
hoop, Mathematical and Computer Modelling 47 (2008).
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from rollick import Event, simulate
from rollick.kernel import absolute, compiled, cos, describe, rate, signals, sin
from rollick.plotting import figure, save


class Hoop(NamedTuple):
    """A hoop with a point mass on its rim."""

    M: float = 0.05
    m: float = 1.0
    r: float = 0.5
    mu: float = 0.5
    g: float = 9.81


@compiled
def acceleration(hoop, theta, omega):
    """theta'' of the rolling hoop, from its energy."""
    return hoop.m * sin(theta) * (hoop.g / hoop.r + omega**2) / (2.0 * (hoop.M + hoop.m * (1.0 + cos(theta))))


@rate.register(Hoop)
def _(hoop, t, y, out):
    out[0] = y[1]
    out[1] = acceleration(hoop, y[0], y[1])


@signals.register(Hoop)
def _(hoop, t, y, out):
    theta, omega = y[0], y[1]
    turn = acceleration(hoop, theta, omega)
    s, c = sin(theta), cos(theta)
    normal = (hoop.M + hoop.m) * hoop.g - hoop.m * hoop.r * (s * turn + c * omega**2)
    friction = hoop.M * hoop.r * turn + hoop.m * hoop.r * ((1.0 + c) * turn - s * omega**2)
    out[0] = normal
    out[1] = friction
    out[2] = hoop.mu * normal - absolute(friction)
    out[3] = (hoop.r * omega) ** 2 * (hoop.M + hoop.m * (1.0 + c)) + hoop.m * hoop.g * hoop.r * (1.0 + c)


describe(
    Hoop,
    states={"theta": ("rad", "angle of the mass from the top"), "omega": "rad/s"},
    signals={
        "normal_force": "N",
        "friction_force": "N",
        "slip_margin": ("N", "friction there could be, minus friction there is"),
        "energy": "J",
    },
)

OUT = Path("out")
OUT.mkdir(exist_ok=True)

fig, axes = figure(2, sharex=True)
for mu, colour in ((0.5, "#D55E00"), (1.0, "#E69F00")):
    motion = simulate(
        Hoop(mu=mu),
        start={"theta": "1deg"},
        until=10.0,
        at=np.linspace(0.0, 10.0, 5001),  # the steps themselves are too long for a smooth plot
        events=[
            Event("slip_margin", "falling", name="would slip"),
            Event("normal_force", "falling", terminal=True, name="would hop"),
        ],
    )
    for event in motion.events:
        print(f"mu = {mu}: {event.name} at t = {event.t:.6f} s, theta = {np.degrees(event.state[0]):.3f} deg")
        for ax in axes[:, 0]:
            ax.axvline(np.degrees(event.state[0]), color="0.5" if event.terminal else colour, linewidth=0.8)
energy = motion["energy"]
print(f"energy kept to {np.abs(energy / energy[0] - 1.0).max():.1e}; {motion.message}")

theta = np.degrees(motion["theta"])
axes[0, 0].plot(theta, motion["normal_force"], color="#0072B2")
axes[0, 0].set_ylabel("normal force [N]")
axes[1, 0].plot(theta, np.abs(motion["friction_force"]) / motion["normal_force"], color="#0072B2")
axes[1, 0].set_ylabel("friction / normal force")
axes[1, 0].set_ylim(0.0, 2.0)
axes[1, 0].set_xlabel(r"$\theta$ [deg]")
axes[0, 0].set_title(
    r"A loaded hoop would slip (red: $\mu$ = 0.5, yellow: $\mu$ = 1) before it would hop (grey)", loc="left", fontsize=10
)
save(fig, OUT / "own_system.png")
print("wrote out/own_system.png")
