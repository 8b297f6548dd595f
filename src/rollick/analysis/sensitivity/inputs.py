"""What a motion is differentiated by: parameters of the system (fields, by their paths), and numbers of the start.

The state at the start may itself depend on parameters (a body that begins on its constraint): it is differentiated too, by differences of order six,
exact to rounding where it is linear.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...kernel.names import InputError, called, choose, listed, number
from ...kernel.paths import path_of, unit_at, value_at
from ...kernel.system import description
from ...motion.contact.held_start import held_start
from ...motion.hybrid.differences import difference
from ...motion.problem import Problem, make_problem
from ...motion.result.motion import Motion
from ...motion.start import state_vector
from .tilt import moved

UNITS = ("rad", "rad/s", "m", "m/s", "J", "N")  # of numbers of a start that are no states


@dataclass(frozen=True)
class Input:
    """A number that the motion depends on: a parameter (`path`) or a number of the start."""

    name: str
    value: float
    unit: str
    parameter: bool

    @property
    def size(self) -> float:
        """Its typical size: derivatives are computed with respect to parts of it."""
        return abs(self.value) or 1.0

    @property
    def label(self) -> str:
        """Its name in tables."""
        return self.name if self.parameter else f"{self.name}(0)"


class Starting:
    """A system with its start: the problem for changed parameters and numbers of the start."""

    def __init__(self, system: Any, start: Any, method: Any, **asked: Any):
        self.system, self.start, self.method, self.asked = system, start, method, asked
        self.problem: Problem = self.of(system, start)

    def of(self, system: Any, start: Any) -> Problem:
        """The problem of a system and a start."""
        problem = make_problem(system, start, **self.asked)
        return held_start(problem, self.method) if hasattr(self.method, "stepper") else problem

    def given(self, name: str) -> tuple[float, str]:
        """A number of the start by name, and its unit."""
        states = description(self.system).states
        units = {q.name: q.unit for q in states}
        if isinstance(self.start, Mapping) or self.start is None:
            known = dict(self.start or {})
            if name in known:
                unit = units.get(name, "")
                return number(known[name], name, unit) if name in units else plain_number(known[name], name), unit
        name = choose(name, list(units), f"number of the start of {called(self.system)}")
        index = list(units).index(name)
        return float(self.problem.start[index]), units[name]

    def changed(self, name: str, value: float) -> Any:
        """The start with another value of a number."""
        if isinstance(self.start, Mapping) or self.start is None:
            return {**(self.start or {}), name: value}
        y = (
            self.problem.start.copy()
            if isinstance(self.start, Motion)
            else np.array(state_vector(self.system, self.start), float)
        )
        y[[q.name for q in description(self.system).states].index(name)] = value
        return y

    def column(self, one: Input) -> tuple[dict[str, float], np.ndarray]:
        """The direction in parameters, and how the state (with integrals) at the start moves; for a change by the size of the input."""
        size = one.size
        direction = {one.name: size} if one.parameter else {}

        def state(h: float) -> np.ndarray:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                if one.parameter:
                    begins = self.start.end_state if isinstance(self.start, Motion) else self.start
                    problem = self.of(moved(self.system, direction, h), begins)
                else:
                    problem = self.of(self.system, self.changed(one.name, one.value + h * size))
            return np.concatenate([problem.start, problem.sums])

        return direction, difference(state)


def plain_number(value: Any, name: str) -> float:
    """A number of the start that is no state (an angle for a quaternion, say), with whatever unit it has."""
    for unit in ("", *UNITS):
        try:
            return number(value, name, unit)
        except InputError:
            continue
    raise InputError(
        f"{name} = {value!r} of the start has a unit that is not known here; give it as a plain number (SI, radians)."
    )


def inputs_of(starting: Starting, parameters: Any, start_of: Any) -> list[Input]:
    """All inputs, parameters first."""
    system = starting.system
    about = description(system)
    found: list[Input] = []
    for name in _listed(parameters):
        path = path_of(system, name)
        quantity = about.parameters.get(path)
        found.append(Input(path, value_at(system, path), quantity.unit if quantity is not None else unit_at(system, path), True))
    for name in _listed(start_of):
        value, unit = starting.given(name)
        found.append(Input(name, value, unit, False))
    if not found:
        raise InputError(
            "nothing to differentiate by: give parameters=[...] (fields of the system) or start_of=[...] (numbers of the start)."
        )
    names = [one.label for one in found]
    for label in names:
        if names.count(label) > 1:
            raise InputError(f"{label} is named twice; leave one out.")
    return found


def _listed(names: Any) -> Sequence[str]:
    return listed([] if names is None else names, "names", "['mu', 'e']")
