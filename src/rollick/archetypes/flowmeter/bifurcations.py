"""The bifurcations of the flowmeter against the swirl (Table 4.8), detected from the stationary states on both sides of where a branch ends, and named."""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from .stationary import Stationary, folds, slipping, stationary_states
from .system import FlowMeter
from .thresholds import margin_of_rolling, wall_demand

NAMES = {
    "P3": "codimension-3 persistence: X_RR goes over to X_SS, both contacts begin to slip",
    "P2": "codimension-2 persistence: X_SS goes over to X_SR, the wall stops slipping",
    "NF2": "codimension-2 nonsmooth fold: a stable X_SR and an unstable X_SS end together",
    "F": "fold: a stable and an unstable X_SS end together",
    "DNT1": "degenerate nonsmooth transcritical: X_RR ends and X_SR becomes stable, with N+ = 0",
    "DNF2": "degenerate nonsmooth fold: an unstable X_SR ends; its partner would pull at the floor",
    "?": "a change that Table 4.8 does not name",
}


class Bifurcation(NamedTuple):
    """A change of the stationary states at a swirl v_f, in the state x: the name in Table 4.8; modes and stabilities just below and just above."""

    name: str
    v_f: float
    x: np.ndarray
    below: tuple[str, ...]
    above: tuple[str, ...]

    @property
    def meaning(self) -> str:
        """The name in words."""
        return NAMES[self.name]


def candidates(meter: FlowMeter) -> list[tuple[float, np.ndarray]]:
    """Where branches end: X_RR (its forces), X_SR (its cone), X_SS (its folds)."""
    scale = math.sqrt(meter.g * meter.d)
    high = scale
    while margin_of_rolling(meter, high, high) > 0.0:
        high *= 2.0
    end = float(brentq(lambda v: margin_of_rolling(meter, v, v), 1e-6 * scale, high, xtol=1e-15 * scale, rtol=1e-14))
    found = [(end, np.array([0.0, 0.0, 0.0, end]))]
    holds = lambda v: wall_demand(meter, v) - 1.0
    begin = float(brentq(holds, 1e-3 * scale, 1e6 * scale, xtol=1e-15 * scale, rtol=1e-14))
    found.append((begin, np.array([begin - meter.g * meter.d / (meter.j * begin), 0.0, 0.0, begin])))
    for phi in folds(meter):
        made = slipping(meter, phi)
        found.append((made.v_f, made.x))
    return sorted(found, key=lambda pair: pair[0])


def ending(meter: FlowMeter, v_f: float, x: np.ndarray, step: float) -> list[Stationary]:
    """The stationary states beside a swirl that come to a state x as the swirl comes to v_f: those that are much nearer after a hundredth of the step."""
    far, close = stationary_states(meter, v_f + step), stationary_states(meter, v_f + 0.01 * step)
    off = lambda s: float(np.abs(s.x - x).max())
    found = []
    for s in close:
        before, beside = ([b for b in side if b.mode == s.mode] for side in (far, close))
        if len(before) == len(beside):  # the same ones, in the same order
            same = before[[b is s for b in beside].index(True)]
            if off(s) <= 0.3 * off(same):
                found.append(same)
    return found


def named(below: list[Stationary], above: list[Stationary]) -> str:
    """The name of a change, from who is there on both sides."""
    modes = tuple(sorted(s.mode for s in below)), tuple(sorted(s.mode for s in above))
    sides = [side for side in modes if side]
    if modes == (("RR",), ("SS",)):
        return "P3"
    if modes == (("SS",), ("SR",)):
        return "P2"
    if len(sides) == 1:
        return {("SS", "SS"): "F", ("SR", "SS"): "NF2", ("SR",): "DNF2"}.get(sides[0], "?")
    if modes == (("RR", "SR"), ("SR",)):
        return "DNT1"
    return "?"


@functools.lru_cache(maxsize=64)
def bifurcations(meter: FlowMeter) -> tuple[Bifurcation, ...]:
    """All of them, by increasing swirl."""
    places = candidates(meter)
    found = []
    for k, (v_f, x) in enumerate(places):
        others = [abs(v_f - other) for i, (other, _) in enumerate(places) if i != k]
        step = min(1e-4 * v_f, *(0.1 * gap for gap in others)) if others else 1e-4 * v_f
        below, above = ending(meter, v_f, x, -step), ending(meter, v_f, x, step)
        told = [tuple(f"{s.mode} {s.stability}" for s in side) for side in (below, above)]
        found.append(Bifurcation(named(below, above), v_f, x, told[0], told[1]))
    return tuple(found)


def chart_case(meter: FlowMeter) -> str:
    """A (mu < mu_fold), B (between), C (mu > j): which of Figures 4.5-4.7 a meter has; from its folds, so that any drag law is understood."""
    if meter.mu > meter.j:
        return "C"
    return "B" if folds(meter) else "A"


def hysteresis(meter: FlowMeter) -> tuple[float, float] | None:
    """The swirls between which two states are stable: from NF2 to F; None if there is no fold."""
    made = {b.name: b.v_f for b in bifurcations(meter)}
    return (made["NF2"], made["F"]) if "NF2" in made and "F" in made else None
