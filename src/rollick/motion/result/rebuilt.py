"""Systems from what a file says of them, without trusting the file.

A file names the type of a system and of each of its parts. Such a name is looked up in a table of the types that Rollick knows: those
that were described (`describe`), for which an implementation was registered (`register`), that one of these names as a part (by an
annotation or a default), or that the package itself defines; all of them are plain NamedTuples. Nothing else is ever looked up, imported or called; what a file says besides is data. Types of the package are
loaded if their module is a source file of one of its own rooms; modules of anybody else are never imported.
"""

from __future__ import annotations

import importlib
import re
import typing
from typing import Any

import numpy as np

from ...kernel.contents import implementers
from ...kernel.sources import PACKAGE
from ...kernel.system import descriptions

ROOMS = ("mechanics", "motion", "archetypes")  # the rooms of the package that define systems and their parts
DEEPEST = 16  # parts within parts


class NotRebuilt(ValueError):
    """A file's description of a system that does not fit a known type."""


def type_name(cls: type) -> str:
    """Where a class is found again: module:name."""
    return f"{cls.__module__}:{cls.__qualname__}"


def _plain(cls: type) -> bool:
    """Whether a type is a NamedTuple, and nothing but data."""
    return isinstance(cls, type) and issubclass(cls, tuple) and isinstance(getattr(cls, "_fields", None), tuple)


def hints(cls: type) -> dict[str, Any]:
    """The annotations of the fields of a type, as far as they can be resolved."""
    try:
        return typing.get_type_hints(cls)
    except (NameError, TypeError):
        return {}


def part_types(cls: type) -> list[type]:
    """The types that the parts of a type have by its own word: by its annotations, also within `tuple[...]`, and by its defaults."""
    found: list[type] = []
    waiting = [*hints(cls).values(), *getattr(cls, "_field_defaults", {}).values()]
    while waiting:
        part = waiting.pop(0)
        if isinstance(part, tuple):  # a default: a part, or a tuple of them
            waiting += list(part)
            part = type(part)
        if _plain(part):
            found.append(part)
        waiting += typing.get_args(part)
    return found


def known_types() -> dict[str, type]:
    """The types that may be rebuilt, by the names that files give them: described, registered for, or a part that such a type names itself."""
    waiting = [cls for cls in (*implementers, *descriptions) if _plain(cls)]
    found: dict[str, type] = {}
    while waiting:
        cls = waiting.pop(0)
        found[type_name(cls)] = cls  # of two types of one name, the younger
        waiting += [part for part in part_types(cls) if part not in found.values()]
    return found


def known_type(name: Any) -> type:
    """The known type of a name; `NotRebuilt` for everything else."""
    if not isinstance(name, str):
        raise NotRebuilt(f"{name!r} names no type")
    found = known_types().get(name) or own_type(*name.partition(":")[::2])
    if found is None:
        raise NotRebuilt(f"{name!r} is no type that is known here")
    return found


def own_type(module: str, name: str) -> type | None:
    """A NamedTuple that is defined in a source file of the package's own rooms; None for everything else."""
    if not re.fullmatch(rf"rollick\.({'|'.join(ROOMS)})(\.[a-z][a-z0-9_]*)*", module):
        return None
    path = PACKAGE.joinpath(*module.split(".")[1:])
    if not (path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()):
        return None
    found = vars(importlib.import_module(module)).get(name)
    return found if found is not None and _plain(found) and found.__module__ == module else None


def _number_like(value: Any) -> bool:
    return isinstance(value, (bool, int, float))


def field_value(value: Any, depth: int = 0) -> Any:
    """The value of a field: a number, a tuple of values, an array of numbers, or a known part; `NotRebuilt` for everything else."""
    if depth > DEEPEST:
        raise NotRebuilt(f"parts are nested more than {DEEPEST} deep")
    if _number_like(value):
        return value
    if isinstance(value, list):
        return tuple(field_value(v, depth + 1) for v in value)
    if isinstance(value, dict) and set(value) == {"_array"}:
        try:
            array = np.array(value["_array"])
        except (ValueError, TypeError, OverflowError, RecursionError):
            raise NotRebuilt("an array of unequal rows") from None
        if array.dtype.kind not in "bif":
            raise NotRebuilt("an array of other things than numbers")
        return array
    if isinstance(value, dict) and "_type" in value:
        return rebuilt(known_type(value["_type"]), {k: v for k, v in value.items() if k != "_type"}, depth + 1)
    raise NotRebuilt(f"a field holds {type(value).__name__}, which is no number, array or known part")


def rebuilt(cls: type, values: Any, depth: int = 0) -> Any:
    """A system or part of a known type from its fields (see `provenance.parameters`); `NotRebuilt` if they do not fit."""
    fields: tuple[str, ...] = getattr(cls, "_fields", ())
    if not isinstance(values, dict) or set(values) != set(fields):
        raise NotRebuilt(f"the fields of {type_name(cls)} are {', '.join(fields)}")
    expected = hints(cls)
    found = []
    for name in fields:
        value = field_value(values[name], depth)
        if expected.get(name) is float and not _number_like(value):
            raise NotRebuilt(f"{name} of {type_name(cls)} must be a number")
        if expected.get(name) in (int, bool) and not isinstance(value, (bool, int)):
            raise NotRebuilt(f"{name} of {type_name(cls)} must be a whole number")
        found.append(value)
    return cls(*found)
