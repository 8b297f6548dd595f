"""Pictures of a rubber body of revolution: its potential, phase portrait, (l, E) diagram with named regimes, and tracks."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...kernel.palette import INK, SKY, WARM
from ...motion.simulate import simulate
from .body import RubberBody, mass_B, potential, reduced_only
from .equilibria import critical_spins, equilibria
from .orbits import separatrices
from .regimes import diagram, regime_map, regime_name

SOFT = SKY
SHADES = ["#ffffff", "#dbe7f3", "#f6e2c8", "#d9ead3", "#ead1dc", "#fff2cc", "#d0e0e3"]


def new_axes(width: float = 6.0, height: float = 4.2) -> Any:
    """One pair of axes on a new figure."""
    from ...plotting import figure

    _, axes = figure(1, width=width, height=height)
    return axes[0, 0]


@reduced_only
def potential_curve(body: RubberBody, ell: float, ax: Any = None, most: float | None = None) -> Any:
    """V(theta) at a given l, with its steady rollings; returns the figure."""
    ax = ax or new_axes()
    theta = np.linspace(1e-3, math.pi - 1e-3, 4001)
    values = np.array([potential(body, ell, float(t))[0] for t in theta])
    rests = equilibria(body, ell)
    floor = min(e.energy for e in rests)
    top = most if most is not None else max(e.energy for e in rests) + 0.6 * (max(e.energy for e in rests) - floor or abs(floor))
    ax.plot(np.degrees(theta), values, color=INK)
    for e in rests:
        ax.plot(
            math.degrees(e.theta), e.energy, "o", color=INK if e.stable else WARM, markerfacecolor=INK if e.stable else "white"
        )
    ax.set_ylim(floor - 0.08 * (top - floor), top)
    ax.set_xlim(0, 180)
    ax.set_xlabel(r"$\theta$ [deg]")
    ax.set_ylabel("V [J]")
    return ax.figure


@reduced_only
def phase_portrait(body: RubberBody, ell: float, ax: Any = None, levels: int = 7, most: float | None = None) -> Any:
    """Curves of constant energy in the plane of theta and theta', the separatrices in orange; returns the figure."""
    ax = ax or new_axes()
    rests = equilibria(body, ell)
    floor, barrier = min(e.energy for e in rests), max(e.energy for e in rests)
    top = most if most is not None else (barrier + 1.5 * (barrier - floor) if barrier > floor else floor + 0.5 * abs(floor))
    theta = np.linspace(1e-3, math.pi - 1e-3, 1201)
    V = np.array([potential(body, ell, float(t))[0] for t in theta])
    B = np.array([mass_B(body, float(t))[0] for t in theta])
    fastest = math.sqrt(2.0 * max(top - floor, 1e-12) / B.min())
    rate = np.linspace(-fastest, fastest, 401)
    energy = 0.5 * B[None, :] * rate[:, None] ** 2 + V[None, :]
    shown = floor + (top - floor) * np.linspace(0.0, 1.0, levels + 1)[1:] ** 1.5
    ax.contour(np.degrees(theta), rate, energy, levels=np.unique(shown), colors=INK, linewidths=0.7, linestyles="solid")
    for loop in separatrices(body, ell):
        part = np.linspace(min(loop.turn, loop.saddle.theta), max(loop.turn, loop.saddle.theta), 600)
        speed = [
            math.sqrt(max(0.0, 2.0 * (loop.energy - potential(body, ell, float(t))[0]) / mass_B(body, float(t))[0])) for t in part
        ]
        for sign in (1.0, -1.0):
            ax.plot(np.degrees(part), sign * np.array(speed), color=WARM, linewidth=1.2)
    for e in rests:
        ax.plot(math.degrees(e.theta), 0.0, "o", markersize=4, color=INK if e.stable else WARM)
    ax.set_xlim(0, 180)
    ax.set_xlabel(r"$\theta$ [deg]")
    ax.set_ylabel(r"$\dot\theta$ [rad/s]")
    return ax.figure


