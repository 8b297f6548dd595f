"""A system of one's own on the command line: FILE.py:NAME, a NamedTuple with its `rate`, or an instance of one."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

from ...kernel.names import InputError, choose, number


def is_own(text: str) -> bool:
    """Whether a name is that of a file with something in it."""
    return text.rpartition(":")[0].endswith(".py") or text.endswith(".py")


def own_model(text: str) -> Any:
    """The system of a file as a model: its float fields are the parameters, and it has no start of its own."""
    from ...archetypes.models import Model, Parameter
    from ...kernel.system import description

    system = found(text)
    about = description(system)
    floats = {
        name: Parameter(float(value), about.parameters[name].unit if name in about.parameters else "")
        for name, value in zip(system._fields, system)
        if isinstance(value, (int, float)) and not isinstance(value, bool)
    }

    def make(**given: Any) -> Any:
        values = {}
        for name, value in given.items():
            if name == "allow_unstable":
                raise InputError(f"allow_unstable=True is for models of Rollick's; {text} has no such check. Leave it out.")
            key = choose(name, list(floats), f"number of {text}")
            values[key] = number(value, key, floats[key].unit)
        return system._replace(**values)

    return Model(type(system).__name__, "", text, floats, make, {}, 0.0)


def found(text: str) -> Any:
    """The system that a file defines."""
    file, _, name = text.rpartition(":")
    if not file.endswith(".py") or not name:
        raise InputError(f"{text}: a system of your own is named by its file and its name there, e.g. ball.py:Ball.")
    path = Path(file).resolve()
    if not path.is_file():
        raise InputError(f"{file} is not there; name a file that defines a system, e.g. ball.py:Ball.")
    if str(path.parent) not in sys.path:
        sys.path.insert(0, str(path.parent))
    try:
        module = importlib.import_module(path.stem)
    except Exception as error:
        raise InputError(f"{file} cannot be imported: {type(error).__name__}: {error}.") from None
    if Path(str(getattr(module, "__file__", ""))).resolve() != path:
        raise InputError(f"{file}: another module is called {path.stem}; rename the file.")
    if not hasattr(module, name):
        raise InputError(f"{file} defines no {name}.")
    made = getattr(module, name)
    try:
        made = made() if isinstance(made, type) else made
    except TypeError as error:
        raise InputError(f"{text} cannot be made without arguments ({error}): give its fields defaults.") from None
    if not (isinstance(made, tuple) and hasattr(made, "_fields")):
        raise InputError(f"{text} is no system: a system is a NamedTuple with a `rate`, see docs/own_system.md.")
    return made
