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

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...kernel.hooks import settle, start_state
from ...kernel.names import InputError
from ...kernel.system import validate
from ..body import Body
from ..rolling.start import OMEGA, QUATERNION, RATES, SPIN, ZXY, ZXZ
from ..sliding.start import PLACE, SPEED
from .contact import read_system
from .fields import Fields
from .matter import naming, read_matter, read_values
from .options import read_options

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
    file, values = read_values(path, changes)
    with naming(file):
        return understood(file, values)


def understood(file: Path, values: dict[str, Any]) -> BodyFile:
    """What the values of a file mean."""
    top, parts, shape = read_matter(values, file.parent)
    try:
        body = Body.from_parts(parts, shape)
    except InputError as error:
        raise InputError(f"shape and mass: {error}") from None
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
