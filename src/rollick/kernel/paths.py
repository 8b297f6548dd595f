"""Numbers inside a system by their paths: "m", "shape.R"."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from .lanes import as_float
from .names import called, choose

T = TypeVar("T")


def fields_of(system: Any, prefix: str = "") -> list[str]:
    """The float fields of a system and of its parts, by their paths: "m", "shape.R"."""
    found: list[str] = []
    for name, value in zip(system._fields, system):
        if isinstance(value, float):
            if name != "unused":  # a part without numbers has one that means nothing
                found.append(prefix + name)
        elif hasattr(value, "_fields"):
            found += fields_of(value, f"{prefix}{name}.")
    return found


def path_of(system: Any, name: str) -> str:
    """The path of a float field that was given by its path, or by its last name if that is the only one."""
    paths = fields_of(system)
    if name in paths:
        return name
    ends = [path for path in paths if path.rpartition(".")[2] == name]
    return ends[0] if len(ends) == 1 else choose(name, paths, f"parameter of {called(system)}")


def value_at(system: Any, path: str) -> float:
    """The number at a path."""
    for name in path.split("."):
        system = getattr(system, name)
    return float(system)


_units: dict[type, dict[str, str]] = {}


def measured(**units: str) -> Callable[[type[T]], type[T]]:
    """Say in which units the fields of a part are: ``@measured(eps="m/s")``."""

    def told(part: type[T]) -> type[T]:
        _units[part] = units
        return part

    return told


def unit_at(system: Any, path: str) -> str:
    """The unit of the number at a path, as far as the class that holds it says so (`measured`)."""
    holder, _, name = path.rpartition(".")
    for part in holder.split(".") if holder else ():
        system = getattr(system, part)
    return _units.get(type(system), {}).get(name, "")


def replaced(system: Any, path: str, value: float) -> Any:
    """The system with another number at a path."""
    name, _, rest = path.partition(".")
    return system._replace(**{name: replaced(getattr(system, name), rest, value) if rest else as_float(value)})
