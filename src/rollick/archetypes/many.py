"""Members of an ensemble that are models by name: what varies are the model's own parameters, with their units and checks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..ensemble.members import WORD
from ..kernel.names import InputError, choose
from ..motion.start import check_system, with_rate
from .models import model


class ModelSource:
    """Members of a model; `fixed` are parameters that do not vary. It can be pickled: a worker finds the model by its name."""

    def __init__(self, name: str, fixed: Mapping[str, Any] | None = None):
        self.name, self.fixed = name, dict(fixed or {})
        self._made: Any = None
        for given in self.fixed:
            choose(given, self.model.parameters, f"parameter of {name}")

    def __reduce__(self) -> Any:
        return ModelSource, (self.name, self.fixed)

    @property
    def model(self) -> Any:
        """The model."""
        return model(self.name)

    @property
    def title(self) -> str:
        """What moves."""
        return self.name

    @property
    def is_motion(self) -> bool:
        """Whether the model is a system that `simulate` integrates."""
        return self.model.run is None

    @property
    def system(self) -> Any:
        """The system of the parameters that do not vary."""
        if self._made is None:
            self._made = self.make({})
        return self._made

    def parameter(self, name: str) -> str | None:
        """The parameter of a name; None if there is none."""
        try:
            return choose(name, self.model.parameters, "parameter")
        except InputError:
            return None

    def unit(self, name: str) -> str:
        """The unit of a parameter; of one that is chosen by a word, `WORD`."""
        parameter = self.model.parameters[name]
        return WORD if parameter.allowed or isinstance(parameter.default, str) else parameter.unit

    def make(self, values: Mapping[str, Any]) -> Any:
        """The system of a member."""
        system = self.model.make(**{**self.fixed, **values})
        return check_system(with_rate(system)) if self.model.run is None else system

    def simulate(self, system: Any, start: Any, until: Any, **options: Any) -> Any:
        """The motion of a member."""
        given = {name: value for name, value in options.items() if value is not None}
        if not self.is_motion:
            given = {name: value for name, value in given.items() if name in self.model.honours} | {"progress": False}
        return self.model.simulate(
            system, {**self.model.start, **(start or {})} if isinstance(start, (dict, type(None))) else start, until, **given
        )

    def suited(self, system: Any, given: Mapping[str, Any]) -> dict[str, Any]:
        """Options of `simulate`: those given, and the method and step that suit the model if none is."""
        return {name: value for name, value in self.model.suited(system, given).items() if value is not None}

    def falling(self, system: Any) -> dict[str, Any] | None:
        """Of a plate that goes from impact to impact: plate, gamma, g, max_impacts and rule; None for anything else."""
        return system if self.name == "polygon" else None

    @property
    def start(self) -> Mapping[str, Any]:
        """What the model starts with, where nothing else is given."""
        return self.model.start

    def stated(self) -> dict[str, Any]:
        """The model in plain values."""
        return {"model": self.name, "parameters": {k: str(v) if isinstance(v, str) else float(v) for k, v in self.fixed.items()}}
