"""`sensitivity`: the derivatives of outputs of a motion with respect to parameters and start, through events, resets and changes of mode."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...kernel.names import InputError, called
from ...kernel.not_compiled import explained
from ...kernel.paths import replaced
from ...kernel.system import description, integral_count
from ...motion.events.event import Event
from ...motion.filippov.systems.form import is_form
from ...motion.methods import has_dry_friction, method_of, refuse
from ...motion.methods.event_driven import EventDriven
from ...motion.methods.smooth import Adaptive
from ...motion.start import check_system, with_rate
from .carried import Carried
from .contacts import CarriedThroughContacts
from .evaluate import evaluated, quantity_of
from .inputs import Input, Starting, inputs_of
from .modes import CarriedThroughModes
from .outputs import AtEvent, EventTime, Output, checked_times, outputs_of
from .resets import Reset
from .table import Sensitivity

RTOL = 1e-11  # default: derivatives are good to about a thousand times as much


class Question:
    """Outputs of a motion as functions of its inputs: values and derivatives. What `sensitivity`, `fit` and `optimise` ask."""

    def __init__(
        self,
        system: Any,
        start: Any,
        until: Any,
        outputs: Any,
        parameters: Any = (),
        start_of: Any = (),
        *,
        since: Any = None,
        method: Any = "auto",
        rtol: float | None = None,
        resets: Sequence[Reset] = (),
        max_resets: int = 10_000,
        max_steps: float = 1e6,
    ):
        self.system = system = check_system(with_rate(system))
        self.outputs: list[Output] = outputs_of(outputs)
        base: Any = method_of(method, {"rtol": rtol}, system)
        if rtol is None and "rtol" in base.options and base.options["rtol"] == type(base)().options["rtol"]:
            base = dataclasses.replace(base, rtol=RTOL)
        if not isinstance(resets, (Reset, list, tuple)):
            raise InputError(f"resets = {resets!r} must be a Reset, or a list of them; write Reset(Event(...), after=f).")
        self.resets = [resets] if isinstance(resets, Reset) else list(resets)
        self.max_resets = max_resets
        for one in self.resets:
            if not isinstance(one, Reset):
                raise InputError(f"resets = {one!r} is no Reset; write Reset(Event(...), after=f).")
        self.events, self.which = _events(self.outputs)
        summed = self._sums(base)
        asked = {
            "until": until,
            "since": since,
            "at": None,
            "dense": True,
            "events": None,
            "variational": False,
            "integrals": summed,
        }
        asked |= {"max_steps": max_steps, "wall_limit": None, "progress": False, "began": time.perf_counter()}
        with explained(system):
            self.starting = Starting(system, start, base, **asked)
        self.method = self._suitable(base)
        p = self.starting.problem
        if p.t1 <= p.t0:
            raise InputError(f"until = {p.t1:g} must lie after since = {p.t0:g}: sensitivities go forward in time.")
        checked_times(self.outputs, p.t0, p.t1)
        self.inputs: list[Input] = inputs_of(self.starting, parameters, start_of)
        self.quantities = [quantity_of(one, system, summed) for one in self.outputs]
        self.by = ""
        self.steps = 0

    def _sums(self, method: Any) -> int:
        """How many integrals are accumulated: all, if one of them is asked for."""
        if not isinstance(method, Adaptive):
            return 0
        named = {q.name for q in description(self.system).integrals}
        wanted = {getattr(one, "what", None) for one in self.outputs} | {e.what for e in self.events}
        return int(integral_count(self.system)) if named & {w for w in wanted if isinstance(w, str)} else 0

    def _suitable(self, base: Any) -> Any:
        """The method for the problem; refused by name if it has no derivatives."""
        chosen = base.for_problem(self.starting.problem)
        refuse(chosen, {"dry friction": "dry friction" in chosen.refuses and has_dry_friction(self.system)}, self.system)
        if isinstance(chosen, EventDriven):
            if self.resets:
                raise InputError(
                    f"resets cannot be had with method = {chosen.name!r}: its modes and impacts are its own; leave them out."
                )
            chosen.check(self.system)
            return chosen
        if isinstance(chosen, Adaptive):
            return chosen
        why = (
            "its steps do not resolve when contacts close or stick, so that its states are no differentiable functions of anything"
            if hasattr(chosen, "dt")
            else "impacts and changes of its modes are not differentiated"
        )
        raise InputError(
            f"sensitivities cannot be had with method = {chosen.name!r} of {called(self.system)}: {why}. Take 'event-driven' for a body with contacts, "
            f"or a smooth law such as Regularised(mu, eps) in lasting contact."
        )

    @property
    def values(self) -> np.ndarray:
        """The inputs."""
        return np.array([one.value for one in self.inputs])

    def with_values(self, values: Any) -> Question:
        """The same question with other values of the inputs."""
        other = Question.__new__(Question)
        other.__dict__.update(self.__dict__)
        system, start = self.system, self.starting.start
        inputs = [dataclasses.replace(one, value=float(v)) for one, v in zip(self.inputs, values)]
        base = Starting.__new__(Starting)
        base.__dict__.update(self.starting.__dict__)
        for one in inputs:
            if one.parameter:
                system = replaced(system, one.name, one.value)
            else:
                base.start = start
                start = base.changed(one.name, one.value)
        system = check_system(system)
        other.system, other.inputs = system, inputs
        other.starting = Starting(system, start, self.starting.method, **self.starting.asked)
        other.quantities = [quantity_of(one, system, other.starting.problem.m) for one in self.outputs]
        for new, old in zip(other.quantities, self.quantities):
            if new is not None and old is not None:
                new.by_differences, new._checked = old.by_differences, old._checked
        return other

    def path(self, one: Input | None) -> Any:
        """The motion with the column of an input."""
        s = self.starting
        if one is None:
            direction: dict[str, float] = {}
            w = np.zeros(s.problem.n + s.problem.m)
        else:
            direction, w = s.column(one)
        if isinstance(self.method, EventDriven):
            carried = CarriedThroughModes if is_form(self.system) else CarriedThroughContacts
            return carried(s.problem, self.method, direction, w, self.events)
        return Carried(s.problem, self.method, direction, w, self.events, self.resets, self.max_resets)

    def answer(self, path: Any) -> tuple[np.ndarray, np.ndarray]:
        """Values of all outputs and their derivatives along a column."""
        found = [evaluated(o, q, path, k) for o, q, k in zip(self.outputs, self.quantities, self.which)]
        return np.array([v for v, _ in found]), np.array([d for _, d in found])

    def solve(self) -> tuple[np.ndarray, np.ndarray]:
        """The values of the outputs, and their derivatives: one row for each output, one column for each input."""
        columns, values = [], None
        with explained(self.system):
            for one in self.inputs:
                path = self.path(one)
                found, slope = self.answer(path)
                values = found if values is None else values
                columns.append(slope / one.size)
                self.steps += path.steps
                self.by = self.by or path.columns_by
                if path.columns_by != self.by:
                    self.by = "complex step, some by neighbours"
        assert values is not None
        return values, np.stack(columns, axis=1)

    def outputs_at(self, values: Any) -> np.ndarray:
        """The outputs for other values of the inputs."""
        question = self.with_values(values)
        return question.answer(question.path(None))[0]


def _events(outputs: list[Output]) -> tuple[list[Event], list[int]]:
    """The distinct events of some outputs, and which of them each output is about (-1: none). A motion ends with the last, if nothing else is asked."""
    found: list[Event] = []
    keys: list[Any] = []
    which, most = [], []
    for one in outputs:
        e = one.event
        if e is None:
            which.append(-1)
            continue
        key = e.what, e.direction, e.level, e.touch
        if key not in keys:
            keys.append(key)
            found.append(e)
            most.append(0)
        k = keys.index(key)
        most[k] = max(most[k], int(e.terminal))
        which.append(k)
    alone = len(found) == 1 and all(isinstance(one, (EventTime, AtEvent)) for one in outputs)
    return [dataclasses.replace(e, terminal=m if alone else False) for e, m in zip(found, most)], which


def sensitivity(
    system: Any,
    start: Any,
    until: Any = None,
    outputs: Any = (),
    parameters: Any = (),
    start_of: Any = (),
    *,
    since: Any = None,
    method: Any = "auto",
    rtol: float | None = None,
    resets: Sequence[Reset] = (),
    max_resets: int = 10_000,
    max_steps: float = 1e6,
) -> Sensitivity:
    """The derivatives of outputs of a motion with respect to parameters of the system and numbers of the start.

    Parameters
    ----------
    system, start, until, since, method, rtol, max_steps: as for `simulate` (rtol: 1e-11 unless it is given).
    outputs: what is asked for; see `At`, `EventTime`, `AtEvent`, `Maximum`, `Minimum`, `Integral`, or texts such as "phi at 5".
    parameters: names of float fields of the system, or of its parts ("law.mu").
    start_of: names in the start, or states.
    resets: where the state jumps, `Reset(Event("x", "falling"), after)`.

    Along smooth pieces the variational equations are integrated with the motion, their right-hand sides by complex step; at events, resets, impacts and
    changes of mode (method "event-driven") the derivative of the time enters. What has no derivative is refused: an event that touches, an extremum
    reached twice, a state at the instant of a jump.
    """
    question = Question(
        system, start, until, outputs, parameters, start_of,
        since=since, method=method, rtol=rtol, resets=resets, max_resets=max_resets, max_steps=max_steps,
    )  # fmt: skip
    values, matrix = question.solve()
    return Sensitivity(question, values, matrix)
