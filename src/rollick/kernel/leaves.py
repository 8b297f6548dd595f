"""The floats of a system and of its parts, in the order in which they are written: a system as a row of numbers, many of one type as a table.

Everything else in a system (whole numbers, arrays, words of an enumeration) stays that of a template.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from .compiled import compiled_uncached


def leaves(value: Any) -> Iterator[tuple[Any, bool]]:
    """All leaves of nested NamedTuples, and whether they are floats (lanes are)."""
    for part in value:
        if isinstance(part, float):
            yield part, True
        elif hasattr(part, "_fields"):
            yield from leaves(part)
        else:
            yield part, False


def floats_in(value: Any) -> list[Any]:
    """The floats of a system and of its parts."""
    return [leaf for leaf, is_float in leaves(value) if is_float]


def rest_of(value: Any) -> tuple[Any, ...]:
    """What is no float in a system, as a key: systems with the same can share a template."""
    return tuple(
        leaf if isinstance(leaf, (int, str, bool, type(None))) else id(leaf) for leaf, is_float in leaves(value) if not is_float
    )


def rows_of(systems: list[Any]) -> np.ndarray:
    """The floats of systems of one type, a row each."""
    return np.array([floats_in(system) for system in systems], float).reshape(len(systems), -1)


def with_floats(template: Any, row: Any) -> Any:
    """The template with other floats."""
    numbers = iter(row)

    def made(value: Any) -> Any:
        parts = [next(numbers) if isinstance(part, float) else made(part) if hasattr(part, "_fields") else part for part in value]
        return type(value)(*parts)

    return made(template)


def builder(template: Any, varied: tuple[int, ...]) -> Any:
    """A compiled function (template, row) that makes a system: of its floats those in `varied` are the entries of a row, the others those of the template (on a
    GPU they need no registers), and so is the rest."""
    names: dict[str, Any] = {"__name__": __name__}
    numbers = itertools.count()
    entries = {number: place for place, number in enumerate(varied)}

    def text(value: Any, path: str) -> str:
        if isinstance(value, float):
            number = next(numbers)
            return f"row[{entries[number]}]" if number in entries else path
        if hasattr(value, "_fields"):
            cls = f"class_{len(names)}"
            names[cls] = type(value)
            return f"{cls}({', '.join(text(v, f'{path}.{n}') for n, v in zip(value._fields, value))})"
        return path

    source = f"def build(template, row):\n    return {text(template, 'template') if varied else 'template'}\n"
    exec(source, names)
    return compiled_uncached(names["build"])
