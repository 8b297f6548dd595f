"""Names and numbers as people type them: the nearest right name, and (from `units`) values with a unit."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any

from .errors import InputError as InputError
from .units import number as number
from .units import numbers as numbers
from .units import whole as whole


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


def pair(given: Any) -> tuple[Any, Any] | None:
    """Two things that were given as a tuple, a list or an array; None for anything else."""
    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, Iterable):
        return None
    found = tuple(given)
    return (found[0], found[1]) if len(found) == 2 else None
