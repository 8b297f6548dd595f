"""What is on the page: a system, the numbers that differ from its own, how it starts, how long, by which method; and what was there before.

A state is plain, small and hashable by its `key`; it says only what differs from the system's own choices, so that its address is short.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..archetypes.models import Model
from ..kernel.names import InputError, choose, number
from .limits import MOST_NAMES, MOST_UNDONE, text_within, tolerance_within, until_within
from .systems import entry, hidden, methods_of, start_units

Value = float | str


@dataclass(frozen=True)
class State:
    """A system by name; parameters (`set`) and a start that differ from its own; None: as the system has it."""

    system: str = "rattleback"
    set: dict[str, Value] = field(default_factory=dict)
    start: dict[str, Value] = field(default_factory=dict)
    until: float | None = None
    method: str = "auto"
    rtol: float | None = None

    @property
    def model(self) -> Model:
        """The system as a model."""
        return entry(self.system)

    @property
    def key(self) -> str:
        """The same for equal states."""
        return json.dumps(self.plain(), sort_keys=True)

    def plain(self) -> dict[str, Any]:
        """The state as plain values."""
        return dataclasses.asdict(self)

    def value(self, name: str) -> Value:
        """The value of a parameter."""
        return self.set.get(name, self.model.parameters[name].default)

    def starts(self) -> dict[str, Value]:
        """The whole start."""
        return {**self.model.start, **self.start}

    @property
    def lasts(self) -> float | None:
        """How long the motion is; None for a model that goes on to its own end."""
        return self.model.until if self.until is None and self.model.run is None else self.until

    # -- changes: each returns another state, or refuses in a sentence ------------------------------------------------------------

    def with_parameter(self, name: str, given: Any) -> State:
        """With another value of a parameter."""
        parameter = self.model.parameters[choose(name, visible(self.model), f"parameter of {self.system}")]
        value = parameter.read(given if isinstance(given, float) else text_within(given, name), name)
        rest = {n: v for n, v in self.set.items() if n != name}
        return dataclasses.replace(self, set=rest if value == parameter.default else {**rest, name: value})

    def with_start(self, name: str, given: Any) -> State:
        """With another number of the start."""
        units = start_units(self.system)
        name = choose(name, units, f"start of {self.system}")
        value = number(given if isinstance(given, float) else text_within(given, name), name, units[name], turns=True)
        rest = {n: v for n, v in self.start.items() if n != name}
        return dataclasses.replace(self, start={**rest, name: value})

    def without_start(self, name: str) -> State:
        """With the system's own number of the start again."""
        return dataclasses.replace(self, start={n: v for n, v in self.start.items() if n != name})

    def lasting(self, given: Any) -> State:
        """With another duration; empty: the system's own."""
        if given is None or str(given).strip() == "":
            return dataclasses.replace(self, until=None)
        return dataclasses.replace(self, until=until_within(text_within(given, "until"), self.model.until))

    def by(self, method: Any) -> State:
        """By another method."""
        name = choose(text_within(method, "method"), methods_of(self.system), "method")
        return dataclasses.replace(self, method=name, rtol=None if name in STEPPING else self.rtol)

    def to(self, given: Any) -> State:
        """With another tolerance; empty: the method's own."""
        if given is None or str(given).strip() == "":
            return dataclasses.replace(self, rtol=None)
        if self.method in STEPPING:
            raise InputError(f"{self.method} steps through time and has no tolerance; take another method, or leave rtol empty.")
        return dataclasses.replace(self, rtol=tolerance_within(text_within(given, "rtol")))

    def reset(self) -> State:
        """The system as it is by itself."""
        return State(self.system)


STEPPING = ("moreau", "midpoint", "thesis")


def visible(model: Model) -> list[str]:
    """The parameters that the page offers: not those that name files."""
    return [name for name in model.parameters if not hidden(model, name)]


def read_state(given: Mapping[str, Any]) -> State:
    """A state from plain values that somebody sent, checked one by one."""
    if not isinstance(given, Mapping):
        raise InputError("a state is a table of names and values.")
    for key in given:
        choose(str(key), [f.name for f in dataclasses.fields(State)], "entry of a state")
    state = State(entry(text_within(given.get("system", "rattleback"), "system")).name)
    for table in ("set", "start"):
        values = given.get(table, {})
        if not isinstance(values, Mapping) or len(values) > MOST_NAMES:
            raise InputError(f"{table} must be a table of at most {MOST_NAMES} names and values.")
        for name, value in values.items():
            text_within(value, str(name)[:40])
            state = state.with_parameter(name, value) if table == "set" else state.with_start(name, value)
    state = state.by(given.get("method") or "auto")
    return state.lasting(given.get("until")).to(given.get("rtol"))


class History:
    """States one after another, with a way back and forth."""

    def __init__(self, first: State):
        self.states, self.place = [first], 0

    @property
    def now(self) -> State:
        """The present state."""
        return self.states[self.place]

    def go(self, state: State) -> bool:
        """A new state; what was undone is forgotten. Whether anything changed."""
        if state.key == self.now.key:
            return False
        self.states = [*self.states[: self.place + 1], state][-MOST_UNDONE:]
        self.place = len(self.states) - 1
        return True

    @property
    def can_undo(self) -> bool:
        """Whether there is a state before."""
        return self.place > 0

    @property
    def can_redo(self) -> bool:
        """Whether there is a state after."""
        return self.place + 1 < len(self.states)

    def undo(self) -> State:
        """One state back."""
        self.place = max(self.place - 1, 0)
        return self.now

    def redo(self) -> State:
        """One state forth."""
        self.place = min(self.place + 1, len(self.states) - 1)
        return self.now
