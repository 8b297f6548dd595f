"""Pictures of tracks, of what was identified from them (as Sailer's Figures 7.6 and 7.7), and of laws compared."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from ...kernel.palette import GREEN, INK, WARM
from .attitudes import unwrapped
from .smooth import smooth

POINT, GREY = WARM, "0.55"
ANGLES = ("alpha", "beta", "gamma")


def _angles(R: np.ndarray) -> np.ndarray:
    beta = np.arctan2(np.hypot(R[:, 2, 0], R[:, 2, 1]), R[:, 2, 2])
    return np.stack([unwrapped(np.arctan2(R[:, 0, 2], -R[:, 1, 2])), beta, unwrapped(np.arctan2(R[:, 2, 0], R[:, 2, 1]))], axis=1)


def _label(ax: Any, track: Any) -> None:
    if track.synthetic:
        ax.text(0.99, 0.02, "synthetic data", transform=ax.transAxes, ha="right", va="bottom", fontsize=8, color=POINT)


def _alpha_rate(R: np.ndarray, spin: np.ndarray) -> np.ndarray:
    """alpha' = (R31 w1 + R32 w2)/sin^2 beta."""
    s2 = R[:, 2, 0] ** 2 + R[:, 2, 1] ** 2
    return (R[:, 2, 0] * spin[:, 0] + R[:, 2, 1] * spin[:, 1]) / np.where(s2 > 1e-6, s2, np.nan)


def plot_track(track: Any, path: Any = None) -> Any:
    """Euler angles, spin speed, height and place of a `Track`."""
    from ...plotting import figure, finished

    fig, axes = figure(3, 2, width=10.0, height=2.2)
    a = np.degrees(track.angles)
    for k, ax in enumerate((axes[0, 0], axes[0, 1], axes[1, 0])):
        ax.plot(track.t, a[:, k], ".", color=POINT, markersize=2)
        ax.set_ylabel(f"{ANGLES[k]} [deg]")
    local = smooth(track, np.linspace(track.t[0], track.t[-1], 400))
    axes[1, 1].plot(local.t, _alpha_rate(local.attitude, local.spin), color=INK, linewidth=1.0)
    axes[1, 1].set_ylabel("alpha' [rad/s], smooth")
    axes[2, 0].plot(track.t, 1e3 * track.position[:, 2], ".", color=POINT, markersize=2)
    axes[2, 0].set_ylabel("z [mm]")
    axes[2, 1].plot(1e3 * track.position[:, 0], 1e3 * track.position[:, 1], ".", color=POINT, markersize=2)
    axes[2, 1].set_xlabel("x [mm]")
    axes[2, 1].set_ylabel("y [mm]")
    axes[2, 1].set_aspect("equal", "datalim")
    for ax in (axes[0, 0], axes[0, 1], axes[1, 0], axes[1, 1], axes[2, 0]):
        ax.set_xlabel("t [s]")
    axes[0, 0].set_title(track.name, loc="left", fontsize=10)
    _label(axes[0, 1], track)
    return finished(fig, path)


