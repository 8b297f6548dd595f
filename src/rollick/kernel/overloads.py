"""What Numba was told about functions, methods and attributes (``numba.extending.overload`` and its relatives).

A function that is overloaded compiles to something that stands nowhere in its own code, perhaps in another file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .numba_inside import overload_registry


def _implementation(template: Any) -> Callable | None:
    """The function that picks the implementation; None for what Numba brings along as a class of its own."""
    return getattr(template, "_overload_func", None)


class _Overloads:
    """The overloads of functions, by the identity of the function; read again when something was added."""

    def __init__(self) -> None:
        self.count = 0
        self.table: dict[int, list[Callable]] = {}

    def of(self, function: Any) -> list[Callable]:
        """All that was registered for a function, in the order of registration."""
        registered = overload_registry.globals
        for value, kind in registered[self.count :]:
            for template in getattr(kind, "templates", ()):
                found = _implementation(template)
                if found is not None:
                    self.table.setdefault(id(value), []).append(found)
        self.count = len(registered)
        return self.table.get(id(function), [])


_overloads = _Overloads()


def overloads_of(function: Any) -> list[Callable]:
    """The functions that say what a function means inside compiled code (``@overload(function)``)."""
    return _overloads.of(function)


def overloaded_attributes(names: set[str]) -> Iterator[tuple[str, Callable]]:
    """What was registered for methods and attributes of these names, whatever type they belong to."""
    for template in overload_registry.attributes:
        found = _implementation(template)
        name = getattr(template, "_attr", None)
        if found is not None and name in names:
            yield name, found
