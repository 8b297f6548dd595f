"""Figures 1.4-1.10 of the thesis, as far as formulas draw them; the data points of Fig. 1.9 are not available. Displacements are
exaggerated where a title says so.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...archetypes.wheelset.contact import solve
from ...archetypes.wheelset.formulas import beta_of, linear_frequencies, small_conicity
from ...archetypes.wheelset.geometry import simple
from ...archetypes.wheelset.period import linear_omega, periods
from ...archetypes.wheelset.profiles_analytic import arc, cone
from ...archetypes.wheelset.series import coefficients
from ...kernel.palette import INK, WARM
from .kinematics_routes import R_R, R_W, SLOPE, B, H, R, V, changing_curvature, constant_curvature


def figure(*args: Any, **options: Any) -> tuple[Any, Any]:
    """A new figure (imported late: pictures are upstairs)."""
    from ...plotting import figure as new

    return new(*args, **options)


def titled(ax: Any, text: str, x: str, y: str) -> None:
    """Labels of an axis."""
    ax.set_title(text, loc="left", fontsize=10)
    ax.set_xlabel(x)
    ax.set_ylabel(y)


def fig1_4() -> Any:
    """Figs. 1.4 and 1.5: the displaced wheelset from behind and from above, and its central position; a wheelset steep enough to
    be seen.
    """
    g = simple(0.3, 1.2, 0.25, B, R)
    c = solve(g, 0.03, 0.12)
    fig, axes = figure(1, 3, width=15.0, height=3.6)
    u = np.linspace(-0.055, 0.055, 200)
    for ax, theta, y, z, title in (
        (axes[0, 0], 0.0, 0.0, 0.0, "Fig. 1.5: central position, h = 0.3"),
        (axes[0, 1], float(c.theta[0]), 0.03, float(c.z[0]), f"Fig. 1.4: y = 30 mm, psi = 0.12; roll {float(c.theta[0]):.3f}"),
    ):
        turn = np.array([[math.cos(theta), -math.sin(theta)], [math.sin(theta), math.cos(theta)]])
        for s in (1.0, -1.0):
            ax.plot(s * (g.b + u), -g.r + g.rail.height(u), color=WARM)
            x, low = turn @ np.stack([s * (g.b + u), g.wheel.height(u) - g.r])
            ax.plot(x + y, low + z, color=INK)
        ax.plot(*(turn @ np.array([[-g.b - 0.1, g.b + 0.1], [0.0, 0.0]]) + np.array([[y], [z]])), color=INK, linewidth=0.8)
        ax.plot(y, z, "k+")
        ax.set_ylim(-0.46, 0.06)
        ax.invert_xaxis()
        titled(ax, title, "left   [m]   right", "[m]")
    for side, name in ((c.left, "P+"), (c.right, "P-")):
        axes[0, 1].plot(0.03 + side.Y, c.z + side.Z, "ko", markersize=4)
        axes[0, 2].plot(0.03 + side.Y, side.W, "ko", markersize=4)
        axes[0, 2].annotate(f" {name}", (0.03 + float(side.Y[0]), float(side.W[0])), fontsize=9)
    ax = axes[0, 2]
    ax.plot([0.03 - 0.8 * math.cos(0.12), 0.03 + 0.8 * math.cos(0.12)], [0.8 * math.sin(0.12), -0.8 * math.sin(0.12)], color=INK)
    ax.axvline(0.0, color="0.6", linestyle=":")
    for s in (1.0, -1.0):
        ax.axvline(s * g.b, color=WARM, linewidth=0.8)
    ax.invert_xaxis()
    titled(ax, "from above: axle, rails, contact points", "left   [m]   right", "along the track [m]")
    return fig


def fig1_6() -> Any:
    """Figs. 1.6 and 1.7: orbits are symmetric about both axes, and the transformation (1.36) makes circles of them."""
    g = changing_curvature()
    c = coefficients(g)
    kappa = math.sqrt(-c.b10 / c.a01)
    fig, axes = figure(1, 3, width=15.0, height=4.0)
    for amplitude in (0.7e-3, 1.4e-3, 2.1e-3):
        quarter = orbit(g, amplitude, kappa)
        y, psi = (np.concatenate([k * quarter[i] for k in signs]) for i, signs in ((0, (1, -1, -1, 1)), (1, (1, 1, -1, -1))))
        order = np.argsort(np.arctan2(psi, kappa * y))
        axes[0, 0].plot(1e3 * y[order], 1e3 * psi[order])
        axes[0, 1].plot(1e3 * y[order], 1e3 * psi[order] / kappa)
        radius, angle = np.hypot(y, psi / kappa), np.arctan2(psi / kappa, y)
        axes[0, 2].plot(angle[order], 1e3 * radius[order], label=f"{1e3 * amplitude:.1f} mm")
    titled(axes[0, 0], "Figs. 1.6, 1.7: exact orbits of K3, symmetric about both axes", "y [mm]", "psi [mrad]")
    titled(axes[0, 1], "scaled with a01/omega_L: small ones are circles", "y [mm]", "psi a01/omega_L [mm]")
    titled(axes[0, 2], "polar: rho is constant to third order only", "angle [rad]", "rho [mm]")
    axes[0, 2].legend(fontsize=8)
    return fig


def orbit(g: Any, amplitude: float, kappa: float) -> np.ndarray:
    """A quarter of an exact orbit (y, psi)."""
    from scipy.integrate import solve_ivp

    from ...archetypes.wheelset.contact import rolling_rates

    def rate(s: float, x: np.ndarray) -> list[float]:
        f = rolling_rates(solve(g, x[0], x[1]))
        return [float(f.y[0]), float(f.psi[0])]

    def middle(s: float, x: np.ndarray) -> float:
        return float(x[0])

    middle.terminal = True  # type: ignore[attr-defined]
    made = solve_ivp(rate, (0.0, 10.0), [amplitude, 0.0], events=middle, rtol=1e-6, atol=1e-10, max_step=0.1)
    return made.y


def fig1_8() -> Any:
    """Fig. 1.8: wavelength against amplitude, exact and the parabola (1.44), for both signs of beta."""
    fig, axes = figure(1, 2, width=11.0, height=4.0)
    for ax, g, top in ((axes[0, 0], changing_curvature(), 2.1e-3), (axes[0, 1], constant_curvature(), 12e-3)):
        beta = beta_of(coefficients(g))
        made = periods(g, np.linspace(0.05, 1.0, 25) * top)
        small = 2.0 * math.pi / linear_omega(g)
        ax.plot(made.wavelength, 1e3 * made.amplitude, label="exact")
        ax.plot(small * (1.0 - beta * made.amplitude**2), 1e3 * made.amplitude, "k--", label="parabola (1.44)")
        ax.ticklabel_format(axis="x", useOffset=False)
        ax.legend(fontsize=8)
        titled(ax, f"Antali, Fig. 1.8: beta = {1e-6 * beta:.3g} 1/mm^2", "wavelength [m]", "amplitude [mm]")
    return fig


def fig1_9() -> Any:
    """Fig. 1.9: the fitted parabolas; the points of Schwab and Meijaard are not available (K6)."""
    fig, axes = figure(1, 2, width=11.0, height=3.6)
    for ax, beta, top in ((axes[0, 0], 0.12, 1.6), (axes[0, 1], 0.0021, 12.0)):
        y = np.linspace(0.0, top, 100)
        ax.plot(y, 1.0 - beta * y * y, "k--")
        titled(
            ax,
            f"Antali, Fig. 1.9: (1.44), beta = {beta} 1/mm^2; without its data",
            "amplitude [mm]",
            "wavelength over that of small ones",
        )
    return fig


def fig1_10() -> Any:
    """Fig. 1.10: the profiles of Example 1.2 (inferred data) and its tables."""
    fig, axes = figure(1, 2, width=13.0, height=4.4)
    ax = axes[0, 0]
    u = np.linspace(-0.010, 0.025, 400)
    for profile, style, name in (
        (arc(H, R_W, SLOPE), "C0-", "wheel, R_w + 30 U"), (arc(H, R_W), "C0--", "wheel, R_w constant"), (cone(H), "C0:", "wheel, conical"), (arc(H, R_R), "C1-", "rail"),
    ):  # fmt: skip
        ax.plot(1e3 * u, 1e3 * profile.height(u), style, label=name)
    ax.legend(fontsize=8)
    titled(ax, "Antali, Fig. 1.10: profiles of Example 1.2 (data inferred)", "U [mm]", "height [mm]")
    f = linear_frequencies(H, B, R, R_W, R_R, V)
    flat, steep = small_conicity(H, R, R_W, R_R), small_conicity(H, R, R_W, R_R, SLOPE)
    exact = [1e-6 * beta_of(coefficients(g)) for g in (constant_curvature(), changing_curvature())]
    rows = [
        ("Klingel (1.7)", f"{f.klingel:.5f} 1/s", ""), ("Heumann (1.8)", f"{f.heumann:.5f} 1/s", ""), ("Meijaard (1.10)", f"{f.meijaard:.5f} 1/s", "printed 30.15"),
        ("beta (1.62)", f"{1e-6 * flat.curvature:.4g} 1/mm^2", "printed -2.0e-6"), ("  exactly", f"{exact[0]:.5g} 1/mm^2", ""),
        ("beta (1.64)", f"{1e-6 * steep.gradient:.4g} 1/mm^2", "printed 2.4e-3"), ("  (1.61), 4 terms", f"{1e-6 * steep.corrected:.4g} 1/mm^2", ""), ("  exactly", f"{exact[1]:.4g} 1/mm^2", ""),
    ]  # fmt: skip
    axes[0, 1].axis("off")
    axes[0, 1].table(cellText=rows, loc="center", cellLoc="left", edges="horizontal").scale(1.0, 1.6)
    return fig


def s1002_uic60() -> Any:
    """Beyond the thesis: contact, rolling-radius difference and conicity of S1002 on UIC 60, inclined 1:40."""
    from ...archetypes.wheelset.conicity import RadiusDifference, conicity
    from ...archetypes.wheelset.pictures import conicity_picture
    from ...archetypes.wheelset.track import on_track

    g = on_track()
    delta = RadiusDifference(g, 0.008)
    return conicity_picture(g, delta, conicity(delta, np.linspace(5e-5, 0.008, 160)))


KINEMATICS_FIGURES = {
    "fig1_4": fig1_4,
    "fig1_6": fig1_6,
    "fig1_8": fig1_8,
    "fig1_9": fig1_9,
    "fig1_10": fig1_10,
    "s1002_uic60": s1002_uic60,
}
