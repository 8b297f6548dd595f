"""Maps and branches: what is asked of many motions, as plain data; the pictures of the answers; and which state a point of a picture means.

A map has two axes, parameters or numbers of the start, and a colour: a measure of each motion, or how fast the steady motion nearby grows
(a stability chart). A branch is a bifurcation diagram: steady motions along one parameter, stable where the line is solid.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..kernel.names import InputError, choose, number
from .limits import MOST_POINTS, side_within, text_within
from .sliders import slider_of, slider_of_start
from .state import State, read_state, visible
from .systems import quantities, start_units

MEASURES = ("final", "greatest", "least", "mean", "rms", "first", "count")
SAID = {
    "final": "value at the end of", "greatest": "greatest", "least": "least", "mean": "mean of", "rms": "root mean square of",
    "first": "time of the first zero of", "count": "number of zeros of",
}  # fmt: skip
STABILITY = "stability"
IMPACT_KEEPS = ("impacts",)
DISTURBED = 1e-3  # what a steady motion is disturbed by when it is played: an unstable one shows it


@dataclass(frozen=True)
class Axis:
    """An axis: values of a parameter, or of a number of the start, in SI."""

    name: str
    low: float
    high: float
    count: int

    def values(self) -> list[float]:
        """The values."""
        step = (self.high - self.low) / (self.count - 1)
        return [self.low + k * step for k in range(self.count)]


@dataclass(frozen=True)
class Map:
    """A map of a state: two axes, and what its colour is."""

    state: State
    x: Axis
    y: Axis
    measure: str
    of: str = ""

    def plain(self) -> dict[str, Any]:
        """As plain values."""
        return {**dataclasses.asdict(self), "state": self.state.plain()}

    @property
    def label(self) -> str:
        """What its colour is, in words."""
        return (
            "growth rate of the steady motion [1/s]"
            if self.measure == STABILITY
            else f"{SAID.get(self.measure, self.measure)} {self.of}".strip()
        )


def axis_names(state: State) -> dict[str, str]:
    """What can be an axis, with units: numbers among the parameters, and the start."""
    parameters = state.model.parameters
    found = {n: parameters[n].unit for n in visible(state.model) if not isinstance(parameters[n].default, str)}
    return found | {name: unit for name, unit in start_units(state.system).items() if name not in found}


def usual_axis(state: State, name: str, count: int = 25) -> Axis:
    """An axis over the range of its slider."""
    units = axis_names(state)
    name = choose(name, units, "axis")
    parameter = state.model.parameters.get(name)
    slider = slider_of(state.system, name, parameter) if parameter is not None else None
    if slider is None:
        begin = state.starts().get(name, 0.0)
        slider = slider_of_start(name, number(begin, name, units[name], turns=True), units[name])
    return Axis(name, slider.low, slider.high, count)


def measures_of(state: State) -> dict[str, list[str]]:
    """What a map of a system may show: measures, each with the quantities it is of."""
    if state.model.run is not None and state.system != "philae":
        return {"impacts": []}
    names = list(quantities(state.system))
    found = {word: names for word in MEASURES}
    return found if state.model.run is not None else {**found, STABILITY: []}


def read_axis(given: Any, state: State) -> Axis:
    """An axis from what somebody sent."""
    if not isinstance(given, Mapping):
        raise InputError("an axis is a table of name, low, high and count.")
    units = axis_names(state)
    name = choose(text_within(given.get("name"), "axis"), units, "axis")
    low, high = (number(text_within(given.get(end), end), f"{name} {end}", units[name], turns=True) for end in ("low", "high"))
    if not low < high:
        raise InputError(f"the axis {name} must run upwards; it has low = {low:g} and high = {high:g}.")
    return Axis(name, low, high, side_within(given.get("count"), name))


def read_map(given: Any) -> Map:
    """A map from what somebody sent."""
    if not isinstance(given, Mapping):
        raise InputError("a map is a table of state, x, y, measure and of.")
    state = read_state(given.get("state") or {})
    x, y = read_axis(given.get("x"), state), read_axis(given.get("y"), state)
    if x.name == y.name:
        raise InputError(f"both axes are {x.name}; take two different ones.")
    if x.count * y.count > MOST_POINTS:
        raise InputError(
            f"{x.count} x {y.count} points are more than a map of the studio has ({MOST_POINTS}); take `rollick sweep`."
        )
    allowed = measures_of(state)
    measure = choose(text_within(given.get("measure"), "measure"), allowed, f"measure of {state.system}")
    of = (
        choose(text_within(given.get("of"), "quantity"), allowed[measure], f"quantity of {state.system}")
        if allowed[measure]
        else ""
    )
    return Map(state, x, y, measure, of)


def keep_of(asked: Map) -> str:
    """What a sweep keeps, as its file writes it."""
    if asked.measure == STABILITY:
        raise InputError("a stability chart is no sweep of motions; choose a measure such as the greatest value of a quantity.")
    if asked.measure == "impacts":
        return '[{ reducer = "impacts" }]'
    return f'[{{ {asked.measure} = "{asked.of}" }}]'


def state_at(asked: Map, x: Any, y: Any, steady: Mapping[str, float] | None = None) -> State:
    """The state that a point of a map means; of a stability chart, the steady motion there, slightly disturbed."""
    state = asked.state
    for name, value in (steady or {}).items():
        if name in start_units(state.system):
            state = state.with_start(name, float(value) + DISTURBED)
    for axis, given in ((asked.x, x), (asked.y, y)):
        value = number(given, axis.name)
        if (
            not min(axis.low, axis.high) - 1e-9 * abs(axis.high - axis.low)
            <= value
            <= axis.high + 1e-9 * abs(axis.high - axis.low)
        ):
            raise InputError(f"{axis.name} = {value:g} is not on this map.")
        state = (
            state.with_parameter(axis.name, value) if axis.name in state.model.parameters else state.with_start(axis.name, value)
        )
    return state


def branch_state(state: State, parameter: str, value: float, steady: Mapping[str, float]) -> State:
    """The state that a point of a branch means: the steady motion there, slightly disturbed."""
    units = start_units(state.system)
    for name, there in steady.items():
        if name in units and name != parameter:
            state = state.with_start(name, float(there) + DISTURBED)
    return (
        state.with_parameter(parameter, float(value))
        if parameter in state.model.parameters
        else state.with_start(parameter, float(value))
    )
