"""Pictures of energies, climbs, other friction and toys."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....kernel.palette import GREEN, INK, WARM
from ..specimens import Disk
from . import climb, more_friction, toy
from . import rolling_integrals as rolling
from .full_manifold import full_manifold, reduced_slip, rolling_states
from .heteroclinic import speed_unit
from .linear import G, critical_speed


def _saved(fig: Any, path: Any) -> Any:
    from ....plotting import finished

    return finished(fig, path)


def _figure(*args: Any, **options: Any) -> Any:
    from ....plotting import figure

    return figure(*args, **options)


def plot_energy(disk: Disk, g: float = G, path: Any = None, name: str = "") -> Any:
    """Cycles with the spin and with the energy held, and climbs of launches in the plane of height and energy."""
    fig, axes = _figure(1, 2, width=11.0, height=4.2)
    left, right = axes[0]
    Gamma, unit = np.linspace(1e-3, math.pi, 160), speed_unit(disk, g)
    for hold, colour, words in (("spin", INK, "spin held: Omega"), ("energy", WARM, "energy held: spin with S below")):
        left.plot(unit * rolling.speed(disk.kappa, disk.zeta, Gamma, hold), np.degrees(Gamma), color=colour, label=words)
    above = unit * rolling.speed_above(disk.kappa, disk.zeta, rolling.energy(disk.kappa, disk.zeta, Gamma))
    left.plot(above, np.degrees(Gamma), "--", color=WARM, label="energy held: spin with S above")
    left.set_xlabel("spin [rad/s]")
    left.set_ylabel("amplitude of gamma [deg]")
    left.legend(frameon=False, fontsize=8)
    weight = disk.m * g * disk.r
    height = 1e3 * disk.r * (1.0 + disk.kappa * np.cos(Gamma))
    right.plot(height, weight * rolling.energy(disk.kappa, disk.zeta, Gamma), color="black", label="cycles: the climb ends")
    need = climb.launch_speed(disk, g)
    for k, Omega in enumerate(need * np.array([0.85, 0.92, 0.97, 1.0, 1.05, 1.12])):
        made = climb.climb(disk, float(Omega), g)
        right.plot(
            1e3 * made.height,
            made.energy,
            color=GREEN if made.inverts else WARM,
            linewidth=1.0,
            label={0: "launches that end on a cycle", 4: "launches that come to the top"}.get(k),
        )
        right.annotate(
            f"{Omega:.1f}", (1e3 * made.height[0], made.energy[0]), fontsize=7.5, xytext=(-24, -3), textcoords="offset points"
        )
    right.axhline(float(climb.spin_energy(disk, critical_speed(disk, g), True, g)), color="0.7", linewidth=0.7)
    right.set_xlim(1e3 * (disk.r - 1.25 * disk.e), 1e3 * (disk.r + 1.05 * disk.e))
    right.set_xlabel("height of S [mm]")
    right.set_ylabel("energy [J]")
    right.legend(frameon=False, fontsize=8, loc="lower right")
    fig.suptitle(f"{name or 'tippedisk'}: launch spins in rad/s; from {need:.2f} on (green) it comes to the top", fontsize=10)
    return _saved(fig, path)


def plot_friction(
    disk: Disk, g: float = G, path: Any = None, name: str = "", mu: float = 0.3, eps: float = 0.1, drive: str = "spin"
) -> Any:
    """Omega_c over contour and pivoting friction beside sliding friction mu, eps, and over the radius of contact of Contensou's law; curves end where there is none.

    drive: what holds the spin in the full model; Model 1.2 has it held.
    """
    law = more_friction.Resistance(mu, eps)
    fig, axes = _figure(1, 3, width=12.0, height=4.0)
    a, b, c = axes[0]
    mu_R, mu_tau = np.linspace(0.0, 3e-3, 13), np.linspace(0.0, 0.3, 13)
    drives = {"full": drive, "1.2": "spin" if drive == "none" else drive}
    for model, colour in (("full", INK), ("1.2", WARM)):
        chosen: dict[str, Any] = {"g": g, "model": model, "drive": drives[model]}
        a.plot(
            1e3 * mu_R,
            more_friction.critical_chart(disk, mu_R, [0.0], law, **chosen)[:, 0],
            color=colour,
            label=f"model {model}",
        )
        b.plot(mu_tau, more_friction.critical_chart(disk, [0.0], mu_tau, law, **chosen)[0], color=colour)
    for ax in (a, b, c):
        ax.axhline(critical_speed(disk, g), color="0.6", linewidth=0.8, linestyle="--", label="Model 1.4: all the same")
    a.legend(frameon=False, fontsize=8)
    a.set_xlabel("contour friction mu_R [1e-3], eps_R = 10 mm/s")
    b.set_xlabel("pivoting friction mu_tau, radius 2.9 mm")
    radius = np.linspace(1e-4, 5e-3, 13)
    for strength, style in ((mu / 3.0, ":"), (mu, "-")):
        for model, colour in (("full", INK), ("1.2", WARM)):
            values = more_friction.contensou_chart(disk, [strength], radius, g, model, drive=drives[model])[0]
            c.plot(1e3 * radius, values, style, color=colour, label=f"mu = {strength:g}, {model}")
    c.legend(frameon=False, fontsize=7.5)
    c.set_xlabel("Contensou: radius of contact [mm]")
    a.set_ylabel("Omega_c [rad/s]")
    fig.suptitle(
        f"{name or 'tippedisk'}: critical speed of the inversion pair; mu = {mu:g}, eps = {eps:g} m/s (left, middle); drive: {drive}",
        fontsize=10,
    )
    return _saved(fig, path)


def plot_manifold(disk: Disk, Omega: float = 31.0, mu: float = 0.3, g: float = G, path: Any = None) -> Any:
    """Slip over eps along an orbit of rolling: both components of the full model, the lateral one of Model 1.4."""
    fig, axes = _figure(1, 1, width=8.0, height=4.0)
    ax, count = axes[0, 0], 181
    gamma = 0.5 * math.pi + 2.4 * np.cos(np.linspace(0.02, math.pi - 0.02, count))
    c = 1.0 + disk.kappa * math.cos(2.4)
    beta = math.pi - np.arcsin(np.clip(c / (1.0 + disk.kappa * np.sin(gamma)), -1.0, 1.0))
    slip = full_manifold(disk, 1, mu, g).terms(rolling_states(disk, beta, gamma, Omega))[1]
    ax.plot(np.degrees(gamma), slip[1], color=INK, label="full model, across the rim")
    ax.plot(np.degrees(gamma), slip[0], color=GREEN, label="full model, along the rim")
    ax.plot(np.degrees(gamma), reduced_slip(disk, beta, gamma, Omega, mu, g), "--", color=WARM, label="Model 1.4, across the rim")
    ax.set_xlabel("gamma [deg], on an orbit of rolling with the amplitude 2.4 rad")
    ax.set_ylabel("slip/eps on the slow manifold")
    ax.legend(frameon=False, fontsize=8)
    return _saved(fig, path)


def plot_toys(kappa: float = 1.0 / 18.0, r: float = 0.045, best: Any = None, g: float = G, path: Any = None) -> Any:
    """Launch spin over hole and thickness (open hole), and over the filling."""
    fig, axes = _figure(1, 2, width=11.0, height=4.2)
    left, right = axes[0]
    hole, thick = np.linspace(0.32, 0.6, 12), np.linspace(0.05, 0.3, 9)
    spin = np.array([[toy.launch_of(toy.ToyLaunch(a, h, 0.0, kappa, r, g)) for h in thick] for a in hole])
    lines = left.contour(hole, thick, spin.T, levels=12, cmap="viridis")
    left.clabel(lines, fontsize=8)
    left.plot(1.0 / 3.0, 2.0 / 9.0, "o", color=INK)
    left.annotate("V1", (1.0 / 3.0, 2.0 / 9.0), fontsize=8, xytext=(5, 3), textcoords="offset points")
    if best is not None:
        left.plot(best["hole"], best["thickness"], "s", color=WARM, clip_on=False)
    left.set_xlabel("radius of the hole over r")
    left.set_ylabel("thickness over r")
    fill = np.linspace(0.0, 0.2, 9)
    for a in (0.4, 0.5, 0.6):
        right.plot(fill, [toy.launch_of(toy.ToyLaunch(a, 2.0 / 9.0, f, kappa, r, g)) for f in fill], label=f"hole {a:g} r")
    right.set_xlabel("density of the filling over that of the disk")
    right.set_ylabel("launch spin [rad/s]")
    right.legend(frameon=False, fontsize=8)
    fig.suptitle(f"Smallest spin of a launch, r = {1e3 * r:g} mm, e/r = {kappa:.4g}", fontsize=10)
    return _saved(fig, path)
