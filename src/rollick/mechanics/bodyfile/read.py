"""`read_body`: a TOML file to a body, the system it makes with its surfaces, a start and options.

[shape]     kind and sizes; rounding, turn, shift
[mass]      mass, inertia, centre; or inertia = "solid"; or [[mass.parts]]
[contact]   how = "marble" | "rubber" | "sliding"; damping; law, restitution, feet
[[surface]] kind and its fields (default: a level plane)
[start]     names and values, as for `simulate`
[simulate]  until and the other options of `simulate`
title, about, gravity
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...kernel.hooks import settle, start_state
from ...kernel.names import InputError, file_of, mapping_of
from ...kernel.system import validate
from ..body import Body
from ..rolling.start import OMEGA, QUATERNION, RATES, SPIN, ZXY, ZXZ
from ..sliding.start import PLACE, SPEED
from .contact import read_system
from .fields import Fields
from .mass import read_mass
from .options import read_options
from .shapes import read_shape

NESTED = "its lists and tables lie within each other too deeply; a field has at most a list of lists."
START_UNITS = {**ZXZ, **RATES, **ZXY, **QUATERNION, **OMEGA, **SPIN, **PLACE, **SPEED}


@dataclass(frozen=True)
class BodyFile:
    """What a body file says: the body, the system (the body on its surfaces), its start and the options of `simulate`."""

    path: Path
    body: Body
    system: Any
    start: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    title: str = ""
    about: str = ""

    @property
    def name(self) -> str:
        """The name of the file without its ending."""
        return self.path.stem


def read_body(path: Any, changes: Mapping[str, Any] | None = None) -> BodyFile:
    """The body of a TOML file; `changes` replaces fields by their paths, e.g. {"shape.a": "25cm", "mass.parts.0.density": 7800}."""
    file = file_of(path)
    try:
        values = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror or error}.") from None
    except ValueError as error:  # no TOML, no UTF-8, or a number of thousands of digits
        raise InputError(f"{file} is not a TOML file: {error}.") from None
    except RecursionError:
        raise InputError(f"{file}: {NESTED}") from None
    for name, value in mapping_of(changes or {}, "changes", "{'shape.a': '25cm'}").items():
        replace(values, name, value)
    try:
        return understood(file, values)
    except InputError as error:
        raise InputError(f"{file.name}: {error}") from None
    except RecursionError:
        raise InputError(f"{file.name}: {NESTED}") from None


def body_of(values: dict[str, Any], folder: Path) -> tuple[Fields, Body]:
    """The top table and the body of a file's values."""
    top = Fields(values, "", folder)
    shape_fields = top.table("shape")
    top.table("mass")
    shape = read_shape(shape_fields)
    properties = read_mass(top.table("mass"), shape, shape_fields)
    try:
        body = Body.from_parts(properties, shape)
    except InputError as error:
        raise InputError(f"shape and mass: {error}") from None
    return top, body


def understood(file: Path, values: dict[str, Any]) -> BodyFile:
    """What the values of a file mean."""
    top, body = body_of(values, file.parent)
    title, about = top.text("title", ""), top.text("about", "")
    if "contact" not in top:
        top.values = {**top.values, "contact": {"how": "marble"}}
    system = read_system(top, body)
    start = read_start(top.table("start")) if "start" in top else {}
    options = read_options(top.table("simulate")) if "simulate" in top else {}
    for name in ("start", "simulate"):
        top.given(name, None)
    top.done()
    if start:
        check_start(system, start)
    return BodyFile(file, body, system, start, options, title, about)


def read_start(f: Fields) -> dict[str, Any]:
    """Names and values of a start, in SI; names that nobody knows are left to the system, which refuses them."""
    return {n: f.number(n, START_UNITS[n]) if n in START_UNITS else value for n, value in f.values.items()}


def check_start(system: Any, start: dict[str, Any]) -> None:
    """Refuse a start that the system does not understand, or cannot start from."""
    try:
        validate(system)
        settle(system, start_state(system, start))
    except InputError as error:
        raise InputError(f"start: {error}") from None


def entered(way: list[str], here: list[Any], rest: str) -> str:
    """How a field in a list is named, for somebody who left out the number of the entry, or gave one that is not there."""
    path, count = ".".join(way), f"a list of {len(here)}" if len(here) != 1 else "a list with one entry"
    number, _, inside = rest.partition(".")
    tail = (inside if number.isdigit() else rest) if any(isinstance(one, dict) for one in here) else ""
    which = "0" if len(here) == 1 else f"a number from 0 to {len(here) - 1}"
    return f"{path} is {count}, so that {which} stands in between: {'.'.join(filter(None, (path, '0', tail)))}"


def replace(values: dict[str, Any], name: str, value: Any) -> None:
    """Replace one field, named by its path; tables on the way must be there, a list is entered by its number (from 0)."""
    *way, last = name.split(".")
    here: Any = values
    for k, step in enumerate(way):
        inside = here[int(step)] if isinstance(here, list) and step.isdigit() and int(step) < len(here) else None
        inside = here.get(step) if isinstance(here, dict) else inside
        if not isinstance(inside, (dict, list)):
            if isinstance(here, list):
                raise InputError(f"{name}: {entered(way[:k], here, '.'.join((*way[k:], last)))}.")
            raise InputError(f"{name}: there is no {'.'.join(way[: k + 1])} in the body file; there: {', '.join(here)}.")
        here = inside
    if isinstance(here, list):
        if not (last.isdigit() and int(last) < len(here)):
            raise InputError(f"{name}: {entered(way, here, last)}.")
        here[int(last)] = value
    else:
        here[last] = value
