"""Outputs of a motion that carries a column: each a value and its derivative.

At a fixed time t:       dv = grad s . w + s_p.
At an event:             dv = grad s . (w + f dt) + s_t dt + s_p, dt being how the time of the event moves.
At an extremum:          as at a fixed time: inside the motion ds/dt = 0 there, and its ends are fixed; where the state or its rate jumps, as at an event.
Integrals:               the integral of grad s . w + s_p, by Gauss's rule with eight nodes in each step (the dense output has order seven), plus
                         the jump of s times dt at each reset.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import brentq

from ...kernel.names import InputError, called, number
from .outputs import At, AtEvent, EventTime, Integral, Maximum, Output
from .quantities import Quantity

NODES, WEIGHTS = np.polynomial.legendre.leggauss(8)
LOOKS = np.linspace(0.0, 1.0, 9)[:-1]
TIE = 1e-9  # relative: extrema this close in value are equally high
NEAR = 1e-6  # relative: how well the derivatives of two equal extrema agree


def quantity_of(output: Output, system: Any, integrals: int) -> Quantity | None:
    """The quantity of an output."""
    what = getattr(output, "what", None)
    return None if what is None else Quantity(system, what, integrals)


def unit_of(output: Output, quantity: Quantity | None) -> str:
    """The unit of an output."""
    if isinstance(output, EventTime) or quantity is None:
        return "s"
    return f"{quantity.unit} s".strip() if isinstance(output, Integral) else quantity.unit


def evaluated(output: Output, quantity: Quantity | None, path: Any, which: int) -> tuple[float, float]:
    """The value of an output and its derivative; `which`: the number of its event."""
    if isinstance(output, (EventTime, AtEvent)):
        return _at_event(output, quantity, path, which)
    assert quantity is not None
    if isinstance(output, At):
        t = path.end if output.t is None else number(output.t, "the time of an output", "s")
        value, slope = at_times(quantity, path, np.array([t]))
        return float(value[0]), float(slope[0])
    if isinstance(output, Maximum):
        return _extremum(output, quantity, path)
    assert isinstance(output, Integral)
    return _integral(quantity, path)


def at_times(quantity: Quantity, path: Any, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Values and derivatives of a quantity at some times."""
    for t in path.jumps:
        near = np.abs(times - t) <= 1e-9 * max(1.0, abs(t))
        if near.any():
            raise InputError(
                f"{quantity.name} is asked for at t = {times[near][0]:.9g}, where the state or its rate jumps: it has no derivative there. Ask a little earlier or later."
            )
    y, w = path.at(times)
    return quantity.values(times, y), quantity.slopes(times, y, 0.0, w, path.direction)


def _at_event(output: Any, quantity: Quantity | None, path: Any, which: int) -> tuple[float, float]:
    found = path.passages[which]
    if len(found) < output.count:
        raise InputError(
            f"there is no {output.label}: of this event of {called(path.system)} there are {len(found)} until t = {path.end:.6g}. "
            f"Raise until, or ask for another one."
        )
    p = found[output.count - 1]
    if isinstance(output, EventTime):
        return p.t, p.dt
    assert quantity is not None
    value = float(quantity.values(p.t, p.y[None])[0])
    slope = quantity.slopes(p.t, p.y[None], p.dt, (p.w + p.rate * p.dt)[None], path.direction)
    return value, float(slope[0])


def _extremum(output: Maximum, quantity: Quantity, path: Any) -> tuple[float, float]:
    """The highest of the values at nine instants of each step, each refined where ds/dt changes its sign."""
    found: list[tuple[float, float]] = []
    for k, ts in enumerate(path.nodes()):
        times = np.append((ts[:-1, None] + np.diff(ts)[:, None] * LOOKS).ravel(), ts[-1])
        times = np.unique(times)
        values = output.sign * quantity.values(times, path.states(_inside(times, k)))
        best = float(values.max())
        spread = float(np.ptp(values)) or 1.0
        tops = [
            i
            for i in range(times.size)
            if (i == 0 or values[i] >= values[i - 1]) and (i == times.size - 1 or values[i] > values[i + 1] or i == 0)
        ]
        found += [_refined(quantity, path, _inside(times, k), i) for i in tops if values[i] > best - 0.05 * spread]
    tops_values = np.array([output.sign * v for _, v in found])
    best = float(tops_values.max())
    size = max(abs(best), 1e-300)
    tied = [t for (t, _), v in zip(found, tops_values) if v >= best - TIE * size]
    slopes = [_slope_there(quantity, path, t) for t in tied[:16]]
    scale = max(abs(s) for s in slopes)
    if len(slopes) > 1 and max(slopes) - min(slopes) > NEAR * max(scale, 1e-12):
        raise InputError(
            f"{output.label} is reached at t = {tied[0]:.9g} and as high at t = {tied[int(np.argmax(np.abs(np.subtract(slopes, slopes[0]))))]:.9g}, and these "
            f"move differently: it has no derivative here. Ask for {quantity.name} at an event instead."
        )
    k = int(np.argmax(tops_values))
    return output.sign * float(tops_values[k]), _slope_there(quantity, path, found[k][0])


