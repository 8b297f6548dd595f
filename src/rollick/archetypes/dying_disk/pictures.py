"""Pictures of the dying disk."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.palette import AMBER, GREEN, INK, PLUM, SKY, WARM

LEAF = GREEN


def exponents_figure(found: Any, path: Any = None) -> Any:
    """The exponents of all drops, and how they ended; `found` is an `Exponents`."""
    from ...plotting import figure, finished

    fig, axes = figure(1, 2, width=10.0, height=3.6)
    left, right = axes[0]
    d = found.disk
    if found.rattling.any():
        centre, half = found.c, max(4.0 * found.spread, 1e-3 * abs(found.c))
        left.hist(found.all_c, bins=np.linspace(centre - half, centre + half, 41), color=INK)
        left.locator_params(axis="x", nbins=6)
        left.axvline(centre, color=WARM, linewidth=1.2, label=f"mean {centre:.4f}")
        left.legend(frameon=False, fontsize=9)
    else:
        left.text(0.5, 0.5, "no drop rattles on to the end", ha="center", va="center", transform=left.transAxes)
    left.set_xlabel(r"exponent $c$ of $E \sim (t_f - t)^c$")
    left.set_ylabel("drops")
    left.set_title(
        rf"n = {d.n}, $\rho$ = {d.rho:g}, $\gamma$ = {d.gamma:g}, {found.max_impacts} impacts", loc="left", fontsize=10
    )
    names = [
        n
        for n, share in found.shares.items()
        if share > 0.0 or n in ("rattles on", "one point accumulates", "two points accumulate")
    ]
    right.barh(names, [100.0 * found.shares[n] for n in names], color=LEAF)
    right.invert_yaxis()
    right.set_xlabel("share of drops [%]")
    return finished(fig, path)


def energy_curves(runs: dict[str, tuple[np.ndarray, np.ndarray]], ax: Any, slope: float | None = 2.0) -> None:
    """Curves of log10 E against log10 of the time left, with a line of the given slope beside them; `runs` holds natural logarithms."""
    ten = np.log(10.0)
    colours = (INK, WARM, LEAF, PLUM, AMBER, SKY)
    for colour, (name, (left, energy)) in zip(colours, runs.items()):
        ax.plot(left / ten, energy / ten, color=colour, linewidth=1.2, label=name)
    if slope is not None and runs:
        left, energy = next(iter(runs.values()))
        good = np.isfinite(left)
        x = np.array([left[good].min(), left[good].max()]) / ten
        level = energy[good][0] / ten + 0.6
        ax.plot(x, level + slope * (x - left[good][0] / ten), "--", color="0.5", linewidth=1.0, label=f"slope {slope:g}")
    ax.set_xlabel(r"$\log_{10}(t_f - t)$")
    ax.set_ylabel(r"$\log_{10} E$")
    ax.invert_xaxis()
