"""Names and numbers as people type them: the nearest right name, and (from `units`) values with a unit."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from .errors import InputError as InputError
from .units import array_of as array_of
from .units import number as number
from .units import numbers as numbers
from .units import whole as whole


def called(thing: Any) -> str:
    """The name of a class, or of the class of a thing, as it was written (`__name__` may have been changed, see `dispatch`)."""
    cls = thing if isinstance(thing, type) else type(thing)
    return cls.__qualname__.rpartition(".")[2]


RENAMED = {"track1": "x", "track2": "y", "l": "ell"}  # as it was or is also written: the name here
# what people call a quantity: the names it may have here, where no name is spelled alike
MEANT = {
    "height": ("gap", "z"),
    "altitude": ("gap", "z"),
    "position": ("x", "y", "z"),
    "velocity": ("vx", "vy", "vz", "v"),
    "speed": ("vx", "vy", "vz", "v"),
    "spin": ("omega3",),
    "tilt": ("theta",),
    "inclination": ("theta", "beta"),
}


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
    said = str(given).lower().replace("-", "_")
    close = [folded[n] for n in difflib.get_close_matches(said, list(folded), n=1, cutoff=0.5)]
    near = [n for n in MEANT.get(said, ()) if n in names] or close
    hint = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
    raise InputError(f"unknown {what}: {given!r}.{hint} Allowed: {', '.join(names)}.")


def file_of(given: Any, what: str = "path") -> Path:
    """The file that was named: a text or a path; `~` is the home directory."""
    if not isinstance(given, (str, os.PathLike)) or not str(given).strip():
        raise InputError(f"{what} = {given!r} is not the name of a file; write e.g. 'motion.nc'.")
    return Path(given).expanduser()


def mapping_of(given: Any, what: str, example: str) -> dict[Any, Any]:
    """Names and values that were given as a dict; `example` shows one."""
    if not isinstance(given, Mapping):
        raise InputError(f"{what} = {given!r} must be a dict of names and values, e.g. {example}.")
    return dict(given)


def listed(given: Any, what: str, example: str) -> list[Any]:
    """Things that were given as a list, or one alone; `example` shows a list."""
    if isinstance(given, str) or callable(given):
        return [given]
    if given is None or not isinstance(given, Iterable):
        raise InputError(f"{what} = {given!r} must be a list, e.g. {example}.")
    return list(given)


def pair(given: Any) -> tuple[Any, Any] | None:
    """Two things that were given as a tuple, a list or an array; None for anything else."""
    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, Iterable):
        return None
    found = tuple(given)
    return (found[0], found[1]) if len(found) == 2 else None