def _slope_there(quantity: Quantity, path: Any, t: float) -> float:
    """The derivative of an extremum at t; where the state or its rate jumps, that of the quantity on this side of the moving instant."""
    for one in path.instants:
        if abs(t - one.t) <= 1e-9 * max(1.0, abs(one.t)):
            y, dy = (one.after, one.after_moves) if t > one.t else (one.before, one.before_moves)
            return float(quantity.slopes(np.array([t]), y[None], one.dt, dy[None], path.direction)[0])
    return float(at_times(quantity, path, np.array([t]))[1][0])


def _inside(times: np.ndarray, piece: int) -> np.ndarray:
    """The times of a piece, its first instant a little later if there is one before: at a reset the state before it would be told."""
    shifted = times.copy()
    if piece:
        shifted[0] = np.nextafter(times[0], np.inf)
    return shifted


def _refined(quantity: Quantity, path: Any, times: np.ndarray, i: int) -> tuple[float, float]:
    """(time, value) of the extremum near times[i]."""

    def slope(t: float) -> float:
        y = path.states(t)
        return float(quantity.slopes(t, y, 1.0, path.rate(t, y[0])[None], {})[0])

    first, last = times[0], times[-1]
    for a, b in ((times[i - 1] if i else first, times[i]), (times[i], times[i + 1] if i + 1 < times.size else last)):
        a = max(a, first)
        if b <= a:
            continue
        low, high = slope(a), slope(b)
        if low * high < 0.0:
            t = float(brentq(slope, a, b, xtol=1e-14 * max(1.0, abs(b)), rtol=8.9e-16))
            return t, float(quantity.values(t, path.states(t))[0])
    t = float(max(times[i], first))
    return t, float(quantity.values(t, path.states(t))[0])


def _integral(quantity: Quantity, path: Any) -> tuple[float, float]:
    value = slope = 0.0
    _refuse_jumps(quantity, path)
    for ts in path.nodes():
        h = np.diff(ts)
        times = (ts[:-1, None] + h[:, None] * 0.5 * (1.0 + NODES)).ravel()
        weights = (0.5 * h[:, None] * WEIGHTS).ravel()
        keep = weights != 0.0
        times, weights = times[keep], weights[keep]
        y, w = path.at(times)
        value += float(weights @ quantity.values(times, y))
        slope += float(weights @ quantity.slopes(times, y, 0.0, w, path.direction))
    for one in path.instants:
        if one.jumps:
            s = quantity.values(np.array([one.t, one.t]), np.stack([one.before, one.after]))
            slope += float(s[0] - s[1]) * one.dt
    return value, slope


def _refuse_jumps(quantity: Quantity, path: Any) -> None:
    """Refuse the integral of a signal that jumps where modes change; resets are accounted for."""
    if not path.jumps or quantity.signal < 0:
        return
    moving = {one.t for one in path.instants if one.jumps}
    for t in (t for t in path.jumps if t not in moving):
        h = 1e-9 * max(1.0, abs(t))
        times = np.array([t - 2.0 * h, t - h, t + h, t + 2.0 * h])
        s = quantity.values(times, path.states(np.clip(times, path.problem.t0, path.end)))
        if abs(s[2] - s[1]) > 1e-6 * max(np.abs(s).max(), 1e-300) + 10.0 * (abs(s[1] - s[0]) + abs(s[3] - s[2])):
            raise InputError(
                f"{quantity.name} jumps where the mode changes, at t = {t:.9g}; the derivative of its integral is not had through modes. "
                f"Ask for the integral of a state, or of a signal that is continuous."
            )
