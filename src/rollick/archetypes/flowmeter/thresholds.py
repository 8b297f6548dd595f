"""Where stationary states of the flowmeter end (Propositions 4.1-4.3), in closed form, by Proposition 3.3, and by the forces of rolling."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from scipy.optimize import brentq

from ...analysis.filippov.theory.margin import static_margin
from ...analysis.filippov.theory.what_next import what_next
from ...kernel.names import InputError
from .drag import slope_at_rest
from .fields import carried, flowmeter_fields, static_split
from .system import FlowMeter


class Thresholds(NamedTuple):
    """Swirl speeds: end of X_RR, toward SS (mu < j) and toward SR (mu > j); beginning of X_SR; the friction beyond which X_SS folds if drag is linear."""

    RR_SS: float | None
    RR_SR: float | None
    SR_SS: float
    mu_fold: float

    @property
    def rolling(self) -> float:
        """The swirl up to which both contacts roll."""
        return self.RR_SS if self.RR_SS is not None else self.RR_SR  # type: ignore[return-value]


def thresholds(meter: FlowMeter) -> Thresholds:
    """(4.63), (4.52), (4.66), (4.74); for mu = j the first two are one and the same."""
    g, d, mu, j = meter.g, meter.d, meter.mu, meter.j
    if mu >= 1.0:
        raise InputError(
            f"mu = {mu:g}: from mu = 1 on the ball may wedge itself between floor and wall at any speed; the theory is for mu < 1."
        )
    both = math.sqrt(g * d * mu * (1.0 + mu) / (mu * mu * (1.0 + j) + j - mu)) if mu < j else None
    lifts = math.sqrt(g * d / j) if mu >= j else None
    return Thresholds(both, lifts, math.sqrt(g * d / mu), friction_of_fold(meter))


def friction_of_fold(meter: FlowMeter) -> float:
    """mu_fold = (c^2 d/(4 g))^(1/3) (4.74), with c = D'(0): the fold is born at phi = 0, where the fluid does not overtake the ball."""
    return (slope_at_rest(meter.drag) ** 2 * meter.d / (4.0 * meter.g)) ** (1.0 / 3.0)


def bisected(holds: Callable[[float], bool], low: float, high: float, digits: float = 1e-13) -> float:
    """The last place from `low` on where something holds, which does not hold at `high`."""
    while high - low > digits * high:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if holds(middle) else (low, middle)
    return 0.5 * (low + high)


def rolling_ends(meter: FlowMeter, by: str = "what_next") -> tuple[float, str]:
    """The swirl at which X_RR = (0, 0, 0, v_f) ends, and what follows beyond; by Proposition 3.3 or from the forces of rolling (`static`). No closed form is used."""
    high = math.sqrt(meter.g * meter.d)
    holds = (lambda v: rolls(meter, v, v)) if by == "what_next" else (lambda v: margin_of_rolling(meter, v, v) >= 0.0)
    while holds(high):
        high *= 2.0
    end = bisected(holds, 1e-3 * high, high)
    beyond = end * (1.0 + 1e-4)
    return end, what_next(flowmeter_fields(meter, beyond), [0.0, 0.0, 0.0, beyond]).mode


def rolls(meter: FlowMeter, v: float, v_f: float) -> bool:
    """Whether Proposition 3.3 says that both contacts go on rolling at the speed v in a swirl v_f."""
    return what_next(flowmeter_fields(meter, v_f), [0.0, 0.0, 0.0, v]).mode == "RR"


def margin_of_rolling(meter: FlowMeter, v: float, v_f: float) -> float:
    """The static margin: the larger smaller slack of both friction cones over the undetermined force, per mass; forces of rolling exist where it is not negative."""
    return float(static_margin(static_split(meter, [0.0, 0.0, 0.0, v], v_f)).value)


def wall_demand(meter: FlowMeter, v_f: float) -> float:
    """|T2-|/(mu N-) = g d/(mu v_f^2) at X_SR: the wall holds while it does not exceed one."""
    return meter.g * meter.d / (meter.mu * v_f * v_f)


class StartUp(NamedTuple):
    """From rest in a swirl v_f: the mode at first, the speed from which on forces of rolling exist, and from which on rolling is the only future (Prop. 3.3)."""

    first: str
    wedged_from: float
    rolls_from: float

    @property
    def band(self) -> float:
        """The relative width of the band in which a ball without slip may roll or slip."""
        return 1.0 - self.wedged_from / self.rolls_from


def start_up(meter: FlowMeter, v_f: float) -> StartUp:
    """Where a ball without slip in a swirl v_f > 0 begins to roll at the wall.

    It does by Proposition 3.3 where slip at the wall decays, mu (1 + j)(1 + 2j) v^2/d >= j D(v_f - v); forces of rolling exist a little earlier. At rest nothing presses
    it onto the wall, which slips; the floor slips too if j D(v_f)/(1 + j) > mu g.
    """
    j, mu = meter.j, meter.mu
    decays = lambda v: mu * (1.0 + j) * (1.0 + 2.0 * j) * v * v / meter.d - j * float(carried(meter, v, v_f))
    rolling = float(brentq(decays, 0.0, v_f, xtol=1e-300, rtol=1e-15))
    static = bisected(lambda v: margin_of_rolling(meter, v, v_f) < 0.0, 0.0, v_f)
    first = "RS" if j * float(carried(meter, 0.0, v_f)) / (1.0 + j) <= mu * meter.g else "SS"
    return StartUp(first, static, rolling)
