"""Numba's settings of a compilation, compared quickly.

Numba keeps what it has compiled under its settings, and compares them some forty thousand times in a first motion. Each time it asks two objects
for forty properties: a tenth of all compilation. Here the same comparison is one of two dictionaries. The answers are those of Numba.
"""

from __future__ import annotations

import functools
from typing import Any

from numba.core.compiler import Flags
from numba.core.targetconfig import TargetConfig


@functools.cache
def _defaults(kind: Any) -> dict[str, Any]:
    return {name: option.default for name, option in kind.options.items()}


@functools.cache
def _hash_of_names(kind: Any) -> int:
    return hash(tuple(sorted(kind.options)))


def _all_settings(flags: Any) -> dict[str, Any]:
    kind: Any = type(flags)
    return {**_defaults(kind), **flags._values}


def same_settings(one: Any, other: Any) -> bool:
    """Whether all settings are equal, those that were not set taken at their defaults."""
    if one is other:
        return True
    if not isinstance(other, TargetConfig):
        return NotImplemented
    return _all_settings(one) == _all_settings(other)


def hash_of_settings(one: Any) -> int:
    """That of the names of all settings: equal settings have equal ones."""
    kind: Any = type(one)
    return _hash_of_names(kind)


def compare_quickly() -> None:
    """Let Numba compare its settings in this way, unless it has one of its own for them already."""
    if Flags.__eq__ is TargetConfig.__eq__ and Flags.__hash__ is TargetConfig.__hash__:
        Flags.__eq__, Flags.__hash__ = same_settings, hash_of_settings  # type: ignore[assignment, method-assign]
