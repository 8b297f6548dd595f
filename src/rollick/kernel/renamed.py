"""Old names of options: still understood, with a sentence that says the new one."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from .names import InputError

Function = TypeVar("Function", bound=Callable[..., Any])


def sentence(old: str, new: str) -> str:
    """What somebody who uses an old name is told."""
    return f"{old} is now called {new}; the old name still works, but please write {new}."


def new_names(given: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """The options that were given, old names replaced by new ones, each with a warning; both at once are refused."""
    found = dict(given)
    for old, new in names.items():
        if old in found:
            if new in found:
                raise InputError(f"{old} and {new} mean the same; give {new} alone.")
            warnings.warn(sentence(old, new), FutureWarning, stacklevel=3)
            found[new] = found.pop(old)
    return found


def renamed(**names: str) -> Callable[[Function], Function]:
    """A decorator: keyword arguments that had other names, `renamed(old="new")`, are still understood."""

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def understood(*args: Any, **given: Any) -> Any:
            return function(*args, **(new_names(given, names) if given else given))

        return understood  # type: ignore[return-value]

    return decorate