@reduced_only
def energy_diagram(body: RubberBody, most_ell: float, most_energy: float, ax: Any = None, size: int = 300) -> Any:
    """The (l, E) diagram: curves of steady rolling (solid: stable, dashed: unstable) and the named regimes between them; returns the figure."""
    ax = ax or new_axes(7.0, 5.0)
    curves = diagram(body, most_ell)
    floor = min(float(e.min()) for e in curves.energy)
    low = floor - 0.08 * (most_energy - floor)
    ells, energies = np.linspace(most_ell / size, most_ell, size), np.linspace(low, most_energy, size)
    codes = regime_map(body, ells, energies)
    present = [int(c) for c in np.unique(codes)]
    index = np.searchsorted(present, codes)
    colours = [SHADES[min(k, len(SHADES) - 1)] for k in range(len(present))]
    from matplotlib.colors import ListedColormap

    edges = (0.0, most_ell, low, most_energy)
    ax.imshow(
        index.T, origin="lower", extent=edges, aspect="auto", cmap=ListedColormap(colours), vmin=-0.5, vmax=len(present) - 0.5,
        interpolation="nearest",
    )  # fmt: skip
    for spins, energy, stable in zip(curves.ell, curves.energy, curves.stable):
        for wanted, style, colour in ((True, "-", INK), (False, "--", WARM)):
            ax.plot(spins, np.where(stable == wanted, energy, np.nan), style, color=colour, linewidth=1.2)
    for ell, theta, kind in critical_spins(body):
        if ell <= most_ell:
            at = potential(body, ell, theta)[0]
            if at <= most_energy:
                ax.plot(ell, at, "s", color="black", markersize=4)
                ax.annotate(kind, (ell, at), xytext=(5, -12), textcoords="offset points", fontsize=8)
    for code in present:
        if np.count_nonzero(codes == code) > 0.004 * codes.size:
            label_regime(ax, codes == code, ells, energies, regime_name(code))
    ax.set_xlim(0.0, most_ell)
    ax.set_ylim(low, most_energy)
    ax.grid(False)
    ax.set_xlabel(r"$\ell$ [J$^{1/2}$]")
    ax.set_ylabel("E [J]")
    return ax.figure


def label_regime(ax: Any, region: np.ndarray, ells: np.ndarray, energies: np.ndarray, name: str) -> None:
    """Write the name of a regime into its region of the (l, E) plane where it fits; else beside it, with a line that leads there."""
    from scipy.ndimage import distance_transform_edt

    inner = distance_transform_edt(np.pad(region, 1))[1:-1, 1:-1]
    points = ax.get_window_extent().width * 72.0 / ax.figure.dpi
    needed = 4.2 * len(name) / points * ells.size
    best, at = 0.0, None
    for j in range(energies.size):
        ends = np.flatnonzero(np.diff(np.concatenate([[0], region[:, j], [0]]).astype(int)))
        for first, last in zip(ends[::2], ends[1::2]):
            middle = (first + last - 1) // 2
            if last - first >= needed and inner[middle, j] > best:
                best, at = inner[middle, j], (first, middle, j)
    if at is not None:
        first, middle, j = at
        tight = first == 0 and ells[middle] < 0.25 * ells[-1]
        ax.text(
            0.01 * ells[-1] if tight else ells[middle],
            energies[j],
            name,
            ha="left" if tight else "center",
            va="center",
            fontsize=8,
        )
        return
    deepest = np.unravel_index(int(inner.argmax()), inner.shape)
    below = (0.3 * ells[-1], energies[0] + 0.07 * (energies[-1] - energies[0]))  # where there is no motion
    line = {"arrowstyle": "-", "linewidth": 0.6, "shrinkA": 0.0, "shrinkB": 0.0}
    ax.annotate(name, (ells[deepest[0]], energies[deepest[1]]), xytext=below, fontsize=8, va="center", arrowprops=line)


@reduced_only
def track_picture(body: RubberBody, start: np.ndarray, until: float, ax: Any = None, colour: str = INK) -> Any:
    """The track of the contact point from a reduced state; returns the figure."""
    ax = ax or new_axes()
    motion = simulate(body, start, until, rtol=1e-10, at=np.linspace(0.0, until, 4001))
    ax.plot(motion["x"], motion["y"], color=colour, linewidth=0.9)
    ax.plot(motion["x"][0], motion["y"][0], "o", color=colour, markersize=3)
    ax.set_aspect("equal", adjustable="datalim")
    ax.set_xlabel("x [m]")
    ax.set_ylabel("y [m]")
    return ax.figure
