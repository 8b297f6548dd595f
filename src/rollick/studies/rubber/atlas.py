"""The rubber torus completely: every regime of motion, its place in the (l, E) diagram, its curve in phase space, its track on the plane.

m = g = R = 1, r = 1/4, solid. Below l^2 = m g R two inclined steady rollings and an unstable upright one; above it the upright one alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...archetypes.rubber.bodies import torus
from ...archetypes.rubber.body import mass_B, potential
from ...archetypes.rubber.equilibria import equilibria
from ...archetypes.rubber.orbits import closing_energy, orbit, separatrices
from ...archetypes.rubber.pictures import INK, WARM, energy_diagram, phase_portrait, track_picture
from ...archetypes.rubber.quadrature import turning_points

TORUS = torus(1.0, 0.25, 1.0, g=1.0)


@dataclass(frozen=True)
class Specimen:
    """A motion that stands for a regime: where it is, what it is called, and how long to watch it."""

    letter: str
    title: str
    ell: float
    energy: float
    theta: float
    until: float


def _steady(letter: str, title: str, ell: float, which: int, until: float) -> Specimen:
    e = equilibria(TORUS, ell)[which]
    return Specimen(letter, title, ell, e.energy, e.theta, until)


def specimens() -> list[Specimen]:
    """One motion for each regime."""
    barrier = separatrices(TORUS, 0.3)[0]
    over = lambda ell, above: Specimen("", "", ell, potential(TORUS, ell, 0.5 * math.pi)[0] + above, 0.5 * math.pi, 0.0)
    eight = closing_energy(TORUS, 0.3, barrier.energy + 1e-10, barrier.energy + 1e-2)
    period = lambda s: orbit(TORUS, s.ell, s.energy, s.theta).nutation.period  # type: ignore[union-attr]
    closed = Specimen("e", "just above the barrier: no drift, a figure eight", 0.3, eight, 0.5 * math.pi, 0.0)
    swing, straight = over(0.3, 0.4), over(1.5, 0.3)
    return [
        _steady("a", "inclined steady rolling: a circle", 0.3, 0, 12.0),
        Specimen("b", "nutation in a well: an annulus", 0.3, 1.1, 0.45, 60.0),
        Specimen("c", "on the separatrix: from one straight line to another", 0.3, barrier.energy, 0.5 * math.pi - 1e-3, 28.0),
        _steady("d", "upright, unstable: a straight line", 0.3, 1, 8.0),
        Specimen("e", closed.title, 0.3, eight, closed.theta, 2.0 * period(closed)),
        Specimen("f", "swinging over the barrier: straight drift", 0.3, swing.energy, swing.theta, 3.0 * period(swing)),
        Specimen(
            "g",
            "fast upright rolling: straight drift, gently waved",
            1.5,
            straight.energy,
            straight.theta,
            4.0 * period(straight),
        ),
    ]


def state(s: Specimen) -> np.ndarray:
    """The reduced state of a specimen."""
    gap = max(0.0, s.energy - potential(TORUS, s.ell, s.theta)[0])
    sign = -1.0 if s.letter == "c" else 1.0  # the separatrix: away from the upright, out and back
    return np.array([s.theta, sign * math.sqrt(2.0 * mass_B(TORUS, s.theta)[0] * gap), s.ell, 0.0, 0.0, 0.0, 0.0])


def atlas() -> Any:
    """The atlas as one figure."""
    from ...plotting import sheet

    fig = sheet(13.0, 15.0)
    parts: Any = fig.subfigures(2, 1, height_ratios=[1.0, 2.6])
    top, bottom = parts
    ax = top.subplots()
    energy_diagram(TORUS, 2.0, 3.6, ax)
    ax.set_title("The rubber torus, m = g = R = 1, r = 1/4: regimes in the plane of l and E", loc="left", fontsize=11)
    axes = bottom.subplots(4, 4)
    for k, s in enumerate(specimens()):
        ax.plot(s.ell, s.energy, "o", color="black", markersize=3)
        ax.annotate(
            s.letter,
            (s.ell, s.energy),
            xytext=({"d": 14, "e": 22}.get(s.letter, 6), 4),
            textcoords="offset points",
            fontweight="bold",
        )
        phase, track = axes[k // 2, 2 * (k % 2)], axes[k // 2, 2 * (k % 2) + 1]
        phase_portrait(TORUS, s.ell, phase, levels=5, most=potential(TORUS, s.ell, 0.5 * math.pi)[0] + 0.6)
        draw_level(phase, s)
        track_picture(TORUS, state(s), s.until, track)
        phase.set_title(f"{s.letter}  {s.title}", loc="left", fontsize=9)
    plane(axes[3, 2], axes[3, 3])
    for a in axes.flat:
        a.tick_params(labelsize=7)
        a.xaxis.label.set_size(8)
        a.yaxis.label.set_size(8)
    return fig


def draw_level(ax: Any, s: Specimen) -> None:
    """The specimen's own curve in phase space."""
    rests = [e for e in equilibria(TORUS, s.ell) if abs(e.theta - s.theta) < 1e-9 and abs(e.energy - s.energy) < 1e-12]
    if rests:
        ax.plot(math.degrees(s.theta), 0.0, "o", color="black", markersize=6)
        return
    if s.letter == "c":  # the loop on its own side of the saddle
        loop = separatrices(TORUS, s.ell)[0]
        low, high = loop.turn, loop.saddle.theta
    else:
        low, high = turning_points(TORUS, s.ell, s.energy, s.theta)
    theta = 0.5 * (low + high) - 0.5 * (high - low) * np.cos(np.linspace(0.0, math.pi, 801))
    gap = np.array([2.0 * (s.energy - potential(TORUS, s.ell, float(t))[0]) / mass_B(TORUS, float(t))[0] for t in theta])
    speed = np.sqrt(np.maximum(gap, 0.0))
    ax.plot(np.degrees(np.concatenate([theta, theta[::-1]])), np.concatenate([speed, -speed[::-1]]), color="black", linewidth=1.6)


def plane(left: Any, right: Any) -> None:
    """l = 0: planar rolling, until the torus falls flat; and the turn of the separatrix track against l."""
    start = np.array([math.radians(85.0), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    import warnings

    from ...motion.result.outcome import MotionWarning
    from ...motion.simulate import simulate

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MotionWarning)
        fall = simulate(TORUS, start, 20.0, rtol=1e-10)
    left.plot(fall.t, np.degrees(fall["theta"]), color=INK)
    left.set_title("h  l = 0: planar rolling, falls flat", loc="left", fontsize=9)
    left.set_xlabel("t [s]")
    left.set_ylabel(r"$\theta$ [deg]")
    ells = np.linspace(0.02, 0.98, 49)
    yaw = [abs(math.degrees(separatrices(TORUS, float(e))[0].yaw)) for e in ells]
    right.plot(ells, yaw, color=WARM)
    right.axhline(180.0, color="0.6", linewidth=0.6)
    right.set_title("turn of the track along the separatrix", loc="left", fontsize=9)
    right.set_xlabel(r"$\ell$")
    right.set_ylabel("yaw [deg]")
