"""The figures of chapter 6 redrawn: Sun directions, the wheel's run-down, the sensitivity of the direct fit, EMD, touchdown, precession, crater rim."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...archetypes.lander.equations import state
from ...archetypes.lander.flight import fly
from ...archetypes.lander.lander import WHEEL_SPEED, Lander
from ...archetypes.lander.telemetry import numbers
from ...archetypes.lander.tracks import states_along
from ...archetypes.lander.tumbling import judge
from ...ensemble.grid_map import grid_map
from ...kernel.palette import AMBER
from .candidates import EXCHANGED_SUN, PRINTED_LINES, PRINTED_SUN, along, at_touchdown, printed_line
from .descent import PRINTED, angular_velocity, constant_speeds, descent_suns, fit_descent, turned
from .fit import count_test
from .pictures import COOL, GREEN, GREY, INK, WARM, new_figure, sky_figure, sun_figure
from .printed import crossing, slice_map
from .sun_track import sun_track

LINE_COLOURS = {"L1": INK, "L2": WARM, "L3": GREEN, "L4": AMBER}


def sun() -> Any:
    """Fig. 6.3: powers and directions over the day."""
    return sun_figure(sun_track())


def sky() -> Any:
    """Fig. 6.4: the directions by phase."""
    return sky_figure(sun_track())


def run_down() -> Any:
    """Fig. 6.5: the wheel after it was switched off, the fit of the in-flight test, and what the lander takes over."""
    c = numbers("flywheel")
    fig, axes = new_figure(1, 2, width=10.0, height=3.6)
    left, right = axes[0]
    t = np.linspace(0.0, 3000.0, 601)
    flight = fly(Lander(), state(PRINTED_SUN, (0.0, 0.0, 0.0), WHEEL_SPEED), 3000.0, at=t, progress=False)
    shift = np.log((WHEEL_SPEED - c["c3"]) / c["c1"]) / c["c2"]  # where the fitted curve passes 865 rad/s
    fitted = c["c1"] * np.exp(c["c2"] * (t + shift)) + c["c3"]
    stop = flight.events[0].t
    left.plot(t / 60.0, flight["omega_rot"], color=INK, label="simulated, (6.5)-(6.9)")
    left.plot(t / 60.0, fitted, "--", color=WARM, label=r"fit $c_1 e^{c_2 t} + c_3$ of the test")
    left.axvline(stop / 60.0, color=GREY, linewidth=0.8)
    left.annotate(f"stops at {stop / 60.0:.1f} min ", (stop / 60.0, 500.0), ha="right", fontsize=9)
    left.set_xlabel("t [min]")
    left.set_ylabel(r"$\omega_{rot}$ [rad/s]")
    left.legend(fontsize=9, frameon=False, loc="upper right")
    right.plot(t / 60.0, flight["omega_z"], color=INK)
    right.axvline(stop / 60.0, color=GREY, linewidth=0.8)
    right.set_xlabel("t [min]")
    right.set_ylabel(r"$\omega_z$ of a lander at rest before [rad/s]")
    right.set_title("the lander takes over the wheel's angular momentum", loc="left", fontsize=10)
    return fig


def sensitivity(count: int = 51) -> Any:
    """Fig. 6.6: E_DF over small ranges of the initial angular velocity, and of friction and inertia."""
    body = Lander()
    first = grid_map(
        lambda points, _: judge(body, np.column_stack([points, np.full(len(points), 0.3)]), s0=PRINTED_SUN)[:, 1:2],
        {"omega_x": np.linspace(0.55, 0.60, count), "omega_y": np.linspace(-0.33, -0.30, count)},
        ("edf",),
        progress=False,
    )
    other = lambda p: judge(body._replace(mu_0=p[0], xx=p[1]), [(0.55, -0.35, 0.3)], s0=PRINTED_SUN)[0, 1]
    second = grid_map(
        lambda points, _: np.array([[other(p)] for p in points]),
        {"mu_0": np.linspace(1.1e-3, 2.1e-3, count), "theta_xx": np.linspace(12.6, 13.9, count)},
        ("edf",),
        progress=False,
    )
    fig, axes = new_figure(1, 2, width=10.5, height=4.0)
    for ax, found, scale, labels in (
        (axes[0, 0], first, 1.0, (r"$\omega_x$ [rad/s]", r"$\omega_y$ [rad/s]")),
        (axes[0, 1], second, 1e3, (r"$\mu_0$ [$10^{-3}$ N m]", r"$\theta_{xx}$ [kg m$^2$]")),
    ):
        x, y = found["edf"].dims
        picture = ax.pcolormesh(
            scale * found[x],
            found[y],
            found["edf"].values.T,
            cmap="viridis",
            vmin=0.1,
            vmax=0.45,
            shading="nearest",
            rasterized=True,
        )
        ax.set_xlabel(labels[0])
        ax.set_ylabel(labels[1])
        ax.set_title(
            f"$E_{{DF}}$ from {float(found['edf'].min()):.2f} to {float(found['edf'].max()):.2f}", loc="left", fontsize=10
        )
        ax.grid(False)
    fig.colorbar(picture, ax=axes[0].tolist(), label="$E_{DF}$")
    return fig


def emd() -> Any:
    """The earth mover's distance in the plane omega_z = 0, with the printed lines, for the start as printed and exchanged."""
    fig, axes = new_figure(1, 2, width=10.5, height=5.0, sharey=True)
    for ax, exchanged in zip(axes[0], (False, True)):
        found = slice_map(exchanged).isel(omega_z=0)
        x, y = found.omega_x.values, found.omega_y.values
        picture = ax.pcolormesh(
            x, y, found.emd.values.T, cmap="viridis_r", vmin=0.03, vmax=0.15, shading="nearest", rasterized=True
        )
        ax.contour(x, y, count_test(found.seen.values).T, [0.05], colors="white", linewidths=1.2, linestyles="--")
        for name in PRINTED_LINES:
            point = crossing(name)
            ax.plot(*point[:2], "o", color=WARM, markersize=7, markeredgecolor="white")
            ax.annotate(
                name, point[:2] + np.array([0.04, 0.0]), fontsize=9, color=WARM, va="center",
                bbox={"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none", "alpha": 0.85},
            )  # fmt: skip
        sun = EXCHANGED_SUN if exchanged else PRINTED_SUN
        ax.set_title(
            f"start s = ({sun[0]:.3f}, {sun[1]:.3f}, {sun[2]:.3f}), {'exchanged' if exchanged else 'as printed'}",
            loc="left",
            fontsize=10,
        )
        ax.set_xlabel(r"$\omega_x$ [rad/s]")
        ax.set_aspect("equal")
        ax.grid(False)
    axes[0, 0].set_ylabel(r"$\omega_y$ [rad/s]")
    fig.colorbar(picture, ax=axes[0].tolist(), label="EMD", shrink=0.85)
    fig.suptitle(
        r"$\omega_z$ = 0; inside the dashed line the Sun can be found often enough for 18 of 23 rows (5 % level)", fontsize=10
    )
    return fig


