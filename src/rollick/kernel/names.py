"""Names and numbers as people type them: the nearest right name, and values with a unit."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable
from typing import Any


class InputError(ValueError):
    """Something a person entered cannot be used; the message says what was given, what is allowed and what to do."""


def called(thing: Any) -> str:
    """The name of a class, or of the class of a thing, as it was written (`__name__` may have been changed, see `dispatch`)."""
    cls = thing if isinstance(thing, type) else type(thing)
    return cls.__qualname__.rpartition(".")[2]


RENAMED = {"track1": "x", "track2": "y", "l": "ell"}  # as it was or is also written: the name here


def choose(given: str, allowed: Iterable[str], what: str) -> str:
    """The allowed name that was given, also under a former name (`RENAMED`); otherwise an error with the nearest right one."""
    names = list(allowed)
    if given in names:
        return given
    for old, new in RENAMED.items():  # either way: files keep the names they were written with
        if given == old and new in names:
            return new
        if given == new and old in names:
            return old
    folded = {n.lower().replace("-", "_"): n for n in reversed(names)}
    near = difflib.get_close_matches(str(given).lower().replace("-", "_"), list(folded), n=1, cutoff=0.5)
    hint = f" Did you mean {folded[near[0]]!r}?" if near else ""
    raise InputError(f"unknown {what}: {given!r}.{hint} Allowed: {', '.join(names)}.")


# suffix: (factor to SI and radians, the unit it becomes)
UNITS = {
    "deg/s": (math.pi / 180.0, "rad/s"),
    "rad/s": (1.0, "rad/s"),
    "rpm": (math.pi / 30.0, "rad/s"),
    "deg": (math.pi / 180.0, "rad"),
    "rad": (1.0, "rad"),
    "mm": (1e-3, "m"),
    "cm": (1e-2, "m"),
    "m": (1.0, "m"),
    "kg": (1.0, "kg"),
    "g": (1e-3, "kg"),
    "ms": (1e-3, "s"),
    "s": (1.0, "s"),
}


def number(given: Any, what: str, unit: str = "") -> float:
    """A finite float from a number or a text such as "5deg", "-3e-2" or "2 mm", converted to SI and radians.

    `unit` is what the quantity is measured in; a text with a unit of another kind is refused.
    """
    if isinstance(given, str):
        text = given.strip()
        suffix = next((u for u in sorted(UNITS, key=len, reverse=True) if text.endswith(u)), "")
        factor, becomes = UNITS.get(suffix, (1.0, ""))
        try:
            value = float(text[: len(text) - len(suffix)]) * factor
        except ValueError:
            raise InputError(f"{what} = {given!r} is not a number; write e.g. 0.1, 1e-3, 5deg or 2mm.") from None
        if suffix and unit and becomes != unit:
            raise InputError(f"{what} is measured in {unit}, but {given!r} is in {suffix}; give it in {unit}.")
    else:
        try:
            value = float(given)
        except (TypeError, ValueError):
            raise InputError(f"{what} = {given!r} is not a number; write e.g. 0.1, 1e-3 or '5deg'.") from None
    if not math.isfinite(value):
        raise InputError(f"{what} = {given!r} is not finite; give a finite number.")
    return value


def whole(given: Any, what: str, least: int = 0) -> int:
    """A whole number, `least` or more."""
    value = number(given, what)
    if value != int(value) or value < least:
        raise InputError(f"{what} = {given!r} must be a whole number, {least} or more.")
    return int(value)
