"""The phase portrait of a system with two states: its flow, its equilibria, and the separatrices of its saddles.

    phase_portrait(pendulum, (-4.0, 4.0), (-8.0, 8.0), path="pendulum.pdf")

Equilibria are found from a grid by Newton's method and told apart by the eigenvalues of the exact Jacobian matrix. The separatrices of a saddle p with
eigenvectors v are the orbits through p + s v, s -> 0, followed forwards where the eigenvalue is positive and backwards where it is negative.
"""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np

from ..kernel.derivative import system_jacobian
from ..kernel.evaluate import rate_at
from ..kernel.names import InputError, called
from ..kernel.palette import DARK, INK, WARM
from ..kernel.system import description
from ..motion.simulate import simulate
from .figure import figure
from .save import finished
from .smooth import curves
from .symbols import in_degrees, label

GRID = 41
NEAR = 1e-6  # of the size of the picture: how far from a saddle its separatrices begin
FOLDINGS = 30.0  # time constants of a saddle for which its separatrices are followed
ROUND = 1e-7  # of an eigenvalue: what counts as zero


class Equilibrium(NamedTuple):
    """A state at which the flow stands still, and what it is: saddle, stable, unstable or centre."""

    x: np.ndarray
    kind: str
    values: np.ndarray
    vectors: np.ndarray