def touchdown() -> Any:
    """Fig. 6.12: the angular velocities at TD1 that the printed lines lead back to, and their size."""
    fig, axes = new_figure(1, 2, width=10.5, height=4.2)
    plane, size = axes[0]
    for name in PRINTED_LINES:
        points = along(printed_line(name))
        back = at_touchdown(Lander(), points, PRINTED_SUN)[:, 4:7]
        speed = np.linalg.norm(back, axis=1)
        plane.plot(back[:, 0], back[:, 1], color=LINE_COLOURS[name], label=f"{name}'")
        plane.plot(*back[speed.argmin(), :2], "o", color=LINE_COLOURS[name], markersize=5)
        size.plot(points[:, 2], speed, color=LINE_COLOURS[name], label=f"{name}': least {speed.min():.3f}")
    plane.plot(0.0, 0.0, "+", color="black")
    plane.set_xlabel(r"$\omega_x$ at TD1 [rad/s]")
    plane.set_ylabel(r"$\omega_y$ at TD1 [rad/s]")
    plane.set_aspect("equal", adjustable="datalim")
    plane.legend(fontsize=9, frameon=False)
    size.axhline(0.18, color=GREY, linewidth=0.8, linestyle="--")
    size.annotate("0.18 rad/s ", (0.3, 0.18), ha="right", va="top", fontsize=9, color=GREY)
    size.set_ylim(0.0, None)
    size.set_xlabel(r"$\omega_z$ at row 214, along the line [rad/s]")
    size.set_ylabel(r"$|\omega|$ at TD1 [rad/s]")
    size.legend(fontsize=9, frameon=False, loc="upper left")
    return fig


