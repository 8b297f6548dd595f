"""A state and the axes of its map as a TOML file for `rollick sweep`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ..kernel.names import InputError
from .maps import Axis
from .own_body import BODY
from .state import State


def toml_value(value: Any) -> str:
    """A number or a text as TOML writes it."""
    return json.dumps(value) if isinstance(value, str) else repr(float(value))


def toml_table(title: str, values: dict[str, Any]) -> list[str]:
    """A table of numbers and texts; nothing if it is empty."""
    return (
        [f"\n[{title}]", *(f"{json.dumps(name) if '(' in name else name} = {toml_value(v)}" for name, v in values.items())]
        if values
        else []
    )


def study_of(state: State, axes: Sequence[Axis], keep: str) -> str:
    """The file: the state's numbers, its axes as a grid, and what is kept of each motion."""
    if state.system == BODY:
        raise InputError("a sweep is over a model by name; a body of one's own is swept in Python, with rollick.ensemble.")
    model = state.model
    varied = {axis.name for axis in axes}
    lines = [f"# {model.title}", f'model = "{state.system}"']
    lines += [f"until = {state.lasts!r}"] if state.lasts is not None else []
    lines.append(f"keep = {keep}")
    named = {"name": state.method} | ({"rtol": state.rtol} if state.rtol is not None else {})
    if state.method != "auto":
        lines.append(f"method = {{ {', '.join(f'{k} = {toml_value(v)}' for k, v in named.items())} }}")
    elif state.rtol is not None:
        lines.append(f'method = {{ name = "{model.method}", rtol = {state.rtol!r} }}')
    lines += toml_table("set", {n: v for n, v in state.set.items() if n not in varied})
    lines += toml_table("start", {n: v for n, v in state.starts().items() if n not in varied})
    lines.append("\n[grid]")
    lines += [f"{axis.name} = {{ from = {axis.low!r}, to = {axis.high!r}, count = {axis.count} }}" for axis in axes]
    return "\n".join(lines) + "\n"
