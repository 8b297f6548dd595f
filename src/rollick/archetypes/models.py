"""The models of the command line and of teaching: a system with a name, checked parameters, a start worth watching, and its source.

A model is a `Model` in a file of its own, and a line of `_HOMES`. Names and titles are known without loading the compiler, which takes seconds: a shell
asks for them at every press of the tabulator key.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..kernel.names import InputError, choose, number
from ..kernel.sizes import bounded
from .former import FORMER


@dataclass(frozen=True)
class Parameter:
    """A parameter of a model: its default (a number, or one of the words `allowed`, or any text), its unit, what it means, and its bounds."""

    default: float | str
    unit: str = ""
    about: str = ""
    allowed: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    positive: bool = False

    def read(self, given: Any, name: str) -> float | str:
        """The value of what somebody gave."""
        if self.allowed:
            return choose(str(given), self.allowed, f"value of {name}")
        if isinstance(self.default, str):
            return str(given)
        value = bounded(number(given, name, self.unit), name, self.low, self.high, given)
        if self.positive and value <= 0.0:
            raise InputError(f"{name} = {given!r} must be above zero.")
        return value


@dataclass(frozen=True)
class Model:
    """A system by name: how to make it from parameters, what to start it with, what to watch, where it comes from."""

    name: str
    title: str
    source: str
    parameters: Mapping[str, Parameter]
    make: Callable[..., Any]
    start: dict[str, str | float]
    until: float
    events: tuple[Any, ...] = ()
    about: str = ""
    starts: str = ""  # names that a start understands besides the states
    method: str = "auto"  # the integrator that suits it
    dt: float | None = None  # and its step, for time stepping
    run: Callable[..., Any] | None = None  # for systems that are no ODE: run(system, start, until, progress=...) -> a result
    honours: tuple[str, ...] = ()  # the options of `simulate` that such a run understands, besides start, until and progress
    body: Callable[..., Any] | None = (
        None  # for all other options: body(system, start) -> the same as a system for `simulate`, and its start
    )

    def simulate(self, system: Any = None, start: Any = None, until: float | None = None, **options: Any) -> Any:
        """The motion of a system of this model (default: the model's own system, start and duration), with the options of `simulate`.

        The result knows the model's name: titles and summaries use it.
        """
        from ..mechanics.contact import contact_count
        from ..motion.simulate import simulate

        system = self.make() if system is None else system
        given = {name: value for name, value in options.items() if value is not None}
        begin = dict(self.start) if start is None else start
        if self.run is None or (self.body is not None and contact_count.knows(type(system))):
            result = simulate(system, begin, self.until if until is None else until, **self.suited(system, given))
        else:
            wanted = {
                name: x for name, x in given.items() if name == "progress" or (x is not False and (name, x) != ("method", "auto"))
            }
            if self.body is not None and (self.idle(wanted) or not isinstance(begin, Mapping)):
                if until is None and "at" not in wanted:
                    raise InputError(f"say how long {self.name} is to be simulated: until=...")
                if hasattr(begin, "end_time"):
                    wanted.setdefault("since", begin.end_time)
                made, begin = self.body(system, begin)
                return simulate(made, begin, until, **wanted).of_model(self.name)
            self.refuse_idle(wanted)
            if not isinstance(begin, Mapping) and "start" not in self.honours:
                raise InputError(
                    f"{self.name} starts from names and values, not from another result; see `rollick show {self.name}`."
                )
            result = self.run(system, begin, until, **wanted)
        return result.of_model(self.name)

    def suited(self, system: Any, given: Mapping[str, Any]) -> dict[str, Any]:
        """Options of `simulate`: those given, and the method that suits the model if none is."""
        from ..mechanics.contact import contact_count

        found = dict(given)
        if found.get("method", "auto") == "auto" and self.method != "auto" and contact_count.knows(type(system)):
            found |= {"method": self.method, "dt": found.get("dt", self.dt)}
        return found

    def idle(self, names: Iterable[str]) -> list[str]:
        """Those options that a run from event to event does not understand."""
        return [name for name in names if name not in (*self.honours, "progress")]

    def refuse_idle(self, names: Iterable[str], spelled: Callable[[str], str] = str) -> None:
        """Refuse options that a run from event to event does not understand."""
        idle = self.idle(names)
        if idle:
            raise InputError(f"{self.name} goes from event to event by itself; leave out {', '.join(map(spelled, idle))}.")


def read_parameters(parameters: Mapping[str, Parameter], given: Mapping[str, Any], what: str) -> dict[str, Any]:
    """All parameters of a model: those given, checked, and the defaults of the others."""
    values: dict[str, Any] = {name: p.default for name, p in parameters.items()}
    for name, value in given.items():
        name = choose(name, parameters, f"parameter of {what}")
        values[name] = parameters[name].read(value, name)
    return values


_HOMES = {
    "rattleback": "rollick.archetypes.rattleback.model:MODEL",
    "torus": "rollick.archetypes.rubber.model:TORUS",
    "rolling_disk": "rollick.archetypes.rubber.model:DISK",
    "hoop": "rollick.archetypes.rubber.model:HOOP",
    "ellipsoid": "rollick.archetypes.rubber.model:ELLIPSOID",
    "routh_sphere": "rollick.archetypes.rubber.model:ROUTH_SPHERE",
    "profile": "rollick.archetypes.rubber.model:PROFILE",
    "tippedisk": "rollick.archetypes.tippedisk.model:MODEL",
    "tippedisk_reduced": "rollick.archetypes.tippedisk.reduced.model:REDUCED",
    "tippedisk_normalised": "rollick.archetypes.tippedisk.reduced.model:NORMALISED",
    "rod": "rollick.archetypes.rod:MODEL",
    "polygon": "rollick.archetypes.polygon:MODEL",
    "dying_disk": "rollick.archetypes.dying_disk.model:MODEL",
    "drop": "rollick.archetypes.dropped_device.model:MODEL",
    "philae": "rollick.archetypes.lander.model:MODEL",
    "tippe_top": "rollick.archetypes.tops.model:TIPPE_TOP",
    "euler_disk": "rollick.archetypes.tops.model:EULER_DISK",
    "pool_ball": "rollick.archetypes.filippov.model:POOL_BALL",
    "spring_disk": "rollick.archetypes.filippov.model:SPRING_DISK",
    "filippov_toy": "rollick.archetypes.filippov.model:TOY",
    "ball_in_corner": "rollick.archetypes.filippov.model:BALL_IN_CORNER",
    "flowmeter": "rollick.archetypes.flowmeter.model:MODEL",
    "wheelset": "rollick.archetypes.wheelset.dry_model:MODEL",
    "wheelset_rolling": "rollick.archetypes.wheelset.rolling_model:MODEL",
}


def model_names() -> list[str]:
    """The names of all models."""
    return list(_HOMES)


def model(name: str) -> Model:
    """A model by name."""
    module, _, constant = _HOMES[checked_name(name)].partition(":")
    found: Model = getattr(importlib.import_module(module), constant)
    return found


def checked_name(name: str) -> str:
    """The name of a model, which is not loaded for that; one that no model has (any more) is refused."""
    if not isinstance(name, str):
        raise InputError(f"name = {name!r} is not the name of a model; write e.g. model('rattleback').")
    if name in FORMER:
        raise InputError(FORMER[name])
    return choose(name, _HOMES, "model")


def title_of(name: str) -> str:
    """The title of a model, read from the source of its file, which is not loaded for that unless the title is no plain text there."""
    module, _, constant = _HOMES[name].partition(":")
    folder, _, file = module.removeprefix(f"{__package__}.").rpartition(".")
    source = Path(__file__).parent.joinpath(*folder.split("."), f"{file}.py")
    if module.startswith(f"{__package__}.") and source.is_file():
        for statement in ast.parse(source.read_text(encoding="utf-8")).body:
            if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call):
                if any(isinstance(target, ast.Name) and target.id == constant for target in statement.targets):
                    call = statement.value
                    told = {k.arg: k.value for k in call.keywords}.get("title", call.args[1] if len(call.args) > 1 else None)
                    if isinstance(told, ast.Constant) and isinstance(told.value, str):
                        return told.value
    return model(name).title


def models() -> dict[str, Model]:
    """All models."""
    return {name: model(name) for name in _HOMES}
