"""Pictures of the flowmeter: bifurcation diagrams (Figures 4.5-4.7), the chart of (v_f, mu) (4.9), characteristics (4.10), calibration curves."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.palette import GREEN, INK, PLUM, WARM
from .bifurcations import bifurcations, chart_case, hysteresis
from .calibration import Calibration
from .characteristic import Characteristic
from .stationary import Stationary, branch, folds, slipping, stationary_states
from .system import FlowMeter
from .thresholds import thresholds

COLOURS = {"RR": INK, "SS": WARM, "SR": GREEN}


def figure(*args: Any, **options: Any) -> tuple[Any, Any]:
    """A new figure (imported late: pictures are upstairs)."""
    from ...plotting import figure as new

    return new(*args, **options)


def diagram_range(meter: FlowMeter) -> float:
    """A swirl beyond all changes."""
    return 1.25 * max(b.v_f for b in bifurcations(meter))


def pieces(states: list[Stationary]) -> list[list[Stationary]]:
    """A branch cut where its stability changes."""
    found: list[list[Stationary]] = []
    for s in states:
        if found and found[-1][-1].stability == s.stability:
            found[-1].append(s)
        else:
            if found:
                found[-1].append(s)
            found.append([s])
    return found


def unstable(piece: list[Stationary]) -> bool:
    """Whether a piece of a branch is."""
    return piece[len(piece) // 2].stability == "unstable"


def branches(ax: Any, meter: FlowMeter, high: float, ordinate: str) -> None:
    """All branches up to a swirl: full lines are stable, dashed ones unstable."""
    for mode, colour in COLOURS.items():
        for piece in sorted(pieces(branch(meter, mode, 0.0, high)), key=unstable):
            label = f"X_{mode}" + (", unstable" if unstable(piece) else "")
            label = "_" if label in ax.get_legend_handles_labels()[1] else label
            style = "--" if unstable(piece) else "-"
            ax.plot(
                [s.v_f for s in piece], [getattr(s, ordinate) for s in piece], style, color=colour, linewidth=1.6, label=label
            )


def bifurcation_diagram(meter: FlowMeter, ax: Any = None, high: float | None = None, ordinate: str = "r_Omega_w") -> Any:
    """r Omega_w = v - u1+ (or "v") of all stationary states against the swirl, with the bifurcations named."""
    fig = None
    if ax is None:
        fig, axes = figure(1, width=6.4, height=4.4)
        ax = axes[0, 0]
    high = diagram_range(meter) if high is None else high
    branches(ax, meter, high, ordinate)
    for b in bifurcations(meter):
        at = b.x[3] - b.x[0] if ordinate == "r_Omega_w" else b.x[3]
        ax.plot(b.v_f, at, "o", color="k", markersize=4)
        ax.annotate(b.name, (b.v_f, at), textcoords="offset points", xytext=(6, 6), fontsize=9)
    ax.set_xlabel("v_f [m/s]")
    ax.set_ylabel("r Omega_w [m/s]" if ordinate == "r_Omega_w" else "v [m/s]")
    ax.set_xlim(0.0, high)
    ax.set_ylim(bottom=0.0)
    ax.legend(fontsize=8, frameon=False)
    ax.set_title(f"mu = {meter.mu:.3g}: case {chart_case(meter)}", loc="left", fontsize=10)
    return fig if fig is not None else ax.figure


def chart_curves(meter: FlowMeter, friction: np.ndarray) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The bifurcation curves of the plane (v_f, mu): name -> (v_f, mu)."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in ("P3", "P2", "NF2", "DNF2", "DNT1", "F")}
    for mu in friction:
        here = meter._replace(mu=float(mu))
        limits, angles = thresholds(here), folds(here)
        found["P3" if limits.RR_SS is not None else "DNT1"].append((limits.rolling, mu))
        found["DNF2" if mu >= meter.j else "NF2" if angles else "P2"].append((limits.SR_SS, mu))
        found["F"] += [(slipping(here, phi).v_f, mu) for phi in angles]
    return {name: (np.array([p[0] for p in pairs]), np.array([p[1] for p in pairs])) for name, pairs in found.items() if pairs}


STYLES = {"P3": "-", "P2": "-.", "NF2": "-", "DNF2": ":", "DNT1": "-", "F": "--"}
HUES = {"P3": INK, "P2": GREEN, "NF2": GREEN, "DNF2": GREEN, "DNT1": PLUM, "F": WARM}


def chart_picture(meter: FlowMeter, friction: np.ndarray | None = None, high: float | None = None, ax: Any = None) -> Any:
    """The plane of swirl and friction (Figure 4.9): which stationary states there are where."""
    fig = None
    if ax is None:
        fig, axes = figure(1, width=7.2, height=5.0)
        ax = axes[0, 0]
    if friction is None:
        friction = np.linspace(0.01, min(0.95, 1.5 * meter.j), 160)
    curves = chart_curves(meter, friction)
    for name, (x, y) in curves.items():
        ax.plot(x, y, STYLES[name], color=HUES[name], linewidth=1.6, label=name)
    high = 1.05 * max(float(x.max()) for x, _ in curves.values()) if high is None else high
    ax.axhline(meter.j, color="0.6", linewidth=0.8)
    ax.text(0.99 * high, meter.j, "mu = j", ha="right", va="bottom", fontsize=8, color="0.4")
    mu_fold = thresholds(meter).mu_fold
    if mu_fold > friction[0]:
        ax.axhline(mu_fold, color="0.6", linewidth=0.8, linestyle=":")
        ax.text(0.99 * high, mu_fold, "mu_fold", ha="right", va="bottom", fontsize=8, color="0.4")
    for words, (at_x, at_y) in region_labels(meter, friction, high).items():
        ax.text(at_x, at_y, words.replace("; ", "\n"), fontsize=8, ha="center", va="center", color="0.25")
    ax.set_xlim(0.0, high)
    ax.set_ylim(0.0, float(friction[-1]))
    ax.set_xlabel("v_f [m/s]")
    ax.set_ylabel("mu")
    ax.legend(fontsize=8, frameon=False, loc="upper left", bbox_to_anchor=(1.01, 1.0))
    return fig if fig is not None else ax.figure


def states_in_words(meter: FlowMeter, v_f: float) -> str:
    """Which stationary states there are: RR, SS, SS unstable, SR, ..."""
    return (
        "; ".join(s.mode + (" (unstable)" if s.stability == "unstable" else "") for s in stationary_states(meter, v_f)) or "none"
    )


def region_labels(meter: FlowMeter, friction: np.ndarray, high: float, count: int = 15) -> dict[str, tuple[float, float]]:
    """A place well inside each region of the chart, from a grid."""
    from scipy.ndimage import distance_transform_edt

    xs = np.linspace(0.02 * high, 0.98 * high, 2 * count)
    ys = np.linspace(float(friction[0]), float(friction[-1]) * 0.97, count)
    words = np.array([[states_in_words(meter._replace(mu=float(mu)), float(v)) for v in xs] for mu in ys], dtype=object)
    found = {}
    for word in sorted(set(words.ravel().tolist())):
        inside = np.pad(words == word, 1)
        depth = distance_transform_edt(inside)[1:-1, 1:-1]
        if depth.max() >= 1.0:
            k, i = np.unravel_index(int(np.argmax(depth)), depth.shape)
            found[str(word)] = (float(xs[i]), float(ys[k]))
    return found


def characteristic_picture(
    meter: FlowMeter, made: Characteristic | None = None, ax: Any = None, high: float | None = None
) -> Any:
    """v against v_f (Figure 4.10): all states, and what is seen as the swirl grows and falls."""
    fig = None
    if ax is None:
        fig, axes = figure(1, width=6.4, height=4.4)
        ax = axes[0, 0]
    high = (diagram_range(meter) if made is None else float(made.v_f[-1])) if high is None else high
    branches(ax, meter, high, "v")
    ax.plot([0.0, high], [0.0, high], color="0.75", linewidth=0.8, zorder=0)
    if (twofold := hysteresis(meter)) is not None:
        ax.axvspan(*twofold, color="0.92", zorder=0)
    for b in bifurcations(meter):
        if b.v_f <= high:
            ax.plot(b.v_f, b.x[3], "o", color="k", markersize=4)
            ax.annotate(b.name, (b.v_f, b.x[3]), textcoords="offset points", xytext=(6, -10), fontsize=9)
    ax.set_xlim(0.0, high)
    ax.set_ylim(0.0, 1.02 * high)
    ax.set_xlabel("v_f [m/s]")
    ax.set_ylabel("v [m/s]")
    ax.legend(fontsize=8, frameon=False)
    ax.set_title(f"characteristic, mu = {meter.mu:.3g}", loc="left", fontsize=10)
    return fig if fig is not None else ax.figure


def calibration_picture(made: Calibration) -> Any:
    """Pairs, line, the band of the line and that of new readings; residuals below."""
    fig, axes = figure(2, width=6.4, height=2.9, sharex=True)
    x, y = made.pairs.flow, made.pairs.speed
    fine = np.linspace(min(0.0, float(x.min())), 1.05 * float(x.max()), 200)
    line, confidence, prediction = made.speed(fine)
    top, low = axes[0, 0], axes[1, 0]
    top.plot(x, y, "o", color="k", markersize=3.5)
    top.plot(fine, line, color=INK, linewidth=1.2)
    top.fill_between(
        fine, line - prediction, line + prediction, color=INK, alpha=0.12, label=f"new readings, {made.probability:.0%}"
    )
    top.fill_between(fine, line - confidence, line + confidence, color=INK, alpha=0.3, label="the line")
    top.legend(fontsize=8, frameon=False)
    low.plot(x, y - made.speed(x)[0], "o", color="k", markersize=3.5)
    low.fill_between(fine, -prediction, prediction, color=INK, alpha=0.12)
    low.axhline(0.0, color="0.6", linewidth=0.6)
    names = [f"{name} [{unit}]" if unit else name for name, unit in zip(made.pairs.names, made.pairs.units)]
    low.set_xlabel(names[0])
    top.set_ylabel(names[1])
    low.set_ylabel("off the line")
    top.set_title(f"{made.pairs.source}: slope {made.slope:.5g}, offset {made.offset:.3g}", loc="left", fontsize=10)
    return fig
