"""Koiller's Fig. 6 redrawn, and what the paper does not have: diagrams of five bodies, rubber beside marble, chaos, decay."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...archetypes.rubber import disk, routh_sphere, spheroid, torus
from ...archetypes.rubber.chaos import section_picture, sections
from ...archetypes.rubber.contrast import contrast, contrast_figure
from ...archetypes.rubber.dissipation import contact_speed, decay, nearly_flat
from ...archetypes.rubber.pictures import INK, WARM, energy_diagram, phase_portrait, potential_curve
from ...mechanics.body import Body
from ...mechanics.mass.primitives import solid_ellipsoid
from ...mechanics.rolling import rolling
from ...mechanics.shapes.convex import Ellipsoid
from .atlas import TORUS, atlas


def figure(*args: Any, **options: Any) -> tuple[Any, Any]:
    """A new figure (imported late: pictures are upstairs)."""
    from ...plotting import figure as new

    return new(*args, **options)


def fig6() -> Any:
    """The potential of the torus below and above the pitchfork."""
    fig, axes = figure(1, 2, width=10.0, height=4.0)
    for ax, ell, most in ((axes[0, 0], 0.1, 3.0), (axes[0, 1], 10.0, 400.0)):
        potential_curve(TORUS, ell, ax, most)
        ax.set_title(rf"Koiller, Fig. 6: $\ell$ = {ell:g} (m = g = R = 1; V with $mgr$ = 1/4)", loc="left", fontsize=10)
    return fig


def bodies() -> Any:
    """The (l, E) diagram and a phase portrait of five bodies, all from the same code."""
    cases = [
        ("disk, R = 1", disk(1.0, g=1.0), 1.6, 2.6, 0.5),
        ("oblate ellipsoid, 1 : 1 : 0.6", spheroid(1.0, 0.6, g=1.0), 1.6, 2.6, 0.4),
        ("the same, mass centre at 0.05", spheroid(1.0, 0.6, 0.05, g=1.0), 1.6, 2.6, 0.4),
        ("prolate ellipsoid, 0.6 : 0.6 : 1", spheroid(0.6, 1.0, g=1.0), 1.6, 2.6, 0.3),
        ("Routh sphere, R = 1, s = 0.3", routh_sphere(1.0, 0.3, g=1.0), 1.6, 2.6, 0.3),
    ]
    fig, axes = figure(5, 2, width=11.0, height=3.6)
    for row, (name, body, most_ell, most_energy, ell) in zip(axes, cases):
        energy_diagram(body, most_ell, most_energy, row[0])
        row[0].set_title(f"{name} (m = g = 1)", loc="left", fontsize=10)
        phase_portrait(body, ell, row[1])
        row[1].set_title(rf"phase portrait at $\ell$ = {ell:g}", loc="left", fontsize=10)
    return fig


def beside_marble() -> Any:
    """The same start as rubber and as marble."""
    return contrast_figure(contrast(TORUS, 1.0, 0.2, 0.9, until=20.0))


def chaos() -> Any:
    """Sections at fixed energy: a body of revolution, a triaxial one, an unbalanced one."""

    def ellipsoid(a: float, b: float, c: float, centre: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Any:
        return rolling(
            Body.from_inertia(1.0, solid_ellipsoid(1.0, a, b, c).inertia, Ellipsoid(a, b, c), centre), how="rubber", g=1.0
        )

    cases = [
        ("1 : 1 : 0.6, E = 1.2: of revolution, integrable", ellipsoid(1.0, 1.0, 0.6), 1.2),
        ("1 : 0.6 : 0.4, E = 1.1: triaxial", ellipsoid(1.0, 0.6, 0.4), 1.1),
        ("1 : 1 : 0.6, E = 1.2: mass centre off the axis by 0.1", ellipsoid(1.0, 1.0, 0.6, (0.1, 0.0, 0.0)), 1.2),
    ]
    fig, axes = figure(1, 3, width=15.0, height=4.6)
    for ax, (name, system, energy) in zip(axes[0], cases):
        orbits = sections(system, energy, np.radians(np.linspace(15.0, 165.0, 16)), returns=400, exponent_time=1000.0)
        section_picture(orbits, ax)
        most = max(o.exponent.value for o in orbits if o.exponent is not None)
        ax.set_title(f"{name}\nlargest Lyapunov exponent {most:.3f} 1/s", loc="left", fontsize=9)
    return fig


def decaying() -> Any:
    """A torus that falls flat under the couple -sigma omega: it never ends, and in the end rocks rather than rolls."""
    body = torus(1.0, 0.25, g=1.0, sigma=0.02)
    m = decay(body, 0.3, 400.0, points=80001)  # the nutation quickens to 20 Hz; fewer points would show beats that are not there
    limit = nearly_flat(body, 1e-3)
    fig, axes = figure(3, sharex=True, height=2.6, width=9.0)
    theta, speed = m["theta"], contact_speed(body, m)
    steady = np.arcsin((m["ell"] ** 2 / (body.m * body.g)) ** (1 / 3))
    axes[0, 0].semilogy(m.t, np.degrees(theta), color=INK, linewidth=0.7, label=r"$\theta$")
    axes[0, 0].semilogy(m.t, np.degrees(steady), color=WARM, linewidth=1.0, label=r"steady rolling at the same $\ell$")
    axes[0, 0].set_ylabel(r"$\theta$ [deg]")
    axes[0, 0].legend(frameon=False, fontsize=8)
    axes[1, 0].semilogy(m.t, speed, color=INK, linewidth=0.7)
    late = 0.25 * m.t[-1]
    line = np.interp(late, m.t, speed) * np.exp((m.t - late) / (3.0 * limit.tau))
    axes[1, 0].semilogy(m.t, line, color=WARM, linewidth=1.0, label=r"$\propto e^{t/3\tau}$")
    axes[1, 0].set_ylabel("contact speed [m/s]")
    axes[1, 0].legend(frameon=False, fontsize=8)
    swing = np.abs(theta / steady - 1.0)
    axes[2, 0].semilogy(m.t, np.maximum(swing, 1e-6), color=INK, linewidth=0.4)
    last = swing[m.t > 0.95 * m.t[-1]].max()
    axes[2, 0].semilogy(
        m.t, last * np.exp(limit.kappa * (m.t - m.t[-1])), color=WARM, linewidth=1.0, label=r"$\propto e^{\kappa t}$"
    )
    axes[2, 0].set_ylim(1e-4, 10.0)
    axes[2, 0].set_ylabel("nutation / theta")
    axes[2, 0].set_xlabel("t [s]")
    axes[2, 0].legend(frameon=False, fontsize=8)
    axes[0, 0].set_title(r"A damped rubber torus ($\sigma$ = 0.02, m = g = R = 1, r = 1/4)", loc="left", fontsize=10)
    return fig


FIGURES: dict[str, Callable[[], Any]] = {
    "fig6": fig6,
    "torus_atlas": atlas,
    "bodies": bodies,
    "beside_marble": beside_marble,
    "chaos": chaos,
    "decay": decaying,
}