def field(system: Any, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Both rates on a grid: rows are y, columns x."""
    out, made = np.empty(2), np.empty((y.size, x.size, 2))
    for i, b in enumerate(y):
        for j, a in enumerate(x):
            rate_at(system, 0.0, np.array([a, b], float), out)
            made[i, j] = out
    return made[:, :, 0], made[:, :, 1]


def kind_of(values: np.ndarray) -> str:
    """What an equilibrium with these eigenvalues is."""
    size = float(np.abs(values).max())
    real = values.real
    if np.all(np.abs(values.imag) <= ROUND * size) and real.min() < -ROUND * size and real.max() > ROUND * size:
        return "saddle"
    if np.all(np.abs(real) <= ROUND * size):
        return "centre"
    return "stable" if real.max() < 0.0 else "unstable"


def equilibria(system: Any, x: tuple[float, float], y: tuple[float, float], count: int = GRID) -> list[Equilibrium]:
    """The equilibria in a box, from the cells of a grid in which both rates change their sign."""
    xs, ys = np.linspace(*x, count), np.linspace(*y, count)
    size = np.array([x[1] - x[0], y[1] - y[0]])
    rates = field(system, xs, ys)
    corners = [np.stack([r[:-1, :-1], r[1:, :-1], r[:-1, 1:], r[1:, 1:]]) for r in rates]
    mixed = [(c.min(axis=0) <= 0.0) & (c.max(axis=0) >= 0.0) for c in corners]
    found: list[Equilibrium] = []
    out = np.empty(2)
    for i, j in np.argwhere(mixed[0] & mixed[1]):
        z = np.array([0.5 * (xs[j] + xs[j + 1]), 0.5 * (ys[i] + ys[i + 1])])
        for _ in range(30):
            rate_at(system, 0.0, z, out)
            try:
                step = np.linalg.solve(system_jacobian(system, z), out)
            except np.linalg.LinAlgError:
                break
            z = z - step
            if not np.all(np.isfinite(z)):
                break
            if np.all(np.abs(step) <= 1e-13 * size):
                inside = np.all((z >= (x[0], y[0])) & (z <= (x[1], y[1])))
                if inside and all(np.any(np.abs(z - other.x) > 1e-7 * size) for other in found):
                    values, vectors = np.linalg.eig(system_jacobian(system, z))
                    if not values.imag.any():  # since NumPy 2.5 they are of a complex type in any case
                        values, vectors = values.real, vectors.real
                    found.append(Equilibrium(z, kind_of(values), values, vectors))
                break
    return found


def separatrices(
    system: Any, saddle: Equilibrium, x: tuple[float, float], y: tuple[float, float]
) -> list[tuple[bool, np.ndarray]]:
    """The four orbits that end or begin at a saddle, as far as the box: (whether it is unstable there, points (2, n))."""
    size = np.array([x[1] - x[0], y[1] - y[0]])
    made = []
    for value, vector in zip(saddle.values.real, saddle.vectors.real.T):
        until = FOLDINGS / value  # backwards along the stable direction
        direction = vector / np.linalg.norm(vector / size)
        for sign in (1.0, -1.0):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # an orbit that leaves for good may end early: it has left the picture then
                motion = simulate(system, saddle.x + sign * NEAR * direction, until, rtol=1e-9, max_steps=20_000)
            drawn = curves(motion, [q.name for q in motion.about.states])
            points = np.stack(list(drawn.values.values()))
            centre = np.array([0.5 * (x[0] + x[1]), 0.5 * (y[0] + y[1])])
            outside = np.any(np.abs(points - centre[:, None]) > 0.6 * size[:, None], axis=0)
            last = int(np.argmax(outside)) if outside.any() else points.shape[1]
            made.append((bool(value > 0.0), points[:, : last + 1]))
    return made


def phase_portrait(system: Any, x: tuple[float, float], y: tuple[float, float], path: Any = None, density: float = 1.0) -> Any:
    """The phase portrait of a system with two states in a box; returns the figure.

    x, y: the ranges of the first and the second state. Filled dots are stable, open ones unstable, crosses saddles, rings centres; separatrices are
    solid where they leave a saddle and dashed where they come to it.
    """
    states = description(system).states
    if len(states) != 2:
        raise InputError(
            f"a phase portrait is of a system with two states; {called(system)} has {len(states)} ({', '.join(q.name for q in states)}). "
            "motion.plot('a', 'b', kind='phase') draws a motion in a plane of two of them."
        )
    for name, (low, high) in zip(("x", "y"), (x, y)):
        if not (np.isfinite(low) and np.isfinite(high) and low < high):
            raise InputError(f"{name} = ({low!r}, {high!r}) must be a range (low, high).")
    fig, axes = figure(1, width=6.4, height=4.8)
    ax = axes[0, 0]
    factors = [float(in_degrees(np.ones(1), q.unit)[0][0]) for q in states]
    xs, ys = np.linspace(*x, GRID), np.linspace(*y, GRID)
    u, v = field(system, xs, ys)
    ax.streamplot(
        xs * factors[0],
        ys * factors[1],
        u * factors[0],
        v * factors[1],
        color="0.65",
        density=density,
        linewidth=0.7,
        arrowsize=0.8,
    )
    marks = {
        "stable": ("o", "full", INK),
        "unstable": ("o", "none", WARM),
        "saddle": ("X", "full", DARK),
        "centre": ("o", "none", INK),
    }
    for point in equilibria(system, x, y):
        shape, filled, colour = marks[point.kind]
        known = ax.get_legend_handles_labels()[1]
        ax.plot(point.x[0] * factors[0], point.x[1] * factors[1], shape, fillstyle=filled, color=colour, markersize=7, zorder=5,
                linestyle="none", label=None if point.kind in known else point.kind)  # fmt: skip
        for unstable, points in separatrices(system, point, x, y) if point.kind == "saddle" else ():
            ax.plot(
                points[0] * factors[0],
                points[1] * factors[1],
                "-" if unstable else "--",
                color=WARM if unstable else INK,
                linewidth=1.4,
                zorder=4,
            )
    ax.set_xlim(x[0] * factors[0], x[1] * factors[0])
    ax.set_ylim(y[0] * factors[1], y[1] * factors[1])
    ax.grid(False)
    ax.set_xlabel(label(states[0].name, in_degrees(np.ones(1), states[0].unit)[1]))
    ax.set_ylabel(label(states[1].name, in_degrees(np.ones(1), states[1].unit)[1]))
    ax.set_title(called(system), loc="left", fontsize=10)
    if ax.get_legend_handles_labels()[1]:
        ax.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=4, fontsize=8, borderaxespad=0.1, frameon=False)
    return finished(fig, path)
