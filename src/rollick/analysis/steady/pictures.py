"""Pictures of steady motions: eigenvalues in the complex plane, and along a branch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...kernel.names import InputError
from ..continuation import Branch
from ..continuation.pictures import COLOURS
from .equilibria import eigenvalues_along


def plot_eigenvalues(motions: Sequence[Any], path: Any = None) -> Any:
    """The eigenvalues of steady motions (`SteadyMotion`) in the complex plane, one colour each; returns the figure."""
    from ...plotting import figure, finished

    if not motions:
        raise InputError("no steady motion was found, so that there is nothing to draw.")
    fig, axes = figure(1, 1, width=6.0, height=4.5)
    ax = axes[0, 0]
    ax.axvline(0.0, color="0.6", linewidth=0.8)
    ax.axhline(0.0, color="0.6", linewidth=0.8)
    for k, motion in enumerate(motions):
        e = motion.equations
        label = ", ".join(f"{e.names[i]} = {motion.y[i]:.4g}" for i in e.kept[:3]) + f" ({motion.stability})"
        marks = "o^sDv<>"[(k // len(COLOURS)) % 7]
        values = motion.eigenvalues
        ax.plot(values.real, values.imag, marks, color=COLOURS[k % len(COLOURS)], markersize=6, fillstyle="none", label=label)
    widest = max(float(np.max(np.abs(m.eigenvalues.real), initial=0.0)) for m in motions)
    if widest < 1e-9:
        ax.set_xlim(-1.0, 1.0)
    ax.set_xlabel("real part [1/s]")
    ax.set_ylabel("imaginary part [1/s]")
    ax.set_title(f"steady motions of {motions[0].title}", loc="left", fontsize=10)
    ax.legend(frameon=False, fontsize=8)
    return finished(fig, path)


def plot_spectrum(branch: Branch, path: Any = None) -> Any:
    """Real and imaginary parts of the eigenvalues along a branch of steady motions, each followed as one curve; returns the figure."""
    from ...plotting import figure, finished, label

    values, over = eigenvalues_along(branch), branch[branch.parameter]
    fig, axes = figure(2, 1, width=7.0, height=2.6, sharex=True)
    for k in range(values.shape[1]):
        for ax, part in zip(axes[:, 0], (values[:, k].real, values[:, k].imag)):
            ax.plot(over, part, color=COLOURS[k % len(COLOURS)], linewidth=1.2)
    for p in branch.specials:
        for ax in axes[:, 0]:
            ax.axvline(p.parameter, color="0.6", linewidth=0.7, linestyle=":")
        axes[0, 0].annotate(
            p.label,
            (p.parameter, 1.0),
            xycoords=("data", "axes fraction"),
            xytext=(2, -9),
            textcoords="offset points",
            fontsize=8,
        )
    axes[0, 0].axhline(0.0, color="0.4", linewidth=0.8)
    axes[0, 0].set_ylabel("real parts [1/s]")
    axes[1, 0].set_ylabel("imaginary parts [1/s]")
    unit = branch.unit(branch.parameter)
    axes[1, 0].set_xlabel(label(branch.parameter, unit))
    axes[0, 0].set_title(f"eigenvalues of {branch.title}", loc="left", fontsize=10)
    return finished(fig, path)
