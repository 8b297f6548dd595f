"""The printed lines (6.18)-(6.21) put to the test: the best fits of a coarse grid, the fit along the lines, and the plane omega_z = 0.

Each is done with the start of the Sun as printed and with s_x and s_y exchanged; see `candidates`.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from ...archetypes.lander.lander import Lander
from ...archetypes.lander.tumbling import judge
from .candidates import EXCHANGED_SUN, PRINTED_LINES, PRINTED_SUN, along, printed_line
from .fit import accepted, fit_map, minima, refine

STEP = 0.1


class Fits(NamedTuple):
    """Refined minima of the EMD with the numbers there, and the medians of EMD and seen share along the printed lines for both starts."""

    points: np.ndarray
    numbers: np.ndarray
    printed: dict[str, float]
    exchanged: dict[str, float]
    seen: dict[str, float]


@functools.cache
def fits() -> Fits:
    """The minima from a coarse grid, refined, and the printed lines with the start of the Sun as printed and exchanged."""
    body = Lander()
    found = fit_map(STEP, s0=PRINTED_SUN, progress=False)
    points, numbers = refine(body, minima(found, most=12), STEP, 4, s0=PRINTED_SUN)
    order = numbers[:, 0].argsort()
    lines = {
        name: along(printed_line(name), 31)[4:] for name in (*PRINTED_LINES, "L1*")
    }  # without the ends, where the Sun stands still
    as_printed = {name: judge(body, line, s0=PRINTED_SUN) for name, line in lines.items()}
    swapped = {name: judge(body, line, s0=EXCHANGED_SUN) for name, line in lines.items()}
    middle = lambda all_, column: {name: float(np.median(v[:, column])) for name, v in all_.items()}
    return Fits(points[order], numbers[order], middle(as_printed, 0), middle(swapped, 0), middle(swapped, 2))


@functools.cache
def slice_map(exchanged: bool, step: float = 0.03) -> Any:
    """The fit in the plane omega_z = 0 for the printed start of the Sun, or the one with s_x and s_y exchanged."""
    line = np.arange(-0.5, 1.0 + 1e-9, step)
    plane = {"omega_x": line, "omega_y": line, "omega_z": np.zeros(1)}
    return fit_map(axes=plane, s0=EXCHANGED_SUN if exchanged else PRINTED_SUN, progress=False)


def crossing(name: str, height: float = 0.0) -> np.ndarray:
    """Where a printed line crosses a plane omega_z = const."""
    line = printed_line(name)
    return line.point + (height - line.point[2]) / line.direction[2] * line.direction


def nearest_accepted(name: str) -> tuple[float, float]:
    """The distance, in the plane omega_z = 0, from a printed line to the nearest grid point that is accepted there; and the step of the grid."""
    found = slice_map(True)
    points, _ = accepted(found, level=0.05)
    gap = np.linalg.norm(points[:, :2] - crossing(name)[:2], axis=1)
    return float(gap.min()), float(np.diff(found.omega_x)[0])
