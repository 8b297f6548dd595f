"""The points of a chart: outputs of a motion for values of parameters and start, by integration with dense output or from a record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..kernel.names import InputError, called
from ..kernel.paths import fields_of, replaced
from ..motion.filippov.systems.form import is_form
from ..motion.methods import method_of
from ..motion.methods.smooth import Adaptive
from ..motion.start import check_system, with_rate
from .recorded import named, recorded_values
from .sensitivity.evaluate import quantity_of, unit_of
from .sensitivity.inputs import Starting, inputs_of
from .sensitivity.outputs import outputs_of
from .sensitivity.sensitivity import Question


class Points:
    """Outputs at the points of a chart: by integration with dense output where the method has it, else from records."""

    def __init__(
        self, system: Any, start: Any, until: Any, outputs: Any, parameters: list[str], begun: list[str], options: Any, idle: bool
    ):
        self.given = system, start, until, outputs, parameters, begun, options, idle
        base = check_system(with_rate(system))
        found = method_of(options["method"], {}, base)
        is_carried = isinstance(found, Adaptive) or is_form(base)
        self.by_record = not idle and not is_carried
        self.method = found
        if self.by_record:
            if options["resets"]:
                raise InputError(
                    f"resets cannot be had with method = {found.name!r}, which has impacts of its own; leave them out."
                )
            self.system, self.outputs = base, outputs_of(outputs)
            for one in self.outputs:
                named(one)
            self.starting = Starting(base, start, found, **_plain_problem(until, options))
            self.inputs = inputs_of(self.starting, parameters, begun) if parameters or begun else []
        else:
            if idle and not is_carried:
                raise InputError(
                    f"functions of the system are charted without a motion, but {called(base)} has no smooth rates to begin with; take make=..., or loop over it."
                )
            self.question = question = Question(
                system,
                start,
                until,
                outputs,
                parameters or fields_of(base)[:1],
                begun,
                **{**options, "max_steps": options["max_steps"]},
            )
            self.system, self.outputs, self.starting = question.system, question.outputs, question.starting
            self.inputs = question.inputs if parameters or begun else []

    @property
    def units(self) -> dict[str, str]:
        """Of the axes."""
        return {one.label: one.unit for one in self.inputs}

    def output_units(self) -> dict[str, str]:
        """Of the outputs."""
        quantities = [quantity_of(o, self.system, 0) for o in self.outputs] if self.by_record else self.question.quantities
        return {o.label: unit_of(o, q) for o, q in zip(self.outputs, quantities)}

    @property
    def start(self) -> np.ndarray:
        """The state at the start."""
        return self.starting.problem.start

    @property
    def until(self) -> float:
        """The end."""
        return float(self.starting.problem.t1)

    def about(self) -> dict[str, Any]:
        """What distinguishes charts from records."""
        return (
            {"method": self.method.name, "options": {k: str(v) for k, v in self.method.options.items()}} if self.by_record else {}
        )

    def of(self, system: Any) -> Points:
        """The same of another system."""
        return Points(system, *self.given[1:])

    def system_with(self, values: Mapping[str, float]) -> Any:
        """The system with other values of its parameters."""
        system = self.system
        for one in self.inputs:
            if one.parameter:
                system = replaced(system, one.name, values[one.label])
        return check_system(system)

    def values(self, values: Mapping[str, float]) -> np.ndarray:
        """The outputs for values of the inputs, by their labels."""
        if not self.by_record:
            own = [values.get(one.label, one.value) for one in self.question.inputs]
            at = self.question.with_values(own)
            return at.answer(at.path(None))[0]
        start = self.starting.start
        for one in self.inputs:
            if not one.parameter:
                start = {**(start or {}), one.name: values[one.label]}
        options, stepped = self.given[6], "dt" in self.method.options
        most, rtol = (max(options["max_steps"], 1e7), None) if stepped else (options["max_steps"], options["rtol"])
        return recorded_values(
            self.system_with(values), start, self.given[2], self.outputs, options["method"], options["since"], most, rtol
        )


def _plain_problem(until: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """What a problem asks for besides system and start."""
    return {"until": until, "since": options["since"], "at": None, "dense": False, "events": None, "variational": False, "integrals": 0,
            "max_steps": options["max_steps"], "wall_limit": None, "progress": False, "began": 0.0}  # fmt: skip
