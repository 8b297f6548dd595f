"""The work of an ensemble: everything that is needed to compute any of its members, anywhere. It can be pickled.

`chunk(first, last)` computes some members; what comes out depends on the members alone, not on which others are in the chunk. How members are computed is no
matter of a task: it is given the function that does it (`chunks.compiled_chunk.compute_members`).
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..kernel.names import InputError
from ..kernel.system import description
from ..motion.methods import method_of
from ..motion.result.outcome import EVENT, FINISHED, NOT_FINITE, STATUSES
from .forecast import Forecast
from .keep import Keeping
from .members import Members

REFUSED = "refused"  # a member that cannot be: its parameters or its start are not possible
WORDS = (FINISHED, EVENT, REFUSED, *(w for w in STATUSES if w not in (FINISHED, EVENT)))


@dataclass
class Chunk:
    """What is known of some members: numbers by label, status (places in `WORDS`), the reason of those that did not end well, end times, steps, paths."""

    values: np.ndarray
    status: np.ndarray
    time: np.ndarray
    steps: np.ndarray
    paths: np.ndarray | None
    reasons: dict[int, str] = field(default_factory=dict)  # by place in the chunk

    def put(self, place: int, part: Chunk) -> None:
        """What is known of some more members, from a place on."""
        here = slice(place, place + len(part.status))
        for name in ("values", "status", "time", "steps"):
            getattr(self, name)[here] = getattr(part, name)
        if self.paths is not None:
            self.paths[here] = part.paths
        self.reasons |= {place + k: why for k, why in part.reasons.items()}

    def part(self, low: int, high: int) -> Chunk:
        """What is known of the members from one place to before another."""
        paths = None if self.paths is None else self.paths[low:high]
        reasons = {k - low: why for k, why in self.reasons.items() if low <= k < high}
        return Chunk(self.values[low:high], self.status[low:high], self.time[low:high], self.steps[low:high], paths, reasons)


@dataclass
class Task:
    """Members, and how they are computed. `until` and `since` may be among the varied numbers."""

    source: Any
    members: Members
    start: Any
    until: Any
    since: Any
    method: Any
    options: dict[str, Any]
    keep: Keeping
    integrals: bool
    max_steps: float
    wall_limit: float | None
    compute: Callable[
        [Task, int, np.ndarray, Chunk], None
    ]  # (task, first, places, out) writes the members at these places after the first
    gpu: bool = False
    roles: dict[str, tuple[str, str]] = field(default_factory=dict)  # name: ("parameter" or "start" or "time", its name there)

    def __post_init__(self) -> None:
        self.done: dict[int, Chunk] = {}  # members that were computed to learn what one costs, by the first of each lot
        self.forecast = Forecast()  # of the steps of members, on a GPU

    def parts(self, i: int) -> tuple[dict[str, Any], Any, Any, Any]:
        """Parameters, start, since and until of a member."""
        row = self.members.row(i)
        values: dict[str, Any] = {}
        begins: dict[str, Any] = {}
        times = {"since": self.since, "until": self.until}
        for name, value in row.items():
            role, inner = self.roles[name]
            (values if role == "parameter" else begins if role == "start" else times)[inner] = value
        start = self.start
        if begins:
            start = {**(start or {}), **begins} if isinstance(start, Mapping) or start is None else self._placed(start, begins)
        return values, start, times["since"], times["until"]

    def _placed(self, start: Any, begins: Mapping[str, float]) -> list[Any]:
        """A start that is a list of states, with some of them changed."""
        names = [q.name for q in description(self.source.system).states]
        found = list(start)
        for name, value in begins.items():
            found[names.index(name)] = value
        return found

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "forecast"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, forecast=Forecast())

    def chunk(self, first: int, last: int) -> Chunk:
        """The members from `first` to before `last`."""
        count, labels = last - first, self.keep.labels
        path = self.keep.path
        states = len(self.state_names())
        paths = np.full((count, path.times().size, states), np.nan) if path is not None else None
        out = Chunk(
            np.full((count, len(labels)), np.nan), np.full(count, WORDS.index(NOT_FINITE), np.int16), np.full(count, np.nan),
            np.zeros(count, np.int64), paths,
        )  # fmt: skip
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.compute(self, first, np.flatnonzero(~self.known(first, last)), out)
        for i, lot in self.done.items():
            low, high = max(first, i), min(last, i + len(lot.status))
            if low < high:
                out.put(low - first, lot.part(low - i, high - i))
        return out

    def method_for(self, system: Any) -> Any:
        """The method that `simulate` would take; a model has one, and steps, that suit it."""
        options = {"method": self.method, **self.options}
        if hasattr(self.source, "suited"):
            options = self.source.suited(system, options)
        return method_of(options.pop("method"), options, system)

    def only(self, first: int, last: int) -> Task:
        """The same work, with what is known of some members only: what is sent to who computes them."""
        lean = copy.copy(self)
        lean.done = {}
        for i, lot in self.done.items():
            low, high = max(first, i), min(last, i + len(lot.status))
            if low < high:
                lean.done[low] = lot.part(low - i, high - i)
        return lean

    def known(self, first: int, last: int) -> np.ndarray:
        """Which members from `first` to before `last` were computed already."""
        found = np.zeros(last - first, bool)
        for i, lot in self.done.items():
            found[max(0, i - first) : max(0, i + len(lot.status) - first)] = True
        return found

    def state_names(self) -> list[str]:
        """The names of the states."""
        return [q.name for q in description(self.source.system).states] if self.source.is_motion else []

    def stated(self) -> dict[str, Any]:
        """What defines the ensemble, besides its members, in plain values."""
        start = dict(self.start) if isinstance(self.start, Mapping) else self.start
        method = self.method if isinstance(self.method, str) else {"name": self.method.name, **self.method.options}
        return {
            **self.source.stated(),
            "start": _told(start),
            "since": _told(self.since),
            "until": _told(self.until),
            "method": _told(method),
            "options": {k: _told(v) for k, v in sorted(self.options.items())},
            "keep": self.keep.stated(),
            "integrals": self.integrals,
            "max_steps": self.max_steps,
        }


def _told(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [_told(v) for v in value]
    if isinstance(value, Mapping):
        return {str(k): _told(v) for k, v in value.items()}
    if isinstance(value, np.generic):
        return value.item()
    return value if isinstance(value, (int, float, str, bool, type(None))) else repr(value)


def roles_of(names: list[str], source: Any, start: Any) -> tuple[dict[str, tuple[str, str]], dict[str, str]]:
    """What each varied name is, and its unit."""
    roles: dict[str, tuple[str, str]] = {}
    units: dict[str, str] = {}
    about = description(source.system).states if source.is_motion else ()
    states = {q.name: q.unit for q in about}
    for name in names:
        parameter = None if name.endswith("(0)") or name in ("until", "since") else source.parameter(name)
        if name in ("until", "since"):
            roles[name], units[name] = ("time", name), "s"
        elif parameter is not None:
            roles[name], units[name] = ("parameter", parameter), source.unit(parameter)
        else:
            inner = name.removesuffix("(0)")
            if not isinstance(start, (Mapping, type(None))) and inner not in states:
                raise InputError(
                    f"{name!r} is neither a parameter nor a state of {source.title}; states are {', '.join(states)}."
                )
            roles[name], units[name] = ("start", inner), states.get(inner, "")
    return roles, units