def precession() -> Any:
    """Figs. 6.13 and 6.14: the angle between omega and the z axis over time, and the amplitude (6.22) along the lines."""
    fig, axes = new_figure(1, 2, width=10.5, height=3.9)
    angle, amplitude = axes[0]
    for name in PRINTED_LINES:
        points = along(printed_line(name), 61)
        middle = points[np.abs(points[:, 2] - 0.1).argmin()]
        states = states_along(Lander(), state(PRINTED_SUN, middle), 1.0, 2700)
        w = states[:, 4:7]
        angle.plot(
            np.arange(2701) / 60.0,
            np.degrees(np.arccos(w[:, 2] / np.linalg.norm(w, axis=1))),
            color=LINE_COLOURS[name],
            linewidth=0.6,
            label=name,
        )
        amplitude.plot(points[:, 2], judge(Lander(), points, s0=PRINTED_SUN)[:, 3], color=LINE_COLOURS[name], label=name)
    angle.set_xlabel("t after row 214 [min]")
    angle.set_ylabel(r"angle between $\omega$ and the z axis [deg]")
    angle.set_ylim(0.0, None)
    angle.set_title(
        r"one start on each line, $\omega_z \approx$ 0.1 rad/s (L1 and L2, L3 and L4 coincide)", loc="left", fontsize=10
    )
    angle.legend(fontsize=9, frameon=False, ncol=4, loc="lower left")
    amplitude.axhline(0.5, color=GREY, linewidth=0.8, linestyle="--")
    amplitude.set_ylim(0.0, 1.0)
    amplitude.set_xlabel(r"$\omega_z$ at row 214, along the line [rad/s]")
    amplitude.set_ylabel(r"amplitude $\vartheta$ of the z axis (6.22)")
    amplitude.legend(fontsize=9, frameon=False)
    return fig


def descent() -> Any:
    """Fig. 6.11 in another form: the angular velocity of the descent by three ways, and what is left of the Sun's azimuth."""
    t, s = descent_suns()
    fine = np.linspace(0.0, t[-1], 400)
    cubic = fit_descent(3)
    windows = constant_speeds()
    fig, axes = new_figure(1, 2, width=10.5, height=3.9)
    speed, rest = axes[0]
    speed.plot(windows[:, 0] / 3600.0, windows[:, 1], "o", color=INK, markersize=5, label="windows of one hour")
    speed.plot(fine / 3600.0, angular_velocity(cubic.coefficients, fine), color=INK, label="cubic fitted here")
    speed.plot(fine / 3600.0, angular_velocity(PRINTED, fine), "--", color=WARM, label=r"printed, read as $\omega(t)$")
    speed.plot(fine / 3600.0, angular_velocity(PRINTED, fine, mean=True), color=WARM, label=r"printed, read as $\Phi(t)/t$")
    speed.set_xlabel("t after row 13 [h]")
    speed.set_ylabel(r"$\omega$ [rad/s]")
    speed.legend(fontsize=8, frameon=False, loc="lower left")
    azimuth, start = np.arctan2(s[:, 1], s[:, 0]), np.arctan2(s[0, 1], s[0, 0])
    for mean, colour, label in ((False, "#e8b4b2", r"printed as $\omega(t)$"), (True, WARM, r"printed as $\Phi(t)/t$")):
        left = np.angle(np.exp(1j * (azimuth - start + turned(PRINTED, t, mean))))
        rest.plot(t / 3600.0, np.degrees(left), ".", color=colour, markersize=4, label=label)
    rest.plot(t / 3600.0, np.degrees(cubic.residual), ".", color=COOL, markersize=5, label="cubic fitted here")
    rest.set_xlabel("t after row 13 [h]")
    rest.set_ylabel("azimuth of the Sun, measured minus fit [deg]")
    rest.set_ylim(-185.0, 185.0)
    rest.legend(fontsize=8, frameon=False, loc="upper left")
    return fig


def crater() -> Any:
    """Fig. 6.15: histograms of s_z after the crater rim."""
    from .rotation import crater_study

    return crater_study().plot()


FIGURES: dict[str, Callable[[], Any]] = {
    "philae_sun": sun,
    "philae_sky": sky,
    "philae_run_down": run_down,
    "philae_sensitivity": sensitivity,
    "philae_descent": descent,
    "philae_emd": emd,
    "philae_touchdown": touchdown,
    "philae_precession": precession,
    "philae_crater": crater,
}