def plot_identified(fit: Any, path: Any = None) -> Any:
    """Spin speed, inclination, rolling angle and their portrait, measured and fitted; below, what is left, in units of sigma."""
    from ...plotting import figure, finished

    fig, axes = figure(4, 2, width=10.0, height=2.3)
    track = fit.frames
    t, _, R = fit.poses()
    model, seen = np.degrees(_angles(R)), np.degrees(track.angles)
    times = np.linspace(track.t[0], track.t[-1], 500)
    local = smooth(track, times)
    axes[0, 0].plot(times, _alpha_rate(local.attitude, local.spin), color=POINT, linewidth=0.9, label="data, smooth")
    alpha = np.radians(model[:, 0])
    for begin, end in _stretches(t, fit.shooting.windows):
        axes[0, 0].plot(
            t[begin:end],
            np.gradient(alpha[begin:end], t[begin:end]),
            color=INK,
            linewidth=1.2,
            label="model" if begin == 0 else None,
        )
    axes[0, 0].set_ylabel("alpha' [rad/s]")
    axes[0, 0].legend(frameon=False, fontsize=8)
    for k, ax in ((1, axes[0, 1]), (2, axes[1, 0])):
        turn = 360.0 * np.round(np.median(seen[:, k] - model[:, k]) / 360.0)
        ax.plot(track.t, seen[:, k] - turn, ".", color=POINT, markersize=2, label="data")
        ax.plot(t, model[:, k], color=INK, linewidth=1.2, label="model")
        ax.set_ylabel(f"{ANGLES[k]} [deg]")
        ax.legend(frameon=False, fontsize=8)
    turn = 360.0 * np.round(np.median(seen[:, 2] - model[:, 2]) / 360.0)
    axes[1, 1].plot(seen[:, 1], seen[:, 2] - turn, ".", color=POINT, markersize=2)
    axes[1, 1].plot(model[:, 1], model[:, 2], color=INK, linewidth=1.2)
    axes[1, 1].plot(model[:1, 1], model[:1, 2], "x", color="black")
    axes[1, 1].set_xlabel("beta [deg]")
    axes[1, 1].set_ylabel("gamma [deg]")
    _label(axes[1, 1], fit.track)
    _residuals(axes[2, 0], t, fit, [k for k, n in enumerate(fit.components) if n.startswith("turn")], "turn/sigma")
    places = [k for k, n in enumerate(fit.components) if not n.startswith("turn")]
    if places:
        _residuals(axes[2, 1], t, fit, places, "place/sigma")
    else:
        axes[2, 1].set_axis_off()
    _bell(axes[3, 0], fit.residuals.ravel())
    _follow(axes[3, 1], fit)
    for ax in (axes[0, 0], axes[0, 1], axes[1, 0], axes[2, 0], axes[2, 1]):
        ax.set_xlabel("t [s]")
    axes[0, 0].set_title(f"{fit.title} and {fit.track.name}", loc="left", fontsize=10)
    return finished(fig, path)


def _stretches(t: np.ndarray, windows: Any) -> list[tuple[int, int]]:
    edges = np.cumsum([0, *(w.track.t.size for w in windows)])
    return [(int(a), int(b)) for a, b in pairwise(edges) if b - a > 2]


def _residuals(ax: Any, t: np.ndarray, fit: Any, which: list[int], label: str) -> None:
    for shade, k in zip((INK, WARM, GREEN), which):
        ax.plot(t, fit.residuals[:, k], ".", markersize=2, color=shade, label=fit.components[k])
    ax.axhline(0.0, color="0.3", linewidth=0.8)
    ax.set_ylabel(label)
    ax.legend(frameon=False, fontsize=7, ncols=3, loc="upper right")


def _bell(ax: Any, r: np.ndarray) -> None:
    """The distribution of all residuals beside that of noise."""
    edge = max(4.0, float(np.quantile(np.abs(r), 0.999)))
    ax.hist(r, bins=60, range=(-edge, edge), density=True, color="0.8")
    x = np.linspace(-edge, edge, 200)
    ax.plot(x, np.exp(-0.5 * x * x) / np.sqrt(2.0 * np.pi), color=INK, linewidth=1.2)
    ax.set_xlabel("residual/sigma")
    ax.set_ylabel("density")


def _follow(ax: Any, fit: Any) -> None:
    """How residuals are correlated with later ones: noise stays inside the band."""
    lags = np.arange(1, 31)
    for shade, (k, name) in zip((INK, WARM, GREEN, "0.3", "0.5", "0.7"), enumerate(fit.components)):
        r = fit.residuals[:, k]
        ax.plot(lags, [r[m:] @ r[:-m] / (r @ r) for m in lags], color=shade, linewidth=0.8, label=name)
    band = 2.0 / np.sqrt(len(fit.residuals))
    ax.axhspan(-band, band, color="0.92", zorder=0)
    ax.set_xlabel("frames later")
    ax.set_ylabel("correlation")
    ax.legend(frameon=False, fontsize=7, ncols=3)


def plot_comparison(comparison: Any, path: Any = None) -> Any:
    """What each law leaves of the attitudes, over time."""
    from ...plotting import figure, finished

    fig, axes = figure(len(comparison.rows), 1, width=8.0, height=1.9, sharex=True, sharey=True)
    for ax, row in zip(axes[:, 0], comparison.rows):
        fit = comparison.fits[row.name]
        t = np.concatenate([w.track.t for w in fit.shooting.windows])
        _residuals(ax, t, fit, [k for k, n in enumerate(fit.components) if n.startswith("turn")], "turn/sigma")
        ax.set_title(f"{row.name}: AIC + {row.aic - comparison.rows[0].aic:.1f}", loc="left", fontsize=9)
    axes[-1, 0].set_xlabel("t [s]")
    _label(axes[0, 0], next(iter(comparison.fits.values())).track)
    return finished(fig, path)
