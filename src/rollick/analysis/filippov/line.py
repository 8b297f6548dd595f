"""Regions along a line of states of a set: what happens in each stretch, its ends by bisection, and the limit directions along it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ...kernel.names import InputError
from .pictures import DOES, FILLS, GREY, new_axes
from .theory.extended import ExtendedSwitching
from .theory.switching import Switching


class Stretch(NamedTuple):
    """A part of a line with one kind."""

    low: float
    high: float
    kind: str


def kinds_along(
    system: Switching | ExtendedSwitching, state: Callable[[float], Any], low: float, high: float, count: int = 61
) -> list[Stretch]:
    """The stretches of one kind between two numbers; each change between neighbours of a grid is bisected to rounding."""
    if count < 3 or not (np.isfinite(low) and np.isfinite(high) and low < high):
        raise InputError(f"a line needs 3 points or more and an increasing range, not {count} from {low} to {high}.")
    kind = lambda p: system.at(state(float(p))).kind
    points = np.linspace(low, high, count) + 1e-7 * (high - low)  # off the round numbers at which kinds change
    points[-1] = high
    kinds = [kind(p) for p in points]
    named = [(p, k) for p, k in zip(points, kinds) if k != "tangency"]  # tangencies are where kinds change
    edges, names = [low], [named[0][1] if named else "tangency"]
    for (a, before), (b, after) in pairwise(named):
        if before != after:
            leaves = _change(kind, lambda name: name == before, float(a), float(b))  # noqa: B023 (asked at once)
            comes = _change(kind, lambda name: name != after, float(a), float(b))  # noqa: B023
            edges.append(0.5 * (leaves + comes))
            names.append(after)
    return [Stretch(a, b, name) for a, b, name in zip(edges, [*edges[1:], high], names)]


def _change(kind: Callable[[float], str], holds: Callable[[str], bool], a: float, b: float) -> float:
    """Where something that holds of the kind at a stops holding, by bisection to rounding."""
    while True:
        middle = 0.5 * (a + b)
        if middle in (a, b):
            return middle
        a, b = (middle, b) if holds(kind(middle)) else (a, middle)


def line_picture(
    system: ExtendedSwitching, state: Callable[[float], Any], stretches: list[Stretch], name: str = "p", ax: Any = None
) -> Any:
    """The radial speeds R of the limit directions along a line, over its stretches; returns the figure."""
    ax = ax if ax is not None else new_axes(7.6, 4.4)
    named: dict[str, Any] = {}
    for part in stretches:
        patch = ax.axvspan(part.low, part.high, color=FILLS.get(part.kind, "#e0e0f0"), linewidth=0)
        named.setdefault(part.kind, patch)
    for p in np.linspace(stretches[0].low, stretches[-1].high, 301):
        for d in system.at(state(float(p))).directions or []:
            dots = ax.plot(p, d.radial, ".", markersize=3, color=DOES[d.does])
            named.setdefault(f"R of a direction that {'is ' if d.does == 'tangent' else ''}{d.does}", dots[0])
    ax.axhline(0.0, color=GREY, linewidth=0.8)
    ax.set_xlabel(name)
    ax.set_ylabel("R, radial speed")
    ax.set_xlim(stretches[0].low, stretches[-1].high)
    ax.grid(False)
    ax.legend(list(named.values()), list(named), fontsize=8, loc="upper left", bbox_to_anchor=(1.01, 1.0), frameon=False)
    return ax.figure
