"""Motions with impacts: flights by `rate`, and an impact law where a gap closes.

    impact_gap(system, t, y)          the distance that must not become negative
    impact_map(system, t, y, out)     out = the state just after an impact at y

A type of system that registers both (besides `rate`) is one whose periodic orbits may have impacts. Both must take complex numbers: derivatives are
by complex step. Here flights are followed from impact to impact, as a start for the equations of `impacting`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kernel.derivative import EPS, jacobian
from ...kernel.dispatch import generic
from ...kernel.evaluate import rate_at
from ...kernel.names import InputError, called
from ...motion.events.event import Event
from ...motion.hybrid.saltation import across, time_shift
from ...motion.result.outcome import INTERRUPTED
from ...motion.simulate import simulate
from .flow import Lost
from .sensitive import NEAR, parameter_of, tilted, with_parameter
from .watch import look, seconds_left

MOST = 60  # impacts in a period; more is chatter
BEHIND = 1e-9  # of the state: a gap that is negative by more than rounding


@generic
def impact_gap(system, t, y):
    """The distance to what the system may hit; an impact is where it comes down to zero."""


@generic
def impact_map(system, t, y, out):
    """Write the state just after an impact at the state y into out."""


class Impact(NamedTuple):
    """An impact: when, the states before and after it, and how fast the gap closed."""

    t: float
    state: np.ndarray
    after: np.ndarray
    speed: float
    name: str = "impact"
    kind: str = "falling"


class Law(NamedTuple):
    """The gap and the state after an impact, one behind the other, and their derivatives by the states, the time and the parameter."""

    values: np.ndarray
    by: np.ndarray

    @property
    def gap(self) -> float:
        """The distance [m]."""
        return float(self.values[0])

    @property
    def after(self) -> np.ndarray:
        """The state after an impact."""
        return self.values[1:]

    def opening(self, f: np.ndarray) -> float:
        """The rate of the gap [m/s] where that of the state is f."""
        return float(self.by[0, :-1] @ np.append(f, 1.0))

    def moves(self, dt: np.ndarray, dy: np.ndarray, dp: Any = 0.0) -> np.ndarray:
        """How the gap and the state after an impact move with columns (dy, dt, dp)."""
        moves: np.ndarray = self.by @ np.vstack([dy, dt, np.broadcast_to(dp, dt.shape)])
        return moves


def gap_of(system: Any, t: float, y: np.ndarray) -> float:
    """The gap at an instant."""
    return float(np.real(impact_gap(system, t, y)))


def after_impact(system: Any, t: Any, y: np.ndarray) -> np.ndarray:
    """The state just after an impact; complex numbers pass through."""
    out = np.zeros(y.size, complex if np.iscomplexobj(y) else float)
    impact_map(system, t, y, out)
    return out


def law_at(system: Any, parameter: str | None, t: float, y: np.ndarray) -> Law:
    """The impact law at a state, with derivatives by complex step."""
    n, x = y.size, np.append(y, t)
    law = lambda s, x: np.append(impact_gap(s, x[n], x[:n]), after_impact(s, x[n], x[:n]))
    by_parameter = np.zeros(n + 1)
    if parameter is not None:
        try:
            by_parameter = law(tilted(system, parameter), x.astype(complex)).imag / EPS
        except TypeError:  # a law that compares its parameter takes no complex one
            p = parameter_of(system, parameter)
            h = NEAR * max(1.0, abs(p))
            high, low = (law(with_parameter(system, parameter, p + d), x) for d in (h, -h))
            by_parameter = (high - low) / (2.0 * h)
    return Law(np.real(law(system, x)), np.column_stack([jacobian(lambda x: law(system, x), x), by_parameter]))


def saltation(law: Law, before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """What an impact does to neighbours, at equal times; `before` and `after` are the rates."""
    dt = time_shift(law.by[0, :-2], law.opening(before))
    return across(np.eye(before.size), dt, before, after, lambda dt, dy: law.moves(dt, dy)[1:])


def closing_gap(system, t, y):
    """The distance to what the system may hit, as an event watches it."""
    return impact_gap(system, t, y)


def flights(system: Any, method: Any, start: np.ndarray, t0: float, t1: float, span: float) -> tuple[np.ndarray, list[Impact]]:
    """From a start to t1 through all impacts on the way; the state there, and the impacts. At most MOST of them in a time `span`."""
    y, t, found = np.array(start, float), float(t0), list[Impact]()
    low = gap_of(system, t, y)
    if low < -BEHIND * (1.0 + float(np.abs(y).max())):
        raise InputError(f"the start of {called(system)} is behind what it may hit: its gap is {low:.6g}.")
    hit = Event(closing_gap, "falling", terminal=True, name="impact", touch=False)
    while t < t1:
        motion = simulate(
            system,
            y,
            t1,
            since=t,
            method=method,
            events=[hit],
            at=[t1],
            integrals=False,
            progress=False,
            wall_limit=seconds_left(),
        )
        if motion.status == INTERRUPTED:
            raise KeyboardInterrupt
        look()
        if not motion.complete:
            raise Lost(motion.message.rstrip("."))
        if not motion.events:
            y, t = np.array(motion.end_state), t1
            break
        t, before = float(motion.end_time), np.array(motion.end_state)
        law, f = law_at(system, None, t, before), np.empty(before.size)
        rate_at(system, t, before, f)
        y = law.after
        found.append(Impact(t, before, y.copy(), -law.opening(f)))
        if sum(i.t > t - span for i in found) > MOST:
            raise InputError(
                f"{called(system)} has more than {MOST} impacts in a period near t = {t:.6g}: chatter, which orbits with impacts do not follow."
            )
    if gap_of(system, t, y) < -BEHIND * (1.0 + float(np.abs(y).max())):
        raise InputError(
            f"after an impact at t = {found[-1].t:.6g} the gap of {called(system)} does not open: it stays in contact, or the map is no impact law."
        )
    return y, found
